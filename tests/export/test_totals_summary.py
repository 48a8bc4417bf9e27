from __future__ import annotations

from html import unescape
from types import SimpleNamespace

import pytest
from graded_rounds import GradedRound

from grader_app.domain.round import Cut
from grader_app.export.folder import read_results
from grader_app.export.results import Results
from grader_app.export.totals_summary import reported_totals, totals_summary


def said(totals: list[float | None], cut: Cut | None) -> str:
    rows = [SimpleNamespace(candidate_id=f"c{n}", total=total) for n, total in enumerate(totals)]
    nobody = SimpleNamespace(rereads=SimpleNamespace(last_of={}))
    results = SimpleNamespace(
        scaled=SimpleNamespace(candidates=rows),
        not_scaled="",
        round=SimpleNamespace(cut=cut),
        record=nobody,
        errors=None,
    )
    return unescape("".join(totals_summary(results)))  # type: ignore[arg-type]


def test_the_summary_counts_who_passes_and_who_is_read_again() -> None:
    words = said([260, 262, 265, 266, 270, None], Cut(total=266, reread_from=262, reread_to=265))
    assert "5 candidates have a total: mean 264.6, lowest 260, highest 270, SD 3.4" in words
    assert "At 266 or above: 2 of 5 (40 %). From 262 to 265, the band that is read again: 2." in words
    assert "Read again already" not in words


def test_a_round_without_a_cut_says_nothing_of_passing() -> None:
    words = said([260, 270], None)
    assert "or above" not in words
    assert "mean 265.0" in words


def test_one_total_has_no_spread() -> None:
    assert "1 candidate has a total: mean 266.0, lowest 266, highest 266." in said([266], None)


def test_without_totals_there_is_a_sentence_and_no_chart() -> None:
    words = said([None, None], Cut(total=266))
    assert "No candidate has a total." in words
    assert "<svg" not in words


def test_the_summary_of_an_export_is_of_its_reported_totals(graded: GradedRound) -> None:
    results: Results = read_results(graded.bench.store)
    totals = reported_totals(results)
    assert results.scaled is not None
    assert len(totals) == sum(row.total is not None for row in results.scaled.candidates) > 2
    mean = sum(totals) / len(totals)
    assert f"mean {mean:.1f}" in "".join(totals_summary(results))
    assert mean == pytest.approx(sum(sorted(totals)) / len(totals))


def test_the_summary_counts_as_totals_are_judged_to_the_last_binary_digit() -> None:
    words = said([261.9999999999, 265.9999999999], Cut(total=266, reread_from=262, reread_to=265))
    assert "At 266 or above: 1 of 2 (50 %). From 262 to 265, the band that is read again: 1." in words
