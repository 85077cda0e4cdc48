"""Lists of documents: complete, and in the same order every time [S3, Phase 4 invariants]."""

from groundwire.answer import Documents
from groundwire.answer._library import Finding


def asked(documents: Documents, question: str) -> Finding:
    return documents.answer(documents.plan(question))


def test_a_list_has_every_document_of_the_collection_in_the_order_of_numbers(
    by_words: Documents,
) -> None:
    finding = asked(by_words, "List all ADRs")
    everything = [
        one.doc_id for one in by_words.library.documents if one.identity.doc_type == "adr"
    ]
    assert [source.doc_id for source in finding.sources] == everything
    numbers = [source.number or 0 for source in finding.sources]
    assert numbers == sorted(numbers)
    assert len(numbers) == len(set(numbers)) == 26


def test_the_same_list_comes_out_however_it_is_asked(by_words: Documents) -> None:
    """[S3 test_deterministic_lists] One list, one order, however it is asked for."""
    forms = ["List ADRs", "Show all architecture decisions", "Which ADRs are there?", "ADRs"]
    answers = {asked(by_words, form).text for form in forms for _ in range(2)}
    assert len(answers) == 1


def test_every_quote_of_a_list_stands_in_its_document(by_words: Documents) -> None:
    for source in asked(by_words, "List all documents").sources:
        document = by_words.library.index.document(source.doc_id)
        assert document is not None
        assert document.text[source.start : source.end] == source.quote != ""


def test_a_topic_keeps_the_documents_that_have_its_words(by_words: Documents) -> None:
    finding = asked(by_words, "What are the interoperability principles?")
    assert [(source.doc_type, source.number) for source in finding.sources] == [
        ("principle", 10),
        ("principle", 11),
    ]
    assert finding.message == "2 of 12 principles mention “interoperability”."


def test_a_status_keeps_the_documents_that_have_it(by_words: Documents) -> None:
    assert [one.number for one in asked(by_words, "Which ADRs are superseded?").sources] == [4]
    proposed = asked(by_words, "List proposed ADRs")
    assert [one.number for one in proposed.sources] == [29, 31]
    assert "ADR 27" in proposed.observations[0], "the registry alone calls it proposed"


def test_the_latest_is_the_one_with_the_latest_date(by_words: Documents) -> None:
    finding = asked(by_words, "What is the most recently accepted ADR?")
    assert [one.number for one in finding.sources] == [27]
    assert "(accepted, 2024-11-18)" in (finding.text or "")
    assert asked(by_words, "Which is the latest policy?").sources[0].number == 8


def test_nothing_of_that_kind_is_an_abstention(by_words: Documents) -> None:
    finding = asked(by_words, "List ADRs about blockchain")
    assert (finding.mode, finding.reason) == ("ABSTAIN", "no_results")
    assert finding.message == "None of 26 ADRs mention “blockchain”."


def test_a_document_that_only_the_registry_knows_is_said_to_be_missing(
    by_words: Documents,
) -> None:
    remarks = asked(by_words, "List ADRs").observations
    assert any("ADR 32" in remark and "not there" in remark for remark in remarks)
    assert any("ADR 27" in remark and "“proposed”" in remark for remark in remarks)


def test_a_list_can_ask_for_what_is_not_so(by_words: Documents) -> None:
    """The two lists share nothing and are, with what has no status, everything."""
    accepted = {one.doc_id for one in asked(by_words, "Which ADRs are accepted?").sources}
    others = {one.doc_id for one in asked(by_words, "Which ADRs are not accepted?").sources}
    assert accepted
    assert others
    assert not accepted & others


def test_a_list_of_what_lacks_a_thing_names_no_document_that_has_it(by_words: Documents) -> None:
    finding = asked(by_words, "Which ADRs have no status?")
    listed = {one.doc_id for one in finding.sources}
    assert not any(
        one.identity.status for one in by_words.library.documents if one.doc_id in listed
    )
    assert finding.mode == "ANSWER" or finding.message.startswith("None of 26 ADRs")
