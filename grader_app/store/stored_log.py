"""A workspace's log as it stood at one moment, left on the disk and read as it is asked for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import overload

from grader_app.domain.events import Event, EventKind
from grader_app.store.database import Store
from grader_app.store.event_log import find_event, read_events, seqs_of_kinds


class StoredLog(Sequence[Event]):
    """The first events of a log, in order; what is appended later is none of them.

    Parameters
    ----------
    store
        The workspace's database.
    n_events
        How many there are.

    Notes
    -----
    Events never change, so reading them again gives the same. A log of 400,000 grades held in memory would
    take half a gigabyte.
    """

    def __init__(self, store: Store, n_events: int) -> None:
        self._store, self._n_events = store, n_events

    def __len__(self) -> int:
        return self._n_events

    def __iter__(self) -> Iterator[Event]:
        return read_events(self._store, up_to=self._n_events)

    @overload
    def __getitem__(self, at: int) -> Event: ...
    @overload
    def __getitem__(self, at: slice) -> list[Event]: ...
    def __getitem__(self, at: int | slice) -> Event | list[Event]:
        places = range(1, self._n_events + 1)[at]
        if isinstance(places, int):
            return find_event(self._store, places)
        return [find_event(self._store, seq) for seq in places]

    def of_kinds(self, kinds: Collection[EventKind]) -> Iterable[Event]:
        """Give the events of certain kinds, in order, read anew whenever they are gone through."""
        seqs = [seq for seq in seqs_of_kinds(self._store, kinds) if seq <= self._n_events]
        return _ReadAnew(self._store, seqs)


class _ReadAnew(Iterable[Event]):
    def __init__(self, store: Store, seqs: Sequence[int]) -> None:
        self._store, self._seqs = store, seqs

    def __iter__(self) -> Iterator[Event]:
        return (find_event(self._store, seq) for seq in self._seqs)
