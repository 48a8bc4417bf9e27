"""What the browser receives of a packet that is put in order."""

from __future__ import annotations

from typing import Any

from grader_app.workflow.calibration import RankingBoard


def ranking_data(board: RankingBoard, *, csrf_token: str) -> dict[str, Any]:
    """Give all that the browser receives for step one.

    Parameters
    ----------
    board
        What the grader may see; it holds no reference and no name of a paper.
    csrf_token
        Sent back with every order.
    """
    state = None if board.state is None else {**board.state, "revision": board.revision}
    return {
        "attempt": board.attempt_id,
        "title": board.title,
        "csrf_token": csrf_token,
        "papers": [
            {"id": paper.assignment_id, "label": paper.label, "answer": paper.answer}
            for paper in board.papers
        ],
        "piles": board.piles,
        "pile_labels": list(board.pile_labels),
        "state": state,
        "saved_at": board.saved_at,
        "prompt": board.prompt,
        "levels": [{"score": one.score, "label": one.label, "means": one.means} for one in board.levels],
        "guidelines": board.guidelines,
    }
