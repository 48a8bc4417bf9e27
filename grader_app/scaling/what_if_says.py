"""What a what-if shows, in sentences; the command line and the page say the same."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.scaling.what_if import WhatIf

NOTHING_STORED = "Nothing was stored."


def headlines(found: WhatIf) -> Iterator[str]:
    """Say who crosses the line, and how many move by how much."""
    yield crossing_sentence(found)
    yield moving_sentence(found)


def crossing_sentence(found: WhatIf) -> str:
    """Say how many would cross the line, and to which side."""
    if found.line_after is None:
        return "The round has no passing total, so nobody crosses a line. Give one to see who would."
    if found.line_before is None:
        passing = sum(bool(move.passes_after) for move in found.moves)
        line = f"{found.line_after:g}"
        return f"The round has no passing total now. With {line}, {passing} of {len(found.moves)} would pass."
    up, down = len(found.crossing("up")), len(found.crossing("down"))
    line = f"{found.line_after:g}"
    if found.line_before != found.line_after:
        line += f" (now {found.line_before:g})"
    if not up and not down:
        return f"Nobody crosses the line of {line}."
    gained = f"{_candidates(up) if up else 'nobody'} would newly pass"
    lost = f"{_candidates(down) if down else 'nobody'} would no longer pass"
    return f"With the line at {line}, {gained} and {lost}."


def moving_sentence(found: WhatIf) -> str:
    """Say how many would move, and by how much."""
    if not found.moved:
        return f"No score would move, of {_candidates(len(found.moves))}."
    furthest = found.moved[0]
    return (
        f"{len(found.moved)} of {_candidates(len(found.moves))} would move; the furthest is "
        f"{furthest.candidate_id} by {furthest.move:+.4g} points. Mean size of a move: "
        f"{found.mean_size or 0:.4g}."
    )


def noise_sentence(found: WhatIf) -> str:
    """Remind of the readers' error, and say how many moves are smaller."""
    if found.reader_sd is None:
        return (
            "How far the readers' own error reaches is not known, since too few answers were read twice. "
            "A small move may be no more than that."
        )
    sd = _how_far_off(found, found.reader_sd)
    if not found.moved:
        return sd
    within = found.n_within_error
    if within is None:
        return sd
    which = "All" if within == len(found.moved) else f"{within} of the {len(found.moved)}"
    return f"{sd} {which} moves are smaller than the readers' error: within the noise of reading."


def _how_far_off(found: WhatIf, reader_sd: float) -> str:
    """Say the wider error first, since people are set against a line."""
    if found.everything_sd is None:
        return (
            f"A total could be off by {reader_sd:.2g} points (one SD) through its readers alone; how much "
            "more through questions and pool is not known."
        )
    return (
        f"A total could be off by {found.everything_sd:.2g} points (one SD) through readers, questions and "
        f"pool, by {reader_sd:.2g} through its readers alone."
    )


def left_out_sentence(found: WhatIf) -> str:
    """Say how many would have no score, and how many would have one who have none; nothing if none."""
    said = []
    if found.left_out:
        said.append(f"{_candidates(len(found.left_out))} would have no score and are left out of this table.")
    if found.brought_in:
        said.append(f"{_candidates(len(found.brought_in))} without a score would have one.")
    return " ".join(said)


def _candidates(count: int) -> str:
    return "1 candidate" if count == 1 else f"{count} candidates"
