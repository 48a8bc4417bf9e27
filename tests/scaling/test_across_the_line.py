"""How many totals the wider interval leaves on either side of the line."""

from dataclasses import replace

from drawn_pools import UBE_ITEMS, drawn_pool

from grader_app.scaling.across_the_line import across_sentence_or_none
from grader_app.scaling.error_bars import Settings
from grader_app.scaling.score_errors import score_errors


def errors_of(found, line):
    return score_errors(found.pool, found.scaled, UBE_ITEMS, line=line, settings=Settings(n_draws=400))


def test_it_counts_the_totals_whose_wider_interval_holds_the_line():
    found = drawn_pool(n=60)
    errors = errors_of(found, 282.0)
    bars = [errors.shown(row, found.scaled.factors).everything for row in found.scaled.candidates]
    across = sum(bar.low < 282 <= bar.high for bar in bars)
    assert 0 < across < 60
    assert across_sentence_or_none(found.scaled, errors) == (
        f"{across} of 60 totals could lie on the other side of 282: their 95 % interval (other readers, "
        "questions and pool) reaches across it."
    )


def test_a_line_far_from_everybody_is_reached_by_nobody():
    found = drawn_pool(n=60)
    said = across_sentence_or_none(found.scaled, errors_of(found, 900.0))
    assert said.startswith("0 of 60 totals could")


def test_without_a_line_or_without_the_wider_interval_nothing_is_said():
    found = drawn_pool(n=60)
    assert across_sentence_or_none(found.scaled, errors_of(found, None)) is None
    errors = errors_of(found, 282.0)
    narrow = {who: replace(bars, everything=None) for who, bars in errors.bars.by_candidate.items()}
    errors.bars.by_candidate.update(narrow)
    assert across_sentence_or_none(found.scaled, errors) is None
