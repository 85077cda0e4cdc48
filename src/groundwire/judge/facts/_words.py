"""Words as the alignment compares them: without endings, and only those that carry meaning."""

from functools import lru_cache

from groundwire.values import word_set

STOP_WORDS = word_set(
    "a an the this that these those it its he his him she her hers they their them we our us you"
    " your i my me of in on at by for from to with as and or but nor so yet if then than when while"
    " is are was were be been being am has have had having do does did doing will would shall"
    " should can could may might must also there here who whom whose which what where why how into"
    " onto upon about above after again against any during before until out up down off through per"
    " via s t d ll re ve m such too very just only both each own same around approximately nearly"
    " almost roughly some over under between within since least most said says say according"
)
FURTHER = word_set(
    "another other others further additional extra remaining else rest more also again each apiece"
)
"""A number beside one of these counts a rest, not the whole."""
PRONOUNS = word_set("he she it they we i you this that these those here there its his her their")
"""A sentence that begins with one of these speaks of something another sentence names."""
COPULAS = word_set("is was are were")

_NEGATIONS = word_set(
    "not no never neither nor none without cannot nobody nothing hardly"
    " nicht kein keine keinen niet geen jamais nunca"
)
_ENDINGS = (
    ("ations", "at"),
    ("ation", "at"),
    ("ies", "y"),
    ("ied", "y"),
    ("sses", "ss"),
    ("ings", ""),
    ("ing", ""),
    ("edly", ""),
    ("ed", ""),
    ("ers", ""),
    ("er", ""),
    ("es", ""),
    ("s", ""),
    ("ly", ""),
)
_SHORTEST_STEM = 3
_IRREGULAR = {
    word: stem
    for stem, words in {
        "win": "won wins winning",
        "make": "made making",
        "sell": "sold",
        "buy": "bought",
        "build": "built",
        "begin": "began begun",
        "hold": "held",
        "lead": "led",
        "meet": "met",
        "pay": "paid",
        "run": "ran",
        "send": "sent",
        "spend": "spent",
        "take": "took taken",
        "writ": "wrote written",
        "die": "died dies death dead dying",
        "grow": "grew grown",
        "fall": "fell fallen",
        "ris": "rose risen",
        "lose": "lost",
        "go": "went gone",
        "come": "came",
        "become": "became",
        "found": "found founded",
        "man": "men",
        "woman": "women",
        "child": "children",
        "people": "people person persons",
        "born": "born birth births",
        "life": "lives",
        "foot": "feet",
    }.items()
    for word in word_set(words)
}


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its endings: rough, and the same for claim and evidence."""
    word = word.replace("\u2019", "'").removesuffix("'s").replace("'", "")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if not word.endswith("ss"):
        for ending, rest in _ENDINGS:
            if word.endswith(ending) and len(word) - len(ending) >= _SHORTEST_STEM:
                word = word.removesuffix(ending) + rest
                break
    if len(word) > _SHORTEST_STEM + 1:
        word = word.removesuffix("e")
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2]:
        word = word[:-1]
    return word


def is_negation(word: str) -> bool:
    return word in _NEGATIONS or word.endswith(("n't", "n\u2019t"))
