"""Calibration, step one: beginning a packet and putting its papers in order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from grader_app.domain.calibration_record import Attempt
from grader_app.domain.calibration_set import MOST_PILES
from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.ids import new_id, new_ids
from grader_app.domain.panel import Assignment, ReadKind
from grader_app.domain.qualification import fits_current_item, next_set_or_none, set_content
from grader_app.domain.rubric import Level
from grader_app.domain.rulings_text import rulings_text
from grader_app.errors import AlreadyGraded, GradeProblem, NotAllowed, NotDealtToYou
from grader_app.store import assignments as kept
from grader_app.store.event_log import append
from grader_app.store.grades import get_submission_or_none, keep_submission
from grader_app.store.ranking_drafts import (
    drop_ranking,
    get_ranking_or_none,
    ranking_revision,
    save_ranking,
)
from grader_app.workflow.assignment import as_logged, own_order
from grader_app.workflow.clock import as_words
from grader_app.workflow.live_grading import sheet_of
from grader_app.workflow.planting import text_of
from grader_app.workflow.training import training_of
from grader_app.workflow.workbench import Workbench

USUAL_PILES = 6
"""Piles a grader starts with, unless the set names another number."""

LONGEST_LABEL = 60


@dataclass(frozen=True)
class BoardPaper:
    """One paper of a packet as its grader sees it.

    Parameters
    ----------
    assignment_id
        Its id for this grader.
    label
        Its number in this grader's own order; another grader's number 7 is another paper.
    answer
        Its text.
    """

    assignment_id: str
    label: str
    answer: str


@dataclass(frozen=True)
class RankingBoard:
    """Everything step one shows.

    Parameters
    ----------
    attempt_id, item, title
        What is ranked.
    prompt, guidelines, levels
        The question, the panel's rulings, and what each score means.
    papers
        In this grader's own order.
    piles, pile_labels
        What an empty board starts with.
    state
        The order as last saved: ``{"piles": [{"label", "groups": [[ids]]}]}``, the best first.
    revision, saved_at
        Of that order; 0 and None before the first move.
    """

    attempt_id: str
    item: str
    title: str
    prompt: str
    guidelines: str
    levels: tuple[Level, ...]
    papers: tuple[BoardPaper, ...]
    piles: int
    pile_labels: tuple[str, ...]
    state: dict[str, Any] | None
    revision: int
    saved_at: str | None


@dataclass(frozen=True)
class OrderKept:
    """An order that reached the disk: its revision and UTC time."""

    revision: int
    saved_at: str


def begin(bench: Workbench, grader_id: str, item: str) -> str:
    """Begin the next packet a grader has to pass, and give the attempt's id.

    Raises
    ------
    NotAllowed
        Training is not completed, an attempt is under way, or none is left.
    """
    if training_of(bench, grader_id, item).completed_at is None:
        raise NotAllowed("Read the materials first; then the packet opens.")
    with bench.store.write() as connection, bench.record() as record:
        made = record.calibration.attempts_of(grader_id, item)
        if any(attempt.judgment is None for attempt in made):
            raise NotAllowed("A packet is under way already. Finish it first.")
        set_id = next_set_or_none(record, grader_id, item)
        if set_id is None:
            raise NotAllowed("No attempt is left. The panel lead decides how you go on.")
        papers, packet = _papers_of_packet(record, grader_id, set_id)
        _refuse_read_before(bench, record, grader_id, papers)
        number = 0 if packet == 1 and _is_panel_set(record, set_id) else sum(a.number > 0 for a in made) + 1
        return _begin(bench, connection, record, grader_id, item, set_id, papers, packet, number)


def begin_exercise(bench: Workbench, grader_id: str, item: str) -> str:
    """Begin the exercise on condition codes, at which nobody can fail, and give the attempt's id."""
    with bench.store.write() as connection, bench.record() as record:
        made = record.calibration.attempts_of(grader_id, item, "codes")
        left = [name for name in exercises(record, item) if name not in {a.set_id for a in made}]
        if not left or any(attempt.judgment is None for attempt in made):
            raise NotAllowed("There is no exercise on codes left for this question.")
        papers, packet = _papers_of_packet(record, grader_id, left[0])
        return _begin(bench, connection, record, grader_id, item, left[0], papers, packet, 0)


def exercises(record: GradingRecord, item: str) -> list[str]:
    """List the sets that exercise condition codes for an item, by id."""
    found = []
    for set_id, digest in sorted(record.calibration.current_sets.items()):
        said = set_content(record, digest)
        fits = (said["item"], said["purpose"]) == (item, "codes")
        if fits and fits_current_item(record, item, said["point_sheet_version"]):
            found.append(set_id)
    return found


def board_of(bench: Workbench, grader_id: str, attempt_id: str) -> RankingBoard:
    """Give everything step one shows of an attempt."""
    attempt = own_attempt(bench, grader_id, attempt_id)
    item = bench.kept_item(attempt.item_hash)
    with bench.record() as record:
        dealt = {a: record.assignments[a] for a in attempt.assignment_ids}
    seed = bench.material().round.seed
    in_order = sorted(dealt, key=lambda a: own_order(seed, grader_id, f"rank {dealt[a].response_id}"))
    draft = get_ranking_or_none(bench.store, attempt_id)
    said = bench.kept_packet(attempt.set_hash).set
    sheet = sheet_of(bench, dealt[in_order[0]])
    return RankingBoard(
        attempt_id,
        attempt.item,
        item.title,
        item.prompt,
        rulings_text(item.guidelines or "", item.sheet, sheet.rubric),
        sheet.rubric.levels,
        tuple(
            BoardPaper(a, str(number), sheet_of(bench, dealt[a]).answer)
            for number, a in enumerate(in_order, start=1)
        ),
        said.piles or len(said.pile_labels) or USUAL_PILES,
        said.pile_labels,
        draft.body if draft else None,
        draft.revision if draft else 0,
        draft.saved_at if draft else None,
    )


def save_order(
    bench: Workbench, grader_id: str, attempt_id: str, state: dict[str, Any], revision: int
) -> OrderKept:
    """Keep an order after a move; on disk when this returns.

    Parameters
    ----------
    state
        As in `RankingBoard`.
    revision
        The revision the tab last knew.

    Raises
    ------
    GradeProblem
        It does not hold papers of this packet, each once at most.
    AlreadyGraded
        The order was submitted, or another tab has moved papers since.
    """
    attempt = own_attempt(bench, grader_id, attempt_id)
    checked = _checked(attempt, state)
    at = bench.now()
    with bench.store.write() as connection:
        _refuse_ranked(own_attempt(bench, grader_id, attempt_id))
        kept_before = get_ranking_or_none(bench.store, attempt_id)
        if kept_before is not None and kept_before.body == checked:
            return OrderKept(kept_before.revision, kept_before.saved_at)  # sent again after a lost answer
        if ranking_revision(connection, attempt_id) != revision:
            raise AlreadyGraded("Papers were moved in another tab since. Load the newer order to go on.")
        return OrderKept(save_ranking(connection, attempt_id, checked, at), at)


def submit_order(
    bench: Workbench, grader_id: str, attempt_id: str, state: dict[str, Any], *, token: str
) -> str:
    """Submit the finished order and give the UTC time at which it was recorded.

    Raises
    ------
    GradeProblem
        Papers are not placed yet.
    AlreadyGraded
        It was submitted before.
    """
    attempt = own_attempt(bench, grader_id, attempt_id)
    groups = [group for pile in _checked(attempt, state)["piles"] for group in pile["groups"]]
    missing = len(attempt.assignment_ids) - sum(len(group) for group in groups)
    if missing:
        raise GradeProblem(f"{missing} of the papers are not placed yet. Place every paper first.")
    with bench.store.write() as connection:
        earlier = get_submission_or_none(connection, token)
        if earlier is not None:
            if (earlier.kind, earlier.assignment_id) != (EventKind.PAPERS_RANKED.value, attempt_id):
                raise NotAllowed("This submission was used for something else. Reload the page.")
            return earlier.at
        _refuse_ranked(own_attempt(bench, grader_id, attempt_id))
        at = bench.now()
        seq = append(
            connection,
            at=at,
            actor=grader_id,
            kind=EventKind.PAPERS_RANKED,
            subject=attempt_id,
            body={"grader_id": grader_id, "item": attempt.item, "order": groups},
        )
        keep_submission(connection, token, seq)
        drop_ranking(connection, attempt_id)
    return at


def own_attempt(bench: Workbench, grader_id: str, attempt_id: str) -> Attempt:
    """Find a grader's own attempt.

    Raises
    ------
    NotDealtToYou
        It is somebody else's, or there is none.
    """
    with bench.record() as record:
        attempt = record.calibration.attempts.get(attempt_id)
    if attempt is None or attempt.grader_id != grader_id:
        raise NotDealtToYou("This packet is not yours. Open the calibration page to find your own.")
    return attempt


def _begin(
    bench: Workbench,
    connection: Any,  # noqa: ANN401 - the store's connection, passed on
    record: GradingRecord,
    grader_id: str,
    item: str,
    set_id: str,
    papers: list[str],
    packet: int,
    number: int,
) -> str:
    attempt_id = new_id("k")
    set_hash = record.calibration.current_sets[set_id]
    said = set_content(record, set_hash)
    if said["order"] == "shuffled":
        seed = bench.material().round.seed
        papers = sorted(papers, key=lambda paper: own_order(seed, grader_id, f"score {paper}"))
    dealt = [
        Assignment(a, paper, item, grader_id, place, 0, ReadKind.CALIBRATION)
        for place, (a, paper) in enumerate(zip(new_ids("a", len(papers)), papers, strict=True), start=1)
    ]
    body = {
        "item": item,
        "item_hash": record.current_files["item", item],
        "grader_id": grader_id,
        "set": set_id,
        "set_hash": set_hash,
        "purpose": said["purpose"],
        "packet": packet,
        "number": number,
        "assignments": [as_logged(d) for d in dealt],
    }
    seq = append(
        connection,
        at=bench.now(),
        actor=grader_id,
        kind=EventKind.CALIBRATION_BEGUN,
        subject=attempt_id,
        body=body,
    )
    kept.add_assignments(connection, dealt, seq)
    return attempt_id


def _refuse_read_before(bench: Workbench, record: GradingRecord, grader_id: str, papers: list[str]) -> None:
    """Refuse a packet of which a grader has met papers in live work: the gate would judge a memory."""
    known = record.calibration.papers
    planted = {
        text_of(record, known[one.response_id])
        for one in kept.assignments_of(bench.store, grader_id)
        if one.response_id in known
    }
    met = sum(r in known and text_of(record, known[r]) in planted for r in papers)
    if met:
        raise NotAllowed(
            f"You have read {met} of the papers of this packet in other work, so it cannot judge you. "
            "Tell the panel lead, who can add another packet or decide how you go on."
        )


def _is_panel_set(record: GradingRecord, set_id: str) -> bool:
    return bool(set_content(record, record.calibration.current_sets[set_id])["reference"] == "panel")


def _papers_of_packet(record: GradingRecord, grader_id: str, set_id: str) -> tuple[list[str], int]:
    """Give the papers a grader is to read for a set, anchors left out, and the number of the packet."""
    calibration = record.calibration
    set_hash = calibration.current_sets[set_id]
    if not _is_panel_set(record, set_id):
        anchors = {p["essay"] for p in record.inputs.files[set_hash]["content"]["papers"] if p["anchor"]}
        papers = [p for p in calibration.papers.values() if p.set_hash == set_hash and p.essay not in anchors]
        return [p.response_id for p in sorted(papers, key=lambda p: p.essay)], 1
    packets = {packet for drawn_for, packet in calibration.drawn.values() if drawn_for == set_id}
    if not packets:
        raise NotAllowed("The panel lead has not drawn the packet from the live answers yet.")
    frozen = any(one.set_id == set_id for one in calibration.frozen.values())
    ranked_one = any(
        a.set_id == set_id and a.packet == 1 and a.grader_id == grader_id
        for a in calibration.attempts.values()
    )
    if ranked_one and not frozen:
        raise NotAllowed("The second packet opens after the panel has met on the first.")
    packet = 2 if frozen else 1
    return sorted(r for r, drawn in calibration.drawn.items() if drawn == (set_id, packet)), packet


def _refuse_ranked(attempt: Attempt) -> None:
    if attempt.ranked_at is not None:
        raise AlreadyGraded(
            f"This order was submitted at {as_words(attempt.ranked_at)}. It no longer changes."
        )


def _checked(attempt: Attempt, state: object) -> dict[str, Any]:
    """Give an order with nothing in it but piles, labels and papers of the packet, each once at most."""
    piles = state.get("piles") if isinstance(state, dict) else None
    if not isinstance(piles, list) or not 1 <= len(piles) <= MOST_PILES:
        raise GradeProblem(f"An order has 1 to {MOST_PILES} piles. Reload the page.")
    known, used = set(attempt.assignment_ids), set()
    checked = []
    for pile in piles:
        label = pile.get("label", "") if isinstance(pile, dict) else None
        groups = pile.get("groups") if isinstance(pile, dict) else None
        if not isinstance(label, str) or not isinstance(groups, list):
            raise GradeProblem("The order could not be read. Reload the page.")
        for group in groups:
            if not isinstance(group, list) or not group or not all(isinstance(a, str) for a in group):
                raise GradeProblem("The order could not be read. Reload the page.")
            for a in group:
                if a not in known or a in used:
                    raise GradeProblem(
                        "The order names a paper twice, or one of another packet. Reload the page."
                    )
                used.add(a)
        # Half a character, as a browser can send one, cannot be stored.
        whole = label.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        checked.append({"label": whole[:LONGEST_LABEL], "groups": groups})
    return {"piles": checked}
