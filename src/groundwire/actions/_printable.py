"""Names that are not text: shown with escapes, and found again by them."""

import os
import re

_ESCAPED = re.compile(rb"\\x([0-9a-f]{2})")


def printable(text: str) -> str:
    """The text without halves of characters: odd bytes of a file name as `\\xff`, say."""
    if text.isascii():
        return text
    try:
        text.encode()
    except UnicodeEncodeError:
        try:
            return os.fsencode(text).decode("utf-8", "backslashreplace")
        except UnicodeEncodeError:
            return text.encode("utf-8", "backslashreplace").decode()
    return text


def file_name(shown: str) -> str:
    """The file name that was shown in this way."""
    if "\\x" not in shown:
        return shown
    raw = _ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), shown.encode())
    return os.fsdecode(raw)
