"""Who is a person and who a model: from a file, every fault at once, or by what came with the answers."""

import pytest

from grader_app.blinding.arms import FROM_KEY, arms_of
from grader_app.domain.blinding_check import Guess
from grader_app.errors import FileProblems

ANSWERS = (
    "id,source,text,prompt_type,temperature,model_version,finish_reason,trial\n"
    "1,C-1001,One.,,,,,\n"
    "2,C-1002,Two.,,,,,1\n"
    "3,quill,Three.,short,,,,\n"
    "4,heron,Four.,,0.7,,,\n"
    "5,plover,Five.,,,v2,,\n"
    "6,dunlin,Six.,,,,stop,\n"
)


@pytest.fixture
def sources(desk):
    desk.take(ANSWERS)
    return desk.key.sources()


def by_sender(sources, arms):
    return {kept.sender_id: arms.by_response[kept.response_id].value for kept in sources}


def test_without_a_file_what_only_models_have_makes_a_model(sources):
    arms = arms_of(sources)
    assert by_sender(sources, arms) == {
        "1": "person", "2": "person", "3": "model", "4": "model", "5": "model", "6": "model",
    }  # fmt: skip
    assert arms.says == FROM_KEY


def test_a_file_says_it_whatever_came_with_the_answers(desk, sources):
    rows = "C-1001;model\nC-1002;Person\nquill;person\nheron;model\nplover;model\ndunlin;model\nwren;model\n"
    arms = arms_of(sources, desk.file("source;arm\n" + rows, "arms.csv"))
    found = by_sender(sources, arms)
    assert (found["1"], found["2"], found["3"], found["4"]) == ("model", "person", "person", "model")
    assert set(arms.by_response.values()) == {Guess.PERSON, Guess.MODEL}


def test_everything_wrong_with_the_file_is_listed_at_once(desk, sources):
    rows = "C-1001,human\nC-1002,person\nC-1002,model\nquill,model\nheron,\n"
    with pytest.raises(FileProblems) as caught:
        arms_of(sources, desk.file("source,arm\n" + rows, "arms.csv"))
    said = str(caught.value)
    assert "arms.csv:2: The arm of the source `C-1001` is `human`. Write `person` or `model`." in said
    assert "arms.csv:3: The source `C-1002` stands on lines 3 and 4." in said
    assert "arms.csv:6: The arm of the source `heron` is ``." in said
    for missing in ("plover", "dunlin"):
        assert f"The source `{missing}` is not in the file." in said


def test_a_file_without_the_columns_is_refused_with_what_was_found(desk, sources):
    with pytest.raises(FileProblems, match=r"no column `source`; found `who`, `arm`"):
        arms_of(sources, desk.file("who,arm\nC-1001,person\n", "arms.csv"))


def test_a_source_copied_from_a_revealed_export_is_known_again(desk):
    desk.take("id,source,text\n1,=quill,One.\n2,'@heron,Two.\n3,-5,Three.\n")
    rows = "'=quill,model\n''@heron,person\n-5,person\n"
    arms = arms_of(desk.key.sources(), desk.file("source,arm\n" + rows, "arms.csv"))
    assert by_sender(desk.key.sources(), arms) == {"1": "model", "2": "person", "3": "person"}
    with pytest.raises(FileProblems, match=r"The source `=quill` stands on lines 2 and 5"):
        arms_of(desk.key.sources(), desk.file(f"source,arm\n{rows}=quill,model\n", "arms.csv"))
