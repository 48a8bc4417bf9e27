"""The decision on grades given under an earlier version: let them stand, or ask for them again."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.ui.current import bench
from grader_app.ui.parts.html_table import draw_line
from grader_app.ui.parts.kept_form import empty_form, form_key
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.rulings import GradedBefore, keep_grades, recall_grades


def draw_decision(
    lead_id: str, item: str, waiting: list[GradedBefore], names: dict[str, str], *, closed: bool = False
) -> None:
    """Draw which grades to decide on, a reason, and the two acts.

    Parameters
    ----------
    waiting
        The grades to be decided on.
    names
        What each grader is called, by account id.
    closed
        True when the question is closed, so that nothing can be asked for again.
    """
    labels = {
        one.assignment_id: f"{one.assignment_id}, {names.get(one.grader_id, one.grader_id)}, {one.gave}"
        for one in waiting
    }
    everything = st.checkbox(f"Decide on all {len(waiting)}", value=True, key=f"all:{item}")
    chosen = list(labels)
    if not everything:
        chosen = st.multiselect(
            "Grades", list(labels), format_func=lambda one: labels[one], key=f"some:{item}"
        )
    with st.form(key := form_key(_form(item))):
        reason = st.text_input("Reason for the decision", key=f"reason:{key}")
        draw_line(
            "This question is closed, so nobody could grade it again. Reopen it on the panel first, or let "
            "the grades stand."
            if closed
            else "Graded again: the answer waits until its grader has looked once more; the old grade stays "
            "in the record."
        )
        with st.container(horizontal=True):
            again = st.form_submit_button(
                "Ask for them to be graded again", disabled=closed, key=f"again:{item}"
            )
            stand = st.form_submit_button("Let them stand", key=f"stand:{item}")
        if again:
            act_as_lead(partial(_again, lead_id, item, chosen, reason))
        elif stand:
            act_as_lead(partial(_stand, lead_id, item, chosen, reason))


def _again(lead_id: str, item: str, chosen: list[str], reason: str) -> str:
    count = recall_grades(bench(), lead_id, item, chosen, reason)
    empty_form(_form(item))
    return f"{counted(count, 'grade')} asked for again. Each grader finds them first under My progress."


def _stand(lead_id: str, item: str, chosen: list[str], reason: str) -> str:
    count = keep_grades(bench(), lead_id, item, chosen, reason)
    empty_form(_form(item))
    return f"{counted(count, 'grade')} left to stand."


def _form(item: str) -> str:
    return f"graded-before:{item}"
