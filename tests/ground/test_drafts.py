from groundwire.ground import draft_edges

REPORT = """# Historian out of space

The stopped archive job led to a full disk. The full disk caused write errors and missing readings.
A slow consumer did not cause the missing readings. Rain may have caused the full disk. Load and
disk usage rose together. The team increased the memory limit.
"""


def test_drafts_are_what_is_asserted_and_carry_no_citation() -> None:
    drafts = draft_edges(REPORT)
    assert [(edge.from_var, edge.to_var) for edge in drafts.edges] == [
        ("stopped archive job", "full disk"),
        ("full disk", "write error"),
        ("full disk", "missing readings"),
    ]
    assert set(drafts.edges[0].model_dump()) == {
        "from_var",
        "to_var",
        "mechanism",
        "sign",
        "strength",
        "chain_of_thought",
    }


def test_what_drafts_nothing_is_counted_by_why() -> None:
    assert draft_edges(REPORT).set_aside == {"negated": 1, "hypothetical": 1, "correlation": 1}


def test_each_pair_is_drafted_once_however_it_is_put() -> None:
    text = "The full disk caused errors. The errors were due to full disks."
    assert len(draft_edges(text).edges) == 1


def test_a_text_without_causes_drafts_nothing() -> None:
    assert draft_edges("The sky is blue.").edges == ()
