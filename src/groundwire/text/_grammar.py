"""Just enough English grammar to find verbs: word lists and endings, no model.

Every use errs towards leaving text as it stands: an unsplit claim is still a claim.
"""

from groundwire._kept import WORD_CHARS, kept
from groundwire.text._words import VERBS, Token

AUXILIARIES = frozenset(
    """is are was were am has have had does do did will would can could shall should may might must
    isn't aren't wasn't weren't hasn't haven't hadn't doesn't don't didn't won't wouldn't can't
    cannot couldn't shouldn't mustn't""".split()
)
COPULAS = frozenset({"is", "was", "are", "were"})
BE_FORMS = frozenset("is are was were been being be am isn't aren't wasn't weren't".split())
MODALS = frozenset(
    """will would can could shall should may might must cannot can't won't wouldn't couldn't
    shouldn't mustn't""".split()
)

_REGULAR = """
abandon abolish accept access account accuse achieve acquire act adapt add address adjust
administer admit adopt advance advise affect agree aim alert allocate allow alter amend amount
analyse analyze announce answer appeal appear apply appoint approach approve argue arrange arrest
arrive ask assert assess assign assist assume assure attach attack attempt attend attract
authorise authorize award back ban base bear believe belong benefit block board boost borrow
breach calculate call campaign cancel capture carry cause celebrate certify challenge change
charge check cite claim classify clean clear climb close collapse collect combine command
commission commit communicate compare compete complain complete comply comprise compute conceal
concede conclude conduct configure confirm connect consider consist constitute construct consult
consume contact contain continue contribute control convert convict cooperate coordinate copy
correct count cover create cross crash damage date decide declare decline decrease dedicate defeat
defend define degrade delay delete deliver demand demonstrate denounce deny depart depend deploy
derive describe design destroy detect determine develop devote die differ direct disable disagree
disappear discard disclose discontinue discover discuss dismiss display dispute distribute divide
document dominate donate double drop earn ease edit educate elect eliminate emerge emit employ
enable encourage encrypt end endorse enforce engage enhance enjoy enroll ensure enter equal escape
establish estimate evaluate evolve examine exceed exchange exclude execute exercise exhibit exist
expand expect expel experience expire explain explode explore export express extend face
facilitate fail favour favor feature fetch file fill filter finance finish fire fix flag flow
focus follow force forecast form formulate found fund gain generate govern grant guarantee guide
handle happen head help highlight hire host house identify ignore illustrate implement imply
import impose improve include incorporate increase indicate inform inherit initiate injure insert
inspect inspire install integrate intend interact interpret introduce invade invent invest
investigate invite involve isolate issue join judge jump justify kill label lack land last launch
legalise license lift like limit link list listen live load locate lock log look love lower
maintain manage mandate manufacture map mark market marry match matter maximise measure mention
merge migrate minimise monitor mount move murder name need negotiate note notice notify number
obey object observe obtain occupy occur offer open operate oppose order organise organize
originate outline output overlap oversee own paint participate pass patch perform permit persist
pick place plan plant play point pose position possess post postpone power practise precede
predict prefer prepare present preserve press prevent print proceed process produce prohibit
project promise promote propose prosecute protect prove provide publish purchase push qualify
question quote raise range rank rate reach react realise rebuild recall receive recognise
recognize recommend record recover redirect reduce refer reflect refuse regain register regulate
reject relate release relocate rely remain remember remind remove rename renew rent reopen repair
repeat replace reply report represent request require rescue research reserve reset reside resign
resist resolve respond restart restore restrict result resume retain retire retreat retrieve retry
return reveal reverse review revise revoke reward roll rotate route rule sail sample sanction
satisfy save scan schedule score search secure select separate serve settle shape share shift ship
shrink sign signal simplify slow solve sort sound span specify sponsor stabilise staff stage start
state stay stem stop store stream strengthen study submit succeed suffer suggest suit supply
support suppress surge surpass surprise surrender surround survive suspect suspend switch tackle
talk target tend terminate test threaten tie touch tour trace track trade train transfer transform
translate transmit travel treat trigger trim try turn type uncover undermine unify unite update
upgrade uphold upload urge use utilise vacate validate value vary verify violate visit vote wait
walk want warn waste watch weaken weigh welcome widen work worry yield
"""

_PASTS: dict[str, str] = {}
_PARTICIPLES: dict[str, str] = {}
BASE_VERBS: set[str] = set(_REGULAR.split()) | {"be", "have", "do"}
for _base, _past, _participle in VERBS:
    BASE_VERBS.add(_base)
    _PASTS.setdefault(_past, _base)
    _PARTICIPLES.setdefault(_participle, _base)

_NOUNS_AND_VERBS = frozenset(
    """trip leak jam stall crack clog spike drain overload overheat flap reboot corrode vibrate
    drift disconnect heat cool alarm dip fluctuate pump smoke swell warm""".split()
)
"""As often a noun or an adjective: of these only the past tells a verb ("tripped")."""
_NOT_VERBS = frozenset(
    """hundred indeed need seed speed red bed breed weed feed shed sled ted embed unprecedented
    united based less its his this was has does always perhaps yes news series species means
    thus plus across besides towards previous various afterwards nonetheless nevertheless""".split()
)
INTRANSITIVE = frozenset(
    """died went came became rose fell grew moved remained lived served arrived returned resigned
    retired emerged appeared disappeared occurred happened collapsed worked stayed stood sat
    lay began ended continued started stopped failed succeeded expired""".split()
)
_NEEDS_NO_OBJECT = frozenset(
    """account act adapt add adjust admit advance advise agree aim amount answer appeal appear apply
    approach argue arrive ask assist attempt attend become begin believe belong bend benefit bet
    board borrow burn call campaign care carry change check clean clear climb close collapse combine
    come commit communicate compete complain comply conclude connect consist consult continue
    contribute cooperate coordinate corrode count crack crash cross cut date deal decide decline
    decrease delay depart depend derive develop die differ dig dip disagree disappear disconnect
    divide double drain drift drop drive ease eat emerge end engage enroll enter escape evolve
    exist expand expire explode explore extend fail fall feed feel fight filter finish fire flee
    flow fluctuate focus follow freeze gain go grow happen head hear heat help hit hold improve
    increase indicate inquire interact invest jam join jump keep land last launch lead leak learn
    leave lie listen live lock log look lose marry matter meet merge migrate move negotiate
    object occur open operate originate overheat overlap participate pass pay perform persist
    play point practise prepare press proceed protest push qualify quit range rank reach react
    read reboot recover refer register rely relocate remain reopen reply report reside resign
    respond restart result resume retire retreat retry return reverse ring rise roll rotate rule
    run sail score search separate serve set settle shift shine shoot shrink shut sign sink sit
    sleep slow smoke sound speak spend spike split spread stall stand start stay stem stick stop
    stream strike struggle study succeed suffer surge surrender survive swell switch talk tear
    tend terminate think tour trade train transform travel trip try turn unite vary vibrate visit
    vote wait wake walk warn warm watch weaken weigh widen win withdraw work worry write
    yield""".split()
)
"""Bases whose past may be the verb though no object follows; of others it is then a participle."""
PREPOSITIONS = frozenset(
    """in on at by to from for with as into during after before under over of about between
    through against within without since until via across per near upon towards toward along
    among""".split()
)
MONTH = "May"
"""Within a sentence the verb is written small: "sold in May"."""
_TAKES_A_CLAUSE = frozenset("ensure verify confirm assume let give have keep leave".split())
"""No nouns, and another verb's form may follow their object: "Ensure keys expire"."""
_BEFORE_ITS_VERB = frozenset("also always never often only still all both each sometimes".split())


@kept(20_000, WORD_CHARS)
def is_past(word: str) -> bool:
    """A past tense or a participle: endings cannot tell which."""
    if word in _NOT_VERBS:
        return False
    return word in _PASTS or word in _PARTICIPLES or _is_regular_past(word)


def _is_regular_past(word: str) -> bool:
    if not word.endswith("ed"):
        return False
    candidates = _bases_of_regular(word)
    return bool(candidates & BASE_VERBS or candidates & _NOUNS_AND_VERBS)


def _bases_of_regular(past: str) -> set[str]:
    """What "stopped", "moved", "carried", "opened" may be forms of."""
    stem = past[:-2]
    return {stem, past[:-1], stem[:-1], stem[:-1] + "y"}


def may_be_participle(word: str) -> bool:
    """ "built", "sold", "elected"; not "sank" or "grew", whose participles are others."""
    return is_past(word) and (word in _PARTICIPLES or word not in _PASTS)


def needs_object(past: str) -> bool:
    """ "The ferry built in 1990" lacks one and so its verb; "the gate opened in 1990" does not."""
    irregular = _PASTS.get(past) or _PARTICIPLES.get(past)
    bases = {irregular} if irregular else _bases_of_regular(past)
    return not bases & _NEEDS_NO_OBJECT and past not in INTRANSITIVE


@kept(20_000, WORD_CHARS)
def is_present(word: str) -> bool:
    """The third person singular of a known verb."""
    if word in _NOT_VERBS or not word.endswith("s"):
        return False
    candidates = {word[:-1]}
    if word.endswith("es"):  # "users" is no form of "use"
        candidates |= {word[:-2], word[:-3] + "y"}
    return bool(candidates & BASE_VERBS)


def is_base(word: str) -> bool:
    return word in BASE_VERBS


def is_auxiliary(word: str) -> bool:
    return word in AUXILIARIES or word in BE_FORMS


def is_preposition(word: str) -> bool:
    return word in PREPOSITIONS


def is_finite(word: str) -> bool:
    return word in AUXILIARIES or is_past(word) or is_present(word)


def first_finite(tokens: list[Token], start: int = 0) -> int | None:
    """Where the first finite verb stands that has something before it to be its subject."""
    for place in range(start, len(tokens)):
        word = tokens[place].low
        if place == start or not is_finite(word) or tokens[place].text == MONTH:
            continue
        if word not in AUXILIARIES and _is_no_verb_here(tokens, place):
            continue
        if word == "am" and tokens[place - 1].text[:1].isdigit():  # "9 am"
            continue
        return place
    return None


def has_plural_subject(tokens: list[Token]) -> bool:
    """ "Access keys expire", "Object sizes often vary": a verb's form after what opens as a verb,
    too, but must then be a noun. In an order a noun is followed by no other verb's form."""
    if tokens[0].low in _TAKES_A_CLAUSE:
        return False
    subject = tokens[0]
    for token in tokens[1:]:
        if is_base(token.low) and token.text.islower() and _is_plural_noun(subject):
            return True
        if token.low not in _BEFORE_ITS_VERB and not token.low.endswith("ly"):
            subject = token
    return False


def _is_plural_noun(token: Token) -> bool:
    """ "keys", "IDs"; not "DNS", "Paris", "agent's" or "this"."""
    text = token.text.replace("-", "")
    is_noun = text.isalpha() and text.endswith("s") and (text.islower() or text[:-1].isupper())
    return is_noun and looks_plural(token.low) and token.low not in _NOT_VERBS


def looks_plural(word: str) -> bool:
    return word.endswith("s") and not word.endswith(("ss", "us", "is"))


def _is_no_verb_here(tokens: list[Token], place: int) -> bool:
    """`the proposed rule`, `the tests`: after a determiner a verb's form is no verb."""
    before = tokens[place - 1].low
    if place + 1 < len(tokens) and tokens[place + 1].is_capitalised:
        return False
    return before in {"the", "a", "an", "its", "their", "his", "her", "this", "these", "of", "no"}
