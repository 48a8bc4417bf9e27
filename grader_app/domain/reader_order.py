"""The order in which the reads of one answer stand before whoever compares them."""

from __future__ import annotations

import random
from collections.abc import Sequence

from grader_app.domain.grade import Grade


def in_shown_order(reads: Sequence[Grade], seed: int) -> list[Grade]:
    """Put the reads of one answer in the order in which they are shown: Reader 1, Reader 2, and so on.

    Parameters
    ----------
    reads
        In order of read number.
    seed
        The round's.

    Notes
    -----
    The order is random for each answer and the same at every look: a pure function of the seed and the
    response id. Were it the order of reading, Reader 1 would be the same person on many answers, and the
    last one always the third reader.
    """
    if not reads:
        return []
    shown = list(reads)
    random.Random(f"{seed}:{reads[0].response_id}:shown").shuffle(shown)
    return shown
