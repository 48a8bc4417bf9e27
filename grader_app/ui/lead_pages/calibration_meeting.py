"""Calibration, the panel's meeting: papers read differently, readers as letters, and a ruling typed there."""

from __future__ import annotations

import math
from functools import partial

import streamlit as st

from grader_app.domain.qualification import Status
from grader_app.errors import FileProblems, GraderAppError, StoreProblem
from grader_app.ui.current import bench
from grader_app.ui.lead_pages.calibration_panel import draw_feedback_of
from grader_app.ui.lead_pages.item_sets import (
    READING_WIDTH,
    Finished,
    draw_no_set,
    packets_to_qualify,
    without_folder,
)
from grader_app.ui.parts.html_table import Cell, draw_line, draw_table
from grader_app.ui.parts.notice import act_as_lead
from grader_app.ui.parts.paper_text import draw_paper
from grader_app.ui.parts.spoken import counted, points
from grader_app.workflow.feedback import MeetingPaper, meeting_of
from grader_app.workflow.qualification import enabled_graders, standing_of
from grader_app.workflow.rulings import LONGEST_RULING, make_ruling

_NO_REFERENCE = "\N{EN DASH}"
_STOPPED_BY_A_RULING: tuple[Status, ...] = ("qualified", "overridden", "reread")


def draw(lead_id: str, item: str) -> None:
    """Draw the meeting on one packet of a question."""
    packets = packets_to_qualify(item)
    if not packets:
        draw_no_set(item)
        return
    ready = [one for one in packets if one.graders]
    if not ready:
        draw_line(
            "Nobody has finished a packet of this question yet. The meeting looks at finished ones only."
        )
        return
    chosen = _chosen(ready)
    papers = meeting_of(bench(), chosen.packet.id, chosen.number)
    if chosen.graders == 1:
        papers = tuple(sorted(papers, key=lambda paper: (-_from_reference(paper), paper.essay)))
    left, right = st.columns([2, 3], gap="large")
    with left:
        with st.expander("Make a ruling"):
            draw_ruling(lead_id, item)
        _draw_scores(item, chosen, papers)
        draw_feedback_of(lead_id, chosen.packet.id, "Feedback to graders")
    with right:
        _draw_paper(item, _paper_on_the_table(chosen, papers), chosen.graders)


def draw_ruling(lead_id: str, item: str) -> None:
    """Draw the field in which a ruling is typed, with what the ruling will do."""
    version = int(bench().material().item(item).version)
    # Keys hold the version, so that a ruling made leaves an empty field and one refused keeps its words.
    with st.form(f"ruling:{item}:{version}"):
        words = st.text_area(
            "Ruling", max_chars=LONGEST_RULING, height=90, key=f"ruling-words:{item}:{version}"
        )
        draw_line(_what_it_does(item, version + 1))
        sure = st.checkbox("I have read what this does", key=f"ruling-sure:{item}:{version}")
        if st.form_submit_button("Make this a ruling"):
            if sure:
                act_as_lead(partial(_rule, lead_id, item, words))
            else:
                draw_line("Tick that you have read what this does, then make the ruling.", "headline")


def _what_it_does(item: str, version: int) -> str:
    stopped = sum(
        standing_of(bench(), grader.account_id, item).qualification.status in _STOPPED_BY_A_RULING
        for grader in enabled_graders(bench())
    )
    with bench().record() as record:
        before = sum(grade.item == item for grade in record.grades.values())
    said = [f"Adds the ruling to the guidelines as their last numbered paragraph: version {version}."]
    if stopped == 1:
        said.append("The one grader of this question stops until the ruling has been read.")
    elif stopped:
        said.append(f"All {stopped} graders of this question stop until they have read it.")
    if before:
        said.append(f"{counted(before, 'grade')} given before will wait for your decision.")
    return " ".join(said)


def _rule(lead_id: str, item: str, words: str) -> str:
    title = bench().material().item(item).title
    try:
        version = make_ruling(bench(), lead_id, item, words)
    except (FileProblems, StoreProblem) as problem:
        # Their own words name files on the server.
        return _why_not(problem, item, words)
    return (
        f"The ruling stands in the guidelines: {title} is now version {version}. Under Rulings you find who "
        "has read it, and the grades given before."
    )


def _why_not(problem: GraderAppError, item: str, words: str) -> str:
    current = bench().material().item(item)
    said = " ".join(words.split())
    if said and said in " ".join((current.guidelines or "").split()):
        return f"This ruling stands in the guidelines of {current.title} already. Nothing was added."
    return "No ruling was made, and nothing has changed. " + without_folder(str(problem))


def _chosen(ready: list[Finished]) -> Finished:
    if len(ready) == 1:
        return ready[0]
    return ready[
        st.radio(
            "Packet",
            range(len(ready)),
            format_func=lambda at: ready[at].title,
            horizontal=True,
            key="meeting-packet",
        )
    ]


def _draw_scores(item: str, chosen: Finished, papers: tuple[MeetingPaper, ...]) -> None:
    said = f"{chosen.title}: {counted(chosen.graders, 'grader')} finished."
    order = "most differently read first"
    if chosen.graders == 1:
        said += " With one reader there is nothing to compare but the reference."
        known = any(paper.reference != _NO_REFERENCE for paper in papers)
        order = "furthest from the reference first" if known else "by name"
    draw_line(said)
    readers = sorted({letter for paper in papers for letter in paper.given}, key=lambda one: (len(one), one))
    rows: list[list[Cell]] = [
        [
            paper.essay,
            in_words(item, paper.reference),
            *(in_words(item, paper.given[letter]) if letter in paper.given else None for letter in readers),
            _apart(paper) if chosen.graders > 1 else _apart_in_words(_from_reference(paper)),
        ]
        for paper in papers
    ]
    short = [letter.removeprefix("Reader ") for letter in readers]
    last = "Apart" if chosen.graders > 1 else "Off"
    draw_table(["Paper", "Reference", *short, last], rows, f"The papers, {order}")


def in_words(item: str, given: str) -> str:
    """Give a condition code by its title; a score as it is."""
    titles = {code.id: code.title for code in bench().material().rubrics[item].condition_codes}
    return titles.get(given, given)


def _apart(paper: MeetingPaper) -> str:
    return _apart_in_words(paper.apart)


def _apart_in_words(apart: float) -> str:
    return "a code" if math.isinf(apart) else f"{apart:g}"


def _from_reference(paper: MeetingPaper) -> float:
    """Give the furthest a reader is from the reference, in points; infinite where one of the two is a code.

    Notes
    -----
    0 where there is no reference yet, as in the packet on which a panel makes its own.
    """
    if paper.reference == _NO_REFERENCE:
        return 0.0
    return max((_between(gave, paper.reference) for gave in paper.given.values()), default=0.0)


def _between(one: str, other: str) -> float:
    try:
        return abs(float(one) - float(other))
    except ValueError:
        return 0.0 if one == other else math.inf


def _paper_on_the_table(chosen: Finished, papers: tuple[MeetingPaper, ...]) -> MeetingPaper:
    """Let the lead choose a paper, or go on to the next one in the order of disagreement."""
    names = [paper.essay for paper in papers]
    key = f"paper:{chosen.packet.id}:{chosen.number}"
    if st.session_state.get(key) not in names:
        st.session_state[key] = names[0]
    left, right = st.columns([3, 1], vertical_alignment="bottom")
    name = left.selectbox("Paper to discuss", names, key=key)
    at = names.index(name)
    right.button(
        "Next paper", on_click=_show, args=(key, names[(at + 1) % len(names)]), disabled=len(names) == 1
    )
    return papers[at]


def _show(key: str, name: str) -> None:
    st.session_state[key] = name


def _draw_paper(item: str, paper: MeetingPaper, readers: int) -> None:
    given = "; ".join(f"{letter}: {in_words(item, gave)}" for letter, gave in paper.given.items())
    spread = "one gave a code" if math.isinf(paper.apart) else f"{points(paper.apart)} apart"
    if readers > 1:
        given += f" ({spread})"
    draw_line(f"{paper.essay}. {given}. Reference: {in_words(item, paper.reference)}.")
    if paper.rationale:
        draw_line(f"Why: {paper.rationale}")
    _draw_points(item, paper, readers)
    with (
        st.expander(f"Read {paper.essay} ({counted(len(paper.text.split()), 'word')})"),
        st.container(width=READING_WIDTH),
    ):
        draw_paper(paper.text)


def _draw_points(item: str, paper: MeetingPaper, readers: int) -> None:
    if not paper.points:
        draw_line("The readers ticked the same points." if readers > 1 else "There is no second reader yet.")
        return
    sheet = bench().material().item(item).sheet
    texts = {point.id: f"{sheet.numbers[point.id]} {point.text} ({point.part})" for point in sheet.points}
    order = {point.id: at for at, point in enumerate(sheet.points)}
    rows: list[list[Cell]] = [
        [
            texts.get(name, name),
            f"{round(share * len(paper.given))} of {len(paper.given)}",
        ]
        for name, share in sorted(paper.points.items(), key=lambda one: order.get(one[0], len(order)))
    ]
    draw_table(["Point on which the readers differ", "Ticked by"], rows)
