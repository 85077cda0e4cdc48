"""One settings tree: defaults < YAML < environment < command line."""

from groundwire.config._documents import (
    AnswerSection,
    EmbeddingServiceSection,
    EvidenceSection,
    Threshold,
    ThresholdsSection,
)
from groundwire.config._llm import LLMSection, Price, ProviderName, SpendingSection
from groundwire.config._load import (
    LoadedConfig,
    Setting,
    environment_variables,
    leaves,
    load_config,
    load_thresholds,
    thresholds_of,
)
from groundwire.config._section import Duration, format_duration, parse_duration
from groundwire.config._tree import (
    BackendName,
    BackendType,
    Config,
    LimitsSection,
    Operation,
    Posture,
)
from groundwire.config._trust import is_loopback
from groundwire.config._verification import ActionsSection, DiagnosisSection, VerificationConfig

__all__ = [
    "ActionsSection",
    "AnswerSection",
    "BackendName",
    "BackendType",
    "Config",
    "DiagnosisSection",
    "Duration",
    "EmbeddingServiceSection",
    "EvidenceSection",
    "LLMSection",
    "LimitsSection",
    "LoadedConfig",
    "Operation",
    "Posture",
    "Price",
    "ProviderName",
    "Setting",
    "SpendingSection",
    "Threshold",
    "ThresholdsSection",
    "VerificationConfig",
    "environment_variables",
    "format_duration",
    "is_loopback",
    "leaves",
    "load_config",
    "load_thresholds",
    "parse_duration",
    "thresholds_of",
]
