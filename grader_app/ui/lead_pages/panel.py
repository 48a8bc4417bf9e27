"""The panel: accounts, how far each grader is, and what waits for the lead."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.panel import Account, Role
from grader_app.ui.current import bench, me
from grader_app.ui.parts.html_table import draw_line, draw_table
from grader_app.ui.parts.notice import act_as_lead, draw_notice
from grader_app.ui.parts.referral_desk import draw_referrals
from grader_app.ui.parts.spoken import counted, duration
from grader_app.workflow import accounts
from grader_app.workflow.assignment import deal
from grader_app.workflow.monitoring import validity_left
from grader_app.workflow.progress import (
    GraderProgress,
    ItemProgress,
    PlantedChecks,
    all_accounts,
    item_progress,
    panel_progress,
    planted_checks,
)
from grader_app.workflow.redealing import deal_left_behind, left_behind
from grader_app.workflow.referrals import open_referrals
from grader_app.workflow.registration import register_files


def page() -> None:
    """Draw the state of the round and the acts that move it on."""
    lead = me(Role.LEAD).account
    st.header("Panel")
    draw_notice()
    items = item_progress(bench())
    draw_line(_headline(items, len(open_referrals(bench()))), "headline")
    if revealed := sum(item.revealed for item in items):
        draw_line(
            f"The sources of {counted(revealed, 'answer')} have been revealed. "
            "Grading those answers is over, whatever else this page shows."
        )
    _draw_items(items)
    _draw_validity_warnings()
    _draw_graders()
    draw_referrals(lead.account_id)
    _draw_deal(lead.account_id, items)
    _draw_accounts(lead)


def _headline(items: list[ItemProgress], referred: int) -> str:
    waiting, undealt = sum(item.waiting for item in items), sum(item.undealt for item in items)
    disputed = sum(item.disputed for item in items)
    waits = [counted(waiting, "answer waits", "answers wait") + " for a grader"]
    if undealt:
        waits.append(counted(undealt, "answer has", "answers have") + " not been dealt")
    waits.append(
        counted(disputed, "answer is", "answers are") + " disputed" if disputed else "none is disputed"
    )
    if referred:
        waits.append(counted(referred, "answer", "answers") + " that could not be graded came to you")
    return "; ".join(waits) + "."


# A name broken over two lines is hard to find; a narrow screen scrolls the table instead.
_STYLE = "<style>div.scrolls table.plain td:first-child { white-space: nowrap; }</style>"
_STAGES = ("Answers", "Not dealt", "With graders", "With you", "Final", "Disputed", "Coded")


def _draw_items(items: list[ItemProgress]) -> None:
    draw_table(
        ["Question", *_STAGES, "State"],
        [[i.title, *_stages(i), "closed" if i.closed else "open"] for i in items],
        "Answers by stage",
    )


def _stages(item: ItemProgress) -> tuple[int, ...]:
    return item.answers, item.undealt, item.waiting, item.with_lead, item.final, item.disputed, item.coded


def _draw_validity_warnings() -> None:
    """Say in one line a question whose validity papers run out before its answers do."""
    for item in bench().material().items.values():
        short = [left for left in validity_left(bench(), item.id) if left.warning]
        if short:
            names = ", ".join(left.account.shown_name for left in short)
            draw_line(f"{item.title}: validity papers run out for {names}. The monitor page says how many.")


def _draw_graders() -> None:
    rows = panel_progress(bench())
    if not rows:
        draw_line("There is no grader yet. Add one below.")
        return
    titles = [item.title for item in bench().material().items.values()]
    checks = planted_checks(bench())
    planted = any(one.done or one.left for one in checks.values())
    st.html(_STYLE)
    draw_table(
        [
            *("Grader", "Graded", "Left", *(["Checks besides"] if planted else []), "Sent to you"),
            *(f"Median, {title}" for title in titles),
            "State",
        ],
        [
            [
                account.shown_name,
                sum(row.done for row in items) - checks[account.account_id].done,
                sum(row.left for row in items) - checks[account.account_id].left,
                *([_checks_in_words(checks[account.account_id])] if planted else []),
                sum(row.with_lead for row in items),
                *(_median(items, title) for title in titles),
                "disabled" if account.disabled else "active",
            ]
            for account, items in rows
        ],
        "Graders",
    )
    if planted:
        draw_line(
            "Graded and left count live answers. Planted checks stand besides: graders see both as one sum "
            "and cannot tell them apart."
        )
    if any(account.simulated for account, _ in rows):
        draw_line(
            "Graders marked (simulated) are invented: a program drew their grades for this sample round."
        )


def _checks_in_words(checks: PlantedChecks) -> str | None:
    if not checks.done and not checks.left:
        return None
    return f"{checks.done} graded, {checks.left} left"


def _median(items: list[GraderProgress], title: str) -> str | None:
    found = next((row.median_seconds for row in items if row.title == title), None)
    return None if found is None else duration(found)


def _draw_deal(lead_id: str, items: list[ItemProgress]) -> None:
    undealt, stranded = sum(item.undealt for item in items), len(left_behind(bench()))
    if not undealt and not stranded:
        return
    st.subheader("Deal answers")
    if undealt:
        have = counted(undealt, "answer has", "answers have")
        draw_line(f"{have} been taken in and not dealt yet. Earlier deals never move.")
    if stranded:
        draw_line(
            counted(stranded, "answer waits", "answers wait")
            + " for a grader who is disabled or did not qualify; dealing gives them to others."
        )
    if st.button("Deal them", type="primary"):
        act_as_lead(partial(_deal, lead_id))


def _deal(lead_id: str) -> str:
    read_in = register_files(bench(), lead_id)
    taken_over = deal_left_behind(bench(), lead_id)
    titles = {item.id: item.title for item in bench().material().items.values()}
    said = [
        f"{titles.get(d.item, d.item)}: {counted(d.answers, 'answer')} dealt" for d in deal(bench(), lead_id)
    ]
    if taken_over:
        said.append(f"{counted(taken_over, 'answer')} taken over from a grader who cannot grade them")
    dealt = "; ".join(said or ["Nothing could be dealt"]) + "."
    return f"{dealt} Read in: {'; '.join(read_in)}." if read_in else dealt


def _draw_accounts(lead: Account) -> None:
    st.subheader("Accounts")
    everyone = all_accounts(bench())
    draw_table(
        ["Name", "Role", "State"],
        [
            [account.shown_name, account.role.value, "disabled" if account.disabled else "active"]
            for account in everyone
        ],
    )
    left, right = st.columns(2)
    with left, st.form("add-account", clear_on_submit=True):
        st.text("Add an account")
        name = st.text_input("Name")
        role = st.radio("Role", [role.value for role in Role], horizontal=True)
        if st.form_submit_button("Add"):
            act_as_lead(partial(_add, lead, name, role))
    active = [account for account in everyone if not (account.disabled or account.simulated)]
    with right, st.form("change-account"):
        st.text("Forgotten password, or leaving the panel")
        chosen = st.selectbox("Account", [account.name for account in active], index=None)
        account = next((one for one in active if one.name == chosen), None)
        reset = st.form_submit_button("Give a new one-time password")
        disable = st.form_submit_button("Disable and sign out everywhere")
        if (reset or disable) and account is None:
            st.text("Choose an account first.")
        elif reset and account:
            act_as_lead(partial(_reset, lead, account))
        elif disable and account:
            act_as_lead(partial(_disable, lead, account))


def _add(lead: Account, name: str, role: str) -> str:
    made, password = accounts.add_account(bench(), lead.account_id, name, Role(role))
    return f"{made.name} can sign in once with this password, then chooses another: {password}"


def _reset(lead: Account, account: Account) -> str:
    password = accounts.reset_password(bench(), lead.account_id, account)
    return f"{account.name} can sign in once with this password, then chooses another: {password}"


def _disable(lead: Account, account: Account) -> str:
    if account.account_id == lead.account_id:
        return "You cannot disable yourself. Another lead, or the command line, can."
    accounts.disable_account(bench(), lead.account_id, account)
    return f"{account.name} is disabled and signed out everywhere. Grades already given stay."
