from __future__ import annotations

import codecs
import csv
import io
import sys
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader_app.errors import FileProblems
from grader_app.files.csv_table import parse_number, read_table


def written(tmp_path: Path, content: bytes | str) -> Path:
    path = tmp_path / "table.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def problems_of(tmp_path: Path, content: bytes | str) -> list[tuple[int, str]]:
    with pytest.raises(FileProblems) as caught:
        read_table(written(tmp_path, content))
    return [(problem.line, problem.what) for problem in caught.value.problems]


def test_ids_that_look_like_numbers_stay_text(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "id,score\n000123,1\n1E5,2\n3-4,3\n12345678901234567,4\n"))
    assert table.column("id") == ["000123", "1E5", "3-4", "12345678901234567"]


def test_a_row_starts_on_its_physical_line(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, 'id,text\na,"one\ntwo\r\nthree"\nb,x\n\n\nc,"y\n"\nd,z'))
    assert table.lines == [2, 5, 8, 10]
    assert table.rows[0] == ("a", "one\ntwo\r\nthree")


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b""),
        ("utf-8", codecs.BOM_UTF8),
        ("utf-16-le", b""),
        ("utf-16-le", codecs.BOM_UTF16_LE),
        ("utf-16-be", b""),
        ("utf-16-be", codecs.BOM_UTF16_BE),
    ],
)
def test_every_dialect_is_recognised(
    tmp_path: Path, ending: str, delimiter: str, encoding: str, mark: bytes
) -> None:
    lines = ["id;text;source".replace(";", delimiter), f'1{delimiter}"a ""b"", c; d"{delimiter}é—漢', ""]
    table = read_table(written(tmp_path, mark + ending.join(lines).encode(encoding)))
    assert table.columns == ("id", "text", "source")
    assert table.rows == [("1", 'a "b", c; d', "é—漢")]
    assert table.dialect.delimiter == delimiter
    assert (table.dialect.encoding, table.dialect.bom) == (encoding, bool(mark))
    assert table.dialect.line_ending == ending


def test_commas_inside_text_do_not_outvote_semicolons_between_cells(tmp_path: Path) -> None:
    text = "id;score;note\n1;3,5;a, b, c\n2;4,0;d, e, f\n3;2,5;g, h, i\n"
    assert read_table(written(tmp_path, text)).dialect.delimiter == ";"


def test_a_ragged_row_does_not_change_the_delimiter(tmp_path: Path) -> None:
    found = problems_of(tmp_path, "id,text\n1,a\n2,b,c\n3,d\n4\n")
    assert [line for line, _ in found] == [3, 5]
    assert "3 cells; the header has 2" in found[0][1]


def test_one_column_is_a_table(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "text\nfirst\n\nsecond\n"))
    assert table.rows == [("first",), ("second",)]
    assert table.lines == [2, 4]


def test_a_header_alone_gives_no_rows(tmp_path: Path) -> None:
    assert read_table(written(tmp_path, "id,text\n")).rows == []


@pytest.mark.parametrize("content", [b"", b"\n\n", codecs.BOM_UTF8, codecs.BOM_UTF16_LE, b"  \n"])
def test_an_empty_file_is_named(tmp_path: Path, content: bytes) -> None:
    assert problems_of(tmp_path, content) == [(0, "The file is empty.")]


def test_bytes_that_are_not_utf8_are_named_with_their_lines(tmp_path: Path) -> None:
    found = problems_of(tmp_path, b"id,text\n1,fine\n2,it\x92s\n3,caf\xe9\n")
    assert [line for line, _ in found] == [3, 4]
    assert "Byte 0x92 (position 19)" in found[0][1]
    assert "Windows-1252" in found[0][1]


def test_mixed_encodings_are_named_and_nothing_is_replaced(tmp_path: Path) -> None:
    content = "id,text\n1,é\n".encode() + "2,é\n".encode("latin-1")
    assert [line for line, _ in problems_of(tmp_path, content)] == [3]


def test_many_bad_lines_are_counted(tmp_path: Path) -> None:
    found = problems_of(tmp_path, b"id,text\n" + b"1,\xe9\n" * 50)
    assert len(found) == 21
    assert found[0] == (0, "30 further lines are not UTF-8.")


def test_utf32_is_named(tmp_path: Path) -> None:
    assert problems_of(tmp_path, "id,text\n".encode("utf-32")) == [(0, "The file is UTF-32.")]


def test_a_cut_utf16_file_is_named(tmp_path: Path) -> None:
    content = codecs.BOM_UTF16_LE + "id,text\n1,a".encode("utf-16-le")[:-1]
    [(line, what)] = problems_of(tmp_path, content)
    assert line == 2
    assert "UTF-16-LE" in what


@pytest.mark.parametrize(
    "content", [b"id,text\n1,\xed\xa0\x80\n", codecs.BOM_UTF16_LE + b"a\0\n\0\x00\xd8,\0"]
)
def test_lone_surrogates_are_refused(tmp_path: Path, content: bytes) -> None:
    assert [line for line, _ in problems_of(tmp_path, content)] == [2]


def test_a_nul_is_named_with_its_line(tmp_path: Path) -> None:
    [(line, what)] = problems_of(tmp_path, b"id,text\n1,a\n2,b\0b\n")
    assert line == 3
    assert "NUL" in what


def test_repeated_and_unnamed_columns_are_all_listed(tmp_path: Path) -> None:
    whats = [what for _, what in problems_of(tmp_path, "id,text,,id \n1,2,3,4\n")]
    assert whats == ["Column 3 has no name.", "Columns 1 and 4 are both named `id`."]


def test_an_unclosed_quote_is_named_where_it_opens(tmp_path: Path) -> None:
    [(line, what)] = problems_of(tmp_path, 'id,text\n1,"a\nb"\n2,"c\nd\n3,e\n')
    assert line == 4
    assert "never closed" in what


def test_a_quote_that_swallows_rows_is_named_where_it_opens(tmp_path: Path) -> None:
    [(line, what)] = problems_of(tmp_path, 'id,text\n1,"a\n2,"b"\n3,"c"\n')
    assert line == 2
    assert "closes on line 3" in what


def test_a_column_that_is_not_there_names_those_that_are(tmp_path: Path) -> None:
    table = read_table(written(tmp_path, "ident;text\n1;a\n"))
    with pytest.raises(FileProblems, match=r"no column `id`; found `ident`, `text` \(semicolon-separated"):
        table.column("id")


def test_a_missing_file_and_a_folder_are_named(tmp_path: Path) -> None:
    with pytest.raises(FileProblems, match="There is no such file"):
        read_table(tmp_path / "nothing.csv")
    with pytest.raises(FileProblems, match=r"folder|cannot be read"):
        read_table(tmp_path)


def test_a_cell_of_several_megabytes_is_read_whole(tmp_path: Path) -> None:
    text = "word " * 600_000
    table = read_table(written(tmp_path, f'id,text\n1,"{text}"\n'))
    assert table.rows[0][1] == text


def test_bidi_controls_are_kept_as_they_are(tmp_path: Path) -> None:
    assert read_table(written(tmp_path, "id,text\n1,a\u202eb\n")).rows == [("1", "a\u202eb")]


@pytest.mark.parametrize(("text", "number"), [("3", 3.0), (" -0.5 ", -0.5), ("1e2", 100.0), (".5", 0.5)])
def test_plain_numbers_are_read(text: str, number: float) -> None:
    assert parse_number(text, "t.csv", 2, "score") == number


def test_an_empty_cell_is_missing_not_zero() -> None:
    assert parse_number("  ", "t.csv", 2, "score") is None


@pytest.mark.parametrize(
    "text", ["nan", "inf", "-inf", "1e400", "abc", "1_0", "0x1", "٣", "1 000", "1.2.3", "--1", "."]
)
def test_what_is_no_finite_number_is_refused(text: str) -> None:
    with pytest.raises(FileProblems, match=r"^t\.csv:7: In column `score`"):
        parse_number(text, "t.csv", 7, "score")


def test_a_decimal_comma_is_named() -> None:
    with pytest.raises(FileProblems, match=r"`3,5` uses a decimal comma\. Write 3\.5\."):
        parse_number("3,5", "t.csv", 2, "score")


CELL = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=12)
NAME = st.text("abcdefgh_", min_size=1, max_size=6)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_any_table_in_any_dialect_comes_back_as_it_was(tmp_path: Path, data: st.DataObject) -> None:
    columns = data.draw(st.lists(NAME, min_size=2, max_size=5, unique=True))
    row = st.tuples(*[CELL] * len(columns))
    rows = data.draw(st.lists(row, max_size=8))
    delimiter = data.draw(st.sampled_from(",;\t|"))
    ending = data.draw(st.sampled_from(["\n", "\r\n", "\r"]))
    encoding, mark = data.draw(
        st.sampled_from(
            [
                ("utf-8", b""),
                ("utf-8", codecs.BOM_UTF8),
                ("utf-16-le", codecs.BOM_UTF16_LE),
                ("utf-16-be", codecs.BOM_UTF16_BE),
            ]
        )
    )
    out = io.StringIO(newline="")
    csv.writer(out, delimiter=delimiter, lineterminator=ending, quoting=csv.QUOTE_ALL).writerows(
        [columns, *rows]
    )
    table = read_table(written(tmp_path, mark + out.getvalue().encode(encoding)))
    assert table.columns == tuple(columns)
    assert table.rows == rows
    assert table.dialect.delimiter == delimiter
    line, lines = 2, []
    for cells in rows:
        lines.append(line)
        line += 1 + sum(len(cell.replace("\r\n", "\n").replace("\r", "\n").split("\n")) - 1 for cell in cells)
    assert table.lines == lines


@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.one_of(st.binary(max_size=60), st.text('ab,;"\n\r\t|\0é', max_size=40).map(str.encode)))
def test_any_bytes_give_a_table_or_sentences(tmp_path: Path, content: bytes) -> None:
    path = written(tmp_path, content)
    try:
        widths = {len(row) for row in read_table(path).rows}
    except FileProblems as error:
        sentences = [problem.what for problem in error.problems]
    else:
        sentences = []
        assert len(widths) <= 1
    assert all(sentence.endswith(".") for sentence in sentences)


def test_reading_leaves_room_for_larger_fields_set_elsewhere(tmp_path: Path) -> None:
    before = csv.field_size_limit(sys.maxsize if sys.maxsize < 2**31 else 2**31 - 1)
    try:
        read_table(written(tmp_path, "id,text\n1,a\n"))
        assert csv.field_size_limit() == 2**31 - 1
    finally:
        csv.field_size_limit(before)
