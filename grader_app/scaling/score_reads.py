"""Which graders' reads stand behind which score of a pool."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array

from grader_app.scaling.item_errors import ItemReading

Reads = Mapping[str, Mapping[str, Sequence[str]]]
"""Grader ids by candidate id and item, one a read that counts."""


def item_readings(reads: Reads, items: Sequence[str]) -> dict[str, ItemReading]:
    """Say for each item how many reads a score has, and how far graders' severity makes candidates differ.

    Parameters
    ----------
    reads
        Grader ids by candidate id and item; a candidate or item may be absent.
    items
        The items to describe.

    Returns
    -------
    dict
        Without any read on record a score counts as one read by a grader of its own. Where some scores have
        one read and others two, the number is their harmonic mean: errors go with one over the reads.

    Examples
    --------
    >>> item_readings({"c1": {"mee": ["A"]}, "c2": {"mee": ["A"]}}, ["mee"])["mee"]
    ItemReading(n_reads=1.0, severity_seen=0.0)
    """
    found = {}
    for item in items:
        given = [graders for by_item in reads.values() if (graders := by_item.get(item))]
        counts = Counter(grader for graders in given for grader in graders)
        total = sum(counts.values())
        if not total:
            found[item] = ItemReading(1.0, 1.0)
            continue
        same = sum((n / total) ** 2 for n in counts.values())
        seen = (1 - same) * len(given) / (len(given) - 1) if len(given) > 1 else 0.0
        n_reads = len(given) / sum(1 / len(graders) for graders in given)
        found[item] = ItemReading(n_reads, min(1.0, seen))
    return found


def one_reader_items(reads: Reads, items: Sequence[str]) -> tuple[str, ...]:
    """List the items all of whose reads are by one grader, whose severity therefore cannot be seen."""
    return tuple(item for item, reading in item_readings(reads, items).items() if reading.severity_seen == 0)


def severity_incidence(
    reads: Reads,
    candidates: Sequence[str],
    items: Sequence[str],
    weights: Mapping[str, float],
    severity_sd: Mapping[str, float],
    room: Mapping[str, NDArray[np.float64]],
) -> csr_array:
    """Return by how much each grader's severity on each item moves each candidate's composite.

    Parameters
    ----------
    reads
        Grader ids by candidate id and item. A score without a read on record has a grader of its own.
    candidates, items
        Rows of the result, and the items of the composite.
    weights
        Weight of each item.
    severity_sd
        SD of severity of each item, in points.
    room
        For each item one factor a candidate: the part of an SD for which the scale leaves room.

    Returns
    -------
    csr_array
        Candidates by (item, grader); times independent standard normal draws it gives the moves.
    """
    columns: dict[tuple[str, str], int] = {}
    rows, places, values = [], [], []
    for row, candidate in enumerate(candidates):
        by_item = reads.get(candidate, {})
        for item in items:
            # A grader's column, and so the draw for it, must not hang on the order in which reads are given.
            graders = sorted(by_item.get(item) or (f"\0{candidate}",))
            size = weights[item] * severity_sd[item] * float(room[item][row]) / len(graders)
            for grader in graders:
                rows.append(row)
                places.append(columns.setdefault((item, grader), len(columns)))
                values.append(size)
    return csr_array((np.array(values), (rows, places)), shape=(len(candidates), len(columns)))
