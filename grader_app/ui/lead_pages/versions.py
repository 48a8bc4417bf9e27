"""Versions: the grades given under an earlier version of their question, and what would change."""

from __future__ import annotations

import streamlit as st

from grader_app.domain.direction_marks import with_controls_shown
from grader_app.domain.panel import Role
from grader_app.ui.current import bench, me
from grader_app.ui.lead_pages.graded_before import draw_decision
from grader_app.ui.lead_pages.item_sets import account_names
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.links import draw_link, draw_links_within
from grader_app.ui.parts.notice import draw_notice
from grader_app.ui.parts.spoken import counted, moment
from grader_app.workflow.versions import NewerVersion, OlderGrade, newer_versions, version_decisions

_MOST_OPEN = 12
"""Grades listed without a click."""


def page() -> None:
    """Draw each question with grades of an earlier version, and what was decided before."""
    lead = me(Role.LEAD).account
    st.header("Versions")
    draw_notice()
    draw_line(
        "A new version of a rubric, a point sheet or the guidelines never moves a grade given before it. "
        "Here is what it would change, so that you can decide."
    )
    found, names = newer_versions(bench()), account_names()
    if not found:
        draw_line("Every grade was given under the version that stands, or you let it stand.", "headline")
        draw_link("Go to the panel", "/panel")
    for one in found:
        _draw_item(lead.account_id, one, names)
    _draw_decisions(names)


def _draw_item(lead_id: str, found: NewerVersion, names: dict[str, str]) -> None:
    st.subheader(found.title, anchor=found.item)
    under = ", ".join(
        f"{counted(count, 'grade')} under version {version}" for version, count in found.by_version.items()
    )
    draw_line(f"Version {found.version} has stood since {moment(found.registered_at)}; {under}.", "headline")
    draw_lines(_what_moves(found))
    # What would change comes first; the lead need not search for it among grades that read the same.
    grades = sorted(found.grades, key=lambda one: not one.reads.differs)
    with st.expander(counted(len(grades), "grade"), expanded=len(grades) <= _MOST_OPEN):
        draw_table(
            ["Answer", "Grader", "Version", "Given", "Would count", "What would read differently", "State"],
            [_row(one, names) for one in grades],
            f"Grades of {found.title} under an earlier version",
        )
    draw_links_within(
        [("", "Read the answers and the guidelines", f"/calibration?item={found.item}&part=Rulings")]
    )
    waiting = [one.before for one in grades if not one.before.recalled]
    if waiting:
        draw_decision(lead_id, found.item, waiting, names, closed=found.closed)


def _what_moves(found: NewerVersion) -> list[str]:
    differing = sum(bool(one.reads.differs) for one in found.grades)
    said = []
    if not differing:
        said.append("Every one of them would read the same under the version that stands.")
    elif found.moved:
        said.append(
            f"{counted(found.moved, 'score')} would change; all together they would move by "
            f"{found.total_moved:+g}."
        )
    else:
        said.append(f"No score would change; {counted(differing, 'grade')} would read differently.")
    if found.without_score:
        said.append(
            f"{counted(found.without_score, 'grade')} would have no score until the grader looked again."
        )
    late = sum(one.page_showed_it for one in found.grades)
    if late:
        said.append(
            f"{counted(late, 'grade')} came after the new version, from a page that still showed the "
            "older one."
        )
    recalled = sum(one.before.recalled for one in found.grades)
    if recalled:
        said.append(f"{counted(recalled, 'grade')} asked for again; the answers wait for their graders.")
    return said


def _row(one: OlderGrade, names: dict[str, str]) -> list[Cell]:
    before, reads = one.before, one.reads
    if not reads.makes_a_score:
        counts = "no score"
    elif reads.score is None:
        counts = before.gave
    else:
        counts = f"{reads.score:g}" + (f" ({reads.moved:+g})" if reads.moved else "")
    return [
        before.assignment_id,
        names.get(before.grader_id, before.grader_id),
        before.version + (", the page still showed it" if one.page_showed_it else ""),
        before.gave,
        counts,
        "; ".join(reads.differs) or ("only the guidelines" if before.only_guidelines else "nothing"),
        "asked for again" if before.recalled else "to be decided",
    ]


def _draw_decisions(names: dict[str, str]) -> None:
    found = version_decisions(bench())
    if not found:
        return
    titles = {item.id: item.title for item in bench().material().items.values()}
    st.subheader("Decided so far")
    draw_table(
        ["Decided", "By", "Question", "Grades", "Decision", "Reason"],
        [
            [
                moment(one.at),
                names.get(one.actor, "the command line"),
                titles.get(one.item, one.item),
                one.count,
                "left to stand" if one.kept else "asked for again",
                with_controls_shown(one.reason),
            ]
            for one in found
        ],
    )
