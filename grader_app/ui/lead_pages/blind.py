"""How the blind holds: texts said to give their author away, and how often graders were asked to guess."""

from __future__ import annotations

import streamlit as st

from grader_app.agreement.blinding_of_round import flagged_scores
from grader_app.domain.panel import Role
from grader_app.ui.current import bench, me
from grader_app.ui.parts.cut_off import draw_cut_off
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.paper_text import draw_paper
from grader_app.ui.parts.spoken import counted, moment
from grader_app.ui.parts.written_text import draw_written
from grader_app.workflow.blind_watch import Asked, GivenAway, asked, given_away

_READING_WIDTH = 720  # Pixels: about seventy characters a line.
_HOW_TO_ASK = """\
guesses:
  share_percent: 20
"""


def page() -> None:
    """Draw what graders said of the blind, and nothing of who wrote what."""
    me(Role.LEAD)
    st.header("Does the blind hold?")
    papers = given_away(bench())
    if papers:
        of = counted(len(papers), "paper")
        draw_line(f"Of {of} a grader said that the text gives its author away.", "headline")
        draw_lines(
            [
                "A flag changes no score and moves no paper. Answers that a grader could not grade for this "
                "reason stand on the page Waiting for you.",
                "Words and texts below can tell you who wrote a paper. Leave them closed if you settle "
                "disputes.",
            ]
        )
    else:
        draw_line("No grader has said of any paper that its text gives its author away.", "headline")
    for paper in papers:
        _draw_paper(paper)
    _draw_scores()
    _draw_asked(asked(bench()))


def _draw_paper(paper: GivenAway) -> None:
    titles = {item.id: item.title for item in bench().material().items.values()}
    said = counted(len(paper.said), "grader")
    sent = f", {paper.referred} of them by sending it to you" if paper.referred else ""
    check = " \N{MIDDLE DOT} a planted check" if paper.is_check else ""
    title = f"{paper.response_id} \N{MIDDLE DOT} {titles.get(paper.item, paper.item)}"
    with st.expander(f"{title} \N{MIDDLE DOT} {said}{sent}{check}"), st.container(width=_READING_WIDTH):
        for at, words in paper.said:
            draw_written(f"{moment(at)}: {words or 'no words with it.'}")
        st.subheader("The paper")
        draw_cut_off(paper.cut_off)
        draw_paper(paper.text)


def _draw_scores() -> None:
    with bench().record() as record:
        found = flagged_scores(record)
    if not found:
        return
    st.subheader("Do the flagged answers score differently?")
    titles = {item.id: item.title for item in bench().material().items.values()}
    rows: list[list[Cell]] = [
        [
            titles.get(one.item, one.item),
            one.flagged.n_responses,
            _two(one.flagged.mean),
            one.others.n_responses,
            _two(one.others.mean),
        ]
        for one in found
    ]
    draw_table(["Question", "Flagged", "Mean", "Others", "Mean of the others"], rows)
    draw_lines(f"{titles.get(one.item, one.item)}: {one.difference.says}" for one in found)
    draw_line(
        "A difference can come from the answers themselves. It shows how much hangs on the flagged ones, not "
        "that graders were swayed."
    )


def _draw_asked(found: Asked) -> None:
    st.subheader("Guesses")
    if not found.asked and not found.share_percent:
        draw_line(
            "Graders are not asked who wrote an answer. To ask after a share of the grades, write this into "
            "a new version of round.yaml and read the files again on the page Calibration."
        )
        st.code(_HOW_TO_ASK, language=None)
        return
    draw_lines(
        [
            f"Who wrote the answer was asked after {counted(found.asked, 'grade')}, and said after "
            f"{found.answered}. Graders may pass over the question.",
            _whether_right(found),
        ]
    )


def _whether_right(found: Asked) -> str:
    if not found.revealed:
        return "Whether they were right is worked out when the custodian reveals the sources."
    return (
        f"The sources of {counted(found.revealed, 'answer')} are revealed. Whether the guesses were right "
        "stands in blinding_check.html in the revealed copy of the export, which the custodian has."
    )


def _two(mean: float | None) -> str | None:
    return None if mean is None else f"{mean:.2f}"
