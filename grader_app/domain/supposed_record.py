"""A round as it would stand under other rules, or without one grader; the record itself stays as it is."""

from __future__ import annotations

import copy
from collections import defaultdict
from dataclasses import replace

from grader_app.domain.grade import Grade
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.scaling_rules import RulesRecord, RulesSet, SetRules
from grader_app.domain.settling import Adjudication, SettlingRecord


def under_rules(record: GradingRecord, rules: SetRules) -> GradingRecord:
    """Return a round as it would stand if rules were set after those that stand now.

    Parameters
    ----------
    record
        The round; nothing in it changes.
    rules
        What would take the place of the rules that stand.
    """
    return replaced_rules(record, record.rules.standing.followed_by(rules))


def replaced_rules(record: GradingRecord, rules: SetRules) -> GradingRecord:
    """Return a round as it would stand if these were all the rules in place of its own."""
    supposed = record.copied()
    supposed.rules = RulesRecord((RulesSet(record.last_seq + 1, "", "", rules, ""),))
    return supposed


def without_grader(record: GradingRecord, grader_id: str) -> GradingRecord:
    """Return a round as it would stand had one grader's grades never counted.

    Parameters
    ----------
    record
        The round; nothing in it changes.
    grader_id
        Whose reads, third reads, re-reads and adjudications are dropped.

    Notes
    -----
    An answer with another read stands by that one; one without waits, and has no score. Reads that the
    grader still owes stay expected. An adjudication by somebody else stands, although it settled a read that
    is dropped. A panel's consensus in calibration cannot be taken apart, and stands.
    Under the redaction ``new_york`` an answer without its re-read waits: its first score is not disclosed.
    """
    supposed = record.copied()
    dropped = {
        assignment_id
        for grades in (record.grades, record.third_grades, record.rereads.grades)
        for assignment_id, grade in grades.items()
        if grade.grader_id == grader_id
    }
    supposed.grades = _less(record.grades, dropped)
    supposed.third_grades = _less(record.third_grades, dropped)
    supposed.rereads = copy.copy(record.rereads)
    supposed.rereads.grades = _less(record.rereads.grades, dropped)
    supposed.superseded = record.superseded | (dropped - _still_owed(record))
    seqs = {grade.event_seq for assignment_id in dropped for grade in record.history[assignment_id]}
    supposed.settling = _settling_without(record.settling, grader_id, seqs)
    return supposed


def _still_owed(record: GradingRecord) -> set[str]:
    discloses_none = record.round is not None and record.round.release.redaction == "new_york"
    return set(record.rereads.grades) if discloses_none else set()


def _less(grades: dict[str, Grade], dropped: set[str]) -> dict[str, Grade]:
    return {assignment_id: grade for assignment_id, grade in grades.items() if assignment_id not in dropped}


def _settling_without(settling: SettlingRecord, grader_id: str, seqs: set[int]) -> SettlingRecord:
    kept = copy.copy(settling)
    kept.adjudications = defaultdict(list)
    for response_id, found in settling.adjudications.items():
        left = [_settles_less(one, seqs) for one in found if one.given.grader_id != grader_id]
        kept.adjudications[response_id] = left
    return kept


def _settles_less(made: Adjudication, seqs: set[int]) -> Adjudication:
    return replace(made, settles=tuple(seq for seq in made.settles if seq not in seqs))
