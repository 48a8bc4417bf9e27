from __future__ import annotations

import json
from collections.abc import Callable

import pytest
from click.testing import CliRunner
from keyed_packets import printed
from small_workspace import SmallWorkspace, make  # noqa: F401 - fixture

from grader_app.cli.main import cli
from grader_app.domain.events import EventKind
from grader_app.domain.ids import check_letter
from grader_app.domain.paper_record import PrintedPacket

Out = tuple[SmallWorkspace, PrintedPacket]


@pytest.fixture
def out(make: Callable[..., SmallWorkspace]) -> Out:  # noqa: F811
    small = make()
    return small, printed(small, 2)


def keyed(out: Out, text: str, *options: str) -> tuple[int, str]:
    small, packet = out
    file = small.path / "scores.csv"
    file.write_text(text, encoding="utf-8")
    arguments = ["keying", packet.packet_id, str(file), *options, "--workspace", str(small.path)]
    result = CliRunner().invoke(cli, arguments)
    return result.exit_code, result.output


def sheet(packet: PrintedPacket, *scores: str) -> str:
    rows = [f"{a},{check_letter(a)},{score}" for a, score in zip(packet.assignment_ids, scores, strict=True)]
    return "\n".join(["paper,letter,score", *rows]) + "\n"


def test_two_people_key_a_packet_from_their_files(out: Out) -> None:
    small, packet = out
    first = keyed(out, sheet(packet, "4", "2"), "--pass", "1", "--as", "Odile")
    assert first == (0, f"2 rows recorded as keying 1 of packet {packet.packet_id}.\n")
    code, said = keyed(out, sheet(packet, "4", "3"), "--pass", "2", "--as", "Perrin", "--json")
    assert (code, json.loads(said)) == (0, {"kept": 2, "graded": 1, "differ": 1})
    assert small.count(EventKind.GRADE_SUBMITTED) == 1


def test_the_same_file_again_adds_nothing(out: Out) -> None:
    for kept in (2, 0):
        code, said = keyed(out, sheet(out[1], "4", "2"), "--pass", "1", "--json")
        assert (code, json.loads(said)["kept"]) == (0, kept)


def test_one_person_keys_twice_only_when_alone(out: Out) -> None:
    keyed(out, sheet(out[1], "4", "2"), "--pass", "1")
    code, said = keyed(out, sheet(out[1], "4", "2"), "--pass", "2")
    assert code == 1
    assert "Let somebody else key them now" in said
    assert keyed(out, sheet(out[1], "4", "2"), "--pass", "2", "--alone")[0] == 0


def test_everything_wrong_is_said_and_nothing_stored(out: Out) -> None:
    small, packet = out
    a = packet.assignment_ids[0]
    text = f"paper,letter,score\n{a},{check_letter(a)},9\na2345678abc,A,4\n"
    code, said = keyed(out, text, "--pass", "1")
    assert code == 1
    assert f"Paper 1 ({a}): The score 9 is not on the scale" in said
    assert f"Paper a2345678abc: it is not in packet {packet.packet_id}" in said
    assert small.count(EventKind.PAPER_SCORE_KEYED) == 0


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("paper,letter,marks\nax,A,4\n", "There is no field `marks` on this score sheet"),
        ("letter,score\nA,4\n", "There is no column `paper`"),
        ("paper,letter,score\nax,A,4\n\nax,A,5\n", "Paper `ax` stands on lines 2, 4"),
    ],
)
def test_a_file_of_another_shape_is_refused(out: Out, text: str, says: str) -> None:
    code, said = keyed(out, text, "--pass", "1")
    assert code == 1
    assert says in said


def test_a_packet_that_never_was_is_named(out: Out) -> None:
    small, _ = out
    arguments = ["keying", "kxyz", str(small.path / "no.csv"), "--pass", "1", "--workspace", str(small.path)]
    result = CliRunner().invoke(cli, arguments)
    assert (result.exit_code, "no printed packet kxyz" in result.output) == (1, True)
