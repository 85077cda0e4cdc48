"""Cuts a WordPiece vocabulary to the pieces that English text needs, so that weights stay small.

Every single character and its continuation stays, so that any word can still be spelled.
"""

import json
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

SPECIAL = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]")


def keep_tokens(tokenizer: Tokenizer, texts: Iterable[list[str]], size: int) -> list[int]:
    """Ids to keep, in their old order: special, single characters, then the most used.

    A piece's rank in the original vocabulary counts too: it knows more English than our texts.
    """
    counts: Counter[int] = Counter()
    for batch in texts:
        for encoded in tokenizer.encode_batch(batch, add_special_tokens=False):
            counts.update(encoded.ids)
    vocabulary = tokenizer.get_vocab()
    kept = {vocabulary[token] for token in SPECIAL}
    kept |= {number for token, number in vocabulary.items() if _is_spelling(token)}
    rest = [
        number for token, number in vocabulary.items() if _is_latin(token) and number not in kept
    ]
    rest.sort(key=lambda number: -_worth(counts[number], number))
    return sorted([*kept, *rest[: size - len(kept)]])


def _worth(count: int, number: int) -> float:
    return float(np.log1p(count) + 30000 / (5000 + number))


def _is_spelling(token: str) -> bool:
    bare = token.removeprefix("##")
    latin_or_greek = 0x400
    return len(bare) == 1 and (ord(bare) < latin_or_greek or bare in "€–—‘’“”•…−→≥≤")


def _is_latin(token: str) -> bool:
    bare = token.removeprefix("##")
    return bare.isascii() and not token.startswith("[")


def cut_tokenizer(tokenizer: Tokenizer, kept: list[int]) -> Tokenizer:
    tokens = {number: token for token, number in tokenizer.get_vocab().items()}
    description = json.loads(tokenizer.to_str())
    description["model"]["vocab"] = {tokens[old]: new for new, old in enumerate(kept)}
    renumbered = {old: new for new, old in enumerate(kept)}
    for added in description["added_tokens"]:
        added["id"] = renumbered[added["id"]]
    for special in description["post_processor"]["special_tokens"].values():
        special["ids"] = [renumbered[number] for number in special["ids"]]
    return Tokenizer.from_str(json.dumps(description))


def write_vocabulary(tokenizer: Tokenizer, path: Path) -> None:
    """One piece a line, in the order of their numbers."""
    ordered = sorted(tokenizer.get_vocab().items(), key=lambda item: item[1])
    path.write_text("".join(f"{token}\n" for token, _ in ordered), encoding="utf-8")
