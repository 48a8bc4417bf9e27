"""What checks show of a grader, by hand: differences, sums, self-repeats, pace, and whose scatter is used."""

import json
import math

import pytest
from checked_workspace import (
    ITEM,
    calibrate,
    make_checked,
    of_kind,
    read_validity,
    reference_of,
    unread,
)
from small_workspace import (
    cheap_hashing,  # noqa: F401 - a fixture
    make_workspace,
)

from grader_app.agreement.checks_of_round import checks_of_item, checks_of_record
from grader_app.agreement.drift import cusum_limit
from grader_app.agreement.of_attempt import report_of_attempt
from grader_app.agreement.pace import pace
from grader_app.agreement.score_shares import score_shares
from grader_app.agreement.self_consistency import LABEL, self_consistency
from grader_app.agreement.usual_scatter import difference_sd_of_attempt
from grader_app.agreement.validity_watch import sight, validity_watch
from grader_app.domain.events import EventKind
from grader_app.domain.grade import GradeEntry
from grader_app.domain.panel import ReadKind
from grader_app.domain.score_range import ScoreRange
from grader_app.workflow.grade_submission import correct_grade
from grader_app.workflow.monitoring import pause, resume

OFF = (0, 0, 1, 0, 0, -1, 0, 0)
SD = math.sqrt(2 / 7)
"""Sample standard deviation of OFF: two squares of 1 over 8 papers, mean 0."""


@pytest.fixture
def build(tmp_path):
    made = []

    def make(**options):
        made.append(make_checked(tmp_path / f"workspace-{len(made)}", **options))
        return made[-1]

    yield make
    for small in made:
        small.bench.store.close()


def checks_of(small, grader=None):
    """The figures of one grader on the barge."""
    who = (grader or small.graders[0]).account_id
    with small.bench.record() as record:
        names = {account.account_id: account.name for account in small.graders}
        found = checks_of_item(record, ITEM, names)
    return next(one for one in found.graders if one.grader_id == who)


def correct(small, dealt, score):
    entry, token = GradeEntry(score=score), next(small.tokens)
    correct_grade(
        small.bench, dealt.grader_id, dealt.assignment_id, entry, reason="Second thoughts.", token=token
    )


def test_differences_are_reference_minus_first_score_in_the_order_read(build):
    small = build()
    (grader,) = small.graders
    first, second, third = unread(small, grader, ReadKind.VALIDITY)[:3]
    small.submit(third, reference_of(small, third) - 1)
    small.submit(first, reference_of(small, first) + 1)
    small.submit(second, reference_of(small, second))
    correct(small, third, reference_of(small, third))
    reads = checks_of(small).validity.reads
    assert [read.assignment_id for read in reads] == [d.assignment_id for d in (third, first, second)]
    assert [read.difference for read in reads] == [1, -1, 0]
    assert [read.corrected for read in reads] == [True, False, False]
    assert checks_of(small).validity.corrected == 1


def test_severity_is_the_mean_difference_with_an_interval_from_five_papers_on(build):
    small = build()
    read_validity(small, small.graders[0], -1, 0, 0, -1)
    four = checks_of(small).validity.severity
    assert (four.value, four.low, four.n_responses) == (0.5, None, 4)
    assert four.says.startswith("grader-1 scores 0.50 points below the reference on average (4 papers).")
    read_validity(small, small.graders[0], -1)
    five = checks_of(small).validity.severity
    assert five.value == 0.6
    assert five.low < 0.6 < five.high
    nobody = checks_of(build()).validity.severity
    assert (nobody.value, nobody.says) == (None, "grader-1 has scored no validity paper yet.")


def test_the_sums_run_in_units_of_the_graders_own_scatter(build):
    small = build()
    (grader,) = small.graders
    attempt = calibrate(small, grader, lambda place: OFF[place])
    read_validity(small, grader, -1, 0, 1)
    seen = checks_of(small).validity
    assert (seen.scatter.source, seen.scatter.n_papers) == ("own", 8)
    assert seen.scatter.sd == pytest.approx(SD)
    z = 1 / SD
    assert seen.watched.harsher == pytest.approx((z - 0.25, z - 0.5, 0))
    assert seen.watched.more_lenient == pytest.approx((0, 0, z - 0.25))
    with small.bench.record() as record:
        assert report_of_attempt(record, attempt, resamples=0).scores.difference_sd == pytest.approx(SD)
        assert difference_sd_of_attempt(record, attempt) == (pytest.approx(SD), 8)


def test_the_limit_is_for_the_papers_planted_at_the_rate_of_the_round(build):
    small = build(checks="validity_paper_every: 4\nfalse_alarm_rate: 0.2")
    (grader,) = small.graders
    calibrate(small, grader, lambda place: OFF[place])
    planted = len(of_kind(small, grader, ReadKind.VALIDITY))
    assert planted > 5
    seen = checks_of(small).validity
    expected = cusum_limit(planted, false_alarm_rate=0.2, n_calibration=8, step_over_sd=1 / SD)
    assert (seen.planted, seen.limit) == (planted, expected)
    assert 0.1 < expected.rate <= 0.2


def test_who_has_no_packet_is_measured_by_the_panels_middle_and_without_any_by_an_assumed_scatter(build):
    small = build(graders=4)
    ones = [1, 1, -1, 0, 0, 0, 0, -1]  # variance 4/7
    scatters = (OFF, ones, (1, -1, 1, -1, 1, -1, 1, -1))  # the last: 8/7
    nobody = checks_of(small, small.graders[3]).validity.scatter
    assert (nobody.source, nobody.sd) == ("assumed", pytest.approx(0.7))
    assert "a scatter of 0.70 points is assumed" in nobody.says
    for grader, off in zip(small.graders, scatters, strict=False):
        calibrate(small, grader, lambda place, off=off: off[place])
    let_in = checks_of(small, small.graders[3]).validity.scatter
    assert (let_in.source, let_in.n_papers) == ("panel", 8)
    assert let_in.sd == pytest.approx(math.sqrt(4 / 7))
    assert let_in.says == (
        "grader-4 has no finished packet, so the panel's middle scatter in calibration is used: "
        "0.76 points (3 graders)."
    )


def test_half_a_step_is_the_least_scatter_and_the_sentence_says_so(build):
    small = build()
    calibrate(small, small.graders[0], lambda place: 0)
    scatter = checks_of(small).validity.scatter
    assert scatter.sd == 0.5
    assert scatter.says.endswith("0.00 points (8 papers); half a step, 0.5, is the least that is used.")


def test_the_latest_packet_that_qualified_gives_the_scatter_and_every_judged_one_starts_the_sums_again(build):
    small = build(packets=((1, 2, 3, 4, 5, 5, 3, 4), (2, 3, 4, 4, 3, 2, 4, 3)))
    (grader,) = small.graders
    calibrate(small, grader, lambda place: OFF[place])
    read_validity(small, grader, -1, -1)
    assert checks_of(small).validity.restarted == 0
    failed = calibrate(small, grader, lambda place: -2)
    assert failed.judgment.outcome == "not_qualified"
    read_validity(small, grader, 0, 1)
    seen = checks_of(small).validity
    assert seen.scatter.sd == pytest.approx(SD)
    assert (len(seen.reads), seen.restarted) == (4, 2)
    assert [read.difference for read in seen.in_sums] == [0, -1]
    assert len(seen.watched.harsher) == 2
    assert seen.severity.value == 0.25


def test_a_resumption_starts_the_sums_again_and_answers_the_alarm(build):
    small = build()
    (grader,) = small.graders
    read_validity(small, grader, -2, -2, -2)
    before = checks_of(small)
    assert before.alarm.direction == "harsher"
    assert before.validity.watched.alarm is not None
    pause(small.bench, small.actor, grader.account_id, ITEM)
    resume(small.bench, small.actor, grader.account_id, ITEM, "We talked it over.")
    after = checks_of(small)
    assert (after.alarm, [one.standing for one in after.alarms]) == (None, [False])
    assert (after.validity.restarted, after.validity.watched.harsher) == (3, ())


def test_papers_that_got_a_code_are_counted_apart(build):
    small = build()
    (grader,) = small.graders
    coded = unread(small, grader, ReadKind.VALIDITY)[0]
    small.submit(coded, entry=GradeEntry(condition_code="blank"))
    read_validity(small, grader, 0, 0)
    seen = checks_of(small).validity
    assert (seen.coded, len(seen.reads)) == (1, 2)


def test_a_promoted_answer_has_the_reference_it_was_promoted_with(build):
    small = build(validity=(), graders=2, answers=12)
    reader, other = small.graders
    live = small.queue(reader)[0]
    small.append(EventKind.PAPER_PROMOTED, live.response_id, item=ITEM, reference=4, grade_events=[1])
    rows = [
        {
            "assignment_id": "apromoted",
            "response_id": live.response_id,
            "position": 99,
            "read_number": 0,
            "kind": "validity",
        }
    ]
    small.append(
        EventKind.CHECKS_PLANTED,
        other.account_id,
        item=ITEM,
        grader_id=other.account_id,
        assignments=rows,
    )
    with small.bench.record() as record:
        first = record.rubric_of(ITEM).content_hash
    small.append(
        EventKind.GRADE_SUBMITTED,
        "apromoted",
        item=ITEM,
        response_id=live.response_id,
        score=2.0,
        marks={},
        marks_entered={},
        error_types=[],
        analysis_gaps=[],
        points=[],
        condition_code=None,
        rubric="six-point",
        rubric_version="1",
        rubric_hash=first,
    )
    (read,) = checks_of(small, other).validity.reads
    assert (read.paper, read.reference, read.score, read.difference) == (live.response_id, 4, 2, 2)


def graded_through(small, grader, score_again):
    """Grade a whole queue; a repeat gets what `score_again` makes of the first score."""
    first, order = {}, []
    for dealt in small.queue(grader):
        if dealt.kind is ReadKind.LIVE:
            first[dealt.response_id] = 2 + len(first) % 3
            small.submit(dealt, first[dealt.response_id], seconds_spent=100 + len(first))
        else:
            order.append((dealt, len(first)))
            small.clock.passes(hours=3)
            small.submit(dealt, score_again(len(order), first[dealt.response_id]), seconds_spent=5)
    return first, order


def test_self_repeats_compare_first_grades_and_say_how_far_apart_they_lie(build):
    small = build(checks="self_repeat_every: 12", validity=(), answers=90)
    (grader,) = small.graders
    offs = (0, 1, 0, 2, -1, 0, 0, 0)
    _, order = graded_through(small, grader, lambda n, score: score + offs[n - 1])
    n = len(order)
    assert n >= 2
    live = of_kind(small, grader, ReadKind.LIVE)
    place = {dealt.response_id: at for at, dealt in enumerate(live, start=1)}
    apart = sorted(after - place[dealt.response_id] for dealt, after in order)
    # A correction after the second read is no first grade.
    again = order[0][0]
    original = next(one for one in live if one.response_id == again.response_id)
    correct(small, original, 6)
    correct(small, again, 6)
    found = checks_of(small).consistency
    used = offs[:n]
    assert found.n == n
    assert found.exact.value == pytest.approx(sum(off == 0 for off in used) / n)
    assert found.exact_or_adjacent.value == pytest.approx(sum(abs(off) <= 1 for off in used) / n)
    assert found.mean_difference.value == pytest.approx(sum(used) / n)
    middle = (apart[(n - 1) // 2] + apart[n // 2]) / 2
    assert found.papers_between == middle
    assert found.papers_between >= 40
    assert found.hours_between >= 3
    assert LABEL == "Self-consistency, an upper bound because of memory"


def test_a_repeat_with_a_code_is_counted_apart(build):
    small = build(checks="self_repeat_every: 12", validity=(), answers=90)
    (grader,) = small.graders
    for dealt in small.queue(grader):
        code = GradeEntry(condition_code="blank")
        small.submit(dealt, entry=code if dealt.kind is ReadKind.REPEAT else GradeEntry(score=3))
    found = checks_of(small).consistency
    assert (found.n, found.coded) == (0, len(of_kind(small, grader, ReadKind.REPEAT)))
    assert found.says == ("grader-1 has read no answer twice.",)


def test_self_consistency_by_hand_and_in_words():
    scale = ScoreRange(0, 6, 1)
    found = self_consistency(
        [3, 4, 2, 5], [3, 5, 4, 5], scale, papers_between=[40, 100, 60, 80], hours_between=[1, 2, 3, 30]
    )
    assert (found.exact.value, found.exact_or_adjacent.value) == (0.5, 0.75)
    assert (found.mean_difference.value, found.papers_between, found.hours_between) == (0.75, 70, 2.5)
    assert found.says == (
        "You give the same score both times to 50 % of 4 answers read twice.",
        "You give scores at most 1 apart to 75 % of 4 answers read twice.",
        "Your second score is 0.75 points higher on average.",
        "The two reads lie 70 live papers and 2.5 hours apart (medians).",
    )
    one = self_consistency([3], [3], scale, papers_between=[40], hours_between=[1], subject="Reader B")
    assert (one.exact.value, one.exact.status) == (None, "too_few")
    assert one.says[0] == "Reader B has read one answer twice, too few for any figure."


def test_pace_takes_live_papers_only_and_compares_the_ends_of_the_queue(build):
    small = build(checks="self_repeat_every: 12", validity=(), answers=90)
    graded_through(small, small.graders[0], lambda n, score: score)
    found = checks_of(small).pace
    # 101 to 190 seconds; thirds of 30: 101 to 130 and 161 to 190.
    assert (found.n, found.seconds, found.first_third, found.last_third) == (90, 145.5, 115.5, 175.5)
    assert (pace([]).seconds, pace([None, 7]).seconds, pace([7] * 5).first_third) == (None, 7, None)


def test_score_shares_stand_beside_the_whole_panels(build):
    small = build(graders=2, answers=8)
    for grader, score in zip(small.graders, (2, 5), strict=True):
        for dealt in of_kind(small, grader, ReadKind.LIVE):
            small.submit(dealt, score)
        read_validity(small, grader, 1)
    shares = checks_of(small).shares
    assert (shares.points, shares.n, shares.n_panel) == ((0, 1, 2, 3, 4, 5, 6), 4, 8)
    assert shares.grader == (0, 0, 1, 0, 0, 0, 0)
    assert shares.panel == (0, 0, 0.5, 0, 0, 0.5, 0)
    assert score_shares([], [], [0, 1]).grader == (0, 0)


def test_what_can_be_seen_is_said_of_the_papers_planted_and_the_rounds_spacing(build):
    small = build()
    (grader,) = small.graders
    calibrate(small, grader, lambda place: OFF[place])
    found = checks_of(small)
    delay, visible = found.sight.delay, found.sight.visible
    planted = found.validity.planted
    assert (delay.shift_points, delay.n_papers, visible.n_papers) == (0.75, planted, planted)
    assert delay.median_live == 4 * delay.median
    assert found.sight.says[1] == (
        f"With {planted} validity papers a change of {visible.points:g} points or more is seen in at least "
        "80 % of cases; a smaller one may well go unseen."
    )
    assert f"half of the time within {delay.median} validity papers, about" in found.sight.says[0]
    seen, scale = found.validity, ScoreRange(0, 6, 1)
    assert sight(seen, scale, validity_paper_every=20).delay.median_live == 20 * delay.median


def test_without_validity_papers_there_is_no_limit_and_nothing_to_see(build):
    found = checks_of(build(checks="self_repeat_every: 12", validity=()))
    assert (found.validity.limit, found.validity.watched, found.sight) == (None, None, None)


def panel(small):
    with small.bench.record() as record:
        return checks_of_item(record, ITEM, {a.account_id: a.name for a in small.graders})


def test_the_rate_of_the_panel_is_that_of_at_least_one_false_alarm(build):
    small = build(graders=2, answers=80)
    found = panel(small)
    first, second = (one.validity.limit.rate for one in found.graders)
    assert found.false_alarm_rate == pytest.approx(1 - (1 - first) * (1 - second))
    assert f"at least one of the 2 with {100 * found.false_alarm_rate:.0f} %" in found.false_alarms_say


def test_the_headline_says_what_so_few_papers_cannot_show(build):
    small = build(answers=12)
    planted = len(of_kind(small, small.graders[0], ReadKind.VALIDITY))
    assert planted >= 2
    assert panel(small).says == "No validity paper has been read yet, so nothing is known of any change."
    read_validity(small, small.graders[0], 0)
    points = panel(small).graders[0].sight.visible.points
    assert panel(small).says == (
        f"No alarm. With {planted} validity papers each, a change of less than {points:g} points could go "
        "unseen."
    )
    bare = build(checks="self_repeat_every: 12", validity=())
    assert panel(bare).says == "No validity paper is planted for anybody, so a change would not be seen."


def test_with_different_numbers_of_papers_the_headline_speaks_of_the_fewest(build):
    small = build(graders=2, answers=24)
    more = [
        {"assignment_id": f"amore{n}", "response_id": f"rmore{n}", "position": 90 + n, "read_number": 0}
        for n in range(12)
    ]
    who = small.graders[1].account_id
    rows = [{**row, "kind": "validity"} for row in more]
    small.append(EventKind.CHECKS_PLANTED, who, item=ITEM, grader_id=who, assignments=rows)
    read_validity(small, small.graders[0], 0)
    found = {one.grader_id: one for one in panel(small).graders}
    few, many = (found[grader.account_id] for grader in small.graders)
    assert many.sight.visible.points < few.sight.visible.points
    assert panel(small).says == (
        f"No alarm. With {few.validity.planted} to {many.validity.planted} validity papers each, a change of "
        f"less than {few.sight.visible.points:g} points could go unseen."
    )


def test_checks_of_another_item_are_left_aside(build):
    small = build()
    who = small.graders[0].account_id
    before = checks_of(small).validity.planted
    row = {"assignment_id": "aferry", "response_id": "rferry", "position": 1, "read_number": 0}
    rows = [{**row, "kind": "validity"}]
    small.append(EventKind.CHECKS_PLANTED, who, item="rule-ferry", grader_id=who, assignments=rows)
    with small.bench.record() as record:
        assert validity_watch(record, who, ITEM).planted == before
        assert validity_watch(record, who, ITEM, own=record.assignments.values()).planted == before


def test_the_headline_names_who_has_moved_and_which_way(build):
    small = build()
    read_validity(small, small.graders[0], 2, 2, 2)
    assert panel(small).says == "1 alarm: grader-1 has become more lenient (since 2026-11-29)."


def test_all_figures_are_plain_json_and_items_come_in_the_rounds_order(build):
    small = build(graders=2)
    read_validity(small, small.graders[0], 0, 1)
    with small.bench.record() as record:
        found = checks_of_record(record)
    assert [item.item for item in found] == [ITEM]
    as_json = json.loads(json.dumps([g.as_dict() for g in found[0].graders], allow_nan=False))
    assert {one["grader"] for one in as_json} == {a.account_id for a in small.graders}
    assert as_json[0]["self_consistency"]["label"] == LABEL


def test_a_round_without_checks_has_pace_and_shares_all_the_same(tmp_path):
    small = make_workspace(tmp_path / "plain")
    small.submit(small.queue(small.graders[0])[0], 4, seconds_spent=60)
    found = checks_of(small)
    assert (found.pace.seconds, found.shares.n, found.repeats_planted) == (60, 1, 0)
    with small.bench.record() as record:
        assert validity_watch(record, found.grader_id, ITEM).planted == 0
    small.bench.store.close()
