"""Data as YAML text that every YAML parser reads the same way."""

from __future__ import annotations

import copy
import io
import json
from collections.abc import Callable
from typing import Any

from evalmark.schemas.errors import ConversionError
from evalmark.validator.reading.reading import read
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString


def yaml_text(data: Any) -> str:
    """Data as YAML; strings that some parser would read as something else are quoted."""
    text = _dumped(_plain(data), _yaml())
    if not _reads_as(text, data):
        text = _dumped(_with_strings(data, DoubleQuotedScalarString), _yaml())
        if not _reads_as(text, data):
            raise ConversionError(
                "this data cannot be written as YAML that every parser reads the same way"
            )
    return text


def rewrite_yaml(text: str, new: Any) -> str:
    """A YAML text with its data replaced; comments, quotes and order stay where data stays."""
    yaml = _yaml()
    yaml.preserve_quotes = True
    lead = len(text) - len(text.lstrip("\n"))
    old = yaml.load(text)
    merged = _merged(old, new)
    written = _dumped(merged, yaml)
    if lead:
        written = text[:lead] + written.lstrip("\n")
    # The data matters more than its look: a rewrite that does not read back is not used.
    return written if _reads_as(written, new) else yaml_text(new)


def _merged(old: Any, new: Any) -> Any:
    if isinstance(old, CommentedMap) and isinstance(new, dict):
        for key in [key for key in old if key not in new]:
            del old[key]
        for position, (key, value) in enumerate(new.items()):
            if key in old:
                merged = _merged(old[key], value)
                if merged is not old[key]:
                    old[key] = merged
            else:
                old.insert(position, key, _plain(value))
        return old
    if isinstance(old, CommentedSeq) and isinstance(new, list) and len(old) == len(new):
        for index, value in enumerate(new):
            merged = _merged(old[index], value)
            if merged is not old[index]:
                old[index] = merged
        return old
    if type(new) in (str, int, float, bool, type(None)) and _same(old, new):
        return old
    return _plain(new)


def _same(old: Any, new: Any) -> bool:
    if isinstance(new, str) or isinstance(old, str):
        return isinstance(old, str) and isinstance(new, str) and str(old) == new
    return json.dumps(new) == json.dumps(copy.copy(old)) if type(old) is type(new) else old == new


def _yaml() -> YAML:
    yaml = YAML()
    yaml.width = 100_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _dumped(value: Any, yaml: YAML) -> str:
    stream = io.StringIO()
    yaml.dump(value, stream)
    return stream.getvalue()


def _plain(value: Any) -> Any:
    """Data whose strings are unquoted where every parser reads them as strings."""
    return _with_strings(value, _text)


def _with_strings(value: Any, written: Callable[[str], str]) -> Any:
    if isinstance(value, dict):
        pairs = ((written(key), _with_strings(child, written)) for key, child in value.items())
        return CommentedMap(pairs)
    if isinstance(value, list):
        return [_with_strings(child, written) for child in value]
    return written(value) if isinstance(value, str) else value


def _text(value: str) -> str:
    if "\n" in value and value.isprintable() is False and _is_block(value):
        block: str = LiteralScalarString(value)
        return block
    alone = read(f"x: {value}\n".encode("utf-8", "surrogatepass"), "x.yaml")
    if alone.readable and alone.data == {"x": value}:
        return value
    quoted: str = DoubleQuotedScalarString(value)
    return quoted


def _is_block(value: str) -> bool:
    """Whether a string of several lines can be a block: no odd spaces or characters."""
    lines = value.split("\n")
    return all(line == line.strip() and line.isprintable() for line in lines) and value[0] != "\n"


def _reads_as(text: str, data: Any) -> bool:
    reading = read(text.encode("utf-8", "surrogatepass"), "x.yaml")
    return reading.readable and json.dumps(reading.data) == json.dumps(data)
