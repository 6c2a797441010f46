"""The checks of a conversion: of its document before the first step, and after the last.

A step may assume that its document follows its schema. A result has no error that its source does
not have under the same settings, whichever its format; the others stay, with a note.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from evalmark.converters.formats import CONVERTIBLE, PAIRS, SUITE, Syntax
from evalmark.converters.step import Data, as_list
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.backend import accepts
from evalmark.schemas.errors import ConversionError
from evalmark.validator.checker import Checker
from evalmark.validator.findings.finding import Finding, Severity
from evalmark.validator.findings.report import Report
from evalmark.validator.formats.suites.suite import USUAL_METRIC, has_triples
from evalmark.validator.reading.reading import Reading, read

#: A check without the settings of any folder.
DEFAULTS = Checker()
#: Errors that judge what a suite says, such as SG206: nothing that is wrong with the file.
_JUDGEMENTS = frozenset(("SG206",))


def require_sound(parsed: ParsedText, *, has_steps: bool) -> None:
    """Refuse a document that does not follow the schema of its format.

    With ``has_steps`` its format changes: steps read what some files of it lack.

    Raises:
        ConversionError: It does not; its ``findings`` are those of a check.
    """
    form, data = CONVERTIBLE[parsed.format or ""], parsed.data
    if form.kind == PAIRS:
        if not all(accepts("pairs", row) for row in as_list(data)):
            raise refused(parsed, errors_of_rows(parsed, DEFAULTS))
        return
    if form.schema is None or (has_steps and form.version and form.version.is_ambiguous):
        return  # a table is read by its step, and so are all layouts of an ambiguous version
    if accepts(form.schema, data):
        return
    # Only what a step reads is completed: formulas without an object around them, keys that a
    # dialect does not have, values of old records.
    if form.version is not None:
        data = {**data, "schema_version": form.version.label}
    if has_steps and form.version is not None:
        from evalmark.converters.records.migrations import repaired

        data = repaired(data, form.version)
    elif has_steps and form.shaped:
        data = form.shaped(data)
    if accepts(form.schema, data):
        return
    error = refused(parsed, errors_of(parsed, data))
    if form.kind == SUITE and accepts(form.schema, with_metric(data, USUAL_METRIC)):
        error.needs = "metric"
    raise error


def with_metric(data: Data, metric: str) -> Data:
    """A suite with a metric, if it names none, or several for its formulas; other data as it is."""
    meta = data.get("meta") if isinstance(data, Mapping) else None
    if not isinstance(meta, Mapping):
        return data
    declared = meta.get("metric")
    if declared not in (None, []) and (
        has_triples(data) or not (declared == "all" or isinstance(declared, list))
    ):
        return data
    return {**data, "meta": {**meta, "metric": metric}}


def errors_of(parsed: ParsedText, shaped: Data) -> list[Finding]:
    """The errors of a document that is checked in the shape of its schema, with their places."""
    path = parsed.path or "<data>"
    reading = Reading(path)
    if parsed.text and parsed.syntax in (Syntax.JSON, Syntax.YAML):
        name = path if parsed.syntax is Syntax.YAML else "x.json"
        reading = read(parsed.text.encode("utf-8", "surrogatepass"), name)
        reading.path = path
    reading.data, reading.readable = shaped, True
    errors = _errors(_rule_checker(DEFAULTS, parsed.format).reading(reading))
    return [
        replace(error, span=error.span and error.span.below(parsed.line - 1)) for error in errors
    ]


def errors_of_rows(parsed: ParsedText, checker: Checker) -> list[Finding]:
    """The errors of rows; those of a file have the lines of all its rows."""
    if parsed.text:
        return _errors(checker.text(parsed.text, parsed.path))
    return _errors(_rule_checker(checker, parsed.format).data(as_list(parsed.data)))


def _rule_checker(checker: Checker, name: str | None) -> Checker:
    form = CONVERTIBLE[name or ""]
    if form.version is not None:
        return checker.asking(kind=form.kind, schema_version=form.version.name)
    return checker.asking(kind=form.schema or form.kind)


def refused(parsed: ParsedText, errors: Sequence[Finding]) -> ConversionError:
    """The refusal of a document with errors: the first of them, its place and what to write."""
    if not errors:
        return ConversionError(f"the file does not follow the schema of {parsed.format}")
    first, *others = errors
    place = f"{first.span.line}:{first.span.column}" if first.span else first.pointer or "/"
    more = f" (and {len(others)} more)" if others else ""
    return ConversionError(
        f"{first.code} {first.message} at {place}{more}",
        *first.helps,
        findings=tuple(errors),
    )


def require_no_new_error(
    parsed: ParsedText, target: str, data: Data, stated: Callable[[], Data], checker: Checker
) -> tuple[str, ...]:
    """Notes on the errors of a result that its source has too; any other is refused.

    The proof of a suite has shown that its steps make none: only what is supplied, or edited, can.
    ``stated`` is what becomes of the source without all that the caller supplies or changes: its
    errors are those of a suite, and of a source that has no rules of its own, such as a table. It
    is None if nothing becomes of it.

    Raises:
        ConversionError: The result has an error that the source does not have.
    """
    form, new = CONVERTIBLE[parsed.format or ""], CONVERTIBLE[target]
    if data is parsed.data or (new.schema is None and new.kind != PAIRS):
        return ()  # tables and lists have no rules
    after = _errors_at(data, target, parsed.path, checker)
    if not after:
        return ()
    old = None if form.kind == SUITE else form.schema
    before = _errors_at(parsed.data, parsed.format, parsed.path, checker) if old else []
    is_hidden = old is None or not accepts(old, parsed.data)
    if is_hidden and (new.schema is None or accepts(new.schema, data)):  # else rules saw neither
        before += _errors_at(stated(), target, parsed.path, checker)
    return _kept_error_notes(after, before)


def _errors_at(data: Data, name: str | None, path: str, checker: Checker) -> list[Finding]:
    if data is None:
        return []
    if CONVERTIBLE[name or ""].kind == PAIRS:
        data = as_list(data)
    return _errors(_rule_checker(checker, name).data(data, path or "<data>"))


def require_no_new_row_error(parsed: ParsedText, text: str, checker: Checker) -> tuple[str, ...]:
    """The same for a file of rows, each of which has been checked on its own."""
    if text == parsed.text:
        return ()
    after = errors_of_rows(replace(parsed, text=text), checker)
    return _kept_error_notes(after, errors_of_rows(parsed, checker)) if after else ()


def _kept_error_notes(after: list[Finding], before: list[Finding]) -> tuple[str, ...]:
    """A note for each error that a source has too, and for each judgement on what it says.

    An error that says something else has another cause, also if it is of the same code.
    """
    causes = {(finding.code, finding.message) for finding in before}
    notes: dict[tuple[str, str], list[Finding]] = {}
    for finding in after:
        is_old = (finding.code, finding.message) in causes
        if not is_old and finding.code not in _JUDGEMENTS:
            raise ConversionError(
                f"the result would have an error: {finding.code} {finding.message} at "
                f"{finding.pointer or '/'}",
                "correct the source first, or what is supplied",
                findings=(finding,),
            )
        text = "the file has an error that stays" if is_old else "the result has an error"
        notes.setdefault((text, finding.code), []).append(finding)
    return tuple(
        f"{text}: {code} {first.name}: {first.message}"
        + (f" (and {len(others)} more)" if others else "")
        for (text, code), (first, *others) in notes.items()
    )


def _errors(report: Report) -> list[Finding]:
    return [f for f in report.findings if f.severity is Severity.ERROR]
