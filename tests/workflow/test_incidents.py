from __future__ import annotations

from collections.abc import Callable

import pytest
from small_workspace import SmallWorkspace

from grader_app.domain.events import EventKind
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.referral import REASONS, is_incident, reason_in_words
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.assignments import waiting_in_queue
from grader_app.store.integrity import check_store
from grader_app.workflow.accounts import disable_account
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.item_closing import close_item
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.redealing import deal_left_behind
from grader_app.workflow.referrals import (
    bring_back,
    closed_referrals,
    deal_to_another,
    exclude,
    open_referrals,
    return_to_grader,
    take_out,
)

Make = Callable[..., SmallWorkspace]


def reports(small: SmallWorkspace, dealt: Assignment, reason: str = "concern-threat") -> None:
    note = "See the last page."
    token = next(small.tokens)
    refer_to_lead(small.bench, dealt.grader_id, dealt.assignment_id, reason, token=token, note=note)


def waiting(small: SmallWorkspace) -> set[str]:
    return {
        one.response_id
        for grader in small.graders
        for one in waiting_in_queue(small.bench.store, grader.account_id)
    }


@pytest.fixture
def read_twice(make: Make) -> SmallWorkspace:
    return make(graders=3, reading="reads: 2\nworkload: as_dealt")


def test_an_incident_has_three_kinds_and_the_old_one_stays_readable() -> None:
    offered = [reason for reason in REASONS if is_incident(reason)]
    assert offered == ["concern-threat", "concern-distress", "concern-copying"]
    assert "concern" not in REASONS
    assert is_incident("concern")
    assert reason_in_words("concern") == "It worries me: a threat, distress, or suspected copying"
    assert not is_incident("conflict")


def test_an_incident_is_in_nobodys_queue_until_it_is_closed(read_twice: SmallWorkspace) -> None:
    dealt = read_twice.queue(read_twice.graders[0])[0]
    assert dealt.response_id in waiting(read_twice)
    reports(read_twice, dealt)
    assert dealt.response_id not in waiting(read_twice)
    for grader in read_twice.graders:
        while (sheet := next_sheet_or_none(read_twice.bench, grader.account_id)) is not None:
            one = next(a for a in read_twice.queue(grader) if a.assignment_id == sheet.assignment_id)
            assert one.response_id != dealt.response_id
            read_twice.submit(one)
    return_to_grader(read_twice.bench, read_twice.actor, dealt.assignment_id, reason="The dean was told.")
    assert waiting(read_twice) == {dealt.response_id}
    check_store(read_twice.bench.store)


def test_incidents_come_first_and_are_not_shown_until_opened(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])[0], small.queue(small.graders[1])[0]
    refer_to_lead(small.bench, first.grader_id, first.assignment_id, "other", token="t", note="Hm.")
    reports(small, second, "concern-distress")
    incident, other = open_referrals(small.bench)
    assert (incident.assignment_id, incident.is_incident) == (second.assignment_id, True)
    assert (incident.note, incident.answer) == ("", "")
    assert (other.note, other.answer[:7]) == ("Hm.", "Answer ")
    opened, _ = open_referrals(small.bench, second.assignment_id)
    assert (opened.note, opened.answer[:7]) == ("See the last page.", "Answer ")


def test_closing_an_incident_takes_a_word_on_what_was_done(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    reports(small, dealt)
    bench, actor, other = small.bench, small.actor, small.graders[1].account_id
    before = small.counts()
    for act in (
        lambda: return_to_grader(bench, actor, dealt.assignment_id, reason=" "),
        lambda: deal_to_another(bench, actor, dealt.assignment_id, other),
        lambda: exclude(bench, actor, dealt.assignment_id, ""),
        lambda: return_to_grader(bench, actor, dealt.assignment_id, reason="x" * 2001),
    ):
        with pytest.raises(GradeProblem):
            act()
    assert small.counts() == before
    deal_to_another(bench, actor, dealt.assignment_id, other, reason="The police were told.")
    assert dealt.response_id in waiting(small)
    (closed,) = closed_referrals(bench)
    assert (closed.decision, closed.said, closed.is_incident) == ("taken_out", "The police were told.", True)
    assert (closed.closed_by, closed.reason) == (actor, REASONS["concern-threat"])


def test_an_answer_out_of_the_round_has_no_final_and_can_come_back(read_twice: SmallWorkspace) -> None:
    small = read_twice
    dealt = small.queue(small.graders[0])[0]
    reports(small, dealt)
    exclude(small.bench, small.actor, dealt.assignment_id, "Copied from a book.")
    assert dealt.response_id not in waiting(small)
    with small.bench.record() as record:
        state = record.standing(dealt.response_id)
    assert (state.final, state.status) == (None, "coded")
    assert state.why == "Taken out of the round by the lead."
    (closed,) = closed_referrals(small.bench)
    assert closed.can_come_back
    with pytest.raises(GradeProblem, match="needs a reason"):
        bring_back(small.bench, small.actor, dealt.assignment_id, "")
    bring_back(small.bench, small.actor, dealt.assignment_id, "The book was the statute.")
    assert dealt.response_id in waiting(small)
    with small.bench.record() as record:
        assert record.standing(dealt.response_id).status == "waiting"
    with pytest.raises(NotAllowed, match="is in the round"):
        bring_back(small.bench, small.actor, dealt.assignment_id, "Again.")
    check_store(small.bench.store)


def test_taking_an_answer_out_settles_what_others_sent_about_it(read_twice: SmallWorkspace) -> None:
    small = read_twice
    response_id = small.queue(small.graders[0])[0].response_id
    reads = [one for g in small.graders for one in small.queue(g) if one.response_id == response_id]
    refer_to_lead(small.bench, reads[0].grader_id, reads[0].assignment_id, "other", token="t")
    reports(small, reads[1])
    exclude(small.bench, small.actor, reads[1].assignment_id, "Not an answer.")
    assert open_referrals(small.bench) == []


def test_a_grade_given_before_an_incident_is_kept(read_twice: SmallWorkspace) -> None:
    small = read_twice
    response_id = small.queue(small.graders[0])[0].response_id
    one, two = (d for g in small.graders for d in small.queue(g) if d.response_id == response_id)
    small.submit(one, 4)
    reports(small, two)
    exclude(small.bench, small.actor, two.assignment_id, "Copied.")
    with small.bench.record() as record:
        assert record.grades[one.assignment_id].score == 4


def test_a_closed_question_keeps_its_answers(small: SmallWorkspace) -> None:
    first, second = small.queue(small.graders[0])[:2]
    small.submit(first)
    reports(small, second)
    close_item(small.bench, small.actor, "mee-barge")
    with pytest.raises(NotAllowed, match="Reopen it first"):
        exclude(small.bench, small.actor, second.assignment_id, "Copied.")
    assert len(open_referrals(small.bench)) == 1


def test_an_incident_of_a_grader_who_left_goes_back_and_on_to_another(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    reports(small, dealt)
    disable_account(small.bench, small.actor, small.graders[0])
    return_to_grader(small.bench, small.actor, dealt.assignment_id, reason="Nothing came of it.")
    assert deal_left_behind(small.bench, small.actor) == len(small.queue(small.graders[0]))
    assert dealt.response_id in {one.response_id for one in small.queue(small.graders[1])}


@pytest.mark.parametrize("kind", [ReadKind.REPEAT, ReadKind.APPRENTICE])
def test_an_incident_met_in_a_read_that_never_counts_is_closed_by_taking_it_out(
    small: SmallWorkspace, kind: ReadKind
) -> None:
    reader = small.graders[0]
    graded = small.queue(reader)[0]
    small.submit(graded)
    response_id = (
        graded.response_id if kind is ReadKind.REPEAT else small.queue(small.graders[1])[0].response_id
    )
    extra = Assignment("aextra", response_id, "mee-barge", reader.account_id, 99, 0, kind)
    small.plant(extra)
    reports(small, extra)
    assert response_id not in waiting(small)
    (found,) = open_referrals(small.bench)
    assert found.is_check
    with pytest.raises(NotAllowed, match="Take it out instead"):
        deal_to_another(small.bench, small.actor, "aextra", small.graders[1].account_id, reason="Done.")
    take_out(small.bench, small.actor, "aextra", reason="The dean was told.")
    assert open_referrals(small.bench) == []
    assert (response_id in waiting(small)) is (kind is ReadKind.APPRENTICE)


def test_events_say_who_decided_and_hold_no_word_of_it(small: SmallWorkspace) -> None:
    dealt = small.queue(small.graders[0])[0]
    reports(small, dealt)
    exclude(small.bench, small.actor, dealt.assignment_id, "Zanzibar was told.")
    rows = small.bench.store.rows(
        "SELECT actor, body FROM event WHERE kind = ? ORDER BY seq", (EventKind.ANSWER_RETURNED.value,)
    )
    assert [row["actor"] for row in rows] == [small.actor]
    assert "Zanzibar" not in rows[0]["body"]
    assert small.bench.store.rows("SELECT 1 FROM kept_text WHERE body LIKE '%Zanzibar%'")
