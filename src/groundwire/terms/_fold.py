"""When two spellings are the same term, and which of several texts is shown."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.text import same_letters

MAX_TERM_CHARS = 300
"""Nothing longer is looked up, as a term or as a label."""

# such as "power-transformer", "power_transformer"
_JOINERS = lazy_pattern(r"[-_/]+")
# such as "PowerTransformer"; not within the plural of an acronym: DSOs
_CAMEL_HUMP = lazy_pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])(?![A-Z]s\b)")


def normalize(term: str) -> str:
    """The key under which answers are cached [S3 Gap A]: lower case, trimmed, single spaces."""
    return " ".join(term.split()).lower()


def loose_key(text: str) -> str:
    """Equal also for `power-transformer`, `power_transformer` and `PowerTransformer`."""
    return " ".join(_JOINERS.sub(" ", same_letters(_CAMEL_HUMP.sub(" ", text))).split())


# such as a bell, an escape sequence of a terminal, half of a surrogate pair
_CONTROL = lazy_pattern("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")


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
