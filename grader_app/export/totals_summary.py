"""What the totals of a round come to, in a few lines and one chart."""

from __future__ import annotations

from collections.abc import Iterator
from math import fsum, sqrt

from grader_app.domain.read_again import candidates_read_again
from grader_app.domain.round import Cut
from grader_app.export import html
from grader_app.export.charts import totals_chart
from grader_app.export.results import Results
from grader_app.scaling.across_the_line import across_sentence_or_none
from grader_app.scaling.cuts import in_band, reaches

_READERS_ALONE = (
    "How far other questions and another pool would move a total is not known, so no total can be set "
    "against the line with confidence."
)


def totals_summary(results: Results) -> Iterator[str]:
    """Give the part of a page that says how many have a total, how they are spread, and who passes.

    Parameters
    ----------
    results
        The round.
    """
    yield html.heading(2, "Totals")
    totals = reported_totals(results)
    if not totals:
        yield html.paragraph(f"No candidate has a total. {results.not_scaled}".strip())
        return
    yield html.paragraph(_spread(totals))
    cut = results.round.cut
    if cut is not None:
        yield html.paragraph(_at_the_line(totals, cut) + _read_already(results, cut))
        if results.scaled is not None and results.errors is not None:
            yield html.paragraph(across_sentence_or_none(results.scaled, results.errors) or _READERS_ALONE)
    yield totals_chart(totals, cut)


def reported_totals(results: Results) -> list[float]:
    """List the totals that are reported, by candidate id."""
    rows = results.scaled.candidates if results.scaled else ()
    return [row.total for row in rows if row.total is not None]


def _spread(totals: list[float]) -> str:
    n = len(totals)
    mean = fsum(totals) / n
    whose = "1 candidate has a total" if n == 1 else f"{n} candidates have a total"
    said = f"{whose}: mean {mean:.1f}, lowest {min(totals):g}, highest {max(totals):g}"
    if n == 1:
        return f"{said}."
    sd = sqrt(fsum((total - mean) ** 2 for total in totals) / n)
    return f"{said}, SD {sd:.1f} (divided by their number)."


def _at_the_line(totals: list[float], cut: Cut) -> str:
    passing = sum(reaches(total, cut) for total in totals)
    said = f"At {cut.total:g} or above: {passing} of {len(totals)} ({100 * passing / len(totals):.0f} %)."
    if cut.reread_from is None or cut.reread_to is None:
        return said
    near = sum(in_band(total, cut) for total in totals)
    return f"{said} From {cut.reread_from:g} to {cut.reread_to:g}, the band that is read again: {near}."


def _read_already(results: Results, cut: Cut) -> str:
    """Say how many of those in the band have been read again, so that the line alone judges them."""
    if results.scaled is None:
        return ""
    again = candidates_read_again(results.record)
    inside = [
        row.candidate_id in again
        for row in results.scaled.candidates
        if row.total is not None and in_band(row.total, cut)
    ]
    if not any(inside):
        return ""
    return " Read again already: " + ("all of them." if all(inside) else f"{sum(inside)} of them.")
