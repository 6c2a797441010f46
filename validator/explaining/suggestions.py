"""What to write where a schema rejects something: only what the schema accepts."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from evalmark.validator.explaining.advice import Demand, Violation
from evalmark.validator.explaining.schema_context import (
    MAX_KEYS,
    Context,
    Error,
    is_misspelt,
    misspelt,
    object_schema,
)
from evalmark.validator.explaining.wording import quoted
from evalmark.validator.findings.finding import At, Hit
from evalmark.validator.findings.words import listed, shown
from evalmark.validator.reading.source import make_pointer

Labels = tuple[tuple[At, str], ...]

#: Characters of a value that is written out; a longer one is described.
SHORT = 60
_INFINITE = {"inf": "Infinity", "infinity": "Infinity", "∞": "Infinity"}
_TRUTHS = {"true": True, "yes": True, "false": False, "no": False}


def instead(context: Context, error: Error) -> tuple[str, ...]:
    """What to write instead of a value, if that is clear; at most one suggestion."""
    value, part, path = error.instance, error.schema, list(error.absolute_path)
    name = path[-1] if path and isinstance(path[-1], str) else ""
    advised = context.advice.instead(name, value)
    if advised is not None:
        return advised
    if value is None and not context.needs(error):
        return (f"remove `{name}`",)
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
    return context.advice.usual(context.data, tuple(path))


def _candidates(value: Any, name: str) -> Iterator[Any]:
    """The values that may have been meant, the likeliest first."""
    # Not everything is tried: a suggestion is what somebody meant, not what would be accepted.
    match value:
        case None:
            return
        case bool():
            yield json.dumps(value)
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


def unknown_keys(error: Error, hit: Hit) -> Iterator[Violation]:
    """The keys of a closed object that its schema does not have."""
    known = error.schema.get("properties", {})
    meant = misspelt(error.instance, error.schema)
    unknown = [key for key in error.instance if key not in known]
    for key in unknown[:MAX_KEYS]:
        name = meant.get(key)
        missing = name in error.schema.get("required", ())
        yield Violation(
            "unknown-key",
            replace(
                hit,
                message=f"unknown key `{key}`{f', and `{name}` is missing' if missing else ''}",
                at=At(hit.at.pointer + make_pointer([key]), key=True),
                caret="not a key of this format",
                helps=(f"rename `{key}` to `{name}`",) if name else (),
            ),
        )
    if len(unknown) > MAX_KEYS:
        message = f"{len(unknown) - MAX_KEYS} more unknown keys in this object"
        yield Violation("unknown-key", replace(hit, message=message))


def missing_keys(context: Context, group: list[Error], labels: Labels) -> Iterator[Violation]:
    """The keys that an object lacks: one violation, except those that are misspelt."""
    error = group[0]
    instance, at = error.instance, At(make_pointer(error.absolute_path))
    around = object_schema(context.schema, list(error.absolute_schema_path))
    wanted = [key for key in error.validator_value if key not in instance]
    known = {"properties": around.get("properties", {}), "required": wanted}
    renamed = {name: key for key, name in misspelt(instance, known).items()}
    condition = context.condition(error)
    rule = context.advice.rules.get(wanted[0], "missing-key") if condition else "missing-key"
    for name, key in renamed.items():
        if not is_misspelt(name, instance, around):
            hit = context.hit(error, message=f"`{name}` is missing", labels=labels)
            place = At(at.pointer + make_pointer([key]), key=True)
            helps = (f"rename `{key}` to `{name}`",)
            yield Violation(
                rule, replace(hit, at=place, caret="not a key of this format", helps=helps)
            )
    keys = [key for key in wanted if key not in renamed]
    if not keys:
        return
    is_wrapped = instance.keys() == {"value"} and context.fits(instance["value"], around)
    unwrapped = ("write what `value` has",) if is_wrapped else ()
    names = listed(f"`{key}`" for key in keys)
    verb = "is" if len(keys) == 1 else "are"
    if condition is None:
        message, caret = f"{names} {verb} missing", "missing from this object"
        hit = context.hit(error, message=message, caret=caret, labels=labels)
        yield Violation(
            "missing-key",
            replace(hit, helps=unwrapped or _additions(context, keys, instance, around)),
        )
    elif condition.key in condition.holder:
        value = condition.holder[condition.key]
        hit = context.hit(
            error,
            message=f"`{condition.key}` is {shown(value)}, but {names} {verb} missing",
            caret=f"this value requires {names}",
            labels=((at, "missing from this object"), *labels),
            helps=context.advice.demanded(context.data, condition, keys),
            pointer=at.pointer,
        )
        yield Violation(rule, replace(hit, at=At(condition.at + make_pointer([condition.key]))))
    else:  # A condition on an absent key is true.
        hit = _absent_condition(context, error, keys, condition)
        yield Violation(rule, replace(hit, helps=unwrapped or hit.helps))


def _additions(
    context: Context, keys: list[str], instance: Mapping[str, Any], schema: Mapping[str, Any]
) -> tuple[str, ...]:
    """What to add, if the schema lists the values of all missing keys."""
    parts = []
    for key in keys:
        rule = schema.get("properties", {}).get(key, {})
        values = [rule["const"]] if "const" in rule else rule.get("enum", [])
        if rule.get("type") == "boolean" and len(keys) == 1:
            return (f'say which: "{key}": true, or "{key}": false',)
        if len(keys) == 1:  # several values may need other keys as well
            values = [v for v in values if context.fits({**instance, key: v}, schema)] or values
        if not values:
            return ()
        first, *others = map(json.dumps, values)
        more = f" (or {', '.join(others)})" if others else ""
        parts.append(f'"{key}": {first}{more}')
    return tuple(f"add {part}" for part in parts)


def _absent_condition(context: Context, error: Error, keys: list[str], condition: Demand) -> Hit:
    """The hit for keys that are demanded only since the key of the condition is absent."""
    names, key = listed(f"`{key}`" for key in keys), condition.key
    return context.hit(
        error,
        message=f"`{key}` is missing, which makes {names} required",
        notes=(
            f"this version of the format treats a missing `{key}` as {shown(condition.wanted)}",
        ),
        helps=context.advice.undecided(context.data, condition),
    )
