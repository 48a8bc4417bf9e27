"""The report's first page: the round, what to know first, the protocol card, the totals, the agreement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from grader_app.export import html
from grader_app.export.charts import agreement_chart
from grader_app.export.protocol_card import protocol_card
from grader_app.export.protocol_section import protocol_table
from grader_app.export.results import Results
from grader_app.export.totals_summary import totals_summary

COVERS = (
    "Each interval covers other answers of the same kind, graded by these graders. It covers neither other "
    "graders nor other questions."
)
_ON_FIRST_PAGE = ("exact", "exact_or_adjacent", "krippendorff_alpha")


def first_page(results: Results) -> str:
    """Give the section that stands first."""
    counts, the_round = results.counts, results.round
    sentences = [
        f"Answers: {counts['answers']}, of {counts['candidates']} {_who_answered(results)}. "
        f"Grades: {counts['grades']}, "
        f"by {counts['graders']} graders.",
        f"Answers with a final score: {counts['answers_final']}. Disputed: {counts['answers_disputed']}. "
        f"Decided by a condition code: {counts['answers_coded']}. "
        f"Waiting for a read: {counts['answers_waiting']}.",
    ]
    return "\n".join(
        [
            "<section>",
            html.heading(1, the_round.title),
            html.paragraph(
                f"Round {the_round.id}, version {the_round.version}.{_as_of(results)}", quiet=True
            ),
            html.notes_box(results.notes),
            *(html.paragraph(sentence) for sentence in sentences),
            html.paragraph(" ".join(results.reconciliation.unreconciled) or results.reconciliation.line),
            html.paragraph(results.reconciliation.candidates.line),
            html.bullets(results.reconciliation.candidates.remarks),
            protocol_table(protocol_card(results), results.short_note),
            *totals_summary(results),
            "</section>",
            '<section class="follows">',
            html.heading(2, "Questions, and how far the graders agree"),
            html.notes_box(html.in_short(results.notes, results.short_note)),
            _items_table(results),
            _agreement_chart(results),
            *_agreement_sentences(results),
            html.paragraph(COVERS, quiet=True),
            "</section>",
        ]
    )


def _as_of(results: Results) -> str:
    """Say how far the record reaches: a printed page has no other date."""
    if not results.events:
        return ""
    at = results.events[-1].at
    return f" As the record stood on {at[:10]} at {at[11:16]} UTC."


def _who_answered(results: Results) -> str:
    """Say who wrote the answers: in tasks on rule application each answer is a model's run."""
    files, current = results.inputs.files, results.record.current_files
    digests = [digest for (kind, _), digest in current.items() if kind == "item"]
    kinds = {files[digest]["content"]["sheet"]["kind"] for digest in digests if digest in files}
    return "candidates and model runs" if "rule_application" in kinds else "candidates"


def _items_table(results: Results) -> str:
    by_item: dict[str, Counter[str]] = {item: Counter() for item in results.record.items()}
    for response_id, standing in results.standings.items():
        by_item[str(results.inputs.responses[response_id]["item"])][standing.status] += 1
    weights = results.round.weights
    heads = ("item", "weight", "answers", "final", "disputed", "coded", "waiting", "state")
    rows = [
        (
            item,
            weights.get(item),
            counted.total(),
            *(counted[status] for status in heads[3:7]),
            "closed" if item in results.record.closed_items else "open",
        )
        for item, counted in by_item.items()
    ]
    return html.table("Items", heads, rows, note=results.short_note, numbers=frozenset(heads[1:7]))


def _agreement_sentences(results: Results) -> Iterator[str]:
    for facet in results.agreement["facets"]:
        if facet["facet"] == "score":
            # One reason can stand for several figures; it is said once.
            says = dict.fromkeys(
                figure["says"] for figure in facet["figures"] if figure["name"] in _ON_FIRST_PAGE
            )
            yield html.heading(3, results.item_title(facet["item"]))
            yield html.bullets(says)


def _agreement_chart(results: Results) -> str:
    facets = [one for one in results.agreement["facets"] if one["facet"] == "score"]
    return agreement_chart(facets) if facets else ""
