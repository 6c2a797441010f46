"""Opening a file of the folder, or what is pasted: the page gets the current format."""

from __future__ import annotations

import errno
import hashlib
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from difflib import unified_diff
from pathlib import Path
from typing import Any

from evalmark.converters.conversion_checks import with_metric
from evalmark.converters.convert_document import Conversion, convert_document
from evalmark.converters.convert_document import convert_text as to_current
from evalmark.converters.formats import (
    CONVERTIBLE,
    CURRENT,
    PAIRS,
    Syntax,
    conversion_format_of,
    kind_of_format,
)
from evalmark.converters.graph import has_route
from evalmark.converters.step import Supplied
from evalmark.converters.syntax import DELIMITERS, ParsedText, parse_text, write_text
from evalmark.schemas.errors import ConversionError, EvalmarkError, ParseRejected, RequestRefused
from evalmark.validator.formats.builtin import detect
from evalmark.validator.formats.suites.suite import METRICS, USUAL_METRIC, metrics_of
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.strict_json import decode
from evalmark.workbench.page_check import in_page, refusal
from evalmark.workbench.pair_view import items_by_uid, suite_of_pairs
from evalmark.workbench.served_folder import LARGEST, ServedFolder

#: The part of a request that is kept free for what is written into a file: what can be opened can
#: be saved.
ROOM = 1 / 16
SUITE = "suite"
#: Endings of files that are looked at: they say how a text is read.
ENDINGS = (".json", ".jsonl", ".yaml", ".yml", ".csv", ".tsv")
#: Answers of a page about formats that leave a choice: what is chosen -> the value.
Choices = Mapping[str, str]


#: The refusal of data in any other format.
NO_SUITE = "not a suite, and not a format that becomes one"


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A file as the page gets it."""

    path: str  # its name in the folder
    digest: str  # SHA-256 of its bytes
    text: str  # its text
    format: str | None = None  # the format it has: a key of ``CONVERTIBLE``, or None
    data: Any = None  # the current suite; of other kinds, what the file holds
    notes: tuple[str, ...] = ()  # what a reader should know of the conversion
    #: What the conversion changes, as a unified diff; empty if nothing, or if the file is not
    #: written as a suite is.
    difference: str = ""
    refused: str = ""  # why it cannot be edited
    needs: str = ""  # what has to be chosen first: ``metric`` or ``uid``
    choices: tuple[str, ...] = ()  # the values of ``needs``
    converted: bool = field(default=False)

    @property
    def becomes(self) -> str | None:
        """The current format of its kind, if it is of an older one that is converted to it."""
        form = CONVERTIBLE.get(self.format or "")
        if form is None or form.kind not in CURRENT:
            return None
        current = CURRENT[form.kind]
        return current if current != self.format and has_route(self.format, current) else None

    def answer(self) -> dict[str, Any]:
        """As JSON."""
        answer: dict[str, Any] = {
            "path": self.path,
            "kind": kind_of_format(self.format) if self.format else detect(self.data),
            "format": self.format,
            "digest": self.digest,
            "data": self.data,
            "text": self.text,
            "notes": [note for note in map(in_page, self.notes) if note],
            "converted": self.converted,
            "becomes": self.becomes,
        }
        if self.converted:
            answer["difference"] = self.difference
        if self.refused:
            answer["refused"] = self.refused
        if self.needs:
            answer |= {"needs": self.needs, "choices": list(self.choices)}
        return answer


def digest_of(raw: bytes) -> str:
    """The digest of the content of a file."""
    return hashlib.sha256(raw).hexdigest()


def read_served(folder: ServedFolder, name: str) -> bytes:
    """The bytes of a file of the folder.

    Raises RequestRefused if it does not exist, cannot be read, or is too large for a page.
    """
    path = folder.path(name)
    try:
        return read_whole(path, most=LARGEST)
    except FileNotFoundError:
        raise RequestRefused(f"{name} does not exist", status=404) from None
    except OSError as error:
        if error.errno == errno.EFBIG:
            raise _too_large(name) from error
        reason = (error.strerror or str(error)).lower()
        raise RequestRefused(f"{name} cannot be read: {reason}", status=403) from error


def _too_large(name: str) -> RequestRefused:
    return RequestRefused(
        f"{name} is larger than a page can save ({LARGEST >> 20} MiB): check it with "
        "`evalmark check` in a terminal",
        status=413,
    )


def _is_savable(content: Any) -> bool:
    written = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return len(written.encode("utf-8", "surrogatepass")) <= LARGEST * (1 - ROOM)


def open_file(folder: ServedFolder, name: str, choices: Choices | None = None) -> OpenedFile:
    """Open a file; what cannot be edited says why in ``refused``.

    A RequestRefused if it does not exist, cannot be read, or is too large to be saved by a page.
    """
    raw = read_served(folder, name)
    file = opened(raw, name, choices or {})
    if not _is_savable(file.text):
        raise _too_large(name)
    if _is_savable(file.data):
        return file
    refused = f"as a table it is larger than a page can save ({LARGEST >> 20} MiB)"
    return replace(file, data=None, converted=False, refused=refused)


def opened(raw: bytes, name: str, choices: Choices) -> OpenedFile:
    """The bytes of a file as the page gets them."""
    try:
        text = decode(raw)
    except ParseRejected:
        # The check says which of these it is, with the place.
        refused = "not UTF-8 text without a byte order mark"
        return OpenedFile(name, digest_of(raw), "", refused=refused)
    parsed = parse_text(text, name)
    file = OpenedFile(name, digest_of(raw), text, parsed.format, parsed.data)
    if parsed.error is not None:
        return replace(file, data=None, refused=refusal(parsed.error))
    if parsed.format == PAIRS:
        return _pairs(file, parsed, choices)
    if parsed.format not in CONVERTIBLE or not has_route(parsed.format, SUITE):
        return replace(file, refused=NO_SUITE)
    if parsed.format == SUITE:
        return file
    return _as_suite(file, parsed, choices)


def _pairs(file: OpenedFile, parsed: ParsedText, choices: Choices) -> OpenedFile:
    rows = parsed.data if isinstance(parsed.data, list) else [parsed.data]
    try:
        groups = items_by_uid(rows, Path(file.path).name.partition(".")[0])
        uid = next(iter(groups)) if len(groups) == 1 else choices.get("uid")
        if uid not in groups:
            return _to_choose(file, "uid", tuple(groups))
        return replace(file, data=suite_of_pairs(groups[uid], uid), converted=True)
    except ConversionError as error:
        return replace(file, data=None, refused=f"cannot be shown as a suite: {refusal(error)}")


def _to_choose(file: OpenedFile, needs: str, choices: tuple[str, ...]) -> OpenedFile:
    refused = f"this is {len(choices)} suites, one for each {_NAMED[needs]}: choose one"
    return replace(file, data=None, refused=refused, needs=needs, choices=choices)


def _as_suite(file: OpenedFile, parsed: ParsedText, choices: Choices) -> OpenedFile:
    stem, metrics = Path(file.path).name.partition(".")[0], _metrics_to_choose(parsed)
    if metrics and choices.get("metric") not in metrics:
        asked = _to_choose(file, "metric", metrics)
        if metrics == METRICS and not parsed.data["meta"].get("metric"):
            return replace(asked, refused="the file names no metric: choose one")
        return asked
    try:
        done = _suite_of(parsed, stem, metric=choices.get("metric"))
    except EvalmarkError as error:
        return _refuse(file, error)
    return replace(
        file,
        data=done.data,
        notes=done.notes,
        converted=True,
        difference=_difference(file, parsed, done.data),
    )


def _refuse(file: OpenedFile, error: EvalmarkError) -> OpenedFile:
    refused = f"cannot be converted to a suite: {refusal(error)}"
    return replace(file, data=None, refused=refused)


def _metrics_to_choose(parsed: ParsedText) -> tuple[str, ...]:
    form = CONVERTIBLE[parsed.format or ""]
    if not isinstance(parsed.data, dict) or form.kind != SUITE or form.schema is None:
        return ()
    meta = parsed.data.get("meta")
    metrics = metrics_of(meta.get("metric")) if isinstance(meta, dict) else ()
    lacks = with_metric(parsed.data, USUAL_METRIC) is not parsed.data
    if lacks and not metrics and not form.has_usual_metric:
        return METRICS
    return metrics if len(metrics) > 1 else ()


_NAMED = {"uid": "UID", "metric": "metric"}


def suite_of_data(data: Any, stem: str) -> Conversion:
    """The conversion of data to the current suite; a table gets an empty list of predictions."""
    return _suite_of(
        ParsedText("", "", Syntax.JSON, data, conversion_format_of(data)), stem, metric=None
    )


def _suite_of(parsed: ParsedText, stem: str, *, metric: str | None) -> Conversion:
    supplied = Supplied(metric=metric, name=stem or None, predictions=())
    return convert_document(parsed, to=SUITE, supplied=supplied)


def _difference(file: OpenedFile, parsed: ParsedText, data: Any) -> str:
    if parsed.syntax not in (Syntax.JSON, Syntax.YAML) or not isinstance(parsed.data, dict):
        return ""
    try:
        return difference(file.text, write_text(data, SUITE, parsed.syntax, parsed), file.path)
    except ConversionError:  # YAML that cannot be written; saving says so
        return ""


def difference(old: str, new: str, name: str) -> str:
    """Two texts of a file as a unified diff."""
    lines = unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}")
    no_end = "\n\\ No newline at end of file\n"
    return "".join(line if line.endswith("\n") else line + no_end for line in lines)


def _lines(text: str) -> list[str]:
    return list(io.StringIO(text, newline="\n"))


#: How a file with this ending is written, if a page saves a suite in it.
SAVED_AS = {
    ".json": Syntax.JSON,
    ".yaml": Syntax.YAML,
    ".yml": Syntax.YAML,
    **{f".{syntax}": syntax for syntax in DELIMITERS},
}


def convert_text(text: str, name: str) -> dict[str, Any]:
    """The text of a file in the current format of its kind, as ``evalmark convert`` writes it."""
    done = to_current(text, path=name)
    return {"text": done.text, "notes": list(done.notes), "format": done.format}
