"""A golden set to begin with, from what an index holds, and cases from verdicts that were wrong.

Questions ask for documents by number, for what stands under a heading, and for terms. Those that
cannot be answered are made by leaving documents out: the same question, near the topic of what is
left. Nobody has read them yet, so each is tagged `unreviewed`.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Literal, TypeVar, get_args

from groundwire.engine import Engine
from groundwire.errors import InputError
from groundwire.evaluate._golden import Expected, GoldenQuery, read_bytes, records
from groundwire.evidence import Index, IndexedDocument, read_document, require_index, sections
from groundwire.observe import AuditRow
from groundwire.store import write_whole
from groundwire.terms import has_vocabulary, open_local

One = TypeVar("One")
Label = Literal["supported", "refuted", "neutral"]
TAGS = ("starter", "unreviewed")
HELD_EVERY = 3
_OF_EACH = 4
"""The shares of a set: numbers, headings, terms, left-out documents."""
_ABOUT_OTHERS = ("registry", "template")
"""Types of documents that say nothing of their own."""
_GENERIC = 3
"""A heading that so many documents have, as "Context", says nothing without the document."""


def starter_set(engine: Engine, size: int) -> list[GoldenQuery]:
    """About so many questions, the same for the same index, a third of them held."""
    each = max(size // _OF_EACH, 1)
    with Index(require_index(engine.index_path)) as index:
        known = [one for one in index.documents() if one.identity.doc_type not in _ABOUT_OTHERS]
        documents = _spread(known, lambda one: one.doc_id)
        common = _generic_headings(index, documents)
        found = [
            *_first(_by_number(engine, documents), each),
            *_first(_by_heading(index, documents, common), each),
            *_first(_terms(engine), each),
        ]
        rest = max(size - len(found), 1)
        found += _first(_left_out(index, documents, common), rest)
    if not found:
        raise InputError("The index holds nothing to ask about.", hint="Index documents first.")
    return [
        one.model_copy(
            update={
                "id": f"S-{number:03}",
                "split": "held" if number % HELD_EVERY == 0 else "open",
                "tags": TAGS,
            }
        )
        for number, one in enumerate(found, 1)
    ]


def _by_number(engine: Engine, documents: Iterable[IndexedDocument]) -> Iterator[GoldenQuery]:
    letters: dict[str, str] = {}
    for prefix, doc_type in engine.config.evidence.prefixes.items():
        letters.setdefault(doc_type, prefix)
    for one in documents:
        kind, number = one.identity.doc_type, one.identity.number
        if number is not None and kind in letters and not one.identity.is_stub:
            yield GoldenQuery(
                id="new",
                query=f"What does {letters[kind]}-{number:04} say?",
                category=f"{kind}_retrieval",
                collection=kind,
                expected=Expected(doc_types=(kind,), doc_ids=(one.doc_id,)),
                why="A document by its number.",
            )


def _by_heading(
    index: Index, documents: Iterable[IndexedDocument], common: set[str]
) -> Iterator[GoldenQuery]:
    for one in documents:
        heading = _heading(index, one, common)
        if heading is not None:
            yield GoldenQuery(
                id="new",
                query=f"What does “{one.title}” say about {heading}?",
                category="semantic_search",
                collection=one.identity.doc_type,
                expected=Expected(doc_ids=(one.doc_id,)),
                why="What stands under a heading.",
            )


def _left_out(
    index: Index, documents: Sequence[IndexedDocument], common: set[str]
) -> Iterator[GoldenQuery]:
    for one in reversed(documents):
        heading = _heading(index, one, common)
        if heading is not None:
            yield GoldenQuery(
                id="new",
                query=f"What does “{one.title}” say about {heading}?",
                category="not_answered",
                collection=one.identity.doc_type,
                expected=Expected(abstain=True),
                without=(one.doc_id,),
                why="The document that answers is left out; what is near it does not answer.",
            )


def _terms(engine: Engine) -> Iterator[GoldenQuery]:
    if not has_vocabulary(engine.config):
        return
    with closing(open_local(engine.config)) as vocabulary:
        labels = _spread(vocabulary.preferred_labels(), lambda pair: pair[0])
        for uri, label in labels:
            found = vocabulary.lookup(label)
            if found.outcome == "found":
                yield GoldenQuery(
                    id="new",
                    query=f"What is {label}?",
                    category="terminology_hit",
                    collection="vocabulary",
                    expected=Expected(route="skosmos", doc_ids=(uri,)),
                    why="A term with one definition.",
                )


def _heading(index: Index, one: IndexedDocument, common: set[str]) -> str | None:
    """A heading of its own, or none."""
    document = index.document(one.doc_id)
    own = [] if document is None else [s.path[-1] for s in sections(document) if s.path and s.parts]
    return next((heading for heading in own if heading not in common), None)


def _generic_headings(index: Index, documents: Iterable[IndexedDocument]) -> set[str]:
    counts: Counter[str] = Counter()
    for one in documents:
        document = index.document(one.doc_id)
        if document is not None:
            counts.update({part.path[-1] for part in sections(document) if part.path})
    return {heading for heading, count in counts.items() if count >= _GENERIC}


def _spread(things: Iterable[One], key: Callable[[One], str]) -> list[One]:
    """In an order that has nothing to do with their names, and is always the same."""
    return sorted(things, key=lambda one: sha256(key(one).encode()).digest())


def _first(found: Iterator[GoldenQuery], count: int) -> list[GoldenQuery]:
    return [one for one, _ in zip(found, range(count), strict=False)]


def corrected_case(
    engine: Engine,
    request: str,
    claim: int,
    *,
    label: str,
    evidence: Sequence[Path] = (),
    why: str = "",
) -> str:
    """A line for a set of claims, from a verdict of the audit trail that a person corrected.

    The trail keeps quotes, not documents: the evidence is read from the files that are named, or
    from the index, as far as it has the documents the verdict was made by.
    """
    if label not in get_args(Label):
        raise InputError(f"A label is {', '.join(get_args(Label))}, not {label!r}.")
    row = _verdict(engine, request, claim)
    limits = engine.config.limits
    given = [{"name": one.name, "text": read_document(one, limits).text} for one in evidence]
    case = {
        "id": f"{request}:{claim}",
        "kind": "corrected",
        "claim": row.claim,
        "evidence": given or _indexed_evidence(engine, row),
        "label": label,
        "was": row.status,
        "why": why,
    }
    return json.dumps(case, ensure_ascii=False) + "\n"


def _verdict(engine: Engine, request: str, claim: int) -> AuditRow:
    trail = engine.parts.records.audit
    rows = trail.query(request_id=request, limit=10_000) if trail is not None else []
    if not rows:
        raise InputError(
            f"The audit trail has no request {request!r}.",
            hint="gw audit-log --json lists the requests.",
        )
    if claim > len(rows):
        raise InputError(f"The request has {len(rows)} verdicts, so there is no claim {claim}.")
    return rows[len(rows) - claim]  # the newest come first


def _indexed_evidence(engine: Engine, row: AuditRow) -> list[dict[str, str]]:
    wanted = dict.fromkeys(quote["doc_id"] for quote in row.detail.get("evidence", []))
    found: dict[str, str] = {}
    if engine.index_path.exists():
        with Index(engine.index_path) as index:
            texts = {doc_id: index.document(doc_id) for doc_id in wanted}
            found = {doc_id: one.text for doc_id, one in texts.items() if one is not None}
    if not found or len(found) < len(wanted):
        raise InputError(
            "The audit trail keeps quotes, not the documents a verdict was made by.",
            hint="Name them: --evidence FILE",
        )
    return [{"name": doc_id, "text": text} for doc_id, text in found.items()]


def add_line(path: Path, line: str) -> int:
    """Put a case behind those of a file, once; how many there are then."""
    content = read_bytes(path) if path.exists() else b""
    known = [fields.get("id") for _, fields in records(content, path)]
    if json.loads(line)["id"] in known:
        raise InputError(f"{path} has this verdict already.")
    old = content.decode()
    write_whole(path, old + ("" if old.endswith("\n") or not old else "\n") + line)
    return len(known) + 1
