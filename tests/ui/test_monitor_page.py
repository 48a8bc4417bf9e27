"""The monitor page: what it says first, its pictures, pausing and going on, and its empty states."""

import re
from xml.etree import ElementTree

import pytest
from checked_workspace import ITEM, calibrate, make_checked, of_kind, read_validity
from drawn_pages import Person, says, texts
from served_workspace import give_password
from small_workspace import (
    cheap_hashing,  # noqa: F401 - a fixture
    make_workspace,
)

from grader_app.agreement.checks_of_round import checks_of_item
from grader_app.agreement.score_shares import score_shares
from grader_app.domain.panel import ReadKind, Role
from grader_app.ui import current
from grader_app.ui.parts.drift_chart import drift_svg
from grader_app.ui.parts.shares_chart import shares_svg
from grader_app.workflow.accounts import add_account
from grader_app.workflow.monitoring import PAUSED_UNTIL_DECIDED
from grader_app.workflow.qualification import standing_of

TITLE = "The question of mee-barge"


@pytest.fixture
def lead_of(tmp_path):
    """Sign a lead in to a workspace made as a test asks."""
    opened = []

    def sign_in(small):
        add_account(small.bench, small.actor, "lead", Role.LEAD)
        give_password(small.path, "lead")
        found = Person(small.bench).sign_in("lead")
        current.use(small.bench, lambda: found.token)
        opened.append(small)
        return found

    yield sign_in
    for small in opened:
        current.use(small.bench)
        small.bench.store.close()


@pytest.fixture
def small(tmp_path):
    return make_checked(tmp_path / "w", graders=2, answers=60)


def drawn(lead, **query):
    app = lead.draw("lead_pages.monitor", **query)
    assert not app.exception
    assert not any(re.search(r"\b(nan|None|inf)\b", text) for text in texts(app))
    return app


def headline(app):
    found = [re.search(r'<p class="headline">([^<]*)</p>', text) for text in texts(app)]
    return next(match.group(1) for match in found if match)


def click(app, key):
    next(button for button in app.button if button.key == key).click()
    return app.run()


def test_without_an_alarm_the_page_says_what_would_not_be_seen(lead_of, small):
    read_validity(small, small.graders[0], 0, 1)
    app = drawn(lead_of(small))
    assert headline(app).startswith("No alarm. With ")
    # Of grader-1 alone: what could be seen of one who has read nothing says nothing of the others.
    # How many papers are planted in all follows from the ids, so the number of points differs a little.
    assert re.search(r"\d points? could go unseen\. 1 grader has read none yet\.$", headline(app))
    assert says(app, "each sets off the alarm with a chance of at most")
    assert says(app, "Checks never count")


def test_an_alarm_comes_first_with_its_date_direction_and_sum(lead_of, small):
    read_validity(small, small.graders[1], -2, -2, -2)
    app = drawn(lead_of(small))
    # How many papers it takes depends on how many are planted in all, which differs from grader to grader.
    expected = r"1 alarm: grader-2 may have become harsher \(since 29 Nov 2026, [23] validity papers\)\."
    assert re.fullmatch(expected, headline(app))
    assert says(app, "A grader who was severe or lenient in calibration is so here too")
    assert says(app, "Alarm of 29 Nov 2026, 09:")
    assert says(app, "against a limit of")
    assert says(app, "could go unseen.")


def test_the_table_gives_severity_with_its_interval_pace_and_detection_in_both_kinds_of_papers(
    lead_of, small
):
    grader = small.graders[0]
    calibrate(small, grader, lambda place: (0, 0, 1, 0, 0, -1, 0, 0)[place])
    read_validity(small, grader, -1, 0, -1, 0, -1)
    for dealt in of_kind(small, grader, ReadKind.LIVE)[:6]:
        small.submit(dealt, 4, seconds_spent=150)
    app = drawn(lead_of(small))
    table = next(text for text in texts(app) if "Against the reference" in text)
    assert "0.6 points below (harsh)" in table
    assert re.search(r"<td>[+-]0\.\d\d to \+1\.\d\d</td>", table)
    assert "2 min 30 s" in table
    sight = next(text for text in texts(app) if "Smallest change seen" in text)
    assert "0.75 points is found" in sight
    row = re.search(r"<tr><td>grader-1.*?</tr>", sight).group(0)
    cells = re.findall(r"<td[^>]*>([^<]*)</td>", row)
    assert int(cells[5]) == 4 * int(cells[4])


def test_a_lead_pauses_a_grader_and_lets_them_go_on_with_a_reason(lead_of, small):
    lead, grader = lead_of(small), small.graders[0]
    app = drawn(lead)
    app = click(app, f"pause:{grader.account_id}")
    assert says(app, f"grader-1's live work on {TITLE} is paused.")
    assert not standing_of(small.bench, grader.account_id, ITEM).may_grade
    assert headline(app).endswith("Live work is paused for grader-1.")
    click(app, f"resume:{grader.account_id}")
    assert says(app, "needs a reason of 5 to 500 characters")
    assert not standing_of(small.bench, grader.account_id, ITEM).may_grade
    app.text_input(key=f"reason:{grader.account_id}").set_value("We talked it over.")
    app = click(app, f"resume:{grader.account_id}")
    assert says(app, f"grader-1 may go on with {TITLE}; the sums start again.")
    assert standing_of(small.bench, grader.account_id, ITEM).may_grade


def test_what_a_paused_grader_reads_can_be_written_anew(lead_of, tmp_path):
    small = make_checked(tmp_path / "w", packets=())
    grader_id = small.graders[0].account_id
    app = drawn(lead_of(small))
    field = app.text_input(key=f"why:{grader_id}")
    assert field.value == PAUSED_UNTIL_DECIDED
    assert says(app, "There is no packet on which this grader could calibrate again, so only you")
    field.set_value("Please call before you go on.")
    app = click(app, f"pause:{grader_id}")
    assert standing_of(small.bench, grader_id, ITEM).says == "Please call before you go on."
    assert says(app, "The grader reads: Please call before you go on.")


def test_of_a_large_panel_those_who_need_the_lead_are_drawn_and_whoever_is_chosen(lead_of, tmp_path):
    small = make_checked(tmp_path / "w", graders=9, answers=180)
    read_validity(small, small.graders[3], -2, -2, -2)
    app = drawn(lead_of(small))
    assert {button.key for button in app.button} == {f"pause:{small.graders[3].account_id}"}
    assert "grader-4" not in app.selectbox[0].options
    app.selectbox[0].set_value("grader-7").run()
    assert {button.key for button in app.button} == {
        f"pause:{small.graders[number].account_id}" for number in (3, 6)
    }


def test_self_repeats_are_labelled_an_upper_bound(lead_of, tmp_path):
    small = make_checked(tmp_path / "w", checks="self_repeat_every: 10", validity=(), answers=80)
    for dealt in small.queue(small.graders[0]):
        small.submit(dealt, 3)
    app = drawn(lead_of(small))
    assert says(app, "Self-consistency, an upper bound because of memory")
    assert says(app, "grader-1 gives the same score both times to 100 % of")
    assert headline(app) == "No validity paper is planted for anybody, so a change would not be seen."


def test_a_round_without_checks_says_how_to_switch_them_on(lead_of, tmp_path):
    small = make_workspace(tmp_path / "plain")
    app = drawn(lead_of(small))
    assert says(app, "This round plants no checks.")
    (block,) = app.code
    assert {line.split(":")[0].strip() for line in block.value.splitlines()} == {
        "checks", "validity_paper_every", "self_repeat_every", "false_alarm_rate", "on_alarm",
    }  # fmt: skip


def test_without_a_validity_set_the_page_says_what_to_add(lead_of, tmp_path):
    app = drawn(lead_of(make_checked(tmp_path / "w", validity=())))
    assert says(app, "There is no validity paper for this question as it stands.")
    assert says(app, "/calibration")


def test_before_the_first_paper_is_read_nothing_is_claimed(lead_of, small):
    app = drawn(lead_of(small))
    assert headline(app) == "No validity paper has been read yet, so nothing is known of any change."
    assert says(app, "grader-1 awaits the first validity paper.")


def test_before_anything_is_dealt_there_is_nothing_to_watch(lead_of, tmp_path):
    app = drawn(lead_of(make_checked(tmp_path / "w", answers=0)))
    assert headline(app).startswith("No answer of this question has been dealt yet")


def test_the_panel_page_warns_in_one_line_before_validity_papers_run_out(lead_of, tmp_path):
    small = make_checked(tmp_path / "w", answers=8, validity=(3,) * 6)
    lead = lead_of(small)
    quiet = lead.draw("lead_pages.panel")
    assert not says(quiet, "validity papers run out")
    small.take_in(ITEM, 60)
    warned = lead.draw("lead_pages.panel")
    assert says(warned, "The question of mee-barge: validity papers run out for grader-1.")
    assert says(drawn(lead), "validity papers will run out:")


def picture(small, grader):
    with small.bench.record() as record:
        found = checks_of_item(record, ITEM)
    seen = next(one for one in found.graders if one.grader_id == grader.account_id).validity
    return seen, ElementTree.fromstring(drift_svg(seen))


def test_the_picture_has_a_point_a_paper_in_either_direction_and_rings_the_alarm(small):
    grader = small.graders[0]
    read_validity(small, grader, 1, -2, -2, -2)
    seen, svg = picture(small, grader)
    points = [float(dot.get("cy")) for dot in svg.iter("circle") if dot.get("class") is None]
    squares = [float(box.get("y")) + 3 for box in svg.iter("rect")]
    (middle,) = {
        float(path.get("d").split("H")[0].split(",")[1])
        for path in svg.iter("path")
        if path.get("class") == "axis"
    }
    scale = (middle - points[-1]) / seen.watched.harsher[-1]
    assert [middle - y for y in points] == pytest.approx([scale * s for s in seen.watched.harsher], abs=0.1)
    assert [y - middle for y in squares] == pytest.approx(
        [scale * s for s in seen.watched.more_lenient], abs=0.1
    )
    (ring,) = (dot for dot in svg.iter("circle") if dot.get("class") == "ring")
    assert float(ring.get("cy")) == points[seen.watched.alarm]
    words = [text.text for text in svg.iter("text")]
    assert "alarm" in words
    assert f"harsher: limit {seen.limit.limit:.2f}" in words
    assert f"more lenient: limit {seen.limit.limit:.2f}" in words
    assert f"alarm at paper {seen.watched.alarm + 1}." in svg.get("aria-label")
    small.bench.store.close()


def test_the_limits_are_named_at_the_end_away_from_the_alarm(small):
    def named_at(grader):
        _, svg = picture(small, grader)
        return {text.get("text-anchor") for text in svg.iter("text") if "limit" in text.text}

    grader = small.graders[0]
    read_validity(small, grader, *[0] * 5)
    assert named_at(grader) == {"start"}
    read_validity(small, small.graders[1], -2, -2, -2)
    assert named_at(small.graders[1]) == {"end"}
    small.bench.store.close()


def test_the_axis_numbers_every_paper_or_every_fifth(small, tmp_path):
    seen, svg = picture(small, small.graders[0])
    numbers = [int(text.text) for text in svg.iter("text") if text.text.isdigit()]
    assert numbers == list(range(1, seen.planted + 1))
    assert "no validity paper is in them yet" in svg.get("aria-label")
    small.bench.store.close()
    many = make_checked(tmp_path / "many", answers=160, validity=(3,) * 40)
    seen, svg = picture(many, many.graders[0])
    numbers = [int(text.text) for text in svg.iter("text") if text.text.isdigit()]
    assert numbers == list(range(5, seen.planted + 1, 5))
    many.bench.store.close()


def test_score_shares_are_drawn_to_one_scale_and_names_are_escaped():
    shares = score_shares([1, 1, 2], [0, 1, 2, 2], [0, 1, 2])
    figure = ElementTree.fromstring(shares_svg(shares, "<b>Ada", 2 / 3))
    assert figure.find("figcaption").text == "<b>Ada · 3 scored"
    heights = [float(bar.get("height")) for bar in figure.iter("rect")]
    assert heights == pytest.approx([0, 64, 32], abs=0.1)
    half = ElementTree.fromstring(shares_svg(shares, "Ada", 4 / 3))
    assert [float(bar.get("height")) for bar in half.iter("rect")] == pytest.approx([0, 32, 16], abs=0.1)
    assert (
        figure.find("svg").get("aria-label") == "0: 0 %, panel 25 %; 1: 67 %, panel 25 %; 2: 33 %, panel 50 %"
    )
