"""What long files of an export are made of: rows made when they are gone through, and lines in pieces."""

import csv
import io

import pytest

from grader_app.domain.content_hash import canonical_json
from grader_app.domain.inputs import Inputs, kept_response
from grader_app.export.csv_file import csv_pieces
from grader_app.export.field_kind import FieldKind
from grader_app.export.json_lines import inputs_bytes, parse_inputs
from grader_app.export.table import Column, RowsMade, Table

COLUMNS = (Column("response_id", FieldKind.RESPONSE_ID), Column("value", FieldKind.SCORE))


def rows_of(n):
    return RowsMade(n, lambda: ((f"r{at}", at / 2) for at in range(n)))


def test_made_rows_are_as_a_list_of_them():
    made, held = rows_of(7), [(f"r{at}", at / 2) for at in range(7)]
    assert len(made) == 7
    assert list(made) == list(made) == held
    for at in (slice(None, 3), slice(5, 50), slice(2, 2), slice(None), slice(1, 6, 2)):
        assert made[at] == held[at]
    assert (made[0], made[6], made[-1]) == (held[0], held[6], held[6])
    with pytest.raises(IndexError):
        made[7]


@pytest.mark.parametrize("n", [0, 1, 499, 500, 1001])
def test_a_csv_file_in_pieces_holds_its_header_once_and_every_row_in_order(n):
    written = b"".join(csv_pieces(Table("grades", COLUMNS, rows_of(n)))).decode("utf-8")
    assert written.endswith("\r\n")
    found = list(csv.reader(io.StringIO(written, newline="")))
    assert found[0] == ["response_id", "value"]
    assert [(name, float(value)) for name, value in found[1:]] == list(rows_of(n))


def test_the_lines_of_answers_are_canonical_json_whatever_they_hold():
    odd = {'r"1\n': kept_response("q\\", "é\u2028\x00", "0" * 64), "r0": kept_response("q", "\t", "f" * 64)}
    lines = inputs_bytes(Inputs(responses=odd, mbe={"c": 130.0})).decode("utf-8").split("\n")
    said = [{"kind": "response", "id": name} | odd[name] for name in sorted(odd)]
    assert lines == [*map(canonical_json, [*said, {"kind": "mbe", "candidate_id": "c", "mbe": 130.0}]), ""]
    assert parse_inputs("\n".join(lines).encode("utf-8")) == Inputs(responses=odd, mbe={"c": 130.0})
