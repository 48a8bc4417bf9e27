"""Scores: a preview, disputes that wait, re-reads, closing items, exports and release."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.ui.current import bench, me
from grader_app.ui.downloads import export_folders
from grader_app.ui.lead_pages.reconciled import draw_reconciled
from grader_app.ui.lead_pages.scores_candidates import draw_candidates
from grader_app.ui.lead_pages.scores_release import draw_release
from grader_app.ui.lead_pages.scores_rereads import draw_rereads
from grader_app.ui.parts.html_table import Link, draw_line, draw_lines, draw_table
from grader_app.ui.parts.links import draw_link
from grader_app.ui.parts.notice import act_as_lead, draw_notice
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.disputes import Dispute, disputes
from grader_app.workflow.item_closing import close_item, reopen_item
from grader_app.workflow.progress import item_progress


def page() -> None:
    """Draw the scores as they stand and the acts that finish a round."""
    lead = me(Role.LEAD).account
    st.header("Scores")
    draw_notice()
    if draw_reconciled():
        draw_candidates()
    _draw_disputes(disputes(bench()))
    draw_rereads(lead.account_id)
    _draw_items(lead.account_id)
    _draw_exports()
    draw_release(lead.account_id)


def _draw_disputes(found: list[Dispute]) -> None:
    if not found:
        return
    st.subheader("Disputed")
    over = sum(one.revealed for one in found)
    dropped = sum(one.dropped and not one.revealed for one in found)
    closed = sum(one.closed and not (one.revealed or one.dropped) for one in found)
    can = [one for one in found if one.can_be_settled]
    third = sum(one.with_third_reader for one in can)
    draw_lines(
        [
            f"{counted(len(found), 'answer has', 'answers have')} no final score, because the reads differ "
            "or somebody asked for another look. These candidates stand outside the scaling.",
            *([f"{counted(third, 'of them is', 'of them are')} with a third reader."] if third else []),
            *(
                [f"{counted(closed, 'stands', 'stand')} still until the question is reopened."]
                if closed
                else []
            ),
            *(
                [f"{counted(dropped, 'belongs', 'belong')} to a question that is no longer in the round."]
                if dropped
                else []
            ),
            *([f"{counted(over, 'ended', 'ended')} so when the sources were revealed."] if over else []),
        ]
    )
    # What the reads say stands on the adjudicator's page, once a score of one's own has been entered.
    if can:
        draw_link("Settle it" if len(can) == 1 else "Settle them", "/adjudicate")


def _draw_items(lead_id: str) -> None:
    st.subheader("Close a question")
    draw_lines(
        [
            "Closing ends corrections. Answers in dispute or without all their reads get no final score.",
            "Exports are marked provisional while any question is open.",
        ]
    )
    with bench().record() as record:
        released = record.release.released is not None
    for item in item_progress(bench()):
        if item.item not in bench().material().items:
            st.text(f"{item.title}: no longer in the round")
            continue
        left, right = st.columns([3, 2], vertical_alignment="center")
        unfinished = item.waiting + item.undealt
        note = f", {unfinished} without all reads" if unfinished else ""
        note += f", {item.disputed} disputed" if item.disputed else ""
        left.text(f"{item.title} ({item.item}): {'closed' if item.closed else 'open'}{note}")
        with right:
            if item.closed and released:
                continue
            if item.closed:
                reason = st.text_input("Reason to reopen", key=f"reason:{item.item}")
                if st.button("Reopen", key=f"reopen:{item.item}"):
                    act_as_lead(partial(_reopen, lead_id, item.item, reason))
            elif st.button("Close", key=f"close:{item.item}"):
                act_as_lead(partial(_close, lead_id, item.item))


def _close(lead_id: str, item: str) -> str:
    close_item(bench(), lead_id, item)
    return f"{bench().material().item(item).title} is closed."


def _reopen(lead_id: str, item: str, reason: str) -> str:
    reopen_item(bench(), lead_id, item, reason)
    return f"{bench().material().item(item).title} is open again."


def _export() -> str:
    folder = write_export(bench().store, bench().folder.exports_path, bench().clock())
    verify_export(folder)
    return f"Written and verified: {folder.name}"


def _draw_exports() -> None:
    st.subheader("Export")
    draw_line("Score tables without names, a readable report, and what is needed to check every number.")
    exports = bench().folder.exports_path
    if st.button("Write an export", type="primary"):
        act_as_lead(_export)
    names = export_folders(exports)
    if names:
        draw_table(
            ["Export", "Read", "Keep"],
            [
                [name, Link("Report", f"/exports/{name}/report"), Link("Download", f"/exports/{name}/zip")]
                for name in names
            ],
        )
