"""The words that numbers and days are counted by; what they are worth, `values/` says."""

ONES = tuple(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
    " sixteen seventeen eighteen nineteen".split()
)
TEN_NAMES = tuple("twenty thirty forty fifty sixty seventy eighty ninety".split())
ORDINAL_ONES = tuple(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth"
    " fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth".split()
)
WEEKDAY_NAMES = tuple("monday tuesday wednesday thursday friday saturday sunday".split())
MONTH_NAMES = tuple(
    "january february march april may june july august september october november december".split()
)
MONTH_NAMES_ABROAD = {
    name: number
    for names in (
        "januar februar märz april mai juni juli august september oktober november dezember",
        "januari februari maart april mei juni juli augustus september oktober november december",
    )
    for number, name in enumerate(names.split(), start=1)
}
"""German and Dutch: what they are called beside a day or a year."""
