"""Papers accounted for by the file in which they came; only who holds the key can say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from grader_app.blinding.key import BlindingKey
from grader_app.blinding.key_records import Batch
from grader_app.domain.reconciliation import PaperCount, added, state_of
from grader_app.store.inputs import read_inputs
from grader_app.workflow.workbench import Workbench

_NAMED = 5


@dataclass(frozen=True)
class BatchCount:
    """One file's papers.

    Parameters
    ----------
    batch
        The file, and when it was taken in.
    taken_in
        How many of its answers the key knows.
    papers
        Those that are there.
    gone
        Those that are not; ids, sorted.
    """

    batch: Batch
    taken_in: int
    papers: PaperCount
    gone: tuple[str, ...]

    def as_json(self) -> dict[str, object]:
        """Return plain values."""
        batch = self.batch
        return {
            "batch": batch.batch_id,
            "file": batch.file_name,
            "item": batch.item,
            "at": batch.at,
            "status": batch.status,
            "taken_in": self.taken_in,
            **self.papers.by_state,
            "missing": len(self.gone),
        }


@dataclass(frozen=True)
class BatchReconciliation:
    """All files, and the answers that came in none of them.

    Parameters
    ----------
    batches
        Oldest first.
    unknown
        Answers of the workbench that the key does not know; ids, sorted.
    """

    batches: tuple[BatchCount, ...]
    unknown: tuple[str, ...]

    @property
    def by_file(self) -> dict[str, tuple[int, PaperCount, int]]:
        """Papers in, where they stand, and how many are missing, by file name, sorted."""
        names = sorted({one.batch.file_name for one in self.batches})
        found = {}
        for name in names:
            mine = [one for one in self.batches if one.batch.file_name == name]
            missing = sum(len(one.gone) for one in mine)
            found[name] = (sum(one.taken_in for one in mine), added(one.papers for one in mine), missing)
        return found

    @property
    def unreconciled(self) -> tuple[str, ...]:
        """What does not add up, in sentences."""
        return tuple(self._faults())

    def _faults(self) -> Iterator[str]:
        for one in self.batches:
            if one.gone:
                yield (
                    f"Batch {one.batch.batch_id} ({one.batch.file_name}, {one.batch.item}): "
                    f"{len(one.gone)} of {one.taken_in} papers are no longer there: {_few(one.gone)}."
                )
        if self.unknown:
            yield f"The key does not know {len(self.unknown)} of the stored papers: {_few(self.unknown)}."

    def as_json(self) -> dict[str, object]:
        """Return plain values."""
        return {
            "batches": [one.as_json() for one in self.batches],
            "files": [
                {"file": name, "taken_in": taken_in, **papers.by_state, "missing": missing}
                for name, (taken_in, papers, missing) in self.by_file.items()
            ],
            "unreconciled_files": list(self.unreconciled),
        }


def reconcile_batches(bench: Workbench, key: BlindingKey) -> BatchReconciliation:
    """Hold what each file brought against what is there.

    Parameters
    ----------
    bench, key
        The workspace and its key; nothing is changed in either.
    """
    known = key.response_ids()
    with bench.record() as record:
        stored = read_inputs(bench.store).responses
        return BatchReconciliation(
            tuple(
                BatchCount(
                    batch,
                    len(mine),
                    PaperCount(**Counter(state_of(record, r) for r in mine & stored.keys())),
                    tuple(sorted(mine - stored.keys())),
                )
                for batch in key.batches()
                for mine in (key.response_ids(batch.batch_id),)
            ),
            tuple(sorted(stored.keys() - known)),
        )


def _few(ids: tuple[str, ...]) -> str:
    more = f" and {len(ids) - _NAMED} more" if len(ids) > _NAMED else ""
    return ", ".join(ids[:_NAMED]) + more
