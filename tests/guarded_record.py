"""A guard for tests: whoever borrows the record must not begin to write, for fear of waiting for ever."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from grader_app.domain.grading_record import GradingRecord
from grader_app.store.database import Connection, Store
from grader_app.workflow.workbench import Workbench


@pytest.fixture(autouse=True)
def no_write_inside_record(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail where a write begins inside ``with bench.record()``.

    Writers take the write lock, then the record's. One thread that takes them the other way round stops both.
    """
    borrowed = threading.local()
    lend, write = Workbench.record, Store.write

    @contextmanager
    def record(self: Workbench) -> Iterator[GradingRecord]:
        with lend(self) as found:
            borrowed.times = getattr(borrowed, "times", 0) + 1
            try:
                yield found
            finally:
                borrowed.times -= 1

    @contextmanager
    def guarded(self: Store) -> Iterator[Connection]:
        assert not getattr(borrowed, "times", 0), "a write inside `with bench.record()`"
        with write(self) as connection:
            yield connection

    monkeypatch.setattr(Workbench, "record", record)
    monkeypatch.setattr(Store, "write", guarded)
