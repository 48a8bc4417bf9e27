"""Rules of scaling set with a reason: later scaling, exports and `verify` follow them."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from graded_rounds import NOW, GradedRound, build_round, grade_all
from rows_behind_triggers import remove_answer
from tampering import change, repair_fingerprints

from grader_app.domain.events import EventKind
from grader_app.domain.scaling_rules import SetRules
from grader_app.errors import GradeProblem, NotAllowed, NotReconciled, ScalingProblem, VerificationFailed
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.scaling.of_round import scaled_of_record
from grader_app.scaling.what_if import Question
from grader_app.workflow.registration import register_files
from grader_app.workflow.scaling_rules import ask, rules_set, set_own_rules, set_rules

WHY = "The board corrected the weight of the second essay."
HEAVIER = Question(SetRules(weights={"mee-crane": 4}, cut=270))


@pytest.fixture
def made(tmp_path: Path) -> Iterator[GradedRound]:
    found = build_round(tmp_path / "workspace", answers=12)
    grade_all(found)
    yield found
    found.bench.store.close()


def totals(made: GradedRound) -> dict[str, float | None]:
    with made.bench.record() as record:
        return {row.candidate_id: row.total for row in scaled_of_record(record).candidates}


def export(made: GradedRound, tmp_path: Path) -> Path:
    return write_export(made.bench.store, tmp_path / "exports", NOW)


def test_what_was_asked_is_what_stands_after_it_was_set(made: GradedRound) -> None:
    before, found = totals(made), ask(made.bench, HEAVIER)
    assert totals(made) == before
    set_rules(made.bench, made.actor, HEAVIER, WHY)
    after = totals(made)
    assert after != before
    assert {m.candidate_id: m.after for m in found.moves if m.of == "total"} == {
        who: total for who, total in after.items() if total is not None
    }
    (one,) = rules_set(made.bench)
    assert (one.actor, one.reason, one.rules) == (made.actor, WHY, HEAVIER.rules)
    with made.bench.record() as record:
        assert record.round is not None
        assert record.round.cut is not None
        assert (record.round.weights["mee-crane"], record.round.cut.total) == (4, 270)


def test_exports_follow_the_rules_and_verify(made: GradedRound, tmp_path: Path) -> None:
    set_rules(made.bench, made.actor, HEAVIER, WHY)
    path = export(made, tmp_path)
    verify_export(path)
    with (path / "scaled.csv").open(encoding="utf-8", newline="") as stream:
        said = {row["candidate_id"]: row["total"] for row in csv.DictReader(stream)}
    assert {who: float(total) for who, total in said.items() if total} == {
        who: total for who, total in totals(made).items() if total is not None
    }
    page = (path / "report.html").read_text("utf-8")
    for words in ("decided_by", made.actor, WHY, "weight of mee-crane 4; passing total 270"):
        assert words in page
    set_at = rules_set(made.bench)[0].at[:10]
    notes = json.loads((path / "manifest.json").read_text("utf-8"))["notes"]
    assert f"Scaled by rules that were set on {set_at} in place of the round's own." in notes


def test_a_reason_cannot_turn_the_direction_of_a_report(made: GradedRound, tmp_path: Path) -> None:
    set_rules(made.bench, made.actor, HEAVIER, f"The board {chr(0x202E)}chose this.")
    path = export(made, tmp_path)
    verify_export(path)
    page = (path / "report.html").read_text("utf-8")
    assert (chr(0x202E) in page, "The board [U+202E]chose this." in page) == (False, True)


def test_a_scaled_score_of_the_old_rules_is_found(made: GradedRound, tmp_path: Path) -> None:
    old = export(made, tmp_path)
    set_rules(made.bench, made.actor, HEAVIER, WHY)
    new = export(made, tmp_path)
    change(new, "scaled.csv", lambda _: (old / "scaled.csv").read_bytes())
    repair_fingerprints(new)
    with pytest.raises(VerificationFailed, match=r"scaled\.csv"):
        verify_export(new)
    verify_export(old)


def test_a_later_decision_stands_on_the_earlier_one_and_the_rounds_own_rules_can_return(
    made: GradedRound,
) -> None:
    before = totals(made)
    set_rules(made.bench, made.actor, HEAVIER, WHY)
    set_rules(made.bench, made.actor, Question(SetRules(method="equipercentile")), "The board chose this.")
    assert rules_set(made.bench)[-1].rules == SetRules(
        weights={"mee-crane": 4}, cut=270, method="equipercentile"
    )
    set_own_rules(made.bench, made.actor, "The board went back to its rules.")
    assert totals(made) == before
    with pytest.raises(NotAllowed, match="say the same already"):
        set_own_rules(made.bench, made.actor, "The board went back again.")


def test_rules_that_were_set_stand_through_a_new_version_of_the_round(made: GradedRound) -> None:
    set_rules(made.bench, made.actor, HEAVIER, WHY)
    before = totals(made)
    file = made.path / "round.yaml"
    text = file.read_text("utf-8").replace('version: "1"', 'version: "2"').replace("weight: 2", "weight: 3")
    file.write_text(text, encoding="utf-8")
    register_files(made.bench, made.actor)
    with made.bench.record() as record:
        assert record.round is not None
        assert (record.round.version, record.round.weights["mee-crane"]) == ("2", 4)
    assert totals(made) == before
    set_own_rules(made.bench, made.actor, "The new file says what the board wants.")
    with made.bench.record() as record:
        assert record.round is not None
        assert (record.round.weights["mee-crane"], record.round.cut) == (3, None)


def test_a_scheme_set_later_takes_weights_and_method_away_and_keeps_the_line() -> None:
    first = SetRules(weights={"mee-crane": 4}, method="equipercentile", cut=270, reads_rule="higher")
    assert first.followed_by(SetRules(preset="ube")) == SetRules(preset="ube", cut=270, reads_rule="higher")


def test_another_rule_for_reads_moves_the_final_scores_themselves(made: GradedRound) -> None:
    with made.bench.record() as record:
        before = {r: record.standing(r).final for r in record.response_ids("mee-crane")}
    set_rules(made.bench, made.actor, Question(SetRules(reads_rule="higher")), WHY)
    with made.bench.record() as record:
        for response_id, final in before.items():
            now = record.standing(response_id).final
            assert now is None or (final is not None and now - final in (0, 0.5))
        assert before != {r: record.standing(r).final for r in record.response_ids("mee-crane")}


@pytest.mark.parametrize(
    ("question", "reason", "error", "says"),
    [
        (HEAVIER, "", GradeProblem, "needs a reason"),
        (HEAVIER, "As Wilhelmina asked.", GradeProblem, "names Wilhelmina"),
        (Question(without="anybody"), WHY, NotAllowed, "deal the grader's answers to others"),
        (Question(), WHY, NotAllowed, "say the same already"),
        (Question(SetRules(weights={"mee-crane": 2})), WHY, NotAllowed, "say the same already"),
        (Question(SetRules(weights={"mee-moat": 2})), WHY, ScalingProblem, "mee-moat has no weight"),
    ],
)
def test_what_cannot_be_set_is_refused_with_a_sentence(
    made: GradedRound, question: Question, reason: str, error: type[Exception], says: str
) -> None:
    with pytest.raises(error, match=says):
        set_rules(made.bench, made.actor, question, reason)
    assert rules_set(made.bench) == []


def test_after_reveal_the_rules_can_no_longer_change(made: GradedRound) -> None:
    from grader_app.store.event_log import append

    with made.bench.store.write() as connection:
        append(
            connection,
            at=made.bench.now(),
            actor=made.actor,
            kind=EventKind.SOURCES_REVEALED,
            subject="export",
            body={"response_ids": [made.ids["mee-barge", 5]]},
        )
    for act in (
        lambda: set_rules(made.bench, made.actor, HEAVIER, WHY),
        lambda: set_own_rules(made.bench, made.actor, WHY),
    ):
        with pytest.raises(NotAllowed, match="knowing who gains"):
            act()
    assert ask(made.bench, HEAVIER).moved


def test_while_a_paper_is_missing_no_rules_are_set(made: GradedRound) -> None:
    remove_answer(made.bench.store.path, made.ids["mee-barge", 6])
    with pytest.raises(NotReconciled, match="1 missing"):
        set_rules(made.bench, made.actor, HEAVIER, WHY)
