"""How people ask for the meaning of a term, language by language, and what a question asks.

`asks` capture a term wherever they match; `may_ask` only a phrase the vocabulary knows. What is
captured is no term by itself when the question matches `exclusions` or the phrase, its article
still in front, matches `not_terms`.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple

from groundwire._patterns import lazy_pattern
from groundwire.text import plain

Patterns = tuple[re.Pattern[str], ...]


class Language(NamedTuple):
    asks: Patterns
    may_ask: Patterns
    articles: re.Pattern[str]
    not_terms: Patterns


def _all(*patterns: str) -> Patterns:
    return tuple(re.compile(pattern, re.IGNORECASE) for pattern in patterns)


def _articles(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?:{words})\s+|(?:l|d|qu)'", re.IGNORECASE)


EXCLUSIONS = _all(
    r"\b(?:adr|principle|principe|policy|beleid|pcp|dar)s?[.\-\s#_]*\d+",  # a document by number
    r"^(?:list|show|find|compare|summari[sz]e|toon|lijst|zeige?|liste|muestra|lista)\b",
    r"\bwhat\s+(?:should|can|will|would|must)\b",  # asks for advice
    r"\b(?:decisions?|decided|besloten|besluit(?:en)?)\s+(?:about|on|for|over|voor)\b",
    r"\b(?:in|from|by|across|within|under|uit|per)\s+(?:\w+\s+){0,3}?"
    r"(?:adrs?|adr's|polic(?:y|ies)|principles?|principes?|decisions?|documents?|documentation"
    r"|guidelines?|beleid|besluiten|richtlijnen)\b",  # what some document says
)

_ENGLISH = Language(
    asks=_all(
        r"what(?:\s+is|'s)\s+(?:the\s+)?(?:meaning|definition)\s+of\s+(.+)",
        r"what(?:\s+is|'s)\s+meant\s+by\s+(.+)",
        r"what\s+do\s+you\s+mean\s+by\s+(.+)",
        r"what(?:\s+exactly)?(?:\s+is|'s)(?:\s+exactly)?\s+(.+)",
        r"whats\s+(.+)",
        r"define\s+(?:the\s+(?:term|word|concept)\s+)?(.+)",
        r"(?:give\s+(?:me\s+)?)?(?:the\s+)?(?:meaning|definition)\s+of\s+(.+)",
        r"(?:cim|skosmos)\s+term\s+(.+)",
        r"explain\s+(?:the\s+)?term\s+(.+)",
        r"what\s+does\s+(?:the\s+(?:term|word)\s+)?(.+?)\s+(?:mean|stand\s+for)",
    ),
    may_ask=_all(r"what\s+are\s+(.+)"),
    articles=_articles("a|an|the"),
    not_terms=_all(
        # the policy on …, our requirements for …: something one has, not what a word means
        r"(?:the|this|that|these|those)\b.*\b(?:polic(?:y|ies)|adrs?|principles?|decisions?"
        r"|requirements?|guidelines?|rules?|recommendations?|approach|strategy|rationale)\b",
        r"(?:the\s+)?(?:difference|status|purpose|reason|role|impact|cost|price|number|date"
        r"|deadline|name|owner|value|limit|best\s+way|latest|maximum|minimum)\b"
        r".*\b(?:of|for|between|to|on|in|behind|version)\b",
        # the highest price for flexibility: a question about a thing, unless the vocabulary has it
        r"(?:the|our|its)\s+(?:[\w'-]+\s+){1,4}?(?:of|for|to|between|on|in|per|from|with|at|when)\s",
        # the largest message the broker accepts: a thing that is told apart, not a word
        r"the\s+(?:\w{2,}est|most|least|first|last|next|only|usual|total)\s+\w",
        # how plans are approved; done with photographs, stored in the archive
        r"(?:how|why|when|where|who|whether|which)\s",
        r"(?:\w+ed|done|kept|held|paid|sent|put|built|made|given|taken|written)"
        r"\s+(?:with|to|by|in|for|from|at|on|after|before|about)\b",
        r"\S.*\s(?:used|needed|required|allowed|responsible|good|meant)(?:\s+(?:for|by|to|in))?$",
        r"(?:in|on|at|about|for|from|with|behind|under|inside|by)\s",
        r"(?:decided|required|needed|used|allowed|mandated|recommended|expected|chosen|said|written"
        r"|described|documented|stated|being|going|happening|wrong|missing|not|new)\b",
        r"(?:it|this|that|there|here|up)$",
        r".*\b(?:we|our|ours|you|your|my|us)\b",
        r".*(?:\b(?:and|or|but)|,)\s+(?:how|why|when|where|who|what|which|should|can|does|do)\b",
    ),
)

_DUTCH = Language(
    asks=_all(
        r"wat\s+is\s+de\s+(?:betekenis|definitie)\s+van\s+(.+)",
        r"wat\s+wordt\s+(?:er\s+)?bedoeld\s+met\s+(.+)",
        r"wat\s+bedoel(?:t\s+u|en\s+we|\s+je)\s+met\s+(.+)",
        r"wat\s+is\s+(.+)",
        r"wat\s+betekent\s+(?:de\s+term\s+|het\s+begrip\s+)?(.+)",
        r"wat\s+houdt\s+(.+?)\s+in",
        r"definieer\s+(?:de\s+term\s+|het\s+begrip\s+)?(.+)",
        r"(?:de\s+)?(?:betekenis|definitie)\s+van\s+(.+)",
        r"leg\s+(?:de\s+term|het\s+begrip)\s+(.+?)\s+uit",
        r"verklaar\s+(?:de\s+term|het\s+begrip)\s+(.+)",
    ),
    may_ask=_all(r"wat\s+zijn\s+(.+)"),
    articles=_articles("een|de|het|'n"),
    not_terms=_all(
        r"(?:de|het|dit|dat|deze|die)\b.*(?:beleid|principes?|besluit(?:en)?|beslissing(?:en)?"
        r"|eisen|vereisten|richtlijn(?:en)?|regels?|aanpak|strategie)\b",
        r"(?:het\s+|de\s+)?(?:verschil|status|doel|reden|rol|prijs|datum|waarde)\b"
        r".*\b(?:van|voor|tussen|op|in)\b",
        r"(?:in|op|over|voor|van|met|onder)\s",
        r"(?:besloten|vereist|nodig|toegestaan|gekozen|geschreven|beschreven|er|niet|nieuw)\b",
        r"(?:het|dit|dat)$",
        r".*\b(?:wij|we|ons|onze|jullie|uw|je|jouw|mijn)\b",
        r".*(?:\b(?:en|of|maar)|,)\s+(?:hoe|waarom|wanneer|waar|wie|wat|welke|moet|kan)\b",
    ),
)

_GERMAN = Language(
    asks=_all(
        r"was\s+ist\s+die\s+(?:bedeutung|definition)\s+von\s+(.+)",
        r"was\s+versteht\s+man\s+unter\s+(.+)",
        r"was\s+ist\s+(.+)",
        r"was\s+(?:bedeutet|heißt)\s+(?:der\s+begriff\s+)?(.+)",
        r"definiere?\s+(?:den\s+begriff\s+)?(.+)",
        r"(?:bedeutung|definition)\s+von\s+(.+)",
        r"erkläre?\s+den\s+begriff\s+(.+)",
    ),
    may_ask=_all(r"was\s+sind\s+(.+)"),
    articles=_articles("ein|eine|einen|der|die|das|den"),
    not_terms=_all(
        r"(?:der|die|das)\b.*(?:richtlinien?|prinzip(?:ien)?|grundsätze?|entscheidung(?:en)?"
        r"|anforderung(?:en)?|regeln?|strategie)\b",
        r"(?:in|im|auf|über|für|von|mit|unter)\s",
        r"(?:entschieden|erforderlich|nötig|erlaubt|das|es|nicht|neu)\b",
        r".*\b(?:wir|uns|unsere?|ihr|euer|sie|mein)\b",
        r".*(?:\b(?:und|oder|aber)|,)\s+(?:wie|warum|wann|wo|wer|was|welche)\b",
    ),
)

_FRENCH = Language(
    asks=_all(
        r"quelle\s+est\s+la\s+(?:définition|signification)\s+(?:de\s+|du\s+|d')(.+)",
        r"qu'est[-\s]ce\s+(?:que\s+c'est\s+)?(?:que\s+|qu')(.+)",
        r"c'est\s+quoi\s+(.+)",
        r"que\s+(?:signifie|veut\s+dire)\s+(?:le\s+terme\s+)?(.+)",
        r"(?:définir|définis|définissez)\s+(?:le\s+terme\s+)?(.+)",
        r"(?:définition|signification)\s+(?:de\s+|du\s+|d')(.+)",
        r"expliquer?\s+le\s+terme\s+(.+)",
    ),
    may_ask=_all(r"que\s+sont\s+(.+)"),
    articles=_articles("un|une|le|la|les|des"),
    not_terms=_all(
        r"(?:le|la|les)\b.*\b(?:politiques?|principes?|décisions?|exigences?|règles?|stratégie)\b",
        r"(?:dans|sur|pour|avec|sous)\s",
        r".*\b(?:nous|notre|nos|vous|votre|vos|mon)\b",
        r".*(?:\b(?:et|ou|mais)|,)\s+(?:comment|pourquoi|quand|où|qui|quel(?:le)?s?)\b",
    ),
)

_SPANISH = Language(
    asks=_all(
        r"cuál\s+es\s+(?:la\s+definición|el\s+significado)\s+(?:de\s+|del\s+)(.+)",
        r"qu[eé]\s+es\s+(.+)",
        r"qu[eé]\s+(?:significa|quiere\s+decir)\s+(?:el\s+término\s+)?(.+)",
        r"(?:define|definir)\s+(?:el\s+término\s+)?(.+)",
        r"(?:definición|significado)\s+(?:de\s+|del\s+)(.+)",
        r"explica\s+el\s+término\s+(.+)",
    ),
    may_ask=_all(r"qu[eé]\s+son\s+(.+)"),
    articles=_articles("un|una|el|la|los|las"),
    not_terms=_all(
        r"(?:el|la|los|las)\b.*\b(?:políticas?|principios?|decisi(?:ón|ones)|requisitos?|reglas?)\b",
        r"(?:en|sobre|para|con|bajo)\s",
        r".*\b(?:nosotros|nuestr[oa]s?|usted|vuestr[oa]s?)\b",
        r".*(?:\b(?:y|o|pero)|,)\s+(?:cómo|cuándo|dónde|quién|cuál)\b",
    ),
)

LANGUAGES = (_ENGLISH, _DUTCH, _GERMAN, _FRENCH, _SPANISH)


MAX_QUESTION_CHARS = 400
MAX_TERM_WORDS = 8

# such as "Hello, could you please"
_COURTESY = lazy_pattern(
    r"(?:(?:please|hello|hi|hey|can you|could you|would you|kun je|kunt u|alstublieft)\b[\s,!]*)+",
    re.IGNORECASE,
)
_QUOTES = "\"'`\u201c\u201d\u201e\u00ab\u00bb"
_ENDING = "?!.;: "
# such as "“Business Actor”" of "“Business Actor” in ArchiMate"
_QUOTED = lazy_pattern(
    r"[\"\u201c\u201e\u00ab]([^\"\u201c\u201d\u00ab\u00bb]{1,100})[\"\u201d\u00bb]"
)
# such as "load, according to the grid code"
_QUALIFIED = lazy_pattern(r"(.{1,100}?),?\s+(?:according\s+to|in|within|volgens|binnen|laut)\s+\S")


class Asked(NamedTuple):
    """A phrase in the place of a term, without its article and as it was written.

    `certain` is false when other signs say that the question is about something else: then the
    phrase is a term only if the vocabulary has it as a label. `plural` is true for "What are …?"
    where nothing else speaks against a term: then a label in the singular will do. `within` are
    shorter phrases that are terms if the vocabulary has them: what stands in quotes, and what
    stands before “according to …” or “in …”.
    """

    phrases: tuple[str, ...]
    certain: bool
    plural: bool = False
    within: tuple[str, ...] = ()


def is_terminology_query(
    query: str, is_label: Callable[[str], bool] | None = None
) -> tuple[bool, str | None]:
    """Whether a question asks for a term's meaning, and for which term, in lower case.

    With `is_label`, a phrase that is a label of the vocabulary is a term whatever its words are.
    """
    asked = read_question(query)
    if asked is None:
        return False, None
    if is_label is not None:
        for phrase in asked.phrases:
            if is_label(phrase):
                return True, phrase.lower()
    return (True, asked.phrases[0].lower()) if asked.certain else (False, None)


def read_question(query: str) -> Asked | None:
    """The phrase a question asks the meaning of, if it has the form of such a question."""
    text = _tidied(query)
    if not text or len(text) > MAX_QUESTION_CHARS:
        return None
    for language in LANGUAGES:
        for pattern in language.asks:
            if (match := pattern.fullmatch(text)) is not None:
                return _asked(text, match[1], language)
    for language in LANGUAGES:
        for pattern in language.may_ask:
            if (match := pattern.fullmatch(text)) is not None:
                asked = _asked(text, match[1], language)
                return asked and Asked(asked.phrases, certain=False, plural=asked.certain)
    return None


def _tidied(query: str) -> str:
    text = plain(unicodedata.normalize("NFKC", query[: MAX_QUESTION_CHARS * 2]))
    text = " ".join(text.split()).strip(" \u00bf\u00a1").rstrip(_ENDING)
    courtesy = _COURTESY.match(text)
    return text[courtesy.end() :] if courtesy else text


def _asked(text: str, captured: str, language: Language) -> Asked | None:
    whole = captured.strip(_QUOTES + " ")
    article = language.articles.match(whole)
    bare = (whole[article.end() :] if article else whole).strip(_QUOTES + " ")
    if not bare:
        return None
    phrases = (bare,) if bare == whole else (bare, whole)
    certain = _may_be_a_term(text, whole, language)
    return Asked(phrases, certain=certain, within=tuple(_within(captured, bare)))


def _within(captured: str, bare: str) -> Iterator[str]:
    """A word of the asker's may hide in more words: “Business Actor” in ArchiMate."""
    quoted = _QUOTED.search(captured)
    if quoted is not None and quoted[1].strip() != bare:
        yield quoted[1].strip()
    before = _QUALIFIED.match(bare)
    if before is not None and before[1].strip(_QUOTES + " "):
        yield before[1].strip(_QUOTES + " ")


def _may_be_a_term(text: str, phrase: str, language: Language) -> bool:
    return (
        len(phrase.split()) <= MAX_TERM_WORDS
        and not any(pattern.search(text) for pattern in EXCLUSIONS)
        and not any(pattern.match(phrase) for pattern in language.not_terms)
    )
