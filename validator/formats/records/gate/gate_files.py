"""The places where Every Eval Ever's validator expects files, and its view of sample files.

A record ``<uuid>.json`` has at most one sample file, ``<uuid>_samples.jsonl`` next to it. Each of
the two is a file of its own for the validator, and is refused if it disagrees with the other.

It reads a sample file twice, and splits it in two ways: into the lines of a text file, where a
carriage return ends a line too, for its models; and at everything that Python takes for the end of
a line, U+2028 among them, to compare the rows with their record.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from evalmark.schemas.backend import accepts
from evalmark.schemas.versions import GATES
from evalmark.validator.findings.finding import Severity
from evalmark.validator.findings.phrasing import quoted, shown
from evalmark.validator.formats.records.gate.gate_contents import too_large
from evalmark.validator.formats.records.gate.refusal import Refusal
from evalmark.validator.formats.records.rules.datastore_rules import (
    datastore_parts,
    misnamed_model,
    misplaced,
)
from evalmark.validator.formats.shared.fields import mapping
from evalmark.validator.io.opening import open_regular, read_whole
from evalmark.validator.reading.strict_json import finite, loads

#: The version whose models the gate has.
VERSION = GATES["eee"]
_ROW = f"sample-{VERSION}"
#: Ends of lines besides the line feed.
_ODD = re.compile(rb"[\r\v\f\x1c-\x1e]|\xc2\x85|\xe2\x80[\xa8\xa9]")
UNREAD = object()


def parse_strict(text: str) -> Any:
    """The value of a JSON text as the gate parses it; unlike ours it accepts lone surrogates.

    Raises:
        ValueError: It rejects the text.
        RecursionError: It is nested too deep.
    """
    return loads(text, parse_float=finite)


@dataclass(slots=True)
class _Split:
    """The rows that one way of splitting gives."""

    rows: int = 0
    evaluation_ids: set[str] = field(default_factory=set)
    model_ids: set[str] = field(default_factory=set)
    is_readable: bool = True

    def add(self, data: Any) -> None:
        self.rows += 1
        if not isinstance(data, dict):
            self.is_readable = False
            return
        self.evaluation_ids.add(identifier(data.get("evaluation_id")))
        self.model_ids.add(identifier(data.get("model_id")))

    def take(self, share: _Split) -> None:
        self.rows += share.rows
        self.evaluation_ids |= share.evaluation_ids
        self.model_ids |= share.model_ids
        self.is_readable &= share.is_readable


@dataclass(slots=True)
class GateRows:
    """The rows of a sample file, or of a part of it, as the gate sees them."""

    #: As the validator of the sample file reads them: readable if each follows the schema.
    as_samples: _Split = field(default_factory=_Split)
    #: As the validator of the record reads them.
    as_companion: _Split = field(default_factory=_Split)

    def see(self, body: bytes, data: Any = UNREAD) -> bool:
        """Take in a line without its end, and what we parsed it to; whether it is one row."""
        if data is not UNREAD and not _ODD.search(body):
            self.as_companion.add(data)
            return self._fits(data)
        try:
            text = body.decode("utf-8")
        except UnicodeDecodeError:
            self.refuse()
            return False
        for row in _rows(text.splitlines()):
            self.as_companion.add(_parsed(row))
        fits = [self._fits(_parsed(row)) for row in _rows(text.split("\r"))]
        return all(fits)

    def refuse(self) -> None:
        """Take in a file that does not have rows."""
        self.as_samples.is_readable = self.as_companion.is_readable = False

    def _fits(self, data: Any) -> bool:
        self.as_samples.add(data)
        fits = accepts(_ROW, data) and not any(too_large(data, _ROW))
        self.as_samples.is_readable &= fits
        return fits

    def take(self, share: GateRows) -> None:
        """Append the rows of the part that follows this one."""
        self.as_samples.take(share.as_samples)
        self.as_companion.take(share.as_companion)


def rows_of(path: str) -> GateRows:
    """The gate's view of a file that was not checked otherwise."""
    seen = GateRows()
    with open_regular(path) as file:
        for line in file:
            if body := line.rstrip(b"\r\n"):
                seen.see(body)
    return seen


def identifier(value: Any) -> str:
    """An id as the gate compares it; it may not be a text."""
    return value if isinstance(value, str) else repr(value)


def _rows(texts: list[str]) -> list[str]:
    return [stripped for text in texts if (stripped := text.strip())]


def _parsed(text: str) -> Any:
    try:
        return parse_strict(text)
    except (ValueError, RecursionError):
        return None  # no row of ours is null; neither is accepted


RECORD, SAMPLES = ".json", "_samples.jsonl"
_LINK = "/detailed_evaluation_results"


def of_the_place(path: str) -> list[Refusal]:
    """The refusal of a file that lies where the datastore has no such files."""
    parts = datastore_parts(path, everywhere=True) or ()
    why = misplaced(parts)
    return [Refusal(why, None, ("datastore-path",))] if why else []


def of_a_record(path: str, record: Any, rows: GateRows | None) -> Iterator[Refusal]:
    """The refusals of a record by the checks of its path, its sample file and its model.

    Args:
        path: Where the record lies.
        record: Its data.
        rows: The rows of the file beside it, if they have been read.
    """
    misplacement = of_the_place(path)
    yield from misplacement
    if not isinstance(record, dict):
        return
    yield from _of_the_samples(path, record, rows)
    parts = datastore_parts(path, everywhere=True) or ()
    model = record.get("model_info")
    if not misplacement and isinstance(model, dict):
        why = misnamed_model(model.get("id"), model.get("developer"), parts)
        if why:
            said_by = ("datastore-model", "empty-identifier", "surrounding-space")
            yield Refusal(why, None, said_by, Severity.WARNING)


def _of_the_samples(path: str, record: dict[str, Any], rows: GateRows | None) -> Iterator[Refusal]:
    link = record.get("detailed_evaluation_results")
    beside = os.path.splitext(path)[0] + SAMPLES
    exists = os.path.isfile(beside)
    if link is None:
        if exists:
            yield _refused("the record does not name its sample file", "datastore-samples")
        return
    if problem := _wrong_path(path, link):
        yield problem
        return
    if link.get("format") != "jsonl":
        place = f"{_LINK}/format" if "format" in link else _LINK
        yield Refusal('`format` is not "jsonl"', place)
    if not exists:
        yield _refused("the sample file does not exist", "samples-missing", "samples-path")
        return
    try:
        seen = (rows or rows_of(beside)).as_companion
    except OSError:
        yield _refused("the sample file cannot be read", "samples-path")
        return
    if not seen.is_readable:
        message = "the sample file has lines that are not JSON objects (U+2028 also ends a line)"
        help_text = "in strings, write U+2028, U+2029 and U+0085 as escapes, such as \\u2028"
        yield Refusal(message, None, _UNPARSABLE, helps=(help_text,))
        return
    yield from _compared(record, seen)


#: Rules for a file that is not JSON.
_UNPARSABLE = (
    "invalid-json",
    "invalid-utf8",
    "byte-order-mark",
    "wrong-encoding",
    "duplicate-key",
    "not-a-number",
    "number-too-large",
    "nested-too-deep",
    "empty-file",
)


def of_samples(path: str, rows: GateRows) -> Iterator[Refusal]:
    """The refusals of a sample file by the checks of its path and its record."""
    yield from of_the_place(path)
    if not path.endswith(SAMPLES):
        return
    beside = path.removesuffix(SAMPLES) + RECORD
    if not os.path.isfile(beside):
        help_text = f"put its record next to it, as {shown(os.path.basename(beside))}"
        yield Refusal("no record next to this sample file", helps=(help_text,))
        return
    try:
        record = parse_strict(read_whole(beside).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        yield Refusal("the record next to this sample file is not JSON")
        return
    if not isinstance(record, dict):
        yield Refusal("the record next to this sample file is not a JSON object")
        return
    link = record.get("detailed_evaluation_results")
    if link is None:
        message = "the record next to this sample file does not name it"
        help_text = f'in the record, write "detailed_evaluation_results" with {_file_path(beside)}'
        yield Refusal(message, None, ("datastore-samples",), helps=(help_text,))
        return
    if problem := _wrong_path(beside, link):
        message = "the record next to this sample file names a different sample file"
        names = (*problem.said_by, "datastore-samples", "wrong-form", "wrong-type", "missing-key")
        help_text = f"in the record, write {_file_path(beside)}"
        yield Refusal(message, None, names, helps=(help_text,))
        return
    if link.get("format") != "jsonl":
        message = "the record next to this sample file gives a different `format`"
        help_text = 'in the record, write "format": "jsonl"'
        names = ("unknown-value", "missing-key")
        yield Refusal(message, None, names, helps=(help_text,))
    if rows.as_samples.is_readable:
        yield from _compared(record, rows.as_samples)


#: Rules for a record without an id that rows could have.
_NO_ID = ("missing-key", "unknown-key", "wrong-type")


def _wrong_path(path: str, link: Any) -> Refusal | None:
    """The refusal of the path in a record: it has to be that of the file next to it."""
    if not isinstance(link, dict):
        return Refusal("`detailed_evaluation_results` is not an object", _LINK)
    stated = link.get("file_path")
    if not isinstance(stated, str) or not stated.strip():
        place = f"{_LINK}/file_path" if "file_path" in link else _LINK
        return Refusal("`file_path` is missing or blank", place)
    expected = _expected(path)
    if stated == expected:
        return None
    names = ("datastore-samples", "wrong-form", "samples-path")
    return Refusal(f"`file_path` is not {shown(expected)}", None, names)


def _expected(path: str) -> str:
    """The path that the record at ``path`` has to give for its sample file."""
    return "/".join(
        ("data", *(datastore_parts(os.path.splitext(path)[0] + SAMPLES, everywhere=True) or ()))
    )


def _file_path(record: str) -> str:
    return f'"file_path": {quoted(_expected(record))}'


def _compared(record: dict[str, Any], seen: Any) -> Iterator[Refusal]:
    """The disagreements between the rows of a sample file and its record."""
    if not seen.rows:
        yield Refusal("the sample file has no rows", None, ("row-count",))
    model = mapping(record.get("model_info"))
    for key, identity, ids, name in (
        ("evaluation_id", record.get("evaluation_id"), seen.evaluation_ids, "row-evaluation-id"),
        ("model_id", model.get("id"), seen.model_ids, "row-model-id"),
    ):
        if ids - {identifier(identity)}:
            message = f"rows have a different `{key}` from the record"
            names = (name,) if isinstance(identity, str) else _NO_ID
            yield Refusal(message, None, names)
    stated = mapping(record.get("detailed_evaluation_results")).get("total_rows")
    if isinstance(stated, int) and stated != seen.rows:
        message = f"`total_rows` is {shown(stated)}, but the sample file has {seen.rows}"
        help_text = f'in the record, write "total_rows": {seen.rows}, if this file is complete'
        yield Refusal(message, None, ("row-count",), helps=(help_text,))


def _refused(message: str, *names: str) -> Refusal:
    return Refusal(message, None, names)
