"""Notebooks and e-mail as Markdown."""

import email
import email.policy
from email.message import EmailMessage
from typing import Any

from groundwire.evidence._data import Pairs, load_json
from groundwire.evidence._parsed import Bounds, DocumentReader, Parsed, Pieces, Unparsable

_HEADERS = ("From", "To", "Cc", "Date")


def parse_notebook(data: bytes, bounds: Bounds) -> Parsed:
    notebook = load_json(data)
    cells = dict(notebook).get("cells") if isinstance(notebook, Pairs) else None
    if not isinstance(cells, list):
        raise Unparsable("is no notebook (it has no cells)", "Save it again in version 4.")
    pieces, places = Pieces(bounds), list[tuple[int, str]]()
    for number, one in enumerate(cells, start=1):
        cell = dict(one) if isinstance(one, Pairs) else {}
        places.append((pieces.length, f"cell {number}"))
        source = _lines(cell.get("source"))
        if cell.get("cell_type") == "markdown":
            pieces.add(f"{source}\n\n")
            continue
        pieces.add(_fenced(source))
        for output in cell.get("outputs") or []:
            pieces.add(_fenced(_output(dict(output) if isinstance(output, Pairs) else {})))
    return Parsed(pieces.text(), places=tuple(places))


def _lines(source: Any) -> str:
    return "".join(map(str, source)) if isinstance(source, list) else str(source or "")


def _output(output: dict[str, Any]) -> str:
    data = output.get("data")
    shown = dict(data).get("text/plain") if isinstance(data, Pairs) else None
    return _lines(output.get("text") or shown)


def _fenced(text: str) -> str:
    if not text.strip():
        return ""
    fence = "```"
    while fence in text:
        fence += "`"
    return f"{fence}\n{text.rstrip()}\n{fence}\n\n"


def parse_email(data: bytes, bounds: Bounds) -> Parsed:
    message = email.message_from_bytes(data, policy=email.policy.default)
    if not (message["From"] or message["Subject"]):
        raise Unparsable("is no e-mail (it has no sender and no subject)", "Export it again.")
    pieces = Pieces(bounds)
    subject = str(message["Subject"] or "").strip()
    if subject:
        pieces.add(f"# {subject}\n\n")
    for name in _HEADERS:
        if message[name]:
            pieces.add(f"- {name}: {' '.join(str(message[name]).split())}\n")
    pieces.add(f"\n{_body(message, bounds)}\n")
    attached = [
        part.get_filename() or part.get_content_type() for part in message.iter_attachments()
    ]
    metadata = {"unread": "; ".join(f"attachment {name}" for name in attached)} if attached else {}
    return Parsed(pieces.text(), title=subject or None, metadata=metadata)


def _body(message: EmailMessage, bounds: Bounds) -> str:
    part = message.get_body(preferencelist=("plain", "html"))
    if part is None:
        return ""
    try:
        content = part.get_content()
    except (LookupError, UnicodeDecodeError) as error:
        raise Unparsable("is in a charset that cannot be read", "Save it as text.") from error
    if part.get_content_type() == "text/html":
        from groundwire.evidence._html import parse_html

        return parse_html(str(content).encode(), bounds).text
    return str(content)


NOTEBOOK = DocumentReader("ipynb", parse_notebook)
EMAIL = DocumentReader("eml", parse_email)
