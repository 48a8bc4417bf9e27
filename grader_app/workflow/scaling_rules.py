"""Setting rules of scaling in place of the round's own, with a reason that every export prints."""

from __future__ import annotations

from grader_app.agreement.reader_variance import reader_variance_of_record
from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.release import no_regrading
from grader_app.domain.scaling_rules import RulesSet, SetRules
from grader_app.domain.supposed_record import replaced_rules
from grader_app.errors import NotAllowed, NotReconciled, ScalingProblem
from grader_app.scaling.of_round import scaled_of_record
from grader_app.scaling.what_if import Question, WhatIf, refuse_unknown_items, what_if
from grader_app.store.event_log import append
from grader_app.workflow.qualification import printable_reason
from grader_app.workflow.reconciliation import unreconciled
from grader_app.workflow.workbench import Workbench

NOT_TO_BE_SET = (
    "A grader's reads cannot be set aside: they were given, and each stays in the record. To have those "
    "answers read by others, deal the grader's answers to others on the page Panel, or ask for the grades "
    "again; then scale as before."
)
"""Why the question about one grader less can be asked and not applied."""


def ask(bench: Workbench, question: Question) -> WhatIf:
    """Say what would change; records nothing.

    Raises
    ------
    ScalingProblem
        The round cannot be scaled as it is, or as it would be.
    """
    with bench.record() as record:
        return what_if(record, question, reader_variance_of_record(record))


def set_rules(bench: Workbench, actor: str, question: Question, reason: str) -> int:
    """Let rules take the place of those that stand, from now on and in every export.

    Parameters
    ----------
    bench
        The workspace.
    actor
        Who decides.
    question
        As it was asked; it may not leave a grader out.
    reason
        Stands in the event; exports print it.

    Returns
    -------
    int
        The event.

    Raises
    ------
    NotAllowed
        Sources are known, the question leaves a grader out, or no rule would differ.
    GradeProblem
        No reason was given, it is too long to print, or it names somebody.
    ScalingProblem
        Nothing could be scaled by these rules.
    NotReconciled
        Not every paper is accounted for.
    """
    if question.without is not None:
        raise NotAllowed(NOT_TO_BE_SET)
    reason = printable_reason(bench, reason, "Setting rules of scaling")
    with bench.record() as record:
        refuse_after_the_end(record)
        refuse_unknown_items(record, question.rules)
        return _append(bench, record, actor, record.rules.standing.followed_by(question.rules), reason)


def set_own_rules(bench: Workbench, actor: str, reason: str) -> int:
    """Scale by the rules of the round's own file again.

    Raises
    ------
    NotAllowed
        Sources are known, or these rules stand already.
    GradeProblem
        No reason was given, it is too long to print, or it names somebody.
    """
    reason = printable_reason(bench, reason, "Setting rules of scaling")
    with bench.record() as record:
        refuse_after_the_end(record)
        return _append(bench, record, actor, SetRules(), reason)


def rules_set(bench: Workbench) -> list[RulesSet]:
    """List the decisions on rules of scaling, oldest first; the last one stands."""
    with bench.record() as record:
        return list(record.rules.decisions)


def why_closed(record: GradingRecord) -> str:
    """Say why rules of scaling can no longer be set; nothing while they can."""
    if record.release.released is not None:
        return no_regrading(record.release.released.at)
    if record.revealed:
        return (
            f"The sources of {len(record.revealed)} answers are known, so the rules of scaling can no longer "
            "change: nobody may choose them knowing who gains."
        )
    return ""


def refuse_after_the_end(record: GradingRecord) -> None:
    """Refuse once sources are known.

    Raises
    ------
    NotAllowed
        Saying why.
    """
    if why := why_closed(record):
        raise NotAllowed(why)


def _append(bench: Workbench, record: GradingRecord, actor: str, rules: SetRules, reason: str) -> int:
    faults = unreconciled(bench)
    if faults:
        raise NotReconciled(f"Not every paper is accounted for, so no rules were set. {faults[0]}")
    if record.round is None:
        raise ScalingProblem("No round is registered yet. Write round.yaml, then run `grader-app assign`.")
    if replaced_rules(record, rules).round == record.round:
        raise NotAllowed("The rules that stand say the same already. Change one of them first.")
    _refuse_unscalable(record, rules)
    with bench.store.write() as connection:
        if bench.store.row_or_none("SELECT 1 FROM revealed_response LIMIT 1"):
            raise NotAllowed("Sources have just been revealed, so the rules of scaling can no longer change.")
        return append(
            connection,
            at=bench.now(),
            actor=actor,
            kind=EventKind.SCALING_RULES_SET,
            subject=record.round.id,
            body={"rules": rules.as_body(), "reason": reason},
        )


def _refuse_unscalable(record: GradingRecord, rules: SetRules) -> None:
    try:
        scaled_of_record(replaced_rules(record, rules))
    except ScalingProblem as problem:
        raise ScalingProblem(f"By these rules nothing could be scaled. {problem}") from problem
