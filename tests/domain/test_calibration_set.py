"""What a calibration set says of itself: purpose, gates, attempts and piles."""

from __future__ import annotations

import pytest
from sets_and_papers import only, said, sentences

from grader_app.domain.calibration_set import CalibrationSet, Gates


def test_gates_left_out_whole_or_in_part_are_the_ones_in_the_guide() -> None:
    whole = CalibrationSet.model_validate(said())
    assert whole.gates == Gates(
        rank_order_at_least=0.85,
        exact_or_adjacent_at_least=0.90,
        quadratic_weighted_kappa_at_least=0.70,
        severity_within=0.40,
    )
    assert (whole.attempts, whole.order) == (2, "shuffled")
    part = CalibrationSet.model_validate(said(gates={"severity_within": 0.25}))
    assert part.gates == Gates(severity_within=0.25)


@pytest.mark.parametrize("purpose", ["validity", "codes"])
def test_sets_that_nobody_must_pass_have_neither_gate_nor_attempts(purpose: str) -> None:
    free = CalibrationSet.model_validate(said(purpose=purpose))
    assert (free.gates, free.attempts, free.papers, free.judged_papers) == (None, None, None, None)
    found = dict(sentences(CalibrationSet, said(purpose=purpose, gates={}, attempts=3)))
    for key in ("gates", "attempts"):
        assert found[key,] == (
            f"`{key}` belong to a set that graders must pass; the purpose of this one is {purpose}. "
            f"Remove `{key}`, or write `purpose: qualify`."
        )


def test_what_is_stored_names_the_numbers_in_force() -> None:
    stored = CalibrationSet.model_validate(said()).model_dump(mode="json")
    assert stored["gates"]["rank_order_at_least"] == 0.85
    assert stored["attempts"] == 2
    assert CalibrationSet.model_validate(stored) == CalibrationSet.model_validate(said())


def test_a_gate_written_out_as_it_is_anyway_is_the_same_content() -> None:
    written = said(gates={"rank_order_at_least": 0.85}, attempts=2, order="shuffled")
    assert (
        CalibrationSet.model_validate(written).content_hash
        == CalibrationSet.model_validate(said()).content_hash
    )
    stricter = CalibrationSet.model_validate(said(gates={"rank_order_at_least": 0.86}))
    assert stricter.content_hash != CalibrationSet.model_validate(said()).content_hash


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("rank_order_at_least", 1.01),
        ("rank_order_at_least", -0.1),
        ("exact_or_adjacent_at_least", True),
        ("quadratic_weighted_kappa_at_least", "0.7"),
        ("severity_within", float("inf")),
        ("severity_within", -0.5),
        ("severity_within", float("nan")),
    ],
)
def test_a_gate_is_a_number_that_can_be_met(key: str, value: object) -> None:
    assert only(CalibrationSet, said(gates={key: value}))[0] == ("gates", key)


def test_a_set_of_the_panel_knows_how_many_papers_are_drawn() -> None:
    made = CalibrationSet.model_validate(said(reference="panel", origin="panel"))
    assert (made.papers, made.judged_papers) == (30, 15)
    smaller = CalibrationSet.model_validate(
        said(reference="panel", origin="panel", papers=12, judged_papers=5)
    )
    assert (smaller.papers, smaller.judged_papers) == (12, 5)
    assert only(CalibrationSet, said(reference="panel", origin="panel", papers=4))[0] == ("papers",)


def test_only_a_set_of_the_panel_is_drawn() -> None:
    found = dict(sentences(CalibrationSet, said(papers=30, judged_papers=15)))
    assert found["papers",] == (
        "`papers` is only for `reference: panel`; here the reference is given. "
        "Remove `papers`, or write `reference: panel`."
    )
    assert ("judged_papers",) in found


def test_a_set_of_the_panel_is_real_gated_and_promises_nothing() -> None:
    found = dict(sentences(CalibrationSet, said(reference="panel", purpose="codes", makeup={"anchors": 1})))
    assert found["purpose",] == (
        "`reference: panel` goes with `purpose: qualify`; here the purpose is codes. Change one of the two."
    )
    assert found["origin",] == (
        "With `reference: panel` the papers are live answers, but `origin` is constructed. "
        "Write `origin: panel`, or `reference: given`."
    )
    assert found["makeup",].startswith(
        "`makeup` describes papers that lie in the set; with `reference: panel`"
    )


def test_each_pile_has_a_label_or_none() -> None:
    labels = ["Strong", "Middling", "Weak"]
    assert CalibrationSet.model_validate(said(piles=3, pile_labels=labels)).pile_labels == tuple(labels)
    assert CalibrationSet.model_validate(said(pile_labels=labels)).piles is None
    assert only(CalibrationSet, said(piles=4, pile_labels=labels)) == (
        ("pile_labels",),
        "There are 4 piles and 3 labels. Give each pile a label, or leave the labels out.",
    )
    assert only(CalibrationSet, said(piles=11))[0] == ("piles",)
