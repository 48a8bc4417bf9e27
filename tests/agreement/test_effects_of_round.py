from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from grader_app.agreement.effects_of_round import effects_of_record


def record_of(scores: list[float], deals: int) -> Any:
    """One grader's scores in the order given, the queue dealt in so many pieces."""
    grades = {
        f"a{place}": SimpleNamespace(
            assignment_id=f"a{place}",
            item="mee-x",
            grader_id="p1",
            response_id=f"r{place}",
            score=score,
            event_seq=place,
        )
        for place, score in enumerate(scores)
    }
    history = {name: [grade] for name, grade in grades.items()}
    return SimpleNamespace(
        independent_grades=lambda: list(grades.values()),
        grades=grades,
        history=history,
        deals=Counter({("p1", "mee-x"): deals}),
    )


SCORES = [5.0, 4.0, 5.0, 4.0, 4.0, 3.0, 4.0, 3.0, 3.0, 2.0, 3.0, 2.0]
LENGTHS = {f"r{place}": 300 - 10 * place for place in range(12)}


def test_scores_that_fall_along_the_queue_have_a_negative_slope_under_the_graders_name() -> None:
    found = effects_of_record(record_of(SCORES, deals=1), LENGTHS, {"p1": "Kim"})
    place = next(effect for effect in found if effect["kind"] == "place")
    # Least squares by hand: slope -0.2447 a place (numpy.polyfit(range(12), SCORES, 1)), per 100 answers.
    assert place["value"] == pytest.approx(-24.4755, abs=1e-3)
    assert place["high"] < 0
    assert place["says"].startswith("Kim's scores go down")
    length = next(effect for effect in found if effect["kind"] == "length")
    assert length["value"] == pytest.approx(2.44755, abs=1e-4)
    assert {effect["item"] for effect in found} == {"mee-x"}


def test_a_queue_that_was_added_to_has_no_random_order_and_no_effect_is_claimed() -> None:
    found = effects_of_record(record_of(SCORES, deals=2), LENGTHS)
    assert all(effect["value"] is None for effect in found if effect["kind"] != "length")
    assert any("random order" in effect["says"] for effect in found)


def test_coded_grades_are_left_out() -> None:
    record = record_of(SCORES, deals=1)
    record.grades["a0"].score = None
    found = effects_of_record(record, LENGTHS)
    assert {effect["n"] for effect in found if effect["kind"] == "place"} == {11}
