"""The words that change what a sentence does with what it says: one set, read by `_status` alone.

Patterns are matched on `plain` text, in any case. Each has an example beside it.
"""

import re

from groundwire._patterns import lazy_pattern
from groundwire.text._words import plain, word_set

_NEGATIVES = word_set(
    "not no never neither nor none without cannot nobody nothing nowhere hardly barely scarcely"
    " nicht kein keine keinen niet geen jamais nunca"
)


def is_negation(word: str) -> bool:
    """Of a single word: "not", "didn't" with either apostrophe, "geen"."""
    word = plain(word).lower()
    return word in _NEGATIVES or word.endswith("n't")


_RULING_OUT = word_set(
    "only alone sole solely exclusively nothing nobody none nowhere never always all every each"
    " any both entirely throughout whole single no"
)


def rules_out_others(word: str) -> bool:
    """Of a single word: with "only", "every" or "never" a statement leaves no room beside it."""
    return plain(word).lower() in _RULING_OUT


def denies_verb(word: str) -> bool:
    """ "not", "never", "didn't"; "no" and "without" deny a thing."""
    word = plain(word).lower()
    return word in {"not", "never", "cannot"} or word.endswith("n't")


VERB_NEGATION = r"(?:n't|\s+not|\s+never)"
"""Within a verb, for patterns of constructions: "was" + this + "caused by"."""


def pattern(*alternatives: str) -> re.Pattern[str]:
    """Whole words, any white space, any case."""
    joined = "|".join(alternatives).replace(" ", r"\s+")
    return lazy_pattern(rf"(?<![\w-])(?:{joined})(?![\w-])", re.IGNORECASE)


# "did not", "no packets", "failed to start", "lacks a seal", "the leak was ruled out"
NEGATION = pattern(
    r"not|never|no longer|neither|nor|none|nobody|nothing|nowhere|without|cannot|\w+n't|no",
    r"hardly|barely|scarcely|lack(?:s|ed|ing)?|unable|incapable|fail(?:s|ed|ing|ure)? to",
    r"absen(?:t|ce)|rul(?:e|es|ed|ing) out|exclud(?:e|es|ed)|den(?:y|ies|ied)|negative for",
    r"refus(?:e|es|ed) to|free (?:of|from)|instead of|rather than|far from|devoid of",
    r"anything but|false(?:ly)? that|zero|yet to|ceas(?:e|es|ed) to|stop(?:s|ped) \w+ing",
)
# not denials: "not only fast", "no fewer than 5", "cannot be overstated", "no. 7", "not uncommon"
NO_NEGATION = pattern(
    r"(?:not|\w+n't) (?:only|just|merely|simply|least|solely)|not to mention|no doubt",
    r"no (?:fewer|less|more|later|earlier|sooner) than|no sooner|no matter|no wonder",
    r"nothing (?:but|short of)|none other|(?:cannot|can't|can not) be (?:over|under)\w+",
    r"without (?:a |any )?doubt|without question|not in(?:significant|frequent|considerable)",
    r"not un(?:common|usual|like|reasonable|important|willing)|not im(?:possible|probable)",
    r"(?:cannot|can't|could not|couldn't) (?:help|agree more)|and nothing else|no\.? ?\d+",
    r"nos?\.|if not|or not|whether or not|why not|not until|never fails? to|no later|no less",
    r"no problem|more often than not",
)
# "may leak", "is thought to", "possibly", "we suspect"; "could not be merged" is a fact
HEDGE = pattern(
    r"looks? (?:as|like)|might|may(?! \d)|could(?! not (?!have))|perhaps|maybe|possibly",
    r"possible|possibility|potential(?:ly)?|probabl[ey]|probability|likely|unlikely|likelihood|presumabl[ey]",
    r"supposedly|allegedly|apparent(?:ly)?|conceivabl[ey]|putative(?:ly)?|plausibl[ey]",
    r"seem(?:s|ed|ingly)?|appear(?:s|ed)?(?= (?:to|that|as)\b)|suggest(?:s|ed|ing|ive)?",
    r"indicat(?:e|es|ed|ing) that|impl(?:y|ies|ied)|suspect(?:s|ed)?|suspicion",
    r"assum(?:e|es|ed|ing|ption)|hypothes\w+|speculat\w+|believ(?:e|es|ed)|thought to|think",
    r"thinks|guess(?:es|ed)?|suppos(?:e|es|ed)(?! to)|unclear|unknown|uncertain\w*|unsure",
    r"not (?:sure|certain|clear|known)|doubt(?:s|ful|ed)?|rumou?r\w*|estimated? to|expected to",
    r"must have|should have been|reportedly|arguably|roughly speaking|tentative(?:ly)?",
    r"questionable|consistent with|can be (?:seen|considered) as|in theory|theoretical(?:ly)?",
    r"working theory|hunch|reckon(?:s|ed)?|(?:feeling|impression|notion|belief|fear|guess) that",
)
# no more than a guess: an answer that says it claims nothing ("may" alone is often a permission)
GUESS = pattern(
    r"perhaps|maybe|possibly|conceivably|presumably|supposedly|allegedly|might",
    r"(?:may|could) (?:well )?have (?:been )?\w+(?:ed|en|n|t)|(?:could|may) be that",
    r"it (?:seems|appears|looks like)|(?:seems?|appears?) to",
    r"i (?:think|believe|guess|suspect|assume|suppose|imagine)",
    r"(?:i'm|i am) not (?:sure|certain)",
    r"not (?:entirely )?(?:sure|certain|clear) (?:if|whether)",
    r"(?:it is|it's) (?:unclear|(?:possible|conceivable) that)",
)
# "if the valve opens", "unless", "had it opened", "would have failed"
CONDITION = pattern(
    r"if|unless|in case|in the event|provided that|providing that|as long as|so long as",
    r"assuming|on condition|would|wouldn't|could have|wish(?:es|ed)?",
    r"were (?:it|he|she|they|we|the \w+) to",
    r"had (?:it|he|she|they|we|i|you|the \w+) (?:not |never )?(?:been|\w+ed)|otherwise",
    r"should (?:you|it|they|the \w+) \w+(?=[^.]*,)|suppose|supposing|only if|if only|lest",
    r"hypothetically",
)
# no conditions: "if anything", "asked if", "as if", "even if you feel well"
NO_CONDITION = pattern(
    r"if anything|if any|if not|as if|even if|if you will|if ever",
    r"(?:ask|asks|asked|wonder|wonders|wondered|see|check|checked|know|knows|knew|unclear"
    r"|unknown|determine|determined|tell|told|sure|doubt|test|tested|decide|question|verify) if",
)
# "whether it leaks", "wondered why", "remains to be seen"
INDIRECT_QUESTION = pattern(
    r"whether|remains? to be seen|open question",
    r"(?:wonder(?:s|ed|ing)?|ask(?:s|ed|ing)?|question is) (?:if|why|how|what|who|where|when"
    r"|which|whether)",
    r"(?:see|check|checked|determine|determined|test|tested|verify|decide) (?:if|whether)",
    r"(?:unclear|unknown|not known|not clear|don't know|do not know|unsure|yet to (?:learn"
    r"|find out)) (?:if|why|how|what|who|where|when|which)",
)
# "must be grounded", "shall check", "is required to", "Please note"
ORDER = pattern(
    r"must(?! have)|shall|should(?! have)|ought to|ha(?:s|ve) to|needs? to",
    r"(?:is|are) (?:required|obliged|asked|advised|encouraged|not allowed|not permitted"
    r"|forbidden|prohibited) to",
    r"(?:is|are) to(?= \w+)|mandatory|please|kindly|let's|let us|make sure|be sure to",
    r"remember to|may not|mustn't|shouldn't|(?:is|are|was|were) supposed to",
)
# what must, may or must not be, in whatever words: "compulsory", "is entitled to", "is due"
DUTY = pattern(
    r"must|shall|should|ought to|ha(?:s|ve|d) to|needs? to|may|mustn't|can(?:not)?",
    r"oblig(?:e|es|ed|ation|ations|atory)|compulsory|mandatory|forbid(?:s|den)?|forbade",
    r"prohibit(?:s|ed|ion)?|permit(?:s|ted)?|permission|permissible|allow(?:s|ed)?|ban(?:s|ned)?",
    r"requir(?:e|es|ed|ement|ements)|optional|duty|duties|entitled|authori[sz]ed|at liberty",
    r"necessary|unnecessary|free to|not required|due|deadlines?|limit(?:s|ed)?|you will",
)
# "will move", "is going to", "plans to", "TODO", "scheduled for May"
PLAN = pattern(
    r"will|won't|\w+'ll|going to|gonna|plan(?:s|ned|ning)? (?:to|for|on)",
    r"intend(?:s|ed|ing)? to|intention to|aim(?:s|ed|ing)? (?:to|at)",
    r"schedul(?:ed|ing) (?:for|to)|to-?do|to do(?=:)|fixme|tbd",
    r"decid(?:e|es|ed|ing) (?:to|on|that|against)|decision is|agreed to",
    r"propos(?:e|es|ed|al|ing)|upcoming|about to|due to be|on the roadmap|roadmap",
    r"to be (?:done|added|decided|completed|replaced|removed|migrated|confirmed|reviewed"
    r"|fixed|built|written)",
    r"want(?:s|ed)? to|hop(?:e|es|ed|ing) to|next (?:week|month|quarter|year|sprint|release)",
    r"ought to be done|action item",
)
# a note to oneself: "TODO grease the sheaves", "FIXME:"
TO_DO = lazy_pattern(r"(?:TODO|TO DO|FIXME|TBD)\b")
# a task that is done: "[x] replace the lamp"
TICKED = lazy_pattern(r"(?:[-*+] +)?(?:\[[xX]\]|[\u2611\u2705\u2713\u2714])")
# no plans any more: "as proposed", "as had been planned", "as they intended to"
NO_PLAN = pattern(
    r"as (?:\w+ ){0,2}(?:been )?(?:planned|proposed|scheduled|intended|agreed|decided)(?: \w+)?",
    r"(?:planned|proposed|scheduled) \w+ (?:was|were) (?:built|made|held|finished|opened)",
)
# nothing at all
NOTHING = lazy_pattern(r"(?!)")
# of plans those that are settled: "decided to", "agreed to"
DECISION = pattern(r"decid(?:e|es|ed|ing) (?:to|on|that|against)|decision is|agreed to")
# "for example", "suppose a tank", "in the novel"
EXAMPLE = pattern(
    r"for example|for instance|e\.g|such as when|suppose|supposing|imagine|hypothetical(?:ly)?",
    r"let's say|let us say|picture this|consider (?:a|an|the case|this)|example",
    r"sample (?:text|data|code|config\w*|output|answer|letter|invoice|report|contract|form|file)",
    r"in (?:the|this|his|her|our|a) (?:novel|story|film|movie|play|game|tale|series|example"
    r"|scenario|exercise|fable|episode)",
    r"once upon a time|fictional|fiction|scenario|dummy|placeholder|lorem ipsum|foo|acme",
    r"john doe|jane doe|thought experiment|say(?=,)",
)
_SAID = (
    r"said|says|say|saying|state[sd]?|stating|claim(?:s|ed|ing)?|argu(?:e|es|ed|ing)"
    r"|report(?:s|ed|ing)?|announc(?:e|es|ed)|announcing|den(?:y|ies|ied)|insist(?:s|ed|ing)?"
    r"|maintain(?:s|ed)?|assert(?:s|ed)?|believ(?:e|es|ed)|thinks?|thought|told|tells?|tell"
    r"|warn(?:s|ed|ing)?|wrote|writes?|add(?:s|ed|ing)?|explain(?:s|ed|ing)?|not(?:es|ed|ing)"
    r"|suggest(?:s|ed)?|confirm(?:s|ed)?|acknowledg(?:e|es|ed)|admit(?:s|ted)?"
    r"|complain(?:s|ed)?|predict(?:s|ed)?|estimat(?:e|es|ed)|expect(?:s|ed)?|fear(?:s|ed)?"
    r"|hop(?:e|es|ed)|recall(?:s|ed)?|describ(?:e|es|ed)|contend(?:s|ed)?|alleg(?:e|es|ed)"
    r"|conclud(?:e|es|ed)|testif(?:y|ies|ied)|repl(?:y|ies|ied)|answer(?:s|ed)?"
    r"|promis(?:e|es|ed)|accus(?:e|es|ed)|vow(?:s|ed)?|remark(?:s|ed)?|declar(?:e|es|ed)"
    r"|learned|heard|cit(?:e|es|ed)|quot(?:e|es|ed)"
)
# such as "said", "believes", "told"
SAID = pattern(_SAID)
# these take a clause without "that": "said it leaks"
SAYS = pattern(
    r"said|says|say|claim(?:s|ed)|argu(?:es|ed)|insist(?:s|ed)|believ(?:e|es|ed)|thinks?",
    r"thought|told|den(?:ies|ied)|alleg(?:es|ed)|warn(?:s|ed)|announc(?:es|ed)|contend(?:s|ed)",
    r"suspect(?:s|ed)",
)
# with these a text leaves it to the speaker: "the vendor claims that", "she believes", "he denied"
DISTANCED = pattern(
    r"claim(?:s|ed|ing)?|argu(?:e|es|ed|ing)|den(?:y|ies|ied)|insist(?:s|ed|ing)?",
    r"believ(?:e|es|ed)|thinks?|thought|predict(?:s|ed)?|expect(?:s|ed)?",
    r"fear(?:s|ed)?|hop(?:e|es|ed)|contend(?:s|ed)?|alleg(?:e|es|ed)|suspect(?:s|ed)?",
    r"assum(?:e|es|ed)|maintain(?:s|ed)?",
)
# "according to the operator", "in the vendor's view", "per the vendor"
ACCORDING = pattern(
    r"according to|in the (?:words|view|opinion) of|in \w+'s (?:words|view|opinion)|as per",
    r"per the",
)
SPEAKER = frozenset({"i", "we"})
"""Who speaks for the text itself: "we found that" reports nobody else."""
# "does not start", "cannot log in", "refused to print": what does not do its work
NOT_WORKING = pattern(
    r"(?:\w+n't|not|cannot|no longer|unable to|fail(?:s|ed)? to|refuse[sd]? to) (?:\w+ly )?(?:be )?"
    r"(?:run|ran|work|print|arrive|open|start|respond|load|reach|connect|finish|complete|come|send"
    r"|receive|get|log|sign|read|boot|answer|appear|update|pay|save|charge|move|turn|stop|hold"
    r"|keep)(?:s|ed)?",
)


# "So the pump was off", "the pump is thus off", "It follows that"
_CONCLUSION = lazy_pattern(
    r"^\W*(?:so|then|hence|it follows|(?:that|this|which) means|in consequence|accordingly)\b"
    r"|\b(?:therefore|thus|hence|consequently)\b|[,;:\u2192] (?:so|hence)\b",
    re.IGNORECASE,
)


def concludes(sentence: str) -> bool:
    """Whether a sentence draws a conclusion from what stands before it."""
    return bool(_CONCLUSION.search(sentence))


# such as "As a check", "Sanity check", "To verify" and "For comparison, last year"
_CHECK = lazy_pattern(
    r"^\W*(?:(?:as|for) an? (?:\w+ )?(?:check|test|comparison|aside)\b"
    r"|(?:let's |let us |we (?:can )?|i (?:can )?|now |to )?(?:double[- ]?|cross[- ]?|re-?)?"
    r"(?:check|verify|confirm)\b(?! that\b)|(?:sanity|plausibility|quick|cross|double)[- ]check"
    r"|(?:checking|verification|proof|aside|for (?:comparison|reference)|by the way)\b)",
    re.IGNORECASE,
)


def announces_check(step: str) -> bool:
    """Whether what follows only checks or adds to what was worked out: "As a check: 120 / 2"."""
    return bool(_CHECK.match(step))
