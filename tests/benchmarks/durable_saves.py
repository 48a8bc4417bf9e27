"""How many grades a second one process puts on disk, and whether killing it loses any it has confirmed.

Run `python tests/benchmarks/durable_saves.py`, with `--json` for one object alone on stdout; it needs the
extra `test`, and an operating system with `kill -9`. `--short` saves less.

Each save is a submission as the desk sends it, with four points and now and then a note, through the
workflow: looked up, checked against its rubric, hashed into the log, and committed with `synchronous=FULL`.
First a process saves undisturbed, one grade after another, in ten batches (`per_second`: the median batch;
`slowest` and `fastest` show how evenly the machine worked). Then processes that save in two
threads, as the server does, are killed in the middle of their work, each at another moment; `acknowledged`
counts the saves they had confirmed by then, and `lost` those of them that the database no longer holds.
"""

import argparse
import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from desk_workspace import ITEM, make

from grader_app.domain.events import first_break
from grader_app.domain.grade import GradeEntry
from grader_app.store.assignments import assignments_of
from grader_app.store.event_log import read_events
from grader_app.workflow.grade_submission import submit_grade
from grader_app.workflow.progress import all_accounts
from grader_app.workflow.workbench import Workbench

GRADERS = 8
BATCHES = 10
THREADS = 2


def jobs_of(bench):
    """Everything that still waits: grader and dealt answer."""
    with bench.record() as record:
        graded = set(record.history)
    return [
        (account.account_id, dealt.assignment_id)
        for account in all_accounts(bench)
        for dealt in assignments_of(bench.store, account.account_id)
        if dealt.assignment_id not in graded
    ]


def save_all(bench, jobs, confirm, threads=1):
    """Submit a grade for each job; call `confirm` with each that is on disk."""
    sheet = bench.material().items[ITEM].sheet
    points = tuple(point.id for issue in sheet.issues for point in issue.points)[:4]

    def work(share):
        for at, (grader_id, assignment_id) in enumerate(share):
            submit_grade(
                bench,
                grader_id,
                assignment_id,
                GradeEntry(score=at % 7, points=points),
                token=f"token-{assignment_id}",
                note="The third point is only hinted at." if at % 4 == 0 else "",
                seconds_spent=180.0,
            )
            confirm(assignment_id)

    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, [jobs[start::threads] for start in range(threads)]))


def saves_a_second(folder, count):
    """Save in batches, one after another, and give the rate of each."""
    bench = Workbench.open(folder)
    jobs = jobs_of(bench)[: count + 50]
    save_all(bench, jobs[:50], lambda _: None)
    rates = []
    for start in range(50, len(jobs), count // BATCHES):
        batch = jobs[start : start + count // BATCHES]
        started = time.perf_counter()
        save_all(bench, batch, lambda _: None)
        rates.append(len(batch) / (time.perf_counter() - started))
    bench.store.close()
    return rates


def save_until_killed(folder):
    """Save and confirm on stdout, a line each, until the process is killed."""
    bench = Workbench.open(folder)
    lock = threading.Lock()

    def confirm(assignment_id):
        with lock:
            sys.stdout.write(f"{assignment_id}\n")
            sys.stdout.flush()

    save_all(bench, jobs_of(bench), confirm, THREADS)


def killed_in_the_middle(folder, after):
    """Start a process that saves, kill it after some confirmations, and give all that it confirmed."""
    command = [sys.executable, __file__, "--until-killed", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        confirmed = [process.stdout.readline() for _ in range(after)]
        process.kill()
        confirmed += process.stdout.readlines()
    # A line cut off by the kill was not yet a confirmation.
    return [line.strip() for line in confirmed if line.endswith("\n")]


def measure(saves, kills):
    draw = random.Random(7)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "workspace"
        most = max(200, saves // 10)
        made = make(folder, saves + 50 + kills * (most + 500), GRADERS, bytes_each=300)
        made.bench.store.close()
        rates = saves_a_second(folder, saves)
        confirmed = []
        for _ in range(kills):
            confirmed += killed_in_the_middle(folder, draw.randrange(20, most))
        bench = Workbench.open(folder)
        events = list(read_events(bench.store))
        kept = {event.subject for event in events if event.kind == "GradeSubmitted"}
        bench.store.close()
    return {
        "per_second": statistics.median(rates),
        "slowest": min(rates),
        "fastest": max(rates),
        "saves": saves,
        "kills": kills,
        "acknowledged": len(confirmed),
        "lost": len(set(confirmed) - kept),
        "log_is_whole": first_break(events) is None,
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--short", action="store_true", help="few saves and few kills, for a test")
    parser.add_argument("--until-killed", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.until_killed:
        save_until_killed(options.until_killed)
        return
    found = measure(300, 2) if options.short else measure(10_000, 12)
    if options.json:
        print(json.dumps(found))
        return
    for name, value in found.items():
        print(f"{name:<16} {value:>12,.1f}" if isinstance(value, float) else f"{name:<16} {value!s:>12}")


if __name__ == "__main__":
    main()
