"""Words as the alignment compares them: without endings, and only those that carry meaning."""

from functools import lru_cache

STOP_WORDS = frozenset(
    "a an the this that these those it its he his him she her hers they their them we our us you"
    " your i my me one's of in on at by for from to with as and or but nor so yet if then than when"
    " while is are was were be been being am has have had having do does did doing will would shall"
    " should can could may might must also there here who whom whose which what where why how into"
    " onto upon about above after again against any during before until out up down off through per"
    " via s t d ll re ve m such too very just only both each own same around approximately nearly"
    " almost roughly some over under between within since least most said says say according".split()
)
NEGATIONS = frozenset("not no never neither nor none without cannot nobody nothing hardly".split())
# a number behind one of these counts a rest, not the whole
FURTHER = frozenset(
    "another other others further additional extra remaining else rest more also again".split()
)
PRONOUNS = frozenset("he she it they his her its their him them who which this these".split())

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


@lru_cache(maxsize=65536)
def stem(word: str) -> str:
    """A word without its endings: rough, and the same for claim and evidence."""
    word = word.replace("\u2019", "'").removesuffix("'s").replace("'", "")
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    for ending, rest in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word.removesuffix(ending) + rest
            break
    if len(word) > 4 and word[-1] == "e":
        word = word[:-1]
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word


_IRREGULAR = dict(
    pair.split(":")
    for pair in (
        "won:win wins:win winning:win made:make making:make sold:sell bought:buy built:build"
        " began:begin begun:begin held:hold led:lead met:meet paid:pay ran:run sent:send"
        " spent:spend took:take taken:take wrote:writ written:writ died:die dies:die death:die"
        " dead:die dying:die grew:grow grown:grow fell:fall fallen:fall rose:ris risen:ris"
        " lost:lose went:go gone:go came:come became:become found:found founded:found"
        " men:man women:woman children:child people:people persons:people person:people"
        " born:born birth:born births:born lives:life feet:foot"
    ).split()
)


def is_negation(word: str) -> bool:
    return word in NEGATIONS or word.endswith(("n't", "n\u2019t"))
