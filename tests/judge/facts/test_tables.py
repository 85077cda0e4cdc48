"""A claim that names one row and one column of a table is about that cell."""

import pytest

from groundwire.judge import Evidence
from groundwire.model import EvidenceBundle

POOLS = """# Swimming pools of the district

| Pool | Length (m) | Visitors 2022 | Visitors 2023 | Water |
|---|---|---|---|---|
| Elmbrook | 25 | 41,000 | 44,500 | 27 °C |
| High Street | 50 | 88,200 | 80,100 | 26 °C |
| Old Mill | 33 | 12,400 | 15,900 | 24 °C |

The pool at High Street was closed for six weeks.
"""
YIELD = """| Quarter | Bread (kg) | Returns |
|---|---|---|
| Q1 | 310 | 4.1 % |
| Q2 | 295 | 3.8 % |
| Q3 | 280 | 5.0 % |
"""
PLANS = """| Tariff | Minutes | Data (GB) |
|---|---|---|
| Basic | 100 | 2 |
| Family | 500 | 20 |
"""


STOCK = """# Stock of the ski hire

| Room | Helmets | Poles (pairs) |
|---|---|---|
| Cellar | 40 | 25 |
| Shop floor | 18 | 30 |
| Loft | 7 | 12 |
"""
TAKINGS = """| Stall | Takings (EUR) |
|---|---|
| Cakes | 210 |
| Books | 145 |
| Tombola | 320 |
| Plants | 95 |
| Total | 770 |
"""


def relations(claim: str, text: str) -> set[str]:
    evidence = Evidence([EvidenceBundle.of(text, "table")])
    return {one.relation for one in evidence.check_values(claim) if "|" in one.quote.quote}


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Old Mill had 12,400 visitors in 2023.", POOLS),
        ("High Street counted 44,500 visitors in 2023.", POOLS),
        ("The visitors of Elmbrook in 2022 numbered 88,200.", POOLS),
        ("The water at Old Mill is 27 °C.", POOLS),
        ("The water of the pool at Elmbrook is kept at 24 °C.", POOLS),
        ("The pool at Old Mill has a length of 50 m.", POOLS),
        ("Returns in the second quarter were 4.1 %.", YIELD),
        ("In the third quarter 310 kg of bread were baked.", YIELD),
        ("In Q1 the returns stood at 5.0 %.", YIELD),
        ("The tariff Family has 100 minutes.", PLANS),
        ("The tariff Basic comes with 20 GB of data.", PLANS),
    ],
)
def test_another_cell_contradicts(claim: str, text: str) -> None:
    assert "contradicted" in relations(claim, text)


@pytest.mark.parametrize(
    ("claim", "text"),
    [
        ("Old Mill had 15,900 visitors in 2023.", POOLS),
        ("High Street counted 88,200 visitors in 2022.", POOLS),
        ("The water at Old Mill is 24 °C.", POOLS),
        ("Returns in the second quarter were 3.8 %.", YIELD),
        ("In the third quarter 280 kg of bread were baked.", YIELD),
        ("The tariff Family has 500 minutes.", PLANS),
        # what is about no one cell
        ("Old Mill had 3,500 more visitors in 2023.", POOLS),
        ("High Street had 7,000 child visitors in 2023.", POOLS),
        ("Elmbrook and Old Mill had 60,400 visitors in 2023.", POOLS),
        ("High Street did not have 12 visitors in 2023.", POOLS),
        ("Old Mill had 9,000 visitors in 2019.", POOLS),
        ("More than 10,000 visitors came to Old Mill in 2023.", POOLS),
        ("The pool at High Street was closed for six weeks in 2023.", POOLS),
        ("Half of the visitors of Elmbrook in 2023 were 12 years old.", POOLS),
        ("The tariff Student has 100 minutes.", PLANS),
        ("Elmbrook has 25 lockers.", POOLS),
        ("Elmbrook employs 14 people.", POOLS),
    ],
)
def test_what_is_no_other_cell_is_left_alone(claim: str, text: str) -> None:
    assert "contradicted" not in relations(claim, text)


@pytest.mark.parametrize(
    ("claim", "row", "text"),
    [
        ("The Student tariff has 100 minutes.", "| Basic", PLANS),
        ("Customers of the Gold tariff get 20 GB.", "| Family", PLANS),
        ("The Basic tariff has 20 GB.", "| Family", PLANS),
        ("At Old Mill the water is warm.", "| Elmbrook", POOLS),
        ("In the first quarter much came back.", "| Q3", YIELD),
    ],
)
def test_a_row_does_not_show_what_is_said_of_another(claim: str, row: str, text: str) -> None:
    evidence = Evidence([EvidenceBundle.of(text, "table")])
    [place] = [p for p, one in enumerate(evidence.sentences) if one.text.startswith(row)]
    assert evidence.differs(claim, [place])


@pytest.mark.parametrize(
    ("claim", "row", "text"),
    [
        ("The Basic tariff has 100 minutes.", "| Basic", PLANS),
        ("Every tariff has minutes.", "| Family", PLANS),
        ("The cheaper tariff has 100 minutes.", "| Basic", PLANS),
        ("Old Mill has the coldest water.", "| Old Mill", POOLS),
        ("Old Mill has fewer visitors than Elmbrook.", "| Elmbrook", POOLS),
    ],
)
def test_its_own_row_may_show_it(claim: str, row: str, text: str) -> None:
    evidence = Evidence([EvidenceBundle.of(text, "table")])
    [place] = [p for p, one in enumerate(evidence.sentences) if one.text.startswith(row)]
    assert not evidence.differs(claim, [place])


@pytest.mark.parametrize(
    ("claim", "text", "relation"),
    [
        ("The ski hire has 65 helmets in total.", STOCK, "confirmed"),
        ("Altogether 67 pairs of poles are in stock.", STOCK, "confirmed"),
        ("In all there are 75 helmets in stock.", STOCK, "contradicted"),
        ("The poles of the ski hire come to 55 pairs altogether.", STOCK, "contradicted"),
        ("The takings were EUR 770 in total.", TAKINGS, "confirmed"),
        ("The takings were EUR 870 in total.", TAKINGS, "contradicted"),
        ("The three pools had 149,000 visitors altogether.", POOLS, None),
        ("The cellar has 50 helmets in total.", STOCK, None),
        ("The ski hire has 70 sledges in total.", STOCK, None),
        ("The bike hire at Moss has 70 helmets in total.", STOCK, None),
        ("More than 60 helmets in total are kept there.", STOCK, None),
    ],
)
def test_a_column_is_summed_where_a_total_is_claimed(
    claim: str, text: str, relation: str | None
) -> None:
    """A row of totals says it itself; a claim of a row or of another thing is left alone."""
    assert relations(claim, text) == ({relation} if relation else set())


def test_a_total_that_the_column_does_not_give_is_no_support() -> None:
    evidence = Evidence([EvidenceBundle.of(STOCK, "table")])
    rows = [place for place, one in enumerate(evidence.sentences) if "|" in one.text]
    assert evidence.differs("The ski hire has 75 helmets in total.", rows[1:])
    assert not evidence.differs("The ski hire has 65 helmets in total.", rows[1:])
