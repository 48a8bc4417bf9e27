"""The words that show a point, an error or a gap, copied into the fields of the plain form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import streamlit as st

from grader_app.domain.highlight import Evidences, Highlight
from grader_app.domain.quoted_words import places_of
from grader_app.domain.response import BlindSheet
from grader_app.domain.tally import departs, point_worth, tally


@dataclass
class Words:
    """The words attached so far, at their place in the text as shown.

    Parameters
    ----------
    text
        The answer as shown.
    kept
        What was attached before.
    found
        What the fields hold now.
    problems
        A sentence for each line that has no one place in the answer.
    """

    text: str
    kept: Sequence[Highlight]
    found: list[Highlight] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def draw_field(self, of: Evidences, name: str, what: str, key: str) -> None:
        """Draw the field for the words that show one thing, and say below it where they stand."""
        before = {_one_line(self._words(one)): one for one in self.kept if (one.of, one.id) == (of, name)}
        written = st.text_area(
            f"Words that show {what}, copied from the answer, one passage a line (may stay empty)",
            "\n".join(before),
            height=68,
            key=f"words:{of}:{name}:{key}",
        )
        said = []
        for line in filter(None, (one.strip() for one in written.splitlines())):
            places = places_of(self.text, line)
            if _one_line(line) in before:
                self.found.append(before[_one_line(line)])
            elif len(places) == 1:
                self.found.append(Highlight(*places[0], of, name))
            else:
                problem = _not_one_place(line, len(places))
                self.problems.append(f"The words that show {what}: {problem}")
                said.append(problem)
        # One line always stands here, so that the buttons below do not move under the hand.
        st.text(" ".join(said) or ("Found in the answer." if written.strip() else "No words yet."))

    def _words(self, one: Highlight) -> str:
        return self.text[one.start : one.end]


def tally_lines(sheet: BlindSheet, points: Sequence[str], score: float | None) -> list[str]:
    """Say what the ticked points come to, and ask where the score departs from it."""
    worth, rubric = point_worth(sheet.point_sheet), sheet.rubric
    if not worth:
        return []
    percent = sum(worth[point] for point in points)
    lines = [f"Points found {len(points)} of {len(worth)} ({percent:.0f} % by weight)."]
    if rubric.score.given_by != "grader" or not points:
        return lines
    tallied = tally(points, sheet.point_sheet, rubric.score.range)
    lines[0] += f" Alone they would come to about {tallied:.1f}; the score is yours."
    if score is not None and departs(score, tallied, rubric.score.range):
        lines.append(
            f"You gave {score:g}; the points ticked come to about {tallied:.0f}. {_question(score, tallied)}"
        )
    return lines


def _question(score: float, tallied: float) -> str:
    if score > tallied:
        return "Is something ticked too few, or does the answer earn more than the sheet lists?"
    return "Is something ticked too many, or does the answer earn less than its points?"


def _not_one_place(line: str, count: int) -> str:
    if count == 0:
        return f"“{line}” is not in the answer. Copy the words exactly as they stand there."
    return f"“{line}” stands in {count} places. Copy a few more words, so that the place is clear."


def _one_line(words: str) -> str:
    return " ".join(words.split())
