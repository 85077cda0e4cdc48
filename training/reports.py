"""Trains the reader of agents' reports: `python -m training.reports [--check]`.

The sentences stand in `training/report_sentences`, with what each place in them says:
`I updated {F:changed}`. Their slots are filled and their clauses joined here; a linear model
over the words around each place is fitted to them and written to `actions/reader.bin`.
What is said of a named part of the code is learned from sentences of its own (`parts.txt`), and
from what is said of files: "I rewrote `add`" says of `add` what "I rewrote `a.py`" says of a file.
Deeds ("committed", "installed") are learned once more with sentences of their own (`deeds.txt`).
Needs numpy, scipy and some minutes of a CPU. `--check` holds back a tenth of the templates
and of the sentences written out and tells how they are read.
"""

import argparse
import json
import lzma
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from zlib import compress, crc32, decompress

import numpy as np
from scipy.sparse import csr_matrix

from groundwire.actions._anchors import Kin, Token, as_part, features, segments_of, tokens_of
from groundwire.actions._learned import groups_of, senses_of

HERE = Path(__file__).parent / "report_sentences"
TOLD = (
    "written", "told_files", "told_checks", "told_code", "told_freely", "told_refusals",
    "told_more",
)  # fmt: skip
"""Sentences that were written out."""
OUT = Path(__file__).parents[1] / "src/groundwire/actions/reader.bin"
BUCKETS = {
    "file": 65536, "code": 65536, "number": 32768, "check": 65536, "deed": 16384, "part": 65536,
}  # fmt: skip
SEEDS = (7, 8, 9)
"""The weights of so many trainings are averaged: what one learned by chance the others do not."""
ROUNDS = 2
RATE = 1.0
STEP = 16
"""Weights are rounded to it: the file is a quarter as large, and reads the same."""
DECAY = 1e-5
BATCH = 128
"""So many examples make one step."""
HIDDEN = (0.0, 0.0, 0.2, 0.5)
"""Shares of a sentence's words that are hidden, so that their groups are learned."""
LEAST_LINES = 30
"""A feature that fewer lines have teaches nothing."""
EACH = 40
"""So often each template is filled."""
THRESHOLDS = {
    "sure": 0.95,
    "sure_of_part": 0.9,
    "likely": 0.75,
    "very_sure": 0.99,
    # of tools that were not run much is told: what a project uses, what its CI does
    "possible": {"file": 0.3, "command": 0.5, "code": 0.1, "code_alone": 0.4, "deed": 0.5},
    "unlikely": 0.1,
}
"""Chosen on the red team's sets: see decisions 0185, 0213, 0219 and 0223."""
Labelled = list[tuple[int, int, str]]
Row = tuple[list[str], str, int]
"""Features, the label, and the number of the line it was made of."""
Rows = dict[str, list[Row]]
Example = tuple[str, list[str], str]
"""The kind of a place, its features, and the label."""
Learned = Callable[..., Iterator[Example]]
"""What is learned from a sentence: `places`, `parts` or `deeds`."""
Models = dict[str, tuple[list[str], np.ndarray]]
"""The labels and weights of each kind of place."""

_JOINTS = (
    ", and |; | and |, but |: | \u2014 |, so |, while | because |, though | (|, which means | - |, "
    "|, then | since |, und |, as "
).split("|")
_NUMBERS = "2 3 4 5 6 7 8 9 12 42 128 17 two three four five six ten".split()


_SLOTS = {
    "F": "file", "T": "test", "X": "code", "C": "command", "O": "operation", "Q": "quote",
    "P": "package", "N": "number", "S=": "all", "S<": "some", "D": "definition",
}  # fmt: skip


def text_of(name: str) -> str:
    """A file of sentences, packed or not."""
    plain = HERE / f"{name}.txt"
    packed = HERE / f"{name}.txt.xz"
    data = plain.read_bytes() if plain.exists() else lzma.decompress(packed.read_bytes())
    return data.decode()


_WITH_PLACE = 0.25
"""So often a part is named with its file: "`add` in `calc.py`"."""


class Writer:
    """Fills the templates."""

    def __init__(self, seed: int, *, seen: bool = True, more: tuple[str, ...] = ()) -> None:
        self.chance = random.Random(seed)
        self.words: dict[str, list[str]] = {}
        self.templates: list[str] = []
        for name in (
            "words",
            "files",
            "checks",
            "code",
            "widely",
            *more,
        ):
            self._load(text_of(name))
        self.kin = Kin(
            groups_of((HERE / "groups.txt").read_text(encoding="utf-8")),
            senses_of((HERE / "senses.txt").read_text(encoding="utf-8")),
        )
        self.written: list[str] = []
        for name in (*TOLD, "seen") if seen else TOLD:
            lines = text_of(name).splitlines()
            self.written += [_marked(line) for line in lines if not line.startswith("#")]

    def _load(self, text: str) -> None:
        for line in re.sub(r"\n +", " ", text).splitlines():
            if not line or line.startswith("#"):
                continue
            macro = re.match(r"\$(\w+) = (.*)", line)
            if macro:
                self.words[macro[1]] = [one.strip() for one in macro[2].split(" | ")]
            else:
                self.templates.append(line)

    def clause(self, template: str) -> str:
        """One filling; what is labelled stands between marks."""
        text = template.replace(r"\(", "\x04").replace(r"\)", "\x05")
        while True:
            before = text
            text = re.sub(r"\(([^()]*)\)", lambda m: self.chance.choice(m[1].split("|")), text)
            text = re.sub(r"\$(\w+)", lambda m: self.chance.choice(self.words[m[1]]), text)
            if text == before:
                break
        text = text.replace("\x04", "(").replace("\x05", ")")
        while "{" in text:
            found = re.sub(r"\{([^{}:]+)(?::(\w+))?\}", self._slot, text)
            if found == text:
                break
            text = found
        return text

    def _slot(self, match: re.Match[str]) -> str:
        filled = self._fill(match[1]).replace("{", "\x06").replace("}", "\x07")
        label = match[2] or ("nothing" if match[1] == "D" else "none")
        return f"\x01{label}\x02{filled}\x03"

    def _fill(self, name: str) -> str:
        if name not in _SLOTS:
            return self.chance.choice(["no", "zero", "0"]) if name == "zero" else name
        return str(getattr(self, f"_{_SLOTS[name]}")())

    def _pick(self, name: str) -> str:
        return self.chance.choice(self.words[name])

    def _file(self) -> str:
        pick = self.chance.choice
        name = f"{self._pick('stem')}.{self._pick('ending')}"
        if self.chance.random() < 0.25:
            name = self._pick("file")
        if self.chance.random() < 0.35 and not name.endswith("/"):
            name = f"{self._pick('folder')}/{name}"
        if self.chance.random() < 0.8 or name.endswith("/"):
            return f"{pick(['', '', '', 'the file ', 'the '])}`{name}`"
        return name if "/" in name or "." in name else f"the {name}"

    def _test(self) -> str:
        word = self._pick("word") + self.chance.choice(["", f"_{self._pick('word')}"])
        forms = "test_{0}|Test{1}|test{1}|{0}|{0}_works|{2} {0}".split("|")
        return f"`{self.chance.choice(forms).format(word, word.title(), self._pick('word'))}`"

    def _code(self) -> str:
        forms = (self._pick("word"), f"{self._pick('word')}()", self._pick("code"))
        return f"`{self.chance.choice(forms)}`"

    def _definition(self) -> str:
        one, two = self._pick("word"), self._pick("word")
        forms = (
            f"`{one}`", f"`{one}`", f"`{one}`", f"`{one}()`", f"`{one}_{two}`", f"`test_{one}`",
            f"`{one.title()}.{two}`", f"`{one.title()}::{two}()`", f"`{one}_{two}`".upper(),
            f"`Test{one.title()}`", f"{one}()", f'"{one} the {two}"',
        )  # fmt: skip
        name = self.chance.choice(forms)
        return f"{name} in {self._file()}" if self.chance.random() < _WITH_PLACE else name

    def _command(self) -> str:
        return f"`{self._pick('command')}`"

    def _operation(self) -> str:
        return f"`{self._pick('operation')}`"

    def _quote(self) -> str:
        return f'"{self._pick("quote")}"'

    def _package(self) -> str:
        return f"`{self._pick('package')}`"

    def _number(self) -> str:
        return self.chance.choice(_NUMBERS)

    def _all(self) -> str:
        return self._share(1.0)

    def _some(self) -> str:
        return self._share(self.chance.random())

    def _share(self, part: float) -> str:
        whole = self.chance.randint(2, 60)
        number = whole if part == 1 else 1 + int(part * (whole - 1))
        form = self.chance.choice(["{}/{}", "{} of {}", "{} out of {}", "{} of the {}"])
        return form.format(number, whole)

    def sentence(self, template: str) -> str:
        """A clause alone, after an opening, or joined to others."""
        return self.joined(self.clause(template))

    def joined(self, clause: str, often: float = 0.42) -> str:
        chance = self.chance
        clauses = [clause]
        while chance.random() < often and len(clauses) < 3:
            other = self.clause(chance.choice(self.templates))
            if self.written and chance.random() < 0.3:
                other = chance.choice(self.written).rstrip(".!?")
            clauses.insert(chance.randint(0, len(clauses)), other)
        text = clauses[0]
        for other in clauses[1:]:
            joint = chance.choice(_JOINTS)
            text += joint + _small(other) + (")" if joint == " (" else "")
        if chance.random() < 0.22:
            text = f"{self.clause('$pre')}{chance.choice([', ', ': ', ' ', '! '])}{_small(text)}"
        if chance.random() < 0.1:
            text = f"{chance.choice(['- ', '✅ ', '• ', '[x] ', '**Note:** '])}{text}"
        return text + chance.choice([".", ".", ".", "", "!"])


# such as "`a.py`^changed", "2 of the 3^pass", "tests^fail"
_TOLD = re.compile(
    r"(`[^`]+`|\"[^\"]+\"|\w+ (?:out )?(?:of|von) (?:the )?"
    r"(?:\d+|two|three|four|five|six|ten|twelve)|\d+/\d+|[\w./-]+)\^(\w+)"
)


def _marked(line: str) -> str:
    """A sentence that was written out, in the marks of a filled template."""
    line = line.replace("{", "\x06").replace("}", "\x07")
    return _TOLD.sub(lambda match: f"\x01{match[2]}\x02{match[1]}\x03", line)


def _small(text: str) -> str:
    if text.startswith(("I ", "I'", "\x01")):
        return text
    return text[:1].lower() + text[1:]


def labelled(text: str) -> tuple[str, Labelled]:
    """The text without marks, and the stretch and label of each, the inner ones first."""
    plain = ""
    stretches: Labelled = []
    open_marks: list[tuple[int, str]] = []
    at = 0
    while at < len(text):
        if text[at] == "\x01":
            end = text.index("\x02", at)
            open_marks.append((len(plain), text[at + 1 : end]))
            at = end
        elif text[at] == "\x03":
            start, label = open_marks.pop()
            stretches.append((start, len(plain), label))
        else:
            plain += text[at]
        at += 1
    return _braces(plain), stretches


def _braces(text: str) -> str:
    return text.replace("\x06", "{").replace("\x07", "}")


def places(
    text: str, stretches: Labelled, kin: Kin, chance: random.Random | None = None
) -> Iterator[Example]:
    """What is learned from a sentence; with a chance, some of its words are hidden."""
    tokens = tokens_of(text.rstrip(" .!:;"))  # as the reader sees a clause
    segments = segments_of(tokens)
    share = chance.choice(HIDDEN) if chance else 0.0
    hidden = {
        number
        for number, token in enumerate(tokens)
        if share and token.kind == "word" and chance and chance.random() < share
    }
    for at, token in enumerate(tokens):
        if token.is_anchor:
            told = [one for start, end, one in stretches if start < token.end and token.start < end]
            label = told[0] if told else "none"
            if len(told) > 1 and label == "none" and token.shape == "<c>":
                label = _OF_COMMANDS[
                    told[1]
                ]  # "`make test` passes" where "the suite passes" may stand
            if label == "any":
                continue  # one reader's "all" is another's "the tests"
            if label not in LABELS[token.kind]:
                raise ValueError(f"{token.text!r} cannot be {label}: {text}")
            yield token.kind, features(tokens, segments, at, kin, hidden), label


def parts(
    text: str, stretches: Labelled, kin: Kin, chance: random.Random | None = None
) -> Iterator[Example]:
    """What is learned of named parts: of those a sentence names, and of its files as if parts."""
    tokens = tokens_of(text.rstrip(" .!:;"))
    share = chance.choice(HIDDEN) if chance else 0.0
    for at, token in enumerate(tokens):
        told = [one for start, end, one in stretches if start <= token.start < end]
        label = _OF_PARTS.get(told[0]) if told else None
        if token.kind == "file" and told[:1] == ["none"]:
            label = "none"
        if label is None or token.kind not in ("file", "code") or token.shape in {"<c>", "<o>"}:
            continue
        named = [_sometimes_code(one, chance) for one in tokens] if token.kind == "file" else tokens
        named, place = as_part([*named[:at], token, *named[at + 1 :]], at)
        hidden = {
            number
            for number, one in enumerate(named)
            if share and one.kind == "word" and chance and chance.random() < share
        }
        yield "part", features(named, segments_of(named), place, kin, hidden), label


def deeds(
    text: str, stretches: Labelled, kin: Kin, chance: random.Random | None = None
) -> Iterator[Example]:
    """What is learned of deeds alone: "committed", "installed"."""
    yield from (one for one in places(text, stretches, kin, chance) if one[0] == "deed")


def _sometimes_code(token: Token, chance: random.Random | None) -> Token:
    """Beside a part stand other parts as often as files."""
    if token.kind != "file" or chance is None or chance.random() < 0.5:
        return token
    return replace(token, kind="code", shape="<x>")


_OF_PARTS = {
    "changed": "changed", "created": "added", "written": "added", "added": "added",
    "deleted": "removed", "removed": "removed", "same": "same", "from": "from", "to": "to",
    **dict.fromkeys("nothing pass fail ran ok bad not_run present exists".split(), "none"),
}  # fmt: skip
"""What is said of a file or of code, as said of a part; what is not listed may be anything."""


def rows(
    writer: Writer,
    templates: list[str],
    each: int,
    learned: Learned,
) -> Rows:
    found: Rows = {kind: [] for kind in BUCKETS}
    for source, template in enumerate(templates):
        for _ in range(each):
            for kind, told, label in learned(
                *labelled(writer.sentence(template)), writer.kin, writer.chance
            ):
                found[kind].append((told, label, source))
    for source, line in enumerate(writer.written, start=len(templates)):
        for number in range(each // 3):
            text = line if number < each // 6 else writer.joined(line.rstrip(".!?"), 0.7)
            for kind, told, label in learned(*labelled(text), writer.kin, writer.chance):
                found[kind].append((told, label, source))
    return found


_OF_COMMANDS = {"pass": "ok", "fail": "bad", "ran": "ran", "not_run": "not_run", "before": "none"}
LABELS = {
    "file": "none changed created written deleted same exists absent from to pass fail".split(),
    "code": "none ran ok bad not_run pass fail installed not_installed present absent".split(),
    "number": "none pass fail skip ran files exit value".split(),
    "check": "none pass fail before ran not_run".split(),
    "deed": "none done failed not_done".split(),
    "part": "none changed added removed same from to".split(),
}


def hashed(told: list[str], buckets: int) -> np.ndarray:
    return np.array([crc32(feature.encode()) % buckets for feature in told], dtype=np.int32)


def told_often(rows: list[tuple[np.ndarray, int]], sources: list[int], buckets: int) -> np.ndarray:
    """Which features more than one line has: what only one has is learned by heart."""
    last, lines = np.full(buckets, -1), np.zeros(buckets, np.int32)
    for (columns, _), source in sorted(zip(rows, sources, strict=True), key=lambda pair: pair[1]):
        once = np.unique(columns)
        lines[once] += last[once] != source
        last[once] = source
    return lines >= LEAST_LINES


def fit(examples: list[Row], kind: str) -> tuple[list[str], np.ndarray]:
    """Multinomial logistic regression by AdaGrad, the weights averaged over the last round."""
    labels = sorted(LABELS[kind])
    numbers = {label: number for number, label in enumerate(labels)}
    rows = [(hashed(told, BUCKETS[kind]), numbers[label]) for told, label, _ in examples]
    told = told_often(rows, [source for _, _, source in examples], BUCKETS[kind])
    shape = (BUCKETS[kind], len(labels))
    weights, seen = np.zeros(shape, np.float32), np.full(shape, 1e-3, np.float32)
    total, times = np.zeros(shape, np.float32), 0
    chance = random.Random(3)
    for turn in range(ROUNDS):
        chance.shuffle(rows)
        for number, start in enumerate(range(0, len(rows), BATCH)):
            touched, table, wanted = _batch(rows[start : start + BATCH], told)
            own = weights[touched]
            scores = table @ own
            shares = np.exp(scores - scores.max(axis=1, keepdims=True))
            shares /= shares.sum(axis=1, keepdims=True)
            shares[np.arange(len(wanted)), wanted] -= 1
            step = table.T @ shares
            seen[touched] += step * step
            weights[touched] = own - RATE * step / np.sqrt(seen[touched]) - DECAY * own
            if turn == ROUNDS - 1 and number % 20 == 0:
                total, times = total + weights, times + 1
    return labels, total / max(times, 1)


def _batch(
    rows: list[tuple[np.ndarray, int]], told: np.ndarray
) -> tuple[np.ndarray, csr_matrix, np.ndarray]:
    """The columns some rows have, the rows by these columns, and their labels."""
    sizes = [len(columns) for columns, _ in rows]
    columns = np.concatenate([columns for columns, _ in rows])
    numbers = np.repeat(np.arange(len(rows)), sizes)
    values = np.repeat(np.array(sizes, np.float32) ** -0.5, sizes)
    kept = told[columns]
    touched, places = np.unique(columns[kept], return_inverse=True)
    table = csr_matrix((values[kept], (numbers[kept], places)), (len(rows), len(touched)))
    return touched, table, np.array([label for _, label in rows])


def write(models: Models, out: Path) -> None:
    """The tables that were trained, beside those that the file has already."""
    words = (HERE / "groups.txt").read_bytes() + b"\0" + (HERE / "senses.txt").read_bytes()
    head, tables = packed_tables(out)
    for kind, (labels, weights) in models.items():
        scale = float(np.quantile(np.abs(weights), 0.9995)) / 127
        head[kind] = {"labels": labels, "buckets": BUCKETS[kind], "scale": scale}
        steps = np.clip(np.round(weights / scale / STEP), -127 // STEP + 1, 127 // STEP)
        steps[np.abs(steps) == 1] = 0  # half of them, and nothing reads otherwise without
        tables[kind] = (steps * STEP).astype(np.int8).tobytes()
    packed = compress(words + b"".join(tables[kind] for kind in head), 9)
    told = json.dumps({**THRESHOLDS, "words": len(words), "tables": head})
    out.write_bytes(told.encode() + b"\n" + packed)


def packed_tables(path: Path) -> tuple[dict[str, Any], dict[str, bytes]]:
    """Head and weights of each table of a file; none where there is no file."""
    if not path.exists():
        return {}, {}
    first, _, rest = path.read_bytes().partition(b"\n")
    told, body = json.loads(first), decompress(rest)
    at, tables = told["words"], {}
    for kind, one in told["tables"].items():
        size = one["buckets"] * len(one["labels"])
        tables[kind] = body[at : at + size]
        at += size
    return told["tables"], tables


def check(models: Models, held: Rows) -> None:
    """How many are read rightly; and of what is read surely, how much is wrong."""
    for kind, examples in held.items():
        if not examples:
            continue
        labels, weights = models[kind]
        wrong: Counter[tuple[str, str]] = Counter()
        sure: Counter[bool] = Counter()
        for told, label, _ in examples:
            scores = weights[hashed(told, BUCKETS[kind])].sum(axis=0) * len(told) ** -0.5
            shares = np.exp(scores - scores.max())
            got = labels[int(shares.argmax())]
            if got != label:
                wrong[label, got] += 1
            if got != "none" and shares.max() / shares.sum() >= THRESHOLDS["sure"]:
                sure[got == label] += 1
        right = 1 - wrong.total() / len(examples)
        print(f"{kind:7} {right:.1%} of {len(examples)}; {wrong.most_common(6)}")
        print(f"        sure of {sure.total()}, of these wrong {sure[False]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--without-seen", action="store_true")
    parser.add_argument("--only", choices=("places", "parts", "deeds"), help="train these alone")
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--each", type=int, default=EACH)
    arguments = parser.parse_args()
    for learned in (places, parts, deeds):
        if arguments.only in (None, learned.__name__):
            train(learned, arguments)


def train(learned: Learned, arguments: argparse.Namespace) -> None:
    more = () if learned is places else (learned.__name__,)  # the file of their own sentences
    writer = Writer(seed=SEEDS[0], seen=not arguments.without_seen, more=more)
    held_templates: list[str] = []
    held_sentences: list[str] = []
    if arguments.check:
        held_templates, writer.templates = parted(writer.chance, writer.templates)
        held_sentences, writer.written = parted(writer.chance, writer.written)
    models = averaged([trained(writer, seed, arguments.each, learned) for seed in SEEDS])
    if arguments.check:
        writer.written = []
        print("templates")
        check(models, rows(writer, held_templates, 20, learned))
        print("sentences, as they stand")
        check(models, as_they_stand(held_sentences, writer.kin, learned))
    else:
        write(models, arguments.out)


def trained(writer: Writer, seed: int, each: int, learned: Learned) -> Models:
    writer.chance = random.Random(seed)
    known = rows(writer, writer.templates, each, learned)
    for kind, examples in known.items():
        print(kind, len(examples), Counter(label for _, label, _ in examples).most_common())
    return {kind: fit(examples, kind) for kind, examples in known.items() if examples}


def averaged(found: list[Models]) -> Models:
    return {
        kind: (labels, np.mean([one[kind][1] for one in found], axis=0))
        for kind, (labels, _) in found[0].items()
    }


def parted(chance: random.Random, lines: list[str]) -> tuple[list[str], list[str]]:
    """A tenth of them, and the rest."""
    shuffled = chance.sample(lines, len(lines))
    cut = len(lines) // 10
    return shuffled[:cut], shuffled[cut:]


def as_they_stand(lines: list[str], kin: Kin, learned: Learned) -> Rows:
    found: Rows = {kind: [] for kind in BUCKETS}
    for source, line in enumerate(lines):
        for kind, told, label in learned(*labelled(line), kin):
            found[kind].append((told, label, source))
    return found


if __name__ == "__main__":
    main()
