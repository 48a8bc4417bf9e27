"""Ways to change an export and cover it up."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from grader_app.export.json_file import json_bytes
from grader_app.export.manifest import manifest_hash, sha256


def change(folder: Path, file: str, edit: Callable[[bytes], bytes]) -> None:
    before = (folder / file).read_bytes()
    after = edit(before)
    assert after != before
    (folder / file).write_bytes(after)


def change_manifest(folder: Path, edit: Callable[[dict[str, Any]], None], *, repair: bool = True) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_bytes())
    edit(manifest)
    if repair:
        manifest["manifest_hash"] = manifest_hash(manifest)
    path.write_bytes(json_bytes(manifest))


def repair_fingerprints(folder: Path) -> None:
    """Make the manifest agree with the files as they are now."""

    def edit(manifest: dict[str, Any]) -> None:
        manifest["files"] = {name: sha256((folder / name).read_bytes()) for name in manifest["files"]}

    change_manifest(folder, edit)


def repair_events(folder: Path) -> None:
    """Make the manifest agree with the log as it is now, too."""
    lines = [json.loads(line) for line in (folder / "events.jsonl").read_text("utf-8").splitlines()]

    def edit(manifest: dict[str, Any]) -> None:
        manifest["events"] = {
            "n": len(lines),
            "first_hash": lines[0]["hash"],
            "last_hash": lines[-1]["hash"],
        }

    change_manifest(folder, edit)
    repair_fingerprints(folder)
