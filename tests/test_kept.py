"""What is kept of texts seen before."""

from groundwire._kept import kept


def test_short_texts_are_kept_and_long_ones_are_not() -> None:
    """However many come, no long one stays in memory."""
    seen: list[str] = []

    @kept(2, 5)
    def upper(text: str, times: int = 1) -> str:
        """Says it loudly."""
        seen.append(text)
        return text.upper() * times

    assert [upper("short"), upper("short"), upper("short", 2)] == ["SHORT", "SHORT", "SHORTSHORT"]
    assert seen == ["short", "short"]
    assert [upper("longer"), upper("longer")] == ["LONGER", "LONGER"]
    assert seen == ["short", "short", "longer", "longer"]
    assert [upper("a"), upper("b"), upper("short")][2] == "SHORT"
    assert seen[-3:] == ["a", "b", "short"]
    assert upper.__doc__ == "Says it loudly."
