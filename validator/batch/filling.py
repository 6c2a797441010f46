"""Missing keys of records, filled in from what the caller knows about them."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from evalmark.schemas.errors import Rejected
from evalmark.schemas.files import bundle
from evalmark.schemas.versions import find
from evalmark.validator.edge.escaping import json_text
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report
from evalmark.validator.reading.rewrite import rewrite
from evalmark.validator.reading.source import make_pointer, parse_pointer
from evalmark.validator.reading.strict_json import parse

#: What a caller knows: a record and its path -> pointer (``*`` is any index) -> value.
Known = Callable[[dict[str, Any], str], Mapping[str, Any]]


def filled(text: str, report: Report, known: Known) -> tuple[str, tuple[str, ...]]:
    """A record with those of its missing keys that are known; nothing else is changed.

    A key is filled in only where a finding of the report says that the record's own version
    requires it, with objects around it if they are missing too. ``@name`` is the value of the
    member of that name, of the same object or of one around it.

    Args:
        text: The JSON text of a record.
        report: What was found in it.
        known: What is known.

    Returns:
        The new text, and each key with its value: ``/model_info/id = "a/b"``, ``*`` for indices.
    """
    missing = set(_missing(report))
    if not missing:
        return text, ()
    try:
        data = parse(text)
    except Rejected:
        return text, ()
    if not isinstance(data, dict):
        return text, ()
    new, done = copy.deepcopy(data), []
    for pointer, value in known(data, report.path).items():
        for place in _places(parse_pointer(pointer), data):
            first = _first_missing(place, data)
            if first is None or first not in missing:
                continue
            found = _value(value, place, data)
            if found is not None:
                _put(new, place, found)
                done.append(f"{_general(place)} = {json_text(found)}")
    return (rewrite(text, new) if done else text), tuple(done)


def _missing(report: Report) -> Iterator[tuple[str, ...]]:
    """The path of each key whose absence is a finding."""
    version = find(report.kind or "", report.version)
    if version is None:
        return
    schema = bundle(version.schema)
    for finding in report.findings:
        for key in _required(finding, schema):
            yield (*parse_pointer(finding.pointer), key)


def _required(finding: Finding, schema: Mapping[str, Any]) -> list[str]:
    """The keys that the place in the schema requires, if that is what the finding is about."""
    location = parse_pointer(finding.schema_location or "")
    if not location or location[-1] != "required":
        return []
    found: Any = schema
    for name in location:
        found = found[int(name)] if isinstance(found, list) else found[name]
    return list(found)


def _places(pattern: list[str], data: Any) -> Iterator[tuple[str, ...]]:
    """The paths that a pattern stands for: ``*`` is each index of an array that exists."""
    paths: list[tuple[tuple[str, ...], Any]] = [((), data)]
    for name in pattern:
        further = []
        for path, holder in paths:
            if name == "*":
                indices = range(len(holder)) if isinstance(holder, list) else ()
                further += [((*path, str(index)), holder[index]) for index in indices]
            else:
                further.append(((*path, name), _member(holder, name)))
        paths = further
    return (path for path, _ in paths)


def _member(holder: Any, name: str) -> Any:
    if isinstance(holder, dict):
        return holder.get(name)
    if isinstance(holder, list) and name.isdecimal() and int(name) < len(holder):
        return holder[int(name)]
    return None


def _first_missing(path: tuple[str, ...], data: Any) -> tuple[str, ...] | None:
    """The path up to the first key that an object lacks; None if the way is another one."""
    holder = data
    for depth, name in enumerate(path):
        if isinstance(holder, dict) and name not in holder:
            return path[: depth + 1]
        holder = _member(holder, name)
        if holder is None:
            return None
    return None


def _value(value: Any, path: tuple[str, ...], data: Any) -> Any:
    """What is written: the value, or that of the member it names; None if there is none."""
    if isinstance(value, float) and not math.isfinite(value):
        return None  # JSON has no such number
    if not isinstance(value, str) or not value.startswith("@"):
        return value
    holders = [data]
    for name in path[:-1]:
        holders.append(_member(holders[-1], name))
    for holder in reversed(holders):
        found = _member(holder, value[1:])
        if isinstance(found, str):
            return found
    return None


def _put(data: Any, path: tuple[str, ...], value: Any) -> None:
    for name in path[:-1]:
        data = data[int(name)] if isinstance(data, list) else data.setdefault(name, {})
    data[path[-1]] = value


def _general(path: tuple[str, ...]) -> str:
    return make_pointer("*" if name.isdecimal() else name for name in path)
