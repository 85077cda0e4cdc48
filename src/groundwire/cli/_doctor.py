"""`gw doctor`: every part that is configured is tried."""

import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Literal

import typer

from groundwire._patterns import lazy_pattern
from groundwire.cli._output import console, print_json
from groundwire.cli._shared import JsonFlag, load_settings

if TYPE_CHECKING:
    from groundwire.config import Config
    from groundwire.model import GateHealth

State = Literal["ok", "absent", "idle", "broken"]

_MARKS: dict[State, tuple[str, str]] = {
    "ok": ("✓", "green"),
    "absent": ("–", "dim"),
    "idle": ("!", "yellow"),
    "broken": ("✗", "bold red"),
}
# such as "openai>=3; extra == 'gguf'"
_REQUIREMENT = lazy_pattern(
    r"(?P<name>[\w.-]+)\s*(?:>=\s*(?P<least>[\d.]+))?[^;]*(?:;.*extra == ['\"](?P<extra>[\w-]+))?"
)


@dataclass(frozen=True)
class Finding:
    """`absent` is what is optional and not there; `broken` is what is asked for and fails; `idle`
    is a gate that is switched on and has never run.
    """

    part: str
    state: State
    detail: str


def doctor(context: typer.Context, as_json: JsonFlag = False) -> None:
    """Try every part that is configured, and say what is wrong and what to do."""
    config = load_settings(context).config
    findings = [finding for examine in _EXAMINATIONS for finding in _safely(examine, config)]
    if as_json:
        print_json(
            {
                "healthy": all(one.state != "broken" for one in findings),
                "findings": [asdict(one) for one in findings],
                "gates": [one.model_dump(mode="json") for one in _gate_health(config)],
            }
        )
    else:
        _print(findings)
    raise typer.Exit(int(any(one.state == "broken" for one in findings)))


Examination = Callable[["Config"], Iterator[Finding]]


def _safely(examine: Examination, config: "Config") -> Iterator[Finding]:
    from groundwire.errors import GroundwireError

    part = examine.__name__.strip("_").replace("_", " ")
    try:
        yield from examine(config)
    except GroundwireError as error:
        yield Finding(part, "broken", str(error))


def _python(_: "Config") -> Iterator[Finding]:
    from importlib.metadata import version

    running = ".".join(map(str, sys.version_info[:3]))
    yield Finding("python", "ok", f"{running}, groundwire {version('groundwire')}")


def _home(config: "Config") -> Iterator[Finding]:
    from groundwire.observe import MetricsStore

    home = config.home.expanduser()
    MetricsStore(home / "metrics.sqlite").close()
    yield Finding("home", "ok", f"{home} can be written")


def _gates(config: "Config") -> Iterator[Finding]:
    """Each gate as it has fared over all commands that used this home directory."""
    for health in _gate_health(config):
        state: State = "idle" if health.never_ran else "ok" if health.enabled else "absent"
        yield Finding(f"gate {health.gate}", state, _told(health))


def _gate_health(config: "Config") -> "tuple[GateHealth, ...]":
    from groundwire.errors import StoreError
    from groundwire.gate import gate_health
    from groundwire.observe import MetricsStore

    try:
        store = MetricsStore(config.home.expanduser() / "metrics.sqlite")
    except StoreError:  # `home` is then found to be broken
        return ()
    with store:
        return gate_health(config, store.totals())


def _told(health: "GateHealth") -> str:
    if health.never_ran:
        return f"enabled and never ran; skips: {health.skips}"
    if not health.enabled:
        off = "off inside other operations" if health.gate == "memory" else "switched off"
        return f"{off}; on failure: {health.on_failure}; runs: {health.runs}, skips: {health.skips}"
    effects = health.model_dump(include={"passed", "degraded", "queued", "abstained", "blocked"})
    counts = ", ".join(f"{count} {effect}" for effect, count in effects.items() if count)
    shares = f"errors {health.error_share:.1%}, skips {health.skip_share:.1%}"
    return f"on failure: {health.on_failure}; runs: {health.runs} ({counts}); {shares}"


def _embedded_judge(config: "Config") -> Iterator[Finding]:
    """Judges a claim that holds and one that does not: weights that load may still be wrong."""
    from groundwire.engine import Engine
    from groundwire.judge import Estimate, Question

    context = "The pumping station has three pumps. It was built in 1974."
    claims = ("The pumping station was built in 1974.", "The pumping station was built in 1991.")
    with Engine(_judged_by_embedded(config, depth="fast")) as engine:
        backend = engine.backend
        questions = [Question(claim=claim, context=context) for claim in claims]
        answers = engine.loop.submit(backend.estimate(questions)).result()
    p = [answer.p if isinstance(answer, Estimate) else None for answer in answers]
    held = p[0] is not None and p[1] is not None and p[0] >= backend.threshold > p[1]
    shown = f"a true claim got {p[0]:.2f}, a false one {p[1]:.2f}"
    yield Finding("embedded judge", "ok" if held else "broken", shown)


def _judged_by_embedded(config: "Config", *, depth: str) -> "Config":
    backend = config.hallucination.backend.model_copy(update={"type": "embedded"})
    hallucination = config.hallucination.model_copy(update={"backend": backend})
    judge = config.judge.model_copy(update={"depth": depth})
    return config.model_copy(update={"hallucination": hallucination, "judge": judge})


def _deep_judge(config: "Config") -> Iterator[Finding]:
    from groundwire.engine import Engine
    from groundwire.judge import deep_gain, has_deep_model

    if config.judge.depth == "fast":
        lacking = [] if has_deep_model(config) else ["gw deep-model install"]
        if find_spec("xllamacpp") is None:
            lacking.append('pip install "groundwire[gguf]"')
        how = (
            f"to have it: {', '.join(lacking)}"
            if lacking
            else "it is there: --set judge.depth=cascade"
        )
        detail = f"judge.depth is fast; cascade has {deep_gain()}; {how}"
        yield Finding("deep judge", "absent", detail)
        return
    with Engine(_judged_by_embedded(config, depth=config.judge.depth)) as engine:
        _ = engine.backend  # made, but not asked: its model takes long to load
    yield Finding("deep judge", "ok", f"judge.depth is {config.judge.depth}; its model is there")


def _language_model(config: "Config") -> Iterator[Finding]:
    from groundwire.engine import Engine
    from groundwire.llm import probe

    if config.llm.model is None:
        yield Finding("language model", "absent", "llm.model is not set; none is needed")
        return
    with Engine(config) as engine:
        found = engine.loop.submit(probe(engine.parts.clients.configured())).result()
    detail = (
        f"{found.provider} {found.model}: log probabilities {found.logprobs}, "
        f"schema {found.native_schema}, probabilities by {found.estimation}"
    )
    if found.problem:
        detail = f"{detail}. {found.problem}"
    yield Finding("language model", "ok" if found.answers == "yes" else "broken", detail)


def _kept_judgements(config: "Config") -> Iterator[Finding]:
    from groundwire.engine import Engine

    with Engine(config) as engine:
        kept = engine.parts.kept_judgements
        if kept is None or not kept.path.exists():
            yield Finding("kept judgements", "absent", "none yet" if kept else "none are kept")
            return
        size_mb = kept.path.stat().st_size / 1_000_000
        most_mb = config.hallucination.cache_disk_mb
        detail = f"{kept.count():,} in {size_mb:.1f} of {most_mb} MB at {kept.path}"
    yield Finding("kept judgements", "ok", detail)


def _memory(config: "Config") -> Iterator[Finding]:
    from groundwire.engine import Engine

    with Engine(config) as engine:
        path = engine.memory.path
        if not path.exists():
            yield Finding("memory", "absent", "nothing was remembered; gw memory add TEXT does")
            return
        counts = engine.memory.counts_sync()
    tiers = ", ".join(f"{count} {tier}" for tier, count in counts.facts.items()) or "no facts"
    detail = f"{tiers}; {counts.unverified} unverified, {counts.contested} contested"
    yield Finding("memory", "ok", f"{detail}, {counts.rejected} refused, in {path}")


def _index(config: "Config") -> Iterator[Finding]:
    from groundwire.engine import Engine

    with Engine(config) as engine:
        path = engine.index_path
        if not path.exists():
            yield Finding("index", "absent", f"there is none at {path}; gw index PATH makes one")
            return
        documents = engine.verify_identity_sync().documents
        yield Finding("index", "ok", f"{documents} documents in {path}")


def _vocabulary(config: "Config") -> Iterator[Finding]:
    from groundwire.engine import Engine

    with Engine(config) as engine:
        local = engine.vocabularies_sync()
        for problem in local.problems:
            yield Finding("vocabulary file", "broken", problem)
        if local.files:
            concepts = sum(one.concepts for one in local.files)
            counted = f"SKOS files: {len(local.files)}, concepts: {concepts:,}"
            yield Finding("vocabulary", "ok", counted)
        server = config.terms.skosmos.base_url
        if server is not None and "skosmos" in config.terms.sources:
            outcome = engine.term_sync("groundwire doctor").outcome
            state: State = "broken" if outcome in ("timeout", "error") else "ok"
            answered = f"{server}, asked for a term it cannot know: {outcome}"
            yield Finding("vocabulary server", state, answered)
        elif not local.files and not local.problems:
            missing = "no SKOS file and no Skosmos server is set; gw vocabulary add FILE keeps one"
            yield Finding("vocabulary", "absent", missing)


def _added_parts(_: "Config") -> Iterator[Finding]:
    """Judges, readers, trace formats and providers of other packages, each of them loaded."""
    from groundwire.evidence import READERS
    from groundwire.judge import JUDGES
    from groundwire.llm import PROVIDERS
    from groundwire.traces import TRACES

    for registry in (JUDGES, READERS, TRACES, PROVIDERS):
        problems = registry.problems()
        for name in registry.claimed_names():
            state: State = "broken" if name in problems else "ok"
            yield Finding(f"{registry.kind} {name}", state, problems.get(name, "can be used"))


def _optional_parts(_: "Config") -> Iterator[Finding]:
    """By what the installed package says it needs: an extra is there when all of it is."""
    from importlib.metadata import requires

    lacking: dict[str, list[str]] = {}
    for line in requires("groundwire") or []:
        needed = _REQUIREMENT.match(line)
        if needed is not None:
            names = lacking.setdefault(needed["extra"] or "", [])
            names += _lacking(needed["name"], needed["least"] or "0")
    core = lacking.pop("", [])
    detail = f"{', '.join(core)}; pip install --force-reinstall groundwire" if core else "all there"
    yield Finding("core packages", "broken" if core else "ok", detail)
    for extra, names in lacking.items():
        detail = f'without {", ".join(names)}; pip install "groundwire[{extra}]" adds it'
        installed = Finding(f"extra {extra}", "ok", "installed")
        yield Finding(f"extra {extra}", "absent", detail) if names else installed


def _lacking(package: str, least: str) -> list[str]:
    """The package, where it is not installed or too old."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = version(package)
    except PackageNotFoundError:
        return [package]
    return [f"{package} {found}"] if _numbers(found) < _numbers(least) else []


def _numbers(version: str) -> list[int]:
    return [int(part) for part in re.findall(r"\d+", version)]  # "1.22.0" is 1, 22, 0


_EXAMINATIONS: tuple[Examination, ...] = (
    _python,
    _home,
    _gates,
    _embedded_judge,
    _deep_judge,
    _language_model,
    _kept_judgements,
    _memory,
    _index,
    _vocabulary,
    _added_parts,
    _optional_parts,
)


def _print(findings: list[Finding]) -> None:
    from rich.text import Text

    out = console()
    for finding in findings:
        mark, style = _MARKS[finding.state]
        out.print(Text.assemble((mark, style), f" {finding.part:<26} {finding.detail}"))
