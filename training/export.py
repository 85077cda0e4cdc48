"""Writes trained weights as the files the package ships: int8 ONNX graphs, words of four bits.

The graphs are built by hand from a few fused operators, one sequence at a time: without padding
or neighbours in a batch, a pair's score never depends on what else was asked.

    python -m training.export --judge FILE.npz [--embedder FILE.npz] --out DIR
"""

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from groundwire.encoder._weights import MIDDLE_LEVEL
from training import files

WIDTH, HEADS = 384, 12
WEIGHT_LEVELS = 63
"""Seven bits: processors without VNNI add two products of eight bits into sixteen, and overflow."""
WORD_RUN = 32
"""Numbers of a word's vector that share a scale."""
MICROSOFT = "com.microsoft"
State = dict[str, np.ndarray]


class GraphBuilder:
    """Collects the nodes and constants of one graph."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []
        self._count = 0

    def constant(self, array: np.ndarray) -> str:
        self._count += 1
        name = f"c{self._count}"
        self.constants.append(numpy_helper.from_array(np.asarray(array, order="C"), name))
        return name

    def add(
        self, kind: str, *inputs: str, outputs: int = 1, domain: str = "", **attributes: object
    ) -> str:
        self._count += 1
        names = [f"t{self._count}_{index}" for index in range(outputs)]
        node = helper.make_node(kind, list(inputs), names, domain=domain, **attributes)
        self.nodes.append(node)
        return names[0]

    def linear(self, x: str, weight: np.ndarray, bias: np.ndarray) -> str:
        """x @ weight.T + bias with int8 weights, one scale a column."""
        levels, scale = quantised(weight)
        return self.add(
            "DynamicQuantizeMatMul",
            x,
            self.constant(levels.T),
            self.constant(scale),
            "",
            self.constant(bias.astype(np.float32)),
            domain=MICROSOFT,
        )

    def norm(self, x: str, state: State, name: str) -> str:
        # not SkipLayerNormalization: ONNX Runtime takes six times as long for it on a CPU
        weight = self.constant(state[f"{name}.weight"].astype(np.float32))
        bias = self.constant(state[f"{name}.bias"].astype(np.float32))
        return self.add("LayerNormalization", x, weight, bias, axis=-1, epsilon=1e-12)

    def layers(self, hidden: str, state: State) -> str:
        count = 1 + max(int(name.split(".")[1]) for name in state if name.startswith("layers."))
        for number in range(count):
            hidden = self._layer(hidden, state, f"layers.{number}")
        return hidden

    def _layer(self, hidden: str, state: State, name: str) -> str:
        def linear(x: str, part: str) -> str:
            return self.linear(x, state[f"{name}.{part}.weight"], state[f"{name}.{part}.bias"])

        parts = [linear(hidden, part) for part in ("query", "key", "value")]
        mixed = self.add("MultiHeadAttention", *parts, domain=MICROSOFT, num_heads=HEADS)
        mixed = self.add("Add", linear(mixed, "attention_out"), hidden)
        hidden = self.norm(mixed, state, f"{name}.attention_norm")
        expanded = self.add("Gelu", linear(hidden, "expand"))
        contracted = self.add("Add", linear(expanded, "contract"), hidden)
        return self.norm(contracted, state, f"{name}.output_norm")

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


def judge_graph(state: State) -> onnx.ModelProto:
    """Summed embeddings of a pair → the logits of every head that the state has.

    The verdict comes first: `training.bases` reads it back in this order.
    """
    build = GraphBuilder()
    encoder = {name.removeprefix("encoder."): array for name, array in state.items()}
    hidden = build.norm("hidden", encoder, "embedding_norm")
    hidden = build.layers(hidden, encoder)
    first = build.add("Gather", hidden, build.constant(np.array(0)), axis=1)
    outputs: dict[str, Sequence[int | str]] = {}
    for head, (pool, size) in HEADS_ON_FIRST.items():
        if f"{head}.weight" in state:
            linear = _plain if head == "verdict" else _small
            pooled = build.add("Tanh", linear(build, first, state, pool))
            outputs[build.named(_plain(build, pooled, state, head), head)] = [1, size]
    if "tags.weight" in state:
        outputs[build.named(_plain(build, hidden, state, "tags"), "tags")] = [1, "tokens", 3]
        outputs[build.named(_plain(build, first, state, "causal"), "causal")] = [1, 1]
    return build.model(outputs)


def _small(build: GraphBuilder, x: str, state: State, name: str) -> str:
    """In a byte a number: what ships has a limit."""
    return build.linear(x, state[f"{name}.weight"], state[f"{name}.bias"])


def embedder_graph(state: State) -> onnx.ModelProto:
    """Summed embeddings of a text → its unit vector."""
    build = GraphBuilder()
    hidden = build.norm("hidden", state, "embedding_norm")
    hidden = build.layers(hidden, state)
    mean = build.add("ReduceMean", hidden, build.constant(np.array([1])), keepdims=0)
    unit = build.add("LpNormalization", mean, axis=-1, p=2)
    return build.model({build.named(unit, "vector"): [1, WIDTH]})


def _plain(build: GraphBuilder, x: str, state: State, name: str) -> str:
    """The last steps see one vector: float costs nothing there."""
    weight = build.constant(state[f"{name}.weight"].astype(np.float32).T)
    bias = build.constant(state[f"{name}.bias"].astype(np.float32))
    return build.add("Add", build.add("MatMul", x, weight), bias)


def quantised(weight: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rows as whole numbers and a scale each, cut where that costs the least precision."""
    widest = np.maximum(np.abs(weight).max(1), 1e-8)
    best_scale, best_error = widest / WEIGHT_LEVELS, np.full(len(weight), np.inf)
    for share in np.linspace(0.6, 1.0, 21):
        scale = share * widest / WEIGHT_LEVELS
        error = ((weight - _levels(weight, scale) * scale[:, None]) ** 2).sum(1)
        best_scale = np.where(error < best_error, scale, best_scale)
        best_error = np.minimum(error, best_error)
    return _levels(weight, best_scale).astype(np.int8), best_scale.astype(np.float32)


def _levels(weight: np.ndarray, scale: np.ndarray) -> np.ndarray:
    return np.clip(np.round(weight / scale[:, None]), -WEIGHT_LEVELS, WEIGHT_LEVELS)


def word_table(words: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Word vectors in four bits a number, with a scale for each run of neighbours."""
    runs = words.reshape(-1, WORD_RUN)
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


def _words(judge: State, out: Path) -> tuple[np.ndarray, np.ndarray]:
    """The table of the weights, or the one that is there where training left it alone."""
    if "encoder.words.weight" in judge:
        return word_table(judge["encoder.words.weight"])
    with np.load(out / "tables.npz") as before:
        return before["words"], before["word_scale"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--judge", type=Path, required=True)
    parser.add_argument("--embedder", type=Path, help="default: the one that is there stays")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    judge = {name: array.astype(np.float32) for name, array in np.load(arguments.judge).items()}
    levels, scale = _words(judge, arguments.out)
    tables = {
        "words": levels,
        "word_scale": scale,
        "judge_positions": judge["encoder.positions.weight"].astype(np.float16),
        "judge_segments": judge["encoder.segments.weight"].astype(np.float16),
    }
    onnx.save(judge_graph(judge), arguments.out / "judge.onnx")
    if not arguments.embedder:
        with np.load(arguments.out / "tables.npz") as before:
            if not np.array_equal(before["words"], levels):
                parser.error("the word table has changed: the embedder must be trained again")
            tables |= {name: before[name] for name in before if name.startswith("embedder_")}
    else:
        loaded = np.load(arguments.embedder)
        embedder = {name: array.astype(np.float32) for name, array in loaded.items()}
        tables["embedder_positions"] = embedder["positions.weight"].astype(np.float16)
        tables["embedder_segments"] = embedder["segments.weight"].astype(np.float16)
        onnx.save(embedder_graph(embedder), arguments.out / "embedder.onnx")
    np.savez(arguments.out / "tables.npz", **tables)
    made = ["judge.onnx", "tables.npz", *(["embedder.onnx"] if arguments.embedder else [])]
    files.note(arguments.out, *made)


if __name__ == "__main__":
    main()
