"""Puts what a session begins with beside what `training.gather` wrote: encoders and the teacher.

    python -m training.assemble --out DIR --reranker FOLDER --wide FOLDER [--decoder FILE.gguf]

`--reranker` holds the ms-marco cross-encoder (`model.onnx`, `tokenizer.json`), `--wide` an MPNet
encoder (`model.safetensors`, `vocab.txt`). From the package come its word pieces, the reader whose
vectors are learnt, and the adapter that makes the teacher of a decoder.
"""

import argparse
import shutil
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from groundwire.encoder import read_changes
from groundwire.encoder._weights import FOLDER
from training.bases import State, export_gguf, export_tokenizer, load_mpnet, load_shipped
from training.pack import LORA_SCALE
from training.teach import CHAT
from training.vocabulary import cut_tokenizer

WIDE_LAYERS = 10
"""Of an MPNet encoder's twelve: the upper ones are made for its own task, and cost time."""


def assemble(out: Path, reranker: Path, wide: Path, decoder: Path | None) -> None:
    out.mkdir(parents=True, exist_ok=True)
    pieces = (FOLDER / "vocabulary.txt").read_text(encoding="utf-8").splitlines()
    tokenizer = Tokenizer.from_file(str(reranker / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    numbers = tokenizer.get_vocab()
    cut_tokenizer(tokenizer, [numbers[piece] for piece in pieces]).save(str(out / "tokenizer.json"))
    for name in ("model.onnx", "tokenizer.json"):
        shutil.copy(reranker / name, out / f"reranker_{name}")
    _save(out / "wide.npz", load_mpnet(wide, pieces, WIDE_LAYERS))
    _save(out / "reader.npz", load_shipped(FOLDER, "reader"))
    if decoder:
        _take_decoder(decoder, out)


def _take_decoder(decoder: Path, out: Path) -> None:
    export_tokenizer(decoder, out)
    words = Tokenizer.from_file(str(out / "decoder_tokenizer.json"))
    export_gguf(decoder, out, [words.encode(said).ids[0] for said in CHAT["claim"].answers])
    (out / "shape.json").write_text("{}")
    changes: State = {}
    for name, change in read_changes(FOLDER / "adapter.npz").items():
        changes[f"{name}.down"], changes[f"{name}.up"] = change.down, change.up / LORA_SCALE
    _save(out / "adapter_deep.npz", changes)


def _save(path: Path, state: State) -> None:
    # reader and adapter were rounded to few values: that saves half of what has to be sent
    np.savez_compressed(path, **{name: array.astype(np.float16) for name, array in state.items()})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--reranker", type=Path, required=True)
    parser.add_argument("--wide", type=Path, required=True)
    parser.add_argument("--decoder", type=Path)
    arguments = parser.parse_args()
    assemble(arguments.out, arguments.reranker, arguments.wide, arguments.decoder)


if __name__ == "__main__":
    main()
