"""The written company of the examples: consistent, and with the traps that real corpora have."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from groundwire.config import ThresholdsSection, load_thresholds
from groundwire.evidence import Index, Indexer, Searcher, verify_identity
from groundwire.gate import passage_confidence
from groundwire.model import DocumentKey
from tests.evidence.make import LIMITS, SETTINGS

DOCUMENTS = Path(__file__).parents[2] / "examples" / "documents"


@pytest.fixture(scope="module")
def halden(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    with Index(tmp_path_factory.mktemp("halden") / "index.sqlite") as index:
        report = Indexer(index, SETTINGS, LIMITS).run([DOCUMENTS])
        assert report.refused == ()
        yield index


def key(doc_type: str, number: int) -> DocumentKey:
    return DocumentKey(doc_type=doc_type, number=number)


def test_the_thresholds_of_the_examples_are_for_their_collections() -> None:
    """The file that `gw eval tune` writes is one that the settings read."""
    found = load_thresholds(DOCUMENTS.parents[1] / "config" / "thresholds.yaml")
    assert found.collections.keys() == ThresholdsSection().collections.keys()


def test_every_document_is_one_of_its_kind(halden: Index) -> None:
    assert halden.collections() == {
        "adr": 26,
        "overview": 1,
        "policy": 8,
        "principle": 12,
        "registry": 1,
    }
    report = verify_identity(halden)
    assert report.holds
    assert report.unnumbered == report.untyped == ()


def test_numbers_of_decisions_principles_and_policies_overlap(halden: Index) -> None:
    titles = {
        (doc_type, number): halden.find(key(doc_type, number))[0].title
        for doc_type, number in [("adr", 12), ("principle", 12), ("adr", 1), ("policy", 1)]
    }
    assert len(set(titles.values())) == 4


def test_the_superseded_decision_names_its_successor(halden: Index) -> None:
    (old,) = halden.find(key("adr", 4))
    assert old.identity.status == "superseded"
    assert old.identity.superseded_by == (key("adr", 24),)
    assert halden.find(key("adr", 24))


def test_registry_and_record_disagree_about_one_decision(halden: Index) -> None:
    (conflict,) = verify_identity(halden).disagreements
    assert (conflict.key, conflict.about) == (key("adr", 27), "status")
    assert [said.status for said in conflict.stated] == ["accepted", "proposed"]


def test_there_is_one_stub_and_one_dangling_link(halden: Index) -> None:
    report = verify_identity(halden)
    assert report.stubs == ("documents/adr/0022-keep-protection-settings-in-one-place.md",)
    assert [(link.key, link.target) for link in report.dangling] == [
        (key("adr", 32), "adr/0032-compute-at-the-edge.md")
    ]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("What is decided about TLS versions?", key("adr", 27)),
        ("What is the data retention policy?", key("policy", 1)),
        ("How do we ensure grid stability?", key("adr", 31)),
        ("Who may approve a switching plan?", key("adr", 3)),
        ("What authentication do machines use?", key("adr", 29)),
        ("How much does a drone inspection cost?", key("adr", 30)),
        ("Which assets are replaced at what condition score?", key("adr", 18)),
        ("When is flexibility bought instead of reinforcing a feeder?", key("adr", 20)),
    ],
)
def test_questions_find_their_document_by_words_alone(
    halden: Index, question: str, expected: DocumentKey
) -> None:
    result = Searcher(halden, thresholds=ThresholdsSection()).search_sync(question)
    best = result.hits[0].source
    assert (best.doc_type, best.number) == (expected.doc_type, expected.number)


@pytest.mark.parametrize(
    "question", ["Who won the world cup?", "What is the CEO's salary?", "Hoe maak je appeltaart?"]
)
def test_questions_about_other_things_are_not_confident(halden: Index, question: str) -> None:
    result = Searcher(halden, thresholds=ThresholdsSection()).search_sync(question)
    assert passage_confidence(result.hits, ThresholdsSection()) < SETTINGS.abstain_below
