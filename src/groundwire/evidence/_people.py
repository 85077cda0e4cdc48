"""People and groups as documents name them."""

import re

from groundwire._patterns import lazy_pattern
from groundwire.evidence._days import DAY_WORDS, day_in
from groundwire.text import unmarked

_WITHIN_NAMES = "van von der den de di da del della la le el al bin ibn ter ten zu dos y"
_BODIES = "team group board office council committee department unit"
"""What a group that wrote a document is called by: "the storage team"."""
_SHORTENED = "jr sr inc ltd corp co dr"
# such as "<ada@example.org>", "(she/her)", "[email removed]", "ada@example.org"
_ADDRESS = lazy_pattern(r"<[^<>]*>|\([^()]*\)|\[[^\[\]]*\]|\S+@\S+|\bat \S+\.\w{2,}\b")
# between names: "Ada, Grace and Alan; Barbara"; not in "the core team and community"
_BETWEEN_NAMES = lazy_pattern(r"[,;&\n]|\b(?:and|en)\b(?=\s+[A-ZÀ-Þ])")
# before the day of "Ada on 2024-06-07", "Ada, 7 June 2024"
_BEFORE_DAY = lazy_pattern(r"[\s,–—-]*(?:\b(?:on|dated)\s+)?$")
# such as "TBD", "not yet named", "to be decided", "n/a", "unknown"
_NOBODY = lazy_pattern(
    r"(?:tb[acd]|todo|to (?:be|do)|no(?:t|ne|body| one)|unknown|unassigned|vacant|n/a)\b.*",
    re.IGNORECASE,
)
# what one does, after one's name: ", Head of Security", ", Data Architect", ", CTO", ", Head of
# Research and Development"; not the next name of "Ada Lund, Bo Li"
_POST = lazy_pattern(
    r"(?<=[a-zß-ÿ]),\s*(?:(?:deputy|acting|interim)\s+)?"
    r"(?:(?:head|chief|director|vice president|professor)\b(?:(?! and )[^,;&\n])*"
    r"|(?:\w+\s+){0,3}(?:director|manager|officer|engineer|architect|president|secretary|lead)"
    r"|(?-i:C[A-Z]{1,2}O|VP))(?: and [a-z]+)?(?=\s*(?:[,;&\n]|and\b|$))",
    re.IGNORECASE,
)
# such as "Lund, Ada"
_LAST_FIRST = lazy_pattern(r"(?P<last>[A-ZÀ-Þ][\w'’-]+),\s+(?P<first>[A-ZÀ-Þ][\w'’-]+\.?)")
_LEAST_NAME_WORDS = 2
_MOST_NAME_WORDS = 8


def names_in(value: str, *, is_one: bool = False) -> tuple[str, ...]:
    """ "Ada Lovelace <ada@example.org>, Grace Hopper" names two; "Lund, Ada" one, where the field
    is of one person or a semicolon stands between people."""
    bare = _POST.sub(_after_name, _without_days(_ADDRESS.sub(" ", unmarked(value))))
    people = [one.strip() for one in bare.split(";")]
    if (is_one or len(people) > 1) and all(map(_LAST_FIRST.fullmatch, people)):
        bare = ";".join(_LAST_FIRST.sub(r"\g<first> \g<last>", one) for one in people)
    parts = (" ".join(part.split()).strip(" ,-*|\\") for part in _BETWEEN_NAMES.split(bare))
    named = (_unstopped(part) for part in parts if any(map(str.isalpha, part)))
    return tuple(one for one in named if not _NOBODY.fullmatch(one))


def is_name(words: str) -> bool:
    """ "Ada de Vries", "the storage team"; not "hand", "Friday"."""
    parts = words.split()
    if parts[-1].lower() in _BODIES.split():
        return len(parts) <= _MOST_NAME_WORDS
    return not any(one.lower() in DAY_WORDS for one in parts) and all(
        one[:1].isupper() or one.lower() in _WITHIN_NAMES.split() for one in parts
    )


def may_be_name(words: str) -> bool:
    """ "Ada Lovelace", "the data office"; not "A string that holds the author's name"."""
    return len(words.split()) <= _MOST_NAME_WORDS


def _after_name(post: re.Match[str]) -> str:
    """Nothing, after a person; after a group or another post it is somebody of their own."""
    before = _BETWEEN_NAMES.split(post.string[: post.start()])[-1].split()
    is_person = len(before) >= _LEAST_NAME_WORDS and before[-1].lower() not in _BODIES.split()
    return "" if is_person else post[0]


def _without_days(text: str) -> str:
    """ "Ada on 2024-06-07, Bo on 2024-06-08" is "Ada, Bo"."""
    while (day := day_in(text)) is not None:
        text = _BEFORE_DAY.sub("", text[: day.start]) + text[day.end :]
    return text


def _unstopped(name: str) -> str:
    """Without the full stop of the sentence: "Ada Lovelace." but "Ada L.", "Acme Inc."."""
    last = name.rpartition(" ")[2]
    is_short = len(last) <= len("L.") or "." in last[:-1] or last[:-1].lower() in _SHORTENED.split()
    return name[:-1] if last.endswith(".") and not is_short else name
