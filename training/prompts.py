"""What is asked of the writer, and the claims in what it writes.

A small model errs by itself when it retells a text, and that is what is wanted: claims as models
make them, true and false. The teacher, with its adapter, then says how well each is supported.
"""

import re

KINDS = {
    "facts": "Write five statements of fact that the text supports. "
    "Use your own words, one sentence per line.",
    "wrong": "Write five statements that sound as if the text said them, but each has one detail "
    "changed: a name, a number, a date, a place, a cause or a result. One sentence per line. "
    "Do not mention what was changed.",
    "extra": "Write four sentences that continue or explain the text with details that it does "
    "not state. Keep its topic and its names. One sentence per line.",
    "summary": "Summarise the text in two or three sentences.",
    "headline": "Write one sentence that says the most important thing in the text.",
    "answers": "Ask three questions about the text and answer each in one full sentence that can "
    "be understood alone. Format: Q: ... A: ...",
    "questions": "Write four questions that the text answers, then two questions about the same "
    "things that the text nearly answers, but does not. Each must be understood without seeing "
    "the text. One question per line, no answers.",
    "plain": "Write four questions that the text answers, as someone would ask them who has never "
    "seen it and knows none of its terms: everyday words and descriptions, none of the text's own "
    "key words. One question per line, no answers.",
    "conclusions": "Write four conclusions that a reader might draw from the text: two that follow "
    "when its sentences are put together, two that go further than it does. One sentence per line.",
}
QUESTIONS = frozenset({"questions", "plain"})
SHARES = {
    "facts": 5,
    "wrong": 5,
    "extra": 2,
    "summary": 3,
    "headline": 1,
    "answers": 1,
    "questions": 6,
    "plain": 5,
    "conclusions": 2,
}
"""How often each is asked for, in thirtieths."""
TURN = (
    "<|im_start|>system\nYou are a careful writer.<|im_end|>\n<|im_start|>user\nText:\n{text}\n\n"
    "{task}<|im_end|>\n<|im_start|>assistant\n"
)
MIN_WORDS, MAX_WORDS = 4, 110
MAX_QUESTION_WORDS = 40

_BULLET = re.compile(r"^\s*(?:[-*•]|\(?\d{1,2}[.):]|Q:|A:)?\s*")
_ABOUT_THE_TEXT = re.compile(
    r"\b(?:the|this) (?:\w+ )?(?:text|passage|article|document|statements?|sentences?|author)\b"
    r"|^here (?:is|are)\b|^sure\b|\bnot [^,.;]+, but\b|\?$|:$",
    re.IGNORECASE,
)
# such as "according to the text"
_THE_TEXT = re.compile(r"\b(?:the|this) (?:text|passage|author)\b", re.IGNORECASE)
_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")


def prompt(text: str, kind: str) -> str:
    return TURN.format(text=text, task=KINDS[kind])


def claims_in(kind: str, written: str, *, finished: bool) -> list[str]:
    """The claims of what was written; one that was cut off is left out."""
    lines = [line for line in written.splitlines() if line.strip()]
    if kind == "answers":
        lines = [part for line in lines for part in re.findall(r"A: *([^\n]+)", line)]
    if not finished:
        lines = lines[:-1]
    if kind == "summary":
        whole = " ".join(lines)
        sentences = _SENTENCE_END.split(whole)
        lines = [whole, *sentences] if len(sentences) > 1 else [whole]
    cleaned = (_BULLET.sub("", line, count=1).strip() for line in lines)
    return list(dict.fromkeys(claim for claim in cleaned if _is_claim(claim)))


def questions_in(written: str, *, finished: bool) -> list[str]:
    """The questions of what was written; one that was cut off is left out."""
    lines = [line for line in written.splitlines() if line.strip()]
    if not finished:
        lines = lines[:-1]
    cleaned = (_BULLET.sub("", line, count=1).strip(' *"') for line in lines)
    return list(
        dict.fromkeys(
            line
            for line in cleaned
            if line.endswith("?")
            and MIN_WORDS <= len(line.split()) <= MAX_QUESTION_WORDS
            and not _THE_TEXT.search(line)
        )
    )


def _is_claim(line: str) -> bool:
    words = len(line.split())
    return MIN_WORDS <= words <= MAX_WORDS and not _ABOUT_THE_TEXT.search(line)
