"""Answers in tables, and one test a kind of bad file."""

import pytest

from grader_app.blinding.formats import read_answers
from grader_app.errors import FileProblems

ROWS = "id,source,text\n000123,C-1,One\n1E5,C-2,Two\n3-4,C-3,Three\n"


@pytest.fixture
def read(tmp_path):
    def read_bytes(content, name="answers.csv", **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return read_answers(path, **options)

    return read_bytes


def problems(error):
    return [(problem.line, f"{problem.what} {problem.fix}") for problem in error.value.problems]


def test_ids_that_look_like_numbers_or_dates_stay_text(read):
    assert [a.sender_id for a in read(ROWS).answers] == ["000123", "1E5", "3-4"]


def test_optional_columns_are_read_and_all_others_kept_with_the_source(read):
    file = read("id,source,text,temperature,trial,prompt_type,seat\n1,m,T,0.70,2,few-shot,12B\n")
    (answer,) = file.answers
    assert (answer.temperature, answer.trial, answer.prompt_type) == ("0.70", "2", "few-shot")
    assert answer.others == {"seat": "12B"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (ROWS.encode("utf-8-sig"), "byte order mark"),
        (ROWS.encode("utf-16"), "UTF-16"),
        (ROWS.replace(",", ";").encode(), "semicolon"),
        (ROWS.replace(",", "\t").encode(), "tab"),
        (ROWS.replace("\n", "\r").encode(), "CR line ends"),
        (ROWS.replace("\n", "\r\n").encode(), "CR LF"),
    ],
)
def test_every_dialect_of_spreadsheets_is_understood_and_named(read, content, said):
    file = read(content)
    assert [(a.sender_id, a.text) for a in file.answers] == [
        ("000123", "One"),
        ("1E5", "Two"),
        ("3-4", "Three"),
    ]
    assert said in file.described


def test_decimal_commas_stay_as_written(read):
    (answer,) = read("id;source;text;temperature\n1;m;T;0,7\n").answers
    assert answer.temperature == "0,7"


def test_quoted_line_ends_stay_in_the_text_and_lines_are_physical(read):
    file = read('id,source,text\n1,a,"one\n\ntwo"\n2,b,three\n')
    assert [(a.text, a.line) for a in file.answers] == [("one\n\ntwo", 2), ("three", 5)]


def test_text_that_looks_like_a_formula_is_kept_unchanged(read):
    file = read("id,source,text\n1,a,=1+1\n2,b,'=1+1\n3,c,-5\n")
    assert [a.text for a in file.answers] == ["=1+1", "'=1+1", "-5"]


def test_empty_rows_below_a_spreadsheets_table_are_left_out(read):
    assert len(read("id,source,text\n1,a,x\n,,\n,,\n").answers) == 1


def test_bytes_that_are_not_utf8_are_named_and_never_replaced(read):
    with pytest.raises(FileProblems) as error:
        read(b"id,source,text\n1,a,\x93quoted\x94\n")
    ((line, said),) = problems(error)
    assert line == 2
    assert "0x93" in said
    assert "Windows-1252" in said


def test_ragged_rows_are_each_listed(read):
    with pytest.raises(FileProblems) as error:
        read("id,source,text\n1,a\n2,b,ok\n3,c,x,y\n")
    assert [line for line, _ in problems(error)] == [2, 4]


def test_an_empty_file_is_refused(read):
    with pytest.raises(FileProblems, match="empty"):
        read("")


def test_a_missing_column_is_named_with_those_that_were_found(read):
    with pytest.raises(FileProblems) as error:
        read("doc_id;model;answer\n1;a;x\n")
    ((line, said),) = problems(error)
    assert line == 1
    for name in ("`id`", "`text`", "`source`", "`doc_id`", "`model`", "`answer`", "--map"):
        assert name in said


def test_mapped_columns_are_read_under_their_own_names(read):
    file = read(
        "doc_id;model;answer;id\n1;a;x;other\n", columns={"id": "doc_id", "source": "model", "text": "answer"}
    )
    (answer,) = file.answers
    assert (answer.sender_id, answer.source, answer.text) == ("1", "a", "x")
    assert answer.others == {"id": "other"}


def test_a_mapped_column_that_is_missing_is_named(read):
    with pytest.raises(FileProblems, match="no column `temp`"):
        read(ROWS, columns={"temperature": "temp"})


def test_a_spreadsheet_is_refused_with_how_to_save_it(read):
    with pytest.raises(FileProblems, match="CSV UTF-8"):
        read(b"PK\x03\x04", name="answers.xlsx")


def test_an_unknown_ending_needs_a_format(read):
    with pytest.raises(FileProblems, match=r"--format \(csv, jsonl\)"):
        read(ROWS, name="answers.dat")
    assert len(read(ROWS, name="answers.dat", format_name="csv").answers) == 3


def test_a_file_is_known_by_the_hash_of_its_bytes(read):
    assert read(ROWS).hash == read(ROWS, name="copy.csv").hash != read(ROWS + "4,C-4,x\n").hash
