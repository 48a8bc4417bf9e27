"""The command on files: both layouts, refusals with lines, JSON alone."""

import json

import pytest
from agreement_tables import KRIPPENDORFF_C, table
from click.testing import CliRunner

from grader_app.cli.agreement import agreement
from grader_app.errors import RatingsProblem


@pytest.fixture
def wide_file(tmp_path):
    path = tmp_path / "wide.csv"
    table(KRIPPENDORFF_C).to_csv(path, index=False)
    return path


@pytest.fixture
def long_file(tmp_path):
    path = tmp_path / "long.csv"
    long = table(KRIPPENDORFF_C).melt(id_vars="response", var_name="rater", value_name="given")
    long.to_csv(path, index=False)
    return path


def run(*arguments):
    result = CliRunner().invoke(agreement, [str(argument) for argument in arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def alpha_in(result):
    (facet,) = json.loads(result.stdout)["facets"]
    return next(figure for figure in facet["figures"] if figure["name"] == "krippendorff_alpha")


def test_wide_and_long_files_give_the_same_json(wide_file, long_file):
    wide = run(wide_file, "--wide", "--scale", "1:5", "--json")
    columns = ("--response", "response", "--grader", "rater", "--score", "given")
    long = run(long_file, *columns, "--scale", "1:5", "--json")
    assert wide.exit_code == long.exit_code == 0
    assert json.loads(wide.stdout) == json.loads(long.stdout)
    assert alpha_in(wide)["value"] == pytest.approx(0.815387504, abs=5e-9)


def test_the_level_sets_alphas_metric_and_nothing_else(wide_file):
    ordinal = json.loads(run(wide_file, "--wide", "--scale", "1:5", "--json").stdout)["facets"][0]
    nominal = json.loads(run(wide_file, "--wide", "--scale", "1:5", "--level", "nominal", "--json").stdout)
    for a, b in zip(ordinal["figures"], nominal["facets"][0]["figures"], strict=True):
        assert (a == b) == (a["name"] != "krippendorff_alpha")


def test_the_readable_table_is_the_default(wide_file):
    assert "Krippendorff's alpha (ordinal)" in run(wide_file, "--wide", "--scale", "1:5").stdout


def test_an_undeclared_scale_is_wrong_usage(wide_file):
    assert run(wide_file, "--wide").exit_code == 2
    assert run(wide_file, "--wide", "--scale", "1:5", "--categories", "a,b").exit_code == 2


def test_scores_off_the_scale_name_their_lines(wide_file):
    with pytest.raises(RatingsProblem, match=r"wide\.csv: .* line 8: “4\.0”"):
        run(wide_file, "--wide", "--scale", "0:3")


def test_a_repeated_pair_names_its_lines(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text('response_id,grader_id,score\n"a\nb",x,1\nc,x,2\n"a\nb",x,3\n"a\nb",y,3\nc,y,2\n')
    with pytest.raises(RatingsProblem, match="in lines 2, 5"):
        run(path, "--scale", "0:6")
    assert run(path, "--scale", "0:6", "--repeats", "last").exit_code == 0


def test_facets_are_reported_one_by_one(tmp_path):
    path = tmp_path / "long.csv"
    rows = [f"{r},{g},{f},{s}" for f, s in (("score", 3), ("style", 4)) for g in "xy" for r in "abc"]
    path.write_text("response_id,grader_id,what,score\n" + "\n".join(rows) + "\n")
    found = json.loads(run(path, "--facet", "what", "--scale", "0:6", "--json").stdout)
    assert [facet["facet"] for facet in found["facets"]] == ["score", "style"]


def test_a_table_where_nothing_can_be_computed_is_no_error(tmp_path):
    path = tmp_path / "long.csv"
    path.write_text("response_id,grader_id,score\na,x,3\n")
    result = run(path, "--scale", "0:6", "--json")
    assert result.exit_code == 0
    assert alpha_in(result)["status"] == "one_grader"


def test_names_are_read_as_categories(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text("id,x,y\na,yes,yes\nb,no,yes\nc,no,no\nd,,no\n")
    found = alpha_in(run(path, "--wide", "--categories", "no, yes", "--json"))
    assert (found["level"], found["n_responses"]) == ("nominal", 3)
