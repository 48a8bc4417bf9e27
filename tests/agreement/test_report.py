"""The report: the contract's shape, statuses in their order, and JSON without nan."""

import json

import pandas as pd
import pytest
from agreement_tables import KRIPPENDORFF_C, ratings, table

from grader_app.agreement import Ratings, report, report_of
from grader_app.agreement.report_text import readable


def the_facet(found):
    return found["facets"][0]


def test_the_shape_is_that_of_the_contract():
    found = report(ratings(KRIPPENDORFF_C, "1:5"), resamples=50)
    assert set(found) == {"version", "facets"}
    facet = the_facet(found)
    assert (facet["item"], facet["facet"]) == (None, "score")
    assert facet["design"] == {
        "n_responses": 12,
        "n_graders": 4,
        "n_ratings": 41,
        "n_paired_responses": 11,
        "left_out": [{"n": 1, "why": "rated once"}],
        "graders_without_ratings": [],
    }
    alpha = next(figure for figure in facet["figures"] if figure["name"] == "krippendorff_alpha")
    assert {"level", "value", "low", "high", "confidence", "interval_method", "status", "says"} <= set(alpha)
    assert alpha["value"] == pytest.approx(0.815387504, abs=5e-9)
    assert len(facet["pairs"]) == 6
    assert [grader["grader"] for grader in facet["graders"]] == list("ABCD")
    assert facet["graders"][0]["severity_against"] == "other_graders"


def test_the_report_is_json_as_it_stands():
    found = report(ratings(KRIPPENDORFF_C, "1:5"), resamples=50)
    assert json.loads(json.dumps(found, allow_nan=False)) == found


def test_several_tables_stand_side_by_side():
    one = ratings(KRIPPENDORFF_C, "1:5")
    found = report_of([("torts", "score", one), ("torts", "analysis", one)], resamples=0)
    assert [(facet["item"], facet["facet"]) for facet in found["facets"]] == [
        ("torts", "score"),
        ("torts", "analysis"),
    ]


def test_no_resamples_leave_values_and_take_away_intervals():
    with_intervals = the_facet(report(ratings(KRIPPENDORFF_C, "1:5"), resamples=100))
    without = the_facet(report(ratings(KRIPPENDORFF_C, "1:5"), resamples=0))
    for a, b in zip(with_intervals["figures"], without["figures"], strict=True):
        assert (a["name"], a["value"]) == (b["name"], b["value"])
        assert b["interval_method"] is None or "bootstrap" not in b["interval_method"]


def test_progress_is_told_part_by_part():
    told = []
    report(ratings(KRIPPENDORFF_C, "1:5"), resamples=0, item="torts", progress=told.append)
    assert told[0].startswith("torts score")


def test_the_readable_form_names_every_figure_and_grader():
    text = readable(report(ratings(KRIPPENDORFF_C, "1:5"), resamples=50))
    for words in (
        "12 answers, 4 graders, 41 ratings",
        "Krippendorff's alpha (ordinal)",
        "0.815",
        "A · B",
        "QWK",
    ):
        assert words in text


AWKWARD = {
    "no rows": table({"x": "", "y": ""}),
    "all missing": table({"x": ". .", "y": ". ."}),
    "one grader": table({"x": "1 2 3"}),
    "no overlap": table({"x": "1 2 . .", "y": ". . 3 4"}),
    "one paired response": table({"x": "1 2 .", "y": ". 2 3"}),
    "all the same": table({"x": "3 3 3 3 3 3", "y": "3 3 3 3 3 3", "z": "3 3 3 3 3 ."}),
}
STATUS = {
    "no rows": "no_overlap",
    "all missing": "no_overlap",
    "one grader": "one_grader",
    "no overlap": "no_overlap",
    "one paired response": "too_few",
    "all the same": "no_variation",
}


@pytest.mark.parametrize("name", AWKWARD)
def test_an_impossible_table_has_a_status_and_a_sentence_for_every_figure(name):
    facet = the_facet(report(Ratings.from_wide(AWKWARD[name], scale="0:6"), resamples=50))
    for figure in facet["figures"]:
        plain_share = figure["name"] in {"exact", "exact_or_adjacent"}
        if name == "all the same" and plain_share:
            assert (figure["value"], figure["status"]) == (1.0, "ok")
        else:
            assert (figure["value"], figure["status"]) == (None, STATUS[name])
        assert figure["says"].endswith(".")
        assert figure["low"] is None


def test_two_to_four_responses_show_values_without_intervals():
    facet = the_facet(report(ratings({"x": "1 2 4 5", "y": "1 3 4 6"}, "0:6"), resamples=50))
    for figure in facet["figures"]:
        assert figure["value"] is not None
        if "icc" not in figure["name"]:
            assert figure["low"] is None
            assert "below 5 answers" in figure["says"]


def test_nan_spelled_out_is_a_score_when_declared():
    wide = pd.DataFrame({"id": range(6), "x": ["nan", "yes"] * 3, "y": ["nan", "yes", "nan"] * 2})
    facet = the_facet(report(Ratings.from_wide(wide, scale=["nan", "yes"]), resamples=0))
    assert facet["design"]["n_ratings"] == 12
