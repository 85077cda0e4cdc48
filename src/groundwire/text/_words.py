"""Forms that no ending tells: "won" is "win", "children" is "child"."""

import unicodedata
from collections.abc import Iterable
from enum import IntEnum
from threading import local
from typing import TYPE_CHECKING, NamedTuple

from groundwire._kept import WORD_CHARS, kept
from groundwire._patterns import lazy_pattern
from groundwire.model import Span

if TYPE_CHECKING:
    from snowballstemmer import Stemmer

# base, past, participle
_VERBS = """
arise arose arisen|awake awoke awoken|bear bore born|beat beat beaten|become became become|
begin began begun|bend bent bent|bet bet bet|bind bound bound|bite bit bitten|blow blew blown|
break broke broken|breed bred bred|bring brought brought|build built built|burn burnt burnt|
buy bought bought|catch caught caught|choose chose chosen|come came come|cost cost cost|
cut cut cut|deal dealt dealt|dig dug dug|draw drew drawn|drink drank drunk|drive drove driven|
eat ate eaten|fall fell fallen|feed fed fed|feel felt felt|fight fought fought|find found found|
flee fled fled|fly flew flown|forbid forbade forbidden|forget forgot forgotten|
freeze froze frozen|get got gotten|give gave given|go went gone|grow grew grown|hang hung hung|
hear heard heard|hide hid hidden|hit hit hit|hold held held|hurt hurt hurt|keep kept kept|
know knew known|lay laid laid|lead led led|learn learnt learnt|leave left left|lend lent lent|
let let let|lie lay lain|light lit lit|lose lost lost|make made made|mean meant meant|
meet met met|overcome overcame overcome|pay paid paid|put put put|quit quit quit|read read read|
ride rode ridden|ring rang rung|rise rose risen|run ran run|say said said|see saw seen|
seek sought sought|sell sold sold|send sent sent|set set set|shake shook shaken|
shine shone shone|shoot shot shot|show showed shown|shut shut shut|sing sang sung|
sink sank sunk|sit sat sat|sleep slept slept|speak spoke spoken|spend spent spent|
split split split|spread spread spread|stand stood stood|steal stole stolen|stick stuck stuck|
strike struck struck|swear swore sworn|swim swam swum|take took taken|teach taught taught|
tear tore torn|tell told told|think thought thought|throw threw thrown|
undergo underwent undergone|understand understood understood|undertake undertook undertaken|
wake woke woken|wear wore worn|win won won|withdraw withdrew withdrawn|
withstand withstood withstood|write wrote written
"""
# singular, then what counts as the same word
_NOUNS = """
man men|woman women|child children|person people persons|foot feet|tooth teeth|mouse mice|
knife knives|half halves|shelf shelves|loaf loaves|index indices indexes|
matrix matrices|vertex vertices|analysis analyses|crisis crises|axis axes|
criterion criteria|phenomenon phenomena|medium media|die died dies death dead dying|
birth born births
"""

VERBS: tuple[tuple[str, str, str], ...] = tuple(
    (base, past, participle)
    for entry in _VERBS.replace("\n", "").split("|")
    for base, past, participle in [entry.split()]
)
BASE_OF: dict[str, str] = {
    form: forms[0]
    for entry in _NOUNS.replace("\n", "").split("|")
    for forms in [entry.split()]
    for form in forms[1:]
} | {form: base for base, *forms in VERBS for form in forms if form != base}
for _word in ("found", "saw", "left", "felt", "ground", "wound", "bore", "lay", "shot", "led"):
    BASE_OF.pop(_word, None)  # more often a word of its own than the past of another


_PLAIN = str.maketrans(
    dict.fromkeys("\u2018\u2019\u02bc\uff07\u00b4\u2032", "'")
    | dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212", "-")
)
# "1,204.5", "1'204" · "don't", "café" · any other mark but the invisible ones
_LETTERS = r"[^\W\d_]+"
_ACCENTS = r"[\u0300-\u036f]"
# such as "1,204.5" or "1'204", then "don't" or "café", then any visible mark
_ATOM = lazy_pattern(
    r"(\d+(?:[.,\u00b7]\d+|['\u2019](?=\d{3}(?!\d))\d+)*)"
    rf"|({_LETTERS}(?:(?:['\u2019]|{_ACCENTS}+){_LETTERS})*{_ACCENTS}*)"
    r"|([^\s\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u00ad])"
)
# "1,204.5" · "T2", "pg_stat", "don't"
_WORD = lazy_pattern(r"\d[\d.,]*\d|\w+(?:'\w+)*")
# "1,204" · "co-founder", "e.g", "v1.2" · any mark
_TOKEN = lazy_pattern(r"\d{1,3}(?:,\d{3})+|\w+(?:['.-]\w+)*|[^\w\s]")

STOP_WORDS = frozenset(
    """a an and are as at be been being but by can could did do does doing for from had has have
    having he her here hers him his how i if in into is it its itself just may me might more
    most must my no nor not of off on once only or other our ours out over own same shall she
    should so some such than that the their theirs them then there these they this those through
    to too under until up very was we were what when where which while who whom why will with
    would you your yours also about after again against all am any because before below between
    both during each few further us whose onto upon above per via yet around approximately
    nearly almost roughly within since least down said says say according isn't aren't wasn't
    weren't don't doesn't didn't hasn't haven't hadn't won't can't wouldn't couldn't shouldn't
    mustn't it's that's there's i'm we're they're i've we've""".split()
)
_POSSESSIVE = ("'s", "'")
PRONOUNS = frozenset(
    "he she it they we i you this that these those here there its his her their".split()
)
"""What opens with one speaks of something another sentence names."""


class Kind(IntEnum):
    NUMBER = 1
    WORD = 2
    MARK = 3


class Atom(NamedTuple):
    """A run of digits with its separators, a word, or one other character."""

    kind: Kind
    text: str
    lower: str
    start: int
    end: int


class Token(NamedTuple):
    """A word as grammar sees it ("co-founder", "don't"), or one mark."""

    text: str
    start: int
    end: int

    @property
    def low(self) -> str:
        return self.text.lower()

    @property
    def is_capitalised(self) -> bool:
        return self.text[0].isupper()


_KINDS: dict[int | None, Kind] = {1: Kind.NUMBER, 2: Kind.WORD, 3: Kind.MARK}


def plain(text: str) -> str:
    """With straight apostrophes and hyphens; every character stays in its place."""
    return text if text.isascii() else text.translate(_PLAIN)


def atoms_of(text: str) -> list[Atom]:
    """The finest pieces: values are read from these."""
    atoms = []
    for match in _ATOM.finditer(text):
        piece = match.group()
        start, end = match.span()
        atoms.append(Atom(_KINDS[match.lastindex], piece, plain(piece).lower(), start, end))
    return atoms


def tokens_of(text: str) -> list[Token]:
    """Words and marks in order: clauses are read from these."""
    return [Token(match.group(), *match.span()) for match in _TOKEN.finditer(plain(text))]


def words_of(text: str) -> list[str]:
    """The words of a text in lower case, marks left out."""
    return _WORD.findall(plain(text).casefold())


def placed_words(text: str) -> list[Token]:
    """What `words_of` reads, as written and each with its place."""
    return [Token(match.group(), *match.span()) for match in _WORD.finditer(plain(text))]


def content_terms(text: str) -> list[str]:
    """Stems of the words that carry content, in order; numbers without thousands separators."""
    return [stem(word) for word in words_of(text) if word not in STOP_WORDS]


def has_phrase(text: str, phrases: Iterable[str]) -> bool:
    """Whether one of them stands there in whole words: "in force" in "Is it in-force?"."""
    said = f" {' '.join(words_of(text))} "
    return any(f" {phrase} " in said for phrase in phrases)


def unaccented(text: str) -> str:
    """Without the accents of its letters: "café" is "cafe". Offsets change."""
    if text.isascii():
        return text
    return "".join(
        char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char)
    )


@kept(50_000, WORD_CHARS)
def stem(word: str) -> str:
    """One form for a word's forms: "won", "wins" → "win"; "exhausted", "exhaustion" → "exhaust"."""
    word = plain(word).casefold()
    if word[:1].isdigit():
        return word.replace(",", "").rstrip(".")
    for ending in _POSSESSIVE:
        word = word.removesuffix(ending)
    stemmed: str = _stemmer().stemWord(BASE_OF.get(word, word))
    return stemmed


_own = local()


def _stemmer() -> "Stemmer":
    """One for each thread: it works on a word in place, and two at once would mix theirs."""
    if not hasattr(_own, "stemmer"):
        import snowballstemmer

        _own.stemmer = snowballstemmer.stemmer("english")
    found: Stemmer = _own.stemmer
    return found


def word_list(text: str) -> list[str]:
    """Words written in one string: long lists stay readable."""
    return text.split()


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def same_letters(text: str) -> str:
    """Equal for spellings that differ in case, width, spacing or invisible characters only."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text)
        text = plain("".join(char for char in text if unicodedata.category(char) != "Cf"))
    text = unicodedata.normalize("NFKC", text.casefold())
    return " ".join(text.split())


def find_quote(quote: str, text: str) -> Span | None:
    """Where `quote` stands in `text`, after NFKC and white-space normalisation of both."""
    wanted, _ = _folded(quote)
    if not wanted:
        return None
    exact = text.find(quote.strip())
    if exact >= 0:
        return Span(start=exact, end=exact + len(quote.strip()))
    folded, origins = _folded(text)
    at = folded.find(wanted)
    if at < 0:
        return None
    return Span(start=origins[at], end=origins[at + len(wanted) - 1] + 1)


def _folded(text: str) -> tuple[str, list[int]]:
    """The normal form, and for each of its characters the one of `text` it came from."""
    pieces: list[str] = []
    origins: list[int] = []
    in_gap = True
    for index, character in enumerate(text):
        if character.isspace():
            if not in_gap:
                pieces.append(" ")
                origins.append(index)
            in_gap = True
            continue
        in_gap = False
        for piece in unicodedata.normalize("NFKC", character):
            pieces.append(piece)
            origins.append(index)
    if in_gap and pieces:
        pieces.pop()
        origins.pop()
    return "".join(pieces), origins
