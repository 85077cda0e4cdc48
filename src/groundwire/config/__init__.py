"""One settings tree: defaults < YAML < environment < command line."""

from groundwire.config._actions import ActionsSection
from groundwire.config._answer import AnswerSection
from groundwire.config._diagnosis import DiagnosisSection
from groundwire.config._duration import Duration, format_duration, parse_duration
from groundwire.config._evidence import (
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
)
from groundwire.config._thresholds import load_thresholds, thresholds_of
from groundwire.config._tree import (
    BackendName,
    BackendType,
    Config,
    LimitsSection,
    Operation,
    Posture,
)
from groundwire.config._trust import is_loopback
from groundwire.config._verification import VerificationConfig

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
