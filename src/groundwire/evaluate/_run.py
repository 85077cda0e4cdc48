"""A whole run: the golden questions, a user's own rows, and the suites, in one document."""

import json
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from groundwire.actions import git_head
from groundwire.config import Config, thresholds_of
from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.evaluate._calibrate import Calibration, calibrate
from groundwire.evaluate._golden import (
    Corpus,
    GoldenSet,
    blob_hash,
    corpus_of,
    is_questions,
    read_bytes,
    read_golden,
)
from groundwire.evaluate._labelled import judge_claims, read_claim_cases
from groundwire.evaluate._measures import results_of
from groundwire.evaluate._questions import QUESTIONS, ask_questions
from groundwire.evaluate._results import CaseOutcome, Meta, Results
from groundwire.evaluate._suites import SUITES, missing
from groundwire.evaluate._tune import TuneReport, tune

if TYPE_CHECKING:
    from collections.abc import Iterator

    from groundwire.evidence import StageProgress

GOLDEN = Path("data/evaluation/golden_queries.jsonl")
"""Where a golden set is looked for when none is named."""
CONFIG = Path("config/thresholds.yaml")
ALL = "all"
_PLACES = {"home", "index", "thresholds_file", "vocabulary"}
"""Settings that say where something is: the same corpus may lie elsewhere."""


def run_evaluation(
    engine: Engine,
    data: Path | None,
    *,
    suite: str = QUESTIONS,
    split: str | None = None,
    root: Path = Path(),
    corpus: Corpus | None = None,
    progress: "StageProgress | None" = None,
) -> Results:
    """Run what was asked for. Everything is read before anything is run.

    `data` are golden questions or labelled claims; `suite` is one of the suites, or `all` of them
    with the questions first. `corpus` is indexed for the questions and forgotten afterwards.
    """
    show = progress or (lambda _doing, _done, _of: None)
    wanted = [QUESTIONS, *SUITES] if suite == ALL else [suite]
    golden: GoldenSet | None = None
    sources: dict[str, str] = {}
    work: dict[str, Callable[[], list[CaseOutcome]]] = {}
    left_out: dict[str, str] = {}
    if QUESTIONS in wanted:
        path = data or root / GOLDEN
        sources[str(path)] = blob_hash(read_bytes(path))
        if is_questions(path):
            chosen = golden = read_golden(path).split(split)
            work[QUESTIONS] = lambda: _asked(engine, chosen, corpus, show)
        else:
            rows = [one for one in read_claim_cases(path) if split in (None, one.split)]
            work["claims"] = lambda: judge_claims(engine, rows, "claims", _stage(show, "Judging"))
    for name in (one for one in wanted if one in SUITES):
        reason = missing(name, root)
        if reason is not None:
            left_out[name] = reason
            continue
        sources |= {str(one): blob_hash(read_bytes(root / one)) for one in SUITES[name].files}
        work[name] = _suite(engine, name, root, show)
    if not work:
        raise InputError(
            f"The suite {suite} cannot be run: {left_out.get(suite, 'there is none')}.",
            hint=f"The suites are {', '.join([QUESTIONS, *SUITES, ALL])}; run them in a checkout.",
        )
    outcomes = {name: run() for name, run in work.items()}
    now = engine.parts.records.now()
    return results_of(
        outcomes,
        lambda total, passed: Meta(
            timestamp=now.isoformat(timespec="seconds").replace("+00:00", "Z"),
            commit=git_head(root.resolve()),
            groundwire_version=version("groundwire"),
            config_hash=config_hash(engine.config),
            golden_set_hash=golden.hash if golden else None,
            golden_set_version=golden.version if golden else None,
            sources=sources,
            total_queries=total,
            pass_count=passed,
            fail_count=total - passed,
            left_out=left_out,
        ),
    )


def tune_on(
    engine: Engine,
    data: Path | None,
    *,
    target_error: float | None = None,
    progress: "StageProgress | None" = None,
) -> tuple[Path, TuneReport]:
    """Thresholds by a golden set, over its own corpus where it has one; and which set it was."""
    show = progress or (lambda _doing, _done, _of: None)
    path = data or GOLDEN
    golden = read_golden(path)
    with over_corpus(engine, corpus_of(path), show) as own:
        return path, tune(own, golden, target_error=target_error, progress=_stage(show, "Tuning"))


def calibrate_judge(
    engine: Engine, data: Path, progress: "StageProgress | None" = None
) -> Calibration:
    """The map from p1 to a probability, fitted on the open claims of a file, chosen on the held."""
    show = progress or (lambda _doing, _done, _of: None)
    rows = read_claim_cases(data)
    judged = judge_claims(engine, rows, "claims", _stage(show, "Judging"))
    columns: dict[str, tuple[list[float], list[int]]] = {"open": ([], []), "held": ([], [])}
    for one in judged:
        if isinstance(one.trace["p1"], float):
            columns[one.split][0].append(one.trace["p1"])
            columns[one.split][1].append(int(one.expected["label"] in ("1", "supported")))
    return calibrate(engine.backend.name, *columns["open"], *columns["held"])


def settings_for(data: Path | None, config: Path | None, root: Path = Path()) -> dict[str, Any]:
    """Settings of an engine that is to be measured; test triggers stand in for a slow server."""
    corpus = corpus_beside(data, root)
    file = config or (root / CONFIG if (root / CONFIG).is_file() else None)
    return {
        "evidence.thresholds_file": file,
        "terms.vocabulary": list(corpus.vocabulary) if corpus else None,
        "terms.test_triggers": True,
    }


def corpus_beside(data: Path | None, root: Path = Path()) -> Corpus | None:
    return corpus_of(data or root / GOLDEN)


def _asked(
    engine: Engine, golden: GoldenSet, corpus: Corpus | None, show: "StageProgress"
) -> list[CaseOutcome]:
    with over_corpus(engine, corpus, show) as own:
        return ask_questions(own, golden, _stage(show, "Asking"))


@contextmanager
def over_corpus(
    engine: Engine, corpus: Corpus | None, progress: "StageProgress | None" = None
) -> "Iterator[Engine]":
    """The engine over a golden set's own documents, indexed for the time of the run."""
    if corpus is None or not corpus.documents:
        yield engine
        return
    with TemporaryDirectory() as folder:
        place = {"index": Path(folder) / "index.sqlite"}
        evidence = engine.config.evidence.model_copy(update=place)
        config = engine.config.model_copy(update={"evidence": evidence})
        with Engine(config, embedder=engine.parts.embedder) as own:
            own.index_sync(list(corpus.documents), progress=progress)
            yield own


def config_hash(config: Config) -> str:
    """Of all settings that an answer may depend on, the thresholds of their file included."""
    names = ("evidence", "terms", "answer", "hallucination", "judge", "llm", "diagnosis")
    dumped = config.model_dump(mode="json", include=set(names))
    dumped["thresholds"] = thresholds_of(config.evidence).model_dump(mode="json")
    text = json.dumps(_without_places(dumped), sort_keys=True)
    return sha256(text.encode()).hexdigest()[:12]


def _without_places(tree: Any) -> Any:
    if isinstance(tree, Mapping):
        kept = {name: value for name, value in tree.items() if name not in _PLACES}
        return {name: _without_places(value) for name, value in kept.items()}
    return tree


def _stage(show: "StageProgress", doing: str) -> Callable[[int, int], None]:
    return lambda done, of: show(doing, done, of)


def _suite(
    engine: Engine, name: str, root: Path, show: "StageProgress"
) -> Callable[[], list[CaseOutcome]]:
    return lambda: SUITES[name].run(engine, root, _stage(show, name.capitalize()))


def calibration_text(found: Calibration) -> str:
    return json.dumps(found.model_dump(mode="json"), indent=1) + "\n"


def results_text(results: Results) -> str:
    """The document as it is written: the same bytes for the same results."""
    return json.dumps(results.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n"
