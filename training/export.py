"""Writes trained weights as the files the package ships: a graph, and its numbers in four bits.

The graphs are built by hand from a few fused operators, one sequence at a time: without padding
or neighbours in a batch, a pair's score never depends on what else was asked. Matrices are not in
the graph but beside it, packed; both files call a number what the state calls it.

    python -m training.export PART=FILE.npz… --out DIR
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from groundwire.encoder._weights import MIDDLE_LEVEL, MIDDLE_STEP
from training import files

WIDTH, HEADS = 384, 12
RUN = 32
"""So many neighbours share a scale, or a step."""
MOST_STEPS = 8
"""Of eight levels: seven bits. Processors without VNNI add two products of eight bits into sixteen,
and overflow beyond that."""
MICROSOFT = "com.microsoft"
State = dict[str, np.ndarray]


class GraphBuilder:
    """Collects the nodes and constants of one graph, and the matrices that are kept beside it."""

    def __init__(self, state: State) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self.packed: State = {}
        self._state = state
        self._count = 0

    def constant(self, name: str, array: np.ndarray) -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def weight(self, name: str) -> str:
        return self.constant(name, self._state[name].astype(np.float32))

    def add(
        self, kind: str, *inputs: str, outputs: int = 1, domain: str = "", **attributes: object
    ) -> str:
        self._count += 1
        names = [f"t{self._count}_{index}" for index in range(outputs)]
        node = helper.make_node(kind, list(inputs), names, domain=domain, **attributes)
        self.nodes.append(node)
        return names[0]

    def linear(self, x: str, name: str) -> str:
        """x @ weight.T + bias in whole numbers of eight bits, one scale a column."""
        levels, steps, scale = packed_matrix(self._state[f"{name}.weight"])
        self.packed |= {f"{name}.levels": levels, f"{name}.steps": steps}
        beside = TensorProto(name=f"{name}.weight", data_type=TensorProto.INT8)
        beside.dims.extend((2 * len(levels), levels.shape[1]))
        beside.data_location = TensorProto.EXTERNAL
        beside.external_data.add(key="location", value="packed")
        self.constants.append(beside)
        scales = self.constant(f"{name}.scale", scale)
        bias = self.weight(f"{name}.bias")
        return self.add("DynamicQuantizeMatMul", x, beside.name, scales, "", bias, domain=MICROSOFT)

    def plain(self, x: str, name: str) -> str:
        """The last step sees one vector: float costs nothing there."""
        weight = self.constant(f"{name}.weight", self._state[f"{name}.weight"].astype("f4").T)
        return self.add("Add", self.add("MatMul", x, weight), self.weight(f"{name}.bias"))

    def norm(self, x: str, name: str) -> str:
        # not SkipLayerNormalization: ONNX Runtime takes six times as long for it on a CPU
        parts = (self.weight(f"{name}.weight"), self.weight(f"{name}.bias"))
        return self.add("LayerNormalization", x, *parts, axis=-1, epsilon=1e-12)

    def encoder(self) -> str:
        hidden = self.norm("hidden", "encoder.embedding_norm")
        prefix = "encoder.layers."
        layers = {int(one.split(".")[2]) for one in self._state if one.startswith(prefix)}
        for number in sorted(layers):
            hidden = self._layer(hidden, f"{prefix}{number}")
        return hidden

    def _layer(self, hidden: str, name: str) -> str:
        parts = [self.linear(hidden, f"{name}.{part}") for part in ("query", "key", "value")]
        mixed = self.add("MultiHeadAttention", *parts, domain=MICROSOFT, num_heads=HEADS)
        mixed = self.add("Add", self.linear(mixed, f"{name}.attention_out"), hidden)
        hidden = self.norm(mixed, f"{name}.attention_norm")
        expanded = self.add("Gelu", self.linear(hidden, f"{name}.expand"))
        contracted = self.add("Add", self.linear(expanded, f"{name}.contract"), hidden)
        return self.norm(contracted, f"{name}.output_norm")

    def named(self, x: str, name: str) -> str:
        """The same, under the name that it is asked for by."""
        self.nodes.append(helper.make_node("Identity", [x], [name]))
        return name

    def model(self, outputs: Mapping[str, Sequence[int | str]]) -> onnx.ModelProto:
        hidden = helper.make_tensor_value_info("hidden", TensorProto.FLOAT, [1, "tokens", WIDTH])
        results = [
            helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
            for name, shape in outputs.items()
        ]
        graph = helper.make_graph(self.nodes, "groundwire", [hidden], results, self.constants)
        opsets = [helper.make_opsetid("", 20), helper.make_opsetid(MICROSOFT, 1)]
        return helper.make_model(graph, opset_imports=opsets, ir_version=9)


HEADS_ON_FIRST = {
    "verdict": ("pool", 3),
    "answers": ("answers_pool", 1),
    "status": ("status_pool", 7),
    "rank": ("rank_pool", 1),
    "open": ("open_pool", 1),
}
"""The layer before each head, and how many logits the head has."""


def graph_of(state: State, *, first: bool = False) -> tuple[onnx.ModelProto, State]:
    """Summed embeddings of a text or a pair → what every head says that the state has.

    `first`: and what the last layer says of the first token, for a head to be fitted to.
    """
    build = GraphBuilder(state)
    hidden = build.encoder()
    token = build.add("Gather", hidden, build.constant("first_place", np.array(0)), axis=1)
    outputs: dict[str, Sequence[int | str]] = {}
    for head, (pool, size) in HEADS_ON_FIRST.items():
        if f"{head}.weight" in state:
            pooled = build.add("Tanh", build.linear(token, pool))
            outputs[build.named(build.plain(pooled, head), head)] = [1, size]
    if "tags.weight" in state:
        outputs[build.named(build.plain(hidden, "tags"), "tags")] = [1, "tokens", 3]
        outputs[build.named(build.plain(token, "causal"), "causal")] = [1, 1]
    unit = build.add("LpNormalization", token, axis=-1, p=2)
    outputs[build.named(unit, "vector")] = [1, WIDTH]
    if first:
        outputs[build.named(token, "first")] = [1, WIDTH]
    return build.model(outputs), build.packed


def packed_matrix(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Levels of four bits, how many steps each run of them counts by, and the step of each column.

    A number is level · steps · scale, so that a whole number of eight bits is level · steps. Both
    are chosen where that costs the least precision. Columns are the rows of `weight`.
    """
    runs = weight.reshape(len(weight), -1, RUN).astype(np.float32)
    widest = np.maximum(np.abs(runs).max(2), 1e-8)
    best = np.full(len(weight), np.inf)
    levels, steps = np.zeros_like(runs), np.ones_like(widest)
    scale = np.zeros(len(weight), np.float32)
    for share in np.linspace(0.62, 1.05, 12):
        tried = (share * widest.max(1) / (MOST_STEPS * MIDDLE_LEVEL)).astype(np.float32)
        found, of, error = _in_steps(runs, widest, tried)
        better = error < best
        levels[better], steps[better], scale[better] = found[better], of[better], tried[better]
        best = np.minimum(best, error)
    rows = (levels + MIDDLE_STEP).reshape(len(weight), -1).T.astype(np.uint8)
    low, high = np.split(rows, 2)
    packed = (low | high << 4, steps.T.astype(np.uint8))
    return *(np.ascontiguousarray(array) for array in packed), scale


def _in_steps(
    runs: np.ndarray, widest: np.ndarray, scale: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    best = np.full(widest.shape, np.inf)
    levels, steps = np.zeros_like(runs), np.ones_like(widest)
    nearest = np.round(widest / (scale[:, None] * MIDDLE_LEVEL))
    for more in (-2, -1, 0, 1):
        tried = np.clip(nearest + more, 1, MOST_STEPS)
        size = (scale[:, None] * tried)[..., None]
        found = np.clip(np.round(runs / size), -MIDDLE_STEP, MIDDLE_STEP - 1)
        error = ((found * size - runs) ** 2).sum(2)
        better = error < best
        levels[better], steps[better] = found[better], tried[better]
        best = np.minimum(best, error)
    return levels, steps, best.sum(1)


def word_table(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Word vectors in four bits a number, with a scale for each run of neighbours."""
    runs = words.reshape(-1, RUN)
    widest = np.maximum(np.abs(runs).max(1), 1e-8) / MIDDLE_LEVEL
    best_scale, best_error = widest, np.full(len(runs), np.inf)
    for share in np.linspace(0.7, 1.0, 16):
        scale = (share * widest).astype(np.float16).astype(np.float32)
        error = ((runs - (_word_levels(runs, scale) - MIDDLE_LEVEL) * scale[:, None]) ** 2).sum(1)
        best_scale = np.where(error < best_error, scale, best_scale)
        best_error = np.minimum(error, best_error)
    levels = _word_levels(runs, best_scale).astype(np.uint8).reshape(words.shape)
    low, high = np.split(levels, 2, axis=1)
    return low | high << 4, best_scale.astype(np.float16).reshape(len(words), -1)


def _word_levels(runs: np.ndarray, scale: np.ndarray) -> np.ndarray:
    return np.clip(np.round(runs / scale[:, None] + MIDDLE_LEVEL), 0, 2 * MIDDLE_LEVEL)


def export(part: str, state: State, out: Path) -> None:
    graph, stored = graph_of(state)
    stored["words"], stored["word_scale"] = _words(part, state, out)
    for table in ("positions", "segments"):
        stored[table] = state[f"encoder.{table}.weight"].astype(np.float16)
    onnx.save(graph, out / f"{part}.onnx")
    np.savez(out / f"{part}.npz", allow_pickle=False, **stored)
    files.note(out, f"{part}.onnx", f"{part}.npz")


def _words(part: str, state: State, out: Path) -> tuple[np.ndarray, np.ndarray]:
    """The table of the weights, or the one that is there where training left it alone."""
    if "encoder.words.weight" in state:
        return word_table(state["encoder.words.weight"])
    with np.load(out / f"{part}.npz") as before:
        return before["words"], before["word_scale"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="+", metavar="PART=FILE.npz")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    for part, _, path in (one.partition("=") for one in arguments.parts):
        state = {name: array.astype(np.float32) for name, array in np.load(path).items()}
        export(part, state, arguments.out)


if __name__ == "__main__":
    main()
