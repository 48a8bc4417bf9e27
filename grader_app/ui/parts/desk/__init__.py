"""The grading desk: a component that shows one answer and takes one judgment."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import streamlit as st

from grader_app.domain.blinding_check import GUESS_WORDS, SURENESS_WORDS
from grader_app.domain.final_score import COUNTS_AS
from grader_app.domain.referral import REASONS
from grader_app.domain.response import BlindSheet
from grader_app.domain.rulings_text import rulings_text
from grader_app.domain.tally import point_worth

_HERE = Path(__file__).parent
# One module in the browser, written as several files; each uses only names of those before it.
_PARTS = (
    "elements",
    "texts",
    "textmap",
    "drawing",
    "reading",
    "theming",
    "finding",
    "evidence",
    "walking",
    "tallying",
    "judging",
    "posting",
    "keeping",
    "tabs",
    "guessing",
    "keys",
    "keylist",
    "desk",
)
_JS = "\n".join((_HERE / f"{part}.js").read_text(encoding="utf-8") for part in _PARTS)
_CSS = "\n".join((_HERE / f"{part}.css").read_text(encoding="utf-8") for part in ("desk", "keeping"))


def draw_desk(data: dict[str, Any]) -> None:
    """Draw the desk; when it has recorded a grade it asks for this run again, which finds the next answer.

    Parameters
    ----------
    data
        From `desk_data`.
    """
    mount = st.components.v2.component(
        "grading_desk", html='<div class="desk-root">\n</div>', css=_CSS, js=_JS, isolate_styles=True
    )
    mount(data=data, key="grading-desk", on_next_change=lambda: None)


def desk_data(
    sheet: BlindSheet,
    *,
    csrf_token: str,
    draft: dict[str, Any] | None,
    saved_at: str | None,
    progress: dict[str, Any],
    correcting: dict[str, Any] | None = None,
    last_recorded_at: str | None = None,
    calibrating: str | None = None,
    waits: Sequence[Mapping[str, str]] = (),
    author_flagged_at: str | None = None,
    previous: str | None = None,
    revision: int = 0,
    says: str = "",
) -> dict[str, Any]:
    """Give all that the browser receives for one answer.

    Parameters
    ----------
    sheet
        What the grader may see.
    csrf_token
        Sent back with every draft and grade.
    draft, saved_at
        What was entered before, and when it reached the disk.
    progress
        ``done``, ``total`` and ``left_text`` for the bar, and ``here_only``: whether others wait too.
    correcting
        ``gave`` and ``submitted_at`` of the grade being corrected, all that was entered (``submitted``) and
        every version of it (``history``); or None.
    last_recorded_at
        When the answer before this one was submitted.
    calibrating
        What the bar says while a packet is scored; None in live grading, planted checks included.
    waits
        Questions closed to the grader while answers of them wait: each what the line above the desk
        ``says``, its ``link`` and where it ``goes_to``.
    author_flagged_at
        When this grader said that the text gives its author away, or None.
    previous
        The answer this grader submitted before, to go back to it; None where there is none.
    revision
        Of the draft; 0 where there is none.
    says
        What the grader is told first, such as that the question has a new version.

    Notes
    -----
    Words attached stand in a draft at their place in the text as shown, in Unicode code points.
    """
    rubric, points = sheet.rubric, sheet.point_sheet
    scale = rubric.score.range
    return {
        "assignment": sheet.assignment_id,
        # A correction of the answer just graded is a fresh page even though the answer is the same.
        "item": sheet.item,
        "item_hash": sheet.item_hash,
        "revision": revision,
        "says": says,
        "served": f"{sheet.assignment_id}:{bool(correcting)}",
        "title": sheet.title,
        "kind": sheet.kind,
        "prompt": sheet.prompt,
        "answer": sheet.answer,
        "cut_off": sheet.cut_off,
        "guidelines": rulings_text(sheet.guidelines, points, rubric),
        "file": sheet.file,
        "library": sheet.library,
        "gold": points.gold,
        "issues": [
            {
                "title": issue.title,
                "weight_percent": issue.weight_percent,
                "accept_also": list(issue.accept_also),
                "common_mistakes": list(issue.common_mistakes),
                "points": [
                    {
                        "id": point.id,
                        "part": point.part,
                        "text": point.text,
                        "authority": point.authority,
                        "contested": point.contested,
                        "sources": list(point.sources),
                    }
                    for point in issue.points
                ],
            }
            for issue in points.issues
        ],
        # What the points would come to alone; the browser shows it beside the score.
        "worth": point_worth(points),
        "range": {"lowest": scale.lowest, "highest": scale.highest, "step": scale.step},
        "library_documents": [{"id": one.id, "title": one.title} for one in points.library],
        "given_by": rubric.score.given_by,
        "scores": list(rubric.score.range.values()),
        "levels": [
            {"score": level.score, "label": level.label, "means": level.means} for level in rubric.levels
        ],
        "criteria": [
            {
                "id": c.id,
                "title": c.title,
                "question": c.question,
                "lowest": c.lowest,
                "highest": c.highest,
                "values": list(c.range.values()),
                "zero_if_any_error": c.zero_if_any_error,
                "needs": c.needs,
                "if_unmet": c.if_unmet,
            }
            for c in rubric.criteria
        ],
        "error_types": [{"id": e.id, "title": e.title, "means": e.means} for e in rubric.error_types],
        "analysis_gaps": [{"id": g.id, "title": g.title, "means": g.means} for g in rubric.analysis_gaps],
        "condition_codes": [
            {"id": c.id, "title": c.title, "counts": f"{c.title}: {COUNTS_AS[c.counts_as]}."}
            for c in rubric.condition_codes
        ],
        "reminders": [one.question for one in rubric.checklist],
        "reasons": [{"id": reason, "text": text} for reason, text in REASONS.items()],
        "csrf_token": csrf_token,
        "draft": draft,
        "saved_at": saved_at,
        "progress": progress,
        "correcting": correcting,
        "last_recorded_at": last_recorded_at,
        "calibrating": calibrating,
        "waits": [dict(one) for one in waits],
        "author_flagged_at": author_flagged_at,
        "guesses": [{"id": one.value, "text": text} for one, text in GUESS_WORDS.items()],
        "sureness": [{"id": one.value, "text": text} for one, text in SURENESS_WORDS.items()],
        "previous": previous,
    }
