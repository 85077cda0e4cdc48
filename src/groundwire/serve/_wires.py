"""The wires that the proxy verifies, by their paths."""

from collections.abc import Mapping

from groundwire.serve._wire import Wire
from groundwire.serve._wire_chat import ChatCompletions
from groundwire.serve._wire_messages import Messages
from groundwire.serve._wire_responses import Responses

WIRES: Mapping[str, Wire] = {
    "chat/completions": ChatCompletions(),
    "responses": Responses(),
    "messages": Messages(),
}


def wire_of(method: str, path: str) -> Wire | None:
    """The wire of a request, by the end of its path; anything else passes as it is."""
    known = (wire for end, wire in WIRES.items() if path.rstrip("/").endswith(f"/{end}"))
    return next(known, None) if method == "POST" else None
