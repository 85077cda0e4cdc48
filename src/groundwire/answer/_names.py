"""What documents and collections are called when a person is spoken to. Pure."""

import re

from groundwire.evidence import IndexedDocument
from groundwire.model import DocumentKey

_SHORT = 3
"""Names up to this long are abbreviations: ADR."""
_LEADING_LABEL = re.compile(r"(?:[A-Za-z]{2,20}[ .#_-]{0,2})?(?P<number>\d{1,6})[A-Z]?[.:)]?\s+")


def type_name(doc_type: str) -> str:
    words = doc_type.replace("_", " ")
    first, _, rest = words.partition(" ")
    head = first.upper() if len(first) <= _SHORT else first.capitalize()
    return f"{head} {rest}" if rest else head


def key_name(key: DocumentKey) -> str:
    return f"{type_name(key.doc_type)} {key.number}"


def plural(doc_type: str, count: int) -> str:
    """`26 ADRs`, `1 policy`, `8 policies`."""
    name = type_name(doc_type)
    name = name if name.split()[0].isupper() else name.lower()
    if count == 1:
        return f"1 {name}"
    many = f"{name[:-1]}ies" if name.endswith("y") else f"{name}s"
    return f"{count} {many}"


def bare_title(title: str, number: int | None) -> str:
    """Without the label that stands in front: `ADR.12 Use CIM` is `Use CIM`."""
    match = _LEADING_LABEL.match(title)
    if match and number is not None and int(match["number"]) == number:
        return title[match.end() :] or title
    return title


def document_name(document: IndexedDocument) -> str:
    """`ADR 12 “Use CIM”`, or the title alone where there is no number."""
    identity = document.identity
    title = bare_title(document.title, identity.number)
    return f"{key_name(identity.key)} “{title}”" if identity.key else f"“{title}”"


def short_name(document: IndexedDocument) -> str:
    key = document.identity.key
    return key_name(key) if key else f"“{document.title}”"
