"""Releasing scores: what stands in the way, preparing an export, and releasing it by another person."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from grader_app.domain.events import EventKind
from grader_app.domain.grading_record import GradingRecord
from grader_app.domain.read_again import read_again
from grader_app.domain.release import CHANGES_SCORES, PREPARATION, ExportFacts, Prepared, no_regrading
from grader_app.errors import NotAllowed, ScoresAreReleased
from grader_app.store.accounts import name_of_actor
from grader_app.store.database import Connection
from grader_app.store.event_log import append, last_seq_among
from grader_app.workflow.clock import as_words
from grader_app.workflow.reconciliation import unreconciled
from grader_app.workflow.reread_plan import still_to_read
from grader_app.workflow.two_people import is_nobody, may_be_one_person, may_name_one_person
from grader_app.workflow.unsettled import unsettled
from grader_app.workflow.workbench import Workbench


def _open_questions(bench: Workbench, record: GradingRecord) -> list[str]:
    titles = {item.id: item.title for item in bench.material().items.values()}
    open_items = [titles.get(item, item) for item in record.items() if item not in record.closed_items]
    return [f"Still open: {'; '.join(open_items)}. Close every question first."] if open_items else []


def _rereads_under_way(record: GradingRecord) -> list[str]:
    found = read_again(record)
    if not found.under_way:
        return []
    left = found.answers - found.done
    have = "has" if left == 1 else "have"
    return [
        f"{left} of {found.answers} answers sent to be read again {have} no score yet. "
        "Let them be read and settled, or call them off."
    ]


def _rereads_not_begun(record: GradingRecord) -> list[str]:
    found = still_to_read(record)
    if not found:
        return []
    who = "1 candidate has" if len(found) == 1 else f"{len(found)} candidates have"
    were = "was" if len(found) == 1 else "were"
    return [
        f"{who} a total in the re-read band and {were} not read again. "
        "Begin re-reads first, or leave `reread` out of a new version of round.yaml."
    ]


def _answers_unsettled(record: GradingRecord) -> list[str]:
    if record.round is None:
        return []
    items = [entry.item for entry in record.round.items]
    found = unsettled(record, items)
    if found and record.closed_items.intersection(items):
        found.append("If its question is closed, reopen it for that; close it again afterwards.")
    return found


CHECKS: tuple[Callable[[GradingRecord], list[str]], ...] = (
    _answers_unsettled,
    _rereads_not_begun,
    _rereads_under_way,
)
"""What is looked at in the record before a release; each gives sentences, none if nothing is in the way."""


def not_releasable(bench: Workbench, record: GradingRecord) -> list[str]:
    """Say what stands in the way of a release; nothing when scores can be released."""
    found = [sentence for check in CHECKS for sentence in check(record)]
    return [*_open_questions(bench, record), *found, *unreconciled(bench)]


def prepare_release(bench: Workbench, actor: str, facts: ExportFacts) -> None:
    """Propose an export for release; somebody else has to release it.

    Parameters
    ----------
    facts
        Of an export that was just held against the workspace.

    Raises
    ------
    NotAllowed
        Something stands in the way, this export is prepared already, or nobody says who prepares it: then
        nobody could release it.
    ScoresAreReleased
        Scores were released before.
    """
    with bench.store.write() as connection:
        with bench.record() as record:
            _refuse(bench, record, facts)
            before = record.release.prepared
        if before is not None and before.manifest_hash == facts.manifest_hash:
            raise NotAllowed(
                f"This export was prepared at {as_words(before.at)}. Let somebody else release it."
            )
        _refuse_nobody(connection, actor)
        body = {
            "manifest_hash": facts.manifest_hash,
            "n_events": facts.n_events,
            "last_hash": facts.last_hash,
        }
        _record(bench, connection, actor, EventKind.RELEASE_PREPARED, body)


def release(bench: Workbench, actor: str, facts: ExportFacts) -> None:
    """Release an export that somebody else has prepared; nothing is graded after that.

    Raises
    ------
    NotAllowed
        Nobody prepared this export, or whoever did may be the same person.
    ScoresAreReleased
        Scores were released before.
    """
    with bench.store.write() as connection:
        with bench.record() as record:
            _refuse(bench, record, facts)
            prepared = record.release.prepared
        if prepared is None or prepared.manifest_hash != facts.manifest_hash:
            raise NotAllowed(
                "Nobody has prepared this export for release. Prepare it, then let somebody else release it."
            )
        _refuse_same_person(connection, actor, prepared)
        body = {"manifest_hash": facts.manifest_hash, "prepared": prepared.event_seq}
        _record(bench, connection, actor, EventKind.SCORES_RELEASED, body)


def has_changed_since(bench: Workbench, n_events: int) -> bool:
    """Say whether anything that could change scores was done after so many events."""
    return last_seq_among(bench.store, CHANGES_SCORES - PREPARATION) > n_events


def may_have_prepared(bench: Workbench, actor: str, prepared: Prepared) -> bool:
    """Say whether somebody may be the person who prepared a release, and so cannot release it."""
    names = name_of_actor(bench.store, actor), name_of_actor(bench.store, prepared.actor)
    return actor == prepared.actor or may_name_one_person(*names)


def prepared_sentence(bench: Workbench, prepared: Prepared, export: str) -> str:
    """Say when an export was prepared for release, and by whom; names are for leads only."""
    return f"Prepared at {as_words(prepared.at)} by {name_of_actor(bench.store, prepared.actor)}: {export}."


def released_sentence_or_none(bench: Workbench, folders: Mapping[str, str] | None = None) -> str | None:
    """Say when scores were released, and by whom; None while they are not. Names are for leads only.

    Parameters
    ----------
    folders
        Names of exports by the hash of their manifest, to name the one that was released.
    """
    with bench.record() as record:
        found = record.release.released
    if found is None:
        return None
    names = [name_of_actor(bench.store, actor) for actor in (found.actor, found.prepared.actor)]
    made = found.prepared.manifest_hash
    export = (folders or {}).get(made) or f"with the manifest {made[:12]}"
    return (
        f"Scores were released at {as_words(found.at)} by {names[0]}, prepared by {names[1]}: "
        f"export {export}."
    )


def _refuse(bench: Workbench, record: GradingRecord, facts: ExportFacts) -> None:
    if record.release.released is not None:
        raise ScoresAreReleased(no_regrading(record.release.released.at))
    problems = not_releasable(bench, record)
    if problems:
        raise NotAllowed("\n".join(["Scores cannot be released.", *problems]))
    if has_changed_since(bench, facts.n_events):
        raise NotAllowed("The workspace has changed since this export. Write a new one, and release that.")


def _refuse_nobody(connection: Connection, actor: str) -> None:
    if is_nobody(connection, actor):
        raise NotAllowed(
            "A release takes two people, and the command line cannot tell who you are. Say so with "
            "`--as NAME`, or use the page Scores."
        )


def _refuse_same_person(connection: Connection, actor: str, prepared: Prepared) -> None:
    if actor == prepared.actor:
        raise NotAllowed("You prepared this release yourself. Somebody else has to release it.")
    _refuse_nobody(connection, actor)
    if may_be_one_person(connection, actor, prepared.actor):
        raise NotAllowed(
            "This release may have been prepared by the same person, since both bear one name. "
            "Somebody else has to release it."
        )


def _record(
    bench: Workbench, connection: Connection, actor: str, kind: EventKind, body: dict[str, object]
) -> None:
    with bench.record() as record:
        subject = record.round.id if record.round else ""
    append(connection, at=bench.now(), actor=actor, kind=kind, subject=subject, body=body)
