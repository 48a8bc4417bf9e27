"""`scale` prints error bars for pool files and for workspaces."""

import json
import re

import pytest
from click.testing import CliRunner
from drawn_pools import UBE_ITEMS, drawn_pool

from grader_app.cli.main import cli

HEAD = """format: round/1
id: july
version: "1"
title: July
items:
"""
ITEMS = "".join(
    f"  - item: {item}\n    component: {rules.component}\n    weight: {rules.weight:g}\n"
    for item, rules in UBE_ITEMS.items()
)
ROUND = f"{HEAD}{ITEMS}cut:\n  total: 282\n"


@pytest.fixture
def run(tmp_path):
    """Scale a drawn pool of 60 from files."""

    def scaled(*options):
        found = drawn_pool(n=60)
        head = ",".join(["candidate_id", *UBE_ITEMS, "mbe"])
        rows = [
            ",".join([c.candidate_id, *(repr(c.scores[item]) for item in UBE_ITEMS), repr(c.mbe)])
            for c in found.pool.candidates
        ]
        (tmp_path / "pool.csv").write_text("\n".join([head, *rows]) + "\n", encoding="utf-8")
        (tmp_path / "round.yaml").write_text(ROUND, encoding="utf-8")
        files = [str(tmp_path / "pool.csv"), "--round", str(tmp_path / "round.yaml")]
        result = CliRunner().invoke(cli, ["scale", *files, "--draws", "400", *options])
        assert result.exit_code == 0, result.output
        return result.stdout

    return scaled


def test_a_pool_file_has_no_reads_so_its_one_line_holds_readers_and_questions(run):
    found = json.loads(run("--json"))["error_bars"]
    assert found["line"] == 282
    assert found["covers"]["readers_questions_pool"].startswith("Other readers and other questions")
    for row in found["candidates"]:
        assert row["of"] == "total"
        assert row["readers"] is None
        assert row["readers_questions_pool"]["low"] < row["readers_questions_pool"]["high"]
        assert row["chance_rescore"] is None
        assert 0 <= row["chance_true_score"] <= 1
    assert any("no answer was read twice" in note for note in found["notes"])


def test_the_bar_of_a_total_lies_around_the_total(run):
    found = json.loads(run("--json"))
    totals = {row["candidate_id"]: row["total"] for row in found["candidates"]}
    for row in found["error_bars"]["candidates"]:
        bar = row["readers_questions_pool"]
        assert bar["low"] < totals[row["candidate_id"]] < bar["high"]
        assert bar["high"] - bar["low"] == pytest.approx(2 * 1.96 * bar["sd"], rel=0.25)


def test_the_same_seed_prints_the_same_and_the_rounds_seed_is_the_default(run):
    assert run("--json") == run("--json", "--seed", "0")
    assert run("--json") != run("--json", "--seed", "1")


def test_a_wider_confidence_gives_wider_bars(run):
    narrow, wide = (json.loads(run("--json", "--confidence", share))["error_bars"]["candidates"][0]
                    for share in ("0.8", "0.99"))  # fmt: skip
    widths = [
        row["readers_questions_pool"]["high"] - row["readers_questions_pool"]["low"] for row in (narrow, wide)
    ]
    assert widths[0] < widths[1]


def test_the_table_says_what_each_line_covers_and_what_neither_does(run):
    text = run()
    assert "readers only: Other readers of this kind; the same answers, questions and pool." in text
    assert "Neither line covers the MBE's own error." in text
    assert "True score: the chance that the candidate's true total" in text


def test_a_verdict_at_the_line_has_the_wider_bar_beside_it(run):
    found = json.loads(run("--json"))
    printed = {line.split()[0]: line.split() for line in run().splitlines() if " yes " in line}
    bars = {row["candidate_id"]: row["readers_questions_pool"] for row in found["error_bars"]["candidates"]}
    for row in found["candidates"]:
        bar = bars[row["candidate_id"]]
        ends = [f"{bar['low']:.1f}", "to", f"{bar['high']:.1f}"]
        assert printed[row["candidate_id"]][-4:] == [row["judged"], *ends]


def test_the_wider_bar_is_printed_first(run):
    heads = next(line for line in run().splitlines() if "readers only" in line and "score" in line)
    assert heads.index("readers, questions, pool") < heads.index("readers only")


def test_no_chance_is_printed_as_a_certainty(run):
    text = run()
    assert "over 99 %" in text
    assert "under 1 %" in text
    assert not re.search(r"\b(0|100) %", text)


def test_error_bars_can_be_left_out(run):
    assert "error_bars" not in json.loads(run("--json", "--no-error-bars"))


def test_a_confidence_that_cannot_be_is_refused_with_a_sentence(tmp_path):
    (tmp_path / "pool.csv").write_text("candidate_id,a,mbe\nx,1,130\ny,2,140\n", encoding="utf-8")
    (tmp_path / "round.yaml").write_text(
        f"{HEAD}  - item: a\n    component: mee\n    weight: 1\n",
        encoding="utf-8",
    )
    files = [str(tmp_path / "pool.csv"), "--round", str(tmp_path / "round.yaml")]
    result = CliRunner().invoke(cli, ["scale", *files, "--confidence", "95"])
    assert result.exit_code == 1
    assert "A confidence of 95.0 cannot be used" in result.output


def test_a_workspace_has_both_lines_where_answers_were_read_twice(sample_workspace):
    result = CliRunner().invoke(cli, ["scale", "--workspace", str(sample_workspace), "--json"])
    assert result.exit_code == 0
    found = json.loads(result.stdout)["error_bars"]
    assert all(row["readers"]["low"] < row["readers"]["high"] for row in found["candidates"])
    assert any(note.startswith("Readers: From ") for note in found["notes"])


def test_a_workspace_with_a_band_prints_the_bias_of_re_reads_by_its_readers_own_error(sample_workspace):
    options = ["scale", "--workspace", str(sample_workspace)]
    found = json.loads(CliRunner().invoke(cli, [*options, "--json"]).stdout)
    assert [bias["rule"] for bias in found["reread_bias"]] == ["replace", "mean", "higher"]
    text = CliRunner().invoke(cli, options)
    assert text.exit_code == 0
    assert "higher" in text.stdout


def test_scores_are_set_against_a_group_with_the_scores_error_and_the_groups(run):
    totals, written = json.loads(run("--json", "--among", "first-timers"))["percentiles"]
    assert (totals["component"], written["component"]) == ("ube", "written")
    for one in totals["candidates"]:
        bar, wider = one["readers_questions_pool"], one["and_group"]
        assert bar["low"] <= one["percentile"] <= bar["high"]
        assert 0 <= wider["low"] <= wider["high"] <= 100
    assert any("143.8" in sentence for sentence in written["assumptions"])
    assert "Percent of the group below: totals among" in run("--among", "qualified")


def test_a_group_nobody_knows_is_refused_with_those_there_are(sample_workspace):
    result = CliRunner().invoke(
        cli, ["scale", "--workspace", str(sample_workspace), "--among", "firsttimers"]
    )
    assert result.exit_code == 1
    assert "first-timers" in result.output


def test_where_nobody_is_complete_no_error_bars_are_talked_of(tmp_path):
    (tmp_path / "pool.csv").write_text("candidate_id,a,mbe\nx,,130\ny,,140\n", encoding="utf-8")
    (tmp_path / "round.yaml").write_text(
        f"{HEAD}  - item: a\n    component: mee\n    weight: 1\n", encoding="utf-8"
    )
    files = [str(tmp_path / "pool.csv"), "--round", str(tmp_path / "round.yaml")]
    result = CliRunner().invoke(cli, ["scale", *files])
    assert result.exit_code == 0
    assert "No candidate has every item graded, so nothing was scaled." in result.stdout
    assert "Error bars" not in result.stdout
