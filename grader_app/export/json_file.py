"""JSON laid out for people, written in exactly one way."""

from __future__ import annotations

import json
from typing import Any


def json_bytes(content: Any) -> bytes:  # noqa: ANN401 - anything JSON can hold
    """Write plain data as indented JSON in UTF-8, with numbers at full precision and a last line end."""
    return (json.dumps(content, indent=2, ensure_ascii=False, allow_nan=False) + "\n").encode("utf-8")
