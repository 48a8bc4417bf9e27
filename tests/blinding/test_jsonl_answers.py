"""Answers in JSON lines, and one test a kind of bad file."""

import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from grader_app.blinding.formats import read_answers
from grader_app.errors import FileProblems

LINE = '{"id": "1", "source": "m", "text": "T"}\n'


@pytest.fixture
def read(tmp_path):
    def read_bytes(content, name="answers.jsonl", **options):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
        return read_answers(path, **options)

    return read_bytes


def lines_and_words(error):
    return [(problem.line, f"{problem.what} {problem.fix}") for problem in error.value.problems]


def test_numbers_are_kept_as_they_were_written(read):
    (answer,) = read(
        '{"id": 00.70, "source": 1E5, "text": 12, "temperature": 0.70}'.replace("00", "0")
    ).answers
    assert (answer.sender_id, answer.source, answer.text, answer.temperature) == ("0.70", "1E5", "12", "0.70")


def test_other_names_are_kept_as_json(read):
    (answer,) = read(
        '{"id":"1","source":"m","text":"T","usage":{"n":1.50,"ok":true},"x":null,"y":"z","w":NaN}'
    ).answers
    assert answer.others == {"usage": '{"n": 1.50, "ok": true}', "x": "", "y": "z", "w": "NaN"}


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_byte_order_mark_and_utf16_are_understood(read, encoding):
    (answer,) = read('{"id": "ä", "source": "m", "text": "T"}\n'.encode(encoding)).answers
    assert answer.sender_id == "ä"


def test_empty_lines_are_passed_over_and_lines_are_physical(read):
    file = read("\n" + LINE + "\r\n" + LINE.replace('"1"', '"2"'))
    assert [(a.sender_id, a.line) for a in file.answers] == [("1", 2), ("2", 4)]


def test_line_separators_inside_a_text_end_no_line(read):
    (answer,) = read('{"id": "1", "source": "m", "text": "a\u2028b\x85c"}\n').answers
    assert answer.text == "a\u2028b\x85c"


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ('{"id": "1", "id": "2", "source": "m", "text": "T"}', "`id` stands twice"),
        ('{"id": "1", "source": "m", "text": "T"', "This is not JSON"),
        ('{"id": "1", "source": "m", "text": null}', "`text` is null"),
        ('{"id": true, "source": "m", "text": "T"}', "`id` is true"),
        ('{"id": "1", "source": ["m"], "text": "T"}', "`source` is a list"),
        ('{"id": "1", "source": "m"}', "no `text` in this line; found `id`, `source`"),
        ('{"id": "1", "source": "m", "text": "T", "temperature": NaN}', "`temperature` is NaN"),
        ("[1]", "a list, not an object"),
        ("3.5", "a number, not an object"),
    ],
)
def test_a_bad_line_is_named(read, line, said):
    with pytest.raises(FileProblems) as error:
        read(LINE + line + "\n")
    ((number, words),) = lines_and_words(error)
    assert number == 2
    assert said in words


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (json.dumps([json.loads(LINE)], indent=1), "a list, not JSON lines"),
        (json.dumps(json.loads(LINE), indent=1), "one object, not JSON lines"),
        ("id,source,text\n1,m,T\n", "not a file of JSON lines"),
        ("", "empty"),
    ],
)
def test_what_is_not_json_lines_is_named_and_refused(read, content, said):
    with pytest.raises(FileProblems, match=said):
        read(content)


def test_a_missing_name_is_listed_with_those_found(read):
    with pytest.raises(FileProblems, match="found `doc_id`, `model`, `text`"):
        read('{"doc_id": "1", "model": "m", "text": "T"}')


def test_many_bad_lines_are_listed_up_to_a_limit_and_counted(read):
    with pytest.raises(FileProblems) as error:
        read(LINE + "{\n" * 80)
    assert len(error.value.problems) == 51
    assert any("30 further" in problem.what for problem in error.value.problems)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(value=st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")))
def test_any_text_comes_back_as_it_was_written(tmp_path, value):
    path = tmp_path / "any.jsonl"
    row = {"id": "1", "source": "m" + value, "text": value, "note": value}
    path.write_text(json.dumps(row, ensure_ascii=False) + "\n", encoding="utf-8", newline="")
    (answer,) = read_answers(path).answers
    assert (answer.text, answer.source, answer.others) == (value, "m" + value, {"note": value})
