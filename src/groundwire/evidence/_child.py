"""The process that parses HTML, PDF, DOCX and more: `python -m groundwire.evidence._child`.

A request is a line of JSON and then the file's bytes; the reply is a line of JSON and then the
text. Only this process dies when a file makes a parser hang, crash or swallow all memory.
"""

import contextlib
import json
import os
import sys
from dataclasses import asdict
from typing import IO, Any

from groundwire.evidence._parsed import READERS, Bounds, Unparsable


def main() -> None:
    # what a library prints must not get between our replies
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    while line := sys.stdin.buffer.readline():
        _answer(json.loads(line), sys.stdin.buffer, replies)


def _answer(request: dict[str, Any], requests: IO[bytes], replies: IO[bytes]) -> None:
    _limit_memory(request["memory_mb"])
    data = requests.read(request["size"])
    header, text = _parse(request["reader"], data, Bounds(**request["bounds"]))
    payload = text.encode("utf-8", "replace")
    replies.write(json.dumps(header | {"size": len(payload)}).encode() + b"\n" + payload)
    replies.flush()


def _parse(reader: str, data: bytes, bounds: Bounds) -> tuple[dict[str, Any], str]:
    try:
        parsed = READERS.get(reader).parse(data, bounds)
    except Unparsable as error:
        problem, hint = error.args
        return {"problem": problem, "hint": hint}, ""
    except ImportError as error:
        if reader in READERS.added_names():
            return {"problem": f"cannot be read: {error}", "hint": "Install what is missing."}, ""
        return {"missing": str(error.name)}, ""
    except MemoryError:
        return {"problem": "needs too much memory", "hint": "Raise limits.parse_memory_mb."}, ""
    except Exception as error:  # noqa: BLE001 a parser may raise anything on a hostile file
        problem = f"cannot be parsed ({type(error).__name__})"
        return {"problem": problem, "hint": "Save it again, or as text."}, ""
    header = asdict(parsed)
    return header, str(header.pop("text"))


def _limit_memory(memory_mb: int) -> None:
    try:
        import resource
    except ImportError:  # there is no such limit on Windows
        return
    most = memory_mb * 1_000_000
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (most, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    main()
