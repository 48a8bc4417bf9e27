"""Taking answers in: each gets an opaque id, its source goes into the key, its text into the workbench."""

from __future__ import annotations

import hashlib
import random
import secrets
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from grader_app.blinding.answer_checks import is_cut_off, refuse_faulty, shortened, warnings_about
from grader_app.blinding.deal_order import deal_order
from grader_app.blinding.formats.incoming import AnswerFile, IncomingAnswer
from grader_app.blinding.key import BlindingKey
from grader_app.blinding.key_records import Batch, Candidate, KeptSource
from grader_app.blinding.plain_text import plain as made_plain
from grader_app.blinding.settling import settle
from grader_app.domain.events import EventKind
from grader_app.domain.ids import new_id, new_ids
from grader_app.domain.response import Response
from grader_app.domain.round import Round
from grader_app.errors import FileProblems, KeyProblem, NotAllowed, Problem, StoreProblem
from grader_app.store.collector import collector_paused
from grader_app.store.database import Store
from grader_app.store.event_log import append
from grader_app.store.responses import add_responses, count_stored, last_deal_order
from grader_app.store.texts import salted_hash
from grader_app.workflow.registration import register_files
from grader_app.workflow.workbench import Workbench

_COMPARED = (
    "source",
    "prompt_type",
    "temperature",
    "trial",
    "model_version",
    "gold",
    "finish_reason",
    "licence",
    "slice",
)
_SALT_BYTES = 16


@dataclass(frozen=True)
class Taken:
    """What an intake did, or would do.

    Parameters
    ----------
    item
        The item.
    batch_id
        By which it can be undone; None when nothing was stored.
    new, unchanged
        Answers stored now, and answers that were there already.
    warnings
        Sentences about what may be a mistake in the file.
    stored
        Answers to the item that the workbench holds now, those taken back left out.
    """

    item: str
    batch_id: str | None
    new: int
    unchanged: int
    warnings: tuple[str, ...]
    stored: int

    @property
    def in_file(self) -> int:
        """Answers in the file."""
        return self.new + self.unchanged


@dataclass(frozen=True, slots=True)
class _Prepared:
    """An answer with the text that will be stored, and the hash of the text that came."""

    answer: IncomingAnswer
    body: str
    original_hash: str


def take_in(
    bench: Workbench,
    key: BlindingKey,
    file: AnswerFile,
    item: str,
    actor: str,
    *,
    plain: bool = False,
    dry_run: bool = False,
) -> Taken:
    """Take a file of answers to one item in, all or nothing.

    Parameters
    ----------
    bench
        The workspace.
    key
        Its blinding key.
    file
        The answers, as `grader_app.blinding.formats.registry.read_answers` gives them.
    item
        An item of the round.
    actor
        Who does it.
    plain
        Store the texts without Markdown; the key keeps the hash of the original.
    dry_run
        Store nothing.

    Returns
    -------
    Taken
        How many answers are new; the same file again gives none.

    Raises
    ------
    FileProblems
        Everything wrong with the answers, and every id already taken in with other content.
    NotAllowed
        The round has no such item.
    KeyProblem
        Key and workbench do not match.

    Notes
    -----
    Below the blind line go random ids, texts under salted hashes, a deal order, and an event that says item
    and count. The sender's ids, sources, file and batch go into the key alone. A candidate is a source under
    one prompt type, temperature, model version and trial, and keeps its random id across items and files.
    """
    weights = _check_item(bench, item, actor, dry_run=dry_run).weights
    refuse_faulty(file)
    prepared = [_prepare(answer, plain=plain) for answer in file.answers]
    batch = Batch(new_id("b"), item, Path(file.path).name, file.hash, plain, "pending", bench.now())
    try:
        with collector_paused(), bench.store.write() as connection:
            settle(bench.store, key)
            known = key.candidates()
            fresh = _fresh(file.path, prepared, key, batch)
            twice = _answered_twice(fresh, key, item) if item in weights else ()
            if fresh and not dry_run:
                rows, sources = _rows(fresh, known, key, batch, bench.store)
                key.add_pending(batch, sources)
                add_responses(connection, rows)
                append(
                    connection,
                    at=batch.at,
                    actor=actor,
                    kind=EventKind.ANSWERS_TAKEN_IN,
                    subject=item,
                    body={"item": item, "n": len(fresh)},
                )
    except BaseException:
        with suppress(StoreProblem, KeyProblem):  # if this fails too, the next intake does it
            _settle_after_failure(bench.store, key)
        raise
    stored = bool(fresh) and not dry_run
    if stored:
        key.mark(batch.batch_id, "done")
    return Taken(
        item,
        batch.batch_id if stored else None,
        len(fresh),
        len(prepared) - len(fresh),
        (*twice, *warnings_about(file, known)),
        count_stored(bench.store, item),
    )


def _settle_after_failure(store: Store, key: BlindingKey) -> None:
    with store.write():
        settle(store, key)


def _check_item(bench: Workbench, item: str, actor: str, *, dry_run: bool) -> Round:
    """Refuse an item that the round does not have; give the round."""
    if not dry_run:
        register_files(bench, actor)
        bench.material().item(item)
        return bench.material().round
    contents = bench.folder.load_contents()
    if item not in contents.items:
        raise NotAllowed(f"The round has no item `{item}`. Its items are {', '.join(contents.items)}.")
    return contents.round


def _prepare(answer: IncomingAnswer, *, plain: bool) -> _Prepared:
    original = hashlib.sha256(answer.text.encode("utf-8")).hexdigest()
    return _Prepared(answer, made_plain(answer.text) if plain else answer.text, original)


def _fresh(path: str, prepared: list[_Prepared], key: BlindingKey, batch: Batch) -> list[_Prepared]:
    """Leave out what was taken in before; refuse what was taken in with other content."""
    plain = {known.batch_id: known.plain for known in key.batches()}
    there = {kept.sender_id: kept for kept in key.sources(item=batch.item)}
    fresh: list[_Prepared] = []
    problems: list[Problem] = []
    for each in prepared:
        kept = there.get(each.answer.sender_id)
        if kept is None:
            fresh.append(each)
        elif changed := _changed(each, kept, was_plain=plain[kept.batch], is_plain=batch.plain):
            what = (
                f"The answer `{kept.sender_id}` has changed since batch {kept.batch}: {', '.join(changed)}."
            )
            fix = f"Undo that batch first (`grader-app intake --undo {kept.batch}`), or give it another id."
            problems.append(Problem(path, each.answer.line, what, fix))
    if problems:
        raise FileProblems(shortened(path, problems))
    return fresh


def _changed(each: _Prepared, kept: KeptSource, *, was_plain: bool, is_plain: bool) -> list[str]:
    changed = ["text"] if each.original_hash != kept.original_hash else []
    changed += [name for name in _COMPARED if getattr(each.answer, name) != getattr(kept, name)]
    if dict(each.answer.others) != dict(kept.others):
        changed.append("other columns")
    if was_plain != is_plain:
        changed.append("taken in with --plain then" if was_plain else "taken in without --plain then")
    return changed


def _answered_twice(fresh: list[_Prepared], key: BlindingKey, item: str) -> tuple[str, ...]:
    """Warn of candidates with several answers to an item that enters the composite."""
    counts = Counter(kept.candidate for kept in key.sources(item=item))
    counts.update(each.answer.candidate for each in fresh)
    several = {each.answer.source: None for each in fresh if counts[each.answer.candidate] > 1}
    if not several:
        return ()
    named = ", ".join(f"`{source}`" for source in list(several)[:5])
    more = f" and {len(several) - 5} more" if len(several) > 5 else ""
    return (
        f"{named}{more} would have several answers to {item}. A composite needs one: such a candidate gets "
        "no scaled score. If that is a mistake, take this batch back before dealing.",
    )


def _rows(
    fresh: list[_Prepared], known: Mapping[Candidate, str], key: BlindingKey, batch: Batch, store: Store
) -> tuple[list[tuple[Response, str, str]], list[KeptSource]]:
    """Make the rows of workbench and key; the workbench's in the order of their random ids."""
    ids = new_ids("r", len(fresh))
    candidates = _candidate_ids(fresh, known)
    places = _places(fresh, key, batch.item, store)
    salts = secrets.token_bytes(_SALT_BYTES * len(fresh)).hex()
    rows: list[tuple[Response, str, str]] = []
    sources: list[KeptSource] = []
    for number, (each, response_id) in enumerate(zip(fresh, ids, strict=True)):
        answer = each.answer
        candidate_id = candidates[answer.candidate]
        salt = salts[2 * _SALT_BYTES * number : 2 * _SALT_BYTES * (number + 1)]
        digest = salted_hash(salt, each.body)
        cut_off = is_cut_off(answer.finish_reason)
        response = Response(response_id, batch.item, candidate_id, places[number], digest, cut_off)
        rows.append((response, salt, each.body))
        sources.append(_kept(each, response_id, candidate_id, batch))
    # Random ids in their order: no trace of the file's order, and the tables grow at their ends.
    rows.sort(key=lambda row: row[0].response_id)
    sources.sort(key=lambda kept: kept.response_id)
    return rows, sources


def _candidate_ids(fresh: list[_Prepared], known: Mapping[Candidate, str]) -> dict[Candidate, str]:
    unknown = dict.fromkeys(each.answer.candidate for each in fresh if each.answer.candidate not in known)
    return {**known, **dict(zip(unknown, new_ids("c", len(unknown)), strict=True))}


def _places(fresh: list[_Prepared], key: BlindingKey, item: str, store: Store) -> list[int]:
    """Give each answer its place in the item's deal order, behind those taken in earlier."""
    by_id = {kept.response_id: kept.source for kept in key.sources(item=item)}
    earlier = store.rows("SELECT id FROM response WHERE item = ? ORDER BY deal_order", (item,))
    before = [by_id[row["id"]] for row in earlier if row["id"] in by_id]
    draw = random.Random(secrets.randbits(256))
    order = deal_order([each.answer.source for each in fresh], draw, before)
    return _inverted(order, last_deal_order(store, item) + 1)


def _inverted(order: Sequence[int], first: int) -> list[int]:
    places = [0] * len(order)
    for place, at in enumerate(order, start=first):
        places[at] = place
    return places


def _kept(each: _Prepared, response_id: str, candidate_id: str, batch: Batch) -> KeptSource:
    answer = each.answer
    return KeptSource(
        response_id=response_id,
        candidate_id=candidate_id,
        item=batch.item,
        sender_id=answer.sender_id,
        source=answer.source,
        prompt_type=answer.prompt_type,
        temperature=answer.temperature,
        trial=answer.trial,
        model_version=answer.model_version,
        gold=answer.gold,
        finish_reason=answer.finish_reason,
        licence=answer.licence,
        slice=answer.slice,
        batch=batch.batch_id,
        line=answer.line,
        original_hash=each.original_hash,
        others=answer.others,
    )
