"""The kind of prompt and its template can name the vendor of a model; neither comes below the blind line."""

import json

from grader_app.domain.panel import Role
from grader_app.ui.parts.desk import desk_data
from grader_app.workflow.accounts import add_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.author_flags import flag_author
from grader_app.workflow.blind_watch import given_away
from grader_app.workflow.grade_submission import refer_to_lead
from grader_app.workflow.live_grading import next_sheet_or_none
from grader_app.workflow.papers import find_paper
from grader_app.workflow.referrals import open_referrals

ANSWERS = (
    "id,source,text,prompt_type,prompt_template,finish_reason\n"
    '1,CANARY-SOURCE,"The answer is no.",CANARY-TYPE,"You are CANARY-MODEL of CANARY-VENDOR.",length\n'
)


def test_a_grader_is_sent_the_cut_and_nothing_of_the_prompt(desk):
    desk.take(ANSWERS, item="rule-deck")
    account, _ = add_account(desk.bench, desk.actor, "grader-1", Role.GRADER)
    deal(desk.bench, desk.actor)
    sheet = next_sheet_or_none(desk.bench, account.account_id)
    assert sheet.cut_off
    data = desk_data(sheet, csrf_token="t", draft=None, saved_at=None, progress={})
    sent = json.dumps(data, default=str)
    assert "The answer is no." in sent
    assert data["cut_off"] is True
    assert "CANARY" not in sent
    assert "length" not in sent
    assert "CANARY" not in "\n".join(desk.dump())
    assert {"CANARY-TYPE"} == {kept.prompt_type for kept in desk.key.sources()}
    assert "CANARY-VENDOR" in next(iter(desk.key.sources())).others["prompt_template"]


def test_the_lead_sees_the_cut_wherever_the_text_stands(desk):
    desk.take(ANSWERS, item="rule-deck")
    account, _ = add_account(desk.bench, desk.actor, "grader-1", Role.GRADER)
    deal(desk.bench, desk.actor)
    sheet = next_sheet_or_none(desk.bench, account.account_id)
    who = (account.account_id, sheet.assignment_id)
    flag_author(desk.bench, *who, token="f")
    refer_to_lead(desk.bench, *who, "other", token="r")
    (kept,) = desk.key.sources()
    assert find_paper(desk.bench, kept.response_id).cut_off
    assert [one.cut_off for one in open_referrals(desk.bench)] == [True]
    assert [one.cut_off for one in given_away(desk.bench)] == [True]
