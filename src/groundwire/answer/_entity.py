"""Questions about one document, named by its type and number [S3]."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from groundwire._patterns import lazy_pattern
from groundwire.answer._answerable import Answerability
from groundwire.answer._choose import (
    Chosen,
    Sentence,
    choose,
    joined,
    sentences,
    top,
    with_announced,
)
from groundwire.answer._facts import DATING_WORDS, FACT_WORDS, Ask, Facts, ask_of
from groundwire.answer._kinds import answers_in_kind, asks_why, fates_in, lacks_entity, names_in
from groundwire.answer._library import (
    NOT_APART,
    Finding,
    Library,
    bare_title,
    cited,
    document_name,
    key_name,
    notes,
    plural,
    short_name,
    with_markers,
)
from groundwire.answer._parts import (
    Aspect,
    aspect_of,
    beyond_aspect,
    fate_quote,
    first_words,
    option_quotes,
    section_quotes,
)
from groundwire.answer._query import is_within
from groundwire.answer._route import Plan
from groundwire.answer._semantic import EVERY_WORD, MOST_QUOTED, SPOKEN_OF, suggestion
from groundwire.answer._series import Series
from groundwire.answer._titles import KIND_WORDS, by_title, described_in, titled_in
from groundwire.config import Config, abstain_below_of
from groundwire.encoder import reader_calibration
from groundwire.evidence import DATES, IndexedDocument, Labels, Searcher, passages
from groundwire.model import (
    AnswerReason,
    AnswerSource,
    Document,
    DocumentKey,
    EvidenceBundle,
    Source,
    Suggestion,
)
from groundwire.text import STOP_WORDS, stem, topic_words, words_of

# such as "What does it say about X": whatever speaks of X is asked for
_SAYS_ABOUT = lazy_pattern(
    r"^(?:define|describe|explain|summari[sz]e)\b|\b(?:say|says|said|states?)\b.*\b(?:about|on)\b",
    re.IGNORECASE,
)
# such as "not chosen", "prefer A over B", "use A instead of B", "decided against B"
_NOT_CHOSEN = lazy_pattern(
    r"\b(?:not|never) (?:\w+ )?(?:chosen|choose|selected|select|picked|pick|adopted|adopt|used|use"
    r"|taken|preferred)\b|\b(?:over|instead of|rather than|against|ruled out|discarded|dismissed"
    r"|rejected)\b",
    re.IGNORECASE,
)
# such as "What does ADR 5 decide about X", "What does it do to X"
_DECIDES = lazy_pattern(
    r"^what (?:does|do|did)\b.*\b(?:decide|propose|require|recommend|mandate|prescribe|introduce"
    r"|change|say|do)\b",
    re.IGNORECASE,
)
# such as "that proposed" of "the record that proposed X"
_THAT_DID = lazy_pattern(r"(?<=\w )(?:that|which) \w+")
# such as "and" in "How do A and B differ"
_BETWEEN = lazy_pattern(r"\b(?:and|versus|vs\.?|or|with|from)\b", re.IGNORECASE)
# such as "How do A and B differ", "Compare A with B"
_COMPARES = lazy_pattern(
    r"\b(?:differs?|differences?|compared?|comparison|versus|vs)\b", re.IGNORECASE
)
# such as "How do A and B differ on X", "Compare A and B: what does each say about X"
_MATTER = lazy_pattern(
    r"^(?:how (?:do|does|did)|compare|what (?:is|are) the differences?)\b.*?"
    r"(?:\b(?:on|about|regarding|over|concerning) (?P<on>.+)|: (?P<each>.+))$",
    re.IGNORECASE,
)
# such as "How do A and B differ in X"
_MATTER_IN = lazy_pattern(
    r"^(?:how (?:do|does|did)|compare)\b.*\bdiffer in (?P<on>.+)(?P<each>)$", re.IGNORECASE
)


class Entities:
    def __init__(
        self, library: Library, searcher: Searcher, config: Config, answerability: Answerability
    ) -> None:
        self._library = library
        self._searcher = searcher
        self._settings = config.answer
        self._abstain_below = abstain_below_of(config.evidence)
        self._answerability = answerability
        self._facts = Facts(library)
        self.labels: Labels | None = None
        self.series: Callable[[str, Sequence[str]], Series | None] = lambda _text, _where: None

    def answer(self, plan: Plan) -> Finding:
        missing = [key for key in plan.keys if not self._library.find(key)]
        if len(missing) == len(plan.keys):
            return self._of_absent(missing[0], plan) or self._not_found(missing[0])
        found = [self._meant(self._library.find(key), plan) for key in plan.keys]
        shared = next((same for same in found if len(same) > 1), None)
        if shared is not None:
            return self._which(shared)
        documents = [same[0] for same in found if same]
        return self._of_each(
            documents, plan, [f"No {key_name(key)} was found here." for key in missing]
        )

    def _of_each(
        self, documents: Sequence[IndexedDocument], plan: Plan, absent: Sequence[str]
    ) -> Finding:
        plans = [_of_one(plan, one) if len(documents) > 1 else plan for one in documents]
        findings = [self.about(*both) for both in zip(documents, plans, strict=True)]
        if len(findings) == 1:
            return _together(findings, absent)
        silent = [one for one in findings if one.mode != "ANSWER"]
        if len(silent) < len(findings):
            # the part that has no answer is named, and nothing else is put in its place
            return _together(findings, [*absent, *(one.message for one in silent)])
        gists = [self._gist(*both) for both in zip(documents, findings, strict=True)]
        judged = [
            gist
            for gist, asked in zip(gists, plans, strict=True)
            if gist.mode == "ANSWER" and self._answers(asked, gist)
        ]
        return _together(judged or findings, absent)

    def _of_absent(self, key: DocumentKey, plan: Plan) -> Finding | None:
        """What is said here of a document that is not: "Which records does ADR 60 replace"."""
        marked = self.labels.left_out(plan.question, " § ") if self.labels else plan.question
        ask = ask_of(marked)
        is_asked = ask is not None and ask.relation is not None and len(plan.keys) == 1
        return (
            self._facts.of_absent(key, ask.relation) if is_asked and ask and ask.relation else None
        )

    def _meant(self, same: list[IndexedDocument], plan: Plan) -> list[IndexedDocument]:
        """Of several with one number, the one of the series that is named, or whose title has most
        words of the question."""
        if plan.series is not None:
            same = [one for one in same if plan.series.has(one)] or same
        words = {stem(word) for word in plan.topic}
        shared = [len(words & {stem(word) for word in words_of(one.title)}) for one in same]
        best = max(shared, default=0)
        return [same[shared.index(best)]] if best and shared.count(best) == 1 else same

    def about(self, document: IndexedDocument, plan: Plan) -> Finding:
        """What a document says on what the question asks of it."""
        text = self._library.text(document)
        if text is None:
            return self._silent(document, "its text is gone from the index")
        told = fate_quote(text, fates_in(plan.question)) if asks_why(plan.question) else None
        if told is not None:
            return self._found(document, [cited(document, *told)], _evidence(document, text))
        option = self.option(plan, [document.doc_id])
        if option is not None:
            return option
        ask = ask_of(self._marked(plan, document), self._facts.names(document))
        topic = beyond_aspect(plan.topic)
        if ask is not None and self._is_all(plan, document, ask):
            return self._stated(document, ask, plan)
        if topic and not _is_title(topic, document):
            return self._on_topic(document, text, plan, topic)
        return self._section(document, text, aspect_of(plan.question))

    def _stated(self, document: IndexedDocument, ask: Ask, plan: Plan) -> Finding:
        """The fact that is asked for; of two, "who and when", what there is of each."""
        found = [self._facts.answer(document, ask, plan.query)]
        if ask.also is not None:
            found.insert(0, self._facts.answer(document, ask.also, plan.query))
        silent = [one.message for one in found if one.mode != "ANSWER"]
        return _together(found, silent if len(silent) < len(found) and ask.also else ())

    def fact_by_title(self, plan: Plan) -> Finding | None:
        """A fact of a document that is named by its title: “the status of the serverless one”."""
        if asks_why(plan.question):
            return None
        named = by_title(plan, self._asked(plan))
        if not named:
            one = described_in(plan, self._asked(plan), self._searcher.coverage)
            ask = self._ask_of_titled(plan, one) if one else None
            return self._stated(one, ask, plan) if one and ask else None
        if len(named) > 1 and plan.query.periods:
            named = [
                one
                for one in named
                if any(is_within(plan.query.periods[0], f) for f in one.identity.stated(*DATES))
            ]
        if len(named) != 1:
            return None
        ask = self._ask_of_titled(plan, named[0])
        if ask is None or not self._is_all(plan, named[0], ask):
            return None
        return self._stated(named[0], ask, plan)

    def _ask_of_titled(self, plan: Plan, document: IndexedDocument) -> Ask | None:
        """A word of the title names no field: "the proposal on a faster list type"."""
        title = set(words_of(document.title))
        names = [one for one in self._facts.names(document) if not set(words_of(one)) <= title]
        ask = ask_of(self._marked(plan, document), names)
        beside = set(words_of(plan.question)) - title
        # "When was the tug sold" asks for no day of the decision to sell it
        is_dated = bool(beside & (DATING_WORDS | KIND_WORDS))
        return None if ask is not None and ask.kind == "date" and not is_dated else ask

    def named(self, plan: Plan) -> Finding | None:
        """What documents answer that the question names by their titles, or one by its subject;
        none where they are silent."""
        asked = self._asked(plan)
        documents = titled_in(plan.question, asked)
        if _COMPARES.search(plan.question):
            compared = self._compared(plan)
            return self._of_each(compared, replace(plan, topic=()), ()) if compared else None
        one = documents[0] if len(documents) == 1 else None
        if one is None and not documents:
            one = described_in(plan, asked, self._searcher.coverage)
        text = self._library.text(one) if one else None
        if one is None or text is None:
            return None
        if asks_why(plan.question) and fate_quote(text, fates_in(plan.question)):
            return self.about(one, plan)
        title = {stem(word) for word in words_of(one.title)}
        topic = [word for word in beyond_aspect(plan.topic) if stem(word) not in title]
        found = self._on_topic(one, text, plan, topic) if topic else None
        return found if found and found.mode == "ANSWER" else None

    def _compared(self, plan: Plan) -> list[IndexedDocument]:
        """The one document that each part of a comparison names by its title."""
        found = []
        for part in _BETWEEN.split(plan.question):
            series = self.series(part, plan.collections)
            asked = self._asked(replace(plan, series=series))
            found += [same[:1] for same in [titled_in(part, asked)] if len(same) == 1]
        return [one for (one,) in found] if len(found) > 1 else []

    def option(self, plan: Plan, doc_ids: Iterable[str]) -> Finding | None:
        """Why something else was not chosen, where one of these documents weighs it."""
        if not asks_why(plan.question) or not _NOT_CHOSEN.search(plan.question):
            return None
        found = []
        asked = self.labels.left_out(plan.question) if self.labels else plan.question
        for document in filter(None, map(self._library.by_id, dict.fromkeys(doc_ids))):
            text = self._library.text(document)
            quotes = option_quotes(text, asked) if text else []
            if text is not None and len(quotes) == 1:
                sources = [cited(document, *quotes[0])]
                found.append(self._found(document, sources, _evidence(document, text)))
        return found[0] if len(found) == 1 else None

    def by_title(self, plan: Plan) -> Finding | None:
        """What one document says that is named by words of its title: “the decision on TLS”."""
        named = by_title(plan, self._asked(plan))
        return self.about(named[0], plan) if len(named) == 1 else None

    def _asked(self, plan: Plan) -> list[IndexedDocument]:
        return [
            one
            for one in self._library.documents
            if one.identity.doc_type in plan.collections
            and (plan.series is None or plan.series.has(one))
        ]

    def _is_all(self, plan: Plan, document: IndexedDocument, ask: Ask) -> bool:
        """Whether a question has no other words than the fact's and the document's."""
        rest = topic_words(_THAT_DID.sub(" ", plan.query.rest))
        known = {stem(word) for word in (*words_of(document.title), *words_of(ask.name))}
        known |= {stem(word) for word in words_of(document.identity.doc_type)}
        known |= self._own_names(plan, document)
        return all(
            word in FACT_WORDS
            or stem(word) in known
            or word in KIND_WORDS
            or not any(map(str.isalpha, word))
            for word in rest
        )

    def _own_names(self, plan: Plan, document: IndexedDocument) -> set[str]:
        """Names in the question that the document bears, such as whose standard it is."""
        text = self._library.text(document)
        own = {stem(word) for word in words_of(text.text)} if text else set()
        named = (stem(word) for name in names_in(plan.question) for word in words_of(name))
        return own.intersection(named)

    def _marked(self, plan: Plan, document: IndexedDocument) -> str:
        """The question with a mark where the document stands in it."""
        if plan.keys and self.labels is not None:
            return self.labels.left_out(plan.question, " § ")
        title = {stem(word) for word in words_of(document.title)}
        for word in plan.question.split():
            pieces = {stem(one) for one in words_of(word) if one not in STOP_WORDS}
            if pieces & title:
                return plan.question.replace(word, f"§ {word}", 1)
        return plan.question

    def picked(self, document: IndexedDocument, plan: Plan) -> Finding:
        """For a person who chose the document: its gist, where it does not answer directly."""
        finding = self.about(document, plan)
        text = self._library.text(document)
        if finding.mode == "ANSWER" or text is None or document.identity.is_stub:
            return finding
        return self._gist(document, finding)

    def _answers(self, plan: Plan, gist: Finding) -> bool:
        """Whether what a document says on the whole answers what is asked of it."""
        passages = [
            EvidenceBundle.of(one.quote, one.doc_id, title=one.title) for one in gist.sources
        ]
        judged = self._answerability.judge(plan.asked, passages)
        return judged is None or judged[0].confidence >= self._abstain_below

    def _gist(self, document: IndexedDocument, finding: Finding) -> Finding:
        """What a document says on the whole, where it does not answer directly."""
        text = self._library.text(document)
        gist = self._section(document, text, "decision") if text else finding
        if gist.mode != "ANSWER":
            return finding
        note = (
            f"No direct answer was found in {short_name(document)}: "
            "this is what it says on the whole."
        )
        return replace(gist, observations=(note, *gist.observations))

    def _section(self, document: IndexedDocument, text: Document, aspect: Aspect) -> Finding:
        quotes = section_quotes(text, aspect)
        first = first_words(text)
        if not quotes and document.identity.is_stub:
            return self._silent(document, "it is a stub", first)
        if not quotes and aspect == "options":
            return self._silent(document, "no section on options was found", first)
        if not quotes and first is None:
            return self._silent(document, "it has no text")
        sources = [cited(document, *quote) for quote in quotes or filter(None, [first])]
        return self._found(document, sources, _evidence(document, text))

    def _found(
        self,
        document: IndexedDocument,
        sources: Sequence[AnswerSource],
        evidence: Sequence[EvidenceBundle] = (),
        heading: str | None = None,
    ) -> Finding:
        head = heading or f"{document_name(document)}{_in_brackets(document)}:"
        return Finding(
            mode="ANSWER",
            message=f"Quoted from {document_name(document)}.",
            base_score=1.0,
            text=f"{head}\n{with_markers([one.quote for one in sources])}",
            sources=tuple(sources),
            observations=tuple(notes(self._library, [document])),
            evidence=tuple(evidence),
        )

    def _on_topic(
        self, document: IndexedDocument, text: Document, plan: Plan, topic: Sequence[str]
    ) -> Finding:
        if document.identity.is_stub:
            return self._silent(document, "it is a stub", first_words(text))
        evidence = _evidence(document, text)
        chosen = choose(plan.question, topic, sentences(evidence), self._searcher)
        near = dict.fromkeys(one.sentence.passage.location.start for one in chosen.best)
        passages_near = [one for at in near for one in evidence if one.location.start == at]
        if len(evidence) <= self._settings.judged_passages:
            passages_near += [one for one in evidence if one.location.start not in near]
        judged = self._answerability.judge(plan.asked, passages_near)
        if judged is None:
            return self._by_words(document, text, chosen, topic)
        asked = self.labels.left_out(plan.question) if self.labels else plan.question
        around = f"{document.doc_id} {document.title} {text.text}"
        fitting = [one for one in judged if lacks_entity(asked, one.passage, around) is None]
        beside = [
            one.sentence
            for one in chosen.best
            if lacks_entity(asked, one.sentence.passage, around) is None
        ]
        quotes = self._answerability.quotes(plan.asked, fitting, beside)
        sure = [
            one
            for one in quotes
            if one.confidence >= self._abstain_below
            and answers_in_kind(asked, one.text, one.passage)
        ]
        if not sure and _SAYS_ABOUT.search(asked) and _has_all(chosen):
            found = self._by_words(document, text, chosen, topic)
            surely = max(chosen.confidence, self._abstain_below)
            return replace(found, base_score=round(surely, 3))
        if not sure:
            part = "all of it" if len(judged) == len(evidence) else "only the likeliest part of it"
            why = f"{part} was read"
            return self._silent(document, why, first_words(text), reason="not_answered")
        picked = [
            Sentence(one.text, one.start, one.passage, rank)
            for rank, one in enumerate(sure[:MOST_QUOTED])
        ]
        whole = with_announced(joined(picked), text)
        sources = [cited(document, one.text, one.start) for one in whole]
        sources = [*self._decided(document, text, plan, topic, sources), *sources]
        found = self._found(document, sources, evidence)
        return replace(found, base_score=round(sure[0].confidence, 3))

    def _decided(
        self,
        document: IndexedDocument,
        text: Document,
        plan: Plan,
        topic: Sequence[str],
        sources: Sequence[AnswerSource],
    ) -> list[AnswerSource]:
        """What a document decides of a matter stands first where it says what it decides, if that
        speaks of the matter."""
        if not _DECIDES.search(plan.question):
            return []
        quotes = section_quotes(text, "decision")[:1]
        ((share, _),) = self._searcher.coverage(topic, [quotes[0][0] if quotes else ""], [""])
        is_quoted = any(quote in one.quote for quote, _ in quotes for one in sources)
        return [] if is_quoted or share < SPOKEN_OF else [cited(document, *one) for one in quotes]

    def _by_words(
        self, document: IndexedDocument, text: Document, chosen: Chosen, topic: Sequence[str]
    ) -> Finding:
        """Where no head can be had: a sentence answers when it shares words or meaning."""
        best = chosen.best[0] if chosen.best else None
        tuned = reader_calibration().answers
        if best is None or (
            best.coverage < tuned.least_coverage and best.score < tuned.least_score
        ):
            words = ", ".join(topic)
            return self._silent(document, f"nothing in it is near to: {words}", first_words(text))
        picked = [one.sentence for one in top(chosen, self._settings.max_quotes)]
        sources = [cited(document, one.text, one.start) for one in joined(picked)]
        return self._found(document, sources, _evidence(document, text))

    def _silent(
        self,
        document: IndexedDocument,
        why: str,
        said: tuple[str, int] | None = None,
        reason: AnswerReason = "not_in_evidence",
    ) -> Finding:
        observed = [f"It says: “{said[0]}”"] if said else []
        return Finding(
            mode="ABSTAIN",
            reason=reason,
            # that it says nothing of the matter is more than a search can know
            message=f"No answer to this was found in {document_name(document)}: {why}.",
            observations=(*observed, *notes(self._library, [document])),
            missing=(f"the answer in {short_name(document)}",),
            suggestions=(suggestion(document),),
            next_step="READ_THE_DOCUMENT_OR_REPHRASE",
        )

    def _which(self, documents: Sequence[IndexedDocument]) -> Finding:
        key = documents[0].identity.key
        name = key_name(key) if key else "This"
        choices = [suggestion(one, one.doc_id) for one in documents]
        return Finding(
            mode="CLARIFY",
            reason="entity_ambiguous",
            message=f"{len(choices)} documents are {name}. Which is meant?",
            base_score=1.0,
            suggestions=tuple(choices),
            next_step="PICK_A_DOCUMENT",
        )

    def _not_found(self, key: DocumentKey) -> Finding:
        held = self._library.collections().get(key.doc_type, 0)
        kind = plural(key.doc_type, 1).removeprefix("1 ")
        known = (
            f"The corpus holds {plural(key.doc_type, held)}."
            if held
            else f"No document here was read as {kind}."
        )
        same = [one for one in self._library.documents if one.identity.number == key.number]
        if same:
            names = ", ".join(map(document_name, same[:MOST_QUOTED]))
            known += f" The number {key.number} is that of {names}."
        return Finding(
            mode="ABSTAIN",
            reason="entity_not_found",
            message=f"No {key_name(key)} was found here. {known}",
            observations=(
                *(
                    f"{doc_id} lists {key_name(key)} “{bare_title(entry.title, key.number)}”"
                    f"{f' ({entry.status})' if entry.status else ''},"
                    " but the document is not there."
                    for doc_id, entry in self._library.registered(key)
                ),
                *self._held_elsewhere(key),
            ),
            missing=(key_name(key),),
            suggestions=tuple(self._nearest(key)),
            next_step="PICK_A_SUGGESTION_OR_ADD_THE_DOCUMENT",
        )

    def _held_elsewhere(self, key: DocumentKey) -> Iterator[str]:
        """A record that stands in a file beside others was seen, but not read."""
        for one in self._library.documents if self.labels else ():
            for heading in one.identity.records:
                label = self.labels.leading(heading) if self.labels else None
                if label is not None and label.key == key:
                    yield f"{one.doc_id} has “{heading}” beside other records. {NOT_APART}"

    def _nearest(self, key: DocumentKey) -> list[Suggestion]:
        """The same number of another type may be meant; then the numbers that are near."""
        numbered = [one for one in self._library.documents if one.identity.number is not None]

        def distance(one: IndexedDocument) -> tuple[bool, int, str]:
            gap = abs((one.identity.number or 0) - key.number)
            same_type = one.identity.doc_type == key.doc_type
            return (not same_type and gap > 0, gap, one.doc_id)

        near = sorted(numbered, key=distance)[: self._settings.suggestions]
        return [suggestion(one) for one in near]


def _has_all(chosen: Chosen) -> bool:
    return bool(chosen.best) and chosen.best[0].coverage >= EVERY_WORD


def _of_one(plan: Plan, document: IndexedDocument) -> Plan:
    """A question about several documents, as it is asked of each: "How do A and B differ on X"
    asks what A says about X, and what B does."""
    matter = _MATTER.search(plan.question) or _MATTER_IN.search(plan.question)
    if matter is None:
        return plan
    asked = matter["on"] or matter["each"]
    topic = tuple(word for word in plan.topic if word in topic_words(asked))
    question = f"What does {short_name(document)} say about {asked}?"
    return replace(plan, question=question, topic=topic)


def _in_brackets(document: IndexedDocument) -> str:
    facts = [document.identity.status, str(document.identity.date or "")]
    said = ", ".join(fact for fact in facts if fact)
    return f" ({said})" if said else ""


def _is_title(topic: Sequence[str], document: IndexedDocument) -> bool:
    """“ADR-0027 about TLS”: words of the title say which document, not what of it."""
    title = {stem(word) for word in words_of(document.title)}
    return all(stem(word) in title for word in topic)


def _evidence(document: IndexedDocument, text: Document) -> list[EvidenceBundle]:
    """All a reader of the document sees."""
    identity = document.identity
    source = Source(
        doc_id=document.doc_id,
        title=document.title,
        doc_type=identity.doc_type,
        number=identity.number,
        status=identity.status,
    )
    return [
        EvidenceBundle.of(
            text.text[part.start : part.end],
            document.doc_id,
            section=part.section or None,
            start=part.start,
        ).model_copy(update={"source": source})
        for part in passages(text)
    ]


def _together(findings: Sequence[Finding], also: Sequence[str]) -> Finding:
    """Several documents asked for at once; numbers of sources run through."""
    answers = [one for one in findings if one.mode == "ANSWER"] or list(findings[:1])
    if len(answers) == 1 and not also:
        return answers[0]
    texts: list[str] = []
    sources: list[AnswerSource] = []
    for one in answers:
        head = (one.text or "").split("\n", 1)[0]
        quotes = with_markers([source.quote for source in one.sources], len(sources) + 1)
        texts.append(f"{head}\n{quotes}")
        sources.extend(one.sources)
    first = answers[0]
    return Finding(
        mode=first.mode,
        reason=first.reason,
        message=" ".join(dict.fromkeys(one.message for one in answers)),
        base_score=min(one.base_score for one in answers),
        text="\n\n".join(texts) if first.mode == "ANSWER" else None,
        sources=tuple(sources),
        observations=(*also, *dict.fromkeys(note for one in findings for note in one.observations)),
        missing=first.missing,
        suggestions=first.suggestions,
        next_step=first.next_step,
        evidence=tuple(bundle for one in answers for bundle in one.evidence),
    )
