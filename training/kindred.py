"""Groups of kindred words for the reader of reports: `python -m training.kindred FOLDER…`.

The words are those of the sentences in `report_sentences` and those that the texts under the
folders use; the embedder that ships says which are kindred. Written to `groups.txt`, a group a
line. Needs the package, some thousand text files and a minute of a CPU; `training.reports` then
trains with them.
"""

import argparse
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np

from groundwire.actions._anchors import tokens_of
from groundwire.encoder import EmbeddedEmbedder
from groundwire.text import stem
from training.reports import HERE, Writer, labelled

GROUPS = 900
DIMENSIONS = 96
ROUNDS = 40
COMMON = 16_000
"""So many of the most frequent words are taken if the embedder has a piece of its own for them."""
LEAST_FILES = 12
"""So many files have a word that is put together from pieces."""
LONGEST_FILE_BYTES = 400_000
TEXTS = frozenset({".md", ".rst", ".txt", ".py", ".html", ".pod"})
PIECES = Path(__file__).parents[1] / "src/groundwire/encoder/weights/vocabulary.txt"


def counted(folders: Iterable[Path]) -> list[str]:
    """Words in small letters, those of most files first."""
    found: Counter[str] = Counter()
    for path in (path for folder in folders for path in sorted(folder.rglob("*"))):
        if path.suffix in TEXTS and path.is_file() and path.stat().st_size < LONGEST_FILE_BYTES:
            # such as "removed"; names begin with a capital
            text = path.read_text(encoding="utf-8", errors="ignore")
            found.update(set(re.findall(r"\b[a-z]{2,14}\b", text)))
    return [word for word, files in found.most_common() if files >= LEAST_FILES]


def known_words(ranked: list[str]) -> Iterator[str]:
    pieces = {piece for piece in PIECES.read_text(encoding="utf-8").split("\n") if piece.isalpha()}
    stems = {stem(piece) for piece in pieces if len(piece) > 3}
    for rank, word in enumerate(ranked):
        # "untouched" and "swapped" are put together, "kwargs" is no word
        is_formed = stem(word) in stems or (word[:2] in {"un", "re", "de"} and word[2:] in pieces)
        if (word in pieces and rank < COMMON) or (len(word) > 4 and is_formed):
            yield word


def own_words() -> Iterator[str]:
    writer = Writer(seed=7)
    filled = (writer.clause(template) for template in writer.templates for _ in range(30))
    for line in (*writer.written, *filled):
        for token in tokens_of(labelled(line)[0]):
            # such as "touched", "re-ran"
            if token.kind == "word" and re.fullmatch(r"[^\W\d_]{2,}(-[^\W\d_]+)*", token.shape):
                yield token.shape


def grouped(words: list[str]) -> list[list[str]]:
    """By k-means over the directions in which the words differ most."""
    vectors = EmbeddedEmbedder().embed(words).astype(np.float32)
    vectors = _unit(vectors - vectors.mean(axis=0))
    _, _, directions = np.linalg.svd(vectors, full_matrices=False)
    places = _unit(vectors @ directions[:DIMENSIONS].T)
    middles = places[np.random.default_rng(5).choice(len(places), GROUPS, replace=False)].copy()
    nearest = np.zeros(len(places), int)
    for _ in range(ROUNDS):
        apart = (middles**2).sum(axis=1) - 2 * places @ middles.T
        nearest = apart.argmin(axis=1)
        for group in range(GROUPS):
            mine = nearest == group
            middles[group] = places[mine if mine.any() else apart.min(axis=1).argmax()].mean(axis=0)
    return [[words[at] for at in np.flatnonzero(nearest == group)] for group in range(GROUPS)]


def _unit(vectors: np.ndarray) -> np.ndarray:
    scaled: np.ndarray = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    return scaled


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="+")
    arguments = parser.parse_args()
    words = sorted({*known_words(counted(arguments.folders)), *own_words()})
    lines = sorted(" ".join(group) for group in grouped(words) if group)
    (HERE / "groups.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(words)} words in {len(lines)} groups")


if __name__ == "__main__":
    main()
