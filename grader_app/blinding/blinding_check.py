"""The blinding check of a revealed export: each guess beside the truth, the figures, and a page to print."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from grader_app.agreement.blinding_of_round import OUTCOMES, blinding_check, counted_guesses, score_beside
from grader_app.agreement.guesses import ARM_WORDS, Guessed
from grader_app.blinding.arms import Arms
from grader_app.blinding.key_records import KeptSource
from grader_app.domain.blinding_check import Guess
from grader_app.export import html
from grader_app.export.json_file import json_bytes
from grader_app.export.results import Results
from grader_app.export.table import Cell, plain_number
from grader_app.files.spreadsheet_text import neutralise

GUESSES_COLUMNS = (
    "response_id",
    "item",
    "grader_id",
    "guess",
    "sure",
    "guessed_at",
    "source",
    "arm",
    "right",
    "score",
)
"""Columns of the revealed ``guesses.csv``; ``right`` is empty where the grader could not tell."""

PAGE_FILE = "blinding_check.html"
_NAMES = {"bang_index": "Bang's index", "james_index": "James' index", "right_rate": "share guessed right"}
JSON_FILE = "blinding_check.json"

_NOTE = (
    "Guesses were asked for a share of the grades, drawn by chance, after the grade was submitted; they "
    "changed no grade. A question passed over is missing, not a guess. The figures hold for these graders."
)
_HOW = (
    "Bang's index (Bang, Ni and Davis 2004) is the share of right guesses minus the share of wrong ones "
    "among all guesses, those who could not tell included; its variance is that of the multinomial. James' "
    "index is that of James and others (1996). Chance deals the same guesses out over the answers at "
    "random. The interval with guesses about one answer kept together allows for answers that everyone "
    "sees through."
)
_SAME_ARM = (
    "Scores are compared within one question and one kind of writer. A difference need not come from the "
    "guess: an answer may be easy to recognise and good for the same reason."
)


def guess_rows(results: Results, sources: Sequence[KeptSource], arms: Arms) -> list[tuple[str, ...]]:
    """Give the rows of the revealed table of guesses, in the order of `GUESSES_COLUMNS`."""
    source_of = {one.response_id: one.source for one in sources}
    rows: list[tuple[str, ...]] = []
    for one in counted_guesses(results.record):
        arm = arms.by_response.get(one.response_id)
        right = None if arm is None else Guessed(one.response_id, arm, one.guess).right
        score = None if one.response_id in results.replaced else score_beside(results.record, one)
        rows.append(
            (
                one.response_id,
                one.item,
                one.grader_id,
                one.guess.value,
                one.sure.value if one.sure else "",
                one.at,
                neutralise(source_of.get(one.response_id, "")),
                arm.value if arm else "",
                "" if right is None else ("yes" if right else "no"),
                "" if score is None else plain_number(score),
            )
        )
    return rows


def check_files(results: Results, arms: Arms) -> dict[str, bytes]:
    """Compute the figures and their page, by file name."""
    check = blinding_check(results.record, arms.by_response, leave_out=results.replaced) | {
        "arms_from": arms.says,
        "notes": list(results.notes),
        "version": results.version,
    }
    return {JSON_FILE: json_bytes(check), PAGE_FILE: _page(results, check).encode("utf-8")}


def _page(results: Results, check: Mapping[str, Any]) -> str:
    note = results.short_note
    parts = [
        html.heading(1, f"{results.round.title}: how well the blind held"),
        html.notes_box([*results.notes, check["arms_from"]]),
        html.paragraph(check["says"]),
        html.paragraph(
            f"Who wrote the answer was asked {check['asked']} times and answered {check['answered']} times. "
            f"{_NOTE}"
        ),
        html.bullets(f"Left out: {left['n']} {left['why']}." for left in check["left_out"]),
        html.heading(2, "Guesses against chance"),
        # Two figures that cannot be given for the same reason say it once.
        html.bullets(dict.fromkeys(figure["says"] for figure in check["figures"])),
        _figures(check, note),
        html.paragraph(_HOW, quiet=True),
        _graders(check, note),
        html.heading(2, "Scores by what came of the guess"),
        *_scores(results, check, note),
        html.heading(2, "Answers said to give their author away"),
        *_flagged(results, check, note),
    ]
    return html.page(f"{results.round.title}: how well the blind held", parts, note)


def _figures(check: Mapping[str, Any], note: str) -> str:
    heads = (
        "figure",
        "answers by",
        "value",
        "low",
        "high",
        "low, together",
        "high, together",
        "answers",
        "status",
    )
    rows = [
        (
            _NAMES.get(figure["name"], figure["name"]),
            ARM_WORDS[Guess(figure["arm"])] if figure["arm"] else "both",
            figure["value"],
            figure["low"],
            figure["high"],
            figure.get("details", {}).get("low_over_answers"),
            figure.get("details", {}).get("high_over_answers"),
            figure["n_responses"],
            figure["status"].replace("_", " "),
        )
        for figure in check["figures"]
    ]
    return html.table("Figures", heads, rows, note=note, numbers=frozenset(heads[2:8]), decimals=2)


def _graders(check: Mapping[str, Any], note: str) -> str:
    heads = ("grader", "answers by", "right", "wrong", "cannot tell")
    rows: list[Sequence[Cell]] = [
        (row["grader_id"], ARM_WORDS[Guess(row["arm"])], row["right"], row["wrong"], row["cannot_tell"])
        for row in check["graders"]
    ]
    return (
        html.table("Guesses by grader", heads, rows, note=note, numbers=frozenset(heads[2:])) if rows else ""
    )


def _scores(results: Results, check: Mapping[str, Any], note: str) -> Iterator[str]:
    if not check["scores"]:
        yield html.paragraph("There is no score with a guess beside it.")
        return
    heads = (
        "item",
        "answers by",
        *(f"{outcome}: {what}" for outcome in OUTCOMES.values() for what in ("n", "mean")),
    )
    rows = [
        (
            row["item"],
            ARM_WORDS[Guess(row["arm"])],
            *(cell for group in row["groups"] for cell in (group["n"], group["mean"])),
        )
        for row in check["scores"]
    ]
    yield html.table("Mean scores", heads, rows, note=note, numbers=frozenset(heads[2:]), decimals=2)
    yield html.bullets(
        f"{results.item_title(row['item'])}, {ARM_WORDS[Guess(row['arm'])]}: {row['difference']['says']}"
        for row in check["scores"]
    )
    yield html.paragraph(_SAME_ARM, quiet=True)


def _flagged(results: Results, check: Mapping[str, Any], note: str) -> Iterator[str]:
    by_arm = check["flagged_by_arm"]
    if not check["flagged"]:
        yield html.paragraph("No grader said of any answer that its text gives its author away.")
        return
    yield html.paragraph(
        f"Flagged: {by_arm['person']} written by people, {by_arm['model']} by language models."
    )
    yield html.bullets(
        f"{results.item_title(one['item'])}: {one['difference']['says']}" for one in check["flagged"]
    )
