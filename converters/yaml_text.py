"""Data as YAML text that every YAML parser reads the same way, and YAML texts with other data.

Where data stays, so do comments, quotes and order; single values are replaced in their place.
"""

from __future__ import annotations

import copy
import io
import json
import re
import warnings
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from evalmark.schemas.errors import ConversionError
from evalmark.validator.findings.finding import Edit, apply_edits
from evalmark.validator.reading.reading import read
from evalmark.validator.reading.rewrite import align
from evalmark.validator.reading.source import make_pointer
from evalmark.validator.reading.yaml_data import all_read_as_text
from evalmark.validator.reading.yaml_source import YamlSource
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap, CommentedSeq
from ruamel.yaml.error import ReusedAnchorWarning, YAMLError
from ruamel.yaml.scalarstring import DoubleQuotedScalarString, LiteralScalarString

#: Characters that a double-quoted string escapes in YAML and not in JSON.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff\ud800-\udfff]")

#: No parser sees anything in these that ends or changes them; keys may have 1,024 characters.
_PLAIN = re.compile(r"[A-Za-z](?:[\w ./,()'\"%+=;!?&*<>$@^~|\[\]{}-]|:(?=\w))*(?<! )", re.ASCII)
_SIMPLY_QUOTED = re.compile(r'"[ !#-\[\]-~]*"')
#: Numbers that all parsers read alike.
_NUMBER = re.compile(r"-?(0|[1-9][0-9]{0,14})(\.[0-9]{1,20})?")
_SHORT = 500


def yaml_text(data: object) -> str:
    """Data as YAML, ambiguous strings in quotes; ConversionError if parsers would not agree."""
    if isinstance(data, str):
        return _quoted(data) + "\n"  # as a whole document, "..." and others have a meaning
    return "".join(f"{line}\n" for line in _lines(data))


def _lines(value: object) -> Iterator[str]:
    if isinstance(value, dict) and value:
        for key, child in value.items():
            first, *rest = _lines(child)
            if isinstance(child, dict | list) and child:
                yield f"{_key(key)}:"
                rest.insert(0, first)
            else:
                yield f"{_key(key)}: {first}"
            yield from map(_indented, rest)
    elif isinstance(value, list) and value:
        for child in value:
            first, *rest = _lines(child)
            yield f"- {first}"
            yield from map(_indented, rest)
    elif isinstance(value, str):
        yield from _scalar(value).split("\n")
    else:
        yield _literal(json.dumps(value))


def _indented(line: str) -> str:
    return f"  {line}" if line else line


@lru_cache(maxsize=50_000)
def _key(text: str) -> str:
    return _first_that_reads("{}: 0", {text: 0}, text, (text, _quoted(text)))


@lru_cache(maxsize=50_000)
def _scalar(text: str) -> str:
    block = ("|\n" if text.endswith("\n") else "|-\n") + text.removesuffix("\n")
    forms = (block,) if _is_block(text) else (text, _quoted(text))
    return _first_that_reads("x: {}", {"x": text}, text, forms)


@lru_cache(maxsize=50_000)
def _literal(text: str) -> str:
    """A number, constant or empty container; YAML 1.1 wants a point before an exponent."""
    value = json.loads(text)
    return _first_that_reads("x: {}", {"x": value}, value, (text, text.replace("e", ".0e")))


def _first_that_reads(place: str, data: object, value: object, forms: Iterable[str]) -> str:
    """The first form of a value that every parser reads as the data.

    Parsing each form would take most of the time of a large document, so the forms of words and
    numbers are decided by what they look like.
    """
    for form in forms:
        is_same = _is_read_as(form, value)
        if is_same is None:
            is_same = _reads_as(place.format(form.replace("\n", "\n  ")) + "\n", data)
        if is_same:
            return form
    raise ConversionError(
        "this data cannot be written as YAML that every parser reads the same way"
    )


def scalar_form(value: object, quote: str) -> str:
    """A value on one line, in quotes like those of the value whose place it takes.

    Raises ConversionError if that is impossible.
    """
    if not isinstance(value, str):
        return _literal(json.dumps(value))
    single = "'{}'".format(value.replace("'", "''"))
    forms = {"'": (single,) if value.isprintable() else (), '"': ()}.get(quote, (value,))
    one_line = () if "\n" in value or not value else forms
    return _first_that_reads("x: {}", {"x": value}, value, (*one_line, _quoted(value)))


def _is_read_as(form: str, value: object) -> bool | None:
    """True or False if a form is evidently read as a value or not; None if it is not evident."""
    if len(form) > _SHORT:
        return None
    if form == f'"{value}"' and _SIMPLY_QUOTED.fullmatch(form):
        return True
    if _NUMBER.fullmatch(form):
        return type(value) in (int, float)
    if form == value and _PLAIN.fullmatch(form):
        return all_read_as_text(form)
    return None


def _quoted(text: str) -> str:
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)


def rewrite_yaml(text: str, new: object) -> str:
    """A YAML text with its data replaced; comments, quotes and order stay where data stays."""
    yaml = _yaml()
    yaml.preserve_quotes = True
    lead = len(text) - len(text.lstrip("\n"))
    try:
        with warnings.catch_warnings(action="ignore", category=ReusedAnchorWarning):
            old = yaml.load(text)
    except (YAMLError, ValueError, TypeError):  # tags and merge keys that only `check` can read
        return yaml_text(new)
    merged = _merged(old, new)
    written = _dumped(merged, yaml)
    if lead:
        written = text[:lead] + written.lstrip("\n")
    # The data matters more than its look: a rewrite that does not read back is not used.
    return written if _reads_as(written, new) else yaml_text(new)


def _merged(old: object, new: object) -> Any:
    if isinstance(old, CommentedMap) and isinstance(new, dict):
        for key in [key for key in old if key not in new]:
            del old[key]
        for position, (key, value) in enumerate(new.items()):
            if key in old:
                merged = _merged(old[key], value)
                if merged is not old[key]:
                    old[key] = merged
            else:
                old.insert(position, key, plain_yaml(value))
        return old
    if isinstance(old, CommentedSeq) and isinstance(new, list):
        return _merged_list(old, new)
    if type(new) in (str, int, float, bool, type(None)) and _same(old, new):
        return old
    return plain_yaml(new)


def _merged_list(old: CommentedSeq, new: list[Any]) -> CommentedSeq:
    """A sequence whose elements stay with their comments where others come and go."""
    at = 0
    for before, after in list(align(old, new)):
        if before is None:
            old.insert(at, plain_yaml(new[after or 0]))
        elif after is None:
            del old[at]
            continue
        else:
            merged = _merged(old[at], new[after])
            if merged is not old[at]:
                old[at] = merged
        at += 1
    return old


def _same(old: object, new: object) -> bool:
    if isinstance(new, str) or isinstance(old, str):
        return isinstance(old, str) and isinstance(new, str) and str(old) == new
    return json.dumps(new) == json.dumps(copy.copy(old)) if type(old) is type(new) else old == new


def _yaml() -> YAML:
    yaml = YAML()
    yaml.width = 100_000
    yaml.indent(mapping=2, sequence=4, offset=2)
    return yaml


def _dumped(value: object, yaml: YAML) -> str:
    stream = io.StringIO()
    yaml.dump(value, stream)
    return stream.getvalue()


def plain_yaml(value: object) -> Any:
    """Data for ruamel.yaml, with strings quoted where some parser would misread them."""
    if isinstance(value, dict):
        return CommentedMap((_text(key), plain_yaml(child)) for key, child in value.items())
    if isinstance(value, list):
        return [plain_yaml(child) for child in value]
    return _text(value) if isinstance(value, str) else value


def _text(value: str) -> str:
    form = _scalar(value)
    if form == value:
        return value
    kind = LiteralScalarString if form.startswith("|") else DoubleQuotedScalarString
    text: str = kind(value)
    return text


def _is_block(value: str) -> bool:
    """True if a string of several lines can be a block: no odd spaces or characters."""
    lines = value.removesuffix("\n").split("\n")
    plain = all(line == line.strip() and line.isprintable() for line in lines)
    return "\n" in value and plain and bool(lines[0] and lines[-1])


def _reads_as(text: str, data: object) -> bool:
    reading = read(text.encode("utf-8", "surrogatepass"), "x.yaml")
    return reading.readable and json.dumps(reading.data) == json.dumps(data)


_Path = tuple[str | int, ...]


def edited_yaml(text: str, old: object, new: object) -> str:
    """A YAML text with its data replaced; errors are those of ``yaml_text``.

    If only single values differ, only their characters change. Otherwise comments, quotes and order
    stay where data stays.
    """
    if json.dumps(old) == json.dumps(new):
        return text
    changes = _changes(old, new, ())
    reading = read(text.encode("utf-8", "surrogatepass"), "x.yaml")
    if changes is not None and isinstance(reading.places, YamlSource):
        for quoted in (False, True):  # a comma ends a plain string in [ ]
            written = _replace(reading.places, changes, quoted=quoted)
            if written is not None and _reads_as(written, new):
                return written
    return rewrite_yaml(text, new)


def _changes(old: object, new: object, path: _Path) -> list[tuple[_Path, Any]] | None:
    """The single values that differ; None if more than these does."""
    if not isinstance(old, dict | list) and not isinstance(new, dict | list):
        return [] if json.dumps(old) == json.dumps(new) else [(path, new)]
    before, after = _children(old), _children(new)
    if type(old) is not type(new) or list(before) != list(after):
        return None
    changes: list[tuple[_Path, Any]] = []
    for key in before:
        below = _changes(before[key], after[key], (*path, key))
        if below is None:
            return None
        changes += below
    return changes


def _children(value: object) -> dict[str | int, Any]:
    if isinstance(value, dict):
        return value
    return dict(enumerate(value)) if isinstance(value, list) else {}


def _replace(source: YamlSource, changes: list[tuple[_Path, Any]], *, quoted: bool) -> str | None:
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
