"""Places for the nodes of a graph: causes left, effects right, few crossings, parts stacked."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

_SWEEPS = 6

Pair = tuple[str, str]


@dataclass(frozen=True)
class Place:
    """`column` counts causes before it; `row` may lie between two rows."""

    column: int
    row: float


@dataclass(frozen=True)
class Layout:
    """Where nodes stand, and where an edge over several columns passes between them."""

    places: dict[str, Place]
    bends: dict[Pair, tuple[Place, ...]]


def layout(nodes: Sequence[str], edges: Iterable[Pair]) -> Layout:
    """The same graph is drawn the same way every time."""
    ordered = sorted(set(edges))
    places: dict[str, Place] = {}
    steps: dict[Pair, list[str]] = {}
    first_row = 0.0
    for part in _parts(sorted(nodes), ordered):
        inside = [(a, b) for a, b in ordered if a in part and b in part]
        columns = _columns(sorted(part), inside)
        rows = _rows(columns, _stepwise(columns, inside, steps))
        height = max(len(column) for column in rows)
        for index, column in enumerate(rows):
            above = (height - len(column)) / 2
            for row, node in enumerate(column):
                places[node] = Place(index, first_row + above + row)
        first_row += height + 0.5
    bends = {edge: tuple(places.pop(step) for step in on_way) for edge, on_way in steps.items()}
    return Layout(places, bends)


def _stepwise(
    columns: list[list[str]], edges: Sequence[Pair], steps: dict[Pair, list[str]]
) -> list[Pair]:
    """Edges from column to column: a longer one gets a place of its own in each it crosses."""
    column_of = {node: index for index, column in enumerate(columns) for node in column}
    short: list[Pair] = []
    for a, b in edges:
        crossed = range(column_of[a] + 1, column_of[b])
        on_way = [f"\0{a}\0{b}\0{index}" for index in crossed]
        for index, step in zip(crossed, on_way, strict=True):
            columns[index].append(step)
        if on_way:
            steps[a, b] = on_way
        short += pairwise([a, *on_way, b])
    return short


def _parts(nodes: Sequence[str], edges: Sequence[Pair]) -> list[set[str]]:
    """Nodes that hang together, the largest part first."""
    beside: dict[str, set[str]] = defaultdict(set)
    for a, b in edges:
        beside[a].add(b)
        beside[b].add(a)
    left = dict.fromkeys(nodes)
    parts: list[set[str]] = []
    while left:
        todo = [next(iter(left))]
        part: set[str] = set()
        while todo:
            node = todo.pop()
            if node in left:
                del left[node]
                part.add(node)
                todo += beside[node]
        parts.append(part)
    return sorted(parts, key=lambda part: (-len(part), min(part)))


def _columns(nodes: Sequence[str], edges: Sequence[Pair]) -> list[list[str]]:
    """Each node one column right of its last cause; an edge that closes a cycle moves nobody."""
    causes: dict[str, list[str]] = defaultdict(list)
    for a, b in edges:
        causes[b].append(a)
    depth: dict[str, int] = {}
    for start in nodes:
        todo = [(start, False)]
        open_: set[str] = set()
        while todo:
            node, is_ready = todo.pop()
            if is_ready:
                known = [depth[one] for one in causes[node] if one in depth]
                depth[node] = max(known, default=-1) + 1
                open_.discard(node)
            elif node not in depth and node not in open_:
                open_.add(node)
                todo.append((node, True))
                todo += [(one, False) for one in causes[node] if one not in depth]
    columns: list[list[str]] = [[] for _ in range(max(depth.values()) + 1)]
    for node in nodes:
        columns[depth[node]].append(node)
    return columns


def _rows(columns: list[list[str]], edges: Sequence[Pair]) -> list[list[str]]:
    """Orders each column by where its neighbours stand, to and fro."""
    beside: dict[str, list[str]] = defaultdict(list)
    for a, b in edges:
        beside[a].append(b)
        beside[b].append(a)
    for sweep in range(_SWEEPS):
        places = {node: row for column in columns for row, node in enumerate(column)}
        indexes = range(len(columns)) if sweep % 2 == 0 else reversed(range(len(columns)))
        for index in indexes:
            middle = sorted(
                (sum(places[one] for one in beside[node]) / max(1, len(beside[node])), node)
                for node in columns[index]
            )
            columns[index] = [node for _, node in middle]
            places.update({node: row for row, node in enumerate(columns[index])})
    return columns
