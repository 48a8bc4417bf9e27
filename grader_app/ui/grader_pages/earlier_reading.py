"""What a grader read of a question before its guidelines changed."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.qualification import same_but_guidelines
from grader_app.ui.current import bench


@dataclass(frozen=True)
class EarlierReading:
    """The materials of an earlier version that differs in nothing but its guidelines.

    Parameters
    ----------
    trained_at
        UTC time at which all of them had been read, or None where only guidelines were.
    reread_at
        UTC time at which the guidelines as they stand were confirmed, or None.
    item_hash
        Content of the version read last.
    """

    trained_at: str | None
    reread_at: str | None
    item_hash: str


def earlier_reading_or_none(grader_id: str, item: str) -> EarlierReading | None:
    """Find what a grader has read of earlier versions of a question.

    Notes
    -----
    A version with another point sheet, question or rubric does not count: its materials are read anew.
    """
    with bench().record() as record:
        files, current = record.inputs.files, record.current_files["item", item]
        like = {
            digest
            for digest, kept in files.items()
            if (kept["kind"], kept["id"]) == ("item", item)
            and digest != current
            and same_but_guidelines(kept["content"], files[current]["content"])
        }
        made = record.calibration
        trained, reread = (
            {digest: at for (reader, digest), at in found.items() if reader == grader_id and digest in like}
            for found in (made.trained, made.reread)
        )
        if not trained and not reread:
            return None
        latest = max([*trained.items(), *reread.items()], key=lambda one: one[1])[0]
        return EarlierReading(
            max(trained.values(), default=None), made.reread.get((grader_id, current)), latest
        )
