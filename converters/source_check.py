"""The document of a conversion is checked before its first step: a step may assume its schema."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalmark.converters.formats import FORMATS, PAIR_ROWS, RECORD, SUITE, ConversionFormat, Syntax
from evalmark.converters.records.coerce import Notes, fit, right_maps
from evalmark.converters.records.downgrade import without_nulls
from evalmark.converters.records.open_bounds import set_aside
from evalmark.converters.step import NOTHING, Data
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.files import bundle
from evalmark.schemas.versions import RECORDS, Version
from evalmark.validator.arguments import check_options
from evalmark.validator.check import check_bytes, check_one
from evalmark.validator.findings.finding import Finding, Severity, Span
from evalmark.validator.formats.suites.suite import USUAL_METRIC
from evalmark.validator.reading.reading import Reading, read


def require_sound(parsed: ParsedText, *, has_steps: bool) -> None:
    """Refuse a document that does not follow the schema of its format.

    Args:
        parsed: The document.
        has_steps: Whether its format changes: steps read what some files of it lack.

    Raises:
        ConversionError: It does not; its ``findings`` are those of a check.
    """
    form = FORMATS[parsed.format or ""]
    if form.kind == PAIR_ROWS:
        rows = parsed.data if isinstance(parsed.data, list) else [parsed.data]
        if not all(accepts("pairs", row) for row in rows):
            raise refused(parsed, errors_of_pairs(parsed))
        return
    if form.schema is None or (has_steps and form.version and form.version.is_ambiguous):
        return  # a table is read by its step, and so are all layouts of an ambiguous version
    if accepts(form.schema, parsed.data):
        return
    shaped = in_shape(parsed.format or "", parsed.data, has_steps=has_steps)
    if not accepts(form.schema, shaped):
        error = refused(parsed, errors_of(parsed, shaped))
        if form.kind == SUITE and accepts(form.schema, with_metric(shaped, USUAL_METRIC)):
            error.needs = "metric"
        raise error


def in_shape(name: str, data: Data, *, has_steps: bool) -> Data:
    """A document in the shape of the schema of its format, as its steps understand it.

    Only what a step reads is completed: formulas without an object around them, keys that a dialect
    does not have, values of old records.
    """
    form = FORMATS[name]
    if form.version is not None:
        labelled = {**data, "schema_version": form.version.label}
        return _repaired(labelled, form.version) if has_steps else labelled
    return form.shaped(data) if form.shaped and has_steps else data


def with_metric(data: Data, metric: str) -> Data:
    """A suite with a metric, if it names none; any other data as it is."""
    meta = data.get("meta") if isinstance(data, Mapping) else None
    if not isinstance(meta, Mapping) or meta.get("metric") not in (None, []):
        return data
    return {**data, "meta": {**meta, "metric": metric}}


def _repaired(data: Data, version: Version) -> Data:
    """A record or row with the values that its steps repair, each of which they note."""
    schema, notes = bundle(version.schema), Notes()
    mapped = right_maps(data, schema, schema, notes, version.schema)
    fitted = fit(mapped, schema, schema, notes)
    fitted = without_nulls(fitted, schema, schema, notes)
    if version.kind != RECORD:
        return fitted
    return set_aside(fitted, NOTHING, RECORDS[-1], notes)[0]


def errors_of(parsed: ParsedText, shaped: Data) -> list[Finding]:
    """The errors of a document that is checked in the shape of its schema, with their places."""
    form = FORMATS[parsed.format or ""]
    path = parsed.path or "<data>"
    reading = Reading(path)
    if parsed.text and parsed.syntax in (Syntax.JSON, Syntax.YAML):
        name = path if parsed.syntax is Syntax.YAML else "x.json"
        reading = read(parsed.text.encode("utf-8", "surrogatepass"), name)
        reading.path = path
    reading.data, reading.readable = shaped, True
    found = check_one(path, check_options(**kind_of_check(form)), reading).findings
    return [_moved(f, parsed.line) for f in found if f.severity is Severity.ERROR]


def errors_of_pairs(parsed: ParsedText) -> list[Finding]:
    """The errors of minimal pairs; those of a file have the lines of all its rows."""
    if parsed.text:
        return errors_of_rows(parsed.path, parsed.text)
    rows = parsed.data if isinstance(parsed.data, list) else [parsed.data]
    reading = Reading("<data>", data=rows, readable=True)
    found = check_one("<data>", check_options(kind=PAIR_ROWS), reading).findings
    return [finding for finding in found if finding.severity is Severity.ERROR]


def errors_of_rows(path: str, text: str) -> list[Finding]:
    """The errors of a file of rows."""
    found = check_bytes(text.encode("utf-8", "surrogatepass"), path).findings
    return [finding for finding in found if finding.severity is Severity.ERROR]


def kind_of_check(form: ConversionFormat) -> dict[str, Any]:
    """The arguments of a check of a format that has a schema."""
    if form.version is not None:
        return {"kind": form.kind, "schema_version": form.version.name}
    return {"kind": form.schema}


def _moved(finding: Finding, line: int) -> Finding:
    """A finding of a text that begins on a later line of its file."""
    span = finding.span
    if span is None or line == 1:
        return finding
    more = line - 1
    moved = Span(span.line + more, span.column, span.end_line + more, span.end_column)
    return replace(finding, span=moved)


def refused(parsed: ParsedText, errors: Sequence[Finding], why: str = "") -> ConversionError:
    """The refusal of a document with errors: the first of them, its place and what to write."""
    if not errors:
        return ConversionError(f"the file does not follow the schema of {parsed.format}")
    first, *others = errors
    place = f"{first.span.line}:{first.span.column}" if first.span else first.pointer or "/"
    more = f" (and {len(others)} more)" if others else ""
    return ConversionError(
        f"{why}{first.code} {first.message} at {place}{more}",
        "; ".join(first.helps),
        findings=tuple(errors),
    )
