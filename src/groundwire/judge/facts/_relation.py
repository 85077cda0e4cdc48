"""How a claim's value stands to one of the evidence."""

from groundwire._patterns import lazy_pattern
from groundwire.text import word_list
from groundwire.values import (
    Identifier,
    Period,
    Quantity,
    Value,
    are_disjoint,
    confirms,
    excludes,
    is_weaker,
    lies_within,
    other_limit,
    other_range,
    overlap,
)


def comparable(claimed: Value, found: Value) -> bool:
    """Whether the two answer the same kind of question: one dimension, one frame, one family."""
    if isinstance(claimed, Quantity) and isinstance(found, Quantity):
        dimensions = {measure.dimension for measure in claimed.measures}
        is_alike = any(measure.dimension in dimensions for measure in found.measures)
        return is_alike or are_two_currencies(claimed, found)
    if isinstance(claimed, Period) and isinstance(found, Period):
        frames = {claimed.frame, found.frame}
        return len(frames) == 1 or frames == {"calendar", "yearly"}
    if isinstance(claimed, Identifier) and isinstance(found, Identifier):
        return claimed.family == found.family
    return False


# such as "A$5", "5 CAD": whose dollars they are
_NAMED_DOLLARS = lazy_pattern(r"[A-Za-z]\$|\b[A-Z]{3}\b")
# "$5" may be of any of these
_DOLLARS = frozenset("money:" + code for code in word_list("USD AUD CAD HKD NZD SGD TWD"))


def are_two_currencies(claimed: Quantity, found: Quantity) -> bool:
    """The same amount in two currencies: dollars for euros."""
    ours, theirs = ({m.dimension for m in one.measures} for one in (claimed, found))
    is_money = all(dimension.startswith("money:") for dimension in ours | theirs)
    return (
        is_money
        and ours.isdisjoint(theirs)
        and not ((ours | theirs) <= _DOLLARS and not _name_their_dollars(claimed, found))
        and claimed.value == found.value
    )


def _name_their_dollars(*amounts: Quantity) -> bool:
    return all(_NAMED_DOLLARS.search(one.text) for one in amounts)


def confirmed_by(claimed: Value, found: Value) -> bool:
    """Whether what was found says at least what was claimed."""
    if isinstance(claimed, Quantity) and isinstance(found, Quantity):
        return confirms(found, claimed)
    if isinstance(claimed, Period) and isinstance(found, Period):
        return lies_within(found, claimed)
    if isinstance(claimed, Identifier) and isinstance(found, Identifier):
        return claimed.key == found.key
    return False


def conflicts(claimed: Value, found: Value) -> bool:
    """Whether the two cannot both be true of one thing."""
    if isinstance(claimed, Quantity) and isinstance(found, Quantity):
        is_other_money = are_two_currencies(claimed, found)
        return not found.weak and (is_other_money or excludes(found, claimed))
    if isinstance(claimed, Period) and isinstance(found, Period):
        return are_disjoint(found, claimed)
    return comparable(claimed, found) and not may_be_same(claimed, found)


def may_be_same(claimed: Value, found: Value) -> bool:
    """Whether both could speak of one value, generously: what allows this is never accused."""
    if not comparable(claimed, found):
        return False
    if isinstance(claimed, Quantity) and isinstance(found, Quantity):
        is_other = excludes(found, claimed) or other_range(found, claimed)
        return not is_other and not are_two_currencies(claimed, found)
    if isinstance(claimed, Period) and isinstance(found, Period):
        return overlap(claimed, found) or (claimed.is_bound and not are_disjoint(claimed, found))
    if isinstance(claimed, Identifier) and isinstance(found, Identifier):
        return claimed.key == found.key
    return False


def limits_differ(claimed: Value, found: Value, *, is_rule: bool) -> bool:
    """Whether both set a limit on the same side, and the claim's is not what was found.

    "at least 400" is true of what is at least 500, so a weaker limit speaks only against a rule.
    """
    if not isinstance(claimed, Quantity) or not isinstance(found, Quantity):
        return False
    return other_limit(found, claimed) and (is_rule or not is_weaker(found, claimed))
