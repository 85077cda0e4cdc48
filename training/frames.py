"""Sentences that say something, and sentences that only seem to: evidence made of claims by rule.

A claim that is put as a question, a plan, a wish, a rumour or a condition is not shown by it; the
same claim in a frame that stands behind it is. Frames of both sorts share their words as far as
possible, so that no word gives the label away.
"""

import random
import re
from typing import NamedTuple

SILENT = (
    "Does it hold that {s}? Nobody has checked.",
    "Is it true that {s}?",
    "The open question is whether {s}.",
    "It is not known whether {s}.",
    "We still have to find out whether {s}.",
    "If {s}, the office must be told.",
    "Should it turn out that {s}, the plan changes.",
    "Unless {s}, nothing will be paid.",
    "In case {s}, call the duty officer.",
    "Suppose {s}. Then the rest would follow.",
    "Assume for the exercise that {s}.",
    "Imagine that {s}.",
    "In the story, {s}.",
    "The sample answer reads: {s}. It is only an example.",
    "True or false: {s}.",
    "Some people believe that {s}.",
    "He is convinced that {s}, but nobody looked.",
    "There is talk that {s}.",
    "According to a rumour, {s}.",
    "The neighbours suspect that {s}.",
    "One reader claims that {s}; the editors could not confirm it.",
    "The report, which the committee disputes, states that {s}.",
    "It has been alleged that {s}.",
    "Perhaps {s}.",
    "It may be that {s}.",
    "It is possible that {s}, though nothing points to it.",
    "It might one day be the case that {s}.",
    "The members hope that {s}.",
    "They wish that {s}.",
    "Residents are asking that {s}.",
    "The adviser recommends that {s}; no decision was taken.",
    "It has been proposed that {s}.",
    "An offer was made so that {s}; it has not been answered.",
    "They were invited to see to it that {s}.",
    "The plan is that {s}.",
    "It was supposed to be so that {s}, and whether it came about is not recorded.",
    "Next year it should be the case that {s}.",
    "To do: make sure that {s}.",
    "Please see to it that {s}.",
    "Whoever shows that {s} will be rewarded.",
    "The test would fail only if {s}.",
    "Had things gone otherwise, one could say that {s}.",
    "Before anyone says that {s}, it has to be measured.",
    "The draft said that {s}; this line was struck out.",
    "The question of whether {s} was put off.",
    "Nobody could say whether {s}.",
    "The witness was asked whether {s} and gave no answer.",
    "An earlier version assumed that {s}.",
    "The model predicts that {s}.",
    "It would be wonderful if {s}.",
)
DENYING = (
    "It is not true that {s}.",
    "It is false that {s}.",
    "Contrary to what was said, it is not the case that {s}.",
    "The claim that {s} was shown to be wrong.",
    "At first it was wrongly believed that {s}.",
    "It turned out not to be so that {s}.",
    "The idea that {s} has been ruled out.",
    "Nobody should think that {s}: it is simply untrue.",
    "The investigation showed that it is wrong to say that {s}.",
    "That {s} is a mistake in the first edition; it was corrected.",
)
STATING = (
    "It is true that {s}.",
    "It was checked, and it holds that {s}.",
    "The committee confirmed that {s}.",
    "Records show that {s}.",
    "It is known that {s}.",
    "It turned out that {s}.",
    "Measurements showed that {s}.",
    "It is no longer in question that {s}.",
    "The question was settled: {s}.",
    "As was hoped, {s}.",
    "What had been a rumour was confirmed: {s}.",
    "As planned, {s}; the work is finished.",
    "It had been doubted, but it is a fact that {s}.",
    "After all, {s}.",
    "The inspection found that {s}.",
    "We saw for ourselves that {s}.",
    "The suspicion proved right: {s}.",
    "It has been established that {s}.",
    "Everyone now agrees, and the files prove, that {s}.",
    "If anyone asks: {s}, and that is certain.",
    "Yes, {s}.",
    "It came about as proposed: {s}.",
    "Note that {s}.",
    "Last year it was found that {s}.",
    "The office has it in writing that {s}.",
)

# a claim that opens with these keeps its small letter: "The pump", "It"; names keep theirs
_COMMON = re.compile(
    r"(?:The|A|An|It|He|She|They|There|This|These|Those|In|On|At|During|Some|All|Many|Most|No|Every|Each|Both|His|Her|Its|Their|Our|We|One|Two|Three)\b"
)
_LONGEST_WORDS = 30


class Framed(NamedTuple):
    context: str
    claim: str
    label3: str
    kind: str


def framed(claim: str, around: list[str], rng: random.Random) -> list[Framed]:
    """The claim as evidence of all three sorts, each between other sentences or alone."""
    said = inner(claim)
    if said is None:
        return []
    made = []
    for frames, label3 in ((SILENT, "neutral"), (DENYING, "refuted"), (STATING, "supported")):
        sentence = rng.choice(frames).format(s=said)
        one = Framed(_among(sentence, around, rng), claim.strip(), label3, f"framed_{label3}")
        made.append(one)
    return made


def inner(claim: str) -> str | None:
    """A claim as it stands inside another sentence; None where it is none or too long."""
    stated = claim.strip()
    if not stated.endswith(".") or "?" in stated or len(stated.split()) > _LONGEST_WORDS:
        return None
    return in_mid_sentence(stated[:-1])


def in_mid_sentence(words: str) -> str:
    return words[0].lower() + words[1:] if _COMMON.match(words) else words


def _among(sentence: str, around: list[str], rng: random.Random) -> str:
    others = rng.sample(around, min(len(around), rng.choice((0, 0, 1, 2, 3))))
    place = rng.randint(0, len(others))
    return " ".join([*others[:place], sentence, *others[place:]])
