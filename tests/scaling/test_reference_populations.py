"""The shipped groups: what each knows, where its numbers come from, and what its file may not say."""

import pytest

from grader_app.errors import FileProblems, ScalingProblem
from grader_app.files.reference_populations import SHIPPED, load_reference_populations
from grader_app.scaling.placed_score import place_score
from grader_app.scaling.reference_populations import Switches, choose_group, refuse_impossible

POPULATIONS = load_reference_populations()


def chosen(group, component, **switches):
    return choose_group(POPULATIONS, group, component, Switches(**switches))


def refusal(group, component, **switches):
    with pytest.raises(ScalingProblem) as found:
        chosen(group, component, **switches)
    return str(found.value)


@pytest.mark.parametrize("group", [each.id for each in POPULATIONS.groups if not each.points])
def test_every_number_of_a_curve_is_said_with_its_status_and_source(group):
    assumptions = " ".join(chosen(group, "mbe").assumptions)
    for number in ("Mean ", "SD 17.7: inferred. Source: "):
        assert number in assumptions
    assert ("Floor 135: assumed. Source: " in assumptions) == (group == "qualified")


def test_passers_are_called_simulated_and_said_to_be_nobody():
    group = chosen("qualified", "ube")
    assert group.label == "simulated passers, July 2022"
    assert any(says.startswith("No passers were looked at.") for says in group.assumptions)


def test_the_sd_of_all_takers_is_said_not_to_be_published():
    group = chosen("july-2022-all", "mbe")
    assert (group.mean, group.sd) == (140.3, 17.7)
    assert "Mean 140.3: published." in group.assumptions[0]
    assert any(says.startswith("The SD of July 2022 is not published.") for says in group.assumptions)


def test_all_takers_have_no_total():
    assert refusal("july-2022-all", "ube") == (
        "No UBE distribution of all takers, July 2022 is published or can be worked out. "
        "The group july-2022-all has: mbe, written."
    )


def test_the_percentile_is_shown_over_the_sds_that_fit_and_under_each_other_sd():
    placed = place_score(158, "mbe", chosen("first-timers", "mbe"))
    assert placed.range_of_sds == (pytest.approx(78.11, abs=0.01), pytest.approx(79.55, abs=0.01))
    assert [(each.sd_from, each.sd) for each in placed.other_sds] == [("within-group", 16.32)]
    assert placed.other_sds[0].percentile == pytest.approx(80.79, abs=0.01)


def test_a_total_with_the_condition_on_the_total_is_the_same_as_without():
    plain, conditioned = (
        place_score(298, "ube", chosen("qualified", "ube", condition=condition)).figures.percentile
        for condition in ("components", "total")
    )
    assert plain == conditioned


def test_the_correlation_is_said_whether_typed_in_or_shipped():
    shipped, typed_in = (
        " ".join(chosen("qualified", "mbe", condition="total", correlation=each).assumptions)
        for each in (None, 0.8)
    )
    assert "Correlation of MBE and written scores 0.65: inferred." in shipped
    assert "Correlation of MBE and written scores 0.8: typed in." in typed_in


@pytest.mark.parametrize(
    ("group", "component", "switches", "says"),
    [
        ("qualifed", "mbe", {}, "Did you mean qualified?"),
        ("xyz", "mbe", {}, "The groups are first-timers, qualified,"),
        ("first-timers", "mbe", {"spread": "paper-results"}, "There is: all-takers, within-group."),
        ("first-timers", "mbe", {"condition": "total"}, "--condition total is for a group of passers"),
        ("qualified", "mbe", {"correlation": 0.8}, "--correlation goes with --condition total"),
        ("qualified", "ube", {"condition": "total", "correlation": 0.8}, "and a component, mbe or written"),
        ("illinois-july-2018", "mbe", {"condition": "total"}, "is a chart"),
        (
            "illinois-july-2016",
            "mbe",
            {},
            "No MBE point of the Illinois chart, July 2016 is known. Known: ube.",
        ),
    ],
)
def test_what_a_group_cannot_do_is_refused_with_what_it_can(group, component, switches, says):
    assert says in refusal(group, component, **switches)


@pytest.mark.parametrize(("score", "component"), [(298, "mbe"), (-1, "written"), (400.5, "ube")])
def test_a_score_the_component_cannot_have_is_refused(score, component):
    with pytest.raises(ScalingProblem, match=r"Check --score and --component\."):
        refuse_impossible(score, component)
    refuse_impossible(min(max(score, 0), 200), component)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("id: qualified", "id: first-timers", "The group `first-timers` repeats `first-timers`."),
        ("based_on: first-timers", "based_on: nobody", "There is no group `nobody` with curves."),
        ("percentile: 95", "percentile: 5", "The points of mbe at 158 and 164 do not rise."),
        ("status: published", "status: certain", "status"),
        (
            "            sd:\n              value: 34.8",
            "            mean:\n              value: 34.8",
            "mean",
        ),
        ("            pass_rate:\n", "            pass_rates:\n", "Did you mean `pass_rate`?"),
    ],
)
def test_a_wrong_edit_of_the_file_is_found_with_its_line(tmp_path, old, new, says):
    text = SHIPPED.read_text(encoding="utf-8")
    assert old in text
    edited = tmp_path / "populations.yaml"
    edited.write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(FileProblems) as found:
        load_reference_populations(edited)
    assert says in str(found.value)
    assert all(problem.line for problem in found.value.problems)
