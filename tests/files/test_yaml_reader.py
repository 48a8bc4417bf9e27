from __future__ import annotations

import codecs
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from written_files import CRITERIA, ROUND, RUBRIC, SHEET, spoiled

from grader_app.domain.model import DomainModel
from grader_app.domain.point_sheet import PointSheet
from grader_app.domain.round import Round
from grader_app.domain.rubric import Rubric
from grader_app.errors import FileProblems
from grader_app.files.yaml_reader import examine_model, load_model, read_yaml

MODELS: dict[str, tuple[type[DomainModel], str]] = {
    RUBRIC: (Rubric, "rubric"),
    CRITERIA: (Rubric, "rubric"),
    SHEET: (PointSheet, "point_sheet"),
    ROUND: (Round, "round"),
}


def problems_of(
    tmp_path: Path, text: str | bytes, model: type[DomainModel], name: str
) -> list[tuple[int, str]]:
    path = tmp_path / "file.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return [
        (problem.line, f"{problem.what} {problem.fix}")
        for problem in examine_model(path, model, name).problems
    ]


def after(tmp_path: Path, base: str, old: str, new: str) -> list[tuple[int, str]]:
    model, name = MODELS[base]
    return problems_of(tmp_path, spoiled(base, old, new), model, name)


def line_of(base: str, part: str) -> int:
    return base[: base.index(part)].count("\n") + 1


@pytest.mark.parametrize("base", list(MODELS))
def test_files_that_hold_are_read(tmp_path: Path, base: str) -> None:
    path = tmp_path / "file.yaml"
    path.write_text(base, encoding="utf-8")
    model, name = MODELS[base]
    assert load_model(path, model, name).content_hash == load_model(path, model, name).content_hash


@pytest.mark.parametrize("mark", [b"", codecs.BOM_UTF8])
@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_and_a_byte_order_mark_change_nothing(tmp_path: Path, mark: bytes, ending: str) -> None:
    spoilt = spoiled(SHEET, "kind: mee", "kind: mea").replace("\n", ending)
    [(line, what)] = problems_of(tmp_path, mark + spoilt.encode(), PointSheet, "point_sheet")
    assert line == 5
    assert "`kind` is the text `mea`" in what


def test_folded_sentences_keep_what_plain_yaml_would_cut(tmp_path: Path) -> None:
    path = tmp_path / "file.yaml"
    path.write_text(RUBRIC, encoding="utf-8")
    means = load_model(path, Rubric, "rubric").levels[1].means
    assert means == "Blank, or paragraph #3 of the lease: No."


@pytest.mark.parametrize(
    ("base", "old", "new", "line", "says"),
    [
        # 1. the format line
        (RUBRIC, "format: rubric/1", "format: rubric/2", 1, "too new"),
        (RUBRIC, "format: rubric/1", "format: rubric/0", 1, "too old"),
        (RUBRIC, "format: rubric/1", "format: rubrik/1", 1, "Did you mean `rubric`?"),
        (RUBRIC, "format: rubric/1", "format: round/1", 1, "This is a round file; a rubric file"),
        (RUBRIC, "format: rubric/1", "# a comment\nformat: rubric/1", 1, "The first line is not"),
        (RUBRIC, "format: rubric/1\n", "", 1, "The first line is not"),
        (RUBRIC, "id: six-point", "id: Six-Point", 2, "joined by hyphens"),
        # 2. sentences under >-
        (RUBRIC, "means: >-\n      Sees", "means: Sees", 14, "under `means` does not stand under `>-`"),
        (RUBRIC, "means: >-\n      Sees", 'means: "Sees', 14, "not readable YAML"),
        (RUBRIC, "question: >-\n      Is", "question: Is", 26, "under `question`"),
        (SHEET, "text: >-\n          Great", "text: Great", 42, "under `text`"),
        (SHEET, "- >-\n        Argues", "- Argues", 31, "under `accept_also`"),
        (SHEET, "- >-\n        Applies", "- Applies", 34, "under `common_mistakes`"),
        (SHEET, "The borrowed barge", "The borrowed barge #3", 8, "takes the rest for a comment"),
        # 3. one-liners, choices, repeated and unknown keys
        (SHEET, "facts:\n          - mooring key", "facts: [mooring key]", 25, "`[ ]`"),
        (
            RUBRIC,
            "  - id: blank\n    title: Blank\n    counts_as: zero",
            "  - {id: blank, title: Blank, counts_as: zero}",
            21,
            "`{ }`",
        ),
        (SHEET, "contested: false", "contested: no", 29, "`no` without quotes"),
        (SHEET, "contested: false", "contested: On", 29, "`On` without quotes"),
        (SHEET, "contested: false", "contested: True", 29, "true or false"),
        (RUBRIC, "title: Blank", "title: No", 22, '"No"'),
        (RUBRIC, "title: Blank", "title: Blank\n    title: Empty", 23, "already on line 22"),
        (RUBRIC, "levels:", "levles:", 11, "Unknown key `levles`. Did you mean `levels`?"),
        (SHEET, "weight_percent: 60", "wieght_percent: 60", 38, "Did you mean `weight_percent`?"),
        (
            RUBRIC,
            "title: Blank",
            "colour: red\n    title: Blank",
            22,
            "The keys here are id, title, counts_as.",
        ),
        # what else YAML would do in silence
        (SHEET, "  - mooring key", "  - &key mooring key", 26, "`&key` names a place"),
        (SHEET, "  - mooring key", "  - *key", 26, "`*key` refers to another place"),
        (SHEET, "  - mooring key", "  - !text mooring key", 26, "`!text` is a YAML tag"),
        (RUBRIC, "  - id: blank", "  - <<: blank\n    id: blank", 21, "`<<`"),
        (RUBRIC, "  step: 1", "\tstep: 1", 8, "There is a tab"),
        (RUBRIC, "title: Blank", "title: Bl\u202eank", 22, "U+202E"),
        (RUBRIC, "title: Blank", "title: Bl\u2028ank", 22, "U+2028"),
        (RUBRIC, "checklist:", "---\nchecklist:", 24, "second document"),
        (RUBRIC, "title: Blank", "title:", 22, "`title` is empty"),
        (ROUND, "    weight: 1", "    weight: 1\nscaling:", 9, "`scaling` is empty"),
        (RUBRIC, "title: Six-point scale", "title: Six-point: scale", 4, "not readable YAML"),
        (RUBRIC, "title: Six-point scale", "title: @scale", 4, "Put the text in quotes"),
        (SHEET, 'law_as_of: "2026-11"', "law_as_of: 2026-11-30", 9, "not read alike"),
        (SHEET, 'law_as_of: "2026-11"', 'law_as_of: "November"', 9, '"2026-11"'),
        # 4. versions
        (RUBRIC, 'version: "1"', "version: 1", 3, 'version: "1"'),
        (RUBRIC, 'version: "1"', "version: 1.0", 3, 'version: "1"'),
        (RUBRIC, 'version: "1"', 'version: "1.0"', 3, "whole number in quotes"),
        (RUBRIC, 'version: "1"', 'version: "0"', 3, "whole number in quotes"),
        (SHEET, 'rubric_version: "1"', "rubric_version: 1", 7, 'rubric_version: "1"'),
        # 5. numbers
        (ROUND, "weight: 1", "weight: 0", 8, "a number above 0"),
        (ROUND, "weight: 1", "weight: -1", 8, "a number above 0"),
        (ROUND, "weight: 1", "weight: .nan", 8, "not a finite number"),
        (ROUND, "weight: 1", "weight: .inf", 8, "not a finite number"),
        (ROUND, "weight: 1", "weight: -.INF", 8, "not a finite number"),
        (ROUND, "weight: 1", "weight: 1e400", 8, "not a finite number"),
        (ROUND, "weight: 1", "weight: 1.0e+400", 8, "not a finite number"),
        (ROUND, "weight: 1", "weight: " + "9" * 5000, 8, "not a finite number"),
        (ROUND, "weight: 1", "weight: true", 8, "`weight` is `true`; a number is wanted"),
        (ROUND, "weight: 1", 'weight: "3"', 8, "`weight` is the text `3`; a number is wanted"),
        (ROUND, "weight: 1", "weight: 0x10", 8, "not read alike"),
        (ROUND, "weight: 1", "weight: 010", 8, "not read alike"),
        (ROUND, "weight: 1", "weight: 1_000", 8, "not read alike"),
        (ROUND, "weight: 1", "weight: 1:30", 8, "not read alike"),
        (ROUND, "weight: 1", "weight: 1,5", 8, "a number is wanted"),
        (ROUND, "    weight: 1", "    weight: 1\nseed: 1.5", 9, "a whole number is wanted"),
        (ROUND, "    weight: 1", "    weight: 1\nreading:\n  reads: 3", 10, "at most 2"),
        # shapes
        (RUBRIC, "title: Blank", "title: 7", 22, "text is wanted"),
        (ROUND, "items:\n  - item", "items:\n    item", 5, "a list is wanted"),
        (ROUND, "    weight: 1", "    weight: 1\nreading: twice", 9, "a block of keys is wanted"),
        (RUBRIC, "    label: Nothing\n", "", 16, "The key `label` is missing."),
    ],
)
def test_each_rule_names_its_line(
    tmp_path: Path, base: str, old: str, new: str, line: int, says: str
) -> None:
    found = after(tmp_path, base, old, new)
    assert [at for at, _ in found] == [line], found
    assert says in found[0][1]


@pytest.mark.parametrize(
    ("base", "old", "new", "line", "says"),
    [
        (RUBRIC, "score: 0", "score: 0.5", 16, "not on the scale 0 to 6 in steps of 1"),
        (RUBRIC, "score: 0", "score: 7", 16, "not on the scale"),
        (RUBRIC, "score: 0", "score: 6", 16, "The level's score `6` repeats"),
        (RUBRIC, "label: Nothing", "label: outSTANDING", 17, "The label `outSTANDING` repeats `Outstanding`"),
        (RUBRIC, "step: 1", "step: 4", 8, "not a whole number of steps"),
        (RUBRIC, "highest: 6", "highest: -6", 7, "Make `highest` larger"),
        (RUBRIC, RUBRIC[RUBRIC.index("levels:") : RUBRIC.index("condition_codes:")], "", 1, "no `levels`"),
        (RUBRIC, "given_by: grader", "given_by: sum", 10, "needs criteria, and there are none"),
        (CRITERIA, "id: analysis", "id: correctness", 20, "The id `correctness` repeats"),
        (CRITERIA, "title: Analysis", "title: CORRECTNESS", 21, "The title `CORRECTNESS` repeats"),
        (CRITERIA, "needs: correctness", "needs: corectness", 27, "there is no such criterion"),
        (CRITERIA, "needs: correctness", "needs: analysis", 27, "needs itself"),
        (CRITERIA, "if_unmet: zero", "weight: 1", 28, "only for `given_by: weighted_mean`"),
        (CRITERIA, "  highest: 2", "  highest: 3", 5, "runs from 0 to 2"),
        (CRITERIA, CRITERIA[CRITERIA.index("error_types") :], "", 19, "no `error_types`"),
        (CRITERIA, "id: analysis", "id: rationale", 20, "tables have a column of that name"),
        (SHEET, "weight_percent: 60", "weight_percent: 50", 11, "add up to 90, not 100"),
        (SHEET, "- bailment.rule", "- bailment.role", 28, "no point has that id"),
        (SHEET, "- bailment.rule", "- bailment.application", 27, "follows from itself"),
        (SHEET, "id: care.rule", "id: bailment.application", 40, "repeats `bailment.application`"),
        (SHEET, "id: care\n", "id: bailment\n", 36, "The issue id `bailment` repeats"),
        (SHEET, "contested: false", "sources:\n          - code-12", 30, "has no such document"),
        (SHEET, "law_as_of:", 'gold: "No"\nlaw_as_of:', 9, "`gold` is only for kind rule_application"),
        (ROUND, "component: mee", "component: rule_application", 8, "has no `weight`"),
        (ROUND, "    weight: 1\n", "", 6, "has no `weight`"),
        (ROUND, "    weight: 1", "    weight: 1\nscaling:\n  reference: assumed\n  mean: 1", 10, "`sd`"),
        (ROUND, "    weight: 1", "    weight: 1\nscaling:\n  sd: 1", 10, "only for `reference: assumed`"),
        (
            ROUND,
            "    weight: 1",
            "    weight: 1\ncut:\n  total: 266\n  reread_from: 265\n  reread_to: 262",
            12,
            "The band runs from 265 to 262",
        ),
        (
            ROUND,
            "    weight: 1",
            "    weight: 1\ncut:\n  total: 1\n  reread_to: 2",
            11,
            "without `reread_from`",
        ),
        (
            ROUND,
            "    weight: 1",
            "    weight: 1\n  - item: mee-barge\n    component: mee\n    weight: 1",
            9,
            "The item `mee-barge` repeats",
        ),
    ],
)
def test_each_rule_between_values_names_its_line(
    tmp_path: Path, base: str, old: str, new: str, line: int, says: str
) -> None:
    found = after(tmp_path, base, old, new)
    assert [at for at, _ in found] == [line], found
    assert says in found[0][1]


def test_everything_wrong_is_said_at_once(tmp_path: Path) -> None:
    text = SHEET
    for old, new in [
        ('version: "1"\nitem', "version: 1\nitem"),
        ("kind: mee", "kind: mea"),
        ("title: The borrowed barge", "titel: The borrowed barge"),
        ("weight_percent: 60", "weight_percent: 50"),
        ("- bailment.rule", "- bailment.role"),
        ("part: application\n", "part: applied\n"),
        ("contested: false", "contested: no"),
        ("text: >-\n          Great care.", "text: Great care."),
        ("id: care.rule", "id: care.rule\n        id: care.second"),
    ]:
        text = spoiled(text, old, new)
    lines = [line for line, _ in problems_of(tmp_path, text, PointSheet, "point_sheet")]
    expected = ["version: 1", "kind: mea", "titel", "issues:", "- bailment.role", "part: applied"]
    expected += ["contested", "id: care.second", "text: Great"]
    assert sorted(lines) == sorted(line_of(text, part) for part in expected)


def test_a_misspelled_key_hides_nothing_and_is_not_missing_too(tmp_path: Path) -> None:
    text = spoiled(
        spoiled(SHEET, "weight_percent: 60", "weight: 60"), "weight_percent: 40", "weight_percent: 41"
    )
    found = problems_of(tmp_path, text, PointSheet, "point_sheet")
    assert [what.split(".")[0] for _, what in found] == [
        "Unknown key `weight`",
        "The issues' `weight_percent` add up to 101, not 100",
    ]


def test_rules_that_rest_on_a_faulty_value_are_not_judged(tmp_path: Path) -> None:
    found = after(tmp_path, SHEET, "weight_percent: 60", 'weight_percent: "60"')
    assert [line for line, _ in found] == [38]


@pytest.mark.parametrize("content", ["", "\n\n", "# only a comment\n"])
def test_an_empty_file_is_named(tmp_path: Path, content: str) -> None:
    found = problems_of(tmp_path, content, Rubric, "rubric")
    assert any("The file is empty." in what for _, what in found)


@pytest.mark.parametrize("content", ["format: rubric/1\n- a\n", "just text\n", "- a\n- b\n"])
def test_what_is_not_keys_is_named(tmp_path: Path, content: str) -> None:
    assert problems_of(tmp_path, content, Rubric, "rubric")


def test_bytes_that_are_not_utf8_are_named(tmp_path: Path) -> None:
    content = RUBRIC.replace("Outstanding", "Outstanding \u2014").encode("cp1252")
    [(line, what)] = problems_of(tmp_path, content, Rubric, "rubric")
    assert line == 13
    assert "Byte 0x97" in what


def test_very_deep_nesting_is_named(tmp_path: Path) -> None:
    content = "format: rubric/1\nlevels:\n  " + "- " * 200 + "x\n"
    assert any("nested" in what for _, what in problems_of(tmp_path, content, Rubric, "rubric"))


def test_a_missing_file_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(FileProblems, match="There is no such file"):
        load_model(tmp_path / "none.yaml", Rubric, "rubric")


def test_other_yaml_files_may_use_the_prose_keys_for_words(tmp_path: Path) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("text: answer\nid: number\n", encoding="utf-8")
    assert read_yaml(path, prose_keys=()).data == {"text": "answer", "id": "number"}
    with pytest.raises(FileProblems):
        read_yaml(path)


WORD = st.text(st.characters(codec="ascii", categories=["L", "N", "P", "S", "Zs"]), max_size=20)
TREE: st.SearchStrategy[Any] = st.recursive(
    st.one_of(
        WORD, st.integers(-(10**9), 10**9), st.booleans(), st.floats(allow_nan=False, allow_infinity=False)
    ),
    lambda inner: st.one_of(
        st.lists(inner, min_size=1, max_size=3),
        st.dictionaries(st.text("abcdefg_", min_size=1, max_size=5), inner, min_size=1, max_size=3),
    ),
    max_leaves=8,
)


class _Quoted(yaml.SafeDumper):
    def represent_str(self, text: str) -> yaml.Node:
        return self.represent_scalar("tag:yaml.org,2002:str", text, style='"')

    def ignore_aliases(self, data: object) -> bool:
        return True


_Quoted.add_representer(str, _Quoted.represent_str)


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(tree=st.dictionaries(st.text("abcdefg", min_size=1, max_size=5), TREE, min_size=1, max_size=3))
def test_what_block_yaml_says_is_what_is_read(tmp_path: Path, tree: dict[str, Any]) -> None:
    path = tmp_path / "tree.yaml"
    path.write_text(
        yaml.dump(tree, Dumper=_Quoted, default_flow_style=False, allow_unicode=True, width=10**6),
        encoding="utf-8",
    )
    document = read_yaml(path, prose_keys=())
    assert document.data == tree
    lines = path.read_text(encoding="utf-8").split("\n")
    for loc, line in document.marks.items():
        if loc and isinstance(loc[-1], str):
            assert f"{loc[-1]}" in lines[line - 1]


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(content=st.one_of(st.binary(max_size=80), st.text("ab:-#>|{}[]&*!%@`'\"\n\t ,?<é\u2028", max_size=60)))
def test_any_content_gives_sentences_and_never_a_crash(tmp_path: Path, content: bytes | str) -> None:
    for beginning in (b"", RUBRIC.encode()):
        text = beginning + (content if isinstance(content, bytes) else content.encode())
        for line, what in problems_of(tmp_path, text, Rubric, "rubric"):
            assert 0 <= line <= text.count(b"\n") + text.count(b"\r") + 1
            assert what.endswith((".", "?"))


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(data=st.data())
def test_a_point_sheet_with_one_line_lost_or_doubled_is_read_or_explained(
    tmp_path: Path, data: st.DataObject
) -> None:
    lines = SHEET.splitlines(keepends=True)
    at = data.draw(st.integers(0, len(lines) - 1))
    again = data.draw(st.booleans())
    lines[at : at + 1] = [lines[at], lines[at]] if again else []
    for line, what in problems_of(tmp_path, "".join(lines), PointSheet, "point_sheet"):
        assert 0 <= line <= len(lines) + 1
        assert what.endswith((".", "?"))
