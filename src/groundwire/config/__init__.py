"""One settings tree: defaults < YAML < environment < command line."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.config._documents import (
        AnswerSection,
        EmbeddingServiceSection,
        EvidenceSection,
        Threshold,
        ThresholdsSection,
    )
    from groundwire.config._llm import (
        PROVIDER_ENTRY_POINTS,
        LLMSection,
        Price,
        ProviderName,
        SpendingSection,
    )
    from groundwire.config._load import (
        LoadedConfig,
        Setting,
        environment_variables,
        is_in_effect,
        leaves,
        load_config,
        load_thresholds,
        thresholds_of,
    )
    from groundwire.config._section import Duration, format_duration, parse_duration
    from groundwire.config._tree import (
        JUDGE_ENTRY_POINTS,
        BackendName,
        BackendType,
        Config,
        LimitsSection,
        Operation,
    )
    from groundwire.config._trust import is_loopback
    from groundwire.config._verification import ActionsSection, DiagnosisSection, VerificationConfig

__all__ = [
    "JUDGE_ENTRY_POINTS",
    "PROVIDER_ENTRY_POINTS",
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
    "Price",
    "ProviderName",
    "Setting",
    "SpendingSection",
    "Threshold",
    "ThresholdsSection",
    "VerificationConfig",
    "environment_variables",
    "format_duration",
    "is_in_effect",
    "is_loopback",
    "leaves",
    "load_config",
    "load_thresholds",
    "parse_duration",
    "thresholds_of",
]

__getattr__ = door(
    __name__,
    {
        "_documents": """
            AnswerSection EmbeddingServiceSection EvidenceSection Threshold
            ThresholdsSection
        """,
        "_llm": "PROVIDER_ENTRY_POINTS LLMSection Price ProviderName SpendingSection",
        "_load": """
            LoadedConfig Setting environment_variables is_in_effect leaves load_config
            load_thresholds thresholds_of
        """,
        "_section": "Duration format_duration parse_duration",
        "_tree": "JUDGE_ENTRY_POINTS BackendName BackendType Config LimitsSection Operation",
        "_trust": "is_loopback",
        "_verification": "ActionsSection DiagnosisSection VerificationConfig",
    },
)
