"""What `check` prints of each gated calibration set: how likely graders of known quality pass it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from grader_app.agreement.operating_characteristic import Chance, OperatingCharacteristic
    from grader_app.domain.calibration_set import Packet
    from grader_app.domain.score_range import ScoreRange
    from grader_app.files.calibration_folder import SetFound


@dataclass(frozen=True)
class Characterised:
    """A set, and what its gates can tell.

    Parameters
    ----------
    packet
        The set.
    found
        Its operating characteristic.
    scale
        The scale of its scores.
    """

    packet: Packet
    found: OperatingCharacteristic
    scale: ScoreRange

    def as_dict(self) -> dict[str, object]:
        """Return set, version and all figures, ready for JSON."""
        return {"set": self.packet.id, "version": self.packet.version, **self.found.as_dict()}


def characterised(sets: Iterable[SetFound]) -> list[Characterised]:
    """Work out the operating characteristic of each set that has a gate, a reference and no problem.

    Parameters
    ----------
    sets
        Sets that were checked.

    Returns
    -------
    list of Characterised
        By set; a set that was checked twice is listed once.
    """
    found: dict[str, Characterised] = {}
    for each in sets:
        packet, rubric = each.packet, each.rubric
        if packet is None or rubric is None or each.problems or packet.set.gates is None or not packet.ranked:
            continue
        # Numbers take half a second to load; without a gated set they are not needed.
        from grader_app.agreement.operating_characteristic import operating_characteristic

        reference = [paper.score for paper in packet.ranked if paper.score is not None]
        gates = packet.set.gates.model_dump()
        figures = operating_characteristic(reference, rubric.score.range, **gates)
        found[str(each.folder.resolve())] = Characterised(packet, figures, rubric.score.range)
    return list(found.values())


def lines(each: Characterised) -> Iterator[str]:
    """Write a set's operating characteristic as a short table and what follows from it.

    Parameters
    ----------
    each
        The set and its figures.

    Yields
    ------
    str
        Lines without their ends.
    """
    from grader_app.agreement.sentences import percent

    rows = [(_described(chance), percent(chance.passes)) for chance in each.found.chances]
    width = max(len(kind) for kind, _ in rows)
    yield f"{each.packet.id}: chance to pass the gates at one attempt, {each.found.n_papers} papers"
    yield from (f"  {kind:<{width}}  {passes:>5}" for kind, passes in rows)
    yield f"  {each.found.verdict.says}"
    if not each.found.verdict.adequate:
        yield f"  {_better_gates(each)}"


def _better_gates(each: Characterised) -> str:
    from grader_app.agreement.operating_characteristic import BAD_LEVEL, BAD_NOISE, LARGEST_CHANCE
    from grader_app.agreement.sentences import percent
    from grader_app.agreement.suggested_gates import suggest_gates

    reference = [paper.score for paper in each.packet.ranked if paper.score is not None]
    found = suggest_gates(reference, each.scale)
    if found is None:
        most = percent(LARGEST_CHANCE)
        return (
            f"No gates keep all three limits with these {len(reference)} papers, since they are too few. The "
            f"limits: a good grader fails in at most {most} of cases; one who scores {BAD_LEVEL:g} points "
            f"too low or too high passes in at most {most}; one whose scores scatter by {BAD_NOISE:g} points "
            f"passes in at most {most}. What a pass shows is as above, no more."
        )
    return (
        f"These would: rank_order_at_least {found.rank_order_at_least:g}, exact_or_adjacent_at_least "
        f"{found.exact_or_adjacent_at_least:g}, quadratic_weighted_kappa_at_least "
        f"{found.quadratic_weighted_kappa_at_least:g}, severity_within {found.severity_within:g} "
        f"(a good grader fails in {percent(found.good_fails)}, the others pass in at most "
        f"{percent(max(found.level_passes, found.noise_passes))})."
    )


def _described(chance: Chance) -> str:
    if chance.level:
        side = "too low" if chance.level > 0 else "too high"
        return f"scores {abs(chance.level):g} points {side}, scatter {chance.noise:g}"
    if chance.slope != 1:
        return f"goes up {chance.slope:g} where the reference goes up 1, scatter {chance.noise:g}"
    return f"right on average, scatter {chance.noise:g} points"
