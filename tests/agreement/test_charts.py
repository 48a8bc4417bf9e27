"""Pictures of a report: written as SVG and PNG, and refused by name otherwise."""

import pytest
from agreement_tables import KRIPPENDORFF_C, ratings
from click.testing import CliRunner

from grader_app.agreement import report
from grader_app.agreement.charts import save_chart
from grader_app.cli.agreement import agreement
from grader_app.errors import RatingsProblem


@pytest.fixture(scope="module")
def found():
    return report(ratings(KRIPPENDORFF_C, "1:5"), resamples=50)


def test_an_svg_names_figures_graders_and_the_d_study(found, tmp_path):
    path = tmp_path / "agreement.svg"
    save_chart(found, path)
    text = path.read_text()
    for words in (
        "alpha (ordinal)",
        "Severity",
        "Pairs of graders",
        "How many graders are needed",
    ):
        assert words in text


def test_a_png_is_a_png(found, tmp_path):
    path = tmp_path / "agreement.png"
    save_chart(found, path)
    assert path.read_bytes().startswith(b"\x89PNG")


def test_a_table_where_nothing_can_be_computed_still_has_a_picture(tmp_path):
    path = tmp_path / "agreement.svg"
    save_chart(report(ratings({"x": "1 2 3"}, "0:6")), path)
    assert "one grader" in path.read_text()


def test_other_endings_and_places_are_refused(found, tmp_path):
    with pytest.raises(RatingsProblem, match=r"\.svg or \.png"):
        save_chart(found, tmp_path / "agreement.pdf")
    with pytest.raises(RatingsProblem, match="cannot be written"):
        save_chart(found, tmp_path / "nowhere" / "agreement.svg")
    ending = CliRunner().invoke(agreement, ["x.csv", "--scale", "0:6", "--plot", "x.pdf"])
    assert ending.exit_code == 2
