"""What a judge must beat: scores that understand nothing."""

from groundwire.text import content_terms


def word_overlap(claim: str, evidence: str) -> float:
    """The share of the claim's content words that the evidence has too."""
    wanted = content_terms(claim)
    known = set(content_terms(evidence))
    return sum(term in known for term in wanted) / len(wanted) if wanted else 0.0


def shortness(claim: str) -> float:
    """Nearer to one the shorter the claim: invented claims often say more."""
    return 1 / (1 + len(claim.split()))
