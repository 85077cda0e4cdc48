"""What is said of one thing shows nothing of another of its kind."""

import pytest

from groundwire.judge.facts import EvidenceValues

SIBLINGS = [
    ("The Marl Bank solar park has 40 inverters.", "The Dunes solar park has 40 inverters."),
    ("Project Linnet ended in May.", "We know that project Curlew ended in May."),
    ("The ferry Astrid carries 80 cars.", "On Sundays the ferry Solveig carries 80 cars."),
    ("The Ruskin library closes at six.", "Since March the Hallam library closes at six."),
    ("A pump in the Osgood mill failed.", "A pump in the Prentice mill failed."),
    ("He runs the Tarn clinic.", "He runs the Vesper clinic."),
    ("In line Corvus the press stood still.", "In line Lyra the press stood still."),
    ("Rents in the Amsel district rose.", "Rents in the Falken district rose."),
    ("The coach of the Rovers team left.", "The coach of the Wanderers team left."),
    ("They bought the Kestrel printer.", "They bought the Merlin printer."),
]


@pytest.mark.parametrize(("claim", "sentence"), SIBLINGS)
def test_another_name_beside_the_same_noun(claim: str, sentence: str) -> None:
    evidence = EvidenceValues.of([sentence])
    assert evidence.differs(claim, [0])
    assert not [one for one in evidence.check(claim) if one.is_whole]


@pytest.mark.parametrize(("claim", "sentence"), SIBLINGS)
def test_the_name_is_known(claim: str, sentence: str) -> None:
    """Where the evidence has the name anywhere, the judge decides."""
    assert not EvidenceValues.of([sentence, claim]).differs(claim, [0])


@pytest.mark.parametrize(
    ("claim", "sentence"),
    [
        ("It is an American band.", "It is a United States band."),
        ("The EU budget rose.", "The European budget rose."),
        ("Yesterday the clinic opened.", "In Bergen clinic doors opened."),
        ("Smith wrote the report.", "Mr Smith's report was written."),
        ("The engine of the Aurora failed.", "The engine of the ship failed."),
        ("The Marl Bank park opened.", "The park opened."),
    ],
)
def test_what_may_be_another_word_for_it_is_left_alone(claim: str, sentence: str) -> None:
    assert not EvidenceValues.of([sentence]).differs(claim, [0])
