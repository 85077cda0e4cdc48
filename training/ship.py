"""Puts together what one device needs for a training session: one folder, nothing to download.

    python -m training.ship --prepared DIR --tokenizer FILE --base NAME=FILE --passages FILE \\
        --out DIR

`--prepared` is what `training.prepare` wrote. A base is the ONNX or safetensors file of a BERT
encoder with the vocabulary of `--tokenizer`; all are cut to the same word pieces. To go on from
what ships, a base is its folder, and `--vocabulary` its file of word pieces. Passages are a JSON
list of [source, text]. The teachers are added by hand: the sentence encoder as `mpnet/`, and what
`training.bases.export_gguf` makes of the decoder, with its tokenizer.
"""

import argparse
import json
import lzma
import shutil
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from groundwire.encoder._weights import unpacked
from training.bases import load_bert, load_shipped
from training.export import word_table
from training.groups import read_groups
from training.vocabulary import cut_tokenizer, keep_tokens, write_vocabulary

WORD_PIECES = 22_000
BATCH = 5_000


def texts(prepared: Path, passages: list[str]) -> Iterator[list[str]]:
    """Everything the vocabulary should be able to say, a few thousand texts at a time."""
    batch: list[str] = []
    for context, items in read_groups(prepared / "train.jsonl.xz"):
        batch += [context, *(str(item["claim"]) for item in items)]
        if len(batch) > BATCH:
            yield batch
            batch = []
    yield batch
    yield passages


def write_base(base: Path, kept: list[int], out: Path) -> None:
    """Words are given as they will ship, in four bits: what learns from them knows no others."""
    if base.is_dir():
        state = load_shipped(base)
        words = "encoder.words.weight"
    else:
        state = load_bert(base)
        words = "words.weight"
        state[words] = unpacked(*word_table(state[words][kept]))
    if len(state[words]) != len(kept):
        raise ValueError(f"{base} has other word pieces: give its own with --vocabulary")
    np.savez(out, **{name: array.astype(np.float16) for name, array in state.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--prepared", type=Path, required=True)
    parser.add_argument("--tokenizer", type=Path, required=True)
    parser.add_argument("--base", action="append", required=True, metavar="NAME=FILE")
    parser.add_argument("--passages", type=Path, required=True)
    parser.add_argument("--vocabulary", type=Path, help="the word pieces to keep; default: choose")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    tokenizer = Tokenizer.from_file(str(arguments.tokenizer))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    passages = json.loads(arguments.passages.read_text())
    if arguments.vocabulary:
        numbers = tokenizer.get_vocab()
        kept = [numbers[piece] for piece in arguments.vocabulary.read_text().splitlines()]
    else:
        spoken = texts(arguments.prepared, [text for _, text in passages])
        kept = keep_tokens(tokenizer, spoken, WORD_PIECES)
    cut = cut_tokenizer(tokenizer, kept)
    cut.save(str(arguments.out / "tokenizer.json"))
    write_vocabulary(cut, arguments.out / "vocabulary.txt")
    for base in arguments.base:
        name, _, file = base.partition("=")
        write_base(Path(file), kept, arguments.out / f"{name}.npz")
    with lzma.open(arguments.out / "passages.json.xz", "wt") as out:
        json.dump(passages, out)
    for name in ("train", "dev", "open", "scrubbed"):
        shutil.copy(arguments.prepared / f"{name}.jsonl.xz", arguments.out)


if __name__ == "__main__":
    main()
