"""The checks of a conversion: of its document before the first step, and after the last.

A step may assume that its document follows its schema; a result has no new error.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from evalmark.converters.formats import (
    ENTRIES,
    FORMATS,
    PAIR_ROWS,
    RECORD,
    SUITE,
    ConversionFormat,
    Syntax,
)
from evalmark.converters.step import NOTHING, Data, Supplied, as_list
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.validator.arguments import check_options
from evalmark.validator.check import check_bytes, check_data, check_one
from evalmark.validator.findings.finding import Finding, Severity, Span
from evalmark.validator.findings.report import Report
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
        if not all(accepts("pairs", row) for row in as_list(parsed.data)):
            raise refused(parsed, errors_of_pairs(parsed))
        return
    if form.schema is None or (has_steps and form.version and form.version.is_ambiguous):
        return  # a table is read by its step, and so are all layouts of an ambiguous version
    if accepts(form.schema, parsed.data):
        return
    shaped = in_shape(parsed.format or "", parsed.data, has_steps=has_steps)
    if accepts(form.schema, shaped):
        return
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
        if not has_steps:
            return labelled
        from evalmark.converters.records.migrations import repaired

        return repaired(labelled, form.version)
    return form.shaped(data) if form.shaped and has_steps else data


def with_metric(data: Data, metric: str) -> Data:
    """A suite with a metric, if it names none; any other data as it is."""
    meta = data.get("meta") if isinstance(data, Mapping) else None
    if not isinstance(meta, Mapping) or meta.get("metric") not in (None, []):
        return data
    return {**data, "meta": {**meta, "metric": metric}}


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
    errors = _errors(check_one(path, check_options(**kind_of_check(form)), reading))
    return [_moved(finding, parsed.line) for finding in errors]


def errors_of_pairs(parsed: ParsedText) -> list[Finding]:
    """The errors of minimal pairs; those of a file have the lines of all its rows."""
    if parsed.text:
        return errors_of_rows(parsed.path, parsed.text)
    reading = Reading("<data>", data=as_list(parsed.data), readable=True)
    return _errors(check_one("<data>", check_options(kind=PAIR_ROWS), reading))


def errors_of_rows(path: str, text: str) -> list[Finding]:
    """The errors of a file of rows."""
    return _errors(check_bytes(text.encode("utf-8", "surrogatepass"), path))


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


#: The proof that a prediction can never hold: of pairs with one text, it is no new error.
IMPOSSIBLE = "SG206"


def require_no_new_error(
    parsed: ParsedText,
    target: str,
    data: Data,
    supplied: Supplied = NOTHING,
    harmless: Collection[str] = (),
) -> tuple[str, ...]:
    """Notes on the errors that a result has and its source had; any other is refused.

    A suite is written without any error. Published records, rows and minimal pairs keep theirs.

    Args:
        parsed: The source.
        target: The format of the result.
        data: The result.
        supplied: What the source does not state: here, the benchmarks whose scale is known.
        harmless: Codes of errors that a suite may have.

    Raises:
        ConversionError: The result has an error that it must not have.
    """
    is_plain = FORMATS[parsed.format or ""].kind == SUITE and not _is_of_pairs(parsed.data)
    if data is parsed.data and not is_plain:
        return ()
    after = _errors_after(data, FORMATS[target], parsed.path, supplied)
    if not is_plain:
        return _kept(parsed, after, _errors_before(parsed, data)) if after else ()
    _require_none([f for f in after if f.code not in harmless], parsed)
    return ()


def _is_of_pairs(suite: Data) -> bool:
    """True if a suite was made of minimal pairs, which are as they were published."""
    return isinstance(suite, dict) and bool(suite["meta"].get("pairs"))


def _errors_after(
    data: Data, form: ConversionFormat, path: str, supplied: Supplied
) -> list[Finding]:
    """The errors of a result; a table and a list of sentences have no check."""
    if form.schema is None and form.kind != PAIR_ROWS:
        return []
    options = check_options(**({"kind": PAIR_ROWS} if form.schema is None else kind_of_check(form)))
    if form.kind == ENTRIES:
        options = options._replace(benchmarks=supplied.benchmarks())
    return _errors(check_one(path or "<data>", options, Reading(path, data=data, readable=True)))


def _require_none(errors: list[Finding], parsed: ParsedText) -> None:
    """Refuse a suite with errors: the source shows where they are, if it has them too."""
    if not errors:
        return
    in_source: list[Finding] = []
    if FORMATS[parsed.format or ""].schema is not None:
        shaped = in_shape(parsed.format or "", parsed.data, has_steps=True)
        codes = {finding.code for finding in errors}
        in_source = [f for f in errors_of(parsed, shaped) if f.code in codes]
    if in_source:
        raise refused(parsed, in_source)
    raise _new(errors[0])


def require_no_new_row_error(parsed: ParsedText, text: str) -> tuple[str, ...]:
    """The same for a file of rows, each of which has been checked on its own."""
    if text == parsed.text:
        return ()
    after = errors_of_rows(parsed.path, text)
    return _kept(parsed, after, errors_of_rows(parsed.path, parsed.text)) if after else ()


def _kept(parsed: ParsedText, after: list[Finding], before: list[Finding]) -> tuple[str, ...]:
    """A note for each error that was in the source."""
    had = Counter(finding.code for finding in before)
    messages = {(finding.code, finding.message) for finding in before}
    is_of_rows = FORMATS[parsed.format or ""].kind == SUITE  # the suite was made of them
    by_code: dict[str, list[Finding]] = {}
    for finding in after:
        by_code.setdefault(finding.code, []).append(finding)
    notes: list[str] = []
    for code, repeats in by_code.items():
        may_stay = (is_of_rows and code.startswith("MP")) or len(repeats) <= had[code]
        if code == IMPOSSIBLE:
            notes += (f"{finding.message} (`evalmark check` says why)" for finding in repeats)
        elif may_stay or had["EE103"]:  # which hides all other errors of a record
            notes.append(f"the file has an error that stays: {code} {repeats[0].name}")
        elif new := next((f for f in repeats if (code, f.message) not in messages), None):
            raise _new(new)
    return tuple(notes)


def _new(finding: Finding) -> ConversionError:
    return ConversionError(
        f"the result would have an error: {finding.code} {finding.message} "
        f"at {finding.pointer or '/'}",
        "correct the source first",
        findings=(finding,),
    )


def _errors_before(parsed: ParsedText, data: Data) -> list[Finding]:
    """The errors of the source, as far as they are not hidden.

    Rules do not look at a record that does not follow its schema: one without bounds, or with null
    details. The errors of such a record are those of its conversion, without supplied bounds.
    """
    form = FORMATS[parsed.format or ""]
    if form.kind == PAIR_ROWS:
        return errors_of_pairs(parsed)
    if form.kind == RECORD and form.schema and not accepts(form.schema, parsed.data):
        from evalmark.converters.records.open_bounds import without_supplied

        return _errors(check_data(without_supplied(parsed.data, data), path=parsed.path))
    return _errors(checked(parsed.data, parsed))


def checked(data: Data, parsed: ParsedText) -> Report:
    """The report of a source; its version is the one it fits, whatever its label says."""
    form = FORMATS.get(parsed.format or "")
    version = form.version.name if form is not None and form.version else None
    return check_data(data, path=parsed.path or "<data>", schema_version=version)


def _errors(report: Report) -> list[Finding]:
    return [f for f in report.findings if f.severity is Severity.ERROR]
