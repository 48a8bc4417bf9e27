"""Whether every paper of a workspace is accounted for, counted on what is stored at this moment."""

from __future__ import annotations

from grader_app.domain.events import EventKind
from grader_app.domain.reconciliation import Reconciliation, reconcile
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.workflow.workbench import Workbench

_INTAKES = (EventKind.ANSWERS_TAKEN_IN, EventKind.MBE_TAKEN_IN)


def reconciliation_of(bench: Workbench) -> Reconciliation:
    """Count a workspace's papers and candidates, and hold them against what was taken in.

    Notes
    -----
    Rows are read anew each time, since the record that the workbench keeps would not notice one taken away.
    """
    while True:
        with bench.record() as record:
            stored = read_inputs(bench.store)
            later = read_events(bench.store, record.last_seq)
            if not any(event.kind in _INTAKES for event in later):  # else rows and log are of two moments
                return reconcile(record, stored)


def unreconciled(bench: Workbench) -> list[str]:
    """Say what does not add up, in sentences; empty when every paper is accounted for."""
    return list(reconciliation_of(bench).unreconciled)
