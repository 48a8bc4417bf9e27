"""The kind of prompt and its template can name the vendor of a model; neither comes below the blind line."""

import json

from grader_app.domain.panel import Role
from grader_app.ui.parts.desk import desk_data
from grader_app.workflow.accounts import add_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.live_grading import next_sheet_or_none

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
