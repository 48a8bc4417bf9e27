"""Accounts on the panel page: who has one, adding, a new password, disabling."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.panel import Account, Role
from grader_app.ui.current import bench
from grader_app.ui.parts.html_table import draw_table
from grader_app.ui.parts.kept_form import empty_form, form_key
from grader_app.ui.parts.notice import act_as_lead
from grader_app.workflow import accounts
from grader_app.workflow.progress import all_accounts

_ADDING = "add-account"


def draw_accounts(lead: Account) -> None:
    """Draw every account, and what a lead can do with accounts."""
    st.subheader("Accounts")
    everyone = all_accounts(bench())
    draw_table(
        ["Name", "Role", "State"],
        [[account.shown_name, account.role.value, _state(account)] for account in everyone],
    )
    left, right = st.columns(2)
    with left, st.form(form_key(_ADDING)):
        st.text("Add an account")
        name = st.text_input("Name")
        role = st.radio("Role", [role.value for role in Role], horizontal=True)
        apprentice = st.checkbox("Apprentice: a grader who reads beside the others and never counts")
        if st.form_submit_button("Add"):
            act_as_lead(partial(_add, lead, name, role, apprentice))
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


def _state(account: Account) -> str:
    said = ["disabled"] if account.disabled else []
    return ", ".join([*said, "apprentice"] if account.apprentice else said) or "active"


def _add(lead: Account, name: str, role: str, apprentice: bool) -> str:
    made, password = accounts.add_account(bench(), lead.account_id, name, Role(role), apprentice=apprentice)
    empty_form(_ADDING)
    return f"{made.name} can sign in once with this password, then chooses another: {password}"


def _reset(lead: Account, account: Account) -> str:
    password = accounts.reset_password(bench(), lead.account_id, account)
    return f"{account.name} can sign in once with this password, then chooses another: {password}"


def _disable(lead: Account, account: Account) -> str:
    if account.account_id == lead.account_id:
        return "You cannot disable yourself. Another lead, or the command line, can."
    accounts.disable_account(bench(), lead.account_id, account)
    return f"{account.name} is disabled and signed out everywhere. Grades already given stay."
