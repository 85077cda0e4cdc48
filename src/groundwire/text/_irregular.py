"""Forms that no ending tells: "won" is "win", "children" is "child"."""

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
