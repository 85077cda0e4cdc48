import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.evidence.make import write_corpus

INDEX = ("index", "--no-embed")


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "docs")


def test_a_corpus_is_built_and_brought_up_to_date(gw: Run, corpus: Path, own_home: Path) -> None:
    done = gw(*INDEX, str(corpus))
    assert done.returncode == 0
    assert "2 adr, 1 policy, 2 principle" in done.stdout
    assert (own_home / "index.sqlite").is_file()
    (corpus / "policies/backup.md").unlink()
    again = json.loads(gw(*INDEX, str(corpus), "--json").stdout)
    assert (again["unchanged"], again["removed"], again["documents"]) == (4, 1, 4)
    assert again["collections"] == {"adr": 2, "principle": 2}


def test_the_index_can_be_elsewhere_and_the_collection_named(
    gw: Run, corpus: Path, tmp_path: Path, own_home: Path
) -> None:
    file = tmp_path / "other" / "my.sqlite"
    shown = json.loads(
        gw(*INDEX, str(corpus), "--index", str(file), "--collection", "hb", "--json").stdout
    )
    assert (shown["index"], shown["collections"]) == (str(file), {"hb": 5})
    assert file.is_file()
    assert not (own_home / "index.sqlite").exists()


def test_refused_files_are_named_and_the_rest_is_indexed(gw: Run, corpus: Path) -> None:
    (corpus / "bad.md").write_bytes(b"\0")
    done = gw(*INDEX, str(corpus), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout)["refused"][0]["path"].endswith("bad.md")
    assert "left out:" in done.stderr
    assert "is binary, not text" in done.stderr


def test_an_empty_corpus_is_bad_input(gw: Run, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = gw("index", str(tmp_path / "empty"))
    assert done.returncode == 2
    assert "No document was found in" in done.stderr
    assert "reads Markdown" in done.stderr


@pytest.mark.parametrize("arguments", [["index"], ["index", "gone"], ["index", "--verify"]])
def test_nothing_to_index_is_bad_input(gw: Run, arguments: list[str]) -> None:
    done = gw(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_verify_passes_when_every_document_is_one_of_its_kind(gw: Run, corpus: Path) -> None:
    done = gw(*INDEX, str(corpus), "--verify")
    assert done.returncode == 0
    assert "Identity holds (5)." in done.stdout
    assert "without a number: 1" in done.stdout


def test_verify_fails_when_two_documents_share_type_and_number(gw: Run, corpus: Path) -> None:
    (corpus / "adr/0001-another.md").write_text((corpus / "adr/0001-use-cim.md").read_text())
    assert gw(*INDEX, str(corpus)).returncode == 0
    done = gw("index", "--verify", "--json")
    assert done.returncode == 1
    identity = json.loads(done.stdout)["identity"]
    assert identity["shared"] == [
        {
            "key": {"doc_type": "adr", "number": 1},
            "doc_ids": ["docs/adr/0001-another.md", "docs/adr/0001-use-cim.md"],
        }
    ]


def test_a_damaged_index_is_named_and_built_again(gw: Run, corpus: Path, own_home: Path) -> None:
    gw(*INDEX, str(corpus))
    (own_home / "index.sqlite").write_bytes(b"damaged" * 5_000)
    done = gw(*INDEX, str(corpus))
    assert done.returncode == 3
    assert "is damaged" in done.stderr
    assert "gw index --rebuild" in done.stderr
    assert gw(*INDEX, str(corpus), "--rebuild").returncode == 0
    assert (own_home / "index.sqlite.old").read_bytes().startswith(b"damaged")
    assert json.loads(gw(*INDEX, str(corpus), "--json").stdout)["unchanged"] == 5


def test_vectors_can_be_switched_off(gw: Run, corpus: Path) -> None:
    done = gw("--set", "evidence.embedder=off", "index", str(corpus), "--json")
    assert json.loads(done.stdout)["embedding"] is None
    assert done.stderr == ""


def test_an_embedding_service_that_is_down_is_not_hidden(gw: Run, corpus: Path) -> None:
    service = ["--set", "evidence.embedder=service", "--set"]
    down = [*service, "evidence.service.url=http://127.0.0.1:9/v1"]
    done = gw(*down, "index", str(corpus), "--json")
    shown = json.loads(done.stdout)
    assert done.returncode == 3
    assert shown["documents"] == shown["embedding"]["pending"] == 5
    assert "cannot be reached" in done.stderr


def test_nothing_is_moved_aside_when_there_is_nothing_to_build_from(
    gw: Run, corpus: Path, own_home: Path
) -> None:
    gw(*INDEX, str(corpus))
    done = gw(*INDEX, "gone", "--rebuild")
    assert done.returncode == 2
    assert "Nothing was changed" in done.stderr
    assert (own_home / "index.sqlite").is_file()
