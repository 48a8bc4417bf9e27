"""The hash by which a file's content is known, however the file was laid out."""

from __future__ import annotations

import hashlib
import json
from json.encoder import encode_basestring
from typing import Any

_EXACT_IN_A_FLOAT = 2.0**53
_AS_IT_IS = frozenset({str, int, bool, type(None)})
_ENCODER = json.JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_json(obj: Any) -> str:  # noqa: ANN401 - anything JSON can hold
    """Write plain data as JSON in exactly one way.

    Parameters
    ----------
    obj
        Dictionaries with text keys, lists, tuples, text, numbers, true, false and None.

    Returns
    -------
    str
        JSON with sorted keys and no spaces. A float that is whole is written as an integer, so
        that ``1``, ``1.0`` and ``-0.0`` or ``0`` are the same content.

    Raises
    ------
    ValueError
        If a number is not finite.

    Examples
    --------
    >>> canonical_json({"b": 1.0, "a": [0.25, "é"]})
    '{"a":[0.25,"é"],"b":1}'
    """
    return _ENCODER.encode(_with_stable_numbers(obj))


def quoted(text: str) -> str:
    """Write a text as it stands in canonical JSON.

    Raises
    ------
    TypeError
        It is no text.

    Examples
    --------
    >>> quoted('a "b"') == canonical_json('a "b"')
    True
    """
    return encode_basestring(text)


def content_hash(obj: Any) -> str:  # noqa: ANN401 - anything JSON can hold
    """Hash plain data by its canonical JSON.

    Parameters
    ----------
    obj
        As for `canonical_json`.

    Returns
    -------
    str
        SHA-256, 64 hexadecimal digits.

    Examples
    --------
    >>> content_hash({})
    '44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a'
    """
    return hashlib.sha256(canonical_json(obj).encode("utf-8")).hexdigest()


def _with_stable_numbers(obj: Any) -> Any:  # noqa: ANN401 - anything JSON can hold
    # Most values are neither a number nor a container; looking at their type first halves the time.
    if isinstance(obj, dict):
        return {k: v if type(v) in _AS_IT_IS else _with_stable_numbers(v) for k, v in obj.items()}
    if isinstance(obj, list | tuple):
        return [v if type(v) in _AS_IT_IS else _with_stable_numbers(v) for v in obj]
    if isinstance(obj, float) and obj.is_integer() and abs(obj) <= _EXACT_IN_A_FLOAT:
        return int(obj)
    return obj
