"""What people did: the kinds of events, and the chain of hashes that makes a change show."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from pydantic_core import from_json

from grader_app.domain.content_hash import quoted
from grader_app.errors import ChainBroken

FIRST_HASH = "0" * 64
"""The hash that stands before the first event."""


class EventKind(StrEnum):
    """Every kind of act that is recorded, as a past participle."""

    WORKSPACE_MADE = "WorkspaceMade"
    FILE_REGISTERED = "FileRegistered"
    ACCOUNT_ADDED = "AccountAdded"
    ACCOUNT_DISABLED = "AccountDisabled"
    PASSWORD_RESET = "PasswordReset"
    PASSWORD_CHANGED = "PasswordChanged"
    ANSWERS_TAKEN_IN = "AnswersTakenIn"
    ANSWERS_WITHDRAWN = "AnswersWithdrawn"
    MBE_TAKEN_IN = "MbeTakenIn"
    ANSWERS_DEALT = "AnswersDealt"
    GRADE_SUBMITTED = "GradeSubmitted"
    GRADE_CORRECTED = "GradeCorrected"
    ANSWER_REFERRED = "AnswerReferred"
    ANSWER_RETURNED = "AnswerReturned"
    ITEM_CLOSED = "ItemClosed"
    ITEM_REOPENED = "ItemReopened"
    SOURCES_REVEALED = "SourcesRevealed"
    MATERIAL_SEEN = "MaterialSeen"
    TRAINING_COMPLETED = "TrainingCompleted"
    CALIBRATION_BEGUN = "CalibrationBegun"
    PAPERS_RANKED = "PapersRanked"
    QUALIFICATION_JUDGED = "QualificationJudged"
    QUALIFICATION_OVERRIDDEN = "QualificationOverridden"
    QUALIFICATION_WITHDRAWN = "QualificationWithdrawn"
    FEEDBACK_HELD = "FeedbackHeld"
    FEEDBACK_RELEASED = "FeedbackReleased"
    SET_RETIRED = "SetRetired"
    RULING_MADE = "RulingMade"
    GUIDELINES_REREAD = "GuidelinesReread"
    SHEET_QUESTIONED = "SheetQuestioned"
    SHEET_QUESTION_ANSWERED = "SheetQuestionAnswered"
    GRADES_RECALLED = "GradesRecalled"
    GRADES_KEPT = "GradesKept"
    CHECKS_PLANTED = "ChecksPlanted"
    PAPER_PROMOTED = "PaperPromoted"
    PANEL_PACKET_DRAWN = "PanelPacketDrawn"
    REFERENCES_FROZEN = "ReferencesFrozen"
    DRIFT_FOUND = "DriftFound"
    GRADING_PAUSED = "GradingPaused"
    GRADING_RESUMED = "GradingResumed"
    SURPLUS_GRADE_KEPT = "SurplusGradeKept"
    DISPUTE_RAISED = "DisputeRaised"
    GRADE_ADJUDICATED = "GradeAdjudicated"
    GRADE_BACKREAD = "GradeBackread"
    CODE_DECIDED = "CodeDecided"
    AUTHOR_GIVEN_AWAY = "AuthorGivenAway"
    SOURCE_GUESSED = "SourceGuessed"
    PACKET_PRINTED = "PacketPrinted"
    PACKET_RECALLED = "PacketRecalled"
    PAPER_SCORE_KEYED = "PaperScoreKeyed"
    SCALING_RULES_SET = "ScalingRulesSet"
    APPRENTICESHIP_ENDED = "ApprenticeshipEnded"
    REREADS_BEGUN = "RereadsBegun"
    RELEASE_PREPARED = "ReleasePrepared"
    SCORES_RELEASED = "ScoresReleased"


DEALING = (EventKind.ANSWERS_DEALT, EventKind.CHECKS_PLANTED, EventKind.CALIBRATION_BEGUN)
"""Kinds of events that put papers before a grader; each lists them under ``assignments``."""


class Event(NamedTuple):
    """One act.

    Parameters
    ----------
    seq
        Place in the log, from 1, without gaps.
    at
        UTC time, ISO 8601.
    actor
        Random id of the account or command-line user who acted; names stand elsewhere.
    kind
        One of `EventKind`.
    subject
        Id of what was acted on.
    body_json
        The values as canonical JSON. Texts and notes are named by their salted hash.
    previous_hash, hash
        Links of the chain (SHA-256, hex).

    Notes
    -----
    The values are held as text and read when asked for: a log of 400,000 grades takes a third of the memory.
    """

    seq: int
    at: str
    actor: str
    kind: str
    subject: str
    body_json: str
    previous_hash: str
    hash: str

    @property
    def body(self) -> Mapping[str, Any]:
        """The values; not to be changed."""
        return _values(self.body_json)

    def as_json(self) -> str:
        """Give the event as one line of ``events.jsonl``."""
        # Names stand in the order of the alphabet; the body is canonical already.
        return (
            f'{{"actor":{quoted(self.actor)},"at":{quoted(self.at)},"body":{self.body_json},'
            f'"hash":{quoted(self.hash)},"kind":{quoted(self.kind)},'
            f'"previous_hash":{quoted(self.previous_hash)},"seq":{self.seq:d},'
            f'"subject":{quoted(self.subject)}}}'
        )


@lru_cache(maxsize=8)
def _values(body_json: str) -> Mapping[str, Any]:
    # Whoever reads an event asks for its body several times in a row.
    found: Mapping[str, Any] = from_json(body_json, cache_strings="keys")
    return found


def event_hash(
    seq: int, at: str, actor: str, kind: str, subject: str, body_json: str, previous_hash: str
) -> str:
    """Hash one event together with the hash before it.

    Parameters
    ----------
    seq, at, actor, kind, subject, previous_hash
        As in `Event`.
    body_json
        The body as canonical JSON.
    """
    parts = (str(seq), at, actor, kind, subject, body_json, previous_hash)
    # Each part is preceded by its length, so that no text can pass for two parts.
    framed = "".join(f"{len(part)}:{part}" for part in parts)
    return hashlib.sha256(framed.encode("utf-8")).hexdigest()


def first_break(events: Iterable[Event]) -> str | None:
    """Walk a chain and name its first break, or return None when it is whole.

    Parameters
    ----------
    events
        Events in the order of the log.

    Returns
    -------
    str or None
        A sentence naming the first event that does not fit.
    """
    try:
        for _ in unbroken(events):
            pass
    except ChainBroken as broken:
        return str(broken)
    return None


def unbroken(events: Iterable[Event]) -> Iterator[Event]:
    """Give the events of a chain one by one, each once it has been seen to fit.

    Parameters
    ----------
    events
        Events in the order of the log.

    Raises
    ------
    ChainBroken
        At the first event that does not fit.
    """
    previous, expected = FIRST_HASH, 1
    for event in events:
        if event.seq != expected:
            raise ChainBroken(f"Event {expected} is missing: event {event.seq} follows event {expected - 1}.")
        if event.previous_hash != previous:
            raise ChainBroken(
                f"Event {event.seq} does not follow from event {event.seq - 1}: its previous hash differs."
            )
        if _computed_hash(event) != event.hash:
            raise ChainBroken(
                f"Event {event.seq} ({event.kind}, {event.at}) was changed: its hash does not fit."
            )
        yield event
        previous, expected = event.hash, expected + 1


def _computed_hash(event: Event) -> str | None:
    """Hash an event anew; None when it holds what no event can hold: half a character."""
    try:
        return event_hash(
            event.seq,
            event.at,
            event.actor,
            event.kind,
            event.subject,
            event.body_json,
            event.previous_hash,
        )
    except ValueError:
        return None
