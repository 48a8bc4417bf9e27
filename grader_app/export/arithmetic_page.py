"""The arithmetic review: each total worked out line by line on a page to print, for a calculator."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from grader_app.domain.scaling_rules import METHODS_SAY
from grader_app.export import html
from grader_app.export.arithmetic import worked_candidates
from grader_app.export.field_kind import FieldKind as Kind
from grader_app.export.results import Results
from grader_app.scaling.scale_pool import Scaled
from grader_app.scaling.worked_arithmetic import Worked

ARITHMETIC_FILE = "arithmetic.html"
MOST_CANDIDATES = 500
"""More would make a page that nobody can open; `grader-app appeal` works out any one candidate."""
_HEADS = ("line", "what", "typed in", "gives")


def arithmetic_bytes(results: Results, shows: frozenset[Kind]) -> bytes:
    """Write the page.

    Parameters
    ----------
    results
        What to write.
    shows
        The kinds of fields that may stand in it.

    Raises
    ------
    ValueError
        Scores and MBE may not be shown.
    """
    if not {Kind.CANDIDATE_ID, Kind.SCORE, Kind.SCALED_SCORE, Kind.MBE} <= shows:
        raise ValueError("an arithmetic review shows candidates, scores, scaled scores and MBE")
    title = f"{results.round.title}: arithmetic review"
    parts = [
        "<section>",
        html.heading(1, title),
        html.notes_box(results.notes),
        *how_worked(results),
        "</section>",
    ]
    for worked in islice(worked_candidates(results), MOST_CANDIDATES):
        parts.append(f'<div class="together">{worked_table(worked, results.short_note)}</div>')
    rest = len(results.scaled.candidates) - MOST_CANDIDATES if results.scaled else 0
    if rest > 0:
        parts.append(
            html.paragraph(
                f"{rest} more candidates: grader-app appeal writes the arithmetic of any one of them."
            )
        )
    return html.page(title, parts, results.short_note).encode("utf-8")


def how_worked(results: Results) -> Iterator[str]:
    """Say by which method and from which constants the totals are worked out."""
    if results.scaled is None:
        yield html.paragraph(results.not_scaled)
        return
    yield html.paragraph(
        "Type in what stands under typed in: it gives what stands beside it, in the digits with which the "
        "next line goes on. Numbers have as many places as it takes to give the reported total."
    )
    yield html.paragraph(_rule(results.scaled))
    for constants in results.scaled.constants.values():
        yield html.paragraph(
            f"The scaling group is the {constants.written.n} candidates marked yes under in_scaling_group "
            "in scaled.csv. Mean and SD of their written_raw are in the lines below; the SD divides by their "
            "number, not by one less."
        )


def _rule(scaled: Scaled) -> str:
    if scaled.method == "equipercentile":
        return (
            f"Method: {METHODS_SAY[scaled.method]}. The rank of a written score among those of the scaling "
            "group, ties counted half, is looked up in the list of the group's MBE scores."
        )
    return (
        f"Method: {METHODS_SAY[scaled.method]}, reference {scaled.reference}. Written score = "
        "(raw − mean) ÷ SD × SD of the MBE + MBE mean."
    )


def worked_table(worked: Worked, note: str = "") -> str:
    """Give one candidate's lines as a table, with a warning where they do not give the reported total."""
    rows = [(number, one.what, one.expression, one.result) for number, one in enumerate(worked.lines, 1)]
    made = html.table(
        f"Candidate {worked.candidate_id}", _HEADS, rows, note=note, numbers=frozenset({"typed in", "gives"})
    )
    if worked.reproduced:
        return made
    return made + html.paragraph(
        "These lines do not give the reported total: the round scales by steps that are not written out here."
    )
