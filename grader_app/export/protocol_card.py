"""The protocol card: which steps of official practice a round followed, each with the events that show it."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from grader_app.domain.counted_reads import dispute_settled_by
from grader_app.domain.events import EventKind
from grader_app.export.protocol_log import Pair, ProtocolLog
from grader_app.export.protocol_step import Step, step
from grader_app.export.results import Results
from grader_app.scaling.reference import AssumedReference

PROTOCOL_FILE = "protocol.json"

# The card stands in two files of an export, and goes through every answer.
_JUDGED: WeakKeyDictionary[Results, tuple[Step, ...]] = WeakKeyDictionary()


def protocol_card(results: Results) -> tuple[Step, ...]:
    """Judge each step, in the order of a round.

    Parameters
    ----------
    results
        The round.

    Returns
    -------
    tuple of Step
        A step is never said to be followed without an event that shows it. Only live work counts: a grader's
        first live grade of an item must come after what should come before it.

    References
    ----------
    Gundersen (2016), The Bar Examiner, June: materials, training, rank order before scores.
    NCBE Code of Recommended Standards for Bar Examiners, standards 23 to 26: who must not know what.
    """
    if results not in _JUDGED:
        log = ProtocolLog(results)
        _JUDGED[results] = tuple(judged(log) for judged in _STEPS)
    return _JUDGED[results]


def protocol_json(results: Results) -> dict[str, object]:
    """Give the card as plain values."""
    return {"notes": list(results.notes), "steps": [one.as_json() for one in protocol_card(results)]}


def _materials(log: ProtocolLog) -> Step:
    events, done, items = [], 0, [entry.item for entry in log.results.round.items]
    started = {item: min(s for (_, i), s in log.live_work.items() if i == item) for _, item in log.live_work}
    first: dict[tuple[str, str], int] = {}
    for event in log.by_kind.get(EventKind.FILE_REGISTERED, ()):
        first.setdefault((event.body["kind"], event.body["id"]), event.seq)
    for item in items:
        digest = log.record.current_files.get(("item", item))
        if digest is None:
            continue
        rubric = log.results.inputs.files[digest]["content"]["sheet"]["rubric"]
        found = [first[key] for key in (("item", item), ("rubric", rubric)) if key in first]
        if len(found) == 2 and max(found) < started.get(item, max(found) + 1):
            done += 1
            events += found
    says = (
        f"Rubric and point sheet were registered before the first grade for {done} of {len(items)} questions."
    )
    return step("materials_registered", "Rubric and point sheet", done, len(items), events, says)


def _training(log: ProtocolLog) -> Step:
    events = _before(log, log.trained)
    says = (
        f"All materials were opened before the first live grade in {_cases(events, log)}. "
        "Opened does not mean read."
    )
    return _of_live_work(log, "training", "Training", events, says)


def _rank_order(log: ProtocolLog) -> Step:
    events = _before(log, log.ranked)
    says = f"A packet was put in rank order first, then scored, before live work, in {_cases(events, log)}."
    return _of_live_work(log, "rank_order_first", "Rank order first", events, says)


def _gate(log: ProtocolLog) -> Step:
    passed: dict[Pair, int] = {}
    let_in: set[Pair] = set()
    for attempt in log.record.calibration.attempts.values():
        judged, pair = attempt.judgment, (attempt.grader_id, attempt.item)
        if attempt.number > 0 and judged is not None and judged.outcome == "qualified":
            passed[pair] = min(judged.event_seq, passed.get(pair, judged.event_seq))
    events = _before(log, passed)
    for pair, made in log.record.calibration.overrides.items():
        if pair in log.live_work and pair not in events and made:
            let_in.add(pair)
    says = f"The gate of a calibration packet was passed before live work in {_cases(events, log)}."
    if let_in:
        says += f" In {len(let_in)} the panel lead let the grader in; the reasons stand in calibration.csv."
    return _of_live_work(log, "gate_passed", "Gate passed", events, says)


def _checks(log: ProtocolLog) -> Step:
    planted = {pair: seq for pair, seq in log.checked.items() if pair in log.live_work}
    says = f"Checks (papers of known score, or repeats) were planted in {_cases(planted, log)}."
    return _of_live_work(log, "checks_planted", "Checks planted", planted, says)


def _blinding(log: ProtocolLog) -> Step:
    title, items = "Blinding held", [entry.item for entry in log.results.round.items]
    early, closed = log.early_reveals, [log.closing[item] for item in items if item in log.closing]
    flagged = {flag.response_id for flag in log.record.author_flags.values()}
    asked, guessed = len(log.record.asked), len(log.record.guesses)
    says = (
        f"Sources were revealed while a question was open ({len(early)} times)."
        if early
        else "No source was revealed while its question was open; "
        f"{len(closed)} of {len(items)} questions are closed."
    )
    if flagged:
        says += f" Graders said of {len(flagged)} answers that the text gives its author away."
    says += (
        f" Graders were asked {asked} times who wrote the answer and answered {guessed} times; "
        "whether they were right shows after the sources are revealed."
        if asked
        else " Graders were not asked who wrote the answers."
    )
    if early:
        return Step("blinding_held", title, "no", tuple(early), says)
    held = len(closed) == len(items) and not flagged
    events = tuple(sorted((*log.seqs(EventKind.ANSWERS_TAKEN_IN), *closed)))
    return Step("blinding_held", title, "no" if not events else "yes" if held else "partly", events, says)


def _second_reads(log: ProtocolLog) -> Step:
    title, answers = "Second reads", log.results.response_ids
    second = {r: reads[1].event_seq for r in answers if len(reads := log.record.reads(r)) > 1}
    share = f" ({100 * len(second) / len(answers):.0f} %)" if answers else ""
    says = f"{len(second)} of {len(answers)} answers{share} have two independent reads or more."
    return step("second_reads", title, len(second), len(answers), second.values(), says)


def _disputes(log: ProtocolLog) -> Step:
    name, title = "disputes_settled", "Disputes settled"
    settled, events, still = 0, [], 0
    for response_id, standing in log.results.standings.items():
        still += standing.status == "disputed"
        settled_by = dispute_settled_by(log.record, response_id)
        if not settled_by:
            continue
        settled += 1
        settling = log.record.settling_of(response_id)
        decided = settling.adjudication or settling.before_reread
        by = decided if settled_by == "adjudication" else settling.third
        events += [by.event_seq] if by is not None else []
    if not settled and not still:
        return Step(name, title, "not_applicable", (), "No dispute stands in the record.")
    says = f"{settled} of {settled + still} disputes are settled, by an adjudicator or a third read."
    return step(name, title, settled, settled + still, events, says)


def _scaling(log: ProtocolLog) -> Step:
    name, title = "scaled_to_pool", "Scaled to a pool"
    scaled = log.results.scaled
    if not log.results.round.weights:
        return Step(name, title, "not_applicable", (), "No question of the round enters a composite.")
    if scaled is None:
        return Step(name, title, "no", (), log.results.not_scaled)
    if isinstance(scaled.reference, AssumedReference):
        return Step(name, title, "no", (), scaled.reference.says)
    members = sum(one.in_scaling_group for one in scaled.candidates)
    everyone = len(scaled.candidates) + len(scaled.left_out)
    says = (
        f"The constants come from {members} candidates with an MBE score; {len(scaled.candidates)} of "
        f"{everyone} candidates have a scaled score."
    )
    done = len(scaled.candidates) if members else 0
    return step(name, title, done, everyone, log.seqs(EventKind.MBE_TAKEN_IN), says)


def _before(log: ProtocolLog, done: dict[Pair, int]) -> dict[Pair, int]:
    """Keep what was done before the same grader's first live grade of the same item."""
    return {pair: seq for pair, seq in done.items() if seq < log.live_work.get(pair, 0)}


def _cases(done: dict[Pair, int], log: ProtocolLog) -> str:
    return f"{len(done)} of {len(log.live_work)} cases"


def _of_live_work(log: ProtocolLog, name: str, title: str, events: dict[Pair, int], says: str) -> Step:
    return step(name, title, len(events), len(log.live_work), events.values(), says)


_STEPS = (
    _materials,
    _training,
    _blinding,
    _rank_order,
    _gate,
    _second_reads,
    _checks,
    _disputes,
    _scaling,
)
