"""The YAML block some Markdown files begin with."""

import re
from collections.abc import Iterator
from typing import Any

import yaml

from groundwire.evidence._sections import read_once

MAX_DEPTH = 6
# an unquoted colon in a title is the commonest reason why a block is not YAML: "title: A: b"
_PLAIN_LINE = re.compile(r"(?m)^(?P<key>[A-Za-z][\w. -]{0,60}):[ \t]+(?P<value>\S.*)$")


def front_matter(text: str) -> tuple[dict[str, str], int]:
    """Its values under dotted keys, and the offset where the document itself begins."""
    block = next(iter(read_once(text, markdown=True).blocks), None)
    if block is None or block.kind != "front_matter":
        return {}, 0
    inner = "\n".join(text[slice(*piece)] for piece in block.pieces)
    tree = _parse(inner)
    if isinstance(tree, dict):
        return dict(_scalars(tree, "", MAX_DEPTH)), block.end
    plain = {
        line["key"].strip().lower(): line["value"].strip() for line in _PLAIN_LINE.finditer(inner)
    }
    return plain, block.end


def _parse(block: str) -> Any:
    # every value stays text: as YAML, `0012` would be ten and `no` would be false
    loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        # a few aliases can unfold to gigabytes, and no document needs them to state its title
        if any(isinstance(event, yaml.AliasEvent) for event in yaml.parse(block, Loader=loader)):
            return None
        return yaml.load(block, Loader=loader)  # noqa: S506 it makes nothing but text, lists, mappings
    except (yaml.YAMLError, RecursionError, ValueError):
        return None


def _scalars(tree: dict[Any, Any], prefix: str, depth: int) -> Iterator[tuple[str, str]]:
    for key, value in tree.items():
        name = f"{prefix}{key}".lower()
        if isinstance(value, dict):
            if depth:
                yield from _scalars(value, f"{name}.", depth - 1)
        elif isinstance(value, list):
            yield name, ", ".join(item for item in value if isinstance(item, str))
        elif value:
            yield name, value
