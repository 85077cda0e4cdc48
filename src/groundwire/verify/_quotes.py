"""No quote, no verdict: the sentences that decide a claim are judged again, by themselves."""

from collections.abc import Sequence
from itertools import islice

from groundwire.encoder import judge_calibration
from groundwire.judge import MAX_QUOTED, CachedJudge, Estimate, Judged
from groundwire.verify._case import Case, Places, estimate_of, surest
from groundwire.verify._decide import Rules, decide, opposes, supports


async def find_quotes(judge: CachedJudge, cases: Sequence[Case], rules: Rules) -> None:
    """Each decided case gets the fewest sentences, three at most, that decide it alone.

    Where none do, the best of them is all that is known of the claim.
    """
    await _keep_confirmed(judge, cases)
    searches = [_Search(case, rules) for case in cases if _is_decided(case, rules)]
    await _try(judge, searches, [search.singly() for search in searches])
    left = [search for search in searches if not search.is_sure]
    await _try(judge, left, [search.together() for search in left])
    await _drop_undecided(judge, searches, rules)
    for search in searches:
        if not search.case.quoted:
            search.give_up()
    await _accuse(judge, cases, rules)


async def _accuse(judge: CachedJudge, cases: Sequence[Case], rules: Rules) -> None:
    """A claim that a sentence bears but for a value, which it has otherwise, is wrong."""
    asked = [
        (case, *rival) for case in cases if _is_left_open(case, rules) for rival in case.rivals()
    ]
    answers = await judge.ask([question for _, question, _ in asked])
    sure = rules._replace(
        threshold=max(rules.threshold, judge_calibration().support.rival_threshold)
    )
    for (case, _, check), answer in zip(asked, answers, strict=True):
        is_borne = isinstance(answer.answer, Estimate) and supports(answer.answer, sure)
        if is_borne and case.contradiction is None:
            case.checks = (*case.checks, check)


def _is_left_open(case: Case, rules: Rules) -> bool:
    p1 = case.estimate
    is_known = case.contradiction is not None or case.confirmation is not None
    return p1 is not None and not is_known and not supports(p1, rules) and not opposes(p1, rules)


def _is_decided(case: Case, rules: Rules) -> bool:
    """By the judge; what the values decide has its quote."""
    p1, p0 = case.estimate, estimate_of(case.p0)
    if p1 is None or p0 is None or case.contradiction or case.confirmation:
        return False
    return decide(p0, p1, p1.p, rules).status in ("grounded", "contradicted")


class _Search:
    """For the sentences that show what one case came to."""

    def __init__(self, case: Case, rules: Rules) -> None:
        self.case = case
        self._rules = rules
        self._whole = case.estimate or Estimate(p=0)
        self._supported = supports(self._whole, rules)
        self._tried: list[tuple[Places, Estimate]] = []
        self._failure: Judged | None = None
        self._withheld: set[int] = set()

    @property
    def needs_assertion(self) -> bool:
        """What is denied may be denied of a plan; what is shown must be said."""
        return self._supported and bool(self.case.quoted)

    def singly(self) -> list[Places]:
        places = self.case.candidates()
        if not self._supported:
            places = [place for place in places if self.case.speaks_of_it(place)]
        alone: list[Places] = [(place,) for place in places]
        operands = self.case.operands if self._supported else ()
        return [*alone, operands] if operands[1:MAX_QUOTED] else alone

    def together(self) -> list[Places]:
        """The best two, and the best three; those that have the claim's values, of a claim in parts
        the best of each part, and the best with what has what was said before."""
        single = [one for one in self._tried if len(one[0]) == 1]
        best = [places[0] for places, _ in sorted(single, key=self._worth, reverse=True)]
        sizes = range(2, min(len(best), MAX_QUOTED) + 1)
        tries = [tuple(sorted(best[:size])) for size in sizes]
        if self._supported:
            tries += [self.case.of_each_part(1), self.case.of_each_part(2)]
            tries += [self.case.after(place) for place in best[:1]]
            stating = self.case.evidence.stating(self.case.claim.content, self.case.places)
            tries += [stating] if len(stating) <= MAX_QUOTED else []
        return [places for places in dict.fromkeys(tries) if places[1:]]

    def take(self, places: Places, answer: Judged) -> None:
        if isinstance(answer.answer, Estimate):
            self._tried.append((places, answer.answer))
        else:
            self._failure = answer

    @property
    def is_sure(self) -> bool:
        """Whether what is quoted gives the verdict by itself, without slack."""
        shown = [one for one in self._tried if one[0] == self.case.quoted]
        return any(map(self._decides, shown))

    def settle(self) -> None:
        """The fewest sentences that decide, of these the surest; else the surest that nearly do."""
        holding = [one for one in self._tried if self._holds(*one)]
        deciding = [one for one in holding if self._decides(one)]
        fewest = min((len(places) for places, _ in deciding), default=0)
        shown = [one for one in deciding if len(one[0]) == fewest] or holding
        self.case.quoted = max(shown, key=self._worth)[0] if shown else ()

    def drop_quote(self) -> None:
        """It leaves open what the claim says: perhaps another sentence does not."""
        self._withheld.update(self.case.quoted)
        self.case.is_withheld = True
        self.settle()

    def give_up(self) -> None:
        """A judge that failed leaves it open; else the claim is no surer than its best quote."""
        if self._failure is not None:
            self.case.p1 = self._failure
        elif self._supported:
            best = max((one for _, one in self._tried), key=float, default=Estimate(p=0))
            seen = {"p": best.p, "interval": best.interval, "refute": 0.0}
            if best.p >= self._least:  # it has another value
                seen |= {"p": self._least, "interval": None}
            known = self._whole.model_copy(update=seen)
            self.case.p1 = Judged(known, cached=False)
        else:
            known = self._whole.model_copy(update={"refute": 0.0})
            self.case.p1 = Judged(known, cached=False)

    def _holds(self, places: Places, alone: Estimate) -> bool:
        if not self._supported:
            by_values = self.case.is_of_another(places) or self.case.compares_numbers(places)
            return opposes(alone, self._rules) and not by_values
        case = self.case
        if not self._withheld.isdisjoint(places) or case.is_header(places):
            return False
        shown = case.evidence.with_references(places)
        if alone.p < self._least or not case.shares_words(shown):
            return False
        return not case.evidence.differs(case.claim.content, shown)

    def _decides(self, tried: tuple[Places, Estimate]) -> bool:
        return not self._supported or supports(tried[1], self._rules)

    @property
    def _least(self) -> float:
        return max(0.0, self._rules.threshold - judge_calibration().support.quote_slack)

    def _worth(self, tried: tuple[Places, Estimate]) -> float:
        estimate = tried[1]
        if self._supported:
            return estimate.p
        return 1 - estimate.p if estimate.refute is None else estimate.refute


async def _try(
    judge: CachedJudge, searches: Sequence[_Search], tries: Sequence[Sequence[Places]]
) -> None:
    """All in one call: a judge may work on them at once."""
    asked = [
        (search, places, search.case.questions_alone(places))
        for search, each in zip(searches, tries, strict=True)
        for places in each
    ]
    answers = iter(await judge.ask([one for *_, questions in asked for one in questions]))
    for search, places, questions in asked:
        search.take(places, surest(list(islice(answers, len(questions)))))
    for search in searches:
        search.settle()
    await _keep_asserted(judge, searches)


async def _keep_confirmed(judge: CachedJudge, cases: Sequence[Case]) -> None:
    """Values confirm a claim only where they are put forward as being so."""
    asked = [
        (case, question)
        for case in cases
        if case.confirmation is not None and case.contradiction is None
        for question in case.questions_of_quotes()
    ]
    said = await judge.withholds([question for _, question in asked])
    for (case, _), is_withheld in zip(asked, said, strict=True):
        if is_withheld:
            case.drop_confirmation()


async def _drop_undecided(judge: CachedJudge, searches: Sequence[_Search], rules: Rules) -> None:
    """A judge that finds a comparison and its opposite to be so has not compared."""
    asked = [
        (search, question)
        for search in searches
        if search.needs_assertion
        for question in search.case.opposites()
    ]
    answers = await judge.ask([question for _, question in asked])
    for (search, _), opposite in zip(asked, answers, strict=True):
        if isinstance(opposite.answer, Estimate) and supports(opposite.answer, rules):
            search.case.quoted = ()


async def _keep_asserted(judge: CachedJudge, searches: Sequence[_Search]) -> None:
    """Only what a source asserts shows that something is so."""
    left = [search for search in searches if search.needs_assertion]
    while left:
        asked = [(search, one) for search in left for one in search.case.questions_of_quotes()]
        said = await judge.withholds([question for _, question in asked])
        withheld = {id(search) for (search, _), is_so in zip(asked, said, strict=True) if is_so}
        left = [search for search in left if id(search) in withheld]
        for search in left:
            search.drop_quote()
        left = [search for search in left if search.needs_assertion]
