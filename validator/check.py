"""Check one file: read, find its format, check it as that format does, report."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from io import BytesIO
from os import PathLike
from typing import Any, BinaryIO, Unpack

from evalmark.schemas.backend import backend_for
from evalmark.schemas.errors import ExtensionError, Rejected
from evalmark.validator.arguments import check_options
from evalmark.validator.edge.opening import open_regular, read_whole
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import file_finding, internal_error, others_error
from evalmark.validator.format import (
    CheckContext,
    CheckResult,
    Document,
    Format,
    Verdicts,
    as_document,
)
from evalmark.validator.formats.known import (
    KINDS,
    ROW_KINDS,
    could_be_ours,
    format_at,
    format_of,
    format_of_rows,
    format_of_table,
    judge_unread,
)
from evalmark.validator.options import Arguments, CheckOptions
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.strict_json import MAX_DEPTH, is_shallow
from evalmark.validator.rows.row_findings import may_be_no_rows, merge_conflict

#: The ends of names of files that may have rows.
_ROWS = (".jsonl", ".csv", ".tsv")


def check_file(path: str | PathLike[str], **arguments: Unpack[Arguments]) -> Report:
    """Check one file; a record together with the sample file it names.

    Args:
        path: The file, or ``-`` for standard input.
        arguments: See ``Arguments``.

    Returns:
        The report. Bad content is never an exception, and neither is a file that cannot be read.

    Raises:
        UnknownNameError: An argument names nothing that exists.
    """
    return check_one(str(path), check_options(**arguments))


def check_text(text: str, *, path: str = "<text>", **arguments: Unpack[Arguments]) -> Report:
    """Check JSON or, if the path says so, YAML text; see ``check_file``."""
    return check_bytes(text.encode("utf-8", "surrogatepass"), path, **arguments)


def check_bytes(raw: bytes, path: str, **arguments: Unpack[Arguments]) -> Report:
    """Check the bytes of a file; see ``check_file``."""
    return check_one(path, check_options(**arguments), raw)


def check_data(data: Any, *, path: str = "<data>", **arguments: Unpack[Arguments]) -> Report:
    """Check parsed JSON; see ``check_file``. The findings have pointers, but no lines."""
    reading = Reading(path, data=data, readable=is_shallow(data))
    if not reading.readable:
        reading.findings.append(
            file_finding("F009", path, f"more than {MAX_DEPTH} levels of objects and arrays")
        )
    return check_one(path, check_options(**arguments), reading)


def check_one(
    path: str,
    options: CheckOptions,
    content: bytes | Reading | None = None,
    context: CheckContext | None = None,
) -> Report:
    """Check one file; every check goes this way.

    Args:
        path: The file, or ``-`` for standard input.
        options: What the caller wants.
        content: What the file holds, if that is known already.
        context: The options and what the caller is to be told on the way; see ``file_context``.
    """
    if context is None:
        context = CheckContext(options, is_file=content is None, no_rows=_no_rows)
    try:
        return _checked(path, content, context)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return Report(path, None, None, (file_finding("F011", path, f"cannot be read: {reason}"),))
    except ExtensionError as error:
        return Report(path, None, None, (others_error(error, path),))
    except Exception as error:  # a bug of ours is a finding of one file; the others are checked
        return Report(path, None, None, (internal_error(error, path),))


def file_context(options: CheckOptions, **details: Any) -> CheckContext:
    """The context of checks of files that are read from their paths.

    Args:
        options: What the caller wants.
        details: Further fields of the context.
    """
    return CheckContext(options, is_file=True, no_rows=_no_rows, **details)


def _checked(path: str, content: bytes | Reading | None, context: CheckContext) -> Report:
    """The way of a file."""
    options = context.options
    if not isinstance(content, Reading) and path.endswith(_ROWS):
        with open_regular(path) if content is None else BytesIO(content) as file:
            if (report := _of_rows(file, path, context)) is not None:
                return report
    form = _asked(options) or format_at(path)
    reading = content if isinstance(content, Reading) else _read(path, content, form, context)
    if not reading.readable:
        return _unread(reading, options)
    remarks: tuple[str, ...] = ()
    if form is None and (form := format_of(reading.data)) is None:
        from evalmark.validator.formats.others import other_at  # few files

        form, remarks = other_at(path, reading.data)
    document = as_document(reading.data, form, options.schema_version)
    if context.wants is not None and not context.wants(document, reading):
        return Report(path, document.kind, document.version)
    if document.format is None:
        finding = _unrecognized(path, KINDS.values(), document.data)
        return _report(document, path, CheckResult([*reading.findings, finding], remarks), options)
    checked = document.format.check(document, reading, context)
    if options.own is not None:
        checked = _with_own(checked, document, reading, options)
    checked.findings.sort(key=lambda finding: finding.sort_key)
    return _report(document, path, checked, options)


def _asked(options: CheckOptions) -> Format | None:
    """The format that the caller asks for."""
    if options.kind is None:
        return None
    if form := KINDS.get(options.kind):
        return form
    from evalmark.validator.formats.others import other_formats  # few are asked for

    return other_formats().named[options.kind]


def _of_rows(file: BinaryIO, path: str, context: CheckContext) -> Report | None:
    """The report of a file of rows; None for a table that is another one."""
    options = context.options
    if path.endswith(".jsonl"):
        form = format_at(path)
        if form is None and (finding := _no_rows(file, path)):
            return _report(Document(None, None), path, CheckResult([finding]), options)
        remarks: tuple[str, ...] = ()
        form = _asked(options) or form or format_of_rows(file)
        if form is None:
            from evalmark.validator.formats.others import other_of_rows  # few files

            form, remarks = other_of_rows(file, path)
        if form is None or not form.has_rows:
            known = [KINDS[name] for name in ROW_KINDS]
            finding = _unrecognized(path, known, _first_row(file))
            return _report(Document(None, None), path, CheckResult([finding], remarks), options)
    else:
        form = _asked(options) or format_of_table(file, path)
        if form is None:
            from evalmark.validator.formats.others import other_of_table  # few files

            form = other_of_table(file, path)
        if form is None or not form.has_tables:
            return None
    checked = form.check_rows(file, path, context)
    if conflict := merge_conflict(checked.findings, path):
        checked.findings = [conflict]
    elif options.own is not None:
        checked.findings += _own_rows(checked, options)
    return _report(Document(None, form), path, checked, options)


def _report(document: Document, path: str, checked: CheckResult, options: CheckOptions) -> Report:
    """The report of a file."""
    form, remarks, verdicts = document.format, checked.remarks, checked.verdicts
    if form is None and options.profile:
        verdicts = ((path, "refuse"),)
    if form is not None and options.schema_version is not None and not form.is_versioned:
        unused = f"schema version {options.schema_version} not used"
        remarks = (f"{path}: {unused}: there is one version of {form.name}", *remarks)
    return Report(
        path,
        document.kind,
        document.version,
        tuple(checked.findings),
        remarks,
        checked.companions,
        form.identity(document) if form and document.data is not None else None,
        verdicts,
        checked.compared,
    )


def _read(path: str, raw: bytes | None, form: Format | None, context: CheckContext) -> Reading:
    """Read a document; YAML without any of our keys is left unread, since it may be large."""
    if raw is None:
        raw = sys.stdin.buffer.read() if path == "-" else read_whole(path)
    if context.seen:
        context.seen(raw)
    if form is None and path.endswith((".yaml", ".yml")) and not could_be_ours(raw, path):
        from evalmark.validator.formats.others import may_be_of_others  # few files

        if not may_be_of_others(raw, path):
            return Reading(path, data={}, readable=True)
    return read(raw, path, context.options.backend or backend_for([len(raw)]))


def _unread(reading: Reading, options: CheckOptions) -> Report:
    """The report of a document that could not be parsed."""
    findings: list[Finding] = list(reading.findings)
    verdicts: Verdicts = ()
    if options.profile:
        findings, verdicts = judge_unread(reading, findings)
    return Report(reading.path, None, None, tuple(findings), verdicts=verdicts)


def _with_own(
    checked: CheckResult, document: Document, reading: Reading, options: CheckOptions
) -> CheckResult:
    """What was found, with what the rules of the repository find."""
    from evalmark.validator.repository.own_findings import own_findings  # few have any

    if checked.rows is not None:
        checked.findings += _own_rows(checked, options)
    checked.findings = own_findings(document, reading, options, checked.findings)
    return checked


def _own_rows(checked: CheckResult, options: CheckOptions) -> list[Finding]:
    """What the rules of the repository find in the rows that were counted."""
    from evalmark.validator.repository.own_findings import row_findings  # few have any

    return row_findings(checked.rows, options) if checked.rows is not None else []


def _no_rows(file: BinaryIO, path: str, *, is_sample: bool = False) -> Finding | None:
    """The finding for a file that does not have an object on each line; see ``not_rows``."""
    if not may_be_no_rows(file):
        return None
    from evalmark.validator.unrecognized import not_rows  # for other files only

    return not_rows(file, path, is_sample=is_sample)


def _first_row(file: BinaryIO) -> Any:
    """The first row of a file; an object if it cannot be read."""
    from evalmark.validator.rows.row_findings import first_row

    try:
        return first_row(file)
    except Rejected:  # a kind was asked for, whatever the rows are
        return {}


def _unrecognized(path: str, known: Iterable[Format], data: Any) -> Finding:
    from evalmark.validator.unrecognized import unrecognized  # for other files only

    looks = "; ".join(f"{form.name}: {form.looks}" for form in known)
    return unrecognized(path, f"looked for {looks}", data)
