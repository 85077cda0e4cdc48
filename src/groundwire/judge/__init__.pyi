from groundwire.judge._bits import (
    CLAMP as CLAMP,
    Budget as Budget,
    budget as budget,
    clamped as clamped,
    kl_bits as kl_bits,
)
from groundwire.judge._build import (
    JUDGES as JUDGES,
    ConfigurableBackend as ConfigurableBackend,
    JudgeFactory as JudgeFactory,
    build_backend as build_backend,
    build_judge as build_judge,
)
from groundwire.judge._canaries import (
    Health as Health,
    HealthRecord as HealthRecord,
    known_answer as known_answer,
)
from groundwire.judge._cascade import CascadeBackend as CascadeBackend
from groundwire.judge._deep import (
    DeepBackend as DeepBackend,
    build_deep as build_deep,
)
from groundwire.judge._deep_model import (
    Installed as Installed,
    Step as Step,
    deep_gain as deep_gain,
    has_deep_model as has_deep_model,
    install_model as install_model,
    remove_model as remove_model,
)
from groundwire.judge._embedded import (
    EmbeddedBackend as EmbeddedBackend,
)
from groundwire.judge._external import ExternalBackend as ExternalBackend
from groundwire.judge._kept import (
    KEPT_NAME as KEPT_NAME,
    KeptJudgements as KeptJudgements,
    judge_identity as judge_identity,
)
from groundwire.judge._llm_backend import LLMBackend as LLMBackend
from groundwire.judge._narrow import (
    MAX_QUOTED as MAX_QUOTED,
    Evidence as Evidence,
    Sentence as Sentence,
)
from groundwire.judge._prompt import Fence as Fence
from groundwire.judge._protocol import (
    Backend as Backend,
    CachedJudge as CachedJudge,
    Estimate as Estimate,
    Judged as Judged,
    Question as Question,
    VerifierBackend as VerifierBackend,
    close_all as close_all,
    together as together,
)
from groundwire.judge._scrub import (
    EVIDENCE_REMOVED as EVIDENCE_REMOVED,
    scrub as scrub,
    scrubbed_context as scrubbed_context,
    supporting as supporting,
    with_and_without as with_and_without,
)
from groundwire.judge.facts import (
    EvidenceValues as EvidenceValues,
    Finding as Finding,
    check_values as check_values,
    notes as notes,
    turned as turned,
)
