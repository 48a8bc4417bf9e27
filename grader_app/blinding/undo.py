"""Taking a batch of answers back, before any of them is dealt."""

from __future__ import annotations

from grader_app.blinding.key import BlindingKey
from grader_app.blinding.key_records import Batch
from grader_app.blinding.settling import settle
from grader_app.domain.events import EventKind
from grader_app.errors import NotAllowed
from grader_app.store.event_log import append
from grader_app.store.responses import dealt_among
from grader_app.workflow.workbench import Workbench


def undo(bench: Workbench, key: BlindingKey, batch_id: str, actor: str) -> int:
    """Take a batch back, so that its file can be taken in anew.

    Parameters
    ----------
    bench, key
        The workspace and its key.
    batch_id
        As printed by the intake.
    actor
        Who does it.

    Returns
    -------
    int
        How many answers were taken back. The rows stay; they are left out of the round.

    Raises
    ------
    NotAllowed
        There is no such batch, it was undone before, or an answer of it has been dealt.
    """
    with bench.store.write() as connection:
        settle(bench.store, key, leave=batch_id)
        batch = _find(key, batch_id)
        mine = sorted(key.response_ids(batch_id))
        dealt = dealt_among(bench.store, mine)
        if dealt:
            raise NotAllowed(
                f"{len(dealt)} of the {len(mine)} answers of batch {batch_id} have been dealt, so it cannot "
                "be undone. A grader can refer an answer that should not be graded to the lead."
            )
        stored = {row["id"] for row in bench.store.rows("SELECT id FROM response")}
        gone = {row["response_id"] for row in bench.store.rows("SELECT response_id FROM withdrawn_response")}
        taken_back = [response_id for response_id in mine if response_id in stored - gone]
        if taken_back:
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.ANSWERS_WITHDRAWN,
                subject=batch.item,
                body={"response_ids": taken_back},
            )
    key.mark(batch_id, "undone")
    return len(taken_back)


def _find(key: BlindingKey, batch_id: str) -> Batch:
    batches = {batch.batch_id: batch for batch in key.batches()}
    batch = batches.get(batch_id)
    if batch is None:
        there = [f"{b.batch_id} ({b.item}, {b.at})" for b in batches.values() if b.status != "undone"]
        known = f"Batches: {', '.join(there)}." if there else "No batch has been taken in."
        raise NotAllowed(f"There is no batch `{batch_id}`. {known}")
    if batch.status == "undone":
        raise NotAllowed(f"Batch {batch_id} was undone before. Take its file in anew.")
    return batch
