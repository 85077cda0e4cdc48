"""Facts remembered, recalled, contested, moved between tiers and forgotten."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.engine import Engine
from groundwire.errors import BackendUnavailable, ErrFactNotGrounded, InputError
from groundwire.memory import FactFilter
from tests.memory.make import Told, engine

DAY_S = 86_400.0


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def judge() -> Told:
    return Told()


@pytest.fixture
def memory(tmp_path: Path, judge: Told, clock: Clock) -> Iterator[Engine]:
    with engine(tmp_path / "home", judge, clock) as made:
        yield made


def keep(memory: Engine, content: str, **more: object) -> str:
    outcome = memory.remember_sync(content, f"{content}.", **more)  # type: ignore[arg-type]
    assert outcome.id is not None
    return outcome.id


def test_both_sides_of_a_contradiction_are_kept_and_shown(memory: Engine) -> None:
    """Neither wins: each is contested, names the other, and is verified again without it."""
    old = keep(memory, "Anna can swim")
    new = memory.remember_sync("Anna can never swim", "Anna can never swim.")
    assert (new.status, new.reason) == ("contested", "contradicts_stored")
    assert [one.id for one in new.contradicts] == [old]
    shown = memory.memory.show_sync(old)
    assert shown.status == "contested"
    assert [one.id for one in shown.contradicts] == [new.id]
    assert memory.memory.forget_sync(str(new.id))
    assert memory.memory.show_sync(old).status == "verified"


@pytest.mark.parametrize(
    ("older", "newer"),
    [
        ("Anna can swim", "Anna can never swim"),
        ("The bus stops here", "The bus never stops here"),
        ("Ivo may park in the yard", "Ivo may never park in the yard"),
        ("The gate closes at noon", "The gate never closes at noon"),
        ("The shop sells bread", "The shop never sells bread"),
    ],
)
def test_the_newer_side_of_a_contradiction_stands_alone_once_the_older_is_forgotten(
    memory: Engine, older: str, newer: str
) -> None:
    """Its reason is again that of its own verdict, shown and recalled."""
    usual = memory.memory.show_sync(keep(memory, "The pump is red")).reason
    old, new = keep(memory, older), keep(memory, newer)
    assert memory.memory.show_sync(new).reason == "contradicts_stored"
    memory.memory.forget_sync(old)
    shown = memory.memory.show_sync(new)
    assert (shown.status, shown.reason) == ("verified", usual)
    assert [one.reason for one in memory.recall_sync(newer, limit=1).facts] == [usual]


def test_a_fact_whose_file_changed_is_verified_again(memory: Engine, tmp_path: Path) -> None:
    """Recalled, it is unverified at once; the next round reads the file as it is now."""
    note = tmp_path / "note.md"
    note.write_text("The pump is red.")
    kept = memory.remember_sync("The pump is red", note)
    note.write_text("The pump is red. It was painted.")
    (fact,) = memory.recall_sync("pump").facts
    assert (fact.status, fact.reason, fact.tier, fact.queued) == (
        "unverified",
        "source_changed",
        "task",
        True,
    )
    assert memory.verify_queued_sync().promoted == 1
    again = memory.memory.show_sync(str(kept.id))
    assert (again.status, again.tier) == ("verified", "longterm")
    note.write_text("The pump is blue.")
    assert memory.verify_queued_sync().evicted == 1
    assert memory.recall_sync("pump").facts == ()


def test_a_fact_whose_file_is_gone_stays_unverified(memory: Engine, tmp_path: Path) -> None:
    """Nothing to read is no refutation."""
    note = tmp_path / "note.md"
    note.write_text("The pump is red.")
    kept = memory.remember_sync("The pump is red", note)
    note.unlink()
    report = memory.verify_queued_sync()
    assert (report.promoted, report.evicted) == (0, 0)
    shown = memory.memory.show_sync(str(kept.id))
    assert (shown.status, shown.reason) == ("unverified", "source_missing")


def test_without_evidence_a_fact_waits_for_some(memory: Engine) -> None:
    """It is kept, unverified, and not asked about again; with evidence it is verified."""
    outcome = memory.remember_sync("The pump is red")
    assert (outcome.status, outcome.reason, outcome.queued) == ("unverified", "no_evidence", False)
    assert keep(memory, "The pump is red") == outcome.id
    assert memory.memory.show_sync(str(outcome.id)).status == "verified"


def test_what_is_verified_stays_so_when_the_judge_is_down(memory: Engine, judge: Told) -> None:
    """Saying a verified fact again, unheard, takes nothing from it."""
    kept = keep(memory, "The pump is red")
    judge.fails = BackendUnavailable("down")
    again = memory.remember_sync("The pump is red", "Some note.")
    assert (again.id, again.status, again.tier) == (kept, "verified", "longterm")


def test_recall_strengthens_and_time_weakens(memory: Engine, clock: Clock) -> None:
    """Two recalls make a session's fact long-term; four half-lives of silence archive it."""
    kept = keep(memory, "The pump is red", tier="session")
    assert memory.memory.show_sync(kept).tier == "session"
    memory.recall_sync("pump")
    assert memory.memory.show_sync(kept).tier == "longterm"
    clock.now += 300 * DAY_S
    memory.verify_queued_sync()
    assert memory.recall_sync("pump").facts == ()
    (archived,) = memory.recall_sync("pump", FactFilter(tiers=("archive",))).facts
    assert archived.id == kept
    assert [one.tier for one in memory.recall_sync("pump").facts] == ["longterm"]


def test_recall_is_filtered(memory: Engine, judge: Told, clock: Clock) -> None:
    """By kind, status, session, time and tier; the rest is as if it were not there."""
    fact = keep(memory, "The red pump hums", session="a")
    clock.now += DAY_S
    decision = keep(memory, "The red pump was chosen", kind="decision")
    judge.fails = BackendUnavailable("down")
    waiting = keep(memory, "The red pump leaks")

    def found(**wanted: object) -> set[str]:
        chosen = FactFilter.model_validate(wanted)
        return {one.id for one in memory.recall_sync("red pump", chosen).facts}

    assert found() == {fact, decision, waiting}
    assert found(kinds=["decision"]) == {decision}
    assert found(statuses=["unverified"]) == {waiting}
    assert found(session="a") == {fact}
    assert found(since=clock.now - DAY_S / 2) == {decision, waiting}
    assert found(until=clock.now - DAY_S / 2) == {fact}
    assert found(tiers=["task"]) == {waiting}


def test_a_snippet_is_kept_word_for_word_or_not_at_all(memory: Engine, judge: Told) -> None:
    """No judge is asked about a quote: it stands in its source, or it does not."""
    outcome = memory.remember_sync("x = f(1)", "y = 2\nx = f(1)\n", kind="snippet")
    assert (outcome.status, judge.asked) == ("verified", 0)
    with pytest.raises(ErrFactNotGrounded):
        memory.remember_sync("x = f(2)", "y = 2\nx = f(1)\n", kind="snippet")


def test_facts_hang_together_by_roles(memory: Engine) -> None:
    """What a fact is about is an entity of its own; any nodes may be joined."""
    red = keep(memory, "The pump is red", about=["Pump 3"])
    loud = keep(memory, "The pump is loud", about=["pump 3"])
    memory.memory.relate_sync("explains", [("cause", red), ("effect", loud)])
    links = memory.memory.show_sync(red).links
    assert {one.relation for one in links} == {"about", "explains"}
    entities = [dict(one.members)["entity"] for one in links if one.relation == "about"]
    assert entities == [
        dict(one.members)["entity"]
        for one in memory.memory.show_sync(loud).links
        if one.relation == "about"
    ]
    with pytest.raises(InputError, match="no fact"):
        memory.memory.relate_sync("explains", [("cause", red), ("effect", "fact-0")])


def test_an_export_is_verified_again_where_it_is_imported(memory: Engine, tmp_path: Path) -> None:
    """A file that calls its facts verified is not believed, unless the user trusts it."""
    kept = keep(memory, "The pump is red", about=["Pump 3"])
    file = tmp_path / "memory.jsonl"
    assert memory.memory.export_sync(file) == 1
    with engine(tmp_path / "other") as other:
        assert other.memory.import_from_sync(file) == 1
        assert other.memory.show_sync(kept).status == "unverified"
        assert other.verify_queued_sync().promoted == 1
        shown = other.memory.show_sync(kept)
        assert (shown.status, shown.tier, len(shown.links)) == ("verified", "longterm", 1)
    with engine(tmp_path / "third") as third:
        third.memory.import_from_sync(file, trust=True)
        assert third.memory.show_sync(kept).status == "verified"


@pytest.mark.parametrize("name", ["memory.json", "memory.bak", "memory.csv", "memory", "m.html"])
def test_an_export_is_read_whatever_its_file_is_called(
    memory: Engine, tmp_path: Path, name: str
) -> None:
    """What was written under a name is taken over from it."""
    keep(memory, "The pump is red")
    keep(memory, "The pump is loud")
    assert memory.memory.export_sync(tmp_path / name) == 2
    with engine(tmp_path / "other") as other:
        assert other.memory.import_from_sync(tmp_path / name) == 2


@pytest.mark.parametrize("text", ['{"x": 1}', "[]", "not json", "The pump is red."])
def test_what_is_no_export_is_called_so(memory: Engine, tmp_path: Path, text: str) -> None:
    """And not by what a reader of something else stumbled over."""
    file = tmp_path / "memory.json"
    file.write_text(text)
    with pytest.raises(InputError, match="it is no export"):
        memory.memory.import_from_sync(file)


def test_a_damaged_export_changes_nothing(memory: Engine, tmp_path: Path) -> None:
    """The line is named, and none of the file is taken over."""
    keep(memory, "The pump is red")
    file = tmp_path / "memory.jsonl"
    memory.memory.export_sync(file)
    whole = file.read_text()
    damages = ('{"node": {"id": 1}}', "{}", "3", "null", '"node"', "[", "[" * 100_000)
    with engine(tmp_path / "other") as other:
        for damage in damages:
            file.write_text(f"{whole}{damage}\n")
            with pytest.raises(InputError, match=r"memory\.jsonl:3 cannot be imported"):
                other.memory.import_from_sync(file)
        assert other.recall_sync("pump").facts == ()


def test_forgetting_a_source_forgets_what_rests_on_it(memory: Engine) -> None:
    """And the text of the source with it."""
    memory.remember_sync("The pump is red", {"letter": "The pump is red."})
    kept = keep(memory, "The pump is loud")
    assert memory.memory.forget_source_sync("letter") == 1
    assert [one.id for one in memory.recall_sync("pump").facts] == [kept]
    texts = memory.memory._store.read("SELECT doc_id FROM source")
    assert [row["doc_id"] for row in texts] == ["evidence"]


def test_forgetting_a_source_forgets_what_was_refused_by_it(memory: Engine) -> None:
    """The log of refused facts quotes their evidence."""
    with pytest.raises(ErrFactNotGrounded):
        memory.remember_sync("The pump has 4 kW", {"letter": "The pump has 7 kW."})
    with pytest.raises(ErrFactNotGrounded):
        memory.remember_sync("The pump has 5 kW", {"note": "The pump has 7 kW."})
    assert memory.memory.forget_source_sync("letter") == 1
    assert [one.content for one in memory.memory.rejected_sync().facts] == ["The pump has 5 kW"]


def test_a_refused_fact_is_forgotten_and_that_is_said(memory: Engine) -> None:
    """It stood in the log alone, and it was there."""
    with pytest.raises(ErrFactNotGrounded):
        memory.remember_sync("The pump has 4 kW", {"letter": "The pump has 7 kW."})
    (refused,) = memory.memory.rejected_sync().facts
    assert memory.memory.forget_sync(refused.id)
    assert not memory.memory.forget_sync(refused.id)
    assert memory.memory.rejected_sync().facts == ()


def test_facts_are_found_without_vectors_and_that_is_said(tmp_path: Path) -> None:
    """An embedder that fails costs the meaning, not the words."""

    class Broken:
        name, dimension = "broken", 64

        def embed(self, texts: object) -> object:
            raise BackendUnavailable("down")

    with engine(tmp_path) as memory:
        memory.parts.__dict__["embedder"] = Broken()
        keep(memory, "The pump is red")
        found = memory.recall_sync("red pump")
        assert [one.content for one in found.facts] == ["The pump is red"]
        assert found.fallbacks == ("bm25_only",)


@pytest.mark.parametrize(
    ("content", "more"),
    [
        ("", {}),
        ("The pump is red", {"confidence": 1.5}),
        ("The pump is red", {"kind": "entity"}),
        ("The pump is red", {"tier": "archive"}),
        ("The pump is \ud800 red", {}),
    ],
    ids=["empty", "no probability", "kind", "tier", "half a character"],
)
def test_what_cannot_be_a_fact_is_refused_as_input(
    memory: Engine, content: str, more: dict[str, object]
) -> None:
    """Nothing of it is stored or logged."""
    with pytest.raises(InputError):
        keep(memory, content, **more)
    assert memory.memory.counts_sync().facts == {}
    assert memory.memory.rejected_sync().facts == ()


def test_the_source_of_an_import_is_the_text_that_came_along(
    memory: Engine, tmp_path: Path
) -> None:
    """A path of another machine is not looked for here, and its absence doubts nothing."""
    note = tmp_path / "note.md"
    note.write_text("The pump is red.")
    kept = memory.remember_sync("The pump is red", note)
    memory.memory.export_sync(tmp_path / "memory.jsonl")
    note.unlink()
    with engine(tmp_path / "other") as other:
        other.memory.import_from_sync(tmp_path / "memory.jsonl")
        assert other.verify_queued_sync().promoted == 1
        (fact,) = other.recall_sync("pump").facts
        assert (fact.id, fact.status) == (kept.id, "verified")


def test_a_verified_fact_is_not_believed_before_it_was_compared(
    memory: Engine, judge: Told, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A search for contradictions that fails is a check that failed."""
    keep(memory, "The pump is red")

    def broken(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(memory.memory._searcher, "neighbours", broken)
    outcome = memory.remember_sync("The pump is loud", "The pump is loud.")
    assert (outcome.status, outcome.reason, outcome.queued) == ("unverified", "backend_error", True)
    monkeypatch.undo()
    assert memory.verify_queued_sync().promoted == 1
