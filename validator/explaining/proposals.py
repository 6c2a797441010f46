"""What to write instead of a value that a schema rejects: only what the schema accepts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from evalmark.validator.explaining.context import Context, Error
from evalmark.validator.explaining.score_types import BOUNDS, bounds, score_beside
from evalmark.validator.explaining.wording import quoted
from evalmark.validator.fields import timestamp
from evalmark.validator.reading.pointer import make_pointer

#: Characters of a value that is written out; a longer one is described.
SHORT = 60
_INFINITE = {"inf": "Infinity", "infinity": "Infinity", "∞": "Infinity"}
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def instead(context: Context, error: Error) -> tuple[str, ...]:
    """What to write instead of a value, if that is clear; at most one suggestion."""
    value, part, path = error.instance, error.schema, list(error.absolute_path)
    name = path[-1] if path and isinstance(path[-1], str) else ""
    if value is None and name == "num_turns":  # needed where there are turns, as a rule says
        return ("say how many turns there are",)
    if value is None and not context.needs(error):
        return (f"remove `{name}`",)
    if name.endswith("timestamp") and isinstance(value, int | float) and not timestamp(value):
        return ('write the seconds since 1970 in quotes, as in "1760000000"',)
    # Where a text is one of several forms, a number is rarely a text without its quotes.
    has_forms = "anyOf" in part or "oneOf" in part or isinstance(part.get("type"), list)
    for candidate in _candidates(value, name):
        if candidate == "Infinity" and name.startswith("min"):
            candidate = "-Infinity"
        if has_forms and not isinstance(value, str | dict | list):
            continue
        if context.fits(candidate, part):
            return (_written(candidate, value),)
    allowed = part.get("enum", ())
    texts = [text for text in allowed if isinstance(text, str)]
    if texts and not isinstance(value, str) and not isinstance(part.get("type"), list):
        holder = context.holder(error) if name else {}
        around = context.above(error) if name else {}
        fitting = [text for text in texts if context.fits({**holder, name: text}, around)]
        one_of = "" if len(fitting) == 1 else "one of "
        return (f"write {one_of}{quoted(fitting or texts)}",)
    if name in BOUNDS:
        score = score_beside(context.data, make_pointer(path[:-1]))
        return (f"write {bounds([name], score)[name]}, if that is the {BOUNDS[name]} score",)
    return ()


def _candidates(value: Any, name: str) -> Iterator[Any]:
    """The values that may have been meant, the likeliest first."""
    # Not everything is tried: a suggestion is what somebody meant, not what would be accepted.
    match value:
        case None:
            yield from ("",) if name == "content" else ()  # an empty region
            return
        case bool():
            yield json.dumps(value)
        case int() | float() if name.endswith("_operand"):
            return  # a condition, which has a name
        case int() | float():
            yield json.dumps(value)
            yield from (bool(value),) if value in (0, 1) else ()
        case str():
            yield from _read(value)
        case [one]:
            yield one
        case {**members} if members.keys() in ({"value"}, {name}):
            yield from members.values()
    if value not in ([], {}):
        yield [value]


def _read(text: str) -> Iterator[Any]:
    """What a text says: a number, a truth value, a list or an object."""
    plain = text.strip()
    sign, _, size = plain.rpartition("-")
    if size.lower().lstrip("+") in _INFINITE and sign == "":
        yield f"{'-' if plain.startswith('-') else ''}Infinity"
    if plain.lower() in _TRUTHS:
        yield _TRUTHS[plain.lower()]
    for spelling in (plain, plain.replace(",", ".") if plain.count(",") == 1 else plain):
        try:
            yield json.loads(spelling, parse_constant=_none)
        except ValueError:
            continue


def _none(_: str) -> None:
    """NaN and infinities are not JSON."""


def _written(candidate: Any, value: Any) -> str:
    text = json.dumps(candidate, ensure_ascii=False)
    if value is None:
        return f"write {text}, if the region is empty"
    if len(text) <= SHORT:
        return f"write {text}"
    if candidate == [value]:
        return "put `[` and `]` around it"
    if isinstance(value, dict):
        return f"write what `{next(iter(value))}` has"
    return "remove the `[` and `]` around it" if value == [candidate] else f"write {text}"


def tag_values(
    context: Context, instance: Mapping[str, Any], tag: str, branches: list[Mapping[str, Any]]
) -> list[str]:
    """The values of a tag with which an object is valid, the likeliest first."""
    fitting = [
        branch
        for branch in branches
        if context.fits({**instance, tag: branch["properties"][tag]["const"]}, branch)
    ]
    fitting.sort(key=lambda branch: -len(instance.keys() & branch["properties"].keys()))
    return [branch["properties"][tag]["const"] for branch in fitting]
