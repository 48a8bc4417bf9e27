"""The report's section on papers read again before release."""

from __future__ import annotations

from grader_app.domain.read_again import read_again
from grader_app.domain.reread_rule import rule_in_words
from grader_app.export import html
from grader_app.export.results import Results


def rereads_section(results: Results) -> str:
    """Say what was read again before release and by which rule; nothing where nothing was."""
    found = read_again(results.record)
    if not found.answers:
        return ""
    if results.discloses_no_first_score:
        moved, raw = "", "By the board's rule no first score is disclosed, nor which way a score went."
    else:
        moved = f", of which {found.up} rose, {found.down} fell and {found.same} stayed"
        raw = "Raw is the first score."
    rules = dict.fromkeys((begun.rule, begun.gap) for begun in results.record.rereads.begun)
    return html.section(
        "Re-reads before release",
        html.in_short(results.notes, results.short_note),
        *(html.paragraph(rule_in_words(rule, gap)) for rule, gap in rules),
        html.paragraph(
            f"Answers sent: {found.answers}. Read: {found.done}{moved}. Waiting: {found.waiting}. "
            f"In dispute: {found.disputed}."
        ),
        html.paragraph(
            f"{raw} No re-read enters a figure on agreement. Each stands in adjudications.csv.", quiet=True
        ),
        short=True,
    )
