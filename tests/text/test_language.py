import pytest

from groundwire.text import detect_language


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The bridge is 503 m long and was opened in 1932.", "en"),
        ("De brug is 503 meter lang en werd geopend in 1932.", "nl"),
        ("Der Turm ist 300 Meter hoch und wurde 1889 gebaut.", "de"),
        ("Le pont est dans la ville et il a une longueur de 503 m.", "fr"),
        ("Мост открыт в 1932 году.", "ru"),
        ("橋は1932年に開通しました。", "ja"),
        ("725 mV", None),
        ("", None),
    ],
)
def test_languages_are_told_by_script_and_common_words(text: str, language: str | None) -> None:
    assert detect_language(text) == language
