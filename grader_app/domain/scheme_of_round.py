"""A published scheme laid over a round."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from grader_app.domain.published_schemes import SCHEMES
from grader_app.domain.round import Round


def laid_over(the_round: Round, name: str) -> Round:
    """Return a round scaled by a published scheme.

    Parameters
    ----------
    the_round
        What it writes under `scaling` stays, unless it is the default or came from another preset.
    name
        Of the scheme, one of `SCHEMES`. Its weights by component, where it has any, take the place of the
        round's.

    Notes
    -----
    A registered round holds its defaults too, so what equals a default counts as not written.
    """
    scheme = SCHEMES[name]
    written = the_round.model_dump(exclude_defaults=True)
    own = _own_settings(written.get("scaling", {}), the_round.scaling.preset)
    items = [
        {**entry, "weight": scheme.weights.get(entry["component"], entry["weight"])}
        if entry.get("weight") is not None
        else entry
        for entry in written["items"]
    ]
    return Round.model_validate({**written, "items": items, "scaling": {**own, "preset": name}})


def _own_settings(written: Mapping[str, Any], preset: str | None) -> dict[str, Any]:
    filled = SCHEMES[preset].scaling if preset else {}
    return {
        key: value
        for key, value in written.items()
        if key != "preset" and not (key in filled and value == filled[key])
    }
