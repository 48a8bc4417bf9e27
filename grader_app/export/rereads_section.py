"""The report's section on papers read again before release."""

from __future__ import annotations

from grader_app.domain.read_again import read_again
from grader_app.domain.reread_rule import RULE_SAYS
from grader_app.export import html
from grader_app.export.results import Results


def rereads_section(results: Results) -> str:
    """Say what was read again before release and by which rule; nothing where nothing was."""
    found = read_again(results.record)
    if not found.answers:
        return ""
    rules = dict.fromkeys(begun.rule for begun in results.record.rereads.begun)
    return html.section(
        "Re-reads before release",
        html.in_short(results.notes, results.short_note),
        *(html.paragraph(f"Rule {rule}: {RULE_SAYS[rule]}") for rule in rules),
        html.paragraph(
            f"Answers sent: {found.answers}. Read: {found.done}, of which {found.up} rose, {found.down} fell "
            f"and {found.same} stayed. Waiting: {found.waiting}. In dispute: {found.disputed}."
        ),
        html.paragraph(
            "Raw is the first score; no re-read enters a figure on agreement. Each stands in "
            "adjudications.csv.",
            quiet=True,
        ),
    )
