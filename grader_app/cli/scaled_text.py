"""A scaled pool as a table for a reader, or as JSON."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence

import click

from grader_app.cli.score_errors_text import (
    confidence_of,
    print_placed_pool,
    print_score_errors,
    shown_bar,
)
from grader_app.domain.round import Cut
from grader_app.errors import ScalingProblem
from grader_app.scaling.compare import Comparison, crossings
from grader_app.scaling.constants import Constants
from grader_app.scaling.cuts import Judged, judge
from grader_app.scaling.effective_weights import ItemWeight
from grader_app.scaling.percentile_bars import PlacedPool
from grader_app.scaling.reread_bias import BandBias, bias_lines
from grader_app.scaling.reread_of_pool import biases_of_pool
from grader_app.scaling.scaled import Scaled
from grader_app.scaling.score_errors import ScoreErrors


def print_scaled(
    scaled: Scaled,
    as_json: bool,
    cut: Cut | None,
    comparisons: Sequence[Comparison] | None,
    errors: ScoreErrors | None = None,
    error_sd: float | None = None,
    placed: Sequence[PlacedPool] = (),
    read_again: Collection[str] = (),
) -> None:
    """Print a scaled pool as JSON alone, or as a table with its constants and warnings first.

    Parameters
    ----------
    scaled
        Constants, candidates and warnings.
    as_json
        JSON alone.
    cut
        The line that totals are judged against, if the round has one.
    comparisons
        Other ways of scaling side by side; None where they were not asked for.
    errors
        Error bars and what follows from them; None where they were not asked for.
    error_sd
        SD of a total's error from one reading, for the bias of re-reads; None for that of `errors`, where
        the line has a band.
    placed
        The scores set against groups.
    read_again
        Candidates whose papers have been read again, whom the line alone judges.
    """
    judged = None if cut is None else judge(scaled, cut, read_again)
    if error_sd is None:
        error_sd, biases = _biases_by_readers(scaled, cut, errors)
    else:
        biases = biases_of_pool(scaled, cut, error_sd)
    if as_json:
        plain = as_plain(scaled, judged, comparisons)
        if errors is not None:
            plain["error_bars"] = errors.as_json(scaled)
        if placed:
            plain["percentiles"] = [one.as_json() for one in placed]
        if biases is not None:
            plain["reread_bias"] = [bias.as_json() for bias in biases]
        click.echo(json.dumps(plain, indent=2, allow_nan=False))
        return
    for warning in scaled.warnings:  # the first is the assumed reference, if there is one
        click.echo(warning)
    click.echo(f"Method {scaled.method}, reference {scaled.reference}, rounding {scaled.rounding}.")
    if scaled.factors != (1, 1):
        mbe, written = scaled.factors
        click.echo(f"Total = {mbe:g} x MBE + {written:g} x written scaled.")
    for group, constants in scaled.constants.items():
        click.echo(_constants_line(group, constants))
        for line in weights_lines(group, scaled.items.get(group, ())):
            click.echo(line)
    if scaled.candidates:
        _echo_candidates(scaled, judged, errors)
    for left in scaled.left_out:
        click.echo(f"Left out: {left.candidate_id}. {left.why}")
    if judged is not None:
        for line in judged_lines(judged):
            click.echo(line)
    if biases:
        click.echo(
            "\nWhat reading papers again does to scores on average, by the rule that combines the reads, "
            f"where one reading puts a total off by {error_sd or 0:.1f} points (SD):"
        )
    for bias in biases or ():
        for line in bias_lines(error_sd or 0, bias.rule, band=bias):
            click.echo(line)
    for comparison in comparisons or ():
        for line in comparison_lines(comparison):
            click.echo(line)
    if errors is not None and scaled.candidates:
        print_score_errors(scaled, errors)
    for one in placed:
        print_placed_pool(one)


def _biases_by_readers(
    scaled: Scaled, cut: Cut | None, errors: ScoreErrors | None
) -> tuple[float | None, tuple[BandBias, ...] | None]:
    """Give the readers' error of a total and the bias of re-reads in the band; nothing where not known."""
    sd = None if errors is None else errors.reader_sd_of_total(scaled)
    if sd is None or cut is None or cut.reread_from is None:
        return None, None
    try:
        return sd, biases_of_pool(scaled, cut, sd)
    except ScalingProblem:
        return None, None


def as_plain(
    scaled: Scaled, judged: Judged | None, comparisons: Sequence[Comparison] | None
) -> dict[str, object]:
    """Return a scaled pool as plain values, each candidate judged where there is a line."""
    plain = scaled.as_json()
    if comparisons is not None:
        plain["comparisons"] = [comparison.as_json() for comparison in comparisons]
    if judged is None:
        return plain
    rows = [{**row.as_json(), "judged": judged.by_candidate[row.candidate_id]} for row in scaled.candidates]
    return {**plain, "candidates": rows, "cut": judged.as_json()}


def judged_lines(judged: Judged) -> Iterator[str]:
    """Give the line, how many stand where, and what to know of it."""
    cut, counts = judged.cut, judged.counts
    yield f"Passing total {cut.total:g}: {counts['pass']} pass, {counts['fail']} fail."
    if cut.reread_from is not None and cut.reread_to is not None:
        yield f"To be read again, {cut.reread_from:g} to {cut.reread_to:g}: {counts['reread']}."
    if counts["no_total"]:
        yield f"Without a total, so not judged: {counts['no_total']}."
    yield from judged.notes


def _constants_line(group: str | None, constants: Constants) -> str:
    whose = "Constants" if group is None else f"Constants of {group}"
    mbe = "MBE" if constants.mbe else "assumed MBE"
    return (
        f"{whose} from {constants.written.n} candidates: written mean {constants.written.mean:.4f}, "
        f"SD {constants.written.sd:.4f}; {mbe} mean {constants.mbe_mean:.4f}, SD {constants.mbe_sd:.4f}."
        + (f" Ranks smoothed by a kernel of {constants.smoothing:g} SDs." if constants.smoothing else "")
    )


def weights_lines(group: str | None, items: Sequence[ItemWeight]) -> Iterator[str]:
    """Give what each item counts by its weight, in fact, and once standardised."""
    if len(items) < 2:
        return
    whose = "" if group is None else f" of {group}"
    yield f"What each item{whose} counts: by weight; by weight x SD of its scores; once standardised."
    width = max(len(one.item) for one in items)
    for one in items:
        shares = (one.share, one.effective_share, one.standardised_share)
        yield f"  {one.item:<{width}}  {'  '.join(_percent(share) for share in shares)}".rstrip()


def comparison_lines(comparison: Comparison) -> Iterator[str]:
    """Give two ways of scaling side by side: what they differ by, and each candidate."""
    first, second = comparison.first, comparison.second
    yield f"\n{first} against {second}:"
    largest = comparison.largest_move
    if largest is None:
        yield f"  Not compared. {comparison.why}".rstrip()
        return
    yield (
        f"  Largest move {largest.move:+.4f} ({largest.candidate_id}), mean move "
        f"{comparison.mean_move:+z.4f}, mean size of a move {comparison.mean_size:.4f}."
    )
    if any(row.crosses is not None for row in comparison.rows):
        gained, lost = crossings(comparison.rows)
        yield f"  Crossing the line: {len(comparison.crossing)}."
        yield from (
            f"  Pass only by {way}: {', '.join(ids)}."
            for way, ids in ((second, gained), (first, lost))
            if ids
        )
    width = max(len("candidate_id"), *(len(row.candidate_id) for row in comparison.rows))
    widths = [max(9, len(first)), max(9, len(second))]
    yield f"  {'candidate_id':<{width}}  {first:>{widths[0]}}  {second:>{widths[1]}}      move"
    for row in comparison.rows:
        scores = (
            f"{row.first_scaled:>{widths[0]}.4f}  {row.second_scaled:>{widths[1]}.4f}  {row.move:>+z8.4f}"
        )
        yield f"  {row.candidate_id:<{width}}  {scores}{'  crosses' if row.crosses else ''}"


def _percent(share: float | None) -> str:
    return f"{'':>7}" if share is None else f"{share:>7.1%}"


def _echo_candidates(scaled: Scaled, judged: Judged | None, errors: ScoreErrors | None) -> None:
    """Print the scores; a verdict at the line has the wider error bar beside it."""
    width = max(len("candidate_id"), *(len(row.candidate_id) for row in scaled.candidates))
    last = "in_scaling_group" if judged is None else "in_scaling_group  judged"
    if judged is not None and errors is not None:
        last += f"  {confidence_of(errors)}: readers, questions, pool"
    click.echo(f"\n{'candidate_id':<{width}}  written_raw  written_scaled     total  {last}")
    for row in scaled.candidates:
        scores = f"{row.written_raw:>11.4f}  {row.written_scaled:>14.4f}  {_shown(row.total):>8}"
        member = "yes" if row.in_scaling_group else "no"
        verdict: str = "" if judged is None else judged.by_candidate[row.candidate_id] or ""
        if verdict and errors is not None:
            verdict = f"{verdict:<8}{shown_bar(errors.shown(row, scaled.factors).everything)}"
        verdict = f"{'':<{18 - len(member)}}{verdict}"
        click.echo(f"{row.candidate_id:<{width}}  {scores}  {member}{verdict}".rstrip())


def _shown(total: float | None) -> str:
    if total is None:
        return "no MBE"
    return str(total) if isinstance(total, int) else f"{total:.4f}"
