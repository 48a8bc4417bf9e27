"""Effects of order and length: found when planted, silent when the order was not random."""

import numpy as np
import pandas as pd
import pytest

from grader_app.agreement import order_effects
from grader_app.errors import RatingsProblem


def queue(n=400, drift=0.0, contrast=0.0, words=0.0, seed=1):
    random = np.random.default_rng(seed)
    lengths = random.integers(100, 500, size=n)
    scores = np.empty(n)
    before = 0.0
    for place in range(n):
        quality = random.normal()
        scores[place] = 3 + quality + drift * place / 100 - contrast * before + words * lengths[place] / 100
        before = quality
    return pd.DataFrame({"grader_id": "x", "score": scores, "submitted_at": range(n), "words": lengths})


def by_kind(table, **options):
    found = order_effects(table, length="words", **({"random_order": True} | options))
    return {effect.kind: effect for effect in found}


def test_a_planted_drift_contrast_and_length_are_found():
    assert by_kind(queue(drift=0.5))["place"].low > 0.3
    assert by_kind(queue(contrast=0.5))["contrast"].high < -0.2
    assert by_kind(queue(words=0.4))["length"].low > 0.2


def test_without_effects_the_intervals_cover_zero_about_as_often_as_they_should():
    missed = {"place": 0, "contrast": 0, "length": 0}
    for seed in range(60):
        for kind, effect in by_kind(queue(n=60, seed=seed)).items():
            missed[kind] += not effect.low <= 0 <= effect.high
    assert all(count <= 9 for count in missed.values())


def test_rows_are_put_in_order_first():
    table = queue(drift=0.5)
    shuffled = table.sample(frac=1, random_state=3)
    assert by_kind(shuffled)["place"] == by_kind(table)["place"]


def test_an_order_that_was_not_random_gives_no_number():
    for effect in by_kind(queue(drift=0.5), random_order=False).values():
        assert (effect.value, effect.status) == (None, "not_applicable")
        assert "random order" in effect.says


def test_few_or_constant_scores_give_no_number():
    few = by_kind(queue(n=4))
    assert {effect.status for effect in few.values()} == {"too_few"}
    constant = queue(n=20).assign(score=3)
    assert {effect.status for effect in by_kind(constant).values()} == {"no_variation"}


def test_missing_scores_are_left_out_and_words_are_refused():
    table = queue(n=20).assign(score=[None, *range(19)])
    assert by_kind(table)["place"].n == 19
    with pytest.raises(RatingsProblem, match="not a number"):
        by_kind(queue(n=20).assign(score="good"))
    with pytest.raises(RatingsProblem, match="no column when"):
        order_effects(queue(), order="when", random_order=True)


def test_the_sentence_says_what_moves_and_whether_it_may_be_chance():
    says = by_kind(queue(drift=0.5))["place"].says
    assert says.startswith("x's scores go up by 0.")
    assert "100 answers later" in says
    assert by_kind(queue(n=12, seed=2))["place"].says.endswith("This may well be chance.")
