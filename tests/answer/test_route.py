import pytest
from hypothesis import given, strategies as st

from groundwire.answer import Router
from groundwire.evidence import Labels
from groundwire.model import DocumentKey

PREFIXES = {"ADR": "adr", "PCP": "principle", "POL": "policy"}
COLLECTIONS = ("adr", "overview", "policy", "principle", "registry", "runbook_page")
ASKED = ("adr", "overview", "policy", "principle", "runbook_page")


@pytest.fixture(scope="module")
def router() -> Router:
    return Router(COLLECTIONS, Labels(PREFIXES))


@pytest.mark.parametrize(
    ("question", "key"),
    [
        ("ADR-0031", ("adr", 31)),
        ("What does ADR.0012 decide?", ("adr", 12)),
        ("Show me principle 12", ("principle", 12)),
        ("List what PCP 10 says", ("principle", 10)),
        ("Define the encryption requirements in ADR-0015", ("adr", 15)),
        ("what is in pol.1", ("policy", 1)),
    ],
)
def test_a_label_makes_it_a_question_about_that_document(
    router: Router, question: str, key: tuple[str, int]
) -> None:
    """[S3 test_list_routing] A reference to one document is never taken for a list."""
    plan = router.plan(question)
    assert plan.kind == "entity"
    assert plan.keys == (DocumentKey(doc_type=key[0], number=key[1]),)
    assert plan.target_route == key[0]


@pytest.mark.parametrize(
    ("question", "collections", "topic", "statuses"),
    [
        ("List ADRs", ("adr",), (), ()),
        ("list all ADRs about security.", ("adr",), ("security",), ()),
        ("Show all principles", ("principle",), (), ()),
        ("What are the interoperability principles?", ("principle",), ("interoperability",), ()),
        ("Which ADRs are superseded?", ("adr",), (), ("superseded",)),
        ("Which policies are in force?", ("policy",), (), ("in force",)),
        ("List accepted architecture decisions", ("adr",), (), ("accepted",)),
        ("Which ADRs mention TLS?", ("adr",), ("tls",), ()),
        ("How many policies are there?", ("policy",), (), ()),
        ("ADRs and principles about encryption", ("adr", "principle"), ("encryption",), ()),
        ("Toon alle principes", ("principle",), (), ()),
        ("Welke besluiten zijn er over TLS?", ("adr",), ("tls",), ()),
        ("List the runbook pages", ("runbook_page",), (), ()),
        ("List all documents", ASKED, (), ()),
    ],
)
def test_lists_are_recognised_with_their_topic_and_status(
    router: Router,
    question: str,
    collections: tuple[str, ...],
    topic: tuple[str, ...],
    statuses: tuple[str, ...],
) -> None:
    plan = router.plan(question)
    if question.startswith("ADRs and"):
        assert plan.kind in ("list", "cross")
    else:
        assert plan.kind == "list"
    assert (plan.collections, plan.topic, plan.query.statuses) == (collections, topic, statuses)


@pytest.mark.parametrize(
    ("question", "kind", "collections"),
    [
        ("What is decided about TLS versions?", "decision", ("adr",)),
        ("What decision was made about the domain language?", "decision", ("adr",)),
        ("Security decisions and principles", "cross", ("adr", "principle")),
        ("What is the data retention policy?", "semantic", ("policy",)),
        ("What is our policy on pets in the office?", "semantic", ("policy",)),
        ("Which principle covers data quality?", "semantic", ("principle",)),
        ("How do we ensure grid stability?", "semantic", ASKED),
        ("List the five steps before work begins", "semantic", ASKED),
        ("Who decides who may read a data set?", "semantic", ASKED),
    ],
)
def test_other_questions_go_to_the_collections_they_name(
    router: Router, question: str, kind: str, collections: tuple[str, ...]
) -> None:
    plan = router.plan(question)
    assert (plan.kind, plan.collections) == (kind, collections)


def test_words_that_only_say_where_to_look_are_no_topic(router: Router) -> None:
    assert router.plan("What decision was made about time zones?").topic == ("time", "zones")
    assert router.plan("What does ADR-0012 decide?").topic == ()


def test_a_corpus_without_documents_has_a_plan_for_every_question() -> None:
    plan = Router((), Labels(PREFIXES)).plan("List ADRs about security")
    assert plan.collections == ()


@given(st.text(max_size=300))
def test_any_text_has_a_plan(text: str) -> None:
    plan = Router(COLLECTIONS, Labels(PREFIXES)).plan(text)
    assert set(plan.collections) <= set(COLLECTIONS)


def test_a_very_long_question_is_planned_at_once(router: Router) -> None:
    assert router.plan("which are the " * 5000 + "principles").kind == "semantic"
