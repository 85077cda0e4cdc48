def word_set(text: str) -> frozenset[str]:
    """A set of words, written as people write lists of words."""
    return frozenset(text.split())
