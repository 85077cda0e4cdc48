"""Text to claims, and to the typed values claims are checked by."""

from groundwire.claims._identifiers import Identifier
from groundwire.claims._names import Name
from groundwire.claims._period import Period, are_disjoint, lies_within
from groundwire.claims._quantity import Measure, Quantity, confirms, excludes, same_value
from groundwire.claims._scan import Kind, Token
from groundwire.claims._values import Reading, Value, read, values_in

__all__ = [
    "Identifier",
    "Kind",
    "Measure",
    "Name",
    "Period",
    "Quantity",
    "Reading",
    "Token",
    "Value",
    "are_disjoint",
    "confirms",
    "excludes",
    "lies_within",
    "read",
    "same_value",
    "values_in",
]
