"""The benchmarks in their short form: they run, nothing fails, and their figures make sense.

Times are not judged here; the long form, on a quiet machine, is for that.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from browsers import find_chromium
from served_workspace import clean_environment

HERE = Path(__file__).parent


def run_short(name):
    """Run a benchmark's short form and read the one object it prints."""
    paths = os.pathsep.join([str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")])
    done = subprocess.run(
        [sys.executable, str(HERE / name), "--short", "--json"],
        capture_output=True,
        text=True,
        env=clean_environment() | {"PYTHONPATH": paths},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_a_scored_round_is_scaled_and_exported():
    found = run_short("scale_speed.py")
    assert {name: one["candidates"] for name, one in found.items()} == {"tables": 300, "whole": 300}
    assert {"scale", "scores.csv", "scores.xlsx", "report.html"} <= set(found["tables"]["steps"])
    assert {"events.jsonl", "inputs.jsonl"} <= set(found["whole"]["steps"])
    assert all(one["seconds"] > 0 and one["peak_mib"] > 0 for one in found.values())


def test_killing_the_process_loses_no_confirmed_grade():
    found = run_short("durable_saves.py")
    assert found["lost"] == 0
    assert found["log_is_whole"]
    assert found["acknowledged"] >= 2 * 20
    assert found["per_second"] > 0


@pytest.mark.browser
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads the server's figures from /proc")
def test_graders_in_chromium_and_without_it_grade_beside_each_other_without_an_error():
    if find_chromium() is None and os.environ.get("GRADER_APP_REQUIRE_BROWSER") != "1":
        pytest.skip("install chromium")
    found = run_short("grading_desk.py")
    assert found["problems"] == []
    for part in ("alone", "with_50"):
        assert found[part]["n"] == 8
        assert 0 < found[part]["p50_ms"] <= found[part]["p95_ms"]
    crowd = found["sessions_250"]
    assert crowd["errors"] == found["with_50"]["errors"] == 0
    assert crowd["saves"] >= crowd["sessions"]
    assert 0 < crowd["p50_ms"] <= crowd["p95_ms"]
    assert crowd["rss_mib"] > 50
    assert found["cpu_ms_per_save"] > 0


def test_error_bars_hold_what_they_name_about_as_often_as_they_say():
    found = run_short("score_coverage.py")
    shares = found["coverage_95"]
    # Five pools of 300: the standard error of a share is near 1 %, since a pool's candidates share constants.
    assert 0.90 <= shares["readers"]["all"] <= 0.98
    assert 0.91 <= shares["readers_questions_pool"]["all"] <= 0.99
    for band in found["worlds"]["ordinary pool of 300"]["rescore"]:
        assert abs(band["chance"] - band["reached"]) < 0.2
