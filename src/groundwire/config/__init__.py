"""One settings tree: defaults < YAML < environment < command line."""

from groundwire.config._duration import Duration, format_duration, parse_duration
from groundwire.config._evidence import (
    EmbeddingServiceSection,
    EvidenceSection,
    Threshold,
    ThresholdsSection,
)
from groundwire.config._load import (
    LoadedConfig,
    Setting,
    environment_variables,
    leaves,
    load_config,
)
from groundwire.config._thresholds import load_thresholds, thresholds_of
from groundwire.config._tree import BackendType, Config, LimitsSection, Posture

__all__ = [
    "BackendType",
    "Config",
    "Duration",
    "EmbeddingServiceSection",
    "EvidenceSection",
    "LimitsSection",
    "LoadedConfig",
    "Posture",
    "Setting",
    "Threshold",
    "ThresholdsSection",
    "environment_variables",
    "format_duration",
    "leaves",
    "load_config",
    "load_thresholds",
    "parse_duration",
    "thresholds_of",
]
