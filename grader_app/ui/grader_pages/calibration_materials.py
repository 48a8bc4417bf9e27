"""The materials of a question, each opened in turn before its packet."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.panel import Role
from grader_app.domain.point_sheet import Issue, PointSheet
from grader_app.domain.reference_paper import ReferencePaper
from grader_app.domain.rubric import Rubric
from grader_app.domain.rulings_text import rulings_text
from grader_app.ui.current import bench
from grader_app.ui.grader_pages.earlier_reading import earlier_reading_or_none
from grader_app.ui.parts.html_table import Cell, Link, draw_line, draw_table
from grader_app.ui.parts.issue_words import text_with_side
from grader_app.ui.parts.kept_form import empty_form, form_key
from grader_app.ui.parts.links import draw_back, draw_link
from grader_app.ui.parts.notice import act_as, draw_notice
from grader_app.ui.parts.paper_text import draw_paper, draw_prose, paragraphs_since
from grader_app.ui.parts.reminders import draw_reminders
from grader_app.ui.parts.spoken import moment
from grader_app.workflow.qualification import standing_of
from grader_app.workflow.rulings import question_sheet, reread_guidelines
from grader_app.workflow.training import (
    MATERIAL_TITLES,
    Training,
    complete_training,
    see_material,
    training_of,
)

_QUESTION = "question-sheet"
_TITLES = {**MATERIAL_TITLES, "guidelines": "Guidelines (rulings)"}


def draw(grader_id: str, item: str) -> None:
    """Draw the list of materials, or the one that was asked for."""
    training = training_of(bench(), grader_id, item)
    name = st.query_params.get("material")
    draw_back("Back to calibration", "/calibrate")
    st.header(training.item.title)
    draw_notice()
    if name in training.materials:
        see_material(bench(), grader_id, item, name)
        training = training_of(bench(), grader_id, item)
        st.subheader(_TITLES[name])
        _draw_material(grader_id, training, name)
        _draw_onward(grader_id, training, name)
        return
    draw_line(_why_read(grader_id, item), "headline")
    rows: list[list[Cell]] = [
        [
            Link(_TITLES[name], f"/calibrate?item={item}&material={name}"),
            moment(training.seen[name]) if name in training.seen else None,
        ]
        for name in training.materials
    ]
    draw_table(["Material", "First opened"], rows)
    _draw_onward(grader_id, training, None)


def _draw_onward(grader_id: str, training: Training, name: str | None) -> None:
    item = training.item.id
    standing = standing_of(bench(), grader_id, item)
    if name == "guidelines" and standing.qualification.status == "reread":
        if st.button("I have read the guidelines as they stand", type="primary"):
            act_as(Role.GRADER, partial(_reread, grader_id, item))
    elif standing.may_grade and training.completed_at is None and earlier_reading_or_none(grader_id, item):
        # Only the guidelines differ from what was read before, and they have been read.
        draw_link("Go on to grading", "/grade", next_step=True)
    elif training.unseen:
        upcoming = training.unseen[0]
        draw_link(
            f"Next: {_TITLES[upcoming].lower()}",
            f"/calibrate?item={item}&material={upcoming}",
            next_step=True,
        )
    elif training.completed_at is None:
        if st.button("I have read the materials", type="primary"):
            act_as(Role.GRADER, partial(_complete, grader_id, item))
    else:
        draw_line(f"Materials read on {moment(training.completed_at)}.")
        draw_link("On to the packet", "/calibrate", next_step=True)
    with st.expander("The point sheet is wrong"), st.form(form_key(_QUESTION)):
        st.text("Tell the panel lead what is wrong and why, with authority where you have it.")
        words = st.text_area("What is wrong", max_chars=4000)
        if st.form_submit_button("Send to the panel lead"):
            act_as(Role.GRADER, partial(_question, grader_id, item, words))


def _why_read(grader_id: str, item: str) -> str:
    standing = standing_of(bench(), grader_id, item)
    if standing.qualification.status == "reread":
        return standing.says
    return "Read these before you calibrate. The record says what you have opened, and when."


def _reread(grader_id: str, item: str) -> str:
    reread_guidelines(bench(), grader_id, item)
    return "Recorded. Live grading of this question is open to you again."


def _complete(grader_id: str, item: str) -> str:
    complete_training(bench(), grader_id, item)
    return "Recorded: you have read the materials of this question."


def _question(grader_id: str, item: str, words: str) -> str:
    question_sheet(bench(), grader_id, item, words)
    empty_form(_QUESTION)
    return "Sent to the panel lead, who will change the point sheet or say why not."


def _draw_material(grader_id: str, training: Training, name: str) -> None:
    if name == "rubric":
        _draw_rubric(training.rubric)
    elif name == "point_sheet":
        with st.expander("The question", expanded=True):
            draw_prose(training.item.prompt)
        for title, text in (("The File", training.item.file), ("The Library", training.item.library)):
            if text:
                with st.expander(title):
                    draw_prose(text)
        for number, issue in enumerate(training.item.sheet.issues, start=1):
            _draw_issue(number, issue)
    elif name == "guidelines":
        _draw_guidelines(grader_id, training)
    else:
        draw_line(
            f"{_with_scores(len(training.anchors))} The scores were set when the papers were written: no bar "
            "panel graded them."
            if training.anchors_are_constructed
            else "Papers with their scores."
        )
        for paper in training.anchors:
            _draw_anchor(training.rubric, training.item.sheet, paper)


def _with_scores(papers: int) -> str:
    return "1 paper with its score." if papers == 1 else f"{papers} papers with their scores, the best first."


def _draw_guidelines(grader_id: str, training: Training) -> None:
    item = training.item.id

    def in_numbers(said: str | None) -> str:
        return rulings_text(said or "", training.item.sheet, training.rubric)

    text = in_numbers(training.item.guidelines)
    new: frozenset[str] = frozenset()
    if standing_of(bench(), grader_id, item).qualification.status == "reread":
        earlier = earlier_reading_or_none(grader_id, item)
        before = None if earlier is None else in_numbers(bench().kept_item(earlier.item_hash).guidelines)
        new = paragraphs_since(text, before)
    draw_prose(text, new)


def _draw_rubric(rubric: Rubric) -> None:
    score = rubric.score
    steps = "" if score.step == 1 else f", in steps of {score.step:g}"
    draw_line(f"{rubric.title}, {score.lowest:g} to {score.highest:g}{steps}.")
    draw_table(
        ["Score", "Label", "Means"],
        [[level.score, level.label, level.means] for level in rubric.levels],
    )
    if rubric.condition_codes:
        draw_table(["Instead of a score"], [[code.title] for code in rubric.condition_codes])
    if rubric.criteria:
        draw_table(
            ["Criterion", "Question", "From", "To"],
            [[c.title, c.question, c.lowest, c.highest] for c in rubric.criteria],
        )
    for title, things in (("Error", rubric.error_types), ("Why analysis is missing", rubric.analysis_gaps)):
        if things:
            draw_table([title, "When to mark it"], [[one.title, one.means] for one in things])
    draw_reminders(rubric)


def _draw_issue(number: int, issue: Issue) -> None:
    draw_line(f"{number} {issue.title} ({issue.weight_percent:g} %)", "headline")
    draw_table(
        ["No.", "Part", "Point", "Authority"],
        [
            [f"{number}.{place}", point.part, text_with_side(point), point.authority]
            for place, point in enumerate(issue.points, start=1)
        ],
    )
    if issue.accept_also:
        draw_table(["Accepted also"], [[text] for text in issue.accept_also])
    if issue.common_mistakes:
        draw_table(["Often wrong"], [[text] for text in issue.common_mistakes])


def _draw_anchor(rubric: Rubric, sheet: PointSheet, paper: ReferencePaper) -> None:
    labels = {level.score: level.label for level in rubric.levels}
    label = labels.get(paper.score if paper.score is not None else -1.0, "")
    with st.container(border=True):
        draw_line(f"Score {paper.score:g}: {label}" if label else f"Score {paper.score:g}", "headline")
        left, right = st.columns([3, 2])
        with left:
            draw_paper(paper.text)
        with right:
            draw_line(paper.rationale or "")
            if paper.points:
                draw_table(
                    ["Issue", "Points made"],
                    [
                        [
                            issue.title,
                            f"{sum(p.id in paper.points for p in issue.points)} of {len(issue.points)}",
                        ]
                        for issue in sheet.issues
                    ],
                )
