"""The document that a conversion writes is checked after its last step, and has no new error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection

from evalmark.converters.conversion_checks import (
    errors_of,
    errors_of_pairs,
    errors_of_rows,
    in_shape,
    kind_of_check,
    refused,
)
from evalmark.converters.formats import ENTRIES, FORMATS, PAIR_ROWS, RECORD, SUITE, ConversionFormat
from evalmark.converters.records.open_bounds import without_supplied
from evalmark.converters.step import NOTHING, Data, Supplied
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.validator.arguments import check_options
from evalmark.validator.check import check_data, check_one
from evalmark.validator.findings.finding import Finding, Severity
from evalmark.validator.findings.report import Report
from evalmark.validator.reading.reading import Reading

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
    """Whether a suite was made of minimal pairs, which are as they were published."""
    return isinstance(suite, dict) and bool(suite["meta"].get("pairs"))


def _errors_after(
    data: Data, form: ConversionFormat, path: str, supplied: Supplied
) -> list[Finding]:
    """The errors of a result; a table and a list of sentences have no check."""
    if form.schema is None and form.kind != PAIR_ROWS:
        return []
    wanted = check_options(**({"kind": PAIR_ROWS} if form.schema is None else kind_of_check(form)))
    if form.kind == ENTRIES:
        wanted = wanted._replace(benchmarks=supplied.benchmarks())
    return _errors(check_one(path or "<data>", wanted, Reading(path, data=data, readable=True)))


def _require_none(errors: list[Finding], parsed: ParsedText) -> None:
    """Refuse a suite with errors: the source shows where they are, if it has them too."""
    if not errors:
        return
    own: list[Finding] = []
    if FORMATS[parsed.format or ""].schema is not None:
        shaped = in_shape(parsed.format or "", parsed.data, has_steps=True)
        codes = {finding.code for finding in errors}
        own = [f for f in errors_of(parsed, shaped) if f.code in codes]
    if own:
        raise refused(parsed, own)
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
    said = {(finding.code, finding.message) for finding in before}
    notes: list[str] = []
    for code, count in Counter(finding.code for finding in after).items():
        found = [finding for finding in after if finding.code == code]
        if code == IMPOSSIBLE:
            notes += (f"{finding.message} (`evalmark check` says why)" for finding in found)
        elif code.startswith("MP") and FORMATS[parsed.format or ""].kind == SUITE:
            notes.append(_stays(found[0]))  # the suite was made of rows that have it
        elif count > had[code] and not had["EE103"]:  # which hides all other errors of a record
            for first in (f for f in found if (code, f.message) not in said):
                raise _new(first)
        else:
            notes.append(_stays(found[0]))
    return tuple(notes)


def _stays(finding: Finding) -> str:
    return f"the file has an error that stays: {finding.code} {finding.name}"


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
        return _errors(check_data(without_supplied(parsed.data, data), path=parsed.path))
    return _errors(checked(parsed.data, parsed))


def checked(data: Data, parsed: ParsedText) -> Report:
    """The report of a source; its version is the one it fits, whatever its label says."""
    found = FORMATS.get(parsed.format or "")
    version = found.version.name if found is not None and found.version else None
    return check_data(data, path=parsed.path or "<data>", schema_version=version)


def _errors(report: Report) -> list[Finding]:
    return [f for f in report.findings if f.severity is Severity.ERROR]
