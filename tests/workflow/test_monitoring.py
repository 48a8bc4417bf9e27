from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from checked_workspace import (
    ITEM,
    PACKET,
    calibrate,
    make_checked,
    of_kind,
    read_validity,
    reference_of,
    unread,
)
from small_workspace import SmallWorkspace

from grader_app.domain.events import Event, EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import Account, ReadKind
from grader_app.errors import GradeProblem, NotAllowed, NotQualified
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store
from grader_app.workflow import grade_submission
from grader_app.workflow.assignment import deal
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.monitoring import (
    PAUSED_UNTIL_CALIBRATED,
    PAUSED_UNTIL_DECIDED,
    monitor_of,
    pause,
    resume,
    validity_left,
    watch_after,
)
from grader_app.workflow.qualification import standing_of

Build = Callable[..., SmallWorkspace]
PAUSING = "validity_paper_every: 4\non_alarm: pause"
TWO_PACKETS = (PACKET, (2, 3, 4, 4, 3, 2, 4, 5))
ALARM = (-2, -2, -2)
"""Three validity papers two points below the reference set off the alarm at the scatters used here."""


@pytest.fixture
def build(tmp_path: Path) -> Iterator[Build]:
    made: list[SmallWorkspace] = []

    def make(**options: Any) -> SmallWorkspace:
        made.append(make_checked(tmp_path / f"workspace-{len(made)}", **options))
        return made[-1]

    yield make
    for small in made:
        # Whatever was recorded, the database is as its log says.
        check_store(small.bench.store)
        small.bench.store.close()


def events_of(small: SmallWorkspace, kind: EventKind) -> list[Event]:
    return [event for event in read_events(small.bench.store) if event.kind == kind]


def read_live_until_paused(small: SmallWorkspace, grader: Account) -> int:
    """Grade live papers until work is paused, and count them."""
    for count, live in enumerate(unread(small, grader, ReadKind.LIVE)):
        if not standing_of(small.bench, grader.account_id, ITEM).may_grade:
            return count
        small.submit(live)
    raise AssertionError("never paused")


def test_an_alarm_is_recorded_with_the_paper_the_sum_and_the_limit(build: Build) -> None:
    small = build()
    (grader,) = small.graders
    waiting = unread(small, grader, ReadKind.VALIDITY)
    read_validity(small, grader, *ALARM)
    (found,) = events_of(small, EventKind.DRIFT_FOUND)
    (row,) = monitor_of(small.bench, ITEM).rows
    watched = row.checks.validity.watched
    assert watched is not None
    assert watched.alarm is not None
    assert (found.subject, found.actor) == (grader.account_id, grader.account_id)
    assert found.body == {
        "item": ITEM,
        "assignment_id": waiting[watched.alarm].assignment_id,
        "direction": "harsher",
        "statistic": pytest.approx(watched.harsher[watched.alarm]),
        "limit": watched.limit,
        "n_validity": watched.alarm + 1,
    }
    assert found.body["statistic"] >= found.body["limit"]
    assert events_of(small, EventKind.GRADING_PAUSED) == []
    assert standing_of(small.bench, grader.account_id, ITEM).may_grade


def test_scores_above_the_reference_are_more_lenient(build: Build) -> None:
    small = build()
    read_validity(small, small.graders[0], 2, 2, 2)
    (found,) = events_of(small, EventKind.DRIFT_FOUND)
    assert found.body["direction"] == "more lenient"


def test_no_alarm_for_scores_that_are_right_or_live_or_of_another_grader(build: Build) -> None:
    small = build(graders=2, answers=80)
    first, second = small.graders
    read_validity(small, first, 0, 1, 0, -1, 0)
    read_validity(small, second, -2)
    for dealt in of_kind(small, first, ReadKind.LIVE):
        small.submit(dealt, 0)
    assert events_of(small, EventKind.DRIFT_FOUND) == []


def test_there_is_one_alarm_until_the_sums_start_again(build: Build) -> None:
    small = build(checks="validity_paper_every: 2", answers=60, validity=(3,) * 20)
    (grader,) = small.graders
    read_validity(small, grader, *ALARM, -2, -2, -2)
    assert small.count(EventKind.DRIFT_FOUND) == 1
    pause(small.bench, small.actor, grader.account_id, ITEM)
    resume(small.bench, small.actor, grader.account_id, ITEM, "We talked it over.")
    read_validity(small, grader, 0, 0)
    assert small.count(EventKind.DRIFT_FOUND) == 1
    read_validity(small, grader, 2, 2, 2, 2)
    assert [one.body["direction"] for one in events_of(small, EventKind.DRIFT_FOUND)] == [
        "harsher",
        "more lenient",
    ]


def test_where_the_round_says_so_an_alarm_pauses_live_work_and_gives_no_check_away(build: Build) -> None:
    small = build(checks=PAUSING, packets=TWO_PACKETS)
    (grader,) = small.graders
    calibrate(small, grader, lambda place: 0)
    read_validity(small, grader, *ALARM[:2])
    assert small.count(EventKind.DRIFT_FOUND) == 1
    assert events_of(small, EventKind.GRADING_PAUSED) == [], "at once it would tell which paper was a check"
    further = read_live_until_paused(small, grader)
    assert 3 <= further <= 7
    (paused,) = events_of(small, EventKind.GRADING_PAUSED)
    assert (paused.subject, paused.body) == (
        grader.account_id,
        {"item": ITEM, "why": PAUSED_UNTIL_CALIBRATED},
    )
    for words in (PAUSED_UNTIL_CALIBRATED, PAUSED_UNTIL_DECIDED):
        assert not any(hint in words.lower() for hint in ("validity", "check", "planted", "drift", "alarm"))
    assert next_sheet_or_none(small.bench, grader.account_id) is None
    live = unread(small, grader, ReadKind.LIVE)[0]
    with pytest.raises(NotQualified, match="paused until you have calibrated again"):
        small.submit(live)


def test_passing_another_packet_lets_a_paused_grader_go_on_with_fresh_sums(build: Build) -> None:
    small = build(checks=PAUSING, packets=TWO_PACKETS)
    (grader,) = small.graders
    calibrate(small, grader, lambda place: 0)
    read_validity(small, grader, *ALARM[:2])
    read_live_until_paused(small, grader)
    assert calibrate(small, grader, lambda place: 0).judgment.outcome == "qualified"
    assert small.count(EventKind.GRADING_RESUMED) == 1
    read_validity(small, grader, 0, 0)
    (row,) = monitor_of(small.bench, ITEM).rows
    assert (row.pause, row.checks.alarm) == (None, None)
    assert (row.checks.validity.restarted, len(row.checks.validity.in_sums)) == (2, 2)
    assert small.count(EventKind.DRIFT_FOUND) == 1


def test_without_a_packet_left_the_lead_decides(build: Build) -> None:
    small = build(checks=PAUSING)
    (grader,) = small.graders
    calibrate(small, grader, lambda place: 0)
    read_validity(small, grader, *ALARM[:2])
    read_live_until_paused(small, grader)
    (paused,) = events_of(small, EventKind.GRADING_PAUSED)
    assert paused.body["why"] == PAUSED_UNTIL_DECIDED
    assert [row.can_calibrate for row in monitor_of(small.bench, ITEM).rows] == [False]


def test_somebody_whose_work_is_paused_already_is_not_paused_again(build: Build, monkeypatch: Any) -> None:
    small = build(checks=PAUSING)
    (grader,) = small.graders
    monkeypatch.setattr(grade_submission, "watch_after", lambda bench, dealt: None)
    dealt = unread(small, grader, ReadKind.VALIDITY)[2]
    read_validity(small, grader, *ALARM)
    pause(small.bench, small.actor, grader.account_id, ITEM)
    watch_after(small.bench, dealt)
    assert (small.count(EventKind.DRIFT_FOUND), small.count(EventKind.GRADING_PAUSED)) == (1, 1)


def test_an_alarm_lost_in_a_breakdown_comes_with_the_next_validity_paper(
    build: Build, monkeypatch: Any
) -> None:
    small = build()
    (grader,) = small.graders
    with monkeypatch.context() as broken:
        broken.setattr(grade_submission, "watch_after", lambda bench, dealt: None)
        read_validity(small, grader, *ALARM)
    assert small.count(EventKind.DRIFT_FOUND) == 0
    read_validity(small, grader, 0)
    (found,) = events_of(small, EventKind.DRIFT_FOUND)
    assert found.body["n_validity"] < 4


def test_ten_threads_record_one_alarm(build: Build, monkeypatch: Any) -> None:
    small = build(checks=PAUSING)
    (grader,) = small.graders
    monkeypatch.setattr(grade_submission, "watch_after", lambda bench, dealt: None)
    dealt = unread(small, grader, ReadKind.VALIDITY)[2]
    read_validity(small, grader, *ALARM)
    start = threading.Barrier(10)
    raised: list[BaseException] = []

    def run() -> None:
        start.wait()
        try:
            watch_after(small.bench, dealt)
        except BaseException as error:  # noqa: BLE001 - whatever it is, the test must see it
            raised.append(error)

    threads = [threading.Thread(target=run) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == []
    assert (small.count(EventKind.DRIFT_FOUND), small.count(EventKind.GRADING_PAUSED)) == (1, 0)
    for live in unread(small, grader, ReadKind.LIVE)[:8]:
        small.submit(live)
    raised.clear()
    threads = [threading.Thread(target=run) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert raised == []
    assert (small.count(EventKind.DRIFT_FOUND), small.count(EventKind.GRADING_PAUSED)) == (1, 1)


def test_a_correction_neither_sets_off_nor_takes_back_an_alarm(build: Build) -> None:
    small = build()
    (grader,) = small.graders
    first, *_, last = unread(small, grader, ReadKind.VALIDITY)[:3]
    read_validity(small, grader, *ALARM)
    for dealt in (first, last):
        entry, token = GradeEntry(score=reference_of(small, dealt)), next(small.tokens)
        correct_grade(
            small.bench, grader.account_id, dealt.assignment_id, entry, reason="A slip.", token=token
        )
    assert small.count(EventKind.DRIFT_FOUND) == 1
    (row,) = monitor_of(small.bench, ITEM).rows
    assert row.checks.alarm is not None
    assert row.checks.validity.severity.value == 2


def test_a_lead_pauses_and_lets_go_on(build: Build) -> None:
    small = build(packets=TWO_PACKETS)
    grader_id = small.graders[0].account_id
    pause(small.bench, small.actor, grader_id, ITEM, "  Please call\nthe lead first. ")
    (stopped,) = events_of(small, EventKind.GRADING_PAUSED)
    assert (stopped.actor, stopped.body) == (
        small.actor,
        {"item": ITEM, "why": "Please call the lead first."},
    )
    assert standing_of(small.bench, grader_id, ITEM).says == "Please call the lead first."
    assert standing_of(small.bench, grader_id, "rule-ferry").may_grade
    assert monitor_of(small.bench, ITEM).rows[0].pause is not None
    resume(small.bench, small.actor, grader_id, ITEM, "We talked it over.")
    (gone_on,) = events_of(small, EventKind.GRADING_RESUMED)
    assert (gone_on.subject, gone_on.body) == (grader_id, {"item": ITEM, "why": "We talked it over."})
    assert standing_of(small.bench, grader_id, ITEM).may_grade


def test_what_makes_no_sense_is_refused_in_a_sentence_and_nothing_is_recorded(build: Build) -> None:
    small = build()
    bench, lead, grader_id = small.bench, small.actor, small.graders[0].account_id
    before = small.counts()
    for error, match, act in (
        (NotAllowed, "There is no such grader", lambda: pause(bench, lead, "pnobody", ITEM)),
        (NotAllowed, "There is no such grader", lambda: resume(bench, lead, "pnobody", ITEM, "Because.")),
        (NotAllowed, "The round has no item `mee-x`", lambda: pause(bench, lead, grader_id, "mee-x")),
        (GradeProblem, "keep it to 500", lambda: pause(bench, lead, grader_id, ITEM, "x" * 501)),
        (GradeProblem, "needs a reason", lambda: resume(bench, lead, grader_id, ITEM, " no ")),
        (NotAllowed, "is not paused", lambda: resume(bench, lead, grader_id, ITEM, "Because.")),
    ):
        with pytest.raises(error, match=match):
            act()
    assert small.counts() == before
    pause(bench, lead, grader_id, ITEM)
    before = small.counts()
    with pytest.raises(NotAllowed, match="is paused already"):
        pause(bench, lead, grader_id, ITEM)
    assert small.counts() == before


def test_the_monitor_has_a_row_a_grader_by_name_and_says_whether_there_are_papers(build: Build) -> None:
    small = build(graders=3, answers=30)
    found = monitor_of(small.bench, ITEM)
    assert [row.account.name for row in found.rows] == ["grader-1", "grader-2", "grader-3"]
    assert [row.checks for row in found.rows] == list(found.panel.graders)
    assert found.has_validity_papers
    assert not monitor_of(small.bench, "rule-ferry").has_validity_papers
    assert monitor_of(small.bench, "rule-ferry").rows == ()
    assert not monitor_of(build(validity=()).bench, ITEM).has_validity_papers


def test_what_is_needed_is_what_dealing_would_plant(build: Build) -> None:
    small = build(answers=8, validity=(3,) * 30)
    (grader,) = small.graders
    small.take_in(ITEM, 40)
    planted = len(of_kind(small, grader, ReadKind.VALIDITY))
    (left,) = validity_left(small.bench, ITEM)
    assert (left.account, left.unused, left.warning) == (grader, 30 - planted, "")
    deal(small.bench, small.actor)
    assert len(of_kind(small, grader, ReadKind.VALIDITY)) - planted == left.needed
    (after,) = validity_left(small.bench, ITEM)
    assert (after.unused, after.needed, after.missed) == (left.unused - left.needed, 0, 0)


def test_what_is_still_to_be_dealt_is_shared_out_with_its_second_reads(build: Build) -> None:
    small = build(answers=0, graders=2, reading="reads: 2", validity=(3,) * 30)
    small.take_in(ITEM, 120)
    (first, second) = validity_left(small.bench, ITEM)
    # 120 answers, each for both: about 120 / 4 papers for either.
    assert 20 <= min(first.needed, second.needed) <= max(first.needed, second.needed) <= 40
    deal(small.bench, small.actor)
    planted = [len(of_kind(small, g, ReadKind.VALIDITY)) for g in small.graders]
    assert planted == [min(30, first.needed), min(30, second.needed)]


def test_a_warning_comes_before_they_run_out_and_after(build: Build) -> None:
    small = build(answers=8, validity=(3,) * 8)
    small.take_in(ITEM, 60)
    (left,) = validity_left(small.bench, ITEM)
    assert left.warning.startswith(
        f"grader-1's validity papers will run out: {left.unused} left, and the answers not dealt yet will "
        f"take {left.needed}."
    )
    deal(small.bench, small.actor)
    (after,) = validity_left(small.bench, ITEM)
    assert (after.unused, after.missed) == (0, left.needed - left.unused)
    assert after.warning.startswith(
        f"grader-1's validity papers have run out: {after.missed} of the places in the queue stayed empty."
    )


def test_a_round_or_an_item_without_validity_papers_has_nothing_to_run_out_of(build: Build) -> None:
    assert validity_left(build(checks="self_repeat_every: 12").bench, ITEM) == []
    small = build(validity=())
    assert validity_left(small.bench, ITEM) == []
    assert validity_left(small.bench, "rule-ferry") == []
