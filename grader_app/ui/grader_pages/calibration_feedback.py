"""How a finished packet went: the outcome and what comes next, the figures, then every paper."""

from __future__ import annotations

import streamlit as st

from grader_app.domain.calibration_record import Attempt
from grader_app.domain.calibration_set import Packet
from grader_app.ui.current import bench
from grader_app.ui.parts import attempt_report
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.links import draw_back, draw_link
from grader_app.ui.parts.paper_feedback import draw_papers
from grader_app.ui.parts.spoken import counted
from grader_app.workflow.calibration_steps import ItemCalibration, calibrations_of
from grader_app.workflow.feedback import Feedback, PaperFeedback, feedback_of

_OUTCOMES = {
    "qualified": "You have qualified on this packet.",
    "not_qualified": "You have not qualified on this packet.",
    "reference": "Your order and scores are part of the panel's references.",
}


def draw(grader_id: str, attempt_id: str) -> None:
    """Draw the feedback on a grader's own finished packet.

    Raises
    ------
    NotAllowed
        The packet is not finished, or the lead holds feedback until the panel has met.
    """
    found = feedback_of(bench(), grader_id, attempt_id)
    item = bench().kept_item(found.attempt.item_hash)
    draw_back("Back to calibration", "/calibrate")
    st.header(f"How it went: {item.title}")
    if found.attempt.purpose == "codes":
        _draw_exercise(found)
    else:
        _draw_packet(grader_id, found)
    draw_link("Back to calibration", "/calibrate")


def _draw_packet(grader_id: str, found: Feedback) -> None:
    attempt, report = found.attempt, found.report
    outcome = _OUTCOMES[attempt.judgment.outcome] if attempt.judgment else ""
    here = next((one for one in calibrations_of(bench(), grader_id) if one.item == attempt.item), None)
    if attempt.judgment is not None and attempt.judgment.outcome == "reference" and not found.papers:
        draw_line(f"{outcome} The second packet opens after the panel has met on this one.", "headline")
    else:
        draw_line(f"{outcome} {_what_next(here)}".strip(), "headline")
        _draw_next_link(here)
    draw_line(_who_made_references(bench().kept_packet(attempt.set_hash), attempt.packet))
    if report.rank is not None or report.scores is not None:
        _draw_figures(found)
    if found.papers:
        st.subheader("Every paper, the furthest from the reference first")
        _draw_papers(found, found.papers)


def _draw_figures(found: Feedback) -> None:
    report = found.report
    attempt_report.draw_style()
    left, right = st.columns(2, gap="large")
    with left:
        if report.kind is not None:
            draw_line(report.kind.says, "headline")
        _draw_conditions(found.attempt)
        attempt_report.draw_order(report)
        attempt_report.draw_scores(report)
    with right:
        if report.scores is not None:
            attempt_report.draw_parts(report.scores.parts)
            table, use = st.columns([3, 2])
            with table:
                attempt_report.draw_crossing(report.scores)
            with use:
                attempt_report.draw_use_of_scores(report.scores)
        attempt_report.draw_consistency(report)
    attempt_report.draw_how_computed(report)


def _what_next(here: ItemCalibration | None) -> str:
    if here is None:
        return "This question is no longer part of the round."
    if here.standing.may_grade:
        if here.standing.qualification.status == "overridden":
            return here.standing.says
        return "Live grading of this question is open to you."
    if here.step in ("begin", "training"):
        return f"Another packet waits: {counted(here.attempts_left, 'attempt')} left."
    return here.standing.says


def _draw_next_link(here: ItemCalibration | None) -> None:
    if here is None:
        return
    if here.standing.may_grade:
        draw_link("Go on to grading", "/grade", next_step=True)
    if here.step not in ("nothing", "done", "panel"):
        draw_link("Go on calibrating", "/calibrate", next_step=not here.standing.may_grade)


def _who_made_references(packet: Packet, number: int) -> str:
    if packet.set.reference == "panel" and number == 1:
        return "The panel makes the references of this packet at its meeting."
    if packet.set.reference == "panel":
        return "The references are what the other graders of your panel gave the same papers."
    if packet.set.origin == "constructed":
        return "The references were written for this packet; no bar panel graded it."
    return "The references are the scores of the panel that graded these papers."


def _draw_conditions(attempt: Attempt) -> None:
    if attempt.judgment is None or not attempt.judgment.conditions:
        return
    rows: list[list[Cell]] = [
        [_mark(met=condition["met"]), _without_verdict(condition["says"])]
        for condition in attempt.judgment.conditions
    ]
    draw_table(["Met?", "Condition"], rows, "What it takes to qualify")


def _mark(*, met: bool) -> str:
    # In one line, however narrow the column.
    said = "\N{CHECK MARK} met" if met else "\N{MULTIPLICATION SIGN} not met"
    return said.replace(" ", "\N{NO-BREAK SPACE}")


def _without_verdict(says: str) -> str:
    """Drop the verdict from a condition's sentence, since it stands in a column of its own.

    Examples
    --------
    >>> _without_verdict("You put 95 % in order, and at least 85 % is required: met.")
    'You put 95 % in order, and at least 85 % is required.'
    """
    return says.removesuffix(": met.").removesuffix(": not met.").rstrip(".") + "."


def _draw_exercise(found: Feedback) -> None:
    right = sum(_is_right(paper) for paper in found.papers)
    draw_line(
        f"You judged {right} of {counted(len(found.papers), 'paper')} as the exercise does. "
        "Nothing depended on it.",
        "headline",
    )
    draw_lines(
        [
            "A condition code stands in place of a score where there is nothing to score.",
            _who_made_references(bench().kept_packet(found.attempt.set_hash), found.attempt.packet),
        ]
    )
    _draw_papers(found, tuple(sorted(found.papers, key=_is_right)))


def _is_right(paper: PaperFeedback) -> bool:
    return paper.gave == paper.reference


def _draw_papers(found: Feedback, papers: tuple[PaperFeedback, ...]) -> None:
    attempt = found.attempt
    rubric = bench().material().rubrics.get(attempt.item)
    codes = {code.id: code.title for code in rubric.condition_codes} if rubric is not None else {}
    packet = bench().kept_packet(attempt.set_hash)
    departures = {paper.essay: paper.departs_because for paper in packet.papers if paper.departs_because}
    made = {paper.essay: set(paper.points or ()) for paper in packet.papers}
    unticked = {paper.essay for paper in papers if _ticked_none(paper, made.get(paper.essay, set()))}
    if any(made.get(essay) for essay in unticked) and all(
        paper.essay in unticked for paper in papers if paper.only_mine is not None
    ):
        draw_line("You ticked no points, so points read differently are not shown.")
        hidden = unticked
    else:
        hidden = {essay for essay in unticked if not made.get(essay)}
    draw_papers(papers, bench().kept_item(attempt.item_hash).sheet, codes, departures, hidden)


def _ticked_none(paper: PaperFeedback, made: set[str]) -> bool:
    """Say whether a grader ticked no point of a paper whose reference lists what it makes."""
    return paper.only_mine == () and set(paper.only_reference or ()) == made
