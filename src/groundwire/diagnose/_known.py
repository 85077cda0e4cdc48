"""Numbers that may be said: those the report gives, however they are written."""

import re
import unicodedata
from collections.abc import Iterable, Iterator

from groundwire.values import Identifier, Period, Quantity, Value, same_value, values_in

_DIGITS = re.compile(r"\d+")


class KnownNumbers:
    """The values of some texts. `725 mV` is known where `0.725 V` is."""

    def __init__(self, texts: Iterable[str]) -> None:
        self._values: list[Value] = []
        self._signs: set[str] = set()
        for text in dict.fromkeys(texts):
            self._values += _numbers(text)
            self._signs.update(sign for sign, _ in _signs(text))

    def strangers_in(self, text: str) -> list[str]:
        """What a text says in numbers, dates and codes that none of the known texts says."""
        numbers = _numbers(text)
        strangers = [one.text for one in numbers if not self._knows(one)]
        for sign, place in _signs(text):
            is_read = any(one.start <= place < one.end for one in numbers)
            if not is_read and sign not in self._signs:
                strangers.append(sign)
        return strangers

    def _knows(self, value: Value) -> bool:
        return any(same_value(value, one) for one in self._values)


def _numbers(text: str) -> list[Value]:
    return [
        one
        for one in values_in(text)
        if isinstance(one, Period | Identifier) or (isinstance(one, Quantity) and not one.weak)
    ]


def _signs(text: str) -> Iterator[tuple[str, int]]:
    """Runs of digits, and single characters that are a number, such as ½ and Ⅷ."""
    for digits in _DIGITS.finditer(text):
        yield digits.group(), digits.start()
    for place, character in enumerate(text):
        is_other = not character.isascii() and not character.isdecimal()
        if is_other and unicodedata.numeric(character, None) is not None:
            yield character, place
