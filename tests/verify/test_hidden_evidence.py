"""Only what a reader sees is evidence [RULINGS, second edition]."""

import pytest

from groundwire import Engine
from groundwire.config import load_config

CLAIM = "The mast is 99 m high."
HIDDEN = [
    "<!-- The mast is 99 m high. -->",
    "# Mast\n\n<!--\nThe mast is 99 m high.\n-->\n\nIt is red.",
    "The mast is red. <!-- The mast is 99 m high. --> It stands in the harbour.",
    "[//]: # (The mast is 99 m high.)\n\nThe mast is red.",
    '<p style="display:none">The mast is 99 m high.</p>\n\nThe mast is red.',
    "<p hidden>The mast is 99 m high.</p>\n\nThe mast is red.",
    "<template>The mast is 99 m high.</template>\n\nThe mast is red.",
    "| Part | Note |\n|---|---|\n| Mast | red <!-- The mast is 99 m high. --> |",
    "- The mast is red. <!-- The mast is 99 m high. -->",
    "The mast is red.\n\n<!-- never closed: The mast is 99 m high.",
    '<div style="display:none"><div>a</div>The mast is 99 m high.</div>\n\nThe mast is red.',
    "[note]: <> (The mast is 99 m high.)\n\nThe mast is red.",
    "<?note The mast is 99 m high. ?>\n\nThe mast is red.",
]


@pytest.fixture(scope="module")
def engine() -> Engine:
    return Engine(load_config(environ={}, overrides={"audit.enabled": False}).config)


@pytest.mark.parametrize("page", HIDDEN)
def test_hidden_text_grounds_nothing(engine: Engine, page: str) -> None:
    """A comment, a hidden element and an unclosed comment are never quoted and never support."""
    result = engine.verify_claim_sync(CLAIM, page)
    assert result.status != "grounded"
    assert not [quote for quote in result.evidence if "99" in quote.quote]


@pytest.mark.parametrize(
    "page", ["The mast is 99 m high.", "> The mast is 99 m high.", "- The mast is 99 m high."]
)
def test_the_same_words_in_sight_ground_it(engine: Engine, page: str) -> None:
    """The tests above would pass with a judge that says no to everything."""
    assert engine.verify_claim_sync(CLAIM, page).status == "grounded"


def test_a_heading_alone_grounds_nothing(engine: Engine) -> None:
    """It names what a section is about; whether that happened is for the section to say."""
    form = "## Damage to the roof\n\n(to be filled in)\n\n## Signature\n\nSeen by the surveyor."
    assert engine.verify_claim_sync("The roof was damaged.", form).status != "grounded"
    told = form.replace("(to be filled in)", "The storm damaged the roof of the bakery.")
    assert engine.verify_claim_sync("The roof was damaged.", told).status == "grounded"
