"""The blinding check of a round: flags before reveal, guesses against the truth after it."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from grader_app.agreement.blinding_index import bang_index, james_index
from grader_app.agreement.estimate import Estimate
from grader_app.agreement.guess_rate import right_rate
from grader_app.agreement.guesses import ARM_WORDS, ARMS, Guessed, counts_of
from grader_app.agreement.resampling import Settings
from grader_app.agreement.score_groups import GroupMean, Scored, difference_of_means, group_mean
from grader_app.domain.blinding_check import COUNTED, AuthorFlag, Guess, SourceGuess
from grader_app.domain.grading_record import GradingRecord

FLAGGED, OTHERS = "flagged", "others"
OUTCOMES = {True: "right", False: "wrong", None: "cannot tell"}


@dataclass(frozen=True)
class FlaggedScores:
    """Scores of the answers whose text was said to give its author away, beside the others of an item.

    Parameters
    ----------
    item
        The item.
    flagged, others
        Mean score of each, by grades that count.
    difference
        Flagged minus others.
    """

    item: str
    flagged: GroupMean
    others: GroupMean
    difference: Estimate

    def as_dict(self) -> dict[str, Any]:
        """Return the figures as plain Python, ready for JSON."""
        means = {
            one.group: {"n": one.n, "n_responses": one.n_responses, "mean": one.mean} for one in self._both
        }
        return {"item": self.item, **means, "difference": self.difference.as_dict()}

    @property
    def _both(self) -> tuple[GroupMean, GroupMean]:
        return self.flagged, self.others


def flags_of_answers(record: GradingRecord) -> list[AuthorFlag]:
    """List the flags on answers of the round, by answer and grader; planted papers of sets are left out."""
    there = set(record.response_ids())
    return sorted(
        (flag for flag in record.author_flags.values() if flag.response_id in there),
        key=lambda flag: (flag.response_id, flag.grader_id, flag.event_seq),
    )


def flagged_scores(
    record: GradingRecord,
    *,
    leave_out: Collection[str] = (),
    settings: Settings = Settings(),  # noqa: B008 - an immutable tuple
) -> list[FlaggedScores]:
    """Compare flagged answers with the others, for each item that has a flag.

    Parameters
    ----------
    record
        The round.
    leave_out
        Answers whose scores are not disclosed; a mean of one or two would tell them.
    settings
        Confidence, resamples and seed of the interval.

    Notes
    -----
    Grades that count for a score enter, as they stand; condition codes are left out. A difference can come
    from the answers themselves: it says how much hangs on the flagged ones, not that graders were swayed.
    """
    flagged = {flag.response_id for flag in flags_of_answers(record)}
    found = []
    for item in record.items():
        scores = [
            Scored(grade.response_id, FLAGGED if grade.response_id in flagged else OTHERS, grade.score)
            for grade in record.grades.values()
            if grade.item == item and grade.score is not None and grade.response_id not in leave_out
        ]
        if not any(record.inputs.responses[response_id]["item"] == item for response_id in flagged):
            continue
        difference = difference_of_means(
            scores,
            FLAGGED,
            OTHERS,
            "Answers that give their author away have a mean score of {first}, the others {second}: a "
            "difference of {difference}.",
            name="flagged_minus_others",
            settings=settings,
        )
        found.append(FlaggedScores(item, group_mean(scores, FLAGGED), group_mean(scores, OTHERS), difference))
    return found


def counted_guesses(record: GradingRecord) -> list[SourceGuess]:
    """List the guesses that enter the blinding check, by answer and grader.

    Notes
    -----
    Those about answers of the round whose grade counts for a score. Planted checks and reads of apprentices
    are asked about so that nobody can tell them apart; what is said there is left out.
    """
    there = set(record.response_ids())
    return sorted(
        (one for one in record.guesses.values() if one.response_id in there and _counts(record, one)),
        key=lambda one: (one.response_id, one.grader_id, one.event_seq),
    )


def score_beside(record: GradingRecord, guess: SourceGuess) -> float | None:
    """Give the score of the grade after which a guess was made, as it stands; None for a condition code."""
    return record.history[guess.assignment_id][-1].score


def blinding_check(
    record: GradingRecord,
    arms: Mapping[str, Guess],
    *,
    leave_out: Collection[str] = (),
    settings: Settings = Settings(),  # noqa: B008 - an immutable tuple
) -> dict[str, Any]:
    """Return the blinding check as plain Python, ready for JSON.

    Parameters
    ----------
    record
        The round.
    arms
        Who wrote each answer, a person or a model, by response id.
    leave_out
        As in `flagged_scores`: no figure on scores uses these answers.
    settings
        Confidence, resamples and seed of the intervals.
    """
    counted = counted_guesses(record)
    known = [one for one in counted if one.response_id in arms]
    guesses = [Guessed(one.response_id, arms[one.response_id], one.guess) for one in known]
    asked = [a for a in record.asked if record.assignments[a].kind in COUNTED]
    indexes = [bang_index(guesses, arm, settings=settings) for arm in ARMS]
    rate = right_rate(guesses, settings=settings)
    figures = [{"arm": arm.value, **index.as_dict()} for arm, index in zip(ARMS, indexes, strict=True)]
    figures += [
        {"arm": None, **figure.as_dict()} for figure in (rate, james_index(guesses, settings=settings))
    ]
    others = len(record.guesses) - len(counted)
    left_out = [
        {"n": n, "why": why}
        for n, why in (
            (others, "about planted checks, reads of apprentices, or answers that are not of the round"),
            (len(counted) - len(known), "about answers whose source is not known"),
        )
        if n
    ]
    return {
        "says": _in_short(rate, indexes),
        "asked": len(asked),
        "answered": len(counted),
        "left_out": left_out,
        "figures": figures,
        "graders": _by_grader(known, guesses),
        "scores": _scores_by_outcome(record, known, guesses, leave_out, settings),
        "flagged": [one.as_dict() for one in flagged_scores(record, leave_out=leave_out, settings=settings)],
        "flagged_by_arm": {
            arm.value: len(
                {flag.response_id for flag in flags_of_answers(record) if arms.get(flag.response_id) is arm}
            )
            for arm in ARMS
        },
    }


def _in_short(rate: Estimate, indexes: Sequence[Estimate]) -> str:
    """Say in a sentence what the guesses show, by the rate against chance where there are both kinds."""
    if rate.status == "ok":
        seen_through = rate.value is not None and rate.value > rate.details["chance_high"]
    else:
        known = [index for index in indexes if index.status == "ok"]
        if not known:
            return "Too few guesses to say anything about the blind."
        seen_through = all(
            min(index.low or 0.0, index.details.get("low_over_answers", index.low or 0.0)) > 0
            for index in known
        )
    if seen_through:
        return "Graders knew more often than chance allows who wrote an answer: the blind did not hold fully."
    return (
        "The guesses are no better than chance can make them. This does not prove that the blind held: few "
        "guesses cannot show a small leak."
    )


def _counts(record: GradingRecord, guess: SourceGuess) -> bool:
    return record.assignments[guess.assignment_id].kind in COUNTED


def _by_grader(known: Sequence[SourceGuess], guesses: Sequence[Guessed]) -> list[dict[str, Any]]:
    found = []
    for grader in sorted({one.grader_id for one in known}):
        mine = [said for one, said in zip(known, guesses, strict=True) if one.grader_id == grader]
        for arm in ARMS:
            counts = counts_of(mine, arm)
            if counts.n:
                row = {"right": counts.right, "wrong": counts.wrong, "cannot_tell": counts.cannot_tell}
                found.append({"grader_id": grader, "arm": arm.value, **row})
    return found


def _scores_by_outcome(
    record: GradingRecord,
    known: Sequence[SourceGuess],
    guesses: Sequence[Guessed],
    leave_out: Collection[str],
    settings: Settings,
) -> list[dict[str, Any]]:
    """Compare scores by what came of the guess, within an item and within one kind of writer.

    Notes
    -----
    Within one kind only: people and models write answers of different worth, and a difference between
    them would pass for one between right and wrong guesses.
    """
    scored: dict[tuple[str, Guess], list[Scored]] = {}
    for one, said in zip(known, guesses, strict=True):
        score = score_beside(record, one)
        if score is not None and one.response_id not in leave_out:
            row = Scored(one.response_id, OUTCOMES[said.right], score)
            scored.setdefault((one.item, said.arm), []).append(row)
    found = []
    for (item, arm), scores in sorted(scored.items()):
        difference = difference_of_means(
            scores,
            OUTCOMES[True],
            OUTCOMES[False],
            f"Answers by {ARM_WORDS[arm]} have a mean score of {{first}} where the guess was right and "
            "{second} where it was wrong: a difference of {difference}.",
            name="right_minus_wrong",
            settings=settings,
        )
        groups = [group_mean(scores, outcome) for outcome in OUTCOMES.values()]
        found.append(
            {
                "item": item,
                "arm": arm.value,
                "groups": [
                    {"guess": one.group, "n": one.n, "n_responses": one.n_responses, "mean": one.mean}
                    for one in groups
                ],
                "difference": difference.as_dict(),
            }
        )
    return found
