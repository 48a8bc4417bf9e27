"""Dealing answers to graders in turn, so that every grader gets the same mix."""

from __future__ import annotations

import hashlib
import random
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from grader_app.domain.events import EventKind
from grader_app.domain.ids import new_ids
from grader_app.domain.panel import CHECKS, Account, Assignment, ReadKind, Role
from grader_app.domain.round import Reading
from grader_app.errors import NotAllowed
from grader_app.store import assignments as kept
from grader_app.store.accounts import accounts
from grader_app.store.database import Connection
from grader_app.store.event_log import append
from grader_app.store.responses import facts_for_the_log, undealt_in_deal_order
from grader_app.workflow.apprentices import deal_shadow_reads
from grader_app.workflow.planting import merge, validity_pool
from grader_app.workflow.qualification import is_stopped
from grader_app.workflow.workbench import Workbench


@dataclass(frozen=True)
class Dealt:
    """What one deal did for one item.

    Parameters
    ----------
    item
        The item.
    answers
        Answers dealt now.
    second_reads
        How many of them go to a second reader.
    by_grader
        Reads dealt now, by account id.
    held_back
        Answers that stay undealt, since too few graders may read what their writers wrote.
    """

    item: str
    answers: int
    second_reads: int
    by_grader: dict[str, int]
    held_back: int = 0


def deal(bench: Workbench, actor: str, item: str | None = None, *, simulated: bool = False) -> list[Dealt]:
    """Deal every answer that was never dealt.

    Parameters
    ----------
    item
        One item, or None for all.
    simulated
        Deal to simulated graders as well, as only the making of the sample round does: nobody would
        grade what they were dealt later.

    Returns
    -------
    list of Dealt
        One entry an item that had something to deal.

    Raises
    ------
    NotAllowed
        There is no grader, or one only where second reads are asked for.

    Notes
    -----
    Earlier deals never move: late answers go behind what a grader already has, and a grader who
    joins later gets a share of what comes later. Which answers are read twice, and in which order a
    grader meets them, follows from the round's seed alone.
    """
    material = bench.material()
    graders = [
        account
        for account in accounts(bench.store)
        if account.role is Role.GRADER
        and not (account.disabled or account.apprentice)
        and (simulated or not account.simulated)
    ]
    if not graders:
        raise NotAllowed(
            "There is no grader to deal to. Add one: `grader-app account add NAME --role grader`."
        )
    items = [material.item(item).id] if item else list(material.items)
    done = [_deal_item(bench, actor, item_id, graders) for item_id in items]
    deal_shadow_reads(bench, actor, items)
    return [dealt for dealt in done if dealt is not None]


def readers_in_turn(
    count: int,
    graders: Sequence[str],
    reading: Reading,
    *,
    loads: Mapping[str, int],
    already: int,
    seed: str,
    barred: Mapping[int, Set[str]] | None = None,
) -> list[tuple[str, ...]]:
    """Choose the readers of each answer.

    Parameters
    ----------
    count
        Answers to deal.
    graders
        Grader ids in dealing order.
    reading
        Reads and overlap.
    loads
        Reads of the item each grader has been dealt before.
    already
        Answers of the item dealt before; the turn goes on from there.
    seed
        Fixes where the answers read twice begin.
    barred
        Graders who may not read an answer, by its place among those to deal, from 0.

    Returns
    -------
    list of tuple
        The first reader, and the second where there is one; nobody where too few may read the answer.

    Notes
    -----
    First readers take turns, and each has the same share of first reads read again. A second read goes
    to one of the graders with the fewest reads, and among those to the one with whom the first reader
    shares fewest answers, so that every pair comes to share some. Where somebody may not read an answer,
    the next in turn who may does.
    """
    share = 1.0 if reading.reads == 2 else reading.overlap_percent / 100
    phase = random.Random(f"{seed}:overlap").uniform(0, 1) if share < 1 else 0.0
    size = len(graders)
    # All first turns count from the start, so that a second read evens out what the turns will give.
    held = {
        g: loads.get(g, 0) + len(range((at - already) % size, count, size)) for at, g in enumerate(graders)
    }
    shared: Counter[frozenset[str]] = Counter()
    chosen: list[tuple[str, ...]] = []
    for place in range(already, already + count):
        turn = [graders[(place + step) % size] for step in range(size)]
        twice = _is_read_twice(place, size, share, phase)
        if barred:
            turn = [g for g in turn if g not in barred.get(place - already, ())]
            if len(turn) < (2 if twice else 1):
                chosen.append(())
                continue
        first, *turn = turn
        if not twice:
            chosen.append((first,))
            continue
        fewest = min(held[g] for g in turn)
        second = min(
            (g for g in turn if held[g] <= fewest + 1), key=lambda g: (shared[frozenset((first, g))], held[g])
        )
        held[second] += 1
        shared[frozenset((first, second))] += 1
        chosen.append((first, second))
    return chosen


def _is_read_twice(place: int, size: int, share: float, phase: float) -> bool:
    """Say whether an answer is read twice: evenly over the answers and over the graders who read them first.

    Notes
    -----
    Were every fifth answer read twice and five graders taking turns, one grader would have all the
    second reads. So each grader's own first reads are counted, and the graders begin at different
    phases: the sum of ``floor(x + g/size)`` over the graders is ``floor(size * x)``, which keeps the share.
    Only within an unfinished turn can it be off, by an answer or two.
    """
    turns, grader = divmod(place, size)
    start = (phase + grader / size) % 1
    return int((turns + 1) * share + start) > int(turns * share + start)


def _deal_item(bench: Workbench, actor: str, item: str, graders: list[Account]) -> Dealt | None:
    """Deal what is fresh of an item; what is fresh is read while nobody else can deal.

    Nothing is dealt to graders who are stopped: it would wait for nobody.
    """
    graders = [grader for grader in graders if not is_stopped(bench, grader.account_id, item)]
    with bench.store.write() as connection:
        fresh = undealt_in_deal_order(bench.store, item)
        if not fresh:
            return None
        if not graders:
            raise NotAllowed(
                f"No grader may grade {item}: none qualified, and no attempt is left. Let one of them in "
                "with a reason, or add a grader."
            )
        names, readers = _readers(bench, item, fresh, graders)
        piles: dict[str, list[tuple[str, int]]] = defaultdict(list)
        for response_id, chosen in zip(fresh, readers, strict=True):
            for number, grader_id in enumerate(chosen, start=1):
                piles[grader_id].append((response_id, number))
        last = kept.last_positions(bench.store, item)
        for grader_id in (name for name in names if piles[name]):
            dealt = in_own_order(bench, item, grader_id, piles[grader_id], last.get(grader_id, 0) + 1)
            live = [one for one in dealt if one.kind is ReadKind.LIVE]
            record_deal(bench, connection, actor, item, grader_id, live)
            record_checks(bench, connection, actor, item, grader_id, dealt)
    counts = {grader_id: len(pile) for grader_id, pile in piles.items()}
    held_back = readers.count(())
    second_reads = sum(len(chosen) == 2 for chosen in readers)
    return Dealt(item, len(fresh) - held_back, second_reads, counts, held_back)


def _readers(
    bench: Workbench, item: str, fresh: list[str], graders: list[Account]
) -> tuple[list[str], list[tuple[str, ...]]]:
    """Give the graders in dealing order, and the readers of each fresh answer."""
    the_round = bench.material().round
    names = _dealing_order(the_round.seed, item, [grader.account_id for grader in graders])
    if (the_round.reading.reads == 2 or the_round.reading.overlap_percent > 0) and len(names) < 2:
        raise NotAllowed(
            f"The round asks for second reads, but there is one grader only ({graders[0].name}). "
            "Add another grader, or set `reads: 1` and `overlap_percent: 0` in a new version of round.yaml."
        )
    before = kept.count_dealt(bench.store, item)
    loads = kept.counts_by_grader(bench.store, item)
    seed = f"{the_round.seed}:{item}"
    with bench.record() as record:
        barred = {
            place: found
            for place, response_id in enumerate(fresh if record.recusals else ())
            if (found := {name for name in names if record.is_recused(name, response_id)})
        }
    return names, readers_in_turn(
        len(fresh), names, the_round.reading, loads=loads, already=before, seed=seed, barred=barred
    )


def in_own_order(
    bench: Workbench, item: str, grader_id: str, pile: list[tuple[str, int]], start: int
) -> list[Assignment]:
    """Put one grader's answers in that grader's own order, checks among them, each under its own id."""
    the_round = bench.material().round
    numbers = dict(pile)
    ordered = sorted(numbers, key=lambda response_id: own_order(the_round.seed, grader_id, response_id))
    before = kept.assignments_of(bench.store, grader_id)
    here = [one for one in before if one.item == item]
    with bench.record() as record:
        stepped_aside = {one.response_id for one in here if record.is_recused(grader_id, one.response_id)}
    queue = merge(
        [one.response_id for one in here if one.kind is ReadKind.LIVE],
        ordered,
        validity_every=the_round.checks.validity_paper_every,
        repeat_every=the_round.checks.self_repeat_every,
        validity_pool=validity_pool(bench, item, grader_id),
        repeated={one.response_id for one in here if one.kind is ReadKind.REPEAT} | stepped_aside,
        seed=f"{the_round.seed}:{item}:{grader_id}",
    )
    ids = new_ids("a", len(queue))
    return [
        Assignment(
            assignment_id,
            slot.response_id,
            item,
            grader_id,
            position,
            numbers[slot.response_id] if slot.kind is ReadKind.LIVE else 0,
            slot.kind,
        )
        for position, (assignment_id, slot) in enumerate(zip(ids, queue, strict=True), start=start)
    ]


def record_checks(
    bench: Workbench,
    connection: Connection,
    actor: str,
    item: str,
    grader_id: str,
    dealt: list[Assignment],
) -> None:
    """Record the checks planted among a grader's answers, inside an open transaction."""
    planted = [one for one in dealt if one.kind in CHECKS]
    if not planted:
        return
    seq = append(
        connection,
        at=bench.now(),
        actor=actor,
        kind=EventKind.CHECKS_PLANTED,
        subject=grader_id,
        body={"item": item, "grader_id": grader_id, "assignments": [as_logged(d) for d in planted]},
    )
    kept.add_assignments(connection, planted, seq)


def as_logged(dealt: Assignment) -> dict[str, object]:
    """Give a read that never counts as the event that deals it says it."""
    return {
        "assignment_id": dealt.assignment_id,
        "response_id": dealt.response_id,
        "position": dealt.position,
        "read_number": dealt.read_number,
        "kind": dealt.kind.value,
    }


def record_deal(
    bench: Workbench,
    connection: Connection,
    actor: str,
    item: str,
    grader_id: str,
    dealt: list[Assignment],
) -> None:
    """Record that answers of an item were dealt to one grader, inside an open transaction."""
    facts = facts_for_the_log(bench.store, {d.response_id for d in dealt})
    rows = [
        {
            "assignment_id": d.assignment_id,
            "response_id": d.response_id,
            **facts[d.response_id],
            "position": d.position,
            "read_number": d.read_number,
            **({} if d.kind is ReadKind.LIVE else {"kind": d.kind.value}),
        }
        for d in dealt
    ]
    seq = append(
        connection,
        at=bench.now(),
        actor=actor,
        kind=EventKind.ANSWERS_DEALT,
        subject=grader_id,
        body={"item": item, "grader_id": grader_id, "assignments": rows},
    )
    kept.add_assignments(connection, dealt, seq)


def own_order(seed: int, grader_id: str, response_id: str) -> str:
    """Give an answer's sorting key in one grader's queue: a pure function of seed, grader and answer."""
    return hashlib.sha256(f"{seed}\n{grader_id}\n{response_id}".encode()).hexdigest()


def _dealing_order(seed: int, item: str, grader_ids: list[str]) -> list[str]:
    return sorted(grader_ids, key=lambda grader_id: own_order(seed, grader_id, f"turn at {item}"))
