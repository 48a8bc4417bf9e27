"""Everything the events refer to, read in one piece for replaying and for exports."""

from __future__ import annotations

from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.inputs import Inputs
from grader_app.store.database import Store
from grader_app.store.event_log import read_events
from grader_app.store.file_versions import all_file_versions
from grader_app.store.responses import all_mbe, kept_responses


def read_inputs(store: Store) -> Inputs:
    """Read files by content hash, answers by id, and MBE scores."""
    return Inputs(
        files={
            kept.hash: {"kind": kept.kind, "id": kept.id, "version": kept.version, "content": kept.content}
            for kept in all_file_versions(store)
        },
        responses=kept_responses(store),
        mbe=all_mbe(store),
    )


def read_record(store: Store) -> GradingRecord:
    """Replay the whole log."""
    return GradingRecord(read_events(store), read_inputs(store))
