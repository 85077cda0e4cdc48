"""Which of several judges is better, beside the reader that ships: held rows read on a processor.

    python -m training.compare DATA shipped=DIR mixed=FILE.npz … [--rows 900] [--share 0.6]

`DATA` is what `training.gather` wrote (`own_dev`, `dev` and `contrast_dev` are read); a judge is a
folder of shipped weights or a file that a training left. Of each part so many rows are drawn by a
seed, and every sentence of the drawn passages of our own that can be copied is asked of its own
passage. For each judge: the area under the curve of support, the share of true claims found where
5 % of the others are, that of refutation where it is known, and copies called refuted.
"""

import argparse
import random
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

from groundwire.encoder._models import pair_sequence
from groundwire.encoder._weights import FOLDER, ONNX_INT8, Tables, matrix
from groundwire.text import sentence_ranges
from training import export
from training.average import read
from training.bases import State, load_shipped
from training.groups import Example, examples
from training.measure import auroc

PARTS = ("own_dev", "dev", "contrast_dev")
FALSE_SHARE = 0.05
COPIED = 300
LEAST_WORDS = 5
REFUTED_OR_NEUTRAL = 3
Pairs = list[tuple[str, str]]


def logits(state: State, pairs: Pairs) -> np.ndarray:
    """What the verdict's head says of each pair."""
    return outputs(state, pairs, "verdict")


def outputs(state: State, pairs: Pairs, name: str, *, first: bool = False) -> np.ndarray:
    """One output for each pair, computed as the package does; `first` builds the graph that gives
    what the last layer says of the first token."""
    import onnxruntime

    graph, packed = export.graph_of(state, first=first)
    names = [one.removesuffix(".levels") for one in packed if one.endswith(".levels")]
    beside = {n: matrix(packed[f"{n}.levels"], packed[f"{n}.steps"]) for n in names}
    of_type = onnxruntime.OrtValue.ortvalue_from_numpy_with_onnx_type
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    options.add_external_initializers(
        [f"{one}.weight" for one in beside], [of_type(w, ONNX_INT8) for w in beside.values()]
    )
    session = onnxruntime.InferenceSession(graph.SerializeToString(), options)
    words, scale = export.word_table(state["encoder.words.weight"])
    rest = (state["encoder.positions.weight"], state["encoder.segments.weight"])
    tables = Tables(words, scale.astype(np.float32), *rest)

    def of(pair: tuple[str, str]) -> np.ndarray:
        hidden = tables.summed(*pair_sequence(*pair))
        return np.asarray(session.run([name], {"hidden": hidden})[0][0])

    with ThreadPoolExecutor(2) as pool:
        return np.stack(list(pool.map(of, pairs)))


def copies(found: list[Example], rng: random.Random) -> Pairs:
    """Sentences of passages, word for word."""
    made = []
    for context in sorted({example.context for example in found}):
        said = [context[start:end].strip() for start, end in sentence_ranges(context)]
        whole = [s for s in said if s.endswith(".") and len(s.split()) >= LEAST_WORDS]
        made += [(rng.choice(whole), context)] if whole else []
    return rng.sample(made, min(COPIED, len(made)))


def figures(p: np.ndarray, hard: np.ndarray) -> str:
    true = (hard == 0).astype(int)
    bar = np.quantile(p[true == 0, 0], 1 - FALSE_SHARE)
    told = f"support {auroc(p[:, 0], true):.3f}, found {(p[true == 1, 0] > bar).mean():.2f}"
    known = hard < REFUTED_OR_NEUTRAL
    refuted = (hard[known] == 1).astype(int)
    return f"{told}, refuted {auroc(p[known, 1], refuted):.3f}"


def softmax(rows: np.ndarray) -> np.ndarray:
    weights = np.exp(rows - rows.max(-1, keepdims=True))
    return np.asarray(weights / weights.sum(-1, keepdims=True))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("data", type=Path)
    parser.add_argument("judges", nargs="+", metavar="NAME=PATH")
    parser.add_argument("--rows", type=int, default=900)
    parser.add_argument("--share", type=float, default=0.6, help="of the judge beside the reader")
    arguments = parser.parse_args()
    rng = random.Random(5)
    drawn = {}
    for part in PARTS:
        found = examples(arguments.data / f"{part}.jsonl.xz")
        drawn[part] = rng.sample(found, min(arguments.rows, len(found)))
    asked = {part: [(one.claim, one.context) for one in rows] for part, rows in drawn.items()}
    asked["copies"] = copies(drawn[PARTS[0]], rng)
    everything = [pair for pairs in asked.values() for pair in pairs]
    ends = np.cumsum([len(pairs) for pairs in asked.values()])[:-1]
    shipped = load_shipped(FOLDER)
    reader = logits(load_shipped(FOLDER, "reader"), everything)
    for name, _, path in (one.partition("=") for one in arguments.judges):
        state = shipped | read(Path(path))
        judged = arguments.share * logits(state, everything) + (1 - arguments.share) * reader
        *parts, copied = np.split(softmax(judged), ends)
        for part, p in zip(PARTS, parts, strict=True):
            hard = np.array([one.hard for one in drawn[part]])
            print(f"{name} {part}: {figures(p, hard)}")
        print(f"{name} copies called refuted: {(copied[:, 1] > 1 / 2).sum()} of {len(copied)}")


if __name__ == "__main__":
    main()
