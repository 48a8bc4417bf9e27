"""`grader-app` with a database that takes its time: every write holds for a while before it is on disk."""

import sys
import threading
from contextlib import contextmanager

from grader_app.cli.main import cli
from grader_app.store.database import Store


def slow(write, seconds):
    @contextmanager
    def slow_write(store):
        with write(store) as connection:
            yield connection
            threading.Event().wait(seconds)

    return slow_write


if __name__ == "__main__":
    Store.write = slow(Store.write, float(sys.argv.pop(1)))
    cli()
