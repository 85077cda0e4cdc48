import pytest
from hypothesis import given, strategies as st

from groundwire.terms import is_terminology_query
from groundwire.terms._intent import read_question

LABELS = {"the hague", "data retention policy", "point of common coupling", "smart meters"}


def known(phrase: str) -> bool:
    return phrase.casefold() in LABELS


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What\u2019s a busbar?", "busbar"),
        ("whats CIM", "cim"),
        ("WHAT IS CIM???", "cim"),
        ("What exactly is CIM?", "cim"),
        ('What is "CIMXML"?', "cimxml"),
        ("What is “load shedding”?", "load shedding"),
        ("What is the meaning of SAIDI?", "saidi"),
        ("What is meant by islanding?", "islanding"),
        ("Please define load shedding.", "load shedding"),
        ("Could you define the term feeder?", "feeder"),
        ("Definition of a feeder", "feeder"),
        ("What does DSO stand for?", "dso"),
        ("What does the term CGMES mean?", "cgmes"),
        ("What is best practice?", "best practice"),
        ("What is rate of change of frequency?", "rate of change of frequency"),
        ("What is a policy?", "policy"),
        ("Wat is een aansluiting?", "aansluiting"),
        ("Wat betekent congestie?", "congestie"),
        ("wat wordt bedoeld met flexibiliteit", "flexibiliteit"),
        ("Leg de term schakelplan uit", "schakelplan"),
        ("Was ist ein Umspannwerk?", "umspannwerk"),
        ("Was bedeutet Blindleistung?", "blindleistung"),
        ("Qu\u2019est-ce qu\u2019un transformateur ?", "transformateur"),
        ("Que signifie délestage ?", "délestage"),
        ("¿Qué es un transformador?", "transformador"),
        ("What is Überspannung?", "überspannung"),
    ],
)
def test_ways_to_ask_for_a_meaning(question: str, term: str) -> None:
    assert is_terminology_query(question) == (True, term)


@pytest.mark.parametrize(
    "question",
    [
        "",
        "   ",
        "?",
        "What is",
        "What is?",
        "What is it?",
        "What is the difference between CIM and CGMES?",
        "What is our password policy?",
        "What is the highest price for flexibility?",
        "What is the availability target of SCADA?",
        "What is Karpenter used for?",
        "What is the status of ADR 12?",
        "What is CIMXML and how do we use it?",
        "What is required for remote access?",
        "What is the policy on removable media?",
        "What is the decision on TLS?",
        "Wat is besloten over TLS?",
        "Wat is het beleid voor wachtwoorden?",
        "Wat is het verschil tussen CIM en CGMES?",
        "What are the interoperability principles?",
        "Who decides about TLS?",
        "What is the maximum allowed current of the cable between the two oldest substations?",
        "What is the longest outage we may have?",
        "What is the cheapest tariff a bakery can get?",
        "What is the first thing a visitor does?",
        "What is the only gate open on Sundays?",
        "What is the most dangerous chemical there?",
        "Define how visitors are registered",
        "Define who signs the lease",
        "What is stored in the archive room?",
        "What is kept after an audit?",
        "What is paid to a carrier that arrives late?",
        "What is done about noise?",
        "What is sent to the laboratory?",
    ],
)
def test_questions_about_something_else(question: str) -> None:
    assert is_terminology_query(question) == (False, None)


@pytest.mark.parametrize(
    ("question", "term"),
    [
        ("What is the data retention policy?", "data retention policy"),
        ("What is the point of common coupling?", "point of common coupling"),
        ("What is The Hague?", "the hague"),
        ("What are smart meters?", "smart meters"),
    ],
)
def test_a_label_of_the_vocabulary_is_a_term_whatever_its_words(question: str, term: str) -> None:
    assert is_terminology_query(question, known) == (True, term)


def test_a_vocabulary_does_not_make_other_questions_terms() -> None:
    assert is_terminology_query("What is the retention decision?", known) == (False, None)
    assert is_terminology_query("What are the principles?", known) == (False, None)


def test_a_question_of_five_thousand_words_is_no_term() -> None:
    assert is_terminology_query("What is " + "a very " * 5000 + "long question?") == (False, None)


@given(st.text(max_size=300))
def test_any_text_is_answered_and_a_term_is_never_empty(text: str) -> None:
    asks, term = is_terminology_query(text)
    assert asks == (term is not None)
    assert term is None or (term.strip() and term == term.lower())


@pytest.mark.parametrize(
    ("question", "within"),
    [
        ('What is "Demandable Capacity" in energy systems?', "Demandable Capacity"),
        ("What is a Business Actor in ArchiMate?", "Business Actor"),
        ("What is Agentic RAG according to the vocabulary?", "Agentic RAG"),
        ("Wat is een aansluiting volgens de wet?", "aansluiting"),
    ],
)
def test_a_shorter_phrase_is_kept_in_case_the_vocabulary_has_it(question: str, within: str) -> None:
    asked = read_question(question)
    assert asked is not None
    assert within in asked.within


def test_a_plain_term_has_nothing_within() -> None:
    for question in ('What is "CIMXML"?', "What is voltage regulation?", "Define load shedding"):
        asked = read_question(question)
        assert asked is not None
        assert asked.within == ()
