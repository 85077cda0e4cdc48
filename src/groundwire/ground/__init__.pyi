from groundwire.ground._agent import VerificationAgent as VerificationAgent
from groundwire.ground._ask import (
    BundleSearch as BundleSearch,
    EdgeVerifier as EdgeVerifier,
    edge_search as edge_search,
)
from groundwire.ground._belief import belief_of as belief_of, strength_of as strength_of
from groundwire.ground._decode import Pair as Pair, decoded as decoded
from groundwire.ground._evidence import EdgeReader as EdgeReader
from groundwire.ground._extract import (
    LLMExtractor as LLMExtractor,
)
from groundwire.ground._graph import contest_cycles as contest_cycles
from groundwire.ground._judge import (
    EmbeddedEdgeJudge as EmbeddedEdgeJudge,
    FallingBackJudge as FallingBackJudge,
    LLMEdgeJudge as LLMEdgeJudge,
)
from groundwire.ground._match import (
    VariableNames as VariableNames,
    roots as roots,
    spelled_apart as spelled_apart,
)
from groundwire.ground._read import (
    draft_edges as draft_edges,
    read_causal as read_causal,
)
from groundwire.ground._retriever import (
    GroundingRetriever as GroundingRetriever,
    normal_form as normal_form,
)
from groundwire.ground._run import (
    GroundingReport as GroundingReport,
)
from groundwire.ground._session import (
    EdgeParts as EdgeParts,
    GroundingSession as GroundingSession,
    build_parts as build_parts,
)
from groundwire.ground._spans import (
    CausalReader as CausalReader,
    SecondReader as SecondReader,
    head_of as head_of,
)
from groundwire.ground._types import (
    AdversarialVerdict as AdversarialVerdict,
    EdgeJudge as EdgeJudge,
    EdgeOutcome as EdgeOutcome,
    Hypothesis as Hypothesis,
    LoopState as LoopState,
    Passage as Passage,
    VerificationVerdict as VerificationVerdict,
)
from groundwire.ground._variables import (
    Vocabulary as Vocabulary,
    acronyms_in as acronyms_in,
    label_of as label_of,
    variable_type as variable_type,
)
