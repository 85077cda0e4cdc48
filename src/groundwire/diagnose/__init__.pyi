from groundwire.diagnose._agent import (
    DiagnosisAgent as DiagnosisAgent,
    audit_entry as audit_entry,
    build_agent as build_agent,
)
from groundwire.diagnose._conclusion import KnownNumbers as KnownNumbers, abstention as abstention
from groundwire.diagnose._drafting import (
    LLMDrafter as LLMDrafter,
    LLMVerifier as LLMVerifier,
)
from groundwire.diagnose._enforce import enforce as enforce
from groundwire.diagnose._report import to_markdown as to_markdown
from groundwire.diagnose._retriever import Retriever as Retriever
from groundwire.diagnose._telling import Telling as Telling
