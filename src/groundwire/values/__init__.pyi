from groundwire.values._amounts import (
    Amount as Amount,
    amounts_of as amounts_of,
    is_amount as is_amount,
    outcomes as outcomes,
)
from groundwire.values._computations import (
    Computation as Computation,
    bindings_in as bindings_in,
    computations_in as computations_in,
    numbers_in as numbers_in,
    written as written,
)
from groundwire.values._identifiers import Identifier as Identifier, Name as Name
from groundwire.values._numerals import whole_number as whole_number
from groundwire.values._period import (
    Period as Period,
    are_disjoint as are_disjoint,
    lies_within as lies_within,
    overlap as overlap,
)
from groundwire.values._quantity import (
    Quantity as Quantity,
    confirms as confirms,
    excludes as excludes,
    is_weaker as is_weaker,
    other_limit as other_limit,
    other_range as other_range,
)
from groundwire.values._reach import Given as Given, out_of_reach as out_of_reach
from groundwire.values._read import (
    Reading as Reading,
    Value as Value,
    quantities_in as quantities_in,
    read as read,
    same_value as same_value,
    spelled_as_in as spelled_as_in,
    values_in as values_in,
)
from groundwire.values._tokens import lower_at as lower_at
