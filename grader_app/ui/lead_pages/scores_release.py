"""Scores: releasing them, by two people."""

from __future__ import annotations

from functools import partial

import streamlit as st

from grader_app.domain.release import Prepared
from grader_app.export.for_release import facts_for_release, manifests_of
from grader_app.ui.current import bench
from grader_app.ui.downloads import export_folders
from grader_app.ui.parts.confirmed import draw_confirmed
from grader_app.ui.parts.html_table import draw_line, draw_lines
from grader_app.workflow.release import (
    has_changed_since,
    may_have_prepared,
    not_releasable,
    prepare_release,
    prepared_sentence,
    release,
    released_sentence_or_none,
)

_FINAL = "From then on nothing is corrected, read again, adjudicated or reopened. This cannot be taken back."


def draw_release(lead_id: str) -> None:
    """Draw where the release stands: not possible and why, ready, prepared, done."""
    st.subheader("Release")
    folders = manifests_of(bench().folder.exports_path, export_folders(bench().folder.exports_path))
    done = released_sentence_or_none(bench(), {made.hash: name for name, made in folders.items()})
    if done is not None:
        draw_line(done, "headline")
        draw_line("There is no regrading after release.")
        return
    with bench().record() as record:
        problems, prepared = not_releasable(bench(), record), record.release.prepared
    draw_line("One lead prepares an export, another releases it. It is recomputed both times.")
    if problems:
        draw_lines(["Not possible yet.", *problems])
        return
    named = None
    if prepared is not None and not has_changed_since(bench(), prepared.n_events):
        named = next((name for name, made in folders.items() if made.hash == prepared.manifest_hash), None)
        draw_line(prepared_sentence(bench(), prepared, named or "which is no longer in the exports"))
    elif prepared is not None:
        draw_line("Something has changed since an export was prepared. Write a new one, and prepare that.")
    if prepared is not None and named is not None:
        _draw_confirming(lead_id, prepared, named)
        return
    ready = [name for name, made in folders.items() if not made.provisional]
    fresh = next((name for name in ready if not has_changed_since(bench(), folders[name].n_events)), None)
    if fresh is None:
        draw_line("Ready: write an export above, then prepare it here.")
        return
    draw_confirmed(
        f"prepare:{fresh}",
        f"Prepare {fresh}",
        f"You propose {fresh} for release. Somebody else has to release it.",
        "Prepare it",
        partial(_prepare, lead_id, fresh),
    )


def _draw_confirming(lead_id: str, prepared: Prepared, name: str) -> None:
    if may_have_prepared(bench(), lead_id, prepared):
        draw_line("You prepared it, so somebody else has to release it.")
        return
    draw_confirmed(
        f"release:{name}",
        "Release the scores",
        f"You release {name}. {_FINAL}",
        "Release",
        partial(_release, lead_id, name),
    )


def _prepare(lead_id: str, name: str) -> str:
    facts = facts_for_release(bench().folder.exports_path / name, bench().store)
    prepare_release(bench(), lead_id, facts)
    return f"{name} is prepared. Somebody else has to release it."


def _release(lead_id: str, name: str) -> str:
    facts = facts_for_release(bench().folder.exports_path / name, bench().store)
    release(bench(), lead_id, facts)
    return "The scores are released."
