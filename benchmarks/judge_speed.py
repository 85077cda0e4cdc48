"""How fast the embedded judge is, beside transformers of the sizes that others use.

    python benchmarks/judge_speed.py [--claims N] [--json FILE] [--alone]

One run, one machine, the same claims for all: each against about 400 tokens of evidence. The
transformers are built from their configurations with random weights, since speed needs no
training; they read claim and evidence whole, as MiniCheck and AlignScore (RoBERTa-large),
LettuceDetect (ModernBERT-base) and HHEM (Flan-T5-base) do, in float32 on the same threads, at
the better of two batch sizes. They need `pip install torch==2.13.0 transformers`, best in an
environment of its own; `--alone` leaves them out.

Then: the latency of one claim (p1 alone, and p1 with p0), the memory of the process, and a
50-page document checked claim by claim. On a busy machine the milliseconds of work and the ratios
say more than the latency.
"""

import argparse
import asyncio
import json
import random
import resource
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from _machine import describe_machine

from groundwire.encoder._weights import word_piece
from groundwire.judge import (
    EmbeddedBackend,
    Estimate,
    Evidence,
    Question,
    with_and_without,
)
from groundwire.model import EvidenceBundle

THREADS = 2
EVIDENCE_TOKENS = 400
SENTENCES_PER_PAGE = 22
PAGES = 50
LATENCY_CLAIMS = 40
PLACES = "harbour station depot workshop laboratory archive warehouse mill quarry bakery".split()
THINGS = "pump crane boiler turbine conveyor press furnace lift generator compressor".split()
DEEDS = "was inspected|was repaired|was replaced|failed|was repainted|was sold|was tested".split(
    "|"
)
MONTHS = "January March April June August October November".split()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--claims", type=int, default=64)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--alone", action="store_true", help="measure no other transformers")
    options = parser.parse_args()
    rng = random.Random(7)
    cases = [_case(rng) for _ in range(options.claims)]
    figures: dict[str, Any] = {"embedded": _embedded(cases)}
    figures["document"] = _document(rng)
    figures["peak_memory_mb"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    if not options.alone:
        figures["transformers"] = _transformers(cases)
    _show(figures)
    if options.json:
        document = {"figures": figures, "machine": describe_machine()}
        options.json.write_text(json.dumps(document, indent=2) + "\n")


def _sentence(rng: random.Random) -> str:
    return (
        f"The {rng.choice(THINGS)} of the {rng.choice(PLACES)} {rng.choice(DEEDS)} on "
        f"{rng.randint(1, 28)} {rng.choice(MONTHS)} {rng.randint(1990, 2024)} by a crew of "
        f"{rng.randint(2, 19)}, which took {rng.randint(2, 90)} hours."
    )


def _case(rng: random.Random) -> tuple[str, str]:
    """A claim and about 400 tokens of evidence, one sentence of which says the same."""
    sentences: list[str] = []
    while _tokens(" ".join(sentences)) < EVIDENCE_TOKENS:
        sentences.append(_sentence(rng))
    return rng.choice(sentences).partition(", which")[0] + ".", " ".join(sentences)


def _tokens(text: str) -> int:
    return len(word_piece().ids(text))


def _questions(claim: str, evidence: Evidence, words: int) -> tuple[Question, Question]:
    """The claim with its evidence, and with it scrubbed."""
    whole, scrubbed = with_and_without(evidence, claim, words)
    return Question(claim=claim, context=whole), Question(claim=claim, context=scrubbed)


def _claims_per_s(backend: EmbeddedBackend, cases: Sequence[tuple[str, str]]) -> float:
    """All claims in one call, their evidence cut and narrowed included."""
    asyncio.run(backend.estimate([Question(claim="Warm up.", context="Warm up.")]))
    started_s = time.perf_counter()
    asked = [
        _questions(claim, Evidence([EvidenceBundle.of(text, "e")]), backend.context_words)
        for claim, text in cases
    ]
    answers = asyncio.run(backend.estimate([with_evidence for with_evidence, _ in asked]))
    assert all(isinstance(answer, Estimate) for answer in answers)  # noqa: S101
    return len(cases) / (time.perf_counter() - started_s)


def _embedded(cases: Sequence[tuple[str, str]]) -> dict[str, Any]:
    backend = EmbeddedBackend(threads=THREADS)
    return {
        "claims_per_s": _claims_per_s(backend, cases),
        "p1": _latency(backend, cases[:LATENCY_CLAIMS], with_p0=False),
        "p1_and_p0": _latency(backend, cases[:LATENCY_CLAIMS], with_p0=True),
    }


def _latency(
    backend: EmbeddedBackend, cases: Sequence[tuple[str, str]], *, with_p0: bool
) -> dict[str, float]:
    """One claim at a time, its evidence cut and narrowed anew."""
    taken_ms, worked_ms = [], []
    for claim, text in cases:
        started_s, worked_s = time.perf_counter(), time.process_time()
        evidence = Evidence([EvidenceBundle.of(text, "e")])
        one, other = _questions(claim, evidence, backend.context_words)
        asyncio.run(backend.estimate([one, other] if with_p0 else [one]))
        taken_ms.append((time.perf_counter() - started_s) * 1000)
        worked_ms.append((time.process_time() - worked_s) * 1000)
    return {
        "cpu_ms": statistics.median(worked_ms),
        "p50_ms": statistics.median(taken_ms),
        "p95_ms": statistics.quantiles(taken_ms, n=20)[-1],
    }


def _document(rng: random.Random) -> dict[str, Any]:
    """A long document is cut and indexed once; a claim then costs what its context costs."""
    sentences = [_sentence(rng) for _ in range(PAGES * SENTENCES_PER_PAGE)]
    text = " ".join(sentences)
    claims = [one.partition(", which")[0] + "." for one in rng.sample(sentences, LATENCY_CLAIMS)]
    backend = EmbeddedBackend(threads=THREADS)
    asyncio.run(backend.estimate([Question(claim="Warm up.", context="Warm up.")]))
    started_s = time.perf_counter()
    evidence = Evidence([EvidenceBundle.of(text, "e")])
    read_s = time.perf_counter() - started_s
    asked = [_questions(claim, evidence, backend.context_words)[0] for claim in claims]
    narrowed_s = time.perf_counter() - started_s - read_s
    asyncio.run(backend.estimate(asked))
    seconds = time.perf_counter() - started_s
    judged_words = sum(len(question.context.split()) for question in asked)
    return {
        "words": len(text.split()),
        "claims": len(claims),
        "read_once_s": read_s,
        "narrow_ms_per_claim": narrowed_s * 1000 / len(claims),
        "ms_per_claim": (seconds - read_s) * 1000 / len(claims),
        "words_judged_per_claim": judged_words / len(claims),
    }


def _transformers(cases: Sequence[tuple[str, str]]) -> dict[str, dict[str, float]]:
    """Each measured right after ours, so that both met the same load."""
    import torch

    torch.set_num_threads(THREADS)
    tokens = int(statistics.mean(_tokens(f"{claim} {text}") for claim, text in cases))
    backend = EmbeddedBackend(threads=THREADS)
    found = {}
    for name, make in _builders().items():
        model = make().eval()
        forward = _forward(model)
        ours_per_s = _claims_per_s(backend, cases)
        theirs_per_s = max(_rate(forward, batch, tokens) for batch in (1, 4))
        found[name] = {
            "parameters_m": sum(one.numel() for one in model.parameters()) / 1e6,
            "tokens": tokens,
            "claims_per_s": theirs_per_s,
            "ours_per_s": ours_per_s,
            "times_faster": ours_per_s / theirs_per_s,
        }
        print(f"{name}: {theirs_per_s:.2f} claims/s, ours {ours_per_s:.1f}", file=sys.stderr)
        del model, forward
    return found


def _builders() -> "dict[str, Callable[[], Any]]":
    import transformers as hf

    roberta = {"vocab_size": 50265, "max_position_embeddings": 514, "num_labels": 2}
    large = {
        "hidden_size": 1024,
        "num_hidden_layers": 24,
        "num_attention_heads": 16,
        "intermediate_size": 4096,
    }
    t5 = {
        "vocab_size": 32128,
        "d_model": 768,
        "d_kv": 64,
        "d_ff": 2048,
        "num_layers": 12,
        "num_heads": 12,
        "feed_forward_proj": "gated-gelu",
        "num_labels": 2,
        "tie_word_embeddings": False,
        "decoder_start_token_id": 0,
    }
    return {
        "RoBERTa-large": lambda: hf.RobertaForSequenceClassification(
            hf.RobertaConfig(**roberta, **large)
        ),
        "RoBERTa-base": lambda: hf.RobertaForSequenceClassification(hf.RobertaConfig(**roberta)),
        "ModernBERT-base": lambda: hf.ModernBertForTokenClassification(
            hf.ModernBertConfig(num_labels=2)
        ),
        # HHEM reads with the encoder alone, so the decoder is left out here too
        "Flan-T5-base": lambda: hf.T5ForTokenClassification(hf.T5Config(**t5)),
    }


def _forward(model: Any) -> "Callable[[int, int], None]":
    import torch

    def run(batch: int, tokens: int) -> None:
        ids = torch.randint(1000, 20000, (batch, tokens))
        with torch.inference_mode():
            model(input_ids=ids, attention_mask=torch.ones_like(ids))

    return run


def _rate(forward: "Callable[[int, int], None]", batch: int, tokens: int) -> float:
    forward(batch, tokens)
    taken_s = []
    while len(taken_s) < 2:
        started_s = time.perf_counter()
        forward(batch, tokens)
        taken_s.append(time.perf_counter() - started_s)
    return batch / min(taken_s)


def _show(figures: dict[str, Any]) -> None:
    ours, document = figures["embedded"], figures["document"]
    print(f"{'judge':<18}{'parameters':>12}{'claims/s':>10}{'times slower':>14}")
    print(f"{'embedded (int8)':<18}{'30 M':>12}{ours['claims_per_s']:>10.1f}{1:>14}")
    for name, one in figures.get("transformers", {}).items():
        print(
            f"{name:<18}{one['parameters_m']:>10.0f} M{one['claims_per_s']:>10.2f}"
            f"{one['times_faster']:>14.1f}"
        )
    for name in ("p1", "p1_and_p0"):
        one = ours[name]
        print(
            f"{name}: p50 {one['p50_ms']:.0f} ms, p95 {one['p95_ms']:.0f} ms "
            f"({one['cpu_ms']:.0f} ms of work, over up to {THREADS} threads)"
        )
    print(f"peak memory {figures['peak_memory_mb']:.0f} MB")
    print(
        f"{PAGES} pages ({document['words']:,} words): read once in "
        f"{document['read_once_s']:.2f} s, then {document['ms_per_claim']:.0f} ms per claim, of "
        f"which {document['narrow_ms_per_claim']:.1f} ms to find the "
        f"{document['words_judged_per_claim']:.0f} words it is judged by"
    )


if __name__ == "__main__":
    main()
