from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from rubrics_and_grades import CODES, criterion, rubric

from grader_app.domain.calibration_set import CalibrationSet, Gates, Packet
from grader_app.domain.item import Item
from grader_app.domain.packet_in_context import PacketInContext
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.reference_paper import ReferencePaper
from grader_app.domain.rubric import Rubric
from grader_app.domain.score_range import ScoreRange
from grader_app.domain.tally import departs, point_worth, tally


def said(**changes: Any) -> dict[str, Any]:
    whole = {
        "format": "calibration_set/1",
        "id": "mee-barge-a",
        "version": "1",
        "title": "First set",
        "item": "mee-barge",
        "point_sheet_version": "1",
        "purpose": "qualify",
        "reference": "given",
        "origin": "constructed",
    }
    return {**whole, **changes}


def paper(
    essay: str, score: float | None = 3, text: str = "Three little words.", **changes: Any
) -> dict[str, Any]:
    return {"essay": essay, "text": text, "score": score, **changes}


def papers(*scores: float) -> list[dict[str, Any]]:
    return [paper(f"E{at}", score) for at, score in enumerate(scores, start=1)]


def packet(*held: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {"set": said(**changes), "papers": list(held) or papers(1, 2, 3, 4, 5)}


# 40 % in two points, 60 % in one.
def sheet(version: str = "1", issues: bool = True) -> PointSheet:
    points = {"bailment": ["bailment.rule", "bailment.use"], "care": ["care.rule"]}
    made = [
        {
            "id": issue,
            "title": issue,
            "weight_percent": weight,
            "points": [{"id": point, "part": "rule", "text": "A rule."} for point in points[issue]],
        }
        for issue, weight in (("bailment", 40), ("care", 60))
    ]
    return PointSheet.model_validate(
        {
            "format": "point_sheet/1",
            "id": "mee-barge",
            "version": version,
            "item": "mee-barge",
            "kind": "mee" if issues else "essay",
            "rubric": "small",
            "rubric_version": "1",
            "title": "Barge",
            "issues": made if issues else [],
        }
    )


def sentences(model: type[Any], data: dict[str, Any]) -> list[tuple[tuple[Any, ...], str]]:
    with pytest.raises(ValidationError) as caught:
        model.model_validate(data)
    return [(detail["loc"], detail["msg"]) for detail in caught.value.errors()]


def only(model: type[Any], data: dict[str, Any]) -> tuple[tuple[Any, ...], str]:
    [found] = sentences(model, data)
    return found


def in_context(*held: dict[str, Any], of: Rubric | None = None, **changes: Any) -> dict[str, Any]:
    return {**packet(*held, **changes), "sheet": sheet(), "rubric": of or rubric()}


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


def test_a_packet_comes_back_from_json_with_the_same_hash() -> None:
    first = Packet.model_validate(
        packet(*papers(1, 2, 3, 4), paper("E5", 5, marks={"style": 1}, points=["care.rule"]))
    )
    again = Packet.model_validate_json(first.model_dump_json())
    assert (again, again.content_hash) == (first, first.content_hash)
    other = Packet.model_validate(packet(*papers(1, 2, 3, 4), paper("E5", 5, points=["care.rule"])))
    assert other.content_hash != first.content_hash


def test_anchors_and_coded_papers_are_not_ranked() -> None:
    held = [*papers(1, 2), paper("A1", 4, anchor=True), paper("C1", None, "", condition_code="blank")]
    made = Packet.model_validate(packet(*held, purpose="codes"))
    assert [one.essay for one in made.ranked] == ["E1", "E2"]
    assert [one.essay for one in made.anchors] == ["A1"]
    assert (made.id, made.version, made.item) == ("mee-barge-a", "1", "mee-barge")
    assert made.find_paper("E2").score == 2
    with pytest.raises(KeyError):
        made.find_paper("E9")


def test_words_are_counted_between_spaces() -> None:
    assert (
        ReferencePaper.model_validate(paper("E1", text=" Owner's key,\n\nhanded over — at night. ")).words
        == 7
    )


def test_a_set_for_an_earlier_version_is_stale() -> None:
    made = Packet.model_validate(packet(point_sheet_version="9"))
    stale = {v: made.is_stale(Item(sheet=sheet(v), prompt="Discuss.")) for v in ("8", "9", "10")}
    assert stale == {"8": False, "9": False, "10": True}


@pytest.mark.parametrize(
    ("held", "key", "says"),
    [
        (
            paper("E1", None),
            "score",
            "E1 has no score. Write its score; in a set for condition codes, a score or a code.",
        ),
        (
            paper("E1", 2, condition_code="blank"),
            "condition_code",
            "E1 has the score 2 and the condition code `blank`. Keep one of the two.",
        ),
        (
            paper("E1", None, anchor=True),
            "score",
            "E1 is an anchor and has no score. Write the score it is shown with, or `no` under `anchor`.",
        ),
        (
            paper("E1", text=" \n"),
            "text",
            "The essay is empty. Write its text, or remove file and row.",
        ),
        (
            paper("E1", matched_pair="p1"),
            "matched_pair",
            "E1 belongs to the pair `p1` and has no `style`. "
            "Write `fuller` for one of the pair, `plainer` for the other.",
        ),
        (
            paper("E1", style="fuller"),
            "style",
            "E1 is fuller, but belongs to no pair. "
            "Name its pair under `matched_pair`, or leave `style` empty.",
        ),
    ],
)
def test_a_paper_whose_values_do_not_fit_each_other(held: dict[str, Any], key: str, says: str) -> None:
    assert only(ReferencePaper, held) == ((key,), says)


def test_a_point_is_made_once() -> None:
    assert only(ReferencePaper, paper("E1", points=["care.rule", "care.rule"])) == (
        ("points", 1),
        "The point `care.rule` repeats `care.rule`. Give each its own.",
    )


def test_a_gate_needs_five_papers_that_are_no_anchors() -> None:
    held = [*papers(1, 2, 3, 4), paper("A1", 5, anchor=True)]
    assert only(Packet, packet(*held)) == (
        ("papers",),
        "Papers to rank, anchors not counted: 4. A gate needs at least 5. Add papers, or change `purpose`.",
    )
    assert len(Packet.model_validate(packet(*held, purpose="validity")).ranked) == 4


def test_a_gate_needs_papers_of_different_standing() -> None:
    assert only(Packet, packet(*papers(3, 3, 3, 3, 3))) == (
        ("papers",),
        "All papers to rank have the score 3, so there is no order to find. "
        "Add papers of other scores, or change `purpose`.",
    )
    assert Packet.model_validate(packet(*papers(3, 3, 3, 3, 3), purpose="validity"))


def test_given_references_have_papers_and_those_of_the_panel_none() -> None:
    assert only(Packet, {"set": said(), "papers": []})[1].startswith("The set has no papers.")
    assert Packet.model_validate({"set": said(reference="panel", origin="panel")}).ranked == ()
    found = only(Packet, packet(reference="panel", origin="panel"))
    assert found[0] == ("set", "reference")
    assert "the papers come from live answers, but the set has its own" in found[1]


def test_names_differ_in_more_than_capitals() -> None:
    held = [*papers(1, 2, 3, 4, 5), paper("e1")]
    assert only(Packet, packet(*held)) == (
        ("papers", 5, "essay"),
        "The essay `e1` repeats `E1`. Give each its own.",
    )


def test_condition_codes_are_for_exercises() -> None:
    held = [*papers(1, 2, 3, 4, 5), paper("C1", None, condition_code="blank")]
    assert only(Packet, packet(*held)) == (
        ("papers", 5, "condition_code"),
        "C1 has a condition code, but the set's purpose is qualify. "
        "Give it a score, or write `purpose: codes`.",
    )


def test_every_paper_has_a_place_or_none() -> None:
    held = papers(5, 4, 3, 2, 1)
    held[0]["reference_rank"] = 1
    found = sentences(Packet, packet(*held))
    assert [loc for loc, _ in found] == [("papers", at, "reference_rank") for at in (1, 2, 3, 4)]
    assert (
        found[0][1]
        == "E2 has no `reference_rank`, but other papers have one. Fill the column, or leave it empty."
    )


def test_a_better_place_never_goes_with_a_lower_score() -> None:
    held = papers(5, 4, 3, 2, 1)
    for one, rank in zip(held, (1, 2, 2, 4, 3), strict=True):
        one["reference_rank"] = rank
    assert only(Packet, packet(*held)) == (
        ("papers", 3, "reference_rank"),
        "E4 scores 2 and stands behind E5, which scores 1. Correct a rank or a score; rank 1 is the best.",
    )
    held[3]["reference_rank"], held[4]["reference_rank"] = 4, 4.5
    assert Packet.model_validate(packet(*held))
    held[3]["score"] = 1  # the same score at two places is an order of its own
    assert Packet.model_validate(packet(*held))
    held[0]["reference_rank"] = 0
    assert only(Packet, packet(*held))[0] == ("papers", 0, "reference_rank")


def pair(**changes: Any) -> list[dict[str, Any]]:
    one = paper("E6", 4, matched_pair="p1", style="fuller", points=["care.rule"])
    other = paper("E7", 4, matched_pair="p1", style="plainer", points=["care.rule"])
    return [*papers(1, 2, 3, 4, 5), one, {**other, **changes}]


def test_pairs_are_named_fuller_first() -> None:
    assert Packet.model_validate(packet(*pair())).matched_pairs == (("E6", "E7"),)
    assert Packet.model_validate(packet(*reversed(pair()))).matched_pairs == (("E6", "E7"),)


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"style": "fuller"}, "E6 and E7, the pair `p1`, are both fuller. Write `fuller` for one"),
        ({"score": 3}, "E6 and E7, the pair `p1`, have different scores. Give both the same score"),
        (
            {"points": ["care.rule", "bailment.use"]},
            "E6 and E7, the pair `p1`, make different points: only one of them makes bailment.use. Correct",
        ),
        (
            {"anchor": True},
            "E6 and E7, the pair `p1`, include an anchor, which nobody scores. Take the label off",
        ),
    ],
)
def test_a_pair_differs_in_style_and_in_nothing_else(changes: dict[str, Any], says: str) -> None:
    loc, found = only(Packet, packet(*pair(**changes)))
    assert loc == ("papers", 6, "matched_pair")
    assert found.startswith(says)


def test_a_label_stands_on_exactly_two_papers() -> None:
    third = paper("E8", 4, matched_pair="p1", style="fuller", points=["care.rule"])
    alone = paper("E9", 4, matched_pair="p2", style="fuller")
    found = sentences(Packet, packet(*pair(), third, alone))
    assert found == [
        (
            ("papers", 7, "matched_pair"),
            "The label `p1` is carried by E6, E7 and E8; a pair is two papers. Correct the label.",
        ),
        (
            ("papers", 8, "matched_pair"),
            "The label `p2` is carried by E9 alone; a pair is two papers. Correct the label.",
        ),
    ]


MAKEUP = {
    "words_from": 3,
    "words_to": 3,
    "scores": [{"score": at, "papers": 1} for at in range(1, 6)],
    "matched_pairs": 0,
    "anchors": 0,
}


def promised(*held: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return packet(*held, makeup={**MAKEUP, **changes})


def test_promises_that_are_kept_are_no_problem() -> None:
    assert Packet.model_validate(promised())
    held = [*papers(1, 2, 3, 4), paper("E5", 5, feature="long-and-empty")]
    features = [{"feature": "long-and-empty", "papers": 1, "score_from": 5, "score_to": 5}]
    assert Packet.model_validate(promised(*held, features=features))


IN_MAKEUP = ("set", "makeup")


@pytest.mark.parametrize(
    ("held", "changes", "loc", "says"),
    [
        (
            [],
            {"words_from": 4, "words_to": 9},
            ("papers", 0, "text"),
            "The essay has 3 words; the set promises at least 4 and at most 9. Change",
        ),
        (
            [],
            {"words_to": 2, "words_from": None},
            ("papers", 0, "text"),
            "The essay has 3 words; the set promises at most 2.",
        ),
        (
            papers(1, 2, 3, 4, 4),
            {},
            (*IN_MAKEUP, "scores", 3, "papers"),
            "2 papers have the score 4; the set promises 1.",
        ),
        (
            papers(1, 2, 3, 4, 4),
            {},
            (*IN_MAKEUP, "scores", 4, "papers"),
            "No paper has the score 5; the set promises 1.",
        ),
        (papers(1, 2, 3, 4, 6), {}, (*IN_MAKEUP, "scores"), "One paper has the score 6, which is not among"),
        (
            [],
            {"features": [{"feature": "dull", "papers": 1}]},
            (*IN_MAKEUP, "features", 0, "papers"),
            "No paper has the feature `dull`; the set promises 1.",
        ),
        (
            [*papers(1, 2, 3, 4), paper("E5", 5, feature="dull")],
            {"features": [{"feature": "dull", "papers": 1, "score_to": 4}]},
            (*IN_MAKEUP, "features", 0, "score_to"),
            "E5, with the feature `dull`, scores 5; promised is at most 4.",
        ),
        (
            [*papers(1, 2, 3, 4), paper("E5", 5, feature="dull")],
            {"features": [{"feature": "dull", "papers": 1, "score_from": 6}]},
            (*IN_MAKEUP, "features", 0, "score_from"),
            "E5, with the feature `dull`, scores 5; promised is at least 6.",
        ),
        (
            [],
            {"matched_pairs": 1},
            (*IN_MAKEUP, "matched_pairs"),
            "The set promises 1 matched pair and has 0.",
        ),
        ([], {"anchors": 2}, (*IN_MAKEUP, "anchors"), "The set promises 2 anchors and has 0."),
        (
            [*papers(1, 2, 3, 4, 5), paper("A1", 2, anchor=True), paper("A2", 2, anchor=True)],
            {"anchors": 2},
            (*IN_MAKEUP, "anchors"),
            "The anchors A1 and A2 both have the score 2. Keep one anchor at each score.",
        ),
    ],
)
def test_promises_that_are_not_kept(
    held: list[dict[str, Any]], changes: dict[str, Any], loc: tuple[Any, ...], says: str
) -> None:
    found = sentences(Packet, promised(*held, **changes))
    assert any(at == loc and sentence.startswith(says) for at, sentence in found), found


# Lengths 1 to 5 with scores 1, 2, 3, 5, 4: r = 9 / sqrt(10 * 10) = 0.9.
@pytest.mark.parametrize(("limit", "kept"), [(0.9, True), (0.89, False), (-1, False)])
def test_length_may_not_decide_the_score(limit: float, kept: bool) -> None:
    held = [paper(f"E{n}", s, "word " * n) for n, s in zip(range(1, 6), (1, 2, 3, 5, 4), strict=True)]
    held.append(paper("A1", 1, "word " * 90, anchor=True))
    data = packet(*held, makeup={"length_correlation_at_most": limit})
    if kept:
        assert Packet.model_validate(data)
        return
    assert only(Packet, data) == (
        ("set", "makeup", "length_correlation_at_most"),
        f"Length and score correlate at 0.90; the set promises at most {limit:g}. "
        "Change the papers, or the promise.",
    )


def test_a_shorter_paper_may_be_better_whatever_was_promised() -> None:
    held = [paper(f"E{n}", 6 - n, "word " * n) for n in range(1, 6)]
    assert Packet.model_validate(packet(*held, makeup={"length_correlation_at_most": 0.1}))


def test_a_correlation_that_cannot_be_computed_is_said() -> None:
    loc, says = only(Packet, packet(makeup={"length_correlation_at_most": 0.5}))
    assert loc == ("set", "makeup", "length_correlation_at_most")
    assert says.startswith(
        "The correlation of length with score cannot be computed: lengths or scores do not vary."
    )


@pytest.mark.parametrize(
    ("makeup", "loc", "says"),
    [
        ({"words_from": 9, "words_to": 8}, ("words_to",), "The words run from 9 to 8."),
        ({"scores": [{"score": 1, "papers": 1}] * 2}, ("scores", 1, "score"), "The score `1` repeats `1`."),
        (
            {"features": [{"feature": "dull", "papers": 1}] * 2},
            ("features", 1, "feature"),
            "The feature `dull`",
        ),
        (
            {"features": [{"feature": "dull", "papers": 1, "score_from": 3, "score_to": 2}]},
            ("features", 0, "score_to"),
            "The scores run from 3 to 2.",
        ),
        ({"scores": [{"score": 1, "papers": 0}]}, ("scores", 0, "papers"), ""),
        ({"length_correlation_at_most": 1.1}, ("length_correlation_at_most",), ""),
    ],
)
def test_a_promise_makes_sense_by_itself(makeup: dict[str, Any], loc: tuple[Any, ...], says: str) -> None:
    at, found = only(CalibrationSet, said(makeup=makeup))
    assert at == ("makeup", *loc)
    assert found.startswith(says)


# 0 to 6: bailment.rule and bailment.use 20 % or 1.2 each, care.rule 60 % or 3.6.
def test_a_tally_spreads_an_issues_weight_over_its_points() -> None:
    assert point_worth(sheet()) == {"bailment.rule": 20, "bailment.use": 20, "care.rule": 60}
    scale = ScoreRange(0, 6, 1)
    assert tally([], sheet(), scale) == 0
    assert tally(["bailment.rule"], sheet(), scale) == pytest.approx(1.2)
    assert tally(["care.rule", "bailment.use", "care.rule"], sheet(), scale) == pytest.approx(4.8)
    assert tally(["bailment.rule", "bailment.use", "care.rule"], sheet(), scale) == pytest.approx(6)
    assert tally(["care.rule"], sheet(), ScoreRange(1, 5, 0.5)) == pytest.approx(3.4)


def test_what_cannot_be_tallied_is_refused_and_is_no_zero() -> None:
    with pytest.raises(KeyError):
        tally(["care.none"], sheet(), ScoreRange(0, 6, 1))
    with pytest.raises(ValueError, match="no points to tally"):
        tally([], sheet(issues=False), ScoreRange(0, 6, 1))


@pytest.mark.parametrize(
    ("score", "tallied", "step", "expected"),
    [
        (5, 4, 1, True),
        (3, 4, 1, True),
        (5, 4.01, 1, False),
        (4.5, 4, 0.5, False),
        (6, 4.5, 2, False),
        (6, 4, 2, True),
    ],
)
def test_a_score_departs_from_one_point_or_one_step_on(
    score: float, tallied: float, step: float, expected: bool
) -> None:
    assert departs(score, tallied, ScoreRange(0, 6, step)) is expected


CARE = ["care.rule"]  # 3.6 points


def around(*held: dict[str, Any]) -> list[dict[str, Any]]:
    """Papers that fit their points, and the ones in question."""
    fitting = [
        ("F1", 6, ["bailment.rule", "bailment.use", *CARE]),
        ("F2", 4, CARE),
        ("F3", 5, [*CARE, "bailment.use"]),
    ]
    return [*(paper(essay, score, points=points) for essay, score, points in fitting), *held]


def test_references_that_fit_their_item_hold() -> None:
    held = around(paper("E1", 1, points=["bailment.rule"]), paper("E2", 0, points=[]))
    assert PacketInContext.model_validate(in_context(*held)).departing == ()


def test_a_reason_is_for_scores_that_depart_and_one_asks_for_all() -> None:
    reason = {"departs_because": "The rule is named and never used."}
    held = around(
        paper("E1", 1, points=CARE, **reason),
        paper("E2", 1, points=CARE),
        paper("E3", 4, points=CARE, **reason),
    )
    assert sentences(PacketInContext, in_context(*held)) == [
        (
            ("papers", 4, "departs_because"),
            "E2 scores 1; its points come to 3.6. Say why under `departs_because`.",
        ),
        (
            ("papers", 5, "departs_because"),
            "E3 scores 4; its points come to 3.6. "
            "Empty `departs_because`: a score departs from one point on.",
        ),
    ]


def test_without_reasons_or_without_points_nothing_is_asked() -> None:
    assert PacketInContext.model_validate(in_context(*around(paper("E1", 1, points=CARE), paper("E2", 2))))
    assert PacketInContext.model_validate(in_context())
    assert PacketInContext.model_validate({**in_context(), "sheet": sheet(issues=False)})


def test_promised_departures_are_those_of_ranked_papers_with_a_reason() -> None:
    reason = {"departs_because": "Named and never used."}
    held = around(
        paper("E1", 1, points=CARE, **reason),
        paper("E2", 2, points=CARE, **reason),
        paper("A1", 1, points=CARE, anchor=True, **reason),
    )
    assert PacketInContext.model_validate(in_context(*held, makeup={"departures_at_least": 2}))
    assert only(PacketInContext, in_context(*held, makeup={"departures_at_least": 3})) == (
        ("set", "makeup", "departures_at_least"),
        "The set promises at least 3 scores that depart from the tally with a reason; it has 2. "
        "Change the papers, or the promise.",
    )


@pytest.mark.parametrize(
    ("held", "loc", "says"),
    [
        (paper("E6", 6.5), ("score",), "The score 6.5 is not on the scale 0 to 6 in steps of 1. Correct it."),
        (paper("E6", -1), ("score",), "The score -1 is not on the scale"),
        (
            paper("E6", points=["care.rul"]),
            ("points", 0),
            "The point sheet has no point `care.rul`. Did you mean `care.rule`?",
        ),
        (
            paper("E6", points=["x"]),
            ("points", 0),
            "The point sheet has no point `x`. Name points of the item's sheet.",
        ),
        (
            paper("E6", marks={"style": 2}),
            ("marks", "style"),
            "The mark `style` 2 is not on the scale 0 to 1 in steps of 1. Correct it.",
        ),
    ],
)
def test_references_are_held_to_the_scale_and_the_sheet(
    held: dict[str, Any], loc: tuple[Any, ...], says: str
) -> None:
    at, found = only(
        PacketInContext, in_context(*papers(1, 2, 3, 4, 5), held, of=rubric(criteria=[criterion("style")]))
    )
    assert at == ("papers", 5, *loc)
    assert found.startswith(says)


def test_an_unknown_condition_code_is_named_with_those_there_are() -> None:
    held = [paper("E1"), paper("C1", None, condition_code="blnk")]
    listed = ", ".join(code["id"] for code in CODES)
    assert only(PacketInContext, in_context(*held, purpose="codes")) == (
        ("papers", 1, "condition_code"),
        f"The rubric `small` has no condition code `blnk`. Its codes are {listed}.",
    )


def test_marks_that_make_the_score_agree_with_it() -> None:
    two = rubric("sum", [criterion("correct"), criterion("analysis")], highest=2)
    held = [
        paper(f"E{at}", s, marks={"correct": 1, "analysis": s - 1}) for at, s in enumerate((1, 2, 1, 2, 1))
    ]
    assert PacketInContext.model_validate(in_context(*held, of=two))
    held[1]["score"] = 1
    assert only(PacketInContext, in_context(*held, of=two)) == (
        ("papers", 1, "score"),
        "The marks of E1 make 2 by the rubric, but its score is 1. Correct the score or a mark.",
    )
    del held[1]["marks"]["analysis"]  # half marked: nothing to compare
    assert PacketInContext.model_validate(in_context(*held, of=two))


def test_without_sheet_and_rubric_only_the_packet_itself_is_judged() -> None:
    held = [*papers(1, 2, 3, 4, 5), paper("E6", 99, points=["no.such"])]
    assert PacketInContext.model_validate(packet(*held)).sheet is None
