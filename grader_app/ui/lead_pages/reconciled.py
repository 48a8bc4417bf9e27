"""Whether every paper is accounted for, as the lead sees it before any score."""

from __future__ import annotations

import streamlit as st

from grader_app.domain.reconciliation import Reconciliation
from grader_app.ui.current import bench
from grader_app.ui.parts.html_table import draw_line, draw_lines, draw_table
from grader_app.workflow.reconciliation import reconciliation_of

_HEADS = ("Question", "In", "Graded", "Coded", "Waiting", "Disputed", "Excluded", "Withdrawn", "Missing")
_NOTICE = "Not every paper is accounted for. No scaled scores are shown until they add up."


def draw_reconciled(*, only_faults: bool = False) -> bool:
    """Draw one line when the papers add up, else a notice with the table.

    Parameters
    ----------
    only_faults
        Draw nothing when they add up.

    Returns
    -------
    bool
        Whether every paper is accounted for, so that scores may be shown.
    """
    found = reconciliation_of(bench())
    if found.unreconciled:
        _draw_notice(found)
        return False
    if not only_faults:
        draw_lines([found.line, *found.candidates.remarks])
    return True


def _draw_notice(found: Reconciliation) -> None:
    with st.container(border=True):
        draw_line(_NOTICE, "headline")
        draw_lines(found.unreconciled)
        draw_table(
            _HEADS,
            [
                [
                    each.item,
                    "not said" if each.taken_in is None else each.taken_in,
                    *each.papers.by_state.values(),
                    each.missing,
                ]
                for each in found.items
            ],
            "Papers in, and where they stand",
        )
        draw_line(
            "Ask whoever keeps the workspace to run grader-app verify, and to restore a backup if a paper is "
            "gone. Nothing on this page can bring it back."
        )
