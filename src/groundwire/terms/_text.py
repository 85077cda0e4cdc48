import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


class Text(NamedTuple):
    """A text and its language tag; no tag is the empty string, so that texts can be ordered."""

    text: str
    lang: str = ""


def clean(text: str) -> str:
    """Without control characters, which a terminal would obey, and without space around it."""
    return _CONTROL.sub("", text).strip()


def best(texts: Iterable[Text], languages: Sequence[str]) -> Text | None:
    """The text in the first language there is one in, then an untagged one, then any."""
    return min(texts, key=lambda text: (_rank(text.lang, languages), text), default=None)


def best_together(texts: Iterable[Text], languages: Sequence[str]) -> Text | None:
    """Like `best`, with every text of that language, each on a line of its own."""
    texts = list(texts)
    first = best(texts, languages)
    if first is None:
        return None
    same = sorted({text.text for text in texts if text.lang == first.lang})
    return Text("\n".join(same), first.lang)


def _rank(lang: str, languages: Sequence[str]) -> int:
    primary = lang.lower().split("-")[0]
    wanted = [language.lower().split("-")[0] for language in languages]
    if primary in wanted:
        return wanted.index(primary)
    return len(wanted) + (1 if lang else 0)
