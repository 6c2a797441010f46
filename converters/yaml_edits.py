"""Single values of a YAML text replaced: all other bytes stay, comments and quotes included."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from evalmark.converters.yaml_text import rewrite_yaml, scalar_form, yaml_text
from evalmark.validator.findings.finding import Edit, apply_edits
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.source import make_pointer
from evalmark.validator.reading.yaml_source import YamlSource

_Path = tuple[str | int, ...]


def edited_yaml(text: str, old: Any, new: Any) -> str:
    """A YAML text with its data replaced.

    If only single values differ, only their characters change. Otherwise comments, quotes and order
    stay where data stays.

    Raises:
        ConversionError: Parsers would not agree on a string or number of the data.
    """
    if json.dumps(old) == json.dumps(new):
        return text
    changes = _changes(old, new, ())
    reading = read(text.encode("utf-8", "surrogatepass"), "x.yaml")
    if changes is not None and isinstance(reading.places, YamlSource):
        for quoted in (False, True):  # a comma ends a plain string in [ ]
            written = _with(reading.places, changes, quoted=quoted)
            if written is not None and _reads_as(written, new):
                return written
    written = rewrite_yaml(text, new)
    return written if _reads_as(written, new) else yaml_text(new)


def _changes(old: Any, new: Any, path: _Path) -> list[tuple[_Path, Any]] | None:
    """The single values that differ; None if more than these does."""
    pairs: Iterator[tuple[str | int, Any, Any]]
    if isinstance(old, dict) and isinstance(new, dict):
        if list(old) != list(new):
            return None
        pairs = ((key, value, new[key]) for key, value in old.items())
    elif isinstance(old, list) and isinstance(new, list):
        if len(old) != len(new):
            return None
        pairs = ((at, *both) for at, both in enumerate(zip(old, new, strict=True)))
    elif json.dumps(old) == json.dumps(new):
        return []
    elif isinstance(old, dict | list) or isinstance(new, dict | list):
        return None
    else:
        return [(path, new)]
    found: list[tuple[_Path, Any]] = []
    for key, one, other in pairs:
        below = _changes(one, other, (*path, key))
        if below is None:
            return None
        found += below
    return found


def _with(source: YamlSource, changes: list[tuple[_Path, Any]], *, quoted: bool) -> str | None:
    """The text with some values changed, each in the quotes that it has; None if that fails."""
    edits = []
    for path, value in changes:
        place = source.place(make_pointer(path))
        old = source.text[place.start : place.end] if place else ""
        if place is None or "\n" in old or not old:
            return None  # of a block, or of nothing, the indentation counts
        form = scalar_form(value, '"' if quoted else old[0])
        edits.append(Edit(place.start, place.end, form))
    return apply_edits(source.text, edits)


def _reads_as(text: str, data: Any) -> bool:
    reading = read(text.encode("utf-8", "surrogatepass"), "x.yaml")
    return reading.readable and json.dumps(reading.data) == json.dumps(data)
