"""Under the redaction `new_york` nothing tells the score before a re-read, however it is asked for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import fmean

from click.testing import CliRunner
from reads_of_one_answer import correct, judged, live_reads
from release_steps import lead
from reread_pools import answers, near_the_line, pool, rereads, rule
from small_workspace import SmallWorkspace, write_round

from grader_app.cli.main import cli
from grader_app.domain.panel import Role
from grader_app.domain.supposed_record import without_grader
from grader_app.export.adjudications_table import adjudications_table
from grader_app.export.apprentices_table import apprentices_table
from grader_app.export.referrals_table import referrals_table
from grader_app.export.results import Results
from grader_app.export.tables import grades_table, scores_table
from grader_app.store.event_log import read_events
from grader_app.store.inputs import read_inputs
from grader_app.workflow.accounts import add_account
from grader_app.workflow.assignment import deal
from grader_app.workflow.backreads import backread
from grader_app.workflow.coded_answers import decide_code
from grader_app.workflow.registration import register_files
from grader_app.workflow.rereads import begin_rereads

Make = Callable[..., SmallWorkspace]
ALL = "cut:\n  total: 266\n  reread_from: 0\n  reread_to: 400\n"
TWO_READS = "reads: 2\nresolve_when_apart_by_more_than: 2"


def said(redaction: str, how: str = "replace") -> str:
    return rule(how) + f"release:\n  redaction: {redaction}\n"


def results_of(small: SmallWorkspace) -> Results:
    return Results(list(read_events(small.bench.store)), read_inputs(small.bench.store))


def apart_and_read_again(make: Make, redaction: str) -> tuple[SmallWorkspace, str]:
    """The answer below the line got 4 and 3, the other 3 twice; both were read again."""
    small = pool(make, said(redaction), reading=TWO_READS)
    below, above = near_the_line(small)
    correct(small, live_reads(small, below)[0], 4)
    begin_rereads(small.bench, small.actor)
    for response_id in (below, above):
        small.submit(rereads(small, response_id)[0], 5)
    return small, below


def test_the_command_agreement_names_no_answer_that_was_read_again(make: Make) -> None:
    def printed(redaction: str, *options: str) -> tuple[str, str]:
        small, below = apart_and_read_again(make, redaction)
        call = ["agreement", "--resamples", "0", "--workspace", str(small.path), *options]
        ended = CliRunner().invoke(cli, call, catch_exceptions=False)
        assert ended.exit_code == 0
        return ended.output, below

    for options in ((), ("--json",)):
        openly, below = printed("none", *options)
        assert below in openly
        withheld, below = printed("new_york", *options)
        assert below not in withheld


def test_no_pair_of_scores_nor_share_is_left_from_which_a_first_score_follows(make: Make) -> None:
    def where(redaction: str) -> dict[str, list[tuple[object, ...]]]:
        small, _ = apart_and_read_again(make, redaction)
        (facet,) = results_of(small).agreement["facets"]
        apart = facet["disagreement"]
        return {
            "scores": sorted((*one["scores"], one["n"]) for one in apart["scores"]),
            "shares": [round(sum(one["share"] for one in apart["responses"]), 9)],
        }

    assert where("none") == {
        "scores": [("0", "1", 1), ("1", "2", 1), ("2", "3", 1), ("3", "4", 1)],
        "shares": [1],
    }
    assert where("new_york") == {
        "scores": [("0", "1", 1), ("1", "2", 1), ("2", "3", 1)],
        "shares": [1],
    }


def test_no_grader_s_mean_counts_a_first_score_that_is_withheld(make: Make) -> None:
    def of_graders(redaction: str) -> tuple[dict[str, tuple[int, float]], dict[str, list[object]]]:
        small = pool(make, said(redaction))
        begin_rereads(small.bench, small.actor)
        for response_id in near_the_line(small):
            small.submit(rereads(small, response_id)[0], 5)
        results, shown = results_of(small), defaultdict(list)
        for row in grades_table(results).rows:
            shown[str(row[1])].append(row[3])
        (facet,) = results.agreement["facets"]
        return {one["grader"]: (one["n"], one["mean"]) for one in facet["graders"]}, shown

    openly, _ = of_graders("none")
    withheld, shown = of_graders("new_york")
    assert (sum(n for n, _ in openly.values()), sum(n for n, _ in withheld.values())) == (8, 6)
    # What the table of grades shows, so that nothing is left to subtract.
    assert withheld == {grader: (len(scores), fmean(scores)) for grader, scores in shown.items()}


def test_a_rule_changed_after_the_re_reads_discloses_no_first_score_either(make: Make) -> None:
    small = pool(make, said("none", "mean"))
    begin_rereads(small.bench, small.actor)
    below, above = near_the_line(small)
    for response_id, score in ((below, 5), (above, 1)):
        small.submit(rereads(small, response_id)[0], score)
    assert len(adjudications_table(results_of(small)).rows) == 2
    write_round(Path(small.path), items=("mee-barge",), more=said("new_york"), version=2)
    register_files(small.bench, small.actor)
    results = results_of(small)
    finals = {str(row[2]): row[3:5] for row in scores_table(results).rows}
    assert (finals[below], finals[above]) == ((None, 4), (None, 2))
    assert adjudications_table(results).rows == ()


def test_what_a_lead_or_an_apprentice_gave_before_a_re_read_is_left_out_too(make: Make) -> None:
    def given(redaction: str) -> list[tuple[object, object]]:
        small = pool(make, rule("replace", cut=ALL) + f"release:\n  redaction: {redaction}\n")
        junior, _ = add_account(small.bench, small.actor, "junior", Role.GRADER, apprentice=True)
        deal(small.bench, small.actor)
        for one in small.queue(junior):
            small.submit(one, 2)
        below, _ = near_the_line(small)
        backread(small.bench, lead(small, "pat"), live_reads(small, below)[0].assignment_id, judged(4))
        begin_rereads(small.bench, small.actor)
        for response_id in answers(small):
            small.submit(rereads(small, response_id)[0], 5)
        results = results_of(small)
        judgments = [(row[3], row[6]) for row in adjudications_table(results).rows]
        return judgments + [("apprentice", row[3]) for row in apprentices_table(results).rows]

    again = [("re-read", 5)] * 8
    assert given("none") == [("backread", 4), *again, *[("apprentice", 2)] * 2]
    assert given("new_york") == again


def test_without_its_re_reader_an_answer_has_no_score_rather_than_its_first(make: Make) -> None:
    def supposed(redaction: str) -> float | None:
        small = pool(make, said(redaction))
        begin_rereads(small.bench, small.actor)
        below, above = near_the_line(small)
        for response_id in (below, above):
            small.submit(rereads(small, response_id)[0], 5)
        with small.bench.record() as record:
            return without_grader(record, rereads(small, below)[0].grader_id).standing(below).final

    assert supposed("none") == 3
    assert supposed("new_york") is None


def test_what_a_code_counted_as_before_a_re_read_is_left_out(make: Make) -> None:
    def decided(redaction: str, *, read_again: bool = True) -> list[object]:
        small = pool(make, said(redaction))
        below, above = near_the_line(small)
        (first,) = live_reads(small, below)
        correct(small, first, "off-topic")
        decide_code(small.bench, small.actor, below, "zero")
        correct(small, first, 3)
        begin_rereads(small.bench, small.actor)
        for response_id in (below, above) if read_again else ():
            small.submit(rereads(small, response_id)[0], 5)
        return [row[7] for row in referrals_table(results_of(small)).rows]

    assert decided("none") == ["zero"]
    assert decided("new_york") == []
    assert decided("new_york", read_again=False) == []
