"""The score sheet of a printed packet: short signs for what a rubric names by id, and reading them back."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from grader_app.domain.grade import GradeEntry, check_grade
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.rubric import Rubric
from grader_app.errors import GradeProblem

_LETTERS = "ABCDEFGHJKMNPQRSTUVWXYZ"
SCORE = "score"
CODE, ERRORS, GAPS, POINTS, NOTE = "code", "errors", "gaps", "points", "note"
MARK = "mark:"
"""Before a criterion's id: the field in which its mark is typed."""


@dataclass(frozen=True)
class SheetRow:
    """One row of a score sheet as somebody typed it.

    Parameters
    ----------
    letter
        The check letter behind the paper's id.
    values
        What was typed by field (`ScoreSheet.fields`); a field left out is empty.
    """

    letter: str = ""
    values: Mapping[str, str] = field(default_factory=dict)

    def get(self, name: str) -> str:
        """Give what was typed in a field, without blanks around it."""
        return self.values.get(name, "").strip()

    @property
    def is_blank(self) -> bool:
        """Whether nothing at all was typed."""
        return not self.letter.strip() and not any(map(str.strip, self.values.values()))


@dataclass(frozen=True)
class ScoreSheet:
    """What a grader can write for one paper of an item.

    Parameters
    ----------
    rubric, point_sheet
        How the item is graded.
    """

    rubric: Rubric
    point_sheet: PointSheet

    @property
    def codes(self) -> dict[str, str]:
        """Letter of each condition code, by its id."""
        return {code.id: sign for code, sign in zip(self.rubric.condition_codes, _LETTERS, strict=False)}

    @property
    def errors(self) -> dict[str, str]:
        """Number of each error type, by its id."""
        return _numbered(error.id for error in self.rubric.error_types)

    @property
    def gaps(self) -> dict[str, str]:
        """Number of each analysis gap, by its id."""
        return _numbered(gap.id for gap in self.rubric.analysis_gaps)

    @property
    def points(self) -> dict[str, str]:
        """Number of each point of the sheet, by its id: 1.2 is the second point of the first issue."""
        return self.point_sheet.numbers

    @property
    def fields(self) -> dict[str, str]:
        """Heading of each field to type, by its name, in the order of the sheet."""
        found = {SCORE: "Score"} if self.rubric.score.given_by == "grader" else {}
        found |= {MARK + criterion.id: criterion.title for criterion in self.rubric.criteria}
        named = {CODE: ("Code", self.codes), ERRORS: ("Errors", self.errors), GAPS: ("Gaps", self.gaps)}
        named |= {POINTS: ("Points", self.points)}
        return found | {name: title for name, (title, signs) in named.items() if signs} | {NOTE: "Note"}

    def read(self, row: SheetRow) -> GradeEntry:
        """Read a row that somebody typed.

        Raises
        ------
        GradeProblem
            With everything that is wrong in it.
        """
        problems: list[str] = []
        entry = GradeEntry(
            score=_number(row.get(SCORE), "Score", problems),
            marks={
                criterion.id: mark
                for criterion in self.rubric.criteria
                if (mark := _number(row.get(MARK + criterion.id), criterion.title, problems)) is not None
            },
            error_types=_several(row.get(ERRORS), "Errors", self.errors, problems),
            analysis_gaps=_several(row.get(GAPS), "Gaps", self.gaps, problems),
            points=_several(row.get(POINTS), "Points", self.points, problems),
            condition_code=_code(row.get(CODE), self.codes, problems),
        )
        if problems:
            raise GradeProblem(" ".join(problems))
        check_grade(self.rubric, self.point_sheet, entry)
        return entry

    def as_typed(self, body: Mapping[str, Any]) -> dict[str, str]:
        """Write the values of a grade event as they would be typed, by field; empty fields are left out."""
        found = {}
        if body["score"] is not None and self.rubric.score.given_by == "grader":
            found[SCORE] = f"{body['score']:g}"
        found |= {MARK + criterion: f"{mark:g}" for criterion, mark in body["marks_entered"].items()}
        if body["condition_code"] is not None:
            found[CODE] = self.codes[body["condition_code"]]
        several = ((ERRORS, self.errors, "error_types"), (GAPS, self.gaps, "analysis_gaps"))
        for name, signs, key in (*several, (POINTS, self.points, "points")):
            if body[key]:
                found[name] = " ".join(sign for one, sign in signs.items() if one in body[key])
        return found


def _numbered(ids: Iterable[str]) -> dict[str, str]:
    return {one: str(number) for number, one in enumerate(ids, start=1)}


def _number(typed: str, what: str, problems: list[str]) -> float | None:
    if not typed:
        return None
    if re.fullmatch(r"-?\d{1,6}(\.\d{1,6})?|\.\d{1,6}", typed) is None:
        problems.append(f"{what}: `{typed}` is no number; type one such as 4 or 3.5.")
        return None
    return float(typed)


def _several(typed: str, what: str, signs: Mapping[str, str], problems: list[str]) -> tuple[str, ...]:
    """Read numbers with blanks or commas between them, and runs such as 2-5 or 1.2-1.4."""
    ids = {sign: one for one, sign in signs.items()}
    found: dict[str, None] = {}
    for part in re.split(r"[\s,;]+", typed) if typed else ():
        run = _run(part, list(ids))
        if not run:
            first, last = next(iter(ids), ""), next(reversed(ids), "")
            problems.append(f"{what}: `{part}` is not on the sheet, which numbers them {first} to {last}.")
        found |= {ids[sign]: None for sign in run}
    return tuple(found)


def _run(part: str, signs: Sequence[str]) -> Sequence[str]:
    """Give the numbers that a part stands for; none where the sheet does not have them."""
    first, _, last = part.partition("-")
    ends = [end.lstrip("0") for end in (first, last or first)]
    if any(end not in signs for end in ends) or part.endswith("-"):
        return ()
    return signs[signs.index(ends[0]) : signs.index(ends[1]) + 1]


def _code(typed: str, signs: Mapping[str, str], problems: list[str]) -> str | None:
    if not typed:
        return None
    ids = {sign: one for one, sign in signs.items()} | {one.upper(): one for one in signs}
    if typed.upper() not in ids:
        listed = ", ".join(f"{sign} {one}" for one, sign in signs.items()) or "none"
        problems.append(f"Code: `{typed}` is no code; the sheet has {listed}.")
        return None
    return ids[typed.upper()]
