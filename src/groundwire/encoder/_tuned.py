"""The numbers that were tuned, by what they decide: a class for each section of a file."""

from typing import NamedTuple


class SupportCalibration(NamedTuple):
    """How the judge's views of a claim become a probability, and that a status."""

    context_words: int
    part_context_words: int
    judge_share: float
    """What the judge says counts so much, what the reader says the rest."""
    threshold: float
    refute_threshold: float
    refute_margin: float
    """So much likelier, in log odds, a claim at that threshold is opposed than supported."""
    quote_slack: float
    """So much less sure a sentence may be by itself than the threshold asks of its context."""
    rival_threshold: float
    """So sure a claim must be with a value of the evidence in place of its own to be accused."""
    slope: float
    offset: float


class NarrowingCalibration(NamedTuple):
    """Which sentences of the evidence a claim is judged by, and which are scrubbed for p0."""

    covered_weight: float
    """What a word still counts that a chosen sentence has already."""
    supporting_share: float
    """A sentence with this share of the weight the best one has may say the same again."""
    bearing_share: float
    """A document with this share of the claim's words that the best one has bears on it, too."""
    opposing_coverage: float
    """The share of a claim's words that a sentence must have to speak of the same thing."""


class ValuesCalibration(NamedTuple):
    """When the deterministic tier takes two sentences for the same statement."""

    least_coverage_if_close: float
    """The share of the claim's words that a sentence must have to clear a name."""
    related: float
    """The coverage from which a sentence speaks of what the claim speaks of."""
    touched: float
    """The share of a claim's words from which a sentence may be speaking of the same."""
    name_coverage: float
    """The share of a claim but for a name that a sentence must have to swap the name."""
    spelled_alike: float


class EdgesCalibration(NamedTuple):
    """How surely a causal edge is known: from the wording, the judge, and all sources together."""

    by_wording: float
    by_fit: float
    by_model: float
    against_by_model: float
    highest_confidence: float
    refuted_by_wording: float
    refuted_by_fit: float
    attack_confidence: float
    highest_belief: float
    strong_from: float
    moderate_from: float
    least_name_share: float
    reads_whole: float
    """What a phrase that has a whole name is worth, whatever else it says."""


class ReasoningCalibration(NamedTuple):
    """When an answer is said not to follow, and a step of a problem to be opposed."""

    underivable_below: float
    """An answer that the steps make less likely than this may not follow from them."""
    underivable_share: float
    """The share of an answer's words that no step has, from which it then does not follow."""
    refutable_terms: int
    """A step with fewer content words is not opposed by the judge: of two short statements about
    one thing both may hold ("Ada is a nurse", "Ada is a mother")."""
    new_terms: int
    """So many words may be new where a step works out a result of given numbers, and names it: "The
    crew pays 3 x 40 = 120"."""


class StepsCalibration(NamedTuple):
    """When a step that rests on an account is said to be wrong or invented: a weight per sign."""

    supported: float
    supported_without: float
    refuted: float
    words_new: float
    topics_new: float
    words_in_one: float
    words: float
    denied: float
    drawn: float
    has_value: float
    number_new: float
    date_new: float
    offset: float
    threshold: float
    """The probability from which it is said."""


class SpansCalibration(NamedTuple):
    """How the learned reader's tags are read, and from when on it confirms a causal sentence."""

    things_lean: float
    things_cost: float
    clauses_lean: float
    clauses_cost: float
    clauses_words: float
    """From so many tagged words on end, clauses are meant and not things."""
    least_if_worded: float
    least_if_open: float
    caused_weight: float
    """What the support head's log odds of `A causes B` count beside those of the span reader."""
    least_support: float
    """What the support head must give `A leads to B` on its quote."""
    most_open: float
    """With more log odds that a sentence leaves open what it tells, it states no cause."""


class AssertingCalibration(NamedTuple):
    """When a sentence is taken to leave open what it speaks of."""

    shift: float
    """The log odds from which on it is."""
    claim_share: float
    """So much of a claim's own score is taken off: what it supposes too, its source may suppose."""


class JudgeCalibration(NamedTuple):
    support: SupportCalibration
    asserting: AssertingCalibration
    narrowing: NarrowingCalibration
    values: ValuesCalibration
    edges: EdgesCalibration
    reasoning: ReasoningCalibration
    steps: StepsCalibration
    spans: SpansCalibration


class ExclusionCalibration(NamedTuple):
    """When two facts of a memory exclude each other: a weight for each sign of it."""

    refuted_most: float
    refuted_least: float
    supported_least: float
    words_shared: float
    topics_shared: float
    words_apart: float
    said_shared: float
    leaves_no_room: float
    values_differ: float
    numbers_shared: float
    dates_shared: float
    offset: float
    threshold: float
    """The probability from which they are said to."""


class MemoryCalibration(NamedTuple):
    exclusion: ExclusionCalibration


class SearchCalibration(NamedTuple):
    heading_weight: float
    """A word in a title or heading says more than one in the text."""


class AnswersCalibration(NamedTuple):
    """Which sentence answers a question, and how surely the documents answer it."""

    within: float
    """Further quotes may score this much less than the best one."""
    rank_cost: float
    passage_coverage: float
    no_value_cost: float
    section_bonus: float
    """For the part of a document where such answers stand: what is decided, or why."""
    superseded_cost: float
    """A successor that says nearly as much goes first."""
    worth_offering: float
    """Below this confidence what was found has nothing to do with the question."""
    least_coverage: float
    least_score: float
    """A sentence of a named document answers when it shares words or meaning with the question."""
    list_share: float
    """Of topics of several words, so much must occur in a listed document."""
    near_topic: float
    """Cosine from which a document without the words is worth naming beside the list."""
    meaning_slope: float
    meaning_middle: float
    words_slope: float
    words_middle: float
    second_share: float
    """A second quote is shown when it answers nearly as surely as the first."""
    judge_share: float
    """Of what both encoders think of an answer, so much is the judge's opinion."""
    rank_weight: float
    rank_in_confidence: float
    """What a search engine's opinion counts beside the log odds that a passage answers: for the
    order of passages, and for the confidence."""
    surest_denial: float
    """Lower log odds count as these: where the head denies more strongly it is right no more
    often."""
    quote_share: float
    """What a part of a passage counts by itself, beside the whole passage."""
    head_slope: float
    head_middle: float
    """From both together to the confidence."""
    named_share: float
    """Of a folder's documents so many name an owner of several words: its own are hardly fewer."""
    acronym_share: float
    """Of one word it takes more: "HBR" is an owner, "DNS" what some of the documents are about."""
    titled_share: float
    """What stands in as many titles as this, of the documents that name it, is a topic."""
    described_share: float
    """Of what a question says of a document, by weight of its words, so much is in its title."""
    described_ahead: float
    """And so much less in the next best."""


class MatchingCalibration(NamedTuple):
    """Which variables of a graph the words of a report speak of."""

    similarity_floor: float
    lexical_link: float
    state_weight: float
    link_by_words_alone: float
    incomplete_margin: float
    """How much nearer a statement must be that says only part of a name."""
    denied_share: float
    """Of the words for a thing, so many must stand in a denial that may be about it."""
    meant_best: float
    """The likeness, of at most four, from which a report means a variable, if no judge is asked."""
    meant_ahead: float
    """What it counts beside that how much nearer it is than what documents tell besides."""
    meant_near: float
    """So near it must be, where the judge is asked whether they have to do with each other."""
    meant_bears: float
    """What the logarithm of the judge's word counts beside the likeness and what it is ahead."""
    meant_borne: float
    """So much these must be together."""
    told_near: float
    """How near a sentence told besides must be to a name that the judge finds told in it."""


class EventsCalibration(NamedTuple):
    """Which phrases of a document mean one event, by their cosine."""

    near_next: float
    """A cause and what the sentence before ended with, where a word is taken up."""
    near_far: float
    """A noun with its article and anything that was said before."""
    near_margin: float
    """By so much it must be nearer than anything else."""
    near_told: float
    """What the judge takes for the same must be so near."""


class DiagnosisCalibration(NamedTuple):
    high_coverage: float
    medium_coverage: float
    high_belief: float
    medium_belief: float
    sole_cause_coverage: float


class TermsCalibration(NamedTuple):
    least_likeness: float
    """Below this, two words share letters by chance."""


class ReaderCalibration(NamedTuple):
    search: SearchCalibration
    answers: AnswersCalibration
    matching: MatchingCalibration
    events: EventsCalibration
    diagnosis: DiagnosisCalibration
    terms: TermsCalibration


class DeepCalibration(NamedTuple):
    """What the deep tier reads, when it is asked, and how much its opinion counts."""

    context_words: int
    threshold: float
    cascade_weight: float
    band_low: float
    band_high: float
    least_answered: float
    """Less probability than this on Yes, No and Maybe together is no answer."""


class AdapterCalibration(NamedTuple):
    deep: DeepCalibration
