"""Scores: papers near the line, read again before release."""

from __future__ import annotations

from functools import lru_cache, partial

import streamlit as st

from grader_app.domain.read_again import ReadAgain, answers_read_again, read_again
from grader_app.errors import GraderAppError
from grader_app.ui.current import bench
from grader_app.ui.parts.confirmed import draw_confirmed
from grader_app.ui.parts.html_table import draw_line, draw_lines
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.reread_effect import effect_lines
from grader_app.workflow.reread_plan import Paper, RereadPlan, not_yet, papers_to_pick
from grader_app.workflow.rereads import begin_rereads, call_off_reread, plan_rereads


def draw_rereads(lead_id: str) -> None:
    """Draw where re-reads stand: not possible and why, ready, under way, done."""
    with bench().record() as record:
        rule, cut = (record.round.reread, record.round.cut) if record.round else (None, None)
        found, problems = read_again(record), not_yet(record)
        released, last = record.release.released is not None, record.last_seq
    has_band = cut is not None and cut.reread_from is not None
    if rule is None and not has_band and not found.answers:
        return
    st.subheader("Re-reads before release")
    if found.answers:
        _draw_progress(found)
        if found.waiting and not released:
            _draw_calling_off(lead_id)
    if released:
        if not found.answers:
            draw_line("Nothing was read again before release.")
        return
    if problems:
        draw_lines(["More cannot be sent now." if found.answers else "Not possible yet.", *problems])
        return
    with st.expander("What the rule does to scores", expanded=not found.answers):
        draw_lines(_effect(bench().store.workspace_id, last))
    if rule is not None and rule.all_papers:
        _draw_band(lead_id)
    _draw_picks(lead_id, last)


def _draw_progress(found: ReadAgain) -> None:
    state = "Under way" if found.under_way else "Done"
    draw_line(f"{state}: {found.done} of {counted(found.answers, 'answer')} read again.", "headline")
    said = [f"{found.up} rose, {found.down} fell, {found.same} stayed."] if found.done else []
    if found.waiting:
        waiting = counted(found.waiting, "answer waits", "answers wait")
        said.append(f"{waiting} with graders, without a score until then.")
    if found.disputed:
        disputed = counted(found.disputed, "answer is", "answers are")
        said.append(f"{disputed} in dispute after it; settle on Adjudicate.")
    draw_lines(said)


def _draw_band(lead_id: str) -> None:
    try:
        plan = plan_rereads(bench())
    except GraderAppError as problem:
        draw_line(str(problem))
        return
    if not plan.readers and not plan.nobody:
        draw_line("No total in the band has papers left to read again.")
        return
    draw_lines(_plan_lines(plan))
    if not plan.nobody:
        draw_confirmed(
            "rereads",
            "Begin re-reads",
            f"{counted(len(plan.readers), 'answer goes', 'answers go')} to graders who never had them. They "
            "see no first score and not why. The combined score counts whether it rises or falls.",
            "Begin",
            partial(_begin, lead_id, None),
        )


def _plan_lines(plan: RereadPlan) -> list[str]:
    found = [
        f"Ready: {counted(len(plan.readers), 'answer')} of {counted(len(plan.candidates), 'candidate')} in "
        f"the band, to {counted(len(set(plan.readers.values())), 'grader')}."
    ]
    found += [f"Not read again: {counted(n, 'answer')} {why}." for why, n in sorted(plan.passed_over.items())]
    if plan.nobody:
        found.append(
            f"For {counted(len(plan.nobody), 'answer')} no grader is left who is new to it and may grade "
            "the question. Add or qualify a grader; then all can begin."
        )
    return found


def _draw_picks(lead_id: str, last: int) -> None:
    papers = _to_pick(bench().store.workspace_id, last)
    if not papers:
        return
    with st.expander("Send single papers that a further read could move across the line"):
        draw_line("By the same rule, on either side of the line; most valuable first.")
        titles = {item.id: item.title for item in bench().material().items.values()}
        chosen = st.multiselect(
            "Papers",
            papers,
            format_func=lambda paper: f"{paper[0]} \N{MIDDLE DOT} {titles.get(paper[1], paper[1])}",
            key="reread-papers",
        )
        if st.button("Send them", key="send-papers", disabled=not chosen):
            act_as_lead(partial(_begin, lead_id, list(chosen)))


def _draw_calling_off(lead_id: str) -> None:
    with bench().record() as record:
        going = [
            one
            for one in answers_read_again(record)
            if (found := record.reread_or_none(one)) is not None and found.waits and found.second is None
        ]
    if not going:
        return
    with st.expander("Call one off"):
        draw_line("The first score then stands again. An answer that has been read again stays.")
        chosen = st.selectbox("Answer", going, key="call-off-answer")
        reason = st.text_input("Reason", key="call-off-reason")
        if st.button("Call it off", key="call-off"):
            act_as_lead(partial(_call_off, lead_id, chosen, reason))


def _begin(lead_id: str, papers: list[Paper] | None) -> str:
    plan = begin_rereads(bench(), lead_id, papers)
    return f"{counted(len(plan.readers), 'answer is', 'answers are')} on the way to new readers."


def _call_off(lead_id: str, response_id: str, reason: str) -> str:
    call_off_reread(bench(), lead_id, response_id, reason)
    return f"The re-read of {response_id} is called off; its first score stands."


@lru_cache(maxsize=4)
def _effect(workspace_id: str, last_seq: int) -> tuple[str, ...]:
    """Compute the effect anew only after a new act: a page is drawn at every click."""
    with bench().record() as record:
        return tuple(effect_lines(record))


@lru_cache(maxsize=4)
def _to_pick(workspace_id: str, last_seq: int) -> tuple[Paper, ...]:
    """List the papers anew only after a new act."""
    with bench().record() as record:
        try:
            return tuple(papers_to_pick(record))
        except GraderAppError:
            return ()
