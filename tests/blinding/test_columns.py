"""Files that say which column is which."""

import pytest

from grader_app.blinding.formats.columns import read_map
from grader_app.errors import FileProblems


@pytest.fixture
def read(tmp_path):
    def read_text(text):
        path = tmp_path / "map.yaml"
        path.write_text(text, encoding="utf-8")
        return read_map(path)

    return read_text


def test_a_map_names_columns_by_key(read):
    assert read("id: doc_id\ntext: model answer\nsource: model\n") == {
        "id": "doc_id",
        "text": "model answer",
        "source": "model",
    }


def test_a_map_may_begin_with_its_format(read):
    assert read('format: map/1\nid: "0"\n') == {"id": "0"}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("temprature: t\n", "Did you mean `temperature`"),
        ("zzz: t\n", "The keys are id, text"),
        ("id: 0\n", "in quotes if a number"),
        ("id: a\nid: b\n", "already on line 1"),
        ("format: map/2\nid: a\n", "map/1"),
        ("", "empty"),
    ],
)
def test_a_wrong_map_is_refused_with_its_line(read, text, said):
    with pytest.raises(FileProblems, match=said):
        read(text)
