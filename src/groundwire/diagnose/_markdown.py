"""A diagnosis or an abstention as Markdown, in the order of how surely each part is known."""

import re
from collections.abc import Iterable

from groundwire.model import (
    Abstention,
    Diagnosis,
    DiagnosisReport,
    GroundedFact,
    Hypothesis,
    Suggestion,
)

_SPECIAL = re.compile(r"([\\`*_\[\]<>#|])")


def to_markdown(outcome: DiagnosisReport | Abstention) -> str:
    if isinstance(outcome, Abstention):
        return _abstention(outcome)
    return _diagnosis(outcome)


def _abstention(outcome: Abstention) -> str:
    parts = ["# No diagnosis", _plain(outcome.message), f"Reason: `{outcome.reason}`"]
    parts += _quoted("What was observed", outcome.observations)
    parts += _quoted("What is not known", outcome.missing_knowledge)
    parts += _quoted("Possible causes, none of them claimed", map(_candidate, outcome.suggestions))
    about = (outcome.action.model_extra or {}).get("ground_documents_about", ())
    parts += _quoted("Ground documents about", tuple(about))
    command = (outcome.action.model_extra or {}).get("suggested_command")
    if command and about:
        parts.append(f"Then run: `{command}`")
    return "\n\n".join(parts) + "\n"


def _candidate(cause: Suggestion) -> str:
    return f"{cause.label}: {cause.detail}" if cause.detail else cause.label


def _diagnosis(outcome: DiagnosisReport) -> str:
    found = outcome.diagnosis
    parts = ["# Diagnosis", _conclusion(found)]
    parts += _quoted("Why", found.conclusion.justification)
    parts += _quoted("Observed in the report", [one.text for one in found.observations])
    parts += _listed("Known from the causal graph", map(_fact, found.ckg_grounded_facts))
    parts += _listed("Hypotheses, not verified", map(_hypothesis, found.hypotheses))
    parts += _quoted("Next steps", found.next_steps)
    fixes = [f"{one.case_id}: {one.fix}" for one in found.historical_fixes]
    parts += _quoted("What helped before", fixes)
    parts += _quoted("What is not known", outcome.missing_knowledge)
    return "\n\n".join(parts) + "\n"


def _conclusion(found: Diagnosis) -> str:
    conclusion = found.conclusion
    return f"**Root cause: {_plain(conclusion.root_cause)}** (confidence: {conclusion.confidence})"


def _fact(fact: GroundedFact) -> str:
    sources = ", ".join(dict.fromkeys(_plain(quote.doc_id) for quote in fact.evidence))
    return f"{_plain(fact.text)} ({sources})" if sources else _plain(fact.text)


def _hypothesis(hypothesis: Hypothesis) -> str:
    lines = [f"{_plain(hypothesis.text)} (confidence: {hypothesis.confidence})"]
    lines += [f"  - because: {_plain(one)}" for one in hypothesis.why]
    lines += [f"  - would confirm it: {_plain(one)}" for one in hypothesis.what_would_confirm]
    return "\n".join(lines)


def _quoted(title: str, entries: Iterable[str]) -> list[str]:
    return _listed(title, map(_plain, entries))


def _listed(title: str, entries: Iterable[str]) -> list[str]:
    lines = [f"- {one}" for one in entries]
    return [f"## {title}", "\n".join(lines)] if lines else []


def _plain(text: str) -> str:
    """What others wrote stays text: it makes no links, headings or HTML."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split()))
