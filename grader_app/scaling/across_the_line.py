"""How many totals could lie on the other side of the passing line."""

from __future__ import annotations

from grader_app.scaling.scaled import Scaled
from grader_app.scaling.score_errors import ScoreErrors


def across_sentence_or_none(scaled: Scaled, errors: ScoreErrors) -> str | None:
    """Say for how many totals the wider interval reaches across the line.

    Parameters
    ----------
    scaled, errors
        A scaled pool with its error bars.

    Returns
    -------
    str or None
        Nothing without a line, or where no total has the wider interval.
    """
    if errors.line is None:
        return None
    rows = [row for row in scaled.candidates if row.total is not None]
    bars = [errors.shown(row, scaled.factors).everything for row in rows]
    known = [bar for bar in bars if bar is not None]
    if not known:
        return None
    across = sum(bar.low < errors.line <= bar.high for bar in known)
    percent = f"{100 * errors.bars.settings.confidence:g} %"
    return (
        f"{across} of {len(known)} totals could lie on the other side of {errors.line:g}: their {percent} "
        "interval (other readers, questions and pool) reaches across it."
    )
