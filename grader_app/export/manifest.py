"""The manifest: fingerprints of all files, the ends of the chain, and how the numbers were made."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from grader_app.domain.content_hash import content_hash
from grader_app.domain.events import FIRST_HASH
from grader_app.export.results import Results

MANIFEST_FILE = "manifest.json"
PROGRAM = "grader-app"


def manifest_of(results: Results, fingerprints: Mapping[str, str]) -> dict[str, Any]:
    """Give the manifest of an export.

    Parameters
    ----------
    results
        What the files were written from.
    fingerprints
        SHA-256 of every other file of the folder, by name.

    Returns
    -------
    dict
        Its last entry, ``manifest_hash``, is the hash of all the others, so that a change in any
        of them shows.
    """
    events = results.events
    content = {
        "program": {"name": PROGRAM, "version": results.version},
        "round": {
            "id": results.round.id,
            "version": results.round.version,
            "hash": results.round_hash,
        },
        "provisional": results.provisional,
        "open_items": list(results.open_items),
        "release": results.release,
        "notes": list(results.notes),
        "method": results.round.scaling.method,
        "seed": results.round.seed,
        "counts": results.counts,
        "events": {
            "n": len(events),
            "first_hash": events[0].hash if events else FIRST_HASH,
            "last_hash": results.last_hash,
        },
        "files": dict(fingerprints),
    }
    return content | {"manifest_hash": manifest_hash(content)}


def manifest_hash(manifest: Mapping[str, Any]) -> str:
    """Hash everything in a manifest but this hash itself."""
    return content_hash({key: value for key, value in manifest.items() if key != "manifest_hash"})


def fingerprints_of(files: Mapping[str, bytes]) -> dict[str, str]:
    """Fingerprint files by name."""
    return {name: sha256(data) for name, data in files.items()}


def sha256(data: bytes) -> str:
    """Fingerprint a file's bytes, 64 hexadecimal digits."""
    return hashlib.sha256(data).hexdigest()
