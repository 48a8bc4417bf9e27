"""Rulings on an item, who has read them anew, and what becomes of grades given before."""

from __future__ import annotations

import threading
from collections import Counter
from dataclasses import dataclass

from grader_app.domain.calibration_record import SheetQuestion
from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.panel import CHECKS
from grader_app.domain.qualification import same_but_guidelines
from grader_app.errors import GradeProblem, ItemIsClosed, NotAllowed, StoreProblem
from grader_app.files.item_folder import SHEET
from grader_app.files.ruling_in_files import in_place, with_ruling
from grader_app.files.yaml_lines import without_such_characters
from grader_app.store.event_log import append
from grader_app.store.file_versions import all_file_versions
from grader_app.store.texts import get_text_or_none, keep_text
from grader_app.workflow.qualification import enabled_graders
from grader_app.workflow.registration import register_files
from grader_app.workflow.workbench import Workbench

LONGEST_RULING = 4000
# Two rulings at a time would each write the version after the one both have read.
_ONE_RULING_AT_A_TIME = threading.Lock()


@dataclass(frozen=True)
class GradedBefore:
    """A live grade given under an earlier version of its item.

    Parameters
    ----------
    assignment_id, response_id, grader_id
        The grade.
    version
        The item's version it was given under.
    gave
        Score or condition code.
    only_guidelines
        True when nothing but the guidelines has changed since.
    recalled
        True when the lead has asked for it to be graded again and it has not been yet; False again once its
        grader can no longer sign in, so that the lead can let it stand.
    """

    assignment_id: str
    response_id: str
    grader_id: str
    version: str
    gave: str
    only_guidelines: bool
    recalled: bool


def make_ruling(bench: Workbench, actor: str, item: str, words: str) -> str:
    """Add a ruling to an item's guidelines, as a new version of the item, and give that version.

    Parameters
    ----------
    words
        The ruling; it becomes the last numbered paragraph of ``guidelines.md``.

    Raises
    ------
    GradeProblem
        Nothing was written, or too much.
    FileProblems
        The workspace's files have problems, changed under an unchanged version, or hold this ruling already
        (as after a second click); nothing is changed.
    StoreProblem
        The question's files cannot be written, or held a version that was not registered; both files are as
        they were.
    """
    words = " ".join(without_such_characters(_whole_characters(words)).split())
    if not 10 <= len(words) <= LONGEST_RULING:
        raise GradeProblem(f"A ruling has 10 to {LONGEST_RULING:,} characters.")
    before = bench.material().item(item)
    folder = bench.folder.rubrics_path / item
    with _ONE_RULING_AT_A_TIME:
        register_files(bench, actor)
        current = bench.material().item(item)
        if current.content_hash != before.content_hash:
            raise StoreProblem(
                f"{folder}: the files of this question had changed meanwhile; the new version is registered "
                "now. Read it, then enter the ruling again if it is still needed."
            )
        version = _next_version(bench, item)
        number, new = with_ruling(folder, words, version)
        with in_place(new):
            register_files(bench, actor)
        with bench.store.write() as connection:
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.RULING_MADE,
                subject=item,
                body={"number": number, "from_version": current.version, "to_version": version},
            )
    return version


def reread_guidelines(bench: Workbench, grader_id: str, item: str) -> None:
    """Record that a grader has read an item's guidelines as they stand; a second time adds nothing."""
    bench.material().item(item)
    with bench.record() as record:
        digest = record.current_files["item", item]
        if (grader_id, digest) in record.calibration.reread:
            return
    with bench.store.write() as connection:
        append(
            connection,
            at=bench.now(),
            actor=grader_id,
            kind=EventKind.GUIDELINES_REREAD,
            subject=grader_id,
            body={"item": item, "item_version": bench.material().item(item).version, "item_hash": digest},
        )


def receipts(bench: Workbench, item: str) -> list[tuple[str, str | None]]:
    """List the enabled graders with the UTC time at which each read the current guidelines, or None.

    Notes
    -----
    Whoever was trained under the current version, as everyone is before calibrating, has read them then.
    """
    bench.material().item(item)
    with bench.record() as record:
        digest = record.current_files["item", item]
        return [
            (grader.account_id, _read_at_or_none(record, grader.account_id, digest))
            for grader in enabled_graders(bench)
        ]


def graded_before(bench: Workbench, item: str) -> list[GradedBefore]:
    """List the live grades of an item given under an earlier version, but those the lead let stand."""
    bench.material().item(item)
    able = {grader.account_id for grader in enabled_graders(bench) if not grader.simulated}
    with bench.record() as record:
        current = record.current_files["item", item]
        files = record.inputs.files
        found = []
        for assignment_id, grade in record.grades.items():
            old = grade.item_hash
            kept = record.calibration.kept.get(assignment_id) == current
            if grade.item != item or old == current or kept or old not in files:
                continue
            found.append(
                GradedBefore(
                    assignment_id,
                    grade.response_id,
                    grade.grader_id,
                    files[old]["version"],
                    grade.condition_code or f"{grade.score:g}",
                    same_but_guidelines(files[old]["content"], files[current]["content"]),
                    assignment_id in record.calibration.recalled and grade.grader_id in able,
                )
            )
    return sorted(found, key=lambda one: (int(one.version), one.response_id, one.grader_id))


def recall_grades(bench: Workbench, actor: str, item: str, assignment_ids: list[str], reason: str) -> int:
    """Ask for grades given under an earlier version to be given again; give how many.

    Raises
    ------
    GradeProblem
        No reason was given.
    ItemIsClosed
        The question is closed, so that nobody could grade again.
    NotAllowed
        None of them waits for a decision, or can be given again.

    Notes
    -----
    The old grade stays in the log. Until its grader has looked again, the answer waits. So what nobody can
    grade again is passed over: its grader can no longer sign in, or its source is known.
    """
    with bench.store.write() as connection:
        # Chosen inside the transaction, so that nothing is decided twice.
        chosen = _gradable(bench, item, _chosen(bench, item, assignment_ids, reason))
        count = len(chosen)
        chosen = sorted({*chosen, *_checks_beside(bench, item, chosen)})
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.GRADES_RECALLED,
            subject=item,
            body={"assignment_ids": chosen, "reason_hash": keep_text(connection, reason)},
        )
    return count


def keep_grades(bench: Workbench, actor: str, item: str, assignment_ids: list[str], reason: str) -> int:
    """Let grades given under an earlier version stand; give how many.

    Raises
    ------
    GradeProblem
        No reason was given.
    NotAllowed
        None of them waits for a decision.
    """
    with bench.store.write() as connection:
        chosen = _chosen(bench, item, assignment_ids, reason)
        with bench.record() as record:
            digest = record.current_files["item", item]
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.GRADES_KEPT,
            subject=item,
            body={
                "assignment_ids": chosen,
                "item_hash": digest,
                "reason_hash": keep_text(connection, reason),
            },
        )
    return len(chosen)


def to_grade_again(bench: Workbench, grader_id: str) -> list[tuple[str, str]]:
    """List a grader's own answers that the lead has recalled: assignment id and item."""
    with bench.record() as record:
        found = []
        for assignment_id in record.calibration.recalled:
            dealt = record.assignments[assignment_id]
            if dealt.grader_id == grader_id:
                found.append((assignment_id, dealt.item))
        return found


def question_sheet(bench: Workbench, grader_id: str, item: str, words: str) -> None:
    """Tell the lead that an item's point sheet is wrong.

    Raises
    ------
    GradeProblem
        Nothing was written, or too much.
    """
    if not 10 <= len(words.strip()) <= LONGEST_RULING:
        raise GradeProblem(f"Write in 10 to {LONGEST_RULING:,} characters what is wrong and why.")
    bench.material().item(item)
    with bench.record() as record:
        digest = record.current_files["item", item]
    with bench.store.write() as connection:
        append(
            connection,
            at=bench.now(),
            actor=grader_id,
            kind=EventKind.SHEET_QUESTIONED,
            subject=item,
            body={"item_hash": digest, "note_hash": keep_text(connection, words)},
        )


def sheet_questions(bench: Workbench) -> list[tuple[SheetQuestion, str]]:
    """List the questions on point sheets that wait for the lead, oldest first, each with its words."""
    with bench.record() as record:
        waiting = [one for one in record.calibration.questions.values() if one.decision is None]
    return [(one, get_text_or_none(bench.store, one.note_hash) or "") for one in waiting]


def answer_sheet_question(bench: Workbench, actor: str, question: int, decision: str, reason: str) -> None:
    """Answer a question on a point sheet.

    Parameters
    ----------
    question
        Its event.
    decision
        ``new_version`` (the files have been changed and are registered now) or ``no_change``.

    Raises
    ------
    NotAllowed
        It was answered before, or a new version was promised and the files are as they were.
    GradeProblem
        No reason was given.

    Notes
    -----
    A ruling made meanwhile raises the version and leaves the sheet as it was, so it is no new version here.
    """
    if decision not in ("new_version", "no_change"):
        raise GradeProblem("Choose whether there is a new version or not.")
    if not reason.strip():
        raise GradeProblem("An answer needs a reason; write one in a few words.")
    asked = _waiting_question(bench, question)
    if decision == "new_version":
        register_files(bench, actor)
        _refuse_unchanged_sheet(bench, asked)
    with bench.store.write() as connection:
        _waiting_question(bench, question)  # nobody has answered it meanwhile
        append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.SHEET_QUESTION_ANSWERED,
            subject=asked.item,
            body={"question": question, "decision": decision, "reason_hash": keep_text(connection, reason)},
        )


def count_before(bench: Workbench) -> Counter[str]:
    """Count the grades given under an earlier version and not decided on, by item."""
    return Counter({item: len(graded_before(bench, item)) for item in bench.material().items})


def _chosen(bench: Workbench, item: str, assignment_ids: list[str], reason: str) -> list[str]:
    if not reason.strip():
        raise GradeProblem("This needs a reason; write one in a few words.")
    there = {one.assignment_id for one in graded_before(bench, item) if not one.recalled}
    chosen = sorted(set(assignment_ids) & there)
    if not chosen:
        raise NotAllowed("None of these grades waits for a decision any more. Reload the page.")
    return chosen


def _checks_beside(bench: Workbench, item: str, chosen: list[str]) -> list[str]:
    """List the planted checks graded before by those whose every earlier grade is recalled.

    A list of answers to grade again from which only the checks are missing would name them.
    """
    open_ones = [one for one in graded_before(bench, item) if not one.recalled]
    left = {one.grader_id for one in open_ones if one.assignment_id not in set(chosen)}
    with bench.record() as record:
        graders = {record.assignments[a].grader_id for a in chosen} - left
        current = record.current_files["item", item]
        return [
            a
            for a, grade in record.check_grades.items()
            if grade.grader_id in graders
            and grade.item == item
            and grade.item_hash != current
            and record.assignments[a].kind in CHECKS
        ]


def _read_at_or_none(record: GradingRecord, grader_id: str, digest: str) -> str | None:
    calibration = record.calibration
    times = (calibration.reread.get((grader_id, digest)), calibration.trained.get((grader_id, digest)))
    return min((time for time in times if time is not None), default=None)


def _waiting_question(bench: Workbench, question: int) -> SheetQuestion:
    with bench.record() as record:
        asked = record.calibration.questions.get(question)
    if asked is None or asked.decision is not None:
        raise NotAllowed("This question was answered already. Reload the page.")
    return asked


def _refuse_unchanged_sheet(bench: Workbench, asked: SheetQuestion) -> None:
    with bench.record() as record:
        files = record.inputs.files
        current = files[record.current_files["item", asked.item]]
        unchanged = same_but_guidelines(files[asked.item_hash]["content"], current["content"])
    if unchanged:
        raise NotAllowed(
            f"The point sheet says what it said when it was questioned (version {current['version']} now). "
            f"Change {bench.folder.rubrics_path / asked.item / SHEET}, raise its `version`, then answer."
        )


def _gradable(bench: Workbench, item: str, chosen: list[str]) -> list[str]:
    """Leave out the grades that nobody could give again: their answers would wait for ever."""
    able = {grader.account_id for grader in enabled_graders(bench) if not grader.simulated}
    with bench.record() as record:
        if item in record.closed_items:
            raise ItemIsClosed("This question is closed, so nobody could grade it again. Reopen it first.")
        grades = [record.grades[a] for a in chosen]
        open_ones = [g for g in grades if g.grader_id in able and g.response_id not in record.revealed]
        found = [grade.assignment_id for grade in open_ones]
    if not found:
        raise NotAllowed(
            "Nobody can give these grades again: their graders no longer sign in, or the sources are known. "
            "Let them stand, with the reason."
        )
    return found


def _whole_characters(words: str) -> str:
    """Put the replacement character for half a character, as a browser can send one."""
    return words.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _next_version(bench: Workbench, item: str) -> str:
    """Give the version after the last one ever registered; the one in use may be an earlier one put back."""
    made = [int(v.version) for v in all_file_versions(bench.store) if (v.kind, v.id) == ("item", item)]
    return str(max(made) + 1)
