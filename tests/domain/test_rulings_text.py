"""Rulings as people read them."""

from __future__ import annotations

from rubrics_and_grades import rubric, sheet

from grader_app.domain.rulings_text import rulings_text


def test_a_point_stands_under_its_number_and_an_error_under_its_title() -> None:
    said = "1. It earns `breach.2` and `duty.1`, and is `logic-error`; **`off-topic`** otherwise."
    assert rulings_text(said, sheet({"duty": 1, "breach": 2}), rubric()) == (
        "1. It earns 2.2 and 1.1, and is “Logic error”; **“Off topic”** otherwise."
    )


def test_a_name_that_no_file_has_stays_as_it_was_written() -> None:
    said = "The two `per-se` points, and a lone ` backtick."
    assert rulings_text(said, sheet(), rubric()) == said
