"""Answers that have no score yet, and what has to be done first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from grader_app.domain.grading_record import GradingRecord


def unsettled(record: GradingRecord, items: Iterable[str]) -> list[str]:
    """Say how many answers have no score yet, and what each waits for; nothing where all have one.

    Parameters
    ----------
    items
        The questions to look at. An answer sent to be read again has a first score and is left out, unless
        a condition code waits for the lead.
    """
    states: Counter[str] = Counter()
    for item in items:
        for response_id in record.response_ids(item):
            state = _open_state(record, response_id)
            if state == "code" or record.reread_or_none(response_id) is None:
                states[state] += 1
    says = {
        "waiting": (
            "1 answer waits for its first reads. Let it be read first.",
            "answers wait for their first reads. Let them be read first.",
        ),
        "disputed": (
            "1 answer is in dispute. Settle it first.",
            "answers are in dispute. Settle them first.",
        ),
        "code": (
            "1 answer has a condition code that waits for the lead. Decide it first.",
            "answers have a condition code that waits for the lead. Decide them first.",
        ),
    }
    return [one if n == 1 else f"{n} {many}" for state, (one, many) in says.items() if (n := states[state])]


def _open_state(record: GradingRecord, response_id: str) -> str:
    found = record.standing(response_id)
    if found.for_lead is not None and not found.for_lead.decided:
        return "code"
    return found.status
