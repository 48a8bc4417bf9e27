"""The blind as the lead may see it before reveal: texts that give their author away, and who was asked."""

from __future__ import annotations

from dataclasses import dataclass

from grader_app.domain.blinding_check import AuthorFlag
from grader_app.domain.panel import CHECKS
from grader_app.store.stages import revealed_responses
from grader_app.store.texts import get_text_or_none
from grader_app.workflow.feedback import text_of_paper
from grader_app.workflow.papers import is_cut_off
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class GivenAway:
    """A paper of which somebody said that it gives its author away.

    Parameters
    ----------
    response_id, item
        The paper and its question.
    text, cut_off
        As the graders saw it.
    said
        When each grader said so and in what words, oldest first; words may be empty.
    referred
        How many of them sent it to the lead for this reason instead of grading it.
    is_check
        True for a paper of a calibration set that was planted as a check.
    """

    response_id: str
    item: str
    text: str
    cut_off: bool
    said: tuple[tuple[str, str], ...]
    referred: int
    is_check: bool


@dataclass(frozen=True)
class Asked:
    """How often graders were asked who wrote an answer; never what they said or whether it was right.

    Parameters
    ----------
    asked, answered
        Questions put, and answered, of all graders and kinds of papers together.
    share_percent
        What the round says now.
    revealed
        Answers of the round whose source the custodian has revealed.
    """

    asked: int
    answered: int
    share_percent: float
    revealed: int = 0


def given_away(bench: Workbench) -> list[GivenAway]:
    """List the papers said to give their author away, the latest first."""
    by_paper: dict[str, list[AuthorFlag]] = {}
    with bench.record() as record:
        for flag in sorted(record.author_flags.values(), key=lambda flag: -flag.event_seq):
            by_paper.setdefault(flag.response_id, []).insert(0, flag)
        planted = {
            flag.response_id
            for flag in record.author_flags.values()
            if record.assignments[flag.assignment_id].kind in CHECKS
            and flag.response_id not in record.inputs.responses
        }
    return [_paper(bench, flags, is_check=flags[0].response_id in planted) for flags in by_paper.values()]


def asked(bench: Workbench) -> Asked:
    """Count the questions put and answered."""
    with bench.record() as record:
        share = bench.material().round.guesses.share_percent
        return Asked(len(record.asked), len(record.guesses), share, len(revealed_responses(bench.store)))


def _paper(bench: Workbench, flags: list[AuthorFlag], *, is_check: bool) -> GivenAway:
    first = flags[0]
    return GivenAway(
        first.response_id,
        first.item,
        text_of_paper(bench, first.response_id),
        is_cut_off(bench, first.response_id),
        tuple(
            (flag.at, (get_text_or_none(bench.store, flag.note_hash) or "") if flag.note_hash else "")
            for flag in flags
        ),
        sum(flag.referred for flag in flags),
        is_check,
    )
