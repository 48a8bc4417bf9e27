"""Every figure on every awkward table, and what must hold whatever the data."""

import json
import math

import numpy as np
import pytest
from agreement_tables import fleiss_ratings, ratings, table
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grader_app import agreement
from grader_app.agreement import Ratings
from grader_app.agreement.report_text import readable

PANEL = {
    "exact": agreement.exact,
    "exact_or_adjacent": agreement.exact_or_adjacent,
    "krippendorff_alpha": agreement.krippendorff_alpha,
    "alpha nominal": lambda *a, **o: agreement.krippendorff_alpha(*a, "nominal", **o),
    "alpha interval": lambda *a, **o: agreement.krippendorff_alpha(*a, "interval", **o),
    "alpha ratio": lambda *a, **o: agreement.krippendorff_alpha(*a, "ratio", **o),
    "fleiss_kappa": agreement.fleiss_kappa,
    "conger_kappa": agreement.conger_kappa,
    "brennan_prediger": agreement.brennan_prediger,
    "gwet_ac1": agreement.gwet_ac1,
    "gwet_ac2": agreement.gwet_ac2,
    "ac2 linear": lambda *a, **o: agreement.gwet_ac2(*a, "linear", **o),
    "ac2 ordinal": lambda *a, **o: agreement.gwet_ac2(*a, "ordinal", **o),
    "icc_1_1": agreement.icc_1_1,
    "icc_2_1": agreement.icc_2_1,
    "icc_3_1": agreement.icc_3_1,
    "icc_1_k": agreement.icc_1_k,
    "icc_2_k": agreement.icc_2_k,
    "icc_3_k": agreement.icc_3_k,
    "kendall_w": agreement.kendall_w,
}
PAIR = {
    "cohen_kappa": agreement.cohen_kappa,
    "linear_weighted_kappa": agreement.linear_weighted_kappa,
    "quadratic_weighted_kappa": agreement.quadratic_weighted_kappa,
    "kendall_tau_b": agreement.kendall_tau_b,
    "spearman_rho": agreement.spearman_rho,
    "pearson_r": agreement.pearson_r,
    "smd": agreement.smd,
}
FIGURES = PANEL | PAIR
SHARES = {"exact", "exact_or_adjacent"}

AWKWARD = {
    "no rows": (table({"x": "", "y": ""}), "no_overlap"),
    "all missing": (table({"x": ". . .", "y": ". . ."}), "no_overlap"),
    "one grader": (table({"x": "1 2 3"}), "one_grader"),
    "one grader and an idle one": (table({"x": "1 2 3", "y": ". . ."}), "one_grader"),
    "one grader, one response": (table({"x": "1"}), "one_grader"),
    "no overlap": (table({"x": "1 2 . .", "y": ". . 3 4"}), "no_overlap"),
    "one response": (table({"x": "1", "y": "2"}), "too_few"),
    "one paired response": (table({"x": "1 2 .", "y": ". 2 3"}), "too_few"),
    "one paired response, same scores": (table({"x": "2 2 .", "y": ". 2 2"}), "too_few"),
    "all the same": (table({"x": "3 3 3 3 3 3", "y": "3 3 3 3 3 3"}), "no_variation"),
    "all the same, missing cells": (table({"x": "3 3 3 3 . 3", "y": "3 3 3 3 3 3"}), "no_variation"),
    "all shared the same": (table({"x": "3 3 3 3 3 5", "y": "3 3 3 3 3 ."}), "no_variation"),
    "two the same": (table({"x": "3 3", "y": "3 3"}), "no_variation"),
}


def well_formed(estimate):
    assert estimate.says.strip().endswith((".", ")"))
    assert (estimate.value is not None) == (estimate.status == "ok")
    assert (estimate.low is None) == (estimate.high is None)
    for number in (estimate.value, estimate.low, estimate.high):
        assert number is None or math.isfinite(number)
    if estimate.low is not None:
        assert estimate.low <= estimate.value + 1e-9
        assert estimate.value <= estimate.high + 1e-9
    return estimate


@pytest.mark.parametrize("name", AWKWARD)
@pytest.mark.parametrize("figure", FIGURES)
def test_an_awkward_table_gives_a_status_and_a_sentence(figure, name):
    wide, status = AWKWARD[name]
    estimate = well_formed(FIGURES[figure](Ratings.from_wide(wide, scale="0:6"), resamples=60))
    if status == "no_variation" and figure in SHARES:
        assert (estimate.value, estimate.status) == (1.0, "ok")
    else:
        assert (estimate.value, estimate.status) == (None, status)


SMALL = {
    "two responses": {"x": "1 5", "y": "2 5"},
    "four responses": {"x": "1 5 3 2", "y": "2 5 3 1"},
    "four responses, missing cells": {"x": "1 5 3 2 .", "y": "2 5 . 1 3", "z": "2 . 4 2 ."},
}


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("figure", PANEL)
def test_two_to_four_responses_give_a_value_without_an_interval(figure, name):
    estimate = well_formed(PANEL[figure](ratings(SMALL[name], "0:6"), resamples=60))
    if figure != "kendall_w" or name != "four responses, missing cells":
        assert estimate.status == "ok"
    assert estimate.low is None


@pytest.mark.parametrize("name", ["two responses", "four responses"])
@pytest.mark.parametrize("figure", PAIR)
def test_two_to_four_shared_responses_give_a_pair_a_value_without_an_interval(figure, name):
    estimate = well_formed(PAIR[figure](ratings(SMALL[name], "0:6"), resamples=60))
    assert (estimate.status, estimate.low) == ("ok", None)


@pytest.mark.parametrize("figure", FIGURES)
def test_names_are_counted_or_refused_by_name(figure):
    counted = {"exact", "krippendorff_alpha", "alpha nominal", "fleiss_kappa", "conger_kappa"}
    counted |= {"brennan_prediger", "gwet_ac1", "cohen_kappa"}
    table = fleiss_ratings().of_graders("g1", "g6")
    estimate = well_formed(FIGURES[figure](table, resamples=60))
    assert estimate.status == ("ok" if figure in counted else "not_applicable")


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize(
    "rows",
    [
        {"x": "3 3 3 3 3 3", "y": "1 2 3 4 5 6"},
        {"x": "3 3 3 3 3 3", "y": "1 1 1 1 1 1"},
        {"x": "1 2 3 4 5 6", "y": "0 1 2 3 4 5"},
        {"x": "1 2 3 4 5 6", "y": "1 2 3 4 5 6"},
        {"x": "1 1 1 1 1 1 1 1", "y": "1 1 1 1 1 1 1 2"},
    ],
    ids=["one constant", "constant and apart", "one point apart", "the same", "one odd score"],
)
def test_regular_patterns_are_well_formed(figure, rows):
    well_formed(FIGURES[figure](ratings(rows, "0:6"), resamples=60))


@pytest.mark.parametrize("figure", [name for name in FIGURES if name not in {"smd"}])
@pytest.mark.parametrize("copies", [1, 8])
def test_disagreement_everywhere_is_never_good(figure, copies):
    """Each grader gives the mirror image of the other's score."""
    mirrored = {"x": " ".join(["0 1 6 5 0 6"] * copies), "y": " ".join(["6 5 0 1 6 0"] * copies)}
    estimate = well_formed(FIGURES[figure](ratings(mirrored, "0:6"), resamples=60))
    assert estimate.value is None or estimate.value <= 0.0


panels = st.integers(2, 4).flatmap(
    lambda graders: st.lists(
        st.lists(st.integers(-1, 4), min_size=graders, max_size=graders), min_size=2, max_size=14
    )
)
complete_pairs = st.lists(st.tuples(st.integers(0, 4), st.integers(0, 4)), min_size=2, max_size=14)


def values(table, figures=PANEL):
    once = {name: figure for name, figure in figures.items() if not name.startswith("icc")}
    found = {name: well_formed(figure(table, resamples=0)).value for name, figure in once.items()}
    return found | {estimate.name: well_formed(estimate).value for estimate in agreement.iccs(table)}


def same(a, b, tolerance=1e-9):
    assert a.keys() == b.keys()
    for name in a:
        slack = 1e-3 if name.startswith("icc") else tolerance
        assert a[name] == (None if b[name] is None else pytest.approx(b[name], abs=slack)), name


@settings(max_examples=25, deadline=None)
@given(panels, st.randoms(use_true_random=False))
def test_permuting_responses_and_graders_changes_nothing(rows, shuffle):
    codes = np.array(rows)
    responses, graders = list(range(len(codes))), list(range(codes.shape[1]))
    shuffle.shuffle(responses)
    shuffle.shuffle(graders)
    same(
        values(Ratings.from_codes(codes, scale="0:4")),
        values(Ratings.from_codes(codes[responses][:, graders], scale="0:4")),
    )


@settings(max_examples=40, deadline=None)
@given(complete_pairs)
def test_swapping_two_graders_flips_only_the_sign_of_difference(rows):
    codes = np.array(rows)
    before = Ratings.from_codes(codes, scale="0:4")
    after = Ratings.from_codes(codes[:, ::-1], scale="0:4")
    a, b = values(before, FIGURES), values(after, FIGURES)
    for found in (a, b):
        found["severity"] = agreement.severities(before if found is a else after)[0].severity
    for name in ("smd", "severity"):
        b[name] = None if b[name] is None else -b[name]
    same(a, b)


@settings(max_examples=40, deadline=None)
@given(complete_pairs, st.integers(0, 3), st.integers(0, 3))
def test_unused_score_points_leave_kappa_and_alpha_unchanged(rows, below, above):
    codes = np.array(rows)
    kept = {name: FIGURES[name] for name in FIGURES if "kappa" in name or name.startswith("alpha")}
    narrow = Ratings.from_codes(codes, scale="3:7")
    wide = Ratings.from_codes(codes + below, scale=f"{3 - below}:{7 + above}")
    same(values(narrow, kept), values(wide, kept))


@settings(max_examples=30, deadline=None)
@given(complete_pairs)
def test_one_point_more_by_one_grader_shifts_severity_by_one_and_spares_consistency(rows):
    codes = np.array(rows)
    higher = codes.copy()
    higher[:, 0] += 1
    before, after = (Ratings.from_codes(c, scale="0:5") for c in (codes, higher))
    a, b = (agreement.severities(table)[0].severity for table in (before, after))
    assert b == pytest.approx(a - 1)
    consistency = ("icc_3_1", "icc_3_k")
    left = {name: PANEL[name](before).value for name in consistency}
    right = {name: PANEL[name](after).value for name in consistency}
    assume(None not in left.values() and None not in right.values())
    same(left, right)


def test_half_points_count_by_their_value():
    whole = values(ratings({"x": "0 2 4 6 1 3", "y": "1 2 4 5 1 4"}, "0:6"), FIGURES)
    half = values(ratings({"x": "0 1 2 3 .5 1.5", "y": ".5 1 2 2.5 .5 2"}, "0:3:0.5"), FIGURES)
    same(whole | {"exact_or_adjacent": 0}, half | {"exact_or_adjacent": 0})


@settings(max_examples=40, deadline=None)
@given(panels, st.sampled_from([0, 30]))
def test_any_table_gives_a_report_that_is_json_and_can_be_read(rows, resamples):
    found = agreement.report(Ratings.from_codes(np.array(rows), scale="0:4"), resamples=resamples)
    (facet,) = json.loads(json.dumps(found, allow_nan=False))["facets"]
    figures = facet["figures"] + [figure for pair in facet["pairs"] for figure in pair["figures"]]
    for figure in figures:
        assert (figure["value"] is None) == (figure["status"] != "ok")
        assert figure["low"] is None or figure["low"] - 1e-9 <= figure["value"] <= figure["high"] + 1e-9
    assert readable(found)
