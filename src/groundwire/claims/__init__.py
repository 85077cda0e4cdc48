"""Text to claims, and to the typed values by which claims are checked."""

from groundwire.claims.values import (
    Identifier,
    Name,
    Period,
    Quantity,
    Value,
    quantities_in,
    same_value,
    values_in,
)

__all__ = [
    "Identifier",
    "Name",
    "Period",
    "Quantity",
    "Value",
    "quantities_in",
    "same_value",
    "values_in",
]
