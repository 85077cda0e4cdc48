from groundwire.config import Config
from groundwire.diagnose._agent import DiagnosisAgent
from groundwire.diagnose._drafting import LLMDrafter
from groundwire.diagnose._retriever import Retriever
from groundwire.diagnose._verifier import LLMVerifier
from groundwire.graph import CausalKnowledgeGraph, Embedder
from groundwire.llm import LLMClient
from groundwire.model import CausalGraphFile


def build_agent(
    config: Config,
    graph: CausalGraphFile,
    *,
    embedder: Embedder | None = None,
    client: LLMClient | None = None,
) -> DiagnosisAgent:
    """The agent of these settings; with a `client`, it drafts and, on low coverage, verifies."""
    return DiagnosisAgent(
        Retriever(CausalKnowledgeGraph(graph), embedder, config.diagnosis),
        config.diagnosis,
        drafter=LLMDrafter(client) if client else None,
        verifier=LLMVerifier(client) if client else None,
        max_chars=config.limits.max_text_chars,
    )
