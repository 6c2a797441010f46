"""What Every Eval Ever's validator, the gate, rejects in records and their samples."""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Any

from evalmark.schemas.backend import accepts
from evalmark.schemas.files import bundle
from evalmark.schemas.versions import GATES
from evalmark.validator.findings.finding import (
    Action,
    At,
    Finding,
    Mistake,
    Places,
    Severity,
    locate,
)
from evalmark.validator.findings.phrasing import cited, quoted
from evalmark.validator.format import Document, Verdicts
from evalmark.validator.formats.records.datastore import (
    GATE_REJECTS,
    GATE_VERSION,
    datastore_parts,
    misnamed_model,
    misplaced,
)
from evalmark.validator.formats.shared.json_values import mapping
from evalmark.validator.io.opening import open_regular, read_whole
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.strict_json import double_of, loads

#: Rules of ours that say the same as a check of the contents, at the same place.
_OF_CONTENTS = ("score-out-of-bounds", "bounds-reversed", "gate-null-bounds")

#: The key that refusals and findings share if they say the same: files may have many of both.
Topic = tuple[str, str]


@dataclass(frozen=True, slots=True)
class GateRefusal:
    """A refusal or warning by one of the validator's checks."""

    message: str  # what is wrong, in our words
    pointer: str | None = None  # the value it is about; None if it is about the file and its place
    said_by: tuple[str, ...] = ()  # names of our rules that say the same
    severity: Severity = Severity.ERROR  # a warning does not refuse the file
    helps: tuple[str, ...] = ()  # what to do about it, where no rule of ours says the same

    @property
    def topics(self) -> tuple[Topic, ...]:
        """A finding that has one of these topics says the same."""
        rules = tuple(("rule", name) for name in self.said_by)
        return rules if self.pointer is None else (*rules, ("value", self.pointer))


def topics_of(finding: Finding) -> tuple[Topic, ...]:
    """The topics of one of our findings."""
    rule = ("rule", finding.name)
    if finding.code.startswith("EE1") or finding.name in _OF_CONTENTS:
        return rule, *(("value", pointer) for pointer in (finding.pointer, *finding.also))
    return (rule,)


#: A float of this size is not a whole number to it.
_LARGE = 2.0**63
_INFINITE = {"Infinity": math.inf, "-Infinity": -math.inf}


def content_refusals(record: Any) -> Iterator[GateRefusal]:
    """The refusals of a record that follows the schema."""
    for index, result in enumerate(record["evaluation_results"]):
        metric, at = result["metric_config"], f"/evaluation_results/{index}"
        bounds = [_INFINITE.get(b, b) for b in map(metric.get, ("min_score", "max_score"))]
        if metric.get("score_type") == "continuous":
            for key in ("min_score", "max_score"):
                if metric[key] is None:
                    yield GateRefusal(f"`{key}` is not a number", f"{at}/metric_config/{key}")
        if None in bounds:
            continue
        low, high = bounds
        if low > high:
            yield GateRefusal("`min_score` is above `max_score`", f"{at}/metric_config/min_score")
        elif not low <= result["score_details"]["score"] <= high:
            yield GateRefusal("`score` is outside its bounds", f"{at}/score_details/score")


def too_large(data: Any, schema: str, at: str = "") -> Iterator[GateRefusal]:
    """The refusals of whole numbers that are written as floats of a size that it does not read."""
    members = enumerate(data) if isinstance(data, list) else data.items()
    for key, value in members:
        if isinstance(value, dict | list):
            yield from too_large(value, schema, f"{at}/{key}")
        elif isinstance(value, float) and abs(value) >= _LARGE and key in _integer_fields(schema):
            yield GateRefusal(f"`{key}` is too large", f"{at}/{key}")


@cache
def _integer_fields(schema: str) -> frozenset[object]:
    def names(part: Any) -> Iterator[str]:
        if isinstance(part, dict):
            for name, field in part.get("properties", {}).items():
                if "integer" in field.get("type", ()):
                    yield name
            for inner in part.values():
                yield from names(inner)

    return frozenset(names(bundle(schema)))


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
    return loads(text, parse_float=double_of)


@dataclass(slots=True)
class _Split:
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
        """Add the rows of the next part of the file."""
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


RECORD_ENDING, SAMPLES_ENDING = ".json", "_samples.jsonl"
_LINK = "/detailed_evaluation_results"


def of_the_place(path: str) -> list[GateRefusal]:
    """The refusal of a file that lies where the datastore has no such files."""
    parts = datastore_parts(path, everywhere=True) or ()
    why = misplaced(parts)
    return [GateRefusal(why, None, ("datastore-path",))] if why else []


def of_a_record(path: str, record: Any, rows: GateRows | None) -> Iterator[GateRefusal]:
    """The refusals of a record by the checks of its path, its sample file and its model."""
    misplacement = of_the_place(path)
    yield from misplacement
    if not isinstance(record, dict):
        return
    yield from _sample_refusals(path, record, rows)
    parts = datastore_parts(path, everywhere=True) or ()
    model = record.get("model_info")
    if not misplacement and isinstance(model, dict):
        why = misnamed_model(model.get("id"), model.get("developer"), parts)
        if why:
            said_by = ("datastore-model", "empty-identifier", "surrounding-space")
            yield GateRefusal(why, None, said_by, Severity.WARNING)


def _sample_refusals(
    path: str, record: dict[str, Any], rows: GateRows | None
) -> Iterator[GateRefusal]:
    link = record.get("detailed_evaluation_results")
    beside = os.path.splitext(path)[0] + SAMPLES_ENDING
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
        yield GateRefusal('`format` is not "jsonl"', place)
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
        yield GateRefusal(message, None, _UNPARSABLE, helps=(help_text,))
        return
    yield from _row_disagreements(record, seen)


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


def of_samples(path: str, rows: GateRows) -> Iterator[GateRefusal]:
    """The refusals of a sample file by the checks of its path and its record."""
    yield from of_the_place(path)
    if not path.endswith(SAMPLES_ENDING):
        return
    beside = path.removesuffix(SAMPLES_ENDING) + RECORD_ENDING
    if not os.path.isfile(beside):
        help_text = f"put its record next to it, as {cited(os.path.basename(beside))}"
        yield GateRefusal("no record next to this sample file", helps=(help_text,))
        return
    try:
        record = parse_strict(read_whole(beside).decode("utf-8"))
    except (OSError, ValueError, RecursionError):
        yield GateRefusal("the record next to this sample file is not JSON")
        return
    if not isinstance(record, dict):
        yield GateRefusal("the record next to this sample file is not a JSON object")
        return
    link = record.get("detailed_evaluation_results")
    if link is None:
        message = "the record next to this sample file does not name it"
        help_text = f'in the record, write "detailed_evaluation_results" with {_file_path(beside)}'
        yield GateRefusal(message, None, ("datastore-samples",), helps=(help_text,))
        return
    if problem := _wrong_path(beside, link):
        message = "the record next to this sample file names a different sample file"
        names = (*problem.said_by, "datastore-samples", "wrong-form", "wrong-type", "missing-key")
        help_text = f"in the record, write {_file_path(beside)}"
        yield GateRefusal(message, None, names, helps=(help_text,))
        return
    if link.get("format") != "jsonl":
        message = "the record next to this sample file gives a different `format`"
        help_text = 'in the record, write "format": "jsonl"'
        names = ("unknown-value", "missing-key")
        yield GateRefusal(message, None, names, helps=(help_text,))
    if rows.as_samples.is_readable:
        yield from _row_disagreements(record, rows.as_samples)


#: Rules for a record without an id that rows could have.
_NO_ID = ("missing-key", "unknown-key", "wrong-type")


def _wrong_path(path: str, link: Any) -> GateRefusal | None:
    if not isinstance(link, dict):
        return GateRefusal("`detailed_evaluation_results` is not an object", _LINK)
    stated = link.get("file_path")
    if not isinstance(stated, str) or not stated.strip():
        place = f"{_LINK}/file_path" if "file_path" in link else _LINK
        return GateRefusal("`file_path` is missing or blank", place)
    expected = _expected_link(path)
    if stated == expected:
        return None
    names = ("datastore-samples", "wrong-form", "samples-path")
    return GateRefusal(f"`file_path` is not {cited(expected)}", None, names)


def _expected_link(path: str) -> str:
    return "/".join(
        (
            "data",
            *(datastore_parts(os.path.splitext(path)[0] + SAMPLES_ENDING, everywhere=True) or ()),
        )
    )


def _file_path(record: str) -> str:
    return f'"file_path": {quoted(_expected_link(record))}'


def _row_disagreements(record: dict[str, Any], seen: Any) -> Iterator[GateRefusal]:
    if not seen.rows:
        yield GateRefusal("the sample file has no rows", None, ("row-count",))
    model = mapping(record.get("model_info"))
    for key, identity, ids, name in (
        ("evaluation_id", record.get("evaluation_id"), seen.evaluation_ids, "row-evaluation-id"),
        ("model_id", model.get("id"), seen.model_ids, "row-model-id"),
    ):
        if ids - {identifier(identity)}:
            message = f"rows have a different `{key}` from the record"
            names = (name,) if isinstance(identity, str) else _NO_ID
            yield GateRefusal(message, None, names)
    stated = mapping(record.get("detailed_evaluation_results")).get("total_rows")
    if isinstance(stated, int) and stated != seen.rows:
        message = f"`total_rows` is {cited(stated)}, but the sample file has {seen.rows}"
        help_text = f'in the record, write "total_rows": {seen.rows}, if this file is complete'
        yield GateRefusal(message, None, ("row-count",), helps=(help_text,))


def _refused(message: str, *names: str) -> GateRefusal:
    return GateRefusal(message, None, names)


#: Rules that say that a file does not fit its version, or that there is no such version.
_OF_VERSIONS = ("wrong-version", "unfit-old-record", "unknown-version")


def judge_record(
    document: Document,
    reading: Reading,
    findings: list[Finding],
    rows: GateRows | None,
    samples: str | None,
) -> tuple[list[Finding], Verdicts]:
    """The findings of a record and its sample file, with those of the gate, and the verdicts.

    ``rows`` are those of the sample file as the gate sees them, if they have been read.
    """
    path, refused, of_rows = reading.path, list[GateRefusal](), list[GateRefusal]()
    fits = not reading.findings and accepts(f"record-{VERSION}", document.data)
    own: list[Finding] = []
    if not fits and not reading.findings:
        own = _version_findings(document, findings, path, reading.source)
    if fits:
        refused += content_refusals(document.data)
        refused += too_large(document.data, f"record-{VERSION}")
    if os.path.isfile(path):  # what comes from elsewhere has no place
        beside = os.path.abspath(f"{os.path.splitext(path)[0]}{SAMPLES_ENDING}")
        is_beside = samples is not None and os.path.abspath(samples) == beside
        refused += of_a_record(path, document.data, rows if is_beside else None)
    if samples is not None and rows is not None:
        of_rows += of_samples(samples, rows)
    findings = [*_as_errors(findings, (*refused, *of_rows)), *own]
    findings += _unreported((*refused, *of_rows), findings, path, reading.source)
    verdicts = [(path, _verdict(path, findings, refused))]
    if samples is not None:
        verdicts.append((samples, _verdict(samples, findings, of_rows)))
    return findings, tuple(verdicts)


def judge_samples(
    path: str, findings: list[Finding], rows: GateRows
) -> tuple[list[Finding], Verdicts]:
    """The same for a sample file that is checked without its record."""
    refused = list(of_samples(path, rows))
    findings = _as_errors(findings, refused)
    findings += _unreported(refused, findings, path, None)
    return findings, ((path, _verdict(path, findings, refused)),)


def of_a_row(
    findings: list[Finding], document: Document | None, path: str, source: Places | None
) -> list[Finding]:
    """The findings of a row that the gate does not take for one."""
    if document is None:
        return findings  # it is not JSON
    own = _version_findings(document, findings, path, source)
    if not own and not any(finding.severity is Severity.ERROR for finding in findings):
        own = [_found(GateRefusal("not one row to it, since something ends a line"), path, source)]
    return [*findings, *own]


def _verdict(path: str, findings: Iterable[Finding], refused: Iterable[GateRefusal]) -> str:
    on_file = (finding.severity for finding in findings if finding.path == path)
    severities = {*on_file, *(refusal.severity for refusal in refused)}
    return "refuse" if Severity.ERROR in severities else "pass"


def _as_errors(findings: Iterable[Finding], refused: Iterable[GateRefusal]) -> list[Finding]:
    """The findings; those on what the gate refuses are errors."""
    topics = {
        topic
        for refusal in refused
        if refusal.severity is Severity.ERROR
        for topic in refusal.topics
    }
    return [
        finding
        if topics.isdisjoint(topics_of(finding))
        else replace(finding, severity=Severity.ERROR)
        for finding in findings
    ]


def _unreported(
    refused: Iterable[GateRefusal], findings: list[Finding], path: str, source: Places | None
) -> Iterator[Finding]:
    reported = {topic for finding in findings for topic in topics_of(finding)}
    yield from (_found(r, path, source) for r in refused if reported.isdisjoint(r.topics))


def _found(refusal: GateRefusal, path: str, source: Places | None) -> Finding:
    message = f"EEE's validator rejects this: {refusal.message}"
    mistake = Mistake(message, At(refusal.pointer or ""), helps=refusal.helps)
    return replace(locate(mistake, GATE_REJECTS, path, source), severity=refusal.severity)


def _version_findings(
    document: Document, findings: list[Finding], path: str, source: Places | None
) -> list[Finding]:
    if document.version == VERSION or any(finding.name in _OF_VERSIONS for finding in findings):
        return []  # its schema says what is wrong, or a rule that the version is
    kind = "record" if document.is_record else "row"
    mistake = Mistake(
        f"EEE's validator reads every {kind} as version {VERSION} and rejects this one",
        At("/schema_version"),
        helps=(Action.TERMINAL(f"`evalmark convert --to record-{VERSION} FILE`"),),
    )
    return [locate(mistake, GATE_VERSION, path, source)]
