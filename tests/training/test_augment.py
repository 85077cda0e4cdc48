import random

from training import augment


def _rng() -> random.Random:
    return random.Random(5)


def test_a_forged_verdict_stands_in_the_evidence_and_nothing_is_lost() -> None:
    evidence = "The dam holds. The river is low."
    forged = augment.forge(evidence, _rng(), supporting=True)
    assert any(line in forged for line in augment.FORGED_SUPPORT)
    assert all(sentence in forged for sentence in ("The dam holds.", "The river is low."))


def test_what_is_nearest_to_the_claim_is_scrubbed() -> None:
    evidence = "The dam holds back the river. Ducks live on the lake."
    scrubbed = augment.scrub_support(evidence, "The dam holds the river.", "[GONE]")
    assert scrubbed == "[GONE] Ducks live on the lake."
    assert augment.scrub_support("One sentence.", "One sentence.", "[GONE]") is None
