"""Published schemes laid over a round, what they assume, and the list of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grader_app.domain.published_schemes import SCHEMES, PublishedScheme
from grader_app.domain.round import Round
from grader_app.domain.scheme_of_round import laid_over
from grader_app.errors import ScalingProblem


def with_preset(the_round: Round, name: str) -> Round:
    """Return a round scaled by a published scheme.

    Parameters
    ----------
    the_round
        What it writes under `scaling` stays, unless it is the default or came from another preset.
    name
        Of the scheme. Its weights by component, where it has any, take the place of the round's.

    Raises
    ------
    ScalingProblem
        There is no such scheme.
    """
    if name not in SCHEMES:
        raise ScalingProblem(f"There is no preset called {name!r}. Choose from {', '.join(SCHEMES)}.")
    return laid_over(the_round, name)


def notes_on_preset(the_round: Round) -> tuple[str, ...]:
    """Say which scheme a round is scaled by, what it assumes, and where the weights depart from it."""
    name = the_round.scaling.preset
    if name is None:
        return ()
    scheme = SCHEMES[name]
    lead = f"Preset {name} ({scheme.title})."
    return (" ".join((lead, *scheme.assumptions)), *_departures(the_round, name, scheme))


def _departures(the_round: Round, name: str, scheme: PublishedScheme) -> Iterator[str]:
    known = {
        entry.item: entry.weight / scheme.weights[entry.component]
        for entry in the_round.items
        if entry.weight is not None and entry.component in scheme.weights
    }
    if known and max(known.values()) - min(known.values()) > 1e-9 * max(known.values()):
        published = ", ".join(f"{component} {weight:g}" for component, weight in scheme.weights.items())
        own = ", ".join(f"{item} {weight:g}" for item, weight in the_round.weights.items())
        yield f"The preset {name} weighs by component ({published}); the round's own weights stand: {own}."


def presets_as_json() -> list[dict[str, object]]:
    """Return every scheme with what it fills, its weights, its sources and what it assumes."""
    return [
        {
            "name": name,
            "title": scheme.title,
            "scaling": dict(scheme.scaling),
            "weights": dict(scheme.weights),
            "facts": [fact._asdict() for fact in scheme.facts],
            "assumptions": list(scheme.assumptions),
            "lines": {key: line._asdict() for key, line in scheme.lines.items()},
        }
        for name, scheme in SCHEMES.items()
    ]


def presets_lines() -> Iterator[str]:
    """Give the same in lines for a reader."""
    for name, scheme in SCHEMES.items():
        yield f"{name}: {scheme.title}"
        yield f"  fills {_spoken(scheme.scaling)}"
        yield f"  weights {_spoken(scheme.weights) if scheme.weights else 'of the round'}"
        yield from (f"  {fact.says} [{fact.source}]" for fact in scheme.facts)
        yield from (f"  Assumed or read so: {said}" for said in scheme.assumptions)


def _spoken(values: Mapping[str, Any]) -> str:
    return ", ".join(
        f"{key} ({_spoken(value)})" if isinstance(value, Mapping) else f"{key} {_number(value)}"
        for key, value in values.items()
    )


def _number(value: object) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)
