"""Grades given under an earlier version of their question, and what would read differently now."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from grader_app.domain.events import Event, EventKind
from grader_app.domain.grade import Grade
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.read_anew import ReadAnew, read_anew
from grader_app.domain.rubric import Rubric
from grader_app.store.event_log import events_of_kinds
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.rulings import GradedBefore, graded_before
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class OlderGrade:
    """A grade given under an earlier version, beside what it would read under the one that stands.

    Parameters
    ----------
    before
        Who gave what, under which version, and whether it was asked for again.
    reads
        The same entries under the version that stands.
    page_showed_it
        True when the newer version was registered already and the grader's page still showed this one.
    """

    before: GradedBefore
    reads: ReadAnew
    page_showed_it: bool


@dataclass(frozen=True)
class NewerVersion:
    """A question with a version newer than the one some of its grades were given under.

    Parameters
    ----------
    item, title
        The question.
    version, registered_at
        The version that stands, and the UTC time since which it does.
    closed
        True when the lead has closed the question: then nothing can be asked for again.
    grades
        The grades given under an earlier version, but those the lead let stand.
    """

    item: str
    title: str
    version: str
    registered_at: str
    closed: bool
    grades: tuple[OlderGrade, ...]

    @property
    def by_version(self) -> dict[str, int]:
        """How many of the grades were given under each earlier version, the oldest first."""
        counted = Counter(one.before.version for one in self.grades)
        return {version: counted[version] for version in sorted(counted, key=int)}

    @property
    def moved(self) -> int:
        """How many of the scores would be another number."""
        return sum(bool(one.reads.moved) for one in self.grades)

    @property
    def total_moved(self) -> float:
        """What all scores together would move by, in points; those without a score are left out."""
        return sum(one.reads.moved or 0.0 for one in self.grades)

    @property
    def without_score(self) -> int:
        """How many would have no score until their grader looked again."""
        return sum(not one.reads.makes_a_score for one in self.grades)


@dataclass(frozen=True)
class VersionDecision:
    """What the lead decided about grades given under an earlier version.

    Parameters
    ----------
    at, actor
        When, and the account id of who decided.
    item
        The question.
    kept
        True where the grades were left to stand, False where they were asked for again.
    count
        How many grades.
    reason
        In the lead's own words.
    """

    at: str
    actor: str
    item: str
    kept: bool
    count: int
    reason: str


def newer_versions(bench: Workbench) -> list[NewerVersion]:
    """List the questions that some grades were given under an earlier version of, in the round's order."""
    found = []
    for item in bench.material().items:
        older = graded_before(bench, item)
        if older:
            found.append(_newer_version(bench, item, older))
    return found


def version_decisions(bench: Workbench) -> list[VersionDecision]:
    """List what was decided about such grades, latest first."""
    with bench.record() as record:
        counts = set(record.assignments) - set(record.check_grades)
    found = []
    for event in events_of_kinds(bench.store, (EventKind.GRADES_KEPT, EventKind.GRADES_RECALLED)):
        found.append(
            VersionDecision(
                event.at,
                event.actor,
                event.subject,
                event.kind == EventKind.GRADES_KEPT,
                # Planted checks asked for again beside them are no grades that count.
                len(counts & set(event.body["assignment_ids"])),
                get_text_or_none(bench.store, event.body["reason_hash"]) or "",
            )
        )
    return found[::-1]


def _newer_version(bench: Workbench, item: str, older: list[GradedBefore]) -> NewerVersion:
    material = bench.material()
    registered = [
        event
        for event in events_of_kinds(bench.store, (EventKind.FILE_REGISTERED,))
        if (event.body["kind"], event.body["id"]) == ("item", item)
    ]
    with bench.record() as record:
        grades = {one.assignment_id: record.grades[one.assignment_id] for one in older}
        closed = item in record.closed_items
    new = (material.rubrics[item], material.item(item).sheet)
    return NewerVersion(
        item,
        material.item(item).title,
        material.item(item).version,
        registered[-1].at,
        closed,
        tuple(_older_grade(bench, one, grades[one.assignment_id], new, registered) for one in older),
    )


def _older_grade(
    bench: Workbench,
    before: GradedBefore,
    grade: Grade,
    new: tuple[Rubric, PointSheet],
    registered: Iterable[Event],
) -> OlderGrade:
    old = (bench.kept_rubric(grade.rubric_hash), bench.kept_item(grade.item_hash).sheet)
    stood = [event.body["hash"] for event in registered if event.seq < grade.event_seq]
    return OlderGrade(before, read_anew(grade, old, new), bool(stood) and stood[-1] != grade.item_hash)
