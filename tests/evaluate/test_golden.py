import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

from groundwire.errors import InputError
from groundwire.evaluate import blob_hash, corpus_of, read_claim_cases, read_golden, write_lines

LINE: dict[str, Any] = {
    "id": "GS-001",
    "query": "What is CIMXML?",
    "category": "terminology_hit",
    "expected": {
        "route": "skosmos",
        "abstain": False,
        "doc_types": ["Vocabulary"],
        "doc_ids": ["vocab-cimxml"],
        "source": "SKOSMOS",
    },
    "tags": ["skosmos", "positive"],
}
"""The specification's own example."""


def written(folder: Path, *lines: dict[str, Any] | str, name: str = "golden.jsonl") -> Path:
    path = folder / name
    texts = [line if isinstance(line, str) else json.dumps(line) for line in lines]
    path.write_text("\n".join(texts) + "\n", encoding="utf-8")
    return path


def test_the_specifications_line_is_read(tmp_path: Path) -> None:
    """A golden set as S3 writes it needs no change [S3 Gap B]."""
    golden = read_golden(written(tmp_path, LINE))
    [query] = golden.queries
    assert (query.expected.outcome, query.expected.doc_ids) == ("ANSWER", ("vocab-cimxml",))


def test_the_version_of_a_set_is_the_highest_of_its_lines(tmp_path: Path) -> None:
    """Versions are compared by number: 1.10.0 comes after 1.9.0."""
    lines = [LINE | {"id": name, "version": name} for name in ("1.9.0", "1.10.0", "1.2.3")]
    assert read_golden(written(tmp_path, *lines)).version == "v1.10.0"


def test_the_hash_of_a_set_is_gits(tmp_path: Path) -> None:
    """Whoever has the repository finds the very file by it."""
    path = written(tmp_path, LINE)
    git = subprocess.run(["git", "hash-object", path], capture_output=True, text=True, check=True)
    assert read_golden(path).hash == git.stdout.strip() == blob_hash(path.read_bytes())


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        (LINE | {"expected": {"abstain": "perhaps"}}, "line 3, field expected.abstain"),
        (LINE | {"expcted": {}}, "line 3, field expcted"),
        ({"id": "x"}, "line 3, field query"),
        (LINE | {"id": "GS-002", "version": "one"}, "line 3, field version"),
        (LINE | {"id": "GS-000"}, "line 3, field id: 'GS-000' was used before"),
        (LINE | {"expected": {"mode": "ABSTAIN"}}, "contradict each other"),
        ("{not json", "line 3, is no JSON"),
        ("[" * 100_000, "line 3, is no JSON"),
        ("[1, 2]", "line 3, is no JSON object"),
    ],
)
def test_a_bad_line_is_named_with_its_field(
    tmp_path: Path, bad: dict[str, Any] | str, said: str
) -> None:
    """And nothing of the file is used."""
    path = written(tmp_path, LINE | {"id": "GS-000"}, LINE, bad)
    with pytest.raises(InputError, match=said):
        read_golden(path)


def test_a_table_holds_questions_too(tmp_path: Path) -> None:
    """Columns of `expected` stand beside the others; lists are divided by semicolons."""
    path = written(
        tmp_path,
        "id,query,category,abstain,doc_ids,contains",
        'T1,"What, then?",semantic_search,,ADR.1; ADR.2,yes',
        "T2,Who knows?,not_answered,true,,",
        name="golden.csv",
    )
    first, second = read_golden(path).queries
    assert (first.query, first.expected.doc_ids) == ("What, then?", ("ADR.1", "ADR.2"))
    assert second.expected.outcome == "ABSTAIN"


def test_a_table_with_too_many_cells_is_refused(tmp_path: Path) -> None:
    """A comma that was not quoted must not shift what follows."""
    path = written(tmp_path, "id,query", "T1,What, then?", name="golden.csv")
    with pytest.raises(InputError, match=r"line 2, has more cells"):
        read_golden(path)


def test_claims_come_from_lines_and_tables(tmp_path: Path) -> None:
    """Labels are numbers or words; a label that is neither is named."""
    table = written(tmp_path, "claim,evidence,label", "A is B.,A is B.,1", name="claims.csv")
    lines = written(tmp_path, {"claim": "A", "evidence": "B", "label": "refuted"})
    assert [one.label for one in (*read_claim_cases(table), *read_claim_cases(lines))] == [
        "1",
        "refuted",
    ]
    bad = written(tmp_path, {"claim": "A", "evidence": "B", "label": "maybe"})
    with pytest.raises(InputError, match=r"line 1, field label"):
        read_claim_cases(bad)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    """A set that was written by us is the same set."""
    golden = read_golden(written(tmp_path, LINE))
    (tmp_path / "again.jsonl").write_text(write_lines(golden.queries), encoding="utf-8")
    assert read_golden(tmp_path / "again.jsonl").queries == golden.queries


def test_a_corpus_stands_beside_its_golden_set(tmp_path: Path) -> None:
    """Paths are taken from its own file; without it there is none; a wrong one is refused."""
    golden = written(tmp_path, LINE)
    assert corpus_of(golden) is None
    (tmp_path / "corpus.yaml").write_text("documents: [docs]\n")
    corpus = corpus_of(golden)
    assert corpus is not None
    assert corpus.documents == (tmp_path / "docs",)
    for wrong in (b"files: [docs]\n", b"documents: {", b"\xff\xfe\x00", b"[" * 20_000, b"- one"):
        (tmp_path / "corpus.yaml").write_bytes(wrong)
        with pytest.raises(InputError, match="no description of a corpus"):
            corpus_of(golden)
