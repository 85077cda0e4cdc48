"""The typed values of a text: numbers with units, dates, identifiers, names, with exact spans."""

from typing import TYPE_CHECKING

from groundwire._door import door

if TYPE_CHECKING:
    from groundwire.values._identifiers import Identifier, Name
    from groundwire.values._period import Period, are_disjoint, lies_within, overlap
    from groundwire.values._quantity import (
        Measure,
        Quantity,
        confirms,
        excludes,
        is_weaker,
        other_limit,
    )
    from groundwire.values._read import (
        Reading,
        Value,
        quantities_in,
        read,
        same_value,
        values_in,
    )
    from groundwire.values._tokens import lower_at

__all__ = [
    "Identifier",
    "Measure",
    "Name",
    "Period",
    "Quantity",
    "Reading",
    "Value",
    "are_disjoint",
    "confirms",
    "excludes",
    "is_weaker",
    "lies_within",
    "lower_at",
    "other_limit",
    "overlap",
    "quantities_in",
    "read",
    "same_value",
    "values_in",
]

__getattr__ = door(
    __name__,
    {
        "_identifiers": "Identifier Name",
        "_period": "Period are_disjoint lies_within overlap",
        "_quantity": "Measure Quantity confirms excludes is_weaker other_limit",
        "_read": "Reading Value quantities_in read same_value values_in",
        "_tokens": "lower_at",
    },
)
