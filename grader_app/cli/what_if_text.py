"""Before and after side by side, as a table for a reader."""

from __future__ import annotations

from collections.abc import Iterator

from grader_app.scaling.what_if import Move, WhatIf
from grader_app.scaling.what_if_says import headlines, left_out_sentence, noise_sentence

_MOST = 50
_SIDE = {"up": "would pass", "down": "would fail", None: ""}


def what_if_lines(found: WhatIf) -> Iterator[str]:
    """Give the sentences, then who moves: those who cross first, then the furthest first."""
    yield from headlines(found)
    yield noise_sentence(found)
    shown = sorted(found.moved, key=lambda move: move.crosses is None)
    crossing = [m for m in found.moves if m.crosses and not m.moves]  # the line moves, and they do not
    rows = [*crossing, *shown]
    if rows:
        yield f"{'candidate':<16}{'now':>10}{'then':>10}{'move':>9}  {'line':<12}{'noise':<8}".rstrip()
        yield from (_row(move) for move in rows[:_MOST])
    if len(rows) > _MOST:
        yield f"And {len(rows) - _MOST} more; --json gives all."
    if said := left_out_sentence(found):
        yield said
    for one in found.left_out:
        yield f"Left out: {one.candidate_id}. {one.why}"
    yield from found.warnings


def _row(move: Move) -> str:
    moved = f"{move.move:+.4g}" if move.moves else "0"
    noise = "within" if move.within_error and move.moves else ""
    return (
        f"{move.candidate_id:<16}{move.before:>10.5g}{move.after:>10.5g}{moved:>9}"
        f"  {_SIDE[move.crosses]:<12}{noise:<8}".rstrip()
    )
