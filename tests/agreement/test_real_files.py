"""Files of real graders through the command; run where GRADER_APP_REAL_DATA names their folder."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from grader_app.cli.agreement import agreement
from grader_app.errors import RatingsProblem

FOLDER = Path(os.environ.get("GRADER_APP_REAL_DATA", ""))
pytestmark = pytest.mark.skipif(
    not os.environ.get("GRADER_APP_REAL_DATA"), reason="GRADER_APP_REAL_DATA names no folder of real files"
)


def alpha_of(name, *options):
    arguments = [str(FOLDER / name), *options, "--json", "--resamples", "0"]
    result = CliRunner().invoke(agreement, arguments)
    if result.exception:
        raise result.exception
    (facet,) = json.loads(result.stdout)["facets"]
    return next(figure for figure in facet["figures"] if figure["name"] == "krippendorff_alpha")


def test_short_answers_of_mohler_in_quarter_points():
    columns = ("--response", "item_id", "--grader", "rater", "--scale", "0:5:0.25")
    found = alpha_of("mohler_asag/ratings_long.csv", *columns)
    assert found["value"] == pytest.approx(0.5682, abs=5e-5)


ESSAYS = ("--response", "idstud,task", "--grader", "rater", "--score", "TA", "--scale", "0:7")


def test_the_essay_scored_twice_by_one_rater_is_named():
    with pytest.raises(RatingsProblem, match=r"10287/s1 by R124 in lines 688, 717"):
        alpha_of("immer_writing/data_immer04a.csv", *ESSAYS)


def test_twenty_thousand_essays_read_once_or_twice():
    found = alpha_of("immer_writing/data_immer04a.csv", *ESSAYS, "--repeats", "first")
    assert found["value"] == pytest.approx(0.7434, abs=5e-5)
    assert found["n_responses"] == 4170


@pytest.mark.parametrize(
    ("name", "response", "score", "scale", "expected"),
    [
        ("data_immer01a.csv", "idstud,type", "k1", "0:3", 0.5699),
        ("data_immer02.csv", "idstud", "a1", "0:3", 0.6239),
        ("data_immer03.csv", "idstud", "b1", "0:3", 0.6239),
        ("data_immer01b.csv", "idstud,type", "k1", "0:3", 0.6329),
        ("data_immer04b.csv", "idstud,task", "TA", "0:7", 0.7707),
    ],
)
def test_other_writing_tasks(name, response, score, scale, expected):
    path = f"immer_writing/{name}"
    if not (FOLDER / path).exists():
        pytest.skip(f"{path} is not there")
    columns = ("--response", response, "--grader", "rater", "--score", score, "--scale", scale)
    assert alpha_of(path, *columns)["value"] == pytest.approx(expected, abs=5e-5)
