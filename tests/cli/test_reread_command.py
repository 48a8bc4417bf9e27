"""The command `reread`: what it says before it deals, and what it deals."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace

from click.testing import CliRunner, Result
from reread_pools import near_the_line, pool, rereads, rule
from small_workspace import SmallWorkspace

from grader_app.cli.main import cli
from grader_app.cli.reread import plan_lines
from grader_app.domain.events import EventKind


def run(small: SmallWorkspace, *words: str) -> Result:
    return CliRunner().invoke(cli, [*words, "--workspace", str(small.path)])


def judged(small: SmallWorkspace) -> list[str]:
    told = json.loads(run(small, "scale", "--json", "--no-error-bars").output)
    return sorted(row["judged"] for row in told["candidates"])


def test_a_dry_run_says_rule_and_answers_and_deals_nothing(make: Callable[..., SmallWorkspace]) -> None:
    small = pool(make, rule("higher"), reading="reads: 2")
    done = run(small, "reread", "--dry-run")
    lines = done.output.splitlines()
    assert done.exit_code == 0
    assert "Taking the higher of two scores can only raise them" in lines[0]
    assert lines[1].startswith("New scores move the mean and SD")
    assert lines[2].startswith("Bias to expect, in points of the total")
    assert lines[-2] == "To be read again: 2 answers of 2 candidates, by 2 graders."
    assert lines[-1] == "Nothing was dealt (--dry-run)."
    assert small.count(EventKind.REREADS_BEGUN) == 0


def test_it_deals_once_and_totals_read_again_are_judged_by_the_line_alone(
    make: Callable[..., SmallWorkspace],
) -> None:
    small = pool(make)
    assert judged(small).count("reread") == 2
    told = json.loads(run(small, "reread", "--json").output)
    assert (told["rule"], told["answers"], told["dealt"], len(told["candidates"])) == ("mean", 2, True, 2)
    for response_id in near_the_line(small):
        small.submit(rereads(small, response_id)[0], 3)
    assert judged(small) == ["fail"] * 4 + ["pass"] * 4
    again = run(small, "reread")
    assert (again.exit_code, again.stderr) == (1, "No total in the band has papers left to read again.\n")


def test_what_stands_in_the_way_is_a_sentence_each(make: Callable[..., SmallWorkspace]) -> None:
    done = run(pool(make, graded=False), "reread", "--dry-run")
    assert done.exit_code == 1
    assert done.stderr == (
        "Re-reads cannot begin.\n8 answers wait for their first reads. Let them be read first.\n"
    )


def test_a_paper_off_the_reading_list_is_refused_by_name(make: Callable[..., SmallWorkspace]) -> None:
    done = run(pool(make), "reread", "--paper", "cx", "mee-barge")
    assert done.exit_code == 1
    assert "Not on the reading list of `grader-app scale`: cx mee-barge." in done.stderr


def test_one_of_a_kind_is_spoken_of_as_one():
    plan = SimpleNamespace(
        readers={"r1": "g1"}, candidates=("c1",), nobody=("r2",), passed_over={"with a condition code": 1}
    )
    assert plan_lines(plan) == [
        "To be read again: 1 answer of 1 candidate, by 1 grader.",
        "Not read again: 1 answer with a condition code.",
        "For 1 answer no new grader is left, so nothing can be dealt. "
        "Add an account for another grader, who qualifies first if the round requires it.",
    ]
