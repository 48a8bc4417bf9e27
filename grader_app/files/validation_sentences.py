"""What the validator found, said to the person who can put it right."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from pydantic_core import ErrorDetails

from grader_app.domain.model import ID_PATTERN, LAW_AS_OF_PATTERN, POINT_ID_PATTERN, VERSION_PATTERN

_PATTERNS = {
    ID_PATTERN: "Write small letters and digits, joined by hyphens: my-first-item.",
    POINT_ID_PATTERN: "Write small letters and digits, joined by hyphens and dots: bailment.rule.",
    VERSION_PATTERN: 'Write a whole number in quotes: version: "1".',
    LAW_AS_OF_PATTERN: 'Write a date in quotes: "2026-11" or "2026-11-30".',
}
_BOUNDS = {
    "greater_than": ("gt", "above"),
    "greater_than_equal": ("ge", "at least"),
    "less_than": ("lt", "below"),
    "less_than_equal": ("le", "at most"),
}


def sentences(detail: ErrorDetails) -> tuple[str, str]:
    """Say what is wrong with one value, and what to do.

    Parameters
    ----------
    detail
        One entry of a pydantic error's list.

    Returns
    -------
    what, fix : str
        Two sentences.

    Examples
    --------
    >>> sentences({"type": "missing", "loc": ("title",), "msg": "", "input": {}})
    ('The key `title` is missing.', 'Add it.')
    """
    context: dict[str, Any] = detail.get("ctx", {})
    key, found = _key(detail), shown(detail["input"])
    kind = detail["type"]
    if kind == "rule":
        return context["what"], context["fix"]
    if kind == "missing":
        return f"The key `{key}` is missing.", "Add it."
    if detail["input"] is None:
        return f"`{key}` is empty.", "Write a value, or remove the key if it may be left out."
    if kind in _BOUNDS:
        name, words = _BOUNDS[kind]
        return f"`{key}` is {found}.", f"Write a number {words} {context[name]:g}."
    if kind in _SENTENCES:
        return _SENTENCES[kind](key, found, context)
    return f"`{key}` is {found}: {detail['msg']}.", "Correct it."


def shown(value: object) -> str:
    """Show a value as a person would name it.

    Parameters
    ----------
    value
        Anything a YAML file can hold.

    Returns
    -------
    str
        Short; long text is cut.

    Examples
    --------
    >>> shown("3"), shown(True), shown([1, 2])
    ('the text `3`', '`true`', 'a list')
    """
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, dict):
        return "a block of keys"
    if isinstance(value, list | tuple):
        return "a list"
    if isinstance(value, str):
        return f"the text `{value if len(value) <= 60 else value[:59] + '…'}`" if value.strip() else "empty"
    return f"`{value}`"


def _key(detail: ErrorDetails) -> str:
    named = [part for part in detail["loc"] if isinstance(part, str)]
    return named[-1] if named else "file"


def _choice(key: str, found: str, context: dict[str, Any]) -> tuple[str, str]:
    return f"`{key}` is {found}.", f"Write {context['expected'].replace(chr(39), '')}."


def _text(key: str, found: str, context: dict[str, Any]) -> tuple[str, str]:
    if "version" in key:
        return f"`{key}` is {found} without quotes.", f'Write it in quotes: {key}: "1".'
    return f"`{key}` is {found}; text is wanted.", "Write text; put a number or true and false in quotes."


def _number(key: str, found: str, context: dict[str, Any]) -> tuple[str, str]:
    return (
        f"`{key}` is {found}; a number is wanted.",
        "Write a plain number without quotes, such as 0.5.",
    )


def _whole(key: str, found: str, context: dict[str, Any]) -> tuple[str, str]:
    return f"`{key}` is {found}; a whole number is wanted.", "Write a whole number without quotes."


def _truth(key: str, found: str, context: dict[str, Any]) -> tuple[str, str]:
    return f"`{key}` is {found}; true or false is wanted.", "Write true or false, without quotes."


def _list(key: str, found: str, context: dict[str, Any]) -> tuple[str, str]:
    return f"`{key}` is {found}; a list is wanted.", "Write one entry a line, each after a dash."


def _block(key: str, found: str, context: dict[str, Any]) -> tuple[str, str]:
    return f"`{key}` is {found}; a block of keys is wanted.", "Write `key: value`, one a line, indented."


def _empty(key: str, found: str, context: dict[str, Any]) -> tuple[str, str]:
    return f"`{key}` is empty.", "Write at least one."


def _pattern(key: str, found: str, context: dict[str, Any]) -> tuple[str, str]:
    return f"`{key}` is {found}.", _PATTERNS.get(context["pattern"], f"Follow {context['pattern']}.")


def _long(key: str, found: str, context: dict[str, Any]) -> tuple[str, str]:
    return f"`{key}` is {found}.", f"Write at most {context['max_length']} characters."


_SENTENCES: dict[str, Callable[[str, str, dict[str, Any]], tuple[str, str]]] = {
    "literal_error": _choice,
    "string_type": _text,
    "float_type": _number,
    "float_parsing": _number,
    "finite_number": _number,
    "int_type": _whole,
    "int_from_float": _whole,
    "bool_type": _truth,
    "tuple_type": _list,
    "list_type": _list,
    "model_type": _block,
    "model_attributes_type": _block,
    "dict_type": _block,
    "too_short": _empty,
    "string_too_short": _empty,
    "string_pattern_mismatch": _pattern,
    "string_too_long": _long,
}
