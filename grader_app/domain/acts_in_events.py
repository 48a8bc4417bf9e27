"""What one event says, as the thing it is about: a deal, a grade, a referral, a flag, a guess, a decision."""

from __future__ import annotations

from grader_app.domain.blinding_check import (
    AuthorFlag,
    Guess,
    SourceGuess,
    Sureness,
)
from grader_app.domain.events import Event
from grader_app.domain.grade import Grade, grade_of
from grader_app.domain.held_once import held_once
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.referral import CodeDecision, Referral


def assignments_of(event: Event) -> list[Assignment]:
    """Give what an event dealt, in its order."""
    body = event.body
    item, grader_id = held_once(body["item"]), held_once(body["grader_id"])
    return [
        Assignment(
            row["assignment_id"],
            held_once(row["response_id"]),
            item,
            grader_id,
            row["position"],
            row["read_number"],
            ReadKind(row.get("kind", ReadKind.LIVE)),
        )
        for row in body["assignments"]
    ]


def grade_given(event: Event, dealt: Assignment) -> Grade:
    """Give the grade that an event gave to what was dealt."""
    return grade_of(
        event,
        assignment_id=dealt.assignment_id,
        response_id=dealt.response_id,
        item=dealt.item,
        grader_id=dealt.grader_id,
        read_number=dealt.read_number,
    )


def referral_made(event: Event, dealt: Assignment) -> Referral:
    """Give the referral of what was dealt."""
    return Referral(
        event.seq,
        event.at,
        dealt.assignment_id,
        dealt.response_id,
        dealt.item,
        dealt.grader_id,
        event.body["reason"],
        event.body.get("note_hash"),
        event.body.get("along_with"),
    )


def flag_raised(event: Event, dealt: Assignment, *, referred: bool) -> AuthorFlag:
    """Give what a grader said of a text that gives its author away."""
    return AuthorFlag(
        event.seq,
        event.at,
        dealt.assignment_id,
        dealt.response_id,
        dealt.item,
        dealt.grader_id,
        referred,
        event.body.get("note_hash"),
    )


def guess_made(event: Event, dealt: Assignment) -> SourceGuess:
    """Give what a grader guessed of who wrote an answer."""
    sure = event.body["sure"]
    return SourceGuess(
        event.seq,
        event.at,
        dealt.assignment_id,
        dealt.response_id,
        dealt.item,
        dealt.grader_id,
        Guess(event.body["guess"]),
        None if sure is None else Sureness(sure),
        event.body.get("note_hash"),
    )


def code_decided(event: Event) -> CodeDecision:
    """Give what the lead decided about a coded answer."""
    body = event.body
    return CodeDecision(
        event.seq,
        event.at,
        event.actor,
        body["condition_code"],
        body["counts_as"],
        body.get("reason_hash"),
    )
