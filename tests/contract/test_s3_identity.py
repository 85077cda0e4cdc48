"""S3's `verify_doc_identity`, the third of its Phase 4 invariants: `gw index --verify`."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run, gw_here
from tests.evidence.make import write_corpus

__all__ = ["gw_here"]


@pytest.fixture
def corpus(tmp_path: Path, gw_here: Run) -> Path:
    folder = write_corpus(tmp_path / "docs")
    assert gw_here("index", "--no-embed", str(folder)).returncode == 0
    return folder


def verified(gw: Run, *paths: Path) -> tuple[int, dict[str, object]]:
    done = gw("index", "--no-embed", *map(str, paths), "--verify", "--json")
    identity: dict[str, object] = json.loads(done.stdout)["identity"]
    return done.returncode, identity


def test_verify_doc_identity_holds_where_types_are_set_and_keys_are_single(
    gw_here: Run, corpus: Path
) -> None:
    """[S3 verify_doc_identity] Overlapping numbers of two types are no conflict."""
    code, identity = verified(gw_here)
    assert (code, identity["holds"]) == (0, True)
    assert (identity["untyped"], identity["shared"]) == ([], [])


def test_verify_doc_identity_fails_where_a_type_is_not_set(gw_here: Run, corpus: Path) -> None:
    """[S3 verify_doc_identity] A document of no known type is named, and the exit code is 1."""
    (corpus / "minutes.md").write_text("# Minutes of May\n\nThe board met.\n")
    code, identity = verified(gw_here, corpus)
    assert (code, identity["holds"]) == (1, False)
    assert identity["untyped"] == ["docs/minutes.md"]


def test_verify_doc_identity_fails_where_two_documents_are_the_same_one(
    gw_here: Run, corpus: Path
) -> None:
    """[S3 verify_doc_identity] Two records with one type and number are both named."""
    (corpus / "adr/0001-again.md").write_text((corpus / "adr/0001-use-cim.md").read_text())
    code, identity = verified(gw_here, corpus)
    assert (code, identity["holds"]) == (1, False)
    assert identity["shared"] == [
        {
            "key": {"doc_type": "adr", "number": 1},
            "doc_ids": ["docs/adr/0001-again.md", "docs/adr/0001-use-cim.md"],
        }
    ]
