"""Tables as people have them: read alike in long and wide form, or refused by name."""

import numpy as np
import pandas as pd
import pytest
from agreement_tables import KRIPPENDORFF_C, table

from grader_app.agreement import Ratings
from grader_app.errors import RatingsProblem

WIDE = table(KRIPPENDORFF_C)
LONG = WIDE.melt(id_vars="response", var_name="grader", value_name="score")


def read(long, scale="1:5", **options):
    return Ratings.from_long(long, "response", "grader", "score", scale=scale, **options)


def test_long_and_wide_give_the_same_table():
    wide, long = Ratings.from_wide(WIDE, scale="1:5"), read(LONG)
    assert (wide.codes == long.codes).all()
    assert (wide.responses, wide.graders) == (long.responses, long.graders)
    assert (long.n_ratings, long.n_paired, len(long.responses)) == (41, 11, 12)


def test_codes_take_one_byte_and_missing_is_minus_one():
    ratings = Ratings.from_wide(WIDE, scale="1:5")
    assert ratings.codes.dtype == np.int8
    assert ratings.codes[-1].tolist() == [-1, 2, -1, -1]
    assert Ratings.from_wide(WIDE, scale="0:200").codes.dtype == np.int16


def test_several_columns_together_name_a_response():
    long = pd.DataFrame({"essay": [1, 1, 2], "part": ["a", "b", "a"], "who": ["x"] * 3, "score": [1, 2, 3]})
    ratings = Ratings.from_long(long, ["essay", "part"], "who", "score", scale="0:6")
    assert ratings.responses == ("1/a", "1/b", "2/a")


@pytest.mark.parametrize(
    "scores",
    [
        pd.Series([1, 2, None], dtype="Int64"),
        pd.Series([1, 2, None], dtype="Float64"),
        pd.Series(["1", "2.0", ""], dtype=object),
        pd.Series(["1", " 2 ", None], dtype="str"),
        pd.Series([1, 2.0, np.nan], dtype=object),
        pd.Series([1, "2", pd.NA], dtype=object),
        pd.Series([np.int64(1), np.float32(2), None], dtype=object),
    ],
)
def test_every_way_to_write_numbers_and_missing_is_understood(scores):
    long = pd.DataFrame({"response": list("abc"), "grader": "x", "score": scores})
    assert read(long).codes.tolist() == [[0], [1], [-1]]


def test_unrated_responses_stay_and_idle_graders_are_named():
    wide = pd.DataFrame({"id": ["a", "b"], "x": [1, None], "y": [None, None]})
    ratings = Ratings.from_wide(wide, scale="0:6")
    assert (ratings.responses, ratings.graders, ratings.idle_graders) == (("a", "b"), ("x",), ("y",))


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (7, "row 1: 7"),
        (2.5, "row 1: 2.5"),
        (-1, "row 1: -1"),
        (np.inf, "row 1: inf"),
        ("good", "row 1: “good”"),
        ("nan", "row 1: “nan”"),
        ("inf", "row 1: “inf”"),
        ("2,5", "decimal comma; write 2.5"),
        (True, "true or false is not a score"),
        (np.True_, "true or false is not a score"),
    ],
)
def test_a_score_off_the_scale_is_refused_naming_its_row(value, found):
    long = pd.DataFrame({"response": list("abc"), "grader": "x"})
    long["score"] = pd.Series([1, value, 3], dtype=object)
    with pytest.raises(RatingsProblem, match="not on the scale 0:6") as refusal:
        read(long, scale="0:6")
    assert found in str(refusal.value)


def test_a_column_of_booleans_is_refused():
    long = pd.DataFrame({"response": list("ab"), "grader": "x", "score": [True, False]})
    with pytest.raises(RatingsProblem, match="write 0 and 1"):
        read(long, scale="0:1")


def test_every_bad_score_is_listed_by_its_line():
    long = pd.DataFrame({"response": list("abc"), "grader": "x", "score": [9, 1, 8]})
    with pytest.raises(RatingsProblem, match=r"2 scores.*line 2: 9, line 4: 8"):
        read(long, scale="0:6", lines=[2, 3, 4])


def test_a_repeated_pair_is_refused_with_its_lines():
    long = pd.DataFrame({"response": list("aab"), "grader": "x", "score": [1, 3, 2]})
    with pytest.raises(RatingsProblem, match=r"a by x in lines 2, 5\. .*--repeats"):
        read(long, lines=[2, 5, 6])


@pytest.mark.parametrize(("repeats", "code"), [("first", 0), ("last", 2), ("mean", 1)])
def test_a_repeated_pair_can_be_kept_as_told(repeats, code):
    long = pd.DataFrame({"response": list("aab"), "grader": "x", "score": [1, 3, 2]})
    assert read(long, repeats=repeats).codes.tolist() == [[code], [1]]


def test_a_mean_off_the_scale_is_refused_with_its_rows():
    long = pd.DataFrame({"response": list("aa"), "grader": "x", "score": [1, 2]})
    with pytest.raises(RatingsProblem, match=r"rows 0, 1 is 1\.5, which is not on the scale"):
        read(long, repeats="mean")


def test_a_pair_with_one_missing_score_is_no_repeat():
    long = pd.DataFrame({"response": list("aa"), "grader": "x", "score": [None, 2]})
    assert read(long).codes.tolist() == [[1]]


def test_an_empty_id_is_refused_naming_its_row():
    long = pd.DataFrame({"response": ["a", None, ""], "grader": "x", "score": [1, 2, 3]})
    with pytest.raises(RatingsProblem, match="response is empty in rows 1, 2"):
        read(long)


def test_a_missing_column_is_named_with_those_found():
    with pytest.raises(RatingsProblem, match=r"no column rater. Columns found: response, grader, score"):
        Ratings.from_long(LONG, "response", "rater", "score", scale="1:5")


def test_a_wide_table_needs_a_grader_and_no_name_twice():
    with pytest.raises(RatingsProblem, match="no grader column"):
        Ratings.from_wide(WIDE[["response"]], scale="1:5")
    with pytest.raises(RatingsProblem, match="A occurs twice"):
        Ratings.from_wide(pd.concat([WIDE, WIDE[["A"]]], axis=1), scale="1:5")


def test_a_turned_table_is_recognised_by_its_first_column_or_its_shape():
    turned = WIDE.set_index("response").T.reset_index(names="grader")
    with pytest.raises(RatingsProblem, match="looks turned"):
        Ratings.from_wide(turned, scale="1:5")
    unnamed = turned.rename(columns={"grader": "id"})
    with pytest.raises(RatingsProblem, match="looks turned"):
        Ratings.from_wide(unnamed, scale="1:5")
    assert Ratings.from_wide(unnamed, scale="1:5", many_graders=True).n_graders == 12


def test_counts_are_recognised_by_column_names_or_constant_sums():
    counts = pd.DataFrame({"id": list("abc"), "1": [3, 0, 1], "2": [0, 1, 1], "3": [0, 2, 1]})
    with pytest.raises(RatingsProblem, match="counts of graders"):
        Ratings.from_wide(counts, scale="1:3")
    names = counts.rename(columns={"1": "no", "2": "perhaps", "3": "yes"})
    with pytest.raises(RatingsProblem, match="counts of graders"):
        Ratings.from_wide(names, scale="no,perhaps,yes")
    rows = [[6, 0, 0], [0, 6, 0], [3, 3, 0], [1, 1, 4], [2, 2, 2], [0, 0, 6], [5, 1, 0], [4, 1, 1]]
    unnamed = pd.DataFrame(rows, columns=["x", "y", "z"])
    unnamed.insert(0, "id", list("abcdefgh"))
    with pytest.raises(RatingsProblem, match="adds up to 6"):
        Ratings.from_wide(unnamed, scale="0:6")


def test_graders_numbered_like_the_scores_are_no_counts():
    wide = pd.DataFrame({"id": list("abc"), "1": [3, 1, 1], "2": [3, 1, 2], "3": [3, 2, 1]})
    assert Ratings.from_wide(wide, scale="1:3").graders == ("1", "2", "3")


def test_graders_who_reverse_each_other_are_no_counts():
    wide = pd.DataFrame({"id": range(9), "x": [0, 1, 2, 3, 4, 5, 6, 1, 2], "y": [6, 5, 4, 3, 2, 1, 0, 5, 4]})
    assert Ratings.from_wide(wide, scale="0:6").n_paired == 9


def test_codes_off_the_scale_are_refused():
    with pytest.raises(RatingsProblem, match="from 0 to 6"):
        Ratings.from_codes(np.array([[7, 0]]), scale="0:6")


def test_no_rows_at_all_is_a_table_without_ratings():
    ratings = read(LONG.iloc[:0])
    assert (ratings.n_graders, ratings.n_ratings, ratings.n_paired) == (0, 0, 0)
