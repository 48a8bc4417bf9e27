"""What a grader could tell planted papers by: counts, lists, what is left in a queue, line ends, repeats."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest
from checked_workspace import ITEM, make_checked, of_kind
from small_workspace import SmallWorkspace, write_item, write_packet

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Account, Assignment, ReadKind
from grader_app.store.assignments import FEWEST_BETWEEN, count_waiting, next_assignment_or_none
from grader_app.store.texts import salted_hash
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.grade_submission import correct_grade, refer_to_lead
from grader_app.workflow.live_grading import next_sheet_or_none, sheet_of
from grader_app.workflow.planting import text_of
from grader_app.workflow.redealing import deal_left_behind
from grader_app.workflow.referrals import return_to_grader
from grader_app.workflow.registration import register_files
from grader_app.workflow.rulings import graded_before, recall_grades, to_grade_again

REPEATS = "self_repeat_every: 4"


@pytest.fixture
def build(tmp_path) -> Callable[..., SmallWorkspace]:
    made: list[SmallWorkspace] = []

    def make(**options) -> SmallWorkspace:
        made.append(make_checked(tmp_path / f"w{len(made)}", **options))
        return made[-1]

    yield make
    for small in made:
        small.bench.store.close()


def next_of(small: SmallWorkspace, grader: Account) -> Assignment | None:
    return next_assignment_or_none(small.bench.store, grader.account_id, ITEM)


def replace_in(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def change_sheet(small: SmallWorkspace) -> None:
    """Write a second version of the item whose point sheet says something else."""
    write_item(small.path, ITEM, version=2)
    replace_in(small.path / "rubrics" / ITEM / "point_sheet.yaml", "needs control", "needs care")


def test_the_count_of_what_is_left_falls_by_one_with_every_paper(build) -> None:
    small = build(checks=f"validity_paper_every: 4\n{REPEATS}", answers=70)
    (grader,) = small.graders
    assert of_kind(small, grader, ReadKind.REPEAT)
    left = [count_waiting(small.bench.store, grader.account_id, ITEM)]
    while (dealt := next_of(small, grader)) is not None:
        small.submit(dealt)
        left.append(count_waiting(small.bench.store, grader.account_id, ITEM))
    assert left == list(range(left[0], -1, -1))


def test_a_repeat_comes_only_after_forty_further_papers_however_late_its_answer_was_graded(build) -> None:
    small = build(checks=REPEATS, answers=100)
    (grader,) = small.graders
    repeats = of_kind(small, grader, ReadKind.REPEAT)
    late = next(d for d in of_kind(small, grader, ReadKind.LIVE) if d.response_id == repeats[0].response_id)
    done: list[Assignment] = []
    while (dealt := next_of(small, grader)) is not None:
        if dealt == late and not done.count(late) and len(done) < 30:
            refer_to_lead(
                small.bench, grader.account_id, late.assignment_id, "other", token=secrets.token_hex(4)
            )
            continue
        small.submit(dealt)
        done.append(dealt)
        if len(done) == 50:
            return_to_grader(small.bench, small.actor, late.assignment_id)
    graded_at = {(d.response_id, d.kind): at for at, d in enumerate(done)}
    gaps = [
        at - graded_at[response_id, ReadKind.LIVE]
        for (response_id, kind), at in graded_at.items()
        if kind is ReadKind.REPEAT
    ]
    assert len(gaps) >= 5
    assert min(gaps) > FEWEST_BETWEEN
    assert count_waiting(small.bench.store, grader.account_id, ITEM) == 0


def test_grading_again_lists_checks_like_answers_when_all_earlier_grades_are_recalled(build) -> None:
    small = build()
    (grader,) = small.graders
    for _ in range(20):
        dealt = next_of(small, grader)
        assert dealt is not None
        small.submit(dealt)
    with small.bench.record() as record:
        graded = {a for a, given in record.history.items() if given}
        kinds = Counter(record.assignments[a].kind for a in graded)
    assert kinds[ReadKind.VALIDITY] >= 2
    sheet = small.path / "rubrics" / ITEM / "point_sheet.yaml"
    write_item(small.path, ITEM, version=2)
    sheet.write_text(
        sheet.read_text(encoding="utf-8").replace("needs control", "needs care"), encoding="utf-8"
    )
    register_files(small.bench, small.actor)
    all_live = [one.assignment_id for one in graded_before(small.bench, ITEM)]
    assert recall_grades(small.bench, small.actor, ITEM, all_live, "The sheet changed.") == len(all_live)
    again = {a for a, _ in to_grade_again(small.bench, grader.account_id)}
    assert again == graded
    for a in again:
        entry = GradeEntry(score=3)
        correct_grade(small.bench, grader.account_id, a, entry, reason="New sheet.", token=f"again {a}")
    assert to_grade_again(small.bench, grader.account_id) == []


def test_recalling_some_names_no_check(build) -> None:
    small = build()
    (grader,) = small.graders
    for _ in range(20):
        dealt = next_of(small, grader)
        assert dealt is not None
        small.submit(dealt)
    write_item(small.path, ITEM, version=2)
    sheet = small.path / "rubrics" / ITEM / "point_sheet.yaml"
    sheet.write_text(
        sheet.read_text(encoding="utf-8").replace("needs control", "needs care"), encoding="utf-8"
    )
    register_files(small.bench, small.actor)
    some = [one.assignment_id for one in graded_before(small.bench, ITEM)][:5]
    recall_grades(small.bench, small.actor, ITEM, some, "These above all.")
    assert {a for a, _ in to_grade_again(small.bench, grader.account_id)} == set(some)


def test_no_queue_is_left_with_nothing_but_checks(build) -> None:
    small = build(graders=2)
    leaver = small.graders[0]
    assert of_kind(small, leaver, ReadKind.VALIDITY)
    disable_account(small.bench, small.actor, leaver)
    deal_left_behind(small.bench, small.actor)
    assert count_waiting(small.bench.store, leaver.account_id, ITEM) == 0


def test_a_text_shows_nothing_of_how_its_file_was_saved(build) -> None:
    small = build()
    (grader,) = small.graders
    words = "A first line.\r\nA second.\r\n\r\nThe end.   \r\n\r\n"
    shown = set()
    for kind in (ReadKind.LIVE, ReadKind.VALIDITY):
        dealt = of_kind(small, grader, kind)[0]
        table = "response" if kind is ReadKind.LIVE else "set_paper"
        digest = salted_hash("salt" + kind.value, words)
        with small.bench.store.write() as connection:
            connection.execute("INSERT INTO kept_text VALUES (?, ?, ?)", (digest, "salt" + kind.value, words))
            for name in (f"{table}_no_update",):
                connection.execute(f"DROP TRIGGER {name}")
            connection.execute(f"UPDATE {table} SET text_hash = ? WHERE id = ?", (digest, dealt.response_id))
        shown.add(sheet_of(small.bench, dealt._replace()).answer)
    assert shown == {"A first line.\nA second.\n\nThe end."}


def test_no_text_is_planted_twice_whatever_it_is_called(build) -> None:
    small = build(checks="validity_paper_every: 4", answers=24, validity=(3,) * 10)
    (grader,) = small.graders
    folder = small.path / "calibration_sets" / "mee-barge-v"
    renamed = folder.with_name("mee-barge-w")
    folder.rename(renamed)
    said = renamed / "calibration_set.yaml"
    said.write_text(
        said.read_text(encoding="utf-8").replace("id: mee-barge-v", "id: mee-barge-w"), encoding="utf-8"
    )
    table = renamed / "reference_scores.csv"
    table.write_text(table.read_text(encoding="utf-8").replace("E01,", "X01,"), encoding="utf-8")
    (renamed / "essays" / "E01.md").rename(renamed / "essays" / "X01.md")
    register_files(small.bench, small.actor)
    small.take_in(ITEM, 40)
    deal(small.bench, small.actor)
    planted = [d.response_id for d in of_kind(small, grader, ReadKind.VALIDITY)]
    with small.bench.record() as record:
        texts = [text_of(record, record.calibration.papers[r]) for r in planted]
    assert len(texts) == len(set(texts)) == 10


def test_a_set_that_is_gone_is_retired_and_comes_back_with_its_own_papers(build) -> None:
    small = build(answers=0)
    with small.bench.record() as record:
        before = dict(record.calibration.current_sets)
        papers = set(record.calibration.papers)
    folder = small.path / "calibration_sets" / "mee-barge-v"
    away = small.path / "away"
    folder.rename(away)
    said = register_files(small.bench, small.actor)
    assert said == ["calibration_set mee-barge-v is no longer there"]
    assert register_files(small.bench, small.actor) == []
    small.take_in(ITEM, 40)
    deal(small.bench, small.actor)
    assert of_kind(small, small.graders[0], ReadKind.VALIDITY) == []
    away.rename(folder)
    assert register_files(small.bench, small.actor) == ["calibration_set mee-barge-v, version 1"]
    with small.bench.record() as record:
        assert record.calibration.current_sets == before
        assert set(record.calibration.papers) == papers
    assert small.count(EventKind.SET_RETIRED) == 1


def test_a_packet_of_papers_met_in_live_work_judges_nobody(build) -> None:
    small = build(packets=(), qualification="not_required")
    (grader,) = small.graders
    write_packet(small.path, "mee-barge-v", scores=(3, 4, 3, 4, 2, 2, 3, 4, 3, 4), anchors=(), version=2)
    register_files(small.bench, small.actor)
    with pytest.raises(Exception, match="of the papers of this packet in other work"):
        small.begin(grader)
    assert next_sheet_or_none(small.bench, grader.account_id) is not None
