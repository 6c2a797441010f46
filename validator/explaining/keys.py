"""Keys that an object has and should not have, and keys that it lacks."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from evalmark.validator.explaining.branches import MAX_KEYS, is_misspelt, misspelt, object_schema
from evalmark.validator.explaining.context import Context, Demand, Error
from evalmark.validator.explaining.score_types import demanded, score_beside, type_of_score
from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import listed, shown
from evalmark.validator.format import SchemaMistake
from evalmark.validator.reading.pointer import make_pointer

Labels = tuple[tuple[At, str], ...]

#: Key that an if/then requires -> rule.
_CONDITIONS = {
    **dict.fromkeys(("level_names", "has_unknown_level"), "levels-need-names"),
    **dict.fromkeys(("min_score", "max_score"), "bounds-missing"),
    **dict.fromkeys(("output", "messages", "interactions"), "interaction-needs"),
}


def unknown_keys(error: Error, hit: Hit) -> Iterator[SchemaMistake]:
    """The keys of a closed object that its schema does not have."""
    known = error.schema.get("properties", {})
    meant = misspelt(error.instance, error.schema)
    unknown = [key for key in error.instance if key not in known]
    for key in unknown[:MAX_KEYS]:
        name = meant.get(key)
        missing = name in error.schema.get("required", ())
        yield SchemaMistake(
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
        yield SchemaMistake("unknown-key", replace(hit, message=message))


def missing_keys(context: Context, group: list[Error], labels: Labels) -> Iterator[SchemaMistake]:
    """The keys that an object lacks: one mistake, except those that are misspelt."""
    error = group[0]
    instance, at = error.instance, At(make_pointer(error.absolute_path))
    around = object_schema(context.schema, list(error.absolute_schema_path))
    wanted = [key for key in error.validator_value if key not in instance]
    known = {"properties": around.get("properties", {}), "required": wanted}
    renamed = {name: key for key, name in misspelt(instance, known).items()}
    condition = context.condition(error)
    rule = _CONDITIONS.get(wanted[0], "missing-key") if condition else "missing-key"
    for name, key in renamed.items():
        if not is_misspelt(name, instance, around):
            hit = context.hit(error, message=f"`{name}` is missing", labels=labels)
            place = At(at.pointer + make_pointer([key]), key=True)
            helps = (f"rename `{key}` to `{name}`",)
            yield SchemaMistake(
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
        yield SchemaMistake(
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
            helps=demanded(condition.holder, keys, score_beside(context.data, condition.at)),
            pointer=at.pointer,
        )
        yield SchemaMistake(rule, replace(hit, at=At(condition.at + make_pointer([condition.key]))))
    else:  # A condition on an absent key is true.
        hit = _absent_condition(context, error, keys, condition)
        yield SchemaMistake(rule, replace(hit, helps=unwrapped or hit.helps))


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
    hit = context.hit(
        error,
        message=f"`{key}` is missing, which makes {names} required",
        notes=(
            f"this version of the format treats a missing `{key}` as {shown(condition.wanted)}",
        ),
    )
    if key != "score_type":
        return hit
    score = score_beside(context.data, condition.at)
    return replace(hit, helps=(type_of_score(condition.holder, score),))
