from __future__ import annotations

from collections.abc import Callable

import pytest
from checked_workspace import make_checked
from keyed_packets import key, key_twice, operator, printed, row
from small_workspace import SmallWorkspace, write_item

from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import ReadKind
from grader_app.domain.score_sheet import SheetRow
from grader_app.errors import GradeProblem, NotAllowed, SourcesAreRevealed
from grader_app.store.event_log import read_events
from grader_app.store.integrity import check_store
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.assignment import deal
from grader_app.workflow.grade_submission import correct_grade, refer_to_lead
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.own_grades import own_grades
from grader_app.workflow.paper_scores import (
    FIRST,
    SECOND,
    key_scores,
    papers_of,
    settle,
    settle_as,
)
from grader_app.workflow.paper_states import PaperState
from grader_app.workflow.printed_packets import count_on_paper, packets, recall_packet
from grader_app.workflow.progress import grader_progress
from grader_app.workflow.referrals import return_to_grader
from grader_app.workflow.registration import register_files

Make = Callable[..., SmallWorkspace]


def states(small: SmallWorkspace, packet) -> list[PaperState]:
    return [paper.state for paper in papers_of(small.bench, packet.packet_id)]


def grade_events(small: SmallWorkspace) -> list:
    return [event for event in read_events(small.bench.store) if event.kind == EventKind.GRADE_SUBMITTED]


def test_two_keyings_alike_are_the_graders_grade(small: SmallWorkspace) -> None:
    packet = printed(small, 2)
    first, second = operator(small, "Odile"), operator(small, "Perrin")
    assert key(small, packet, first, FIRST, "4", "2").kept == 2
    assert states(small, packet) == [PaperState.KEYED_ONCE] * 2
    assert grade_events(small) == []
    done = key(small, packet, second, SECOND, "4", "2")
    assert (done.graded, done.differ) == (2, 0)
    assert states(small, packet) == [PaperState.GRADED] * 2
    with small.bench.record() as record:
        grades = [record.grades[a] for a in packet.assignment_ids]
        assert record.printed == {}
    assert [grade.score for grade in grades] == [4, 2]
    assert {grade.grader_id for grade in grades} == {small.graders[0].account_id}
    assert all(grade.keyed and grade.seconds_spent is None for grade in grades)
    event = grade_events(small)[0]
    assert event.actor == second
    assert event.body["keyed"]["by"] == [first, second]
    check_store(small.bench.store)


def test_a_grade_from_paper_has_the_fields_of_one_from_the_screen(
    make: Make,
) -> None:
    small = make(answers=8)
    small.submit(small.queue(small.graders[0])[0])
    key_twice(small, printed(small, 1), "4")
    screen, paper = (set(event.body) for event in grade_events(small))
    assert paper - screen == {"keyed"}
    assert screen - paper == set()


def test_a_grade_from_paper_leaves_the_median_time_alone(make: Make) -> None:
    small = make(answers=8)
    small.submit(small.queue(small.graders[0])[0], seconds_spent=90.0)
    key_twice(small, printed(small, 2), "4", "4")
    (progress,) = grader_progress(small.bench, small.graders[0].account_id)
    assert (progress.done, progress.median_seconds) == (3, 90.0)


def test_keyings_that_differ_are_no_grade_until_somebody_settles_them(small: SmallWorkspace) -> None:
    packet = printed(small, 2)
    first, second, third = (operator(small, name) for name in ("Odile", "Perrin", "Quentin"))
    key(small, packet, first, FIRST, "4", "2")
    done = key(small, packet, second, SECOND, "4", "3")
    assert (done.graded, done.differ) == (1, 1)
    assert states(small, packet) == [PaperState.GRADED, PaperState.DIFFERS]
    a = packet.assignment_ids[1]
    settle_as(small.bench, third, packet.packet_id, a, SECOND)
    settle_as(small.bench, third, packet.packet_id, a, SECOND)
    with small.bench.record() as record:
        assert record.grades[a].score == 3
    settled = grade_events(small)[1]
    assert settled.actor == third
    assert settled.body["keyed"]["by"] == [first, second]
    assert settled.body["keyed"]["settled"] == settled.seq - 1
    assert len(grade_events(small)) == 2
    check_store(small.bench.store)


def test_a_third_look_can_find_that_neither_was_right(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    a = packet.assignment_ids[0]
    first, second = operator(small, "Odile"), operator(small, "Perrin")
    key(small, packet, first, FIRST, "4")
    key(small, packet, second, SECOND, "3")
    with pytest.raises(GradeProblem, match="9 is not on the scale"):
        settle(small.bench, first, packet.packet_id, a, SheetRow(values={"score": "9"}), token="s")
    settle(small.bench, first, packet.packet_id, a, SheetRow(values={"code": "A"}), token="s")
    with small.bench.record() as record:
        assert record.grades[a].condition_code == "blank"
    check_store(small.bench.store)


def test_what_does_not_differ_cannot_be_settled(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    key(small, packet, operator(small, "Odile"), FIRST, "4")
    for keying in (FIRST, SECOND):
        with pytest.raises(NotAllowed, match="do not differ"):
            settle_as(small.bench, small.actor, packet.packet_id, packet.assignment_ids[0], keying)
    assert grade_events(small) == []


def test_one_person_keys_twice_only_when_alone_and_the_record_says_so(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    only = operator(small, "Odile")
    key(small, packet, only, FIRST, "4")
    with pytest.raises(NotAllowed, match="tick “I am alone”"):
        key(small, packet, only, SECOND, "4")
    assert states(small, packet) == [PaperState.KEYED_ONCE]
    key(small, packet, only, SECOND, "4", alone=True)
    keyings = [e for e in read_events(small.bench.store) if e.kind == EventKind.PAPER_SCORE_KEYED]
    assert [event.body["alone"] for event in keyings] == [False, True]
    check_store(small.bench.store)


def test_blank_rows_stay_open_and_go_back_to_the_screen_with_the_packet(small: SmallWorkspace) -> None:
    packet = printed(small, 2)
    key_twice(small, packet, "", "5")
    assert states(small, packet) == [PaperState.OPEN, PaperState.GRADED]
    assert recall_packet(small.bench, small.actor, packet.packet_id, "One row was empty.") == 1
    check_store(small.bench.store)


def test_a_packet_can_be_keyed_in_parts(make: Make) -> None:
    small = make(answers=6)
    packet = printed(small, 3)
    first, second = operator(small, "Odile"), operator(small, "Perrin")
    key(small, packet, first, FIRST, "1", "", "3")
    key(small, packet, second, SECOND, "1")
    key(small, packet, first, FIRST, "", "2")
    assert states(small, packet) == [PaperState.GRADED, PaperState.KEYED_ONCE, PaperState.KEYED_ONCE]
    key(small, packet, second, SECOND, "", "2", "3")
    assert states(small, packet) == [PaperState.GRADED] * 3
    (found,) = packets(small.bench)
    assert (found.keyed_once, found.differ, found.graded) == (0, 0, 3)


@pytest.mark.parametrize("keying", [FIRST, SECOND])
def test_a_form_sent_twice_is_one_keying(small: SmallWorkspace, keying: int) -> None:
    packet = printed(small, 2)
    first, second = operator(small, "Odile"), operator(small, "Perrin")
    key(small, packet, first, FIRST, "4", "2", token="one")
    if keying == SECOND:
        key(small, packet, second, SECOND, "4", "1", token="two")
    before = small.kinds()
    if keying == FIRST:
        assert key(small, packet, first, FIRST, "4", "2", token="one").kept == 0
    else:
        assert key(small, packet, second, SECOND, "4", "1", token="two").kept == 0
    assert small.kinds() == before


def test_a_form_sent_again_with_other_values_is_refused(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    first = operator(small, "Odile")
    key(small, packet, first, FIRST, "4", token="one")
    for token in ("one", "two"):
        with pytest.raises(GradeProblem, match="its first keying is recorded already"):
            key(small, packet, first, FIRST, "5", token=token)


def test_everything_wrong_is_named_with_its_paper_and_nothing_is_stored(
    make: Make,
) -> None:
    small = make(answers=8)
    packet = printed(small, 4)
    a, b, c, d = packet.assignment_ids
    wrong = "B" if row(b).letter != "B" else "C"
    rows = {
        a: row(a, score="9"),
        b: row(b, wrong, score="3"),
        c: row(c, score="3"),
        d: row(d, "", score="3"),
        "axyz": row("axyz", score="4"),
    }
    with pytest.raises(GradeProblem) as caught:
        key_scores(small.bench, operator(small, "Odile"), packet.packet_id, FIRST, rows, token="t")
    assert str(caught.value).split("\n") == [
        f"Paper 1 ({a}): The score 9 is not on the scale 0 to 6 in steps of 1; choose one that is.",
        f"Paper 2 ({b}): its check letter is not {wrong}. "
        "Look whether you are in the right row of the sheet.",
        f"Paper 4 ({d}): its check letter is missing. Type the letter that stands behind its id.",
        f"Paper axyz: it is not in packet {packet.packet_id}. Compare its id with the sheet.",
    ]
    assert small.count(EventKind.PAPER_SCORE_KEYED) == 0


def test_a_paper_of_another_packet_is_refused_by_name(make: Make) -> None:
    small = make(answers=8)
    packet, other = printed(small, 1), printed(small, 1)
    a = other.assignment_ids[0]
    with pytest.raises(GradeProblem, match=f"Paper {a}: it is not in packet {packet.packet_id}"):
        key_scores(small.bench, small.actor, packet.packet_id, FIRST, {a: row(a, score="4")}, token="t")


def test_a_row_left_blank_the_first_time_cannot_be_keyed_the_second_time(small: SmallWorkspace) -> None:
    packet = printed(small, 2)
    key(small, packet, operator(small, "Odile"), FIRST, "4")
    with pytest.raises(GradeProblem, match=r"Paper 2 .*left blank in the first keying"):
        key(small, packet, operator(small, "Perrin"), SECOND, "4", "3")
    assert grade_events(small) == []


def test_codes_points_and_a_note_come_with_the_grade(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    a = packet.assignment_ids[0]
    for keying, who in ((FIRST, "Odile"), (SECOND, "Perrin")):
        rows = {
            a: row(a, code="b", points="1.1", note="Answers the torts question." if keying == FIRST else "")
        }
        key_scores(small.bench, operator(small, who), packet.packet_id, keying, rows, token=who)
    (event,) = grade_events(small)
    assert (event.body["condition_code"], event.body["score"]) == ("off-topic", None)
    assert event.body["points"] == ["duty.rule"]
    assert get_text_or_none(small.bench.store, event.body["note_hash"]) == "Answers the torts question."
    assert "torts" not in "".join(e.as_json() for e in read_events(small.bench.store))
    check_store(small.bench.store)


def test_criteria_and_errors_follow_the_rubric(make: Make) -> None:
    small = make(answers=0)
    small.take_in("rule-ferry", 2)
    deal(small.bench, small.actor)
    packet = printed(small, 1, item="rule-ferry")
    a = packet.assignment_ids[0]
    typed = {"mark:analysis": "1", "errors": "1"}
    for keying, who in ((FIRST, "Odile"), (SECOND, "Perrin")):
        rows = {a: row(a, **typed)}
        key_scores(small.bench, operator(small, who), packet.packet_id, keying, rows, token=who)
    with small.bench.record() as record:
        grade = record.grades[a]
    assert grade.error_types == ("rule-misstated",)
    assert dict(grade.marks) == {"analysis": 0, "correctness": 0}
    assert grade.marks_entered == {"analysis": 1}


def test_a_grade_is_given_under_the_sheet_that_was_printed(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    write_item(small.path, "mee-barge", version=2)
    register_files(small.bench, small.actor)
    key_twice(small, packet, "4")
    (event,) = grade_events(small)
    assert (event.body["item_hash"], event.body["item_version"]) == (packet.item_hash, "1")
    check_store(small.bench.store)


def test_a_paper_graded_on_the_screen_meanwhile_is_not_graded_again(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    small.submit(small.queue(small.graders[0])[0], 5)
    assert states(small, packet) == [PaperState.ON_SCREEN]
    with pytest.raises(GradeProblem, match=r"has a grade already\. Leave its row empty"):
        key(small, packet, small.actor, FIRST, "4")


def test_what_cannot_be_graded_on_the_screen_cannot_be_keyed_either(
    make: Make,
) -> None:
    small = make(answers=6)
    packet = printed(small, 2)
    grader = small.graders[0].account_id
    refer_to_lead(small.bench, grader, packet.assignment_ids[0], "other", token="r")
    with pytest.raises(GradeProblem, match="its grader sent it to the panel lead"):
        key(small, packet, small.actor, FIRST, "4")
    small.submit(small.queue(small.graders[1])[0])
    close_item(small.bench, small.actor, "mee-barge")
    with pytest.raises(GradeProblem, match=r"Paper 2 .* closed this question"):
        key(small, packet, small.actor, FIRST, "", "4")


def test_papers_keyed_differently_ask_for_nothing_once_their_sources_are_revealed(make: Make) -> None:
    small = make(answers=6)
    packet = printed(small, 2)
    first, second = operator(small, "Odile"), operator(small, "Perrin")
    key(small, packet, first, FIRST, "4", "3")
    key(small, packet, second, SECOND, "5", "")
    assert states(small, packet) == [PaperState.DIFFERS, PaperState.KEYED_ONCE]
    revealed = [one.response_id for one in small.queue(small.graders[0])]
    small.append(EventKind.SOURCES_REVEALED, "x", response_ids=revealed)
    assert states(small, packet) == [PaperState.REVEALED] * 2
    (one,) = packets(small.bench)
    assert (one.differ, one.keyed_once, one.graded, one.takes_no_grade, one.is_out) == (0, 0, 0, 2, False)
    assert count_on_paper(small.bench, small.graders[0].account_id) == 0
    with pytest.raises(NotAllowed, match="takes none any more"):
        recall_packet(small.bench, small.actor, packet.packet_id, "Lost.")
    with pytest.raises(SourcesAreRevealed):
        settle_as(small.bench, first, packet.packet_id, packet.assignment_ids[0], FIRST)


def test_a_paper_sent_to_the_lead_is_not_asked_for_and_is_again_once_it_is_returned(make: Make) -> None:
    small = make(answers=6)
    packet = printed(small, 2)
    key(small, packet, operator(small, "Odile"), FIRST, "4", "3")
    grader, sent = small.graders[0].account_id, packet.assignment_ids[0]
    refer_to_lead(small.bench, grader, sent, "other", token="r")
    assert states(small, packet) == [PaperState.LEFT_QUEUE, PaperState.KEYED_ONCE]
    assert count_on_paper(small.bench, grader) == 1
    return_to_grader(small.bench, small.actor, sent, "Legible after all.")
    assert states(small, packet) == [PaperState.KEYED_ONCE] * 2


def test_a_packet_called_back_is_not_keyed(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    key(small, packet, small.actor, FIRST, "4")
    recall_packet(small.bench, small.actor, packet.packet_id, "Lost.")
    with pytest.raises(NotAllowed, match="called back"):
        key(small, packet, small.actor, SECOND, "4", alone=True)
    again = printed(small, 1)
    assert states(small, again) == [PaperState.OPEN]


def test_its_grader_corrects_a_grade_from_paper_on_the_screen(small: SmallWorkspace) -> None:
    packet = printed(small, 1)
    key_twice(small, packet, "4")
    (own,) = own_grades(small.bench, small.graders[0].account_id)
    assert own.gave == "4"
    grader, a = small.graders[0].account_id, packet.assignment_ids[0]
    correct_grade(small.bench, grader, a, GradeEntry(score=5), reason="I meant five.", token="c")
    with small.bench.record() as record:
        assert (record.grades[a].score, record.grades[a].keyed) == (5, False)
    assert states(small, packet) == [PaperState.GRADED]
    check_store(small.bench.store)


def test_checks_on_paper_are_graded_and_watched_like_those_on_the_screen(tmp_path) -> None:
    small = make_checked(tmp_path / "checked", checks="validity_paper_every: 4", answers=40)
    packet = printed(small, 60)
    key_twice(small, packet, *["0"] * len(packet.assignment_ids))
    with small.bench.record() as record:
        kinds = {record.assignments[a].kind for a in record.check_grades}
        assert len(record.grades) == 40
    assert kinds == {ReadKind.VALIDITY}
    assert small.count(EventKind.DRIFT_FOUND) == 1
    small.bench.store.close()


def test_a_check_on_paper_goes_with_the_answers_it_lies_among_once_they_are_revealed(tmp_path) -> None:
    small = make_checked(tmp_path / "checked", checks="validity_paper_every: 4", answers=8)
    packet = printed(small, 60)
    with small.bench.record() as record:
        dealt = [record.assignments[a] for a in packet.assignment_ids]
    live = [one.response_id for one in dealt if one.kind is ReadKind.LIVE]
    assert len(live) < len(dealt)
    small.append(EventKind.SOURCES_REVEALED, "x", response_ids=live)
    assert set(states(small, packet)) == {PaperState.REVEALED}
    assert count_on_paper(small.bench, packet.grader_id) == 0
    with pytest.raises(GradeProblem, match="its source has been revealed") as refused:
        key(small, packet, small.actor, FIRST, *["3"] * len(dealt))
    assert len(str(refused.value).splitlines()) == len(dealt)
    small.bench.store.close()


@pytest.mark.parametrize(("one", "other"), [("Odile", "cli:kim"), ("cli:kim", "Odile"), ("Odile", "odile")])
def test_who_may_be_one_person_keys_twice_only_when_alone(
    small: SmallWorkspace, one: str, other: str
) -> None:
    packet = printed(small, 1)
    first = small.bench.cli_actor(one) if one.startswith("cli:") else operator(small, one)
    second = operator(small, other) if one.startswith("cli:") else small.bench.cli_actor(other)
    key(small, packet, first, FIRST, "4")
    with pytest.raises(NotAllowed, match="may have been keyed the first time by the same person"):
        key(small, packet, second, SECOND, "4")
    assert grade_events(small) == []
    assert key(small, packet, second, SECOND, "4", alone=True).graded == 1
    keyed = [event for event in read_events(small.bench.store) if event.kind == EventKind.PAPER_SCORE_KEYED]
    assert [event.body["alone"] for event in keyed] == [False, True]
