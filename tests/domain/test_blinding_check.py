"""Who is asked to guess, and what the record keeps of guesses and flags."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic import ValidationError
from test_grading_record import INPUTS, ROUND, RUBRIC, Log

from grader_app.domain.blinding_check import Guess, Sureness, is_asked, place_drawn
from grader_app.domain.content_hash import canonical_json
from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.inputs import Inputs
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.round import Guesses, Round


def asking(share: float, *items: str, seed: int = 7) -> Round:
    return ROUND.model_copy(update={"guesses": Guesses(share_percent=share, items=items), "seed": seed})


def dealt(assignment_id: str = "a", kind: ReadKind = ReadKind.LIVE, item: str = "mee-barge") -> Assignment:
    return Assignment(assignment_id, "r", item, "p", 1, 1, kind)


def test_the_share_asked_is_the_share_the_round_says() -> None:
    drawn = [is_asked(asking(20), dealt(f"a{n}")) for n in range(5000)]
    assert sum(drawn) == pytest.approx(1000, abs=90)
    assert not any(is_asked(asking(0), dealt(f"a{n}")) for n in range(5000))
    assert all(is_asked(asking(100), dealt(f"a{n}")) for n in range(5000))


def test_the_draw_is_the_same_each_time_and_another_seed_draws_others() -> None:
    first = [is_asked(asking(50), dealt(f"a{n}")) for n in range(64)]
    assert first == [is_asked(asking(50), dealt(f"a{n}")) for n in range(64)]
    assert first != [is_asked(asking(50, seed=8), dealt(f"a{n}")) for n in range(64)]


def test_all_kinds_of_papers_are_asked_about_alike_but_those_of_packets_never() -> None:
    for n in range(200):
        drawn = {is_asked(asking(30), dealt(f"a{n}", k)) for k in ReadKind if k is not ReadKind.CALIBRATION}
        assert drawn == {place_drawn(7, f"a{n}") < 0.3}
        assert not is_asked(asking(100), dealt(f"a{n}", ReadKind.CALIBRATION))


def test_only_the_questions_listed_are_asked_about() -> None:
    assert is_asked(asking(100, "mee-barge"), dealt())
    assert not is_asked(asking(100, "mee-barge"), dealt(item="mee-crane"))


def test_a_round_may_ask_only_about_items_it_has() -> None:
    said = ROUND.model_dump(mode="json") | {"guesses": {"share_percent": 20, "items": ["mee-ferry"]}}
    with pytest.raises(ValidationError, match="mee-ferry"):
        Round.model_validate_json(canonical_json(said))


class AskingLog(Log):
    """A log whose round asks after every grade."""

    def __init__(self) -> None:
        self.round = asking(100)
        super().__init__()

    def add(self, kind: EventKind, subject: str, /, **body: Any) -> int:
        if body.get("kind") == "round":
            body["hash"] = self.round.content_hash
        return super().add(kind, subject, **body)

    def record(self) -> GradingRecord:
        files = {
            made.content_hash: {
                "kind": kind,
                "id": made.id,
                "version": made.version,
                "content": made.model_dump(mode="json"),
            }
            for kind, made in (("rubric", RUBRIC), ("round", self.round))
        }
        return GradingRecord(self.events, Inputs(files=files, responses=INPUTS.responses))


def test_the_record_keeps_who_was_asked_and_what_was_guessed() -> None:
    log = AskingLog()
    log.deal("r0", "p1", "p2")
    log.grade("r0-p1", 4)
    log.grade("r0-p2", 5)
    log.add(EventKind.SOURCE_GUESSED, "r0-p2", guess="model", sure="leaning", note_hash=None)
    record = log.record()
    assert record.asked == {"r0-p1", "r0-p2"}
    (found,) = record.guesses.values()
    assert (found.response_id, found.grader_id, found.guess, found.sure) == (
        "r0", "p2", Guess.MODEL, Sureness.LEANING,
    )  # fmt: skip


def test_a_flag_is_kept_once_and_a_referral_for_the_same_reason_counts_as_one() -> None:
    log = Log()
    log.deal("r0", "p1", "p2")
    log.deal("r1", "p1")
    first = log.add(EventKind.AUTHOR_GIVEN_AWAY, "r0-p1", note_hash="n1")
    log.add(EventKind.ANSWER_REFERRED, "r0-p1", reason="source-shown", note_hash=None)
    log.add(EventKind.ANSWER_REFERRED, "r0-p2", reason="source-shown", note_hash="n2")
    log.add(EventKind.ANSWER_REFERRED, "r1-p1", reason="conflict", note_hash=None)
    flags = log.record().author_flags
    assert set(flags) == {"r0-p1", "r0-p2"}
    assert (flags["r0-p1"].event_seq, flags["r0-p1"].referred, flags["r0-p1"].note_hash) == (
        first, False, "n1",
    )  # fmt: skip
    assert flags["r0-p2"].referred


def test_nobody_is_asked_in_a_round_that_says_nothing_of_it() -> None:
    log = Log()
    log.deal("r0", "p1")
    log.grade("r0-p1", 4)
    assert log.record().asked == set()
