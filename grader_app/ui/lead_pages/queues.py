"""What waits for the lead: incidents first, then disputes, coded answers, and what could not be graded."""

from __future__ import annotations

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.ui.current import bench, me
from grader_app.ui.lead_pages.board_steps import step_of
from grader_app.ui.lead_pages.queue_coded import draw_coded
from grader_app.ui.lead_pages.queue_referrals import draw_incidents, draw_referrals
from grader_app.ui.lead_pages.queue_surplus import draw_surplus
from grader_app.ui.lead_pages.queue_trail import draw_trail
from grader_app.ui.parts.html_table import draw_line
from grader_app.ui.parts.links import draw_link, draw_links_within
from grader_app.ui.parts.notice import draw_notice
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.adjudication import open_disputes
from grader_app.workflow.coded_answers import coded_answers
from grader_app.workflow.for_lead import for_lead
from grader_app.workflow.referrals import open_referrals
from grader_app.workflow.waiting import Waiting, Why

_STYLE = """
<style>
ul.waits { list-style: none; display: flex; flex-wrap: wrap; gap: .6rem; padding: 0; margin: 0 0 1.2rem; }
ul.waits li { margin: 0; }
ul.waits a, ul.waits span { display: block; min-width: 9.5rem; padding: .55rem .9rem; border-radius: 4px;
  border: 1px solid rgb(128 128 128 / 50%); color: inherit; text-decoration: none; }
ul.waits a:hover, ul.waits a:focus-visible { border-color: currentColor; }
ul.waits b { display: block; font: 600 1.5rem/1.2 Georgia, "DejaVu Serif", serif;
  font-variant-numeric: tabular-nums; }
ul.waits span { opacity: .7; }
</style>
"""


_ON_OTHER_PAGES = (Why.SHEET_QUESTION, Why.ALARM, Why.STOPPED, Why.EARLIER_VERSION)
"""What takes the lead's decision too, and is decided on a page of its own."""

_WIDTH = 900  # Pixels: a decision beside lines that can still be read.


def page() -> None:
    """Draw the queues, the most urgent first, what is decided on other pages, and what was decided before."""
    lead = me(Role.LEAD).account
    st.header("Waiting for you")
    draw_notice()
    found = open_referrals(bench(), st.query_params.get("open"))
    incidents = [one for one in found if one.is_incident]
    referrals = [one for one in found if not one.is_incident]
    coded, disputed = coded_answers(bench()), len(open_disputes(bench())[0])
    elsewhere = [line for line in for_lead(bench()) if line.why in _ON_OTHER_PAGES]
    alarms = sum(line.count for line in elsewhere if line.why is Why.ALARM)
    _draw_counts(len(incidents), disputed, len(coded), len(referrals), alarms)
    if not (incidents or disputed or coded or referrals or elsewhere):
        draw_line("Nothing waits for your decision.", "headline")
        draw_line(
            "Incidents, disputes, coded answers and answers that a grader could not grade come here, "
            "in this order; then alarms and questions from graders."
        )
        draw_link("Go to the panel", "/panel")
    with st.container(width=_WIDTH):
        draw_incidents(lead.account_id, incidents)
        _draw_disputes(disputed)
        draw_coded(lead.account_id, coded)
        draw_referrals(lead.account_id, referrals)
        _draw_elsewhere(elsewhere)
        draw_surplus()
    draw_trail(lead.account_id)


def _draw_counts(incidents: int, disputed: int, coded: int, referrals: int, alarms: int) -> None:
    st.html(_STYLE)
    named = (
        (incidents, "incident", "incidents", "incidents"),
        (disputed, "dispute", "disputes", "disputes"),
        (coded, "coded answer", "coded answers", "coded-answers"),
        (referrals, "could not be graded", "could not be graded", "could-not-be-graded"),
        (alarms, "alarm", "alarms", "alarms-and-graders"),
    )
    drawn = []
    for number, one, many, anchor in named:
        words = f"<b>{number:,}</b>{one if number == 1 else many}"
        drawn.append(
            f'<li><a href="#{anchor}">{words}</a></li>' if number else f"<li><span>{words}</span></li>"
        )
    st.html(f'<ul class="waits" aria-label="What waits for you">{"".join(drawn)}</ul>')


def _draw_elsewhere(lines: list[Waiting]) -> None:
    if not lines:
        return
    st.subheader("Alarms and graders", anchor="alarms-and-graders")
    draw_links_within([(f"{line.count:,} {line.says}.", *step_of(line)) for line in lines])


def _draw_disputes(disputed: int) -> None:
    if not disputed:
        return
    st.subheader("Disputes", anchor="disputes")
    draw_line(
        counted(disputed, "answer has", "answers have")
        + " reads that are further apart than the round allows, or that judge differently."
    )
    draw_link("Settle the disputes", "/adjudicate")
