"""Who judges an edge, and the adversary who tries to talk a grounded one down."""

import re
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from importlib.resources import files

from groundwire._patterns import lazy_pattern
from groundwire.encoder import judge_calibration
from groundwire.errors import BackendError, BackendUnsupported, MissingExtra
from groundwire.ground._evidence import (
    REASONS,
    EdgeReader,
    Finding,
    of_kind,
    supports,
)
from groundwire.ground._retriever import refinement
from groundwire.ground._spans import SecondReader, needs_more, span_reader
from groundwire.ground._types import (
    AdversarialVerdict,
    EdgeJudge,
    Hypothesis,
    LoopState,
    Passage,
    VerificationVerdict,
    worded,
)
from groundwire.ground._variables import label_of
from groundwire.judge import CachedJudge, Estimate, Fence, Question, VerifierBackend
from groundwire.llm import LLMClient
from groundwire.observe import Log, metrics

VERSION = "v1"


@cache
def _text(name: str) -> str:
    file = files("groundwire.ground") / "_prompts" / f"{name}.{VERSION}.txt"
    return file.read_text(encoding="utf-8")


class EdgePrompts:
    """What comes from documents stands between marks that no document can forge."""

    def __init__(self) -> None:
        self._fence = Fence()
        texts = "".join(_text(name) for name in ("judge", "adversary", "extract"))
        self.prompt_hash = sha256(texts.encode()).hexdigest()

    def judge(
        self, hypothesis: Hypothesis, passages: Sequence[Passage], attempted: Sequence[str]
    ) -> str:
        shown = _shown(passages)
        return _text("judge").format(
            fence=self._fence.around(hypothesis.statement, shown),
            cause=_names(hypothesis.cause.names),
            effect=_names(hypothesis.effect.names),
            mechanism=hypothesis.edge.mechanism or "not known",
            passages=shown,
            attempted="; ".join(attempted) or "none",
        )

    def adversary(self, hypothesis: Hypothesis, passages: Sequence[Passage]) -> str:
        shown = _shown(passages)
        return _text("adversary").format(
            fence=self._fence.around(hypothesis.statement, shown),
            cause=_names(hypothesis.cause.names),
            effect=_names(hypothesis.effect.names),
            passages=shown,
        )

    def extract(self, text: str) -> str:
        return _text("extract").format(fence=self._fence.around(text), text=text)


def _names(names: Sequence[str]) -> str:
    label, *aliases = names
    return f"{label} (also: {', '.join(aliases[:5])})" if aliases else label


def _shown(passages: Sequence[Passage]) -> str:
    return "\n\n".join(
        f"[{number}] {passage.bundle.source.title or passage.bundle.source.doc_id}\n"
        f"{passage.bundle.content}"
        for number, passage in enumerate(passages, start=1)
    )


MAX_ALTERNATIVES = 5
# such as "only above 90 °C"
_CONDITION = lazy_pattern(
    r"\b(?:when|whenever|while|if|unless|under|during|only\s+(?:when|if|at|above|below)"
    r"|as\s+long\s+as|provided\s+that|above|below)\s+[^,.;]{3,80}",
    re.IGNORECASE,
)


def attack_by_wording(
    hypothesis: Hypothesis, reader: EdgeReader, passages: Sequence[Passage]
) -> AdversarialVerdict:
    """Other causes of the effect are alternatives. A denial as plain as the support, or a common
    cause named for both variables in the only source, leaves the edge without ground."""
    findings = reader.findings(hypothesis, passages)
    direct, denied = of_kind(findings, "direct"), of_kind(findings, "negated")
    stated = [
        (label_of(reading.cause), reading)
        for passage in passages
        for reading in reader.readings(passage)
        if reading.is_asserted_cause and reader.names(hypothesis.effect, reading.effect)
    ]
    causes = (
        label for label, one in stated if label and not reader.names(hypothesis.cause, one.cause)
    )
    others = list(dict.fromkeys(causes))[:MAX_ALTERNATIVES]
    has_common = any(
        label in others and reader.names(hypothesis.cause, one.effect) for label, one in stated
    )
    sources = {finding.quote.doc_id for finding in direct}
    holds = len(sources) > len({finding.quote.doc_id for finding in denied}) and not (
        has_common and len(sources) == 1
    )
    return AdversarialVerdict(
        is_grounded=holds,
        support_type="direct_causal" if holds else "irrelevant",
        supporting_quote=direct[0].quote.quote if direct else None,
        rejection_reason=None if holds else "denied or explained by a common cause",
        confidence=judge_calibration().edges.attack_confidence,
        alternative_explanations=others,
        still_grounded=holds,
    )


def conditions_in(texts: Iterable[str]) -> tuple[str, ...]:
    """`when the disk is full`: under what circumstances the words say it holds."""
    found = (match[0].strip() for text in texts for match in _CONDITION.finditer(text))
    return tuple(dict.fromkeys(found))


MAX_SCORED = 2
"""Sentences the model reads for one edge: the best named of as many sources."""
_MAX_WINDOW_WORDS = 90
_CACHE_TTL_S = 600.0


class EmbeddedEdgeJudge:
    """The wording finds the sentence; two others confirm it. The support head reads `A leads to B`
    against it, the learned span reader whether it tells of cause and effect and which way round:
    who drafted an edge has no say in it [RULINGS, S1]."""

    def __init__(
        self,
        backend: VerifierBackend,
        reader: EdgeReader,
        *,
        name: str = "embedded",
        second: SecondReader | None = None,
    ) -> None:
        self.name = name
        self._judge = CachedJudge(backend, ttl_s=_CACHE_TTL_S)
        self._reader = reader
        spans = span_reader() if second is None else None
        self._second = second or (SecondReader(spans) if spans is not None else None)

    async def prepare(self, hypotheses: Sequence[Hypothesis]) -> None:
        """All that was read goes through the model in two batches; each edge then finds its own."""
        stated = [
            finding
            for one in hypotheses
            for finding in _one_a_source(
                of_kind(self._reader.findings(one, self._reader.stated(one)), "direct")
            )
        ]
        if self._second is not None:
            self._second.prepare((one.reading, one.quote.quote) for one in stated)
        told = await self._told(stated)
        await self._judge.ask([_question(one) for one in told])

    async def judge(self, hypothesis: Hypothesis, state: LoopState) -> VerificationVerdict:
        passages = list(state.passages.values())
        findings = self._reader.findings(hypothesis, passages)
        direct = _one_a_source(of_kind(findings, "direct"))
        if not direct:
            return self._without_support(hypothesis, state, findings)
        told = await self._told(direct)
        if not told:
            return self._refused("not_confirmed", direct[0])
        best, confidence, support = (await self._scored(told))[0]
        if support < judge_calibration().spans.least_support:
            return self._refused("not_supported", best)
        if self._second is not None and self._second.is_turned(best.reading, best.quote.quote):
            return self._refused("reversed", best)
        return VerificationVerdict(
            is_grounded=True,
            support_type="direct_causal",
            supporting_quote=best.quote.quote,
            confidence=confidence,
        )

    async def _told(self, findings: Sequence[Finding]) -> list[Finding]:
        """Those that tell of cause and effect, and that it was so; without the learned reader only
        listed wording."""
        if self._second is None:
            return [one for one in findings if not one.reading.is_open]
        findings = [
            one for one in findings if not self._second.leaves_open(one.reading, one.quote.quote)
        ]
        sure = [
            one
            for one in findings
            if not needs_more(one.reading) and not one.reading.is_learned
            if self._second.tells(one.reading, one.quote.quote)
        ]
        asked = [one for one in findings if one not in sure]
        answers = await self._judge.ask([_caused(one) for one in asked])
        caused = {
            id(one): answer.answer.p
            for one, answer in zip(asked, answers, strict=True)
            if not isinstance(answer.answer, BackendError)
        }
        return [one for one in findings if one in sure or self._confirms(one, caused.get(id(one)))]

    def _confirms(self, finding: Finding, caused: float | None) -> bool:
        """What the learned reader drafted is for the support head to say."""
        if caused is None or self._second is None:
            return False
        if finding.reading.is_learned:
            return caused >= judge_calibration().spans.least_support
        return self._second.tells(finding.reading, finding.quote.quote, caused)

    def _refused(self, reason: str, finding: Finding) -> VerificationVerdict:
        """The sentence was found and read; another search would find it again."""
        return VerificationVerdict(
            is_grounded=False,
            support_type="irrelevant",
            rejection_reason=f"{reason}: {finding.quote.quote}",
            confidence=supports(1.0),
        )

    async def attack(
        self, hypothesis: Hypothesis, passages: Sequence[Passage]
    ) -> AdversarialVerdict:
        return attack_by_wording(hypothesis, self._reader, passages)

    async def _scored(self, findings: Sequence[Finding]) -> list[tuple[Finding, float, float]]:
        """Each quote with its confidence and the support head's opinion, surest first.

        The claim is in the words of the sentence: how a variable is called elsewhere is no matter.
        """
        questions = [_question(one) for one in findings]
        scored = []
        for finding, judged in zip(findings, await self._judge.ask(questions), strict=True):
            if isinstance(judged.answer, BackendError):
                raise judged.answer
            scored.append((finding, _confidence(finding, judged.answer), judged.answer.p))
        return sorted(scored, key=lambda one: (-one[1], one[0].quote.doc_id))

    def _without_support(
        self, hypothesis: Hypothesis, state: LoopState, findings: Sequence[Finding]
    ) -> VerificationVerdict:
        reason, quote = self._why_not(hypothesis, state, findings)
        return VerificationVerdict(
            is_grounded=False,
            support_type="correlation_only" if reason == "correlation_only" else "irrelevant",
            rejection_reason=reason if quote is None else f"{reason}: {quote}",
            confidence=supports(1.0) if quote else 0.5,
            suggested_refinement_query=refinement(hypothesis, state.attempted_queries),
        )

    def _why_not(
        self, hypothesis: Hypothesis, state: LoopState, findings: Sequence[Finding]
    ) -> tuple[str, str | None]:
        for kind, reason in REASONS.items():
            of_this = of_kind(findings, kind)
            if of_this:
                return reason, of_this[0].quote.quote
        texts = (passage.bundle.content for passage in state.passages.values())
        if any(self._reader.mentions_both(hypothesis, text) for text in texts):
            return "no_causal_statement", None
        return "not_mentioned", None


def _confidence(finding: Finding, answer: Estimate) -> float:
    tuned = judge_calibration().edges
    by_wording = tuned.by_wording + tuned.by_fit * finding.fit
    by_model = tuned.by_model * answer.p - tuned.against_by_model * (answer.refute or 0.0)
    return round(min(tuned.highest_confidence, max(0.0, by_wording + by_model)), 4)


def _one_a_source(findings: Sequence[Finding]) -> list[Finding]:
    """The best of each document: repeats of one source add nothing."""
    best: dict[str, Finding] = {}
    for finding in findings:
        best.setdefault(finding.quote.doc_id, finding)
    return list(best.values())[:MAX_SCORED]


def _question(finding: Finding) -> Question:
    """In the words of the sentence: who made the lost parcels come back is not said to prevent."""
    reading = finding.reading
    claim = worded(reading.cause, reading.sign, reading.effect)
    if reading.state:
        claim = worded(reading.cause, "raises", reading.state)
    return Question(claim=claim, context=_window(finding))


def _caused(finding: Finding) -> Question:
    """More than `leads to`, which is said of what only follows."""
    reading = finding.reading
    if reading.sign != "raises":
        return _question(finding)
    return Question(claim=f"{reading.cause} causes {reading.effect}", context=_window(finding))


def _window(finding: Finding) -> str:
    """The sentence as it is meant: who reads that `they` leaked cannot say what leaked."""
    said = finding.reading.sentence or finding.quote.quote
    return " ".join(said.split()[:_MAX_WINDOW_WORDS])


_log = Log("grounding")


class LLMEdgeJudge:
    """Native schema only: a verdict parsed out of prose is no verdict."""

    name = "llm"

    def __init__(
        self, client: LLMClient, prompts: EdgePrompts, *, model: str | None, context_words: int
    ) -> None:
        self._client = client
        self._prompts = prompts
        self._model = model
        self._context_words = context_words

    async def judge(self, hypothesis: Hypothesis, state: LoopState) -> VerificationVerdict:
        passages = self._within(list(state.passages.values()))
        prompt = self._prompts.judge(hypothesis, passages, state.asked)
        answer = await self._client.generate_structured_native(
            prompt, VerificationVerdict, model=self._model, temperature=0.0
        )
        return answer.value

    async def attack(
        self, hypothesis: Hypothesis, passages: Sequence[Passage]
    ) -> AdversarialVerdict:
        prompt = self._prompts.adversary(hypothesis, self._within(passages))
        answer = await self._client.generate_structured_native(
            prompt, AdversarialVerdict, model=self._model, temperature=0.0
        )
        return answer.value

    def _within(self, passages: Sequence[Passage]) -> list[Passage]:
        """The newest passages that fit: a refined search found them for a reason."""
        kept: list[Passage] = []
        room = self._context_words
        for passage in reversed(passages):
            room -= len(passage.bundle.content.split())
            if room < 0 and kept:
                break
            kept.insert(0, passage)
        return kept


class FallingBackJudge:
    """Where a model cannot be held to a schema, the embedded judge decides [RULINGS, S1].

    Without that one either, the refusal stands and the edge remains a draft.
    """

    def __init__(self, first: EdgeJudge, second: EdgeJudge) -> None:
        self._first: EdgeJudge | None = first
        self._second = second
        self.name = first.name

    async def judge(self, hypothesis: Hypothesis, state: LoopState) -> VerificationVerdict:
        if self._first is not None:
            try:
                return await self._first.judge(hypothesis, state)
            except BackendUnsupported as error:
                metrics().count("judge_fallback_total", backend=self.name, reason=error.capability)
                _log.warn("edge_judge_fallback", error=str(error), to=self._second.name)
                self._first = None
                self.name = self._second.name
        try:
            return await self._second.judge(hypothesis, state)
        except MissingExtra as error:
            raise BackendUnsupported(str(error), capability="native_schema") from error

    async def attack(
        self, hypothesis: Hypothesis, passages: Sequence[Passage]
    ) -> AdversarialVerdict:
        return await (self._first or self._second).attack(hypothesis, passages)
