"""Wording of values in messages: what was found and what was expected."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalmark.validator.findings.finding import Action, Mistake
from evalmark.validator.findings.phrasing import cited, closest, listed, similar

#: Allowed values that are too many for a message; they are shown at the place.
MANY = 8

TYPE_NAMES = {
    "array": "an array",
    "object": "an object",
    "string": "a string",
    "number": "a number",
    "integer": "a whole number",
    "boolean": "true or false",
    "null": "null",
}


def wrong_type(mistake: Mistake, name: str, value: Any, type_names: Any, schema: Any) -> Mistake:
    """The mistake for a value of another JSON type."""
    types = [type_names] if isinstance(type_names, str) else type_names
    expected = " or ".join(TYPE_NAMES[kind] for kind in types)
    caret = f"expected {expected}"
    if "array" in types:
        items_schema = schema.get("items")  # a list where each place has a type of its own
        items = items_schema.get("type") if isinstance(items_schema, dict) else None
        caret += f" of {items}s" if isinstance(items, str) else ""
    return replace(
        mistake,
        message=f"{name} must be {expected}, got {got(value)}",
        caret=caret,
        types=(*types,),
    )


def unknown_value(
    mistake: Mistake, name: str, value: object, allowed: list[Any], spellings: Mapping[str, str]
) -> Mistake:
    """The mistake for a value that is not allowed; ``spellings`` are those of ``Advice``."""
    texts = [a for a in allowed if isinstance(a, str)]
    near: tuple[str, ...] = ()
    if isinstance(value, str) and (meant := spellings.get(value.strip().lower())) in texts:
        near = (f"write `{meant}`",)
    elif isinstance(value, str) and (same := _same_but_case(value, texts)):
        near = (f"write `{same}`",)
    elif isinstance(value, str) and not value.lower().startswith(("not", "non", "un", "!")):
        near = closest(value, texts)  # "notequals" is not "equals"
    expected = f"expected {'one of ' if len(allowed) > 1 else ''}{quoted_list(allowed)}"
    message, caret = f"{name} cannot be {cited(value)}", "not an allowed value"
    if len(allowed) > MANY:
        caret = expected
    else:
        message += f"; {expected}"
    helps = tuple(text.replace("`", '"') for text in near)
    return replace(mistake, message=message, caret=caret, helps=helps)


def _same_but_case(value: str, texts: Sequence[str]) -> str:
    """The only text that a value is but for case and the space around it; else empty."""
    same = [text for text in texts if text.casefold() == value.strip().casefold()]
    return same[0] if len(same) == 1 else ""


_LIMITS = {
    "minimum": "at least",
    "maximum": "at most",
    "exclusiveMinimum": "more than",
    "exclusiveMaximum": "less than",
    "multipleOf": "a multiple of",
}
#: Keyword -> whether it limits from below, and what is counted.
_COUNTED = {
    "minLength": (True, "characters"),
    "maxLength": (False, "characters"),
    "minProperties": (True, "keys"),
    "maxProperties": (False, "keys"),
}


def broken(
    keyword: str, name: str, value: Any, argument: Any, forms: Mapping[str, str]
) -> tuple[str, str, str]:
    """Shape rule, message and caret for a keyword of the schema that a value breaks."""
    if keyword in _LIMITS:
        limit = f"{_LIMITS[keyword]} {cited(argument)}"
        return "out-of-range", f"{name} must be {limit}, got {cited(value)}", f"expected {limit}"
    if keyword in _COUNTED and argument != 1:
        return _broken_count(keyword, name, argument)
    match keyword:
        case "uniqueItems":
            return "schema-mismatch", f"{name} has duplicate elements", ""
        case "not" if argument == {}:
            return "schema-mismatch", f"{name} is not allowed", ""
        case "minItems" | "minLength":
            text = "must not be empty" if argument == 1 else f"needs {argument} elements"
            return "too-short", f"{name} {text}", ""
        case "maxItems":
            text = "must be empty" if argument == 0 else f"has more than {argument} elements"
            return "schema-mismatch", f"{name} {text}", ""
        case "contains":
            element = argument.get("description", "element that the format requires")
            return "schema-mismatch", f"{name} contains no {element}", ""
        case "pattern" if argument == r"\S":
            return "wrong-form", f"{name} has no text: {cited(value)}", ""
        case "pattern":
            expected = forms.get(argument, f"text that matches {argument}")
            return "wrong-form", f"{name} must be {expected}; got {cited(value)}", ""
    return "schema-mismatch", f"{name} violates `{keyword}` of the schema", ""


def _broken_count(keyword: str, name: str, argument: Any) -> tuple[str, str, str]:
    is_least, counted = _COUNTED[keyword]
    if is_least:
        return "too-short", f"{name} needs at least {argument} {counted}", ""
    text = f"has more than {argument} {counted}" if argument else "must be empty"
    return "schema-mismatch", f"{name} {text}", ""


def beyond(keyword: str, value: object, limit: object) -> tuple[str, ...]:
    """The probable meaning of a number beyond its limit."""
    if not isinstance(value, int | float):
        return ()
    if keyword == "maximum" and limit == 1 and 2 <= value <= 100:
        return (f"if it is a percentage, write {round(value / 100, 12):g}",)
    return ()


def elements_to_write(keyword: str, value: Any, allowed: Sequence[Any]) -> tuple[str, ...]:
    """Suggestions for a list: itself without duplicates, or elements for an empty one."""
    if keyword == "uniqueItems":
        unique = [element for i, element in enumerate(value) if element not in value[:i]]
        return (Action.WRITE(json.dumps(unique, ensure_ascii=False)),)
    empty = keyword == "minItems" and not value
    return (f"name one or more of {quoted_list(allowed)}",) if empty and allowed else ()


def got(value: object) -> str:
    """The type of a value in words, or a short value itself."""
    names: dict[type, str] = {dict: "an object", list: "an array", str: "a string"}
    fraction = isinstance(value, float) and not value.is_integer()
    if value is None or isinstance(value, bool) or fraction:
        return json.dumps(value)
    return names.get(type(value), "a number")


def quoted_list(values: Iterable[object]) -> str:
    """Values as JSON, with commas."""
    return ", ".join(json.dumps(value, ensure_ascii=False) for value in values)


def unfit_key(mistake: Mistake, key: str, allowed: list[str]) -> Mistake:
    """The mistake for a key that a condition does not allow."""
    return replace(
        mistake,
        message=f"`{key}` is not allowed with the other keys of this object",
        notes=(f"allowed keys: {listed((f'`{name}`' for name in allowed), 12)}",),
        helps=tuple(Action.RENAME(key, name) for name in similar(key, allowed)),
    )
