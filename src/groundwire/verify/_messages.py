"""Why a claim ended as it did, in a sentence."""

from collections.abc import Sequence

from groundwire.model import Check, Citation, Reason

_SENTENCES: dict[Reason, str] = {
    "supported": "The evidence supports this.",
    "prior_known": "Likely true with and without this evidence.",
    "overconfident": "Supported, but stated more surely than the evidence justifies.",
    "miscited": "Supported, but not by what it cites.",
    "refuted": "The evidence says otherwise.",
    "not_in_evidence": "Nothing in the evidence says this.",
    "no_evidence": "There was no evidence to test this against.",
    "language": "The judge was not calibrated for this language.",
    "uncertain": "The judge's estimate is too wide to decide.",
}


def explain(
    reason: Reason, checks: Sequence[Check] = (), citations: Sequence[Citation] = ()
) -> str:
    if reason == "phantom_citation":
        markers = ", ".join(dict.fromkeys(one.marker for one in citations if one.is_phantom))
        return f"It cites {markers}, which leads to no evidence."
    for check in checks:
        if check.relation == "contradicted" and reason == f"{check.kind}_mismatch":
            return f'It says "{check.claimed}"; the evidence says "{check.found}".'
    return _SENTENCES.get(reason, "The judge failed.")
