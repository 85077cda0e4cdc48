"""One settings tree: defaults < YAML < environment < command line."""

from groundwire.config._actions import ActionsSection
from groundwire.config._duration import Duration, format_duration, parse_duration
from groundwire.config._load import (
    LoadedConfig,
    Setting,
    environment_variables,
    leaves,
    load_config,
)
from groundwire.config._tree import BackendType, Config, Posture

__all__ = [
    "ActionsSection",
    "BackendType",
    "Config",
    "Duration",
    "LoadedConfig",
    "Posture",
    "Setting",
    "environment_variables",
    "format_duration",
    "leaves",
    "load_config",
    "parse_duration",
]
