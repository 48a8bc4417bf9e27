"""A shuffled order of an item's answers that spreads each source evenly over any number of graders."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from heapq import heapify, heappop, heappush

GRADERS = (2, 3, 4, 5, 6, 7, 8)
"""Numbers of graders for which dealing in turn is kept balanced."""

_STARTS = tuple(sum(GRADERS[:at]) for at in range(len(GRADERS)))  # of each number's places in a tally
_CYCLE = 840  # the places of a position in all tallies repeat with the least common multiple
_PLACES = tuple(
    tuple(start + position % graders for start, graders in zip(_STARTS, GRADERS, strict=True))
    for position in range(_CYCLE)
)
_LOOKED_AT = 6  # sources compared at each place
_EARLY = 1.5  # how many answers a source may be ahead of its even share
_SINGLE = -1  # stands for all sources of one answer: they have nothing to balance
_SHARES = tuple(1 / graders for graders in GRADERS)
_EVEN = sum(_SHARES)
_ALLOWED = (2, 1)  # by how much a source's counts may differ between graders: first aim, second aim
_SMALL = 2000  # answers up to which the second aim is worth its time
_REPAIR_ROUNDS = 30
_TRIED = 12
_NEAR = 12  # answers change places within this distance, later within three times as much


def deal_order(sources: Sequence[str], draw: random.Random, before: Sequence[str] = ()) -> list[int]:
    """Order answers so that dealing them in turn gives every grader nearly the same mix of sources.

    Parameters
    ----------
    sources
        The source of each answer.
    draw
        Gives the randomness.
    before
        The sources of the item's earlier answers, in their order; dealing goes on after them.

    Returns
    -------
    list of int
        Positions in `sources`, in the order of dealing.

    Notes
    -----
    Sources taking simple turns would give two graders one source each. Here each place goes to the source,
    among those whose turn is near, that has so far come least often to the graders who would get that place,
    for every number of graders from 2 to 8 at once; then a few answers change places until no source differs
    by more than two between any two graders (in 2 of 1,500 random mixes, by three). Every beginning of
    the order holds the sources in proportion. Sources with one answer lie in random places.

    Examples
    --------
    >>> order = deal_order(["x", "y"] * 12, random.Random(1))
    >>> sorted(sum(at % 2 for at in order[grader::3]) for grader in range(3))
    [4, 4, 4]
    """
    answers: dict[str, list[int]] = defaultdict(list)
    for at, source in enumerate(sources):
        answers[source].append(at)
    for mine in answers.values():
        draw.shuffle(mine)
    singles = [mine[0] for mine in answers.values() if len(mine) == 1]
    draw.shuffle(singles)
    groups = {source: mine for source, mine in answers.items() if len(mine) > 1}
    names = list(groups)
    draw.shuffle(names)
    tallies = _tallies(names, before)
    turns = _take_turns([len(groups[name]) for name in names], len(singles), tallies, len(before), draw)
    _repair(turns, tallies, len(before), draw)
    piles = [groups[name] for name in names] + [singles]  # _SINGLE is the last pile
    return [piles[who].pop() for who in turns]


def _tallies(names: list[str], before: Sequence[str]) -> list[list[int]]:
    """Count, for each source, how many of its earlier answers lie in each grader's places."""
    tallies = [[0] * sum(GRADERS) for _ in names]
    known = {name: number for number, name in enumerate(names)}
    for position, source in enumerate(before):
        if source in known:
            tally = tallies[known[source]]
            for place in _PLACES[position % _CYCLE]:
                tally[place] += 1
    return tallies


def _take_turns(
    counts: list[int], singles: int, tallies: list[list[int]], start: int, draw: random.Random
) -> list[int]:
    """Say which source comes at each place, and count it in its tally.

    Parameters
    ----------
    counts
        Answers of each source.
    singles
        Number of sources with one answer; they come as source `_SINGLE`.
    tallies
        Of each source; changed.
    start
        Places taken by earlier answers.
    draw
        Gives the randomness.
    """
    sizes = [*counts, singles] if singles else counts
    tallies = [*tallies, [0] * sum(GRADERS)] if singles else tallies
    total = sum(sizes)
    gaps = [total / size for size in sizes]
    due = [draw.random() * gap for gap in gaps]  # where each source's next answer would lie by even shares
    left = list(sizes)
    seen = [sum(tally[: GRADERS[0]]) for tally in tallies]
    waiting = [(due[who] - _EARLY * gaps[who], draw.random(), who) for who in range(len(sizes))]
    heapify(waiting)
    ready: list[tuple[float, float, int]] = []
    turns: list[int] = []
    for position in range(total):
        while waiting and (waiting[0][0] <= position or not ready):
            who = heappop(waiting)[2]
            heappush(ready, (due[who], draw.random(), who))
        looked_at = [heappop(ready) for _ in range(min(_LOOKED_AT, len(ready)))]
        a, b, c, d, e, f, g = _PLACES[(start + position) % _CYCLE]
        chosen, lowest = looked_at[0], float("inf")
        for entry in looked_at:
            who = entry[2]
            ahead = (entry[0] - position) / gaps[who]
            cost = ahead if ahead > -1 else -ahead * ahead * 4
            if who < len(counts):
                t = tallies[who]
                cost += t[a] + t[b] + t[c] + t[d] + t[e] + t[f] + t[g] - _EVEN * seen[who]
            if cost < lowest:
                chosen, lowest = entry, cost
        for entry in looked_at:
            if entry is not chosen:
                heappush(ready, entry)
        who = chosen[2]
        t = tallies[who]
        for place in (a, b, c, d, e, f, g):
            t[place] += 1
        seen[who] += 1
        left[who] -= 1
        due[who] += gaps[who]
        if left[who]:
            heappush(waiting, (due[who] - _EARLY * gaps[who], draw.random(), who))
        turns.append(who if who < len(counts) else _SINGLE)
    return turns


def _repair(turns: list[int], tallies: list[list[int]], start: int, draw: random.Random) -> None:
    """Let answers that lie near each other change places until each source is even among graders."""
    for allowed in _ALLOWED if len(turns) <= _SMALL else _ALLOWED[:1]:
        for turn in range(_REPAIR_ROUNDS):
            near = _NEAR if turn < _REPAIR_ROUNDS // 2 else 3 * _NEAR
            uneven = [
                (who, at)
                for who, tally in enumerate(tallies)
                for at, (first, graders) in enumerate(zip(_STARTS, GRADERS, strict=True))
                if max(tally[first : first + graders]) - min(tally[first : first + graders]) > allowed
            ]
            if not uneven:
                break
            mine: dict[int, list[int]] = {who: [] for who, _ in uneven}
            for position, who in enumerate(turns):
                if who in mine:
                    mine[who].append(position)
            moved = [_even_out(turns, tallies, start, who, at, mine[who], near, draw) for who, at in uneven]
            if not any(moved) and near > _NEAR:
                break


def _even_out(
    turns: list[int],
    tallies: list[list[int]],
    start: int,
    who: int,
    at: int,
    mine: list[int],
    near: int,
    draw: random.Random,
) -> bool:
    """Move one answer of a source from the grader with most of them to the one with fewest."""
    first, graders = _STARTS[at], GRADERS[at]
    tally = tallies[who][first : first + graders]
    most, fewest = tally.index(max(tally)), tally.index(min(tally))
    from_most = [p for p in mine if (start + p) % graders == most and turns[p] == who]
    shift = (fewest - most) % graders
    best, lowest = None, 0.0
    for p in draw.sample(from_most, min(len(from_most), _TRIED)):
        for q in range(p + shift - graders * (near // graders), p + near, graders):
            if 0 <= q < len(turns) and turns[q] != who:
                change = _change(tallies, who, start + p, start + q)
                change += _change(tallies, turns[q], start + q, start + p)
                if change < lowest:
                    best, lowest = (p, q), change
    if best is None:
        return False
    p, q = best
    _move(tallies, who, start + p, start + q)
    _move(tallies, turns[q], start + q, start + p)
    turns[p], turns[q] = turns[q], turns[p]
    return True


def _change(tallies: list[list[int]], who: int, old: int, new: int) -> float:
    """Give the change in a source's unevenness (sum of fourth powers) when one of its answers moves."""
    if who == _SINGLE:
        return 0.0
    tally = tallies[who]
    count = tally[0] + tally[1]
    change = 0.0
    for here, there, share in zip(_PLACES[old % _CYCLE], _PLACES[new % _CYCLE], _SHARES, strict=True):
        if here != there:
            less, more = tally[here] - count * share, tally[there] - count * share
            change += (less - 1) ** 4 - less**4 + (more + 1) ** 4 - more**4
    return change


def _move(tallies: list[list[int]], who: int, old: int, new: int) -> None:
    if who != _SINGLE:
        for here, there in zip(_PLACES[old % _CYCLE], _PLACES[new % _CYCLE], strict=True):
            tallies[who][here] -= 1
            tallies[who][there] += 1
