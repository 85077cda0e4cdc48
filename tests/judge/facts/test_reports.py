"""Reports as people write them: restated, converted, summed and split, and with errors planted."""

import pytest

from groundwire.judge import EvidenceValues

WORKS = EvidenceValues.of(
    [
        "The Alpha plant produced 1,240 tonnes of steel in March and 1,310 tonnes in April.",
        "The Beta plant produced 980 tonnes of steel in March.",
        "In 2021, sales in Norway rose 12% and sales in Sweden fell 3%.",
        "In 2022, sales in Norway rose 7%.",
        "The first phase will create 120 jobs and the second phase a further 80.",
        "The company plans to hire 300 engineers over the next five years.",
        "Of the 40 buses, 25 are electric.",
        "Passenger numbers peaked at 2.1 million in 2019 before falling to 0.9 million in 2020.",
        "The average waiting time is 14 minutes, down from 19 minutes in 2020.",
        "The train leaves Oslo at 8:05 and arrives in Bergen at 14:55.",
        "The fund returned 5.4% after fees and 6.1% before fees.",
        "A family ticket costs $45; single tickets cost $15.",
        "The museum has three floors, two cafes and a shop.",
        "Unemployment rose to 4.6% from 4.1%.",
        "The rule applies to companies with more than 250 employees.",
        "The warranty covers the battery for eight years or 160,000 km.",
        "The patient was 54 years old and had been treated for 6 weeks.",
        (
            "The storm caused damage of at least $2 billion, the insurer said; later "
            "estimates put it at $3.5 billion."
        ),
        "The bill passed by 52 votes to 48.",
        "The film runs for 104 minutes and cost $30m to make.",
        "Version 3.1 was released on 4 April 2022; version 3.2 followed on 10 October 2022.",
        "The company was valued at $1.2bn in its last funding round.",
        "Two men, aged 24 and 31, were arrested on Friday.",
        "The river is 180 km long, 60 km of which lie in Denmark.",
        "Between 1990 and 2020 emissions fell by 32%.",
        "The old bridge carried 4,000 vehicles a day; the new one carries 9,000.",
        "Ms Berg joined the firm in 2011 and became a partner in 2016.",
        "The temperature fell to -12 \u00b0C overnight and rose to 3 \u00b0C by noon.",
    ]
)
FIRMS = EvidenceValues.of(
    [
        (
            "Harbour Bank's net interest margin widened to 2.31% in the fourth quarter of "
            "2023, from 2.08% a year earlier."
        ),
        "The bank set aside EUR 48 million for bad loans.",
        "Its cost-to-income ratio stood at 54%, below its target of 57%.",
        "The board proposed a dividend of EUR 0.62 per share, to be paid on 22 May 2024.",
        "Chief executive Liv Aasen will step down in September after nine years in the post.",
        "The reservoir holds 3.4 million cubic metres of water and supplies 62,000 homes.",
        "The dam, built between 1961 and 1965, is 48 metres high and 310 metres long.",
        "A 2019 inspection found 14 cracks, two of which were repaired in 2020.",
        "The repair cost $1.8 million, 20 percent more than planned.",
        "Firmware version 4.2.1 fixes the watchdog reset reported in issue #2291.",
        "The sensor samples at 250 Hz and draws 3.2 mA at 3.3 V.",
        "The battery lasts up to 18 hours and charges to 80% in 45 minutes.",
        "Doses of 5 mg/kg were given twice daily for 14 days to 132 patients aged 18 to 65.",
        (
            "Nausea occurred in 11 of 132 patients (8.3%) in the treatment group and in 4 of "
            "128 patients in the placebo group."
        ),
        "The trial ended on 30 November 2022.",
        "The library opens at 9:30 am on weekdays and closes at 6 pm.",
        "Ticket prices rose from $12 to $15 in January.",
        "The Kestrel programme was led by Anders Moen from 2014 until 2018.",
        "The annex was designed by Tomas Berg and completed in 2007.",
        "The population of Lindholm grew by 4.2% to 18,640 in 2021.",
    ]
)


def accused(evidence: EvidenceValues, claim: str) -> list[str]:
    findings = evidence.check(claim)
    return [finding.claimed for finding in findings if finding.relation == "contradicted"]


@pytest.mark.parametrize(
    "claim",
    [
        "The Alpha plant produced 2,550 tonnes of steel in March and April.",
        "The two plants produced 2,220 tonnes of steel in March.",
        "The Alpha plant produced 260 tonnes more steel than the Beta plant in March.",
        "Sales in Norway rose 7% in 2022.",
        "Sales in Norway rose 12% in 2021.",
        "Sales in Norway rose in both years, by 12% and 7%.",
        "The project will create 200 jobs.",
        "The two phases will create 200 jobs in total.",
        "The second phase will create 80 more jobs.",
        "The company plans to hire 60 engineers a year.",
        "15 of the 40 buses are not electric.",
        "25 of 40 buses are electric.",
        "More than 60% of the buses are electric.",
        "Passenger numbers fell by 1.2 million in 2020.",
        "Passenger numbers fell by more than half in 2020.",
        "Passenger numbers were 0.9 million in 2020.",
        "The average waiting time fell by five minutes.",
        "Waiting times were 19 minutes on average in 2020.",
        "The train journey from Oslo to Bergen takes almost seven hours.",
        "The train leaves Oslo at five past eight.",
        "The train arrives in Bergen at 2:55 pm.",
        "The fund charged 0.7 percentage points in fees.",
        "The fund returned 6.1% before fees.",
        "Two single tickets cost $30.",
        "A family ticket costs three times as much as a single ticket.",
        "The museum has two cafes on its three floors.",
        "Unemployment rose by 0.5 percentage points.",
        "Unemployment was 4.1% before.",
        "Companies with 300 employees are covered by the rule.",
        "Companies with fewer than 250 employees are exempt.",
        "The warranty covers the battery for 96 months.",
        "The warranty covers the battery for 100,000 miles.",
        "The patient had been treated for 42 days.",
        "The patient was in his fifties.",
        "The storm caused damage of $3.5 billion.",
        "The storm caused damage of up to $3.5 billion.",
        "The bill passed by four votes.",
        "The bill passed 52-48.",
        "The film runs for one hour and 44 minutes.",
        "The film cost $30 million to make and runs for 1.7 hours.",
        "Version 3.2 was released in October 2022.",
        "Version 3.2 came six months after version 3.1.",
        "The company was valued at more than $1 billion.",
        "The company was valued at 1,200 million dollars.",
        "The men arrested on Friday were 24 and 31 years old.",
        "A 31-year-old man was arrested on Friday.",
        "120 km of the river lie outside Denmark.",
        "A third of the river lies in Denmark.",
        "Emissions fell by 32% in 30 years.",
        "Emissions in 2020 were 68% of those in 1990.",
        "The new bridge carries 5,000 vehicles a day more than the old one.",
        "The new bridge carries 9,000 vehicles a day.",
        "Ms Berg became a partner five years after she joined the firm.",
        "Ms Berg joined the firm in 2011.",
        "Ms Berg has been a partner since 2016.",
        "The temperature rose by 15 degrees by noon.",
        "The temperature fell below -10 \u00b0C overnight.",
        "The temperature was 10 degrees below zero or colder overnight.",
        "Sales in Sweden fell 3% in 2021.",
        "The Beta plant produced almost 1,000 tonnes of steel in March.",
        "Around 1.2 thousand tonnes of steel were produced by the Alpha plant in March.",
        "The company will hire 300 engineers by 2030.",
        "The first phase alone will create 120 jobs.",
        "Only one version, 3.1, was released before May 2022.",
    ],
)
def test_true_sentences_about_works_are_not_accused(claim: str) -> None:
    assert accused(WORKS, claim) == []


@pytest.mark.parametrize(
    "claim",
    [
        "The net interest margin rose to 2.3% in Q4 2023.",
        "The net interest margin widened by 23 basis points.",
        "Harbour Bank set aside about 50 million euros for bad loans.",
        "The cost-to-income ratio was three points below target.",
        "The dividend of 62 cents per share will be paid in May 2024.",
        "Liv Aasen has been chief executive for nine years.",
        "Liv Aasen took the post in 2015.",
        "The reservoir supplies more than 60,000 homes.",
        "The dam took four years to build.",
        "The dam was built in the 1960s.",
        "12 cracks remained unrepaired after 2020.",
        "The repair was planned to cost $1.5 million.",
        "The sensor draws about 10.6 mW.",
        "The sensor takes a sample every 4 ms.",
        "The battery lasts 15 hours.",
        "Patients received 10 mg/kg per day.",
        "Treatment lasted two weeks.",
        "Nausea occurred in 15 of 260 patients.",
        "Nausea occurred in 3.1% of patients in the placebo group.",
        "The trial ended in late 2022.",
        "The library is open for eight and a half hours on weekdays.",
        "Ticket prices rose by $3 in January.",
        "Ticket prices rose by 25% in January.",
        "Anders Moen led the Kestrel programme for four years.",
        "The population of Lindholm was about 17,900 in 2020.",
        "The annex was completed in 2007 by Berg.",
        "Lindholm has 18,640 inhabitants.",
        "The dam is 48 m high and 0.31 km long.",
        "The dam is 157 feet high.",
        "The battery charges to 80% in three quarters of an hour.",
        "Prices were $12 in December.",
        "The dam was inspected in 2019 and repaired in 2020.",
        "The target for the cost-to-income ratio is 57%.",
    ],
)
def test_true_sentences_about_firms_are_not_accused(claim: str) -> None:
    assert accused(FIRMS, claim) == []


@pytest.mark.parametrize(
    ("claim", "claimed"),
    [
        ("The net interest margin widened to 2.51% in the fourth quarter of 2023.", "2.51%"),
        ("Harbour Bank set aside EUR 84 million for bad loans.", "EUR 84 million"),
        ("The cost-to-income ratio stood at 64%.", "64%"),
        ("The board proposed a dividend of EUR 0.82 per share.", "EUR 0.82"),
        ("The dividend will be paid on 22 June 2024.", "22 June 2024"),
        ("Chief executive Liv Aasen will step down in October.", "October"),
        ("The reservoir holds 4.3 million cubic metres of water.", "4.3 million cubic metres"),
        ("The reservoir supplies 26,000 homes.", "26,000"),
        ("The dam is 84 metres high.", "84 metres"),
        ("The dam is 130 metres long.", "130 metres"),
        ("The 2019 inspection found 41 cracks.", "41"),
        ("The repair cost $18 million.", "$18 million"),
        ("Firmware version 4.2.7 fixes the watchdog reset.", "version 4.2.7"),
        ("The watchdog reset was reported in issue #2219.", "#2219"),
        ("The sensor samples at 500 Hz.", "500 Hz"),
        ("The sensor draws 32 mA at 3.3 V.", "32 mA"),
        ("Doses of 15 mg/kg were given twice daily.", "15 mg/kg"),
        ("Doses of 5 mg/kg were given twice daily for 41 days.", "41 days"),
        ("The trial ended on 30 October 2022.", "30 October 2022"),
        ("The library opens at 8:30 am on weekdays.", "8:30 am"),
        ("The Kestrel programme was led by Jonas Vik from 2014 until 2018.", "Jonas Vik"),
        ("The annex was designed by Erik Dahl.", "Erik Dahl"),
        ("The annex was completed in 2011.", "2011"),
        ("The population of Lindholm grew to 16,840 in 2021.", "16,840"),
        ("The dam was built between 1971 and 1975.", "1971 and 1975"),
    ],
)
def test_errors_planted_in_sentences_about_firms_are_named(claim: str, claimed: str) -> None:
    assert accused(FIRMS, claim) == [claimed]
