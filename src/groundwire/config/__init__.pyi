from groundwire.config._documents import (
    AnswerSection as AnswerSection,
    EmbeddingServiceSection as EmbeddingServiceSection,
    EvidenceSection as EvidenceSection,
    Threshold as Threshold,
    ThresholdsSection as ThresholdsSection,
)
from groundwire.config._llm import (
    PROVIDER_ENTRY_POINTS as PROVIDER_ENTRY_POINTS,
    Price as Price,
    SpendingSection as SpendingSection,
)
from groundwire.config._load import (
    LoadedConfig as LoadedConfig,
    Setting as Setting,
    is_loopback as is_loopback,
    leaves as leaves,
    load_config as load_config,
)
from groundwire.config._section import (
    format_duration as format_duration,
    parse_duration as parse_duration,
)
from groundwire.config._serve import ProxySection as ProxySection, ServeSection as ServeSection
from groundwire.config._thresholds import (
    abstain_below_of as abstain_below_of,
    load_thresholds as load_thresholds,
    thresholds_of as thresholds_of,
)
from groundwire.config._tree import (
    JUDGE_ENTRY_POINTS as JUDGE_ENTRY_POINTS,
    Config as Config,
    HallucinationSection as HallucinationSection,
    LimitsSection as LimitsSection,
    MemoryGateSection as MemoryGateSection,
    MemorySection as MemorySection,
    Operation as Operation,
)
from groundwire.config._verification import (
    ActionsSection as ActionsSection,
    DiagnosisSection as DiagnosisSection,
    VerificationConfig as VerificationConfig,
)
