"""Bringing key and workbench into step: two databases cannot be written in one act."""

from __future__ import annotations

from pathlib import Path

from grader_app.blinding.key import BlindingKey
from grader_app.errors import KeyProblem
from grader_app.store.database import Store


def open_or_create_key(path: Path, store: Store) -> BlindingKey:
    """Open a workspace's key, or make one while the workbench has no answers yet.

    Parameters
    ----------
    path
        The key's file.
    store
        The workbench's database.

    Raises
    ------
    KeyProblem
        The key is missing although there are answers, or it belongs to another workspace.
    """
    if path.exists():
        return BlindingKey.open(path, store.workspace_id)
    refuse_lost_key(path, store)
    return BlindingKey.create(path, store.workspace_id)


def refuse_lost_key(path: Path, store: Store) -> None:
    """Refuse to begin a key when answers are there whose key must lie elsewhere."""
    if store.row_or_none("SELECT 1 FROM response LIMIT 1"):
        raise KeyProblem(
            f"{path}: there is no blinding key here, but the workbench holds answers. "
            "Name their key with --key FILE or GRADER_APP_KEY; a new key could not link their candidates."
        )


def settle(store: Store, key: BlindingKey, leave: str | None = None) -> None:
    """Finish what a crash left half done, and refuse a key that does not match the workbench.

    Parameters
    ----------
    store
        The workbench's database, inside its write transaction: only then is no other intake under way.
    key
        The blinding key.
    leave
        A batch not to look at.

    Raises
    ------
    KeyProblem
        Key and database come from different times: one knows answers that the other lacks.

    Notes
    -----
    An intake writes the key first (batch ``pending``), then the workbench, then marks the batch ``done``.
    A pending batch is therefore done if the workbench holds its answers, and never happened if not. Taking a
    batch back writes the workbench first, so a batch whose answers are all withdrawn is ``undone``.
    """
    stored = {row["id"] for row in store.rows("SELECT id FROM response")}
    withdrawn = {row["response_id"] for row in store.rows("SELECT response_id FROM withdrawn_response")}
    for batch in key.batches():
        if batch.status == "undone" or batch.batch_id == leave:
            continue
        mine = key.response_ids(batch.batch_id)
        if batch.status == "pending" and not mine <= stored:
            key.forget(batch.batch_id)
        elif mine <= withdrawn:
            key.mark(batch.batch_id, "undone")
        elif not mine <= stored:
            raise KeyProblem(
                f"{store.path}: the database lacks answers of batch {batch.batch_id}, which the key knows; "
                "it is older than the key. Restore the newer database, or give the batch up with "
                f"`grader-app intake --undo {batch.batch_id}`."
            )
        elif batch.status == "pending":
            key.mark(batch.batch_id, "done")
    refuse_older_key(stored, key)


def refuse_older_key(response_ids: set[str], key: BlindingKey) -> None:
    """Refuse a key that does not know some of the answers."""
    unknown = response_ids - key.response_ids()
    if unknown:
        raise KeyProblem(
            f"{key.path}: the key does not know {len(unknown)} of the workbench's answers "
            f"(such as {min(unknown)}). It is an older copy; name the newest key with --key FILE."
        )
