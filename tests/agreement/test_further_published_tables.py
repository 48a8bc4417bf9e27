"""Published worked examples beyond the usual ones, each with its source and its printed figures."""

from __future__ import annotations

import pandas as pd
import pytest

from grader_app import agreement
from grader_app.agreement import Ratings


def test_three_coders_with_many_missing_values() -> None:
    """Encyclopaedia article on Krippendorff's alpha, section "A computational example": .691 and .811."""
    columns = {
        "A": ". . . . . 3 4 1 2 1 1 3 3 . 3",
        "B": "1 . 2 1 3 3 4 3 . . . . . . .",
        "C": ". . 2 1 3 4 4 . 2 1 1 3 3 . 4",
    }
    frame = pd.DataFrame(
        {grader: [None if one == "." else int(one) for one in row.split()] for grader, row in columns.items()}
    )
    frame.insert(0, "unit", [f"u{number:02}" for number in range(1, 16)])
    ratings = Ratings.from_wide(frame, scale="1:4")
    assert agreement.krippendorff_alpha(ratings, level="nominal").value == pytest.approx(0.691, abs=5e-4)
    assert agreement.krippendorff_alpha(ratings, level="interval").value == pytest.approx(0.811, abs=5e-4)


def test_fourteen_raters_of_ten_subjects() -> None:
    """Encyclopaedia article on Fleiss' kappa, worked example: kappa .210, observed .378, expected .213."""
    counts = [
        (0, 0, 0, 0, 14),
        (0, 2, 6, 4, 2),
        (0, 0, 3, 5, 6),
        (0, 3, 9, 2, 0),
        (2, 2, 8, 1, 1),
        (7, 7, 0, 0, 0),
        (3, 2, 6, 3, 0),
        (2, 5, 3, 2, 2),
        (6, 5, 2, 1, 0),
        (0, 2, 2, 3, 7),
    ]
    rows = [
        (f"s{subject}", f"r{rater}", score)
        for subject, row in enumerate(counts)
        for rater, score in enumerate(one for value, n in enumerate(row, start=1) for one in [value] * n)
    ]
    frame = pd.DataFrame(rows, columns=["response_id", "grader_id", "score"])
    ratings = Ratings.from_long(frame, response="response_id", grader="grader_id", score="score", scale="1:5")
    assert agreement.fleiss_kappa(ratings, resamples=0).value == pytest.approx(0.210, abs=5e-4)
    assert agreement.exact(ratings, resamples=0).value == pytest.approx(0.378, abs=5e-4)


@pytest.mark.parametrize(
    ("cells", "kappa"),
    [((20, 5, 10, 15), 0.40), ((45, 15, 25, 15), 0.1304), ((25, 35, 5, 35), 0.2593)],
)
def test_two_by_two_tables_of_the_same_agreement_and_other_kappas(
    cells: tuple[int, int, int, int], kappa: float
) -> None:
    """Encyclopaedia article on Cohen's kappa: the simple example, and two tables that agree in 60 of 100."""
    pairs = [("yes", "yes")] * cells[0] + [("yes", "no")] * cells[1]
    pairs += [("no", "yes")] * cells[2] + [("no", "no")] * cells[3]
    frame = pd.DataFrame(pairs, columns=["A", "B"])
    frame.insert(0, "unit", [f"u{number}" for number in range(len(pairs))])
    ratings = Ratings.from_wide(frame, scale=["no", "yes"])
    assert agreement.cohen_kappa(ratings, graders=("A", "B"), resamples=0).value == pytest.approx(
        kappa, abs=5e-5
    )
