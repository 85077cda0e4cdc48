"""From the settings to the deep judge, with plain words where something it needs is missing."""

from importlib.util import find_spec

from groundwire.config import Config
from groundwire.encoder import adapter_file, card
from groundwire.errors import ConfigError, MissingExtra
from groundwire.judge._cascade import CascadeBackend
from groundwire.judge._deep import DeepBackend
from groundwire.judge._deep_model import deep_model
from groundwire.judge._deep_prompt import CONTEXT_TOKENS
from groundwire.judge._protocol import VerifierBackend
from groundwire.llm import GGUFReader

_EVERYTHING = (0.0, 1.0)


def with_depth(config: Config, fast: VerifierBackend) -> VerifierBackend:
    """The fast judge alone, or with the deep one behind it, as `judge.depth` says."""
    section = config.judge
    if section.depth == "fast":
        return fast
    if section.band_low > section.band_high:
        raise ConfigError(
            "judge.band_low is above judge.band_high.", hint="Set them to 0.15 and 0.85."
        )
    return CascadeBackend(
        fast,
        build_deep(config),
        name=section.depth,
        band=_EVERYTHING if section.depth == "deep" else (section.band_low, section.band_high),
        deep_weight=card()["deep"]["cascade_weight"],
    )


def build_deep(config: Config) -> DeepBackend:
    if find_spec("xllamacpp") is None:
        raise MissingExtra("gguf", needed_for=f"judge.depth: {config.judge.depth}")
    home = config.home.expanduser().absolute()
    calibration = card()["deep"]
    reader = GGUFReader(
        deep_model(config),
        adapter=lambda: adapter_file(home / "models"),
        context_tokens=CONTEXT_TOKENS,
        threads=config.judge.threads,
    )
    return DeepBackend(
        reader,
        context_words=calibration["context_words"],
        threshold=config.judge.threshold or calibration["threshold"],
        timeout_s=config.hallucination.timeout.total_seconds(),
    )
