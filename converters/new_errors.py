"""A conversion adds no error: every error of the result was in the source."""

from __future__ import annotations

from collections import Counter

from evalmark.converters.formats import FORMATS, RECORD, Syntax
from evalmark.converters.records.open_bounds import without_supplied
from evalmark.converters.step import Data
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.accepting import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_data
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.severity import Severity

#: The proof that a prediction can never hold: about its meaning, which is converted as it is.
IMPOSSIBLE = "SG206"


def require_no_new_error(parsed: ParsedText, data: Data) -> tuple[str, ...]:
    """Notes on what the source did not show; errors that it did not have are refused."""
    after = check_data(data, path=parsed.path)
    errors = _errors(after)
    if not errors:
        return ()
    had: Counter[str] = Counter()
    said: set[tuple[str, str]] = set()
    if parsed.syntax in (Syntax.JSON, Syntax.YAML):
        before = _before(parsed, data)
        had, said = _errors(before), {(f.code, f.message) for f in before.findings}
    if had["EE103"]:
        return ()  # a record that fits no schema has this one finding, which hides others
    notes: tuple[str, ...] = ()
    for code, count in errors.items():
        if count <= had[code]:
            continue
        found = [f for f in after.findings if f.code == code]
        if code == IMPOSSIBLE:
            notes = tuple(f"{f.message} (`evalmark check` says why)" for f in found)
            continue
        # What a triple says once, its formula says on both sides.
        for first in (f for f in found if (code, f.message) not in said):
            raise ConversionError(
                f"the result would have an error: {code} {first.message} at {first.pointer or '/'}",
                "correct the source first",
            )
    return notes


def _before(parsed: ParsedText, data: Data) -> Report:
    """The errors of the source, as far as they are not hidden.

    Rules do not look at a record that does not follow its schema: one without bounds, or with null
    details. The errors of such a record are those of its conversion, without supplied bounds.
    """
    form = FORMATS[parsed.format or ""]
    if form.kind == RECORD and form.schema and not accepts(form.schema, parsed.data):
        return check_data(without_supplied(parsed.data, data), path=parsed.path)
    return checked(parsed.data, parsed)


def checked(data: Data, parsed: ParsedText) -> Report:
    """The report of a source; its version is the one it fits, whatever its label says."""
    found = FORMATS.get(parsed.format or "")
    version = found.version.name if found is not None and found.version else None
    return check_data(data, path=parsed.path, schema_version=version)


def _errors(report: Report) -> Counter[str]:
    return Counter(f.code for f in report.findings if f.severity is Severity.ERROR)
