"""Texts that thousands of grades and answers have in common, each held in memory once."""

from __future__ import annotations

from sys import intern
from typing import Any


def held_once(value: Any) -> Any:  # noqa: ANN401 - a changed record may hold anything where a text belongs
    """Give one object for equal texts, and what is no text as it is."""
    return intern(value) if type(value) is str else value
