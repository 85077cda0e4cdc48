"""The thresholds of a collection, from the settings or from a file of their own."""

from pathlib import Path

from pydantic import ValidationError

from groundwire.config._documents import EvidenceSection, ThresholdsSection
from groundwire.config._load import read_yaml
from groundwire.errors import ConfigError


def thresholds_of(settings: EvidenceSection) -> ThresholdsSection:
    """The thresholds in use: those of the file the settings name, else those they hold."""
    if settings.thresholds_file is None:
        return settings.thresholds
    return load_thresholds(settings.thresholds_file)


def abstain_below_of(settings: EvidenceSection) -> float:
    """The confidence below which nothing is answered; a thresholds file has the last word."""
    chosen = thresholds_of(settings).abstain_below
    return settings.abstain_below if chosen is None else chosen


def load_thresholds(path: Path) -> ThresholdsSection:
    """Read a `thresholds.yaml`: `collections` by name, and a `default` [S3 Gap B]."""
    if not path.is_file():
        raise ConfigError(f"There is no thresholds file {path}.")
    try:
        return ThresholdsSection.model_validate({"collections": {}, **read_yaml(path)})
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigError(
            f"{where} in {path} is refused: {first['msg']}.",
            hint="A collection has a distance_threshold and a min_query_coverage.",
        ) from error
