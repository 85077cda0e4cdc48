import pytest
from hypothesis import given, strategies as st

from groundwire.claims import extract_claims, read_claim
from groundwire.model import Source

SOURCES = (Source(doc_id="handbook.md"), Source(doc_id="guide.md"), Source(doc_id="archive.txt"))


def contents(text: str) -> list[str]:
    return [claim.content for claim in extract_claims(text, SOURCES).claims]


def reasons(text: str) -> list[str]:
    return [excluded.reason for excluded in extract_claims(text, SOURCES).excluded]


def test_a_conjunction_is_two_claims_and_spans_stay_in_the_original() -> None:
    """[SPEC-08.07] atomic claims, each with its place in the text."""
    text = "Acme founded Bolt in 1990 and sold it in 2001."
    first, second = extract_claims(text).claims
    assert first.content == "Acme founded Bolt in 1990"
    assert second.content == "Acme sold Bolt in 2001."
    assert first.source.of(text) == "Acme founded Bolt in 1990"
    assert second.source.of(text) == "sold it in 2001."


def test_markdown_goes_from_the_words_and_stays_in_the_span() -> None:
    text = "The bridge carries **160,000 vehicles** a `day`."
    (claim,) = extract_claims(text).claims
    assert claim.content == "The bridge carries 160,000 vehicles a day."
    assert claim.source.of(text) == text


def test_list_items_are_about_what_announced_them() -> None:
    assert contents("# Harbour Bridge\n\n- **Length:** 503 metres\n- Opened: 1932\n") == [
        "Harbour Bridge: Length: 503 metres",
        "Harbour Bridge: Opened: 1932",
    ]
    assert contents("The bridge:\n\n1. carries eight lanes\n2. Length: 503 m\n") == [
        "The bridge carries eight lanes",
        "The bridge: Length: 503 m",
    ]


def test_a_table_row_asserts_each_of_its_cells() -> None:
    text = "| Year | Vehicles | Toll |\n|---|---|---|\n| 2020 | 1,200 | $3 |\n| 2021 | 1.3k | - |\n"
    claims = extract_claims(text).claims
    assert [claim.content for claim in claims] == [
        "2020: Vehicles is 1,200",
        "2020: Toll is $3",
        "2021: Vehicles is 1.3k",
    ]
    assert [claim.source.of(text) for claim in claims] == ["1,200", "$3", "1.3k"]


def test_code_is_left_out_and_quotations_are_claims() -> None:
    text = "```\nx = 1\n```\n\n> The bridge sways 18 cm in heat.\n"
    assert contents(text) == ["The bridge sways 18 cm in heat."]
    assert reasons(text) == ["code"]


def test_a_wrapped_line_is_one_sentence() -> None:
    text = "The harbour bridge was painted again by a crew of forty in the\nautumn of 1998."
    assert len(contents(text)) == 1


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        ("Is the bridge safe?", "question"),
        ("Use TLS 1.3 for all connections.", "instruction"),
        ("Run the tests.", "instruction"),
        ("Rotate keys every 90 days.", "instruction"),
        ("Ensure keys expire after 90 days.", "instruction"),
        ("Use access keys for the API.", "instruction"),
        ("Remove keys that expire soon.", "instruction"),
        ("Use the API's own format.", "instruction"),
        ("Write the hooks into the agent's own settings.", "instruction"),
        ("Give customers access to the report.", "instruction"),
        ("Please restart the server.", "instruction"),
        ("Hello!", "greeting"),
        ("Thanks for asking.", "greeting"),
        ("Here are the key facts:", "meta"),
        ("Here is a short summary.", "meta"),
        ("There are a few things to note.", "meta"),
        ("We think so.", "meta"),
        ("Yes, it does.", "meta"),
        ("Not really.", "meta"),
        ("In short, yes.", "meta"),
        ("That makes sense.", "meta"),
        ("I hope this helps.", "meta"),
        ("Perhaps it was repainted.", "hedged"),
        ("It might rain in May.", "hedged"),
        ("The cause may have been overheating.", "hedged"),
        ("I think the bridge opened in 1932.", "hedged"),
        ("The tower is beautiful.", "opinion"),
        ("In my opinion the toll is 3 dollars.", "opinion"),
        ("The documents do not mention a toll.", "abstention"),
        ("Key points", "fragment"),
    ],
)
def test_what_asserts_nothing_is_left_out_with_the_reason(sentence: str, reason: str) -> None:
    """[SPEC-08.09]"""
    assert reasons(sentence) == [reason]
    assert contents(sentence) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Employees may carry over five days.",
        "Great Britain is an island.",
        "Set points are stored in flash.",
        "The questions were answered.",
        "Thanks to the new pump, the yield rose by 4%.",
        "Live keys start with two letters.",
        "Access keys expire after 30 days.",
        "Access keys never expire.",
        "Object sizes vary.",
        "Object IDs begin with a letter.",
        "Check valves open at 3 bar.",
        "Process owners approve each change.",
        "Sample bottles hold 500 ml.",
    ],
)
def test_assertions_that_look_like_something_else_are_kept(sentence: str) -> None:
    assert contents(sentence) == [sentence]


def test_words_that_only_announce_are_dropped_from_the_claim() -> None:
    text = "Note that the bridge is 503 m long."
    (claim,) = extract_claims(text).claims
    assert claim.content == "the bridge is 503 m long."
    assert claim.source.of(text) == "the bridge is 503 m long."


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        (
            "Halden Grid runs 4 substations. It was founded in 1962.",
            "Halden Grid was founded in 1962.",
        ),
        ("Marie Dupont led the team. She retired in 1940.", "Marie Dupont retired in 1940."),
        ("The policy covers staff. Its scope is narrow.", "The policy's scope is narrow."),
        ("John Smith met Anna Berg. She left.", "Anna Berg left."),
        ("The pumps feed a tank. They are blue.", "The pumps are blue."),
        ("The rule covers staff; it does not cover guests.", "The rule does not cover guests."),
    ],
)
def test_a_safe_pronoun_takes_the_name_of_the_subject(text: str, resolved: str) -> None:
    assert contents(text)[1] == resolved


@pytest.mark.parametrize(
    "text",
    [
        "Marie Dupont discovered a cave. It is 40 m deep.",
        "Halden Grid runs 4 substations. They were built in 1962.",
        "Halden Grid runs 4 substations.\n\nIt was founded in 1962.",
        "Halden Grid bought a mast. It is 40 m high.",
        "Marie Dupont met Anna Berg. She left.",
    ],
)
def test_an_unsafe_pronoun_stays_with_the_sentence_before_it(text: str) -> None:
    """Nothing is guessed: the claim is judged together with what it follows."""
    first, second = extract_claims(text).claims
    assert second.content.startswith(("It ", "They ", "She "))
    assert second.preceding == first.content
    assert not first.preceding


@pytest.mark.parametrize(
    ("text", "doc_ids"),
    [
        ("The toll is $3 [1].", ["handbook.md"]),
        ("The toll is $3.[2]", ["guide.md"]),
        ("The toll is $3 [1, 3].", ["handbook.md", "archive.txt"]),
        ("The toll is $3 [1-3].", ["handbook.md", "guide.md", "archive.txt"]),
        ("The toll is $3 [doc:guide].", ["guide.md"]),
        ("The toll is $3 (source: archive.txt).", ["archive.txt"]),
        ("The toll is $3[^a].\n\n[^a]: see guide.md, page 2", ["guide.md"]),
        ("The toll is $3 [1].\n\n[1]: archive.txt", ["archive.txt"]),
        ("The [toll is $3](guide.md#tolls).", ["guide.md"]),
        ("The toll is $3 [7].", [None]),
        ("The toll is $3 (source: ledger.csv).", [None]),
        ("The [toll](https://elsewhere.example/x) is $3.", [None]),
    ],
)
def test_citations_lead_to_evidence_or_to_nothing(text: str, doc_ids: list[str | None]) -> None:
    (claim,) = extract_claims(text, SOURCES).claims
    assert [citation.doc_id for citation in claim.citations] == doc_ids
    assert [citation.is_phantom for citation in claim.citations] == [d is None for d in doc_ids]
    for citation in claim.citations:
        assert citation.span.of(text) == citation.marker
        assert citation.marker not in claim.content


@pytest.mark.parametrize(
    ("sentence", "confidence"),
    [
        ("It is certainly the longest bridge.", 0.99),
        ("It is almost certainly the longest bridge.", 0.95),
        ("It is probably the longest bridge.", 0.75),
        ("I am 80% sure the bridge is 503 m long.", 0.8),
        ("The bridge is 503 m long.", None),
    ],
)
def test_wording_states_a_confidence(sentence: str, confidence: float | None) -> None:
    """[SPEC-08.08]"""
    (claim,) = extract_claims(sentence).claims
    assert claim.confidence == confidence


_PIECES = st.sampled_from(
    [
        "The bridge is **503 m** long [1].",
        "A founded B in 1990 and sold it in 2001.",
        "# Heading\n",
        "- item: 3",
        "| a | b |\n|---|---|\n| c | 4 |\n",
        "```\ncode\n```\n",
        "> quoted words were said.",
        "Is it?",
        "\n\n",
        "\n",
        " ",
        "naïve café 東京は首都です。",
        "\u202eright to left\u202c was used.",
        "[x](y) was linked.",
        "“Quotes” were kept; they stayed.",
    ]
)


@given(st.lists(_PIECES | st.text(max_size=30), max_size=12).map(" ".join))
def test_spans_always_reproduce_their_text(text: str) -> None:
    """Every span lies in the text, in order, and holds words of what was taken from it."""
    extraction = extract_claims(text, SOURCES)
    places = [claim.source for claim in extraction.claims]
    assert places == sorted(places, key=lambda span: (span.start, span.end))
    for claim in extraction.claims:
        original = claim.source.of(text)
        assert original.strip() == original
        assert original
        words = [word.strip("“”.,;:!?") for word in claim.content.split()]
        last_word = [word for word in words if word.isalnum()][-1:]
        assert all(word in original for word in last_word)
    for excluded in extraction.excluded:
        assert excluded.source.of(text) == excluded.content


def test_long_and_odd_input_is_read_in_bounded_time() -> None:
    for text in (
        "a" * 200_000,
        "[" * 50_000,
        "|" * 50_000,
        "*_" * 50_000,
        "\n" * 100_000,
        "(" * 50_000,
    ):
        extract_claims(text)


NESTED = "".join("  " * depth + "- a\n" for depth in range(12))


@pytest.mark.parametrize(
    "shape",
    [
        "- [x] The mast is 99 m high.",
        "- [1] The mast is 99 m high.",
        "[1] The mast is 99 m high.",
        "[^1]: The mast is 99 m high.",
        "| Notes |\n|---|\n| The mast is 99 m high. |",
        "| Notes | More |\n|---|---|\n| The mast is 99 m high. |  |",
        ">" * 23 + " The mast is 99 m high.",
        NESTED + "  " * 12 + "- The mast is 99 m high.",
        "---\n\nThe mast is 99 m high.\n\n---",
        "The mast is 99 <!-- sic -->m high.\n\nThe mast is 99 m high.",
        "\\<!-- shown --> The mast is 99 m high.",
    ],
)
def test_no_shape_of_a_statement_is_lost(shape: str) -> None:
    """A task, a note, a cell alone, deep nesting and text between rules assert like any other."""
    found = extract_claims(f"{shape}\n\nThe mast is blue.").claims
    assert any("The mast is 99 m high" in claim.content for claim in found)


def test_lines_that_only_name_a_source_are_left_out_with_a_reason() -> None:
    """Nothing of a text is dropped in silence."""
    extraction = extract_claims("The mast is red [1].\n\n[1]: https://example.org/report.md")
    assert [claim.content for claim in extraction.claims] == ["The mast is red."]
    assert [one.reason for one in extraction.excluded] == ["meta"]


def test_hidden_words_in_a_cell_are_no_part_of_its_claim() -> None:
    """What a reader does not see is not asserted."""
    table = "| Mast | Height |\n|---|---|\n| North | 42 <!-- 50 --> m |"
    assert any(claim.content == "North: Height is 42 m" for claim in extract_claims(table).claims)


@pytest.mark.parametrize(
    "sentence",
    [
        "Staff: 999 employees",
        "Please note: the mast is red.",
        "Answer: The mast is 42 m high.",
        "The girls rested by the river",
        "Polynesian languages include Maori.",
        "Bork shivered.",
        "They serve to protect the lungs.",
        "Commission on Human Rights chairman Gascon called it a violation.",
        "You must apply by 5 May.",
        "There is no evidence that the mast leans.",
        "The report, which might be late, has 12 pages.",
        "I am not sure about the colour, but the mast is 42 m high.",
        "It is possible to recover deleted files.",
    ],
)
def test_in_doubt_a_sentence_is_a_claim(sentence: str) -> None:
    """A label with its value, a rare verb, a guess beside a fact, a requirement."""
    assert contents(sentence), reasons(sentence)


def test_a_unit_and_a_backtick_end_sentences() -> None:
    """ "5 V." is no abbreviation, and code may open a sentence."""
    text = "The rail has 5 V. The bus has 12 V. The key is set. `gw` reads it."
    assert len(contents(text)) == 4


def test_a_relative_clause_that_asserts_is_a_claim() -> None:
    """What stands between commas says a second thing of the same subject."""
    text = "The bridge, which opened in 1932, carries 8 lanes."
    first, second = extract_claims(text).claims
    assert first.content == "The bridge opened in 1932"
    assert second.content == "The bridge carries 8 lanes."
    assert first.source.of(text) == "The bridge, which opened in 1932"
    assert contents("The rule that applies to staff is old.") == [
        "The rule that applies to staff is old."
    ]


def test_every_sentence_is_accounted_for() -> None:
    """Checked, or left out with a reason that can be counted and a place that can be shown."""
    text = "# Mast\n\nThe mast is red. Is it high? Is it new? Perhaps it leans.\n"
    coverage = extract_claims(text).coverage
    assert (coverage.sentences, coverage.checked) == (5, 1)
    assert coverage.reasons == {"question": 2, "heading": 1, "hedged": 1}
    assert coverage.summary == "1 checked, 4 left out: 2 questions, 1 heading, 1 hedged"
    assert text[coverage.left_out[1].start : coverage.left_out[1].end] == "Is it high?"


def test_one_claim_is_read_with_its_citations() -> None:
    """`verify_claim` leads markers to evidence as `verify_claims` does."""
    claim = read_claim("The toll is $3 [2].", SOURCES)
    assert claim.content == "The toll is $3."
    assert [one.doc_id for one in claim.citations] == ["guide.md"]
    assert read_claim("The [toll](guide.md) is $3 [9].", SOURCES).content == "The toll is $3."


@pytest.mark.parametrize(
    ("question", "text", "claims"),
    [
        ("How long are logs kept?", "42 days [1].", [("Logs are kept 42 days.", "42 days [1].")]),
        ("Was it moved?", "No.", [("It was not moved.", "No.")]),
        (
            "Which substations feed the harbour?",
            "- Vik\n- Solberg",
            [("Vik feed the harbour.", "Vik"), ("Solberg feed the harbour.", "Solberg")],
        ),
        (
            "How high is the mast?",
            "# Answer\n\n40 m. It stands in Vik.",
            [("The mast is 40 m high.", "40 m."), ("The mast stands in Vik.", "It stands in Vik.")],
        ),
        ("How high is it?", "The mast is red.", [("The mast is red.", "The mast is red.")]),
    ],
)
def test_a_terse_answer_is_a_claim_with_its_question(
    question: str, text: str, claims: list[tuple[str, str]]
) -> None:
    """Its place is that of the answer; whole sentences are read as without a question."""
    found = extract_claims(text, question=question).claims
    assert [(one.content, one.source.of(text)) for one in found] == claims


def test_a_pronoun_is_read_together_with_the_question() -> None:
    """ "It" means what was asked about."""
    (claim,) = extract_claims("It was built in 1974.", question="When was the bridge built?").claims
    assert claim.content == "The bridge was built in 1974."
    (claim,) = extract_claims("It was built in 1974.", question="When was it built?").claims
    assert claim.preceding == "When was it built?"


def test_without_a_question_nothing_changes() -> None:
    """A fragment stays one, and a value alone stays a claim."""
    assert [one.content for one in extract_claims("42 days.").claims] == ["42 days."]
    assert extract_claims("Yes.").claims == ()


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ('The CEO said: "We made $5m." He left in 2020.', "He left in 2020."),
        ("Contact sales@acme.com. It costs $5.", "It costs $5."),
        ("He lives in Washington D.C. She left.", "She left."),
        ("Then I left. He stayed.", "He stayed."),
        ("Yes. It costs 5 dollars.", "It costs 5 dollars."),
        ("However, nobody came. She left.", "She left."),
        ("Unfortunately nobody came. She left.", "She left."),
        ("He resigned on Monday. She left.", "She left."),
        ("He moved to Paris. She left.", "She left."),
        ("You sold it. She left.", "She left."),
        ("Restart the node. It costs $5.", "The node costs $5."),
    ],
)
def test_a_pronoun_does_not_mean_what_names_nobody(text: str, last: str) -> None:
    """A pronoun, an adverb, a day, an order's verb or, for a person, a place is no candidate."""
    assert contents(text)[-1] == last


@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("Call Marie Dupont. She has 5 keys.", "Marie Dupont has 5 keys."),
        ("Dupont works in Oslo. She left in 2020.", "Dupont left in 2020."),
        ("Target opened a year ago. They sold 5 bikes.", "Target sold 5 bikes."),
        ("Italy grew. It exports wine.", "Italy exports wine."),
        ("Mark Gurman left. He is 40.", "Mark Gurman is 40."),
        ("Few people live in Halden. It has 9 masts.", "Halden has 9 masts."),
    ],
)
def test_a_name_that_opens_a_sentence_or_follows_an_order_is_meant(text: str, last: str) -> None:
    """A name stays a candidate though its first word is a verb's form, or an order is before it."""
    assert contents(text)[-1] == last
