"""Scores: a preview, closing items, disputes that wait, and exports."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.agreement.of_round import notes_on_graders
from grader_app.domain.panel import Role
from grader_app.errors import ScalingProblem
from grader_app.export.folder import write_export
from grader_app.export.verify import verify_export
from grader_app.scaling.of_round import scaled_of_record
from grader_app.scaling.reference import PoolReference
from grader_app.scaling.scale_pool import Scaled
from grader_app.ui.current import bench, me
from grader_app.ui.downloads import export_folders
from grader_app.ui.lead_pages.reconciled import draw_reconciled
from grader_app.ui.lead_pages.round_notes import draw_notes
from grader_app.ui.parts.html_table import Cell, Link, draw_line, draw_lines, draw_table
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
        _draw_candidates()
    _draw_disputes(disputes(bench()))
    _draw_items(lead.account_id)
    _draw_exports()


def _draw_candidates() -> None:
    with bench().record() as record:
        notes = notes_on_graders(record)
        cut = record.round.cut if record.round else None
        provisional = any(item not in record.closed_items for item in record.items())
        try:
            scaled = scaled_of_record(record)
        except ScalingProblem as problem:
            draw_line(f"No scaled scores yet. {problem}", "headline")
            return
    complete, missing = len(scaled.candidates), len(scaled.left_out)
    state = "Provisional, while any question is open" if provisional else "Final"
    draw_line(f"{state}: {counted(complete, 'candidate')} complete, {missing} not yet.", "headline")
    if cut is not None:
        notes.append(
            f"The round's passing total ({cut.total:g}) and its re-read band are recorded; "
            "this version does not mark totals against them."
        )
    draw_lines(scaled.warnings)
    draw_notes(notes)
    _draw_scaled(scaled)


def _draw_scaled(scaled: Scaled) -> None:
    mbe = _mbe()
    rows: list[list[Cell]] = [
        [
            row.candidate_id,
            f"{row.written_raw:.2f}",
            None if row.written_scaled is None else f"{row.written_scaled:.1f}",
            None if mbe.get(row.candidate_id) is None else f"{mbe[row.candidate_id]:.1f}",
            None if row.total is None else f"{row.total:g}",
        ]
        for row in scaled.candidates
    ]
    if rows:
        draw_table(["Candidate", "Written, raw", "Written, scaled", "MBE", "Total"], rows)
        source = "the pool" if isinstance(scaled.reference, PoolReference) else str(scaled.reference)
        draw_line(f"Method: {scaled.method.replace('_', '/')}; constants from {source}.")
    if scaled.left_out:
        with st.expander(f"{counted(len(scaled.left_out), 'candidate')} without a total"):
            draw_table(["Candidate", "Why"], [[left.candidate_id, left.why] for left in scaled.left_out])


def _mbe() -> dict[str, float]:
    with bench().record() as record:
        return dict(record.inputs.mbe)


def _draw_disputes(found: list[Dispute]) -> None:
    if not found:
        return
    st.subheader("Disputed")
    third = sum(one.with_third_reader for one in found)
    draw_lines(
        [
            f"{counted(len(found), 'answer has', 'answers have')} no final score, because the reads differ "
            "or somebody asked for another look. Until then these candidates stand outside the scaling.",
            *([f"{counted(third, 'of them is', 'of them are')} with a third reader."] if third else []),
        ]
    )
    # What the reads say stands on the adjudicator's page, once a score of one's own has been entered.
    draw_link("Settle them", "/adjudicate")


def _draw_items(lead_id: str) -> None:
    st.subheader("Close a question")
    draw_lines(
        [
            "Closing ends corrections. Answers in dispute or without all their reads get no final score.",
            "Exports are marked provisional while any question is open.",
        ]
    )
    for item in item_progress(bench()):
        left, right = st.columns([3, 2], vertical_alignment="center")
        unfinished = item.waiting + item.undealt
        note = f", {unfinished} without all reads" if unfinished else ""
        note += f", {item.disputed} disputed" if item.disputed else ""
        left.text(f"{item.title}: {'closed' if item.closed else 'open'}{note}")
        with right:
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
