"""How long an intake of 100,000 answers of 3 KB takes, beside a bare executemany of the same rows.

Run `python tests/benchmarks/intake_speed.py`, with `--json` for one object alone on stdout.
"""

import argparse
import csv
import json
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "blinding"))

from tiny_workspace import write_files

from grader_app.blinding.formats import read_answers
from grader_app.blinding.intake import take_in
from grader_app.blinding.settling import open_or_create_key
from grader_app.workflow.workbench import Workbench

WORDS = (
    "The seller's failure to deliver the boards on time was a breach of the contract, and so the buyer may "
)
ROUNDS = 3


def write_answers(path, count, size, sources):
    body = (WORDS * (size // len(WORDS) + 1))[: size - 12]
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow(("id", "source", "text"))
        writer.writerows((f"{n:06d}", f"source {n % sources}", f"{n:012d}{body}") for n in range(count))


def time_intake(folder, path):
    """Time the whole of the command's work: reading the file, hashing, ordering, storing."""
    folder.mkdir()
    write_files(folder)
    bench = Workbench.create(folder)
    actor = bench.cli_actor("benchmark")
    started = time.perf_counter()
    with open_or_create_key(folder / "blinding_key.db", bench.store) as key:
        file = read_answers(path)
        read = time.perf_counter()
        taken = take_in(bench, key, file, "mee-barge", actor)
    seconds = time.perf_counter() - started
    assert taken.new == len(file.answers)
    return seconds, read - started, bench


def time_bare(path, bench):
    """Time the insertion of the same rows into tables of the same shape, and nothing else."""
    texts = [tuple(row) for row in bench.store.rows("SELECT * FROM kept_text ORDER BY rowid")]
    responses = [tuple(row) for row in bench.store.rows("SELECT * FROM response")]
    connection = sqlite3.connect(path, isolation_level=None)
    connection.executescript(
        "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"
        "CREATE TABLE kept_text (hash TEXT PRIMARY KEY NOT NULL, salt TEXT NOT NULL, body TEXT NOT NULL);"
        "CREATE TABLE response (id TEXT PRIMARY KEY NOT NULL, item TEXT NOT NULL, candidate_id TEXT NOT NULL,"
        " deal_order INTEGER NOT NULL, text_hash TEXT NOT NULL, cut_off INTEGER NOT NULL,"
        " row_hash TEXT NOT NULL, UNIQUE (item, deal_order)) WITHOUT ROWID;"
    )
    started = time.perf_counter()
    connection.execute("BEGIN IMMEDIATE")
    connection.executemany("INSERT INTO kept_text VALUES (?, ?, ?)", texts)
    connection.executemany("INSERT INTO response VALUES (?, ?, ?, ?, ?, ?, ?)", responses)
    connection.execute("COMMIT")
    seconds = time.perf_counter() - started
    connection.close()
    return seconds


def measure(count, size, sources):
    intakes, reads, bares = [], [], []
    for number in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "answers.csv"
            write_answers(path, count, size, sources)
            seconds, read, bench = time_intake(Path(folder) / f"workspace-{number}", path)
            intakes.append(seconds)
            reads.append(read)
            bares.append(time_bare(Path(folder) / "bare.db", bench))
            bench.store.close()
    intake, bare = statistics.median(intakes), statistics.median(bares)
    return {
        "answers": count,
        "bytes_each": size,
        "sources": sources,
        "intake_seconds": intake,
        "reading_seconds": statistics.median(reads),
        "executemany_seconds": bare,
        "ratio_to_executemany": intake / bare,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--answers", type=int, default=100_000)
    parser.add_argument("--bytes", type=int, default=3_000)
    parser.add_argument("--sources", type=int, default=4)
    options = parser.parse_args()
    found = measure(options.answers, options.bytes, options.sources)
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:<22} {value:>12,.3f}" if isinstance(value, float) else f"{name:<22} {value:>12,}")


if __name__ == "__main__":
    main()
