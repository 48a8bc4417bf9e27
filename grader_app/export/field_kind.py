"""What a field of an export is about, and which kinds no export may ever show."""

from __future__ import annotations

from enum import StrEnum


class FieldKind(StrEnum):
    """What a field tells its reader."""

    CANDIDATE_ID = "candidate_id"
    RESPONSE_ID = "response_id"
    GRADER_ID = "grader_id"
    ITEM = "item"
    FACET = "facet"
    SCORE = "score"
    CONDITION_CODE = "condition_code"
    EVIDENCE = "evidence"
    """Where words of an answer stand and what they show; never the words."""
    STATUS = "status"
    SCALED_SCORE = "scaled_score"
    MBE = "mbe"
    STATISTIC = "statistic"
    RUBRIC = "rubric"
    TIME = "time"
    NOTE = "note"
    """A remark that the program makes about the whole export."""
    EVENT = "event"
    FILE_CONTENT = "file_content"
    """What a round, a rubric, an item or a calibration set says."""
    STATED_REASON = "stated_reason"
    """A lead's reason that was given to be printed."""
    TEXT_HASH = "text_hash"
    FINGERPRINT = "fingerprint"

    SOURCE = "source"
    ANSWER_TEXT = "answer_text"
    WRITTEN_NOTE = "written_note"
    PERSON_NAME = "person_name"
    SALT = "salt"


NEVER_SHOWN = frozenset(
    {
        FieldKind.SOURCE,
        FieldKind.ANSWER_TEXT,
        FieldKind.WRITTEN_NOTE,
        FieldKind.PERSON_NAME,
        FieldKind.SALT,
    }
)
"""Who wrote an answer, the words of answers and notes, names of people, and the salts of the words."""
