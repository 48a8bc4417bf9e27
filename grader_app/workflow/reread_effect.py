"""What a re-read rule is expected to do to the scores of a round, said before anybody begins."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.agreement.reader_variance import reader_variance_of_record
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.reread_rule import NEEDS_GAP, rule_in_words
from grader_app.errors import ScalingProblem
from grader_app.scaling.error_bars import Settings
from grader_app.scaling.errors_of_round import errors_of_record
from grader_app.scaling.of_round import scaled_of_record
from grader_app.scaling.reread_bias import bias_lines
from grader_app.scaling.reread_of_pool import biases_of_pool

_FEW_DRAWS = 400  # the readers' error is not drawn, so that few are enough here
HIGHER_RAISES = (
    "Taking the higher of two scores can only raise them: luck counts when it helps, never when it harms."
)
BOTH_WAYS = "The score counts whether it rises or falls."
MOVES_OTHERS = (
    "New scores move the mean and SD that all are scaled by, a little: a total at the edge may enter the "
    "band by that. Its papers are then to be read again too, before release."
)


def effect_lines(record: GradingRecord) -> list[str]:
    """Say what the round's re-read rule does, and what bias is to be expected of it."""
    rule = record.round.reread if record.round else None
    if rule is None:
        return []
    says = HIGHER_RAISES if rule.rule == "higher" else BOTH_WAYS
    others = [MOVES_OTHERS] if rule.all_papers else []
    return [f"{rule_in_words(rule.rule, rule.gap)} {says}", *others, *_expected(record)]


def _expected(record: GradingRecord) -> Iterator[str]:
    the_round = record.round
    if the_round is None or the_round.reread is None:
        return
    rule = the_round.reread.rule
    try:
        scaled = scaled_of_record(record)
        readers = reader_variance_of_record(record)
        errors = errors_of_record(record, scaled, readers, settings=Settings(n_draws=_FEW_DRAWS))
        sd = errors.reader_sd_of_total(scaled)
        biases = None if sd is None else biases_of_pool(scaled, the_round.cut, sd)
    except ScalingProblem as problem:
        yield f"The bias to expect is not known. {problem}"
        return
    if sd is None or biases is None:
        yield (
            "The bias to expect is not known: too few answers were read twice to tell how far one reading "
            "is off."
        )
        return
    yield (
        "Bias to expect, in points of the total, where one reading of all papers of a candidate is off by "
        f"{sd:.1f} points (SD):"
    )
    wanted = ("mean", "replace") if rule == NEEDS_GAP else (rule,)
    if rule == NEEDS_GAP:
        yield (
            "Whether somebody reads a third time is decided question by question; so the bias lies between "
            "those of mean and replace."
        )
    for bias in biases:
        if bias.rule in wanted:
            yield from bias_lines(sd, bias.rule, band=bias)
