"""Error bars, chances at the line and papers worth a further read, as `scale` prints them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from grader_app.scaling.error_bars import Bar
    from grader_app.scaling.percentile_bars import PlacedPool
    from grader_app.scaling.scaled import Scaled, ScaledCandidate
    from grader_app.scaling.score_errors import ScoreErrors

MOST_PAPERS = 20
"""How many papers of the reading list are printed; JSON has them all."""


def print_score_errors(scaled: Scaled, errors: ScoreErrors) -> None:
    """Print two lines a candidate would want, the wider first; then who is near the line."""
    from grader_app.scaling.error_bars import COVERS, EVERYTHING, READERS

    what = "the total (of the written scaled score where there is no MBE)"
    click.echo(f"\nError bars, {confidence_of(errors)}, of {what}:")
    click.echo(f"  readers, questions, pool: {COVERS[EVERYTHING]}")
    click.echo(f"  readers only: {COVERS[READERS]}")
    for note in errors.notes:
        click.echo(f"  {note}")
    if not scaled.candidates:
        return
    width = max(len("candidate_id"), *(len(row.candidate_id) for row in scaled.candidates))
    heads = f"\n{'candidate_id':<{width}}     score  readers, questions, pool      readers only"
    click.echo(heads + ("  re-score passes  true score passes" if errors.line is not None else ""))
    for row in scaled.candidates:
        click.echo(f"{row.candidate_id:<{width}}  {_line(row, scaled, errors)}")
    _print_papers(errors)


def _line(row: ScaledCandidate, scaled: Scaled, errors: ScoreErrors) -> str:
    bars = errors.shown(row, scaled.factors)
    score = row.written_scaled if row.total is None else row.total
    text = f"{score:>8.1f}  {shown_bar(bars.everything):>24}  {shown_bar(bars.readers):>16}"
    if errors.line is None:
        return text
    chances = errors.chances.get(row.candidate_id)
    both = (None, None) if chances is None else (chances.rescore, chances.true_score)
    return text + f"  {_percent(both[0]):>15}  {_percent(both[1]):>17}"


def confidence_of(errors: ScoreErrors) -> str:
    """Say how sure the error bars are, in percent."""
    return f"{100 * errors.bars.settings.confidence:g} %"


def shown_bar(bar: Bar | None) -> str:
    """Say an error bar as its two ends."""
    return "not known" if bar is None else f"{bar.low:.1f} to {bar.high:.1f}"


def _percent(chance: float | None) -> str:
    from grader_app.scaling.line_chances import spoken_chance

    return spoken_chance(chance) or "not known"


def _print_papers(errors: ScoreErrors) -> None:
    from grader_app.scaling.line_chances import MBE_RELIABILITY, RESCORE_SAYS, TRUE_SCORE_SAYS

    if errors.line is None:
        return
    click.echo(f"\n{RESCORE_SAYS}\n{TRUE_SCORE_SAYS} MBE reliability taken as {MBE_RELIABILITY}.")
    if not errors.papers:
        click.echo("No single further read is likely to move anybody across the line.")
        return
    click.echo(f"\nPapers a further read could move across {errors.line:g}, most valuable first:")
    for paper in errors.papers[:MOST_PAPERS]:
        read = (
            f"{paper.needed:g} or more moves it up"
            if paper.to_line > 0
            else f"less than {paper.needed:g} moves it down"
        )
        click.echo(
            f"  {paper.candidate_id}, {paper.item}: total {paper.total:g}; a further read of {read}; "
            f"chance {_percent(paper.chance)}"
        )
    if len(errors.papers) > MOST_PAPERS:
        click.echo(f"  and {len(errors.papers) - MOST_PAPERS} more: see --json.")


def print_placed_pool(placed: PlacedPool) -> None:
    """Print where each candidate stands in a group: the wider lines, with the group's own error last."""
    what = "totals" if placed.component == "ube" else "written scaled scores"
    click.echo(f"\nPercent of the group below: {what} among {placed.group.label}.")
    for sentence in (*placed.notes, *placed.group.assumptions):
        click.echo(f"  {sentence}")
    width = max([len("candidate_id"), *(len(one.candidate_id) for one in placed.candidates)])
    head = (
        f"{'percentile':>10}  {'readers only':>16}  {'readers, questions, pool':>24}  {'and the group':>16}"
    )
    click.echo(f"\n{'candidate_id':<{width}}  {head}")
    for one in placed.candidates:
        if one.percentile is None:
            click.echo(f"{one.candidate_id:<{width}}  {'none':>10}  {one.says}")
            continue
        lines = (one.readers, one.everything, one.with_group)
        shown = ("not known" if line is None else f"{line[0]:.1f} to {line[1]:.1f}" for line in lines)
        cells = "  ".join(f"{text:>{wide}}" for text, wide in zip(shown, (16, 24, 16), strict=True))
        click.echo(f"{one.candidate_id:<{width}}  {one.percentile:>10.1f}  {cells}")
