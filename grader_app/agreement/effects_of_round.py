"""Order and length in a round: do scores move with the place in the queue, the paper before, or length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader_app.domain.grading_record import GradingRecord


def effects_of_record(
    record: GradingRecord,
    lengths: Mapping[str, int],
    names: Mapping[str, str] | None = None,
    *,
    confidence: float = 0.95,
) -> list[dict[str, Any]]:
    """Return the effects of order and length on each grader's overall scores, item by item.

    Parameters
    ----------
    record
        The round. The order is that in which grades were first submitted; condition codes are left out.
    lengths
        Words by response id.
    names
        What a grader is called in the sentences, by account id; the id where absent.
    confidence
        Nominal coverage of the intervals.

    Returns
    -------
    list of dict
        As `Effect.as_dict`, with ``item``.

    Notes
    -----
    A queue dealt in one piece was shuffled, so its order is random. A queue to which answers were added
    later was not: the late answers can differ for reasons of their own, and no effect is claimed.
    """
    import pandas as pd

    from grader_app.agreement.effects import order_effects

    called = names or {}
    columns = ["grader", "score", "order", "length"]
    rows: dict[tuple[str, bool], list[tuple[str, float, int, int]]] = {}
    for grade in record.independent_grades():
        if grade.score is not None:
            place = record.history[grade.assignment_id][0].event_seq
            shuffled = record.deals[grade.grader_id, grade.item] == 1
            who = called.get(grade.grader_id, grade.grader_id)
            row = (who, grade.score, place, lengths.get(grade.response_id, 0))
            rows.setdefault((grade.item, shuffled), []).append(row)
    found = []
    for (item, shuffled), given in sorted(rows.items()):
        table = pd.DataFrame(given, columns=columns)
        effects = order_effects(
            table, "grader", "score", "order", "length", random_order=shuffled, confidence=confidence
        )
        found += [{"item": item, **effect.as_dict()} for effect in effects]
    return found
