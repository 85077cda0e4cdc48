"""Questions asked of the examples: what is right, and why something is not."""

import json
from pathlib import Path
from typing import Any

import pytest

from groundwire.config import load_config
from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.evaluate import CaseOutcome, ask_questions, read_golden, starter_set

VOCABULARY = Path(__file__).parents[2] / "examples" / "vocabulary" / "halden-grid.ttl"


@pytest.fixture
def engine(halden_index: Path, own_home: Path) -> Engine:
    settings = {"evidence.index": halden_index, "terms.vocabulary": [VOCABULARY]}
    return Engine(load_config(overrides=settings).config)


def asked(engine: Engine, folder: Path, query: str, **expected: Any) -> CaseOutcome:
    without = expected.pop("without", [])
    line = {"id": "q", "query": query, "expected": expected, "without": without}
    path = folder / "golden.jsonl"
    path.write_text(json.dumps(line))
    with engine:
        [found] = ask_questions(engine, read_golden(path))
    return found


def test_a_document_is_known_by_its_label_or_its_path(engine: Engine, tmp_path: Path) -> None:
    """As people write it (ADR-0012, ADR.12), and as the index has it."""
    for name in ("ADR.12", "adr-0012", "0012-use-cim-as-the-common-data-model.md"):
        found = asked(engine, tmp_path, "What does ADR-0012 decide?", doc_ids=[name])
        assert found.passed, found.reason
        assert found.cited == (name,)


@pytest.mark.parametrize(
    ("expected", "reason"),
    [
        ({"abstain": True}, "answered"),
        ({"doc_ids": ["PCP.12"]}, "wrong_document"),
        ({"doc_ids": ["ADR.12", "ADR.13"], "match": "all"}, "wrong_document"),
        ({"doc_types": ["policy"]}, "wrong_collection"),
        ({"route": "skosmos"}, "wrong_route"),
        ({"source": "SKOSMOS"}, "wrong_source"),
        ({"contains": ["blockchain"]}, "missing_words"),
        ({"contains": ["COMMON  data\nmodel"], "doc_ids": ["ADR.12", "ADR.13"]}, None),
    ],
)
def test_a_failure_says_in_a_word_what_is_wrong(
    engine: Engine, tmp_path: Path, expected: dict[str, Any], reason: str | None
) -> None:
    """The first thing that does not hold is named."""
    found = asked(engine, tmp_path, "What does ADR-0012 decide?", **expected)
    assert (found.reason, found.passed) == (reason, reason is None)
    assert (found.given, found.right) == (True, reason is None)


def test_a_definition_of_another_term_counts_as_invented(engine: Engine, tmp_path: Path) -> None:
    """Only in questions for terms: there the vocabulary alone may speak [S3 Gap A]."""
    path = tmp_path / "term.jsonl"
    rows = [
        {"id": "a", "query": "What is CIMXML?", "expected": {"doc_ids": ["cimxml"]}},
        {"id": "b", "query": "What is CIMXML?", "expected": {"doc_ids": ["saidi"]}},
    ]
    path.write_text("\n".join(json.dumps(row | {"category": "terminology_hit"}) for row in rows))
    with engine:
        right, wrong = ask_questions(engine, read_golden(path))
    assert (right.invented_term, wrong.invented_term) == (False, True)


def test_a_question_can_be_asked_without_a_document(engine: Engine, tmp_path: Path) -> None:
    """It is taken out of a copy: the index itself stays whole."""
    question = "What does ADR-0030 decide?"
    gone = asked(engine, tmp_path, question, without=["ADR.30"], abstain=True)
    assert (gone.passed, gone.abstained_for) == (True, "entity_not_found")
    assert asked(engine, tmp_path, question, doc_ids=["ADR.30"]).passed


def test_a_document_that_is_not_there_cannot_be_left_out(engine: Engine, tmp_path: Path) -> None:
    """A slip of the pen would otherwise pass as an abstention."""
    with pytest.raises(InputError, match="to leave out"):
        asked(engine, tmp_path, "What does ADR-0030 decide?", without=["ADR.99"], abstain=True)


@pytest.mark.usefixtures("own_home")
def test_nothing_can_be_left_out_where_nothing_is_indexed(tmp_path: Path) -> None:
    engine = Engine(load_config(overrides={"evidence.index": tmp_path / "no.sqlite"}).config)
    with pytest.raises(InputError, match="There is no index at"):
        asked(engine, tmp_path, "What does ADR-0030 decide?", without=["ADR.99"], abstain=True)


def test_a_starter_set_asks_for_what_an_index_holds(engine: Engine) -> None:
    """Numbers, headings, terms, and documents left out; a third is held; always the same."""
    with engine:
        found = starter_set(engine, 24)
        again = starter_set(engine, 24)
    assert found == again
    assert len({one.id for one in found}) == len(found) == 24
    assert {"terminology_hit", "semantic_search", "not_answered"} <= {one.category for one in found}
    assert sum(one.split == "held" for one in found) == 8
    assert all(bool(one.without) == one.expected.abstain for one in found)
    assert all("unreviewed" in one.tags and one.why for one in found)


def test_a_starter_set_needs_an_index(tmp_path: Path) -> None:
    """And says how to build one."""
    with Engine() as engine, pytest.raises(InputError, match="gw index PATH"):
        starter_set(engine, 10)
