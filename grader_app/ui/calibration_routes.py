"""The routes by which the ranking board keeps an order and submits it."""

from __future__ import annotations

from typing import Any

from grader_app.errors import GradeProblem
from grader_app.ui.current import bench
from grader_app.ui.desk_routes import grader_route, name_in
from grader_app.workflow.calibration import save_order, submit_order


def keep_order(grader_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Keep an order after a move and say when it was on disk."""
    revision = sent.get("revision")
    if isinstance(revision, bool) or not isinstance(revision, int):
        raise GradeProblem("The order has no usable `revision`. Reload the page.")
    kept = save_order(bench(), grader_id, name_in(sent, "attempt"), sent.get("state") or {}, revision)
    return {"saved_at": kept.saved_at, "revision": kept.revision}


def rank(grader_id: str, sent: dict[str, Any]) -> dict[str, Any]:
    """Submit an order and say when it was on disk."""
    at = submit_order(
        bench(),
        grader_id,
        name_in(sent, "attempt"),
        sent.get("state") or {},
        token=name_in(sent, "token"),
    )
    return {"recorded_at": at}


ROUTES = [
    grader_route("/calibration/ranking", keep_order),
    grader_route("/calibration/ranked", rank),
]
"""The routes of this module."""
