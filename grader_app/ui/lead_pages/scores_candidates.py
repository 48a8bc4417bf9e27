"""Scores: the candidates with their totals, how far each could be off, and where it lies."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from grader_app.agreement.of_round import notes_on_graders
from grader_app.agreement.reader_variance import reader_variance_of_record
from grader_app.domain.read_again import candidates_being_read_again, candidates_read_again
from grader_app.errors import ScalingProblem
from grader_app.scaling.across_the_line import across_sentence_or_none
from grader_app.scaling.cuts import Judged, judge, spoken_total
from grader_app.scaling.error_bars import COVERS, EVERYTHING, READERS, Bar
from grader_app.scaling.errors_of_round import errors_of_record
from grader_app.scaling.line_chances import (
    RESCORE_HEAD,
    TRUE_SCORE_HEAD,
    LineChances,
    chances_say,
    spoken_chance,
)
from grader_app.scaling.of_round import scaled_of_record
from grader_app.scaling.reading_list import PaperToRead
from grader_app.scaling.reference import PoolReference
from grader_app.scaling.scaled import Scaled, ScaledCandidate
from grader_app.scaling.score_errors import ScoreErrors
from grader_app.ui.current import bench
from grader_app.ui.lead_pages.round_notes import draw_notes
from grader_app.ui.parts.html_table import Cell, draw_line, draw_lines, draw_table
from grader_app.ui.parts.spoken import counted

_JUDGED = {"pass": "passes", "fail": "fails", "reread": "to be read again"}
_MOST_PAPERS = 15


def draw_candidates() -> None:
    """Draw the totals as they stand, with their error bars, or why there are none."""
    with bench().record() as record:
        notes = notes_on_graders(record)
        provisional = any(item not in record.closed_items for item in bench().material().items)
        try:
            scaled = scaled_of_record(record)
        except ScalingProblem as problem:
            draw_line(f"No scaled scores yet. {problem}", "headline")
            return
        last, mbe = record.last_seq, dict(record.inputs.mbe)
        cut = record.round.cut if record.round else None
        read_again, released = candidates_read_again(record), record.release.released is not None
        going = candidates_being_read_again(record)
    errors = _errors(bench().store.workspace_id, last)
    complete, missing = len(scaled.candidates), len(scaled.left_out)
    judged = None if cut is None else judge(scaled, cut, read_again)
    outstanding = bool(going) or (judged is not None and judged.counts["reread"] > 0)
    state = _state(provisional, released, outstanding)
    # Once questions are closed, nobody who lacks a score gets one by waiting.
    rest = f", {missing} {'not yet' if provisional else 'without a score for every question'}"
    draw_line(f"{state}: {counted(complete, 'candidate')} complete{rest if missing else ''}.", "headline")
    if judged is not None:
        said = [_against_the_line(judged), across_sentence_or_none(scaled, errors)]
        draw_lines([*filter(None, said), *_being_read_again(going)])
    draw_lines(scaled.warnings)
    draw_notes(notes)
    if scaled.candidates:
        _draw_table(scaled, errors, judged, mbe)
        _draw_meaning(errors)
        _draw_papers(errors)
    if scaled.left_out:
        with st.expander(f"{counted(len(scaled.left_out), 'candidate')} without a score for every question"):
            draw_table(["Candidate", "Why"], [[left.candidate_id, left.why] for left in scaled.left_out])


def _state(provisional: bool, released: bool, outstanding: bool) -> str:
    if released:
        return "Released"
    if provisional:
        return "Provisional, while any question is open"
    return "Not final, while papers are to be read again" if outstanding else "Final"


@lru_cache(maxsize=4)
def _errors(workspace_id: str, last_seq: int) -> ScoreErrors:
    """Give the errors of the scores, drawn anew only after a new act: a page is drawn at every click."""
    with bench().record() as record:
        return errors_of_record(record, scaled_of_record(record), reader_variance_of_record(record))


def _against_the_line(judged: Judged) -> str:
    counts, cut = judged.counts, judged.cut
    said = f"{cut.in_words()} {counts['pass']} pass, {counts['fail']} fail"
    said += f", {counts['reread']} to be read again." if cut.reread_from is not None else "."
    return said + (f" {counts['no_total']} without a total (no MBE score)." if counts["no_total"] else "")


def _being_read_again(going: set[str]) -> list[str]:
    if not going:
        return []
    more = counted(len(going), "more is", "more are")
    return [f"{more} being read again, without a score until that is done."]


def _draw_table(scaled: Scaled, errors: ScoreErrors, judged: Judged | None, mbe: dict[str, float]) -> None:
    percent = f"{100 * errors.bars.settings.confidence:g} %"
    heads = ["Candidate", "Written, raw", "Written, scaled", "MBE", "Total"]
    heads += [f"{percent}: readers, questions, pool", f"{percent}: readers only"]
    if judged is not None:
        heads += [f"Against {judged.cut.total:g}", RESCORE_HEAD.capitalize(), TRUE_SCORE_HEAD.capitalize()]
    rows = [_row(row, scaled, errors, judged, mbe) for row in scaled.candidates]
    # A column in which nothing is known yet takes room and tells nothing; the notes below say why.
    known = [at for at in range(len(heads)) if any(row[at] is not None for row in rows)]
    draw_table([heads[at] for at in known], [[row[at] for at in known] for row in rows])
    if all(bars.everything is None for bars in errors.bars.candidates):
        draw_line(
            "The intervals cover readers only. What other questions and another pool would change is not "
            "known yet, so no total can be set against a line with confidence."
        )
    without = sum(row.total is None for row in scaled.candidates)
    if without:
        draw_line(
            f"For {counted(without, 'candidate')} without an MBE score the intervals are of the written "
            "scaled score, not of a total."
        )
    source = "the pool" if isinstance(scaled.reference, PoolReference) else str(scaled.reference)
    draw_line(f"Method: {scaled.method.replace('_', '/')}; constants from {source}.")


def _row(
    row: ScaledCandidate, scaled: Scaled, errors: ScoreErrors, judged: Judged | None, mbe: dict[str, float]
) -> list[Cell]:
    bars = errors.shown(row, scaled.factors)
    own = mbe.get(row.candidate_id)
    cells: list[Cell] = [
        row.candidate_id,
        f"{row.written_raw:.2f}",
        f"{row.written_scaled:.1f}",
        None if own is None else f"{own:.1f}",
        None if row.total is None else spoken_total(row.total, None if judged is None else judged.cut),
        _shown(bars.everything),
        _shown(bars.readers),
    ]
    if judged is None:
        return cells
    verdict = judged.by_candidate[row.candidate_id]
    chances = errors.chances.get(row.candidate_id, LineChances(None, None))
    said = spoken_chance(chances.rescore), spoken_chance(chances.true_score)
    return [*cells, None if verdict is None else _JUDGED[verdict], *said]


def _shown(bar: Bar | None) -> str | None:
    return None if bar is None else f"{bar.low:.0f}\u2013{bar.high:.0f}"


def _draw_meaning(errors: ScoreErrors) -> None:
    with st.expander("What the intervals and chances mean"):
        draw_lines(
            [
                "The intervals are of the total; without an MBE score, of the written scaled score.",
                f"Readers only: {COVERS[READERS]}",
                f"Readers, questions, pool: {COVERS[EVERYTHING]}",
                *errors.notes,
                *(chances_say() if errors.line is not None else []),
            ]
        )


def _draw_papers(errors: ScoreErrors) -> None:
    if errors.line is None or not errors.papers:
        return
    with st.expander(f"Papers that one further read could move across {errors.line:g}"):
        titles = {item.id: item.title for item in bench().material().items.values()}
        draw_line("Most valuable first. An extreme score is expected to tend back on a further read.")
        draw_table(
            ["Candidate", "Question", "Total", "A further read of", "Chance"],
            [
                [
                    paper.candidate_id,
                    titles.get(paper.item, paper.item),
                    f"{paper.total:g}",
                    _needed(paper),
                    spoken_chance(paper.chance),
                ]
                for paper in errors.papers[:_MOST_PAPERS]
            ],
        )
        if len(errors.papers) > _MOST_PAPERS:
            draw_line(f"And {len(errors.papers) - _MOST_PAPERS} more, in intervals.json of an export.")


def _needed(paper: PaperToRead) -> str:
    return f"{paper.needed:g} or more passes" if paper.to_line > 0 else f"less than {paper.needed:g} fails"
