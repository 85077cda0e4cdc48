"""The tier's two duties: a true claim is never accused, a wrong value in its slot is named."""

import pytest

from groundwire.judge import EvidenceValues, Finding, check_values
from groundwire.model import Span

EVIDENCE = (
    "Northwind Energy was founded in 1998 in Rotterdam by two engineers.",
    "In 2023 the company employed 1,187 people and reported revenue of EUR 412.5 million.",
    "Revenue was up 8% from 2022.",
    "The Delft substation was commissioned on 14 March 2019 and has a rated capacity of 250 MVA.",
    "During the test the main rail sagged to 725 mV for 40 microseconds.",
    "The maximum operating temperature of the inverter is 65 \u00b0C.",
    "Under ADR-0012 all services must use TLS 1.3 by the end of Q3 2024.",
    "The outage on 9 June 2021 lasted three hours and affected about 12,000 households.",
    "Backups are kept for 90 days, logs for 30 days.",
    "The pilot enrolled 48 patients, of whom 36 completed the study.",
    "The contract with Helios runs until 31 December 2027.",
    "Response time fell from 420 ms to 180 ms after the upgrade.",
    "The chief engineer of the project is Marta Lindqvist.",
    "The vulnerability is tracked as CVE-2023-4411.",
    "The valve was replaced on Tuesday after the morning inspection.",
    "The site in Zeist has 12 turbines and 3 transformers.",
    "Membership costs between $40 and $60 a year.",
    "The museum was designed by Ingrid Holm and opened in Denmark.",
    "The survey reached more than 500 households.",
)


@pytest.fixture(scope="module")
def evidence() -> EvidenceValues:
    return EvidenceValues.of(EVIDENCE)


def accusations(evidence: EvidenceValues, claim: str) -> list[tuple[str, str]]:
    return [
        (finding.claimed, finding.found)
        for finding in evidence.check(claim)
        if finding.relation == "contradicted"
    ]


@pytest.mark.parametrize(
    "claim",
    [
        # the same value, written otherwise
        "Northwind Energy was founded in the late 1990s.",
        "Northwind Energy was founded by 2 engineers.",
        "The company employed about 1,200 people in 2023.",
        "The company employed 1.2k people in 2023.",
        "The company employed just under 1,200 people in 2023.",
        "In 2023 the company reported revenue of \u20ac0.4125 billion.",
        "In 2023 the company reported revenue of 412 million euros.",
        "The Delft substation was commissioned in Q1 2019.",
        "The Delft substation was commissioned in 2019.",
        "The Delft substation has a rated capacity of 0.25 GVA.",
        "The main rail sagged to 0.725 V during the test.",
        "The main rail sagged below 0.8 V during the test.",
        "The maximum operating temperature of the inverter is 149 \u00b0F.",
        "All services must use TLS 1.3 by September 2024.",
        "All services must use TLS 1.3 under ADR.12.",
        "The outage on 9 June 2021 lasted 180 minutes.",
        "The outage in June 2021 affected roughly 12,000 households.",
        "Backups are kept for about three months.",
        "The contract with Helios runs until the end of 2027.",
        "The vulnerability is tracked as CVE 2023 4411.",
        # worked out from the evidence
        "12 of the patients did not complete the study.",
        "The study was completed by 75% of the patients.",
        "Three quarters of the patients completed the study.",
        "Response time fell by 240 ms after the upgrade.",
        "Response time fell by 57% after the upgrade.",
        "The site in Zeist has 15 turbines and transformers.",
        "Northwind Energy was 25 years old in 2023.",
        "Backups are kept for 60 days more than logs.",
        # bounds and ranges
        "The pilot enrolled fewer than 50 patients.",
        "The survey reached 620 households.",
        "The survey reached at least 400 households.",
        "Membership costs about $50 a year.",
        # parts, rests and choices
        "Two of the 12 turbines in Zeist are new.",
        "Another 5 turbines are planned in Zeist.",
        "The site in Zeist has 11 or 12 turbines.",
        # another thing, another time, another role
        "The Delft substation was inspected on 2 May 2020.",
        "In 2019 the company employed 900 people.",
        "The valve was inspected on Monday.",
        "Revenue rose by 3% in the first quarter.",
        "The Utrecht substation has a rated capacity of 400 MVA.",
        "The pilot study ran for 18 months.",
        "ADR-0031 requires all services to use TLS 1.3.",
        "The average operating temperature of the inverter is 40 \u00b0C.",
        "The company did not employ 900 people in 2023.",
        "Someone at Northwind Energy was born in 1971.",
        # names that differ and contradict nothing
        "The museum was designed by Ingrid Holm and opened in Aarhus.",
        "The museum was designed by Holm and opened in Denmark.",
        "Karin Dahl is an engineer of the project.",
        "The museum is a Danish museum.",
    ],
)
def test_a_claim_that_may_be_true_is_never_accused(evidence: EvidenceValues, claim: str) -> None:
    assert accusations(evidence, claim) == []


@pytest.mark.parametrize(
    ("claim", "claimed", "found"),
    [
        ("Northwind Energy was founded in 1989.", "1989", "1998"),
        ("Northwind Energy was founded in the early 2000s.", "2000s", "1998"),
        ("Northwind Energy was founded in 1998 by five engineers.", "five", "two"),
        ("The company employed 1,817 people in 2023.", "1,817", "1,187"),
        ("In 2023 the company employed fewer than 500 people.", "fewer than 500", "1,187"),
        (
            "The company reported revenue of EUR 512.5 million in 2023.",
            "EUR 512.5 million",
            "EUR 412.5 million",
        ),
        (
            "The company reported revenue of EUR 412.5 billion in 2023.",
            "EUR 412.5 billion",
            "EUR 412.5 million",
        ),
        ("The Delft substation was commissioned in 2018.", "2018", "14 March 2019"),
        (
            "The Delft substation was commissioned on 14 May 2019.",
            "14 May 2019",
            "14 March 2019",
        ),
        ("The Delft substation has a rated capacity of 350 MVA.", "350 MVA", "250 MVA"),
        ("The main rail sagged to 0.925 V during the test.", "0.925 V", "725 mV"),
        (
            "The maximum operating temperature of the inverter is 85 \u00b0C.",
            "85 \u00b0C",
            "65 \u00b0C",
        ),
        ("All services must use TLS 1.2 by the end of Q3 2024.", "1.2", "1.3"),
        ("All services must use TLS 1.3 by the end of Q4 2024.", "Q4 2024", "Q3 2024"),
        ("Under ADR-0021 all services must use TLS 1.3.", "ADR-0021", "ADR-0012"),
        ("The outage on 9 June 2021 lasted five hours.", "five hours", "three hours"),
        ("The outage on 9 July 2021 lasted three hours.", "9 July 2021", "9 June 2021"),
        ("The outage affected about 21,000 households.", "about 21,000", "about 12,000"),
        (
            "The contract with Helios runs until 31 December 2025.",
            "31 December 2025",
            "31 December 2027",
        ),
        ("The vulnerability is tracked as CVE-2023-4141.", "CVE-2023-4141", "CVE-2023-4411"),
        (
            "The valve was replaced on Friday after the morning inspection.",
            "Friday",
            "Tuesday",
        ),
        ("The site in Zeist has 21 turbines.", "21", "12"),
        (
            "The chief engineer of the project is Erik Sandberg.",
            "Erik Sandberg",
            "Marta Lindqvist",
        ),
        (
            "Erik Sandberg is the chief engineer of the project.",
            "Erik Sandberg",
            "Marta Lindqvist",
        ),
        ("The museum was designed by Karin Dahl.", "Karin Dahl", "Ingrid Holm"),
        ("The museum was designed by Ingrid Holm and opened in Norway.", "Norway", "Denmark"),
    ],
)
def test_a_wrong_value_in_its_slot_is_contradicted_by_the_right_one(
    evidence: EvidenceValues, claim: str, claimed: str, found: str
) -> None:
    assert accusations(evidence, claim) == [(claimed, found)]


@pytest.mark.parametrize(
    ("claim", "claimed", "found"),
    [
        ("The company employed about 1,200 people.", "about 1,200", "1,187"),
        ("The rail sagged to 0.725 V.", "0.725 V", "725 mV"),
        ("The Delft substation was commissioned in Q1 2019.", "Q1 2019", "14 March 2019"),
        ("All services must use TLS 1.3 under ADR.12.", "ADR.12", "ADR-0012"),
        ("It was Marta Lindqvist.", "Marta Lindqvist", "Marta Lindqvist"),
    ],
)
def test_a_value_the_evidence_has_is_confirmed(
    evidence: EvidenceValues, claim: str, claimed: str, found: str
) -> None:
    confirmed = [f for f in evidence.check(claim) if f.relation == "confirmed"]
    assert (claimed, found) in [(finding.claimed, finding.found) for finding in confirmed]


def test_a_claim_more_precise_than_its_evidence_is_neither_confirmed_nor_accused() -> None:
    assert check_values("The mast is 31.7 m high.", ["The mast is about 32 m high."]) == []


def test_a_finding_points_into_its_sentence(evidence: EvidenceValues) -> None:
    (finding,) = evidence.check("Northwind Energy was founded in 1989.")[:1]
    assert finding == Finding(
        kind="date",
        claimed="1989",
        relation="contradicted",
        found="1998",
        sentence=0,
        span=Span(start=32, end=36),
    )
    assert finding.span.of(EVIDENCE[finding.sentence]) == finding.found


def test_the_value_elsewhere_in_the_evidence_clears_the_claim() -> None:
    sentence = "The bridge in Zeist carries 12 trains a day."
    claim = "The bridge in Zeist carries 15 trains a day."
    corrected = "Since the repair the bridge in Zeist carries 15 trains a day."
    assert [f.relation for f in check_values(claim, [sentence])][:1] == ["contradicted"]
    assert [f.relation for f in check_values(claim, [sentence, corrected])][:1] == ["confirmed"]


def test_tables_accuse_nobody() -> None:
    table = [
        "station | year | trains",
        "Zeist | 2021 | 12",
        "The station in Zeist had 12 trains in 2021.",
    ]
    findings = check_values("The station in Zeist had 15 trains in 2021.", table)
    assert all(finding.relation == "confirmed" for finding in findings)


def test_a_list_of_like_values_accuses_nobody() -> None:
    sentence = "Holm rowed at the 1952 Games, the 1956 Games and the 1960 Games."
    assert not [
        finding
        for finding in check_values("Holm rowed at the 1948 Games.", [sentence])
        if finding.relation == "contradicted"
    ]


def test_a_claim_that_differs_in_two_values_speaks_of_something_else() -> None:
    sentence = "In 2016 the line carried 3.9 million passengers a day."
    claim = "In 2015 the line carried 3.1 million passengers a day."
    assert check_values(claim, [sentence]) == []


def test_without_evidence_there_is_nothing_to_say() -> None:
    assert check_values("The mast is 31 m high.", []) == []
    assert check_values("", ["The mast is 31 m high."]) == []


def test_places_say_where_to_look() -> None:
    sentences = ["The pump in Delft has 12 valves.", "The pump in Zeist has 9 valves."]
    evidence = EvidenceValues.of(sentences)
    claim = "The pump in Delft has 15 valves."
    assert [f.sentence for f in evidence.check(claim, [0]) if f.kind == "number"] == [0]
    assert [f for f in evidence.check(claim, [1]) if f.kind == "number"] == []
    assert evidence.check(claim, []) == []


def test_a_value_stated_outside_the_places_is_not_accused() -> None:
    sentences = ["The pump in Delft has 12 valves.", "The pump in Delft now has 15 valves."]
    findings = EvidenceValues.of(sentences).check("The pump in Delft has 15 valves.", [0])
    assert [finding.relation for finding in findings if finding.kind == "number"] == []


def test_places_that_do_not_exist_are_no_error() -> None:
    evidence = EvidenceValues.of(["The pump in Delft has 12 valves."])
    assert evidence.check("The pump in Delft has 12 valves.", [-1, 7]) == []
