"""Pausing a whole item, or the round, for everybody at once; and letting everybody go on."""

from __future__ import annotations

from grader_app.domain.events import EventKind
from grader_app.errors import GradeProblem, NotAllowed
from grader_app.store.event_log import append
from grader_app.workflow.qualification import enabled_graders, refuse_names
from grader_app.workflow.workbench import Workbench

PAUSED_FOR_ALL = "The panel lead has paused this question for everybody. Your drafts are kept."
"""What every grader reads unless the lead writes something else."""

LONGEST_REASON = 500


def pause_everybody(bench: Workbench, actor: str, item: str | None, why: str = "") -> int:
    """Stop live work on an item for every grader; give how many graders and items were stopped.

    Parameters
    ----------
    item
        One item, or None for the whole round.
    why
        A sentence for the graders. It stands in the event, so no name belongs in it.

    Raises
    ------
    GradeProblem
        The sentence is too long, or it names somebody.
    NotAllowed
        The item is not in the round, or nobody is at work on it.

    Notes
    -----
    Whoever is paused already stays so, for the reason given then.
    """
    words = " ".join(why.split()) or PAUSED_FOR_ALL
    if len(words) > LONGEST_REASON:
        raise GradeProblem(f"The sentence has {len(words)} characters; keep it to {LONGEST_REASON}.")
    refuse_names(bench, words)
    material = bench.material()
    items = [material.item(item).id] if item else list(material.items)
    graders = [account.account_id for account in enabled_graders(bench) if not account.simulated]
    with bench.store.write() as connection:
        with bench.record() as record:
            going = [
                (grader_id, one)
                for one in items
                if one not in record.closed_items
                for grader_id in graders
                if (grader_id, one) not in record.calibration.paused
            ]
        if not going:
            raise NotAllowed(
                "There is nobody to pause: everybody is paused already, or the question is closed."
            )
        for grader_id, one in going:
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.GRADING_PAUSED,
                subject=grader_id,
                body={"item": one, "why": words, "whole": True},
            )
    return len(going)


def let_everybody_go_on(bench: Workbench, actor: str, item: str | None) -> int:
    """End the pause of a whole item, or of the round; give how many graders and items go on.

    Raises
    ------
    NotAllowed
        The item is not in the round, or no such pause stands.

    Notes
    -----
    A grader who was paused alone, by an alarm or by the lead, stays paused. The sums of the watch on
    drift go on as they were.
    """
    if item:
        bench.material().item(item)
    with bench.store.write() as connection:
        with bench.record() as record:
            going = [
                key
                for key, pause in record.calibration.paused.items()
                if pause.whole and item in (None, key[1])
            ]
        if not going:
            raise NotAllowed("No question is paused for everybody. Reload the page.")
        for grader_id, one in going:
            append(
                connection,
                at=bench.now(),
                actor=actor,
                kind=EventKind.GRADING_RESUMED,
                subject=grader_id,
                body={"item": one, "why": "The pause of the whole question ended.", "whole": True},
            )
    return len(going)


def paused_for_all(bench: Workbench) -> list[str]:
    """List the items that are paused for everybody, in the round's order."""
    with bench.record() as record:
        whole = {item for (_, item), pause in record.calibration.paused.items() if pause.whole}
    return [item for item in bench.material().items if item in whole]
