import multiprocessing
import sqlite3
import time
from contextlib import closing
from pathlib import Path

import pytest

from groundwire.config import EvidenceSection
from groundwire.errors import EmbeddingFailed, StoreCorrupt, StoreError, UnreadableSource
from groundwire.evidence import Index, Indexer, IndexReport, embed_pending, verify_identity
from groundwire.evidence._candidates import Vectors
from groundwire.evidence._tables import MIGRATIONS
from groundwire.model import DocumentKey
from groundwire.store import Database
from groundwire.testing import HashingEmbedder
from tests.evidence.make import LIMITS, SETTINGS, body, write_corpus


def update(
    index: Index, *roots: Path, settings: EvidenceSection = SETTINGS, collection: str | None = None
) -> IndexReport:
    return Indexer(index, settings, LIMITS, collection=collection).run(roots)


def test_only_what_changed_is_read_again(corpus: Path, index: Index) -> None:
    first = update(index, corpus)
    assert (first.added, first.unchanged) == (5, 0)
    (corpus / "adr/0001-use-cim.md").write_text(f"# Use CIM\n\nNew words. {body()}")
    (corpus / "adr/0002-use-tls.md").unlink()
    (corpus / "adr/0003-new.md").write_text(f"# New\n\n{body()}")
    second = update(index, corpus)
    assert (second.added, second.updated, second.unchanged, second.removed) == (1, 1, 3, 1)
    assert update(index, corpus).unchanged == second.documents == 5


def test_documents_come_in_the_same_order_always(corpus: Path, index: Index) -> None:
    update(index, corpus / "principles", corpus / "adr")
    update(index, corpus)
    listed = [(one.identity.doc_type, one.identity.number) for one in index.documents()]
    assert listed == [("adr", 1), ("adr", 2), ("policy", None), ("principle", 1), ("principle", 2)]
    assert index.collections() == {"adr": 2, "policy": 1, "principle": 2}


def test_identity_tells_documents_of_one_number_apart(corpus: Path, index: Index) -> None:
    update(index, corpus)
    (adr,) = index.find(DocumentKey(doc_type="adr", number=1))
    (principle,) = index.find(DocumentKey(doc_type="principle", number=1))
    assert adr.title == "Use CIM"
    assert principle.title == "Openness"
    assert index.find(DocumentKey(doc_type="adr", number=99)) == []


def test_a_passage_is_a_slice_of_the_document_that_is_kept(corpus: Path, index: Index) -> None:
    update(index, corpus)
    for row in index.database.read(
        "SELECT d.doc_id, p.start, p.content FROM passage p JOIN document d ON d.id = p.document_id"
    ):
        document = index.document(row["doc_id"])
        assert document is not None
        end = row["start"] + len(row["content"])
        assert document.text[row["start"] : end] == row["content"]


def test_folders_of_one_name_do_not_collide(tmp_path: Path, index: Index) -> None:
    for place in ("north", "south"):
        write_corpus(tmp_path / place / "docs")
    update(index, tmp_path / "north/docs", tmp_path / "south/docs")
    ids = {one.doc_id for one in index.documents() if one.identity.doc_type == "policy"}
    assert ids == {"docs/policies/backup.md", "south/docs/policies/backup.md"}


def test_a_file_named_twice_is_indexed_once(corpus: Path, index: Index) -> None:
    report = update(index, corpus, corpus / "adr", corpus / "adr/0001-use-cim.md")
    assert report.added == 5


def test_naming_one_file_removes_no_other(corpus: Path, index: Index) -> None:
    update(index, corpus)
    assert update(index, corpus / "adr/0001-use-cim.md").removed == 0
    assert len(index.documents()) == 5


def test_what_cannot_be_read_is_left_out_and_named(corpus: Path, index: Index) -> None:
    update(index, corpus)
    (corpus / "adr/0001-use-cim.md").write_bytes(b"\0\1")
    (corpus / "policies/empty.md").write_text("")
    report = update(index, corpus)
    assert [Path(one.path).name for one in report.refused] == ["0001-use-cim.md", "empty.md"]
    assert index.find(DocumentKey(doc_type="adr", number=1)) == []


def test_what_a_record_states_in_a_file_beside_it_is_named_as_unread(
    tmp_path: Path, index: Index
) -> None:
    """Data that state a title and a status are a record's; other YAML is nobody's."""
    folder = tmp_path / "keps" / "44-drain"
    folder.mkdir(parents=True)
    (folder / "README.md").write_text("# KEP-44: Drain\n\nNodes are drained one by one.\n")
    (folder / "kep.yaml").write_text("title: Drain\nkep-number: 44\nstatus: implemented\n")
    (folder / "build.yaml").write_text("steps: [test]\n")
    report = update(index, tmp_path / "keps")
    assert [Path(one.path).name for one in report.refused] == ["kep.yaml"]


def test_links_out_of_the_folder_and_hidden_files_are_left_out(
    corpus: Path, tmp_path: Path, index: Index
) -> None:
    (tmp_path / "secret.md").write_text(f"# Secret\n\n{body()}")
    (corpus / "adr/0009-link.md").symlink_to(tmp_path / "secret.md")
    (corpus / ".git").mkdir()
    (corpus / ".git/0008-old.md").write_text("x")
    (corpus / "image.png").write_bytes(b"\0")
    assert update(index, corpus).documents == 5


def test_a_missing_folder_removes_nothing(corpus: Path, index: Index) -> None:
    update(index, corpus)
    with pytest.raises(UnreadableSource, match="does not exist"):
        update(index, corpus / "gone")
    assert len(index.documents()) == 5


def test_other_settings_sort_anew_and_keep_the_vectors(corpus: Path, index: Index) -> None:
    update(index, corpus)
    embedder = HashingEmbedder()
    embed_pending(index, embedder)
    settings = EvidenceSection(collections={"decision": ["adr/*"]})
    assert update(index, corpus, settings=settings).updated == 5
    assert index.collections() == {"decision": 2, "policy": 1, "principle": 2}
    assert embed_pending(index, embedder).embedded == 0


def test_a_named_collection_holds_everything(corpus: Path, index: Index) -> None:
    update(index, corpus, collection="handbook")
    assert index.collections() == {"handbook": 5}


def test_embedding_resumes_where_it_stopped(
    corpus: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("groundwire.evidence._embedding.PASSAGES_AT_ONCE", 1)
    update(index, corpus)
    down = [EmbeddingFailed("down")] * 3

    class FailsLater(HashingEmbedder):
        def embed(self, texts):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202
            if self.calls == 2:
                self.failures = list(down)
            return super().embed(texts)

    pauses: list[float] = []
    report = embed_pending(index, FailsLater(), sleep=pauses.append)
    assert (report.embedded, report.pending) == (2, 3)
    assert report.error == "down"
    assert pauses == [0.5, 2.0]
    seen: list[tuple[int, int]] = []
    again = embed_pending(index, HashingEmbedder(), progress=lambda *at: seen.append(at))
    assert (again.embedded, again.pending, again.error) == (3, 0, None)
    assert seen[-1] == (3, 3)


def test_vectors_of_another_embedder_are_made_anew(corpus: Path, index: Index) -> None:
    update(index, corpus)
    embed_pending(index, HashingEmbedder(32))
    assert embed_pending(index, HashingEmbedder(64)).embedded == 5
    assert Vectors(index, "hashing-32").collections() == set()


def test_a_changed_document_is_embedded_again(corpus: Path, index: Index) -> None:
    update(index, corpus)
    embed_pending(index, HashingEmbedder())
    (corpus / "adr/0001-use-cim.md").write_text(f"# Use CIM\n\nChanged. {body()}")
    update(index, corpus)
    assert embed_pending(index, HashingEmbedder()).embedded == 1


def test_vectors_for_a_document_that_vanished_meanwhile_are_dropped(
    corpus: Path, index: Index
) -> None:
    update(index, corpus)
    vectors = Vectors(index, "hashing-64")
    (row_id, *_) = vectors.pending_ids()
    document = vectors.pending(row_id)
    assert document is not None
    (corpus / "adr/0001-use-cim.md").unlink()
    update(index, corpus)
    rows = HashingEmbedder().embed(document.texts)
    assert vectors.put(row_id, rows) is False
    assert vectors.pending(row_id) is None


def _index_in_a_process(path: Path, corpus: Path) -> None:
    with Index(path) as index:
        update(index, corpus)
        embed_pending(index, HashingEmbedder())


def test_several_processes_may_index_at_once(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "shared.sqlite"
    context = multiprocessing.get_context("spawn")
    workers = [context.Process(target=_index_in_a_process, args=(path, corpus)) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert [worker.exitcode for worker in workers] == [0, 0]
    with Index(path) as index:
        assert len(index.documents()) == 5
        assert verify_identity(index).holds
        assert Vectors(index, "hashing-64").pending_ids() == []


def test_a_process_killed_half_way_leaves_an_index_that_can_go_on(tmp_path: Path) -> None:
    corpus = tmp_path / "docs" / "adr"
    corpus.mkdir(parents=True)
    for number in range(400):
        (corpus / f"{number:04d}-a.md").write_text(f"# Number {number}\n\n{body()}")
    path = tmp_path / "killed.sqlite"
    context = multiprocessing.get_context("spawn")
    with Index(path) as index:
        worker = context.Process(target=_index_in_a_process, args=(path, corpus))
        worker.start()
        while len(index.documents()) < 5:
            time.sleep(0.001)
        worker.kill()
        worker.join()
        whole = len(index.documents())
        report = update(index, corpus)
        assert report.unchanged == whole
        assert report.documents == report.passages == 400
        assert index.database.read("PRAGMA integrity_check")[0][0] == "ok"


class _Crash(BaseException):
    pass


def test_a_crash_half_way_leaves_whole_documents_only(
    corpus: Path, index: Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []

    def crash(*arguments: object) -> None:
        written.append(arguments)
        if len(written) == 3:
            raise _Crash

    monkeypatch.setattr("groundwire.evidence._tables.write_registry", crash)
    with pytest.raises(_Crash):
        update(index, corpus)
    monkeypatch.undo()
    assert len(index.documents()) == 2
    orphans = "SELECT count(*) AS n FROM passage WHERE document_id NOT IN (SELECT id FROM document)"
    assert index.database.read(orphans)[0]["n"] == 0
    assert update(index, corpus).added == 3


def test_a_damaged_index_says_how_to_build_it_again(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "damaged.sqlite"
    with Index(path) as index:
        update(index, corpus)
    data = bytearray(path.read_bytes())
    data[4096 : len(data) - 4096] = b"\x5a" * (len(data) - 8192)
    path.write_bytes(data)
    with pytest.raises(StoreCorrupt, match="gw index --rebuild"), Index(path) as index:
        update(index, corpus)
    path.write_bytes(b"no database at all" * 1000)
    with pytest.raises(StoreCorrupt, match="gw index --rebuild"):
        Index(path)


def test_another_database_of_ours_is_not_taken_for_an_index(tmp_path: Path) -> None:
    path = tmp_path / "audit.sqlite"
    Database(path, [("CREATE TABLE verdict (id INTEGER) STRICT",)]).close()
    with pytest.raises(StoreError, match="no index"):
        Index(path)


def test_an_index_of_the_first_version_is_read(tmp_path: Path) -> None:
    """Its passages are found by their stems as soon as it is opened."""
    path = tmp_path / "old.sqlite"
    with Database(path, MIGRATIONS[:1]) as old, old.transaction() as connection:
        connection.execute(
            "INSERT INTO document VALUES"
            " (1, 'a.md', '/a.md', '', '', 1, 'policy', NULL, 'A', '{}', 'markdown', '{}')"
        )
        connection.execute(
            "INSERT INTO passage VALUES (1, 1, 0, '', 'Backups', 'Databases were copied.')"
        )
    with Index(path) as index:
        sql = "SELECT rowid FROM passage_words WHERE passage_words MATCH 'backup AND copi'"
        assert [row["rowid"] for row in index.database.read(sql)] == [1]
        assert not index.is_current("/a.md", "", "")


def test_the_words_of_removed_passages_are_gone(corpus: Path, index: Index) -> None:
    update(index, corpus)
    (corpus / "policies/backup.md").unlink()
    update(index, corpus)
    sql = "SELECT count(*) AS n FROM passage_words WHERE passage_words MATCH 'backup'"
    assert index.database.read(sql)[0]["n"] == 0
    with closing(sqlite3.connect(index.path)) as connection, connection:
        connection.execute("INSERT INTO passage_words (passage_words) VALUES ('integrity-check')")
