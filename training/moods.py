"""Sentences that tell what happened, and the same with another verb around it: what was meant to
happen, is hoped for, asked for, said of, supposed.

`training.frames` puts a whole sentence into another; here it is the sentence's own verb that is
governed, as people mostly write. Cues come in two halves, so that one can be learnt from and the
other tell whether what was learnt is more than a list of words.
"""

import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from training import frames

SILENT = (
    "{np} was supposed to {base} {rest}.",
    "{np} is due to {base} {rest}.",
    "{np} may well {base} {rest}.",
    "{np} might have {pp} {rest}.",
    "{np} could have {pp} {rest}.",
    "{np} plans to {base} {rest}.",
    "{np} hopes to {base} {rest}.",
    "{np} wants to {base} {rest}.",
    "{np} was asked to {base} {rest}.",
    "{np} was invited to {base} {rest}.",
    "{np} has offered to {base} {rest}.",
    "{np} is expected to {base} {rest}.",
    "{np} should {base} {rest}.",
    "{np} would {base} {rest}.",
    "{np} promised to {base} {rest}.",
    "{np} intends to {base} {rest}.",
    "{np} is thought to have {pp} {rest}.",
    "{np} is rumoured to have {pp} {rest}.",
    "{np} is believed to have {pp} {rest}.",
    "{np} claims to have {pp} {rest}.",
    "{np} is alleged to have {pp} {rest}.",
    "{np} is to {base} {rest}.",
    "{np} will {base} {rest}.",
    "{np} had been meant to {base} {rest}.",
    "{np} was about to {base} {rest}.",
    "{np} was ready to {base} {rest}.",
    "{np} was advised to {base} {rest}.",
    "{np} is considering whether to {base} {rest}.",
    "{np} was told to {base} {rest}.",
    "{np} has yet to {base} {rest}.",
    "{np} was scheduled to {base} {rest}.",
    "{np} seems to have {pp} {rest}.",
    "{np} has applied to {base} {rest}.",
    "{np} was allowed to {base} {rest}.",
    "{np} can {base} {rest}.",
    "Did {np} {base} {rest}?",
    "Did {np} {base} {rest}? Nobody knows.",
    "Had {np} {pp} {rest}, nobody would have complained.",
    "Should {np} {base} {rest}, the office must be told.",
    "Were {np} to {base} {rest}, things would change.",
    "If {np} {base} {rest}, call the office.",
    "There is talk of {np} having {pp} {rest}.",
    "There are plans for {np} to {base} {rest}.",
    "A proposal for {np} to {base} {rest} was sent in.",
    "Everybody is waiting for {np} to {base} {rest}.",
    "The adviser recommends that {np} {base} {rest}.",
    "Neighbours are asking for {np} to {base} {rest}.",
    "The chairman is convinced that {np} {past} {rest}.",
    "A letter, which the office disputes, says that {np} {past} {rest}.",
    "In the made-up tale {np} {past} {rest}.",
    "In the second chapter of the novel {np} {past} {rest}.",
    "To do: {base} {rest}.",
    "[ ] {base} {rest}",
    "Please {base} {rest}.",
    "{np}: please {base} {rest} and sign here.",
    "Quiz, right or wrong: {np} {past} {rest}.",
    "Sample text for the form: {np} {past} {rest}.",
    "Our guess is that {np} {past} {rest}; nobody has looked into it.",
    "The theory is that {np} {past} {rest}.",
    "The reason could be that {np} {past} {rest}.",
    "Imagine {np} {past} {rest}.",
    "One idea is for {np} to {base} {rest}.",
    "It remains to be shown that {np} {past} {rest}.",
    "Legend has it that {np} {past} {rest}.",
    "The advertisement promises that {np} will {base} {rest}.",
    "In her dream {np} {past} {rest}.",
    "The forecast is for {np} to {base} {rest}.",
    "In the exercise for new staff {np} {past} {rest}.",
    "As a joke somebody wrote that {np} {past} {rest}.",
    "An unsigned letter alleges that {np} {past} {rest}.",
    "The other side maintains that {np} {past} {rest}.",
    "He is sure that {np} {past} {rest}, though he was not there.",
    "{np} was to have {pp} {rest}.",
    "{np} had hoped to {base} {rest}.",
    "{np} is thinking about whether to {base} {rest}.",
    "{np} has threatened to {base} {rest}.",
    "Ideally {np} would {base} {rest}.",
    "In the worst case {np} will {base} {rest}.",
    "Once {np} has {pp} {rest}, the fee falls due.",
    "Until {np} has {pp} {rest}, the gate stays shut.",
    "The clerk noted a complaint, which nobody checked, that {np} {past} {rest}.",
    "Nobody has confirmed the story that {np} {past} {rest}.",
    "The children's book tells how {np} {past} {rest}.",
    "Word goes round that {np} {past} {rest}.",
    "Goal for next year: {base} {rest}.",
    "Wanted: somebody to {base} {rest}.",
)
STATED = (
    "{np} {past} {rest}.",
    "{np} did {base} {rest}.",
    "{np} managed to {base} {rest}.",
    "{np} went on to {base} {rest}.",
    "{np} was the first to {base} {rest}.",
    "{np} is known to have {pp} {rest}.",
    "{np} was found to have {pp} {rest}.",
    "{np} was seen to {base} {rest}.",
    "{np} was proved to have {pp} {rest}.",
    "{np} has now {pp} {rest}.",
    "{np} has since {pp} {rest}.",
    "{np} had already {pp} {rest}.",
    "{np} finally {past} {rest}.",
    "{np} also {past} {rest}.",
    "As planned, {np} {past} {rest}.",
    "As expected, {np} {past} {rest}.",
    "After long talks {np} {past} {rest}.",
    "When asked, {np} {past} {rest}.",
    "In the end {np} {past} {rest}.",
    "Once the office had agreed, {np} {past} {rest}.",
    "Now that the plan is approved, {np} has {pp} {rest}.",
    "Yesterday {np} {past} {rest}, as had been hoped.",
    "The minutes show that {np} {past} {rest}.",
    "We looked and saw that {np} had {pp} {rest}.",
    "A letter, which the office confirms, says that {np} {past} {rest}.",
    "It was established that {np} {past} {rest}.",
    "Two people have proved that {np} {past} {rest}.",
    "Done: {np} {past} {rest}.",
    "[x] {np} {past} {rest}",
    "Note: {np} {past} {rest}.",
    "Result: {np} {past} {rest}.",
    "For comparison: {np} {past} {rest}.",
    "The reason is that {np} {past} {rest}.",
    "That {np} {past} {rest} is certain.",
    "The book also tells of a true event: {np} {past} {rest}.",
    "{np} {past} {rest}, which nobody disputes.",
    "{np} must {base} {rest}.",
    "{np} has to {base} {rest}.",
    "{np} may not {base} {rest}.",
    "He knows that {np} {past} {rest}, for he was there.",
    "The clerk noted a complaint, which proved right, that {np} {past} {rest}.",
    "Since {np} has {pp} {rest}, the gate stands open.",
    "The newspaper tells how {np} {past} {rest}.",
    "Goal reached: {np} {past} {rest}.",
    "Somebody was found to {base} {rest}, and did so.",
)
"""What is laid down holds as such: it is left to the judge."""

OBJECT_SILENT = (
    "{np} asked for {rest}.",
    "{np} wants {rest}.",
    "{np} would like {rest}.",
    "{np} has offered {rest}.",
    "{np} is looking for {rest}.",
    "{np} is considering {rest}.",
    "{np} recommends {rest}.",
    "{np} suggested {rest}.",
    "{np} dreams of {rest}.",
    "{np} has applied for {rest}.",
    "There is talk of {rest}.",
    "There are rumours of {rest}.",
    "A quote for {rest} was asked for.",
    "People in the street are hoping for {rest}.",
    "The next step would be {rest}.",
    "An offer of {rest} is on the table.",
)
OBJECT_STATED = (
    "{np} got {rest}.",
    "{np} has {rest}.",
    "{np} received {rest}.",
    "{np} signed for {rest}.",
    "{np} now has {rest}, as it had asked.",
    "There was {rest}.",
    "We found {rest}.",
    "The invoice for {rest} was paid.",
    "{np} took {rest}.",
    "{np} used {rest}.",
)
"""Of what a verb has as its object: what is asked for or offered is not there yet."""
_OBJECT = re.compile(r"(?:an?|its|his|her|their|new|two|three|four|several|many)\b")
_IRREGULAR = {
    "made": ("make", "made"), "took": ("take", "taken"), "gave": ("give", "given"), "won": ("win", "won"),  # noqa: E501
    "led": ("lead", "led"), "found": ("find", "found"), "became": ("become", "become"), "began": ("begin", "begun"),  # noqa: E501
    "wrote": ("write", "written"), "went": ("go", "gone"), "came": ("come", "come"), "left": ("leave", "left"),  # noqa: E501
    "held": ("hold", "held"), "built": ("build", "built"), "brought": ("bring", "brought"), "bought": ("buy", "bought"),  # noqa: E501
    "sold": ("sell", "sold"), "lost": ("lose", "lost"), "sent": ("send", "sent"), "grew": ("grow", "grown"),  # noqa: E501
    "fell": ("fall", "fallen"), "rose": ("rise", "risen"), "ran": ("run", "run"), "met": ("meet", "met"),  # noqa: E501
    "got": ("get", "got"), "saw": ("see", "seen"), "spent": ("spend", "spent"), "paid": ("pay", "paid"),  # noqa: E501
    "taught": ("teach", "taught"), "kept": ("keep", "kept"), "told": ("tell", "told"), "wore": ("wear", "worn"),  # noqa: E501
    "broke": ("break", "broken"), "drove": ("drive", "driven"), "chose": ("choose", "chosen"), "fought": ("fight", "fought"),  # noqa: E501
    "was": ("be", "been"), "were": ("be", "been"),
}  # fmt: skip
# of a regular past its base: "stopped", "carried", "moved", "opened"
_DOUBLED = re.compile(r"([bdgmnprt])\1ed$")
_KEEPS_E = re.compile(r"(?:[aeiou][cdgksuvz]|[^aeiou]l|[rn][cgs]|at|it|ut|ir|ar|or|ur|is|iv|in)ed$")
_SUBJECT_WORDS = 7
_NOT_A_SUBJECT = re.compile(
    r"[,;:?\"()]|\b(?:that|which|who|when|if|after|because|there|it|this)\b", re.IGNORECASE
)
_LONGEST_WORDS = 32


class Told(NamedTuple):
    """A plain sentence, taken apart at its verb."""

    subject: str
    past: str
    base: str
    participle: str
    rest: str


class Mood(NamedTuple):
    text: str
    is_stated: bool
    half: int
    """Which half of the cues it was made with; 0 for the sentence as it was."""


def taken_apart(sentence: str) -> Told | None:
    """Of "The mill brought the flour." its subject, verb and rest."""
    words = sentence.strip().rstrip(".").split()
    if not sentence.strip().endswith(".") or len(words) > _LONGEST_WORDS or len(words) < 4:
        return None
    for place, word in enumerate(words[1:_SUBJECT_WORDS], 1):
        forms = _forms(word)
        if forms is not None:
            subject, rest = " ".join(words[:place]), " ".join(words[place + 1 :])
            if _NOT_A_SUBJECT.search(subject) or not rest or words[place + 1] in {"not", "by"}:
                return None
            return Told(subject, word, *forms, rest)
    return None


def _forms(word: str) -> tuple[str, str] | None:
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not re.fullmatch(r"[a-z]{2,}ed", word) or word.endswith("eed"):
        return None
    if word.endswith("ied"):
        return word[:-3] + "y", word
    if _DOUBLED.search(word):
        return word[:-3], word
    return (word[:-1] if _KEEPS_E.search(word) else word[:-2]), word


def moods(sentence: str, rng: random.Random, each: int) -> Iterator[Mood]:
    """The sentence, and so many of it that state it and that do not; of both halves alike."""
    told = taken_apart(sentence)
    yield Mood(sentence.strip(), is_stated=True, half=0)
    inner = frames.inner(sentence)
    kinds = (
        (True, STATED, OBJECT_STATED, frames.STATING),
        (False, SILENT, OBJECT_SILENT, frames.SILENT),
    )
    for is_stated, governed, of_object, whole in kinds:
        own: tuple[str, ...] = governed
        if told is not None and told.base != "be" and _OBJECT.match(told.rest):
            own = governed if rng.random() < 1 / 2 else of_object
        for _ in range(each):
            if told is not None and rng.random() < 2 / 3:
                place = rng.choice([n for n, one in enumerate(own) if _fits(one, told)])
                yield Mood(_put(own[place], told), is_stated, 1 + place % 2)
            elif inner is not None:
                place = rng.randrange(len(whole))
                yield Mood(whole[place].format(s=inner), is_stated, 1 + place % 2)


def _fits(frame: str, told: Told) -> bool:
    """No "did be"."""
    return told.base != "be" or "did {" not in frame.lower()


def _put(frame: str, told: Told) -> str:
    opens = frame.startswith("{np}")
    subject = told.subject if opens else frames.in_mid_sentence(told.subject)
    made = frame.format(
        np=subject, base=told.base, past=told.past, pp=told.participle, rest=told.rest
    )
    return made[0].upper() + made[1:]
