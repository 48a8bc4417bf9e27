"""How long scaling and exporting a large round take, and how much memory: 50,000 candidates, 8 questions.

Run `python tests/benchmarks/scale_speed.py`, with `--json` for one object alone on stdout. `--short` takes
a small round. Seconds are of the processor, so that other work on the machine does not count.

`tables`: scores and MBE are there; the pool is scaled, and every file of an export is written but the log.
`whole`: a workspace is made first, in a process of its own, with a grade and more an answer in its log; then
its log is checked and replayed, the pool is scaled, and an export is written with every file of it.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

CANDIDATES, ITEMS, SHORT = 50_000, 8, 300


def peak_mib():
    """The most memory this process has held, in MiB."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def steps_of(read, of_log):
    """Make results, scale them and write the files of an export; seconds of each step, and the peak."""
    from grader_app.export.json_lines import EVENTS_FILE, INPUTS_FILE
    from grader_app.export.registry import pieces_of
    from grader_app.store.collector import collector_paused

    steps, written = {}, 0

    def timed(name, work):
        start = time.process_time()
        found = work()
        steps[name] = {"seconds": time.process_time() - start, "peak_mib": peak_mib()}
        return found

    results = timed("read", read)
    with collector_paused(), tempfile.TemporaryDirectory() as folder:
        scaled = timed("scale", lambda: results.scaled)
        timed("error bars", lambda: results.errors)
        for file, pieces in pieces_of(results):
            if of_log or file not in (EVENTS_FILE, INPUTS_FILE):
                written += timed(file, lambda file=file, pieces=pieces: put(Path(folder) / file, pieces))
    return {
        "candidates": len(scaled.candidates),
        "read_seconds": steps["read"]["seconds"],
        "seconds": sum(one["seconds"] for name, one in steps.items() if name != "read"),
        "peak_mib": peak_mib(),
        "mib_written": written / 2**20,
        "steps": steps,
    }


def put(path, pieces):
    """Write a file as an export does, and say how long it is."""
    with path.open("wb") as stream:
        stream.writelines(pieces)
    return path.stat().st_size


def whole(folder):
    """Read a round from its workspace."""
    from grader_app.export.folder import read_results
    from grader_app.store.database import Store

    return read_results(Store.open(folder / "workbench.db"))


def tables(n):
    """Give a round whose scores are there, without a log behind them."""
    from scaled_round import scored_results

    return scored_results(n, ITEMS)


def main():
    """Measure each in a process of its own, so that making a round costs no memory."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--candidates", type=int, default=CANDIDATES)
    parser.add_argument("--make", metavar="DIR", help=argparse.SUPPRESS)
    parser.add_argument("--whole", metavar="DIR", help=argparse.SUPPRESS)
    parser.add_argument("--tables", action="store_true", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    n = SHORT if asked.short else asked.candidates
    if asked.make:
        from scaled_round import make_workbench

        make_workbench(Path(asked.make), n, ITEMS)
    elif asked.whole:
        print(json.dumps(steps_of(lambda: whole(Path(asked.whole)), of_log=True)))
    elif asked.tables:
        print(json.dumps(steps_of(lambda: tables(n), of_log=False)))
    else:
        show(measured(n), asked.json)


def measured(n):
    """Run both measurements."""
    run = [sys.executable, __file__, "--candidates", str(n)]
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([*run, "--make", folder], check=True)
        asked = {"tables": ["--tables"], "whole": ["--whole", folder]}
        done = {
            name: subprocess.run([*run, *how], check=True, capture_output=True, text=True)
            for name, how in asked.items()
        }
    return {name: json.loads(one.stdout) for name, one in done.items()}


def show(found, as_json):
    """Print one object, or a table of each measurement."""
    if as_json:
        print(json.dumps(found))
        return
    for name, one in found.items():
        print(f"{name}: {one['candidates']} candidates, {ITEMS} questions each")
        for step, of in one["steps"].items():
            print(f"  {step:<20}{of['seconds']:>8.1f} s  peak so far {of['peak_mib']:>7.0f} MiB")
        print(f"  {'without reading':<20}{one['seconds']:>8.1f} s  peak {one['peak_mib']:>14.0f} MiB")


if __name__ == "__main__":
    main()
