"""Check one file: read, find its format, check it as that format does, report."""

from __future__ import annotations

import sys
from io import BytesIO
from os import PathLike
from typing import Any, Unpack

from evalmark.schemas.backend import backend_for
from evalmark.schemas.errors import UsageError
from evalmark.schemas.versions import VERSIONS
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.report import Report
from evalmark.validator.findings.rule import failed_check, file_finding
from evalmark.validator.format import (
    CheckContext,
    CheckResult,
    Document,
    Format,
    as_document,
)
from evalmark.validator.formats.builtin import (
    KINDS,
    could_be_ours,
    format_at,
    format_of,
)
from evalmark.validator.io.opening import open_regular, read_whole
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.strict_json import MAX_DEPTH, is_shallow
from evalmark.validator.settings.check_options import Arguments, CheckOptions, context_of

#: The ends of names of files that may have rows.
_ROWS = (".jsonl", ".csv", ".tsv", ".txt")


def check_file(path: str | PathLike[str], **arguments: Unpack[Arguments]) -> Report:
    """Check one file; a record together with the sample file it names.

    Args:
        path: The file, or ``-`` for standard input.
        arguments: See ``CheckOptions``.

    Returns:
        The report. Bad content is never an exception, and neither is a file that cannot be read.

    Raises:
        UnknownNameError: An argument names nothing that exists.
    """
    return check_one(str(path), context_of(CheckOptions(**arguments)))


def check_text(text: str, *, path: str = "<text>", **arguments: Unpack[Arguments]) -> Report:
    """Check JSON or, if the path says so, YAML text; see ``check_file``."""
    if not isinstance(text, str):
        raise UsageError("check_text takes text; check_data takes parsed JSON")
    return check_bytes(text.encode("utf-8", "surrogatepass"), path, **arguments)


def check_bytes(raw: bytes, path: str, **arguments: Unpack[Arguments]) -> Report:
    """Check the bytes of a file; see ``check_file``."""
    return check_one(path, _of_content(arguments), raw)


def check_data(data: Any, *, path: str = "<data>", **arguments: Unpack[Arguments]) -> Report:
    """Check parsed JSON; see ``check_file``. The findings have pointers, but no lines."""
    return check_one(path, _of_content(arguments), data_reading(data, path))


def _of_content(arguments: Arguments) -> CheckContext:
    return context_of(CheckOptions(**arguments))._replace(is_file=False)


def data_reading(data: Any, path: str) -> Reading:
    """Parsed JSON as if it were read from a path."""
    reading = Reading(path, data=data, readable=is_shallow(data))
    if not reading.readable:
        reading.findings.append(
            file_finding("F009", path, f"more than {MAX_DEPTH} levels of objects and arrays")
        )
    return reading


def check_one(path: str, context: CheckContext, content: bytes | Reading | None = None) -> Report:
    """Check one file; every check goes this way.

    Args:
        path: The file, or ``-`` for standard input.
        context: What is wanted, and what the caller is to be told on the way.
        content: What the file holds, if that is known already.
    """
    try:
        return _checked(path, content, context)
    except Exception as error:  # a bug of ours is a finding of one file; the others are checked
        return Report(path, None, None, (failed_check(error, path),))


def _checked(path: str, content: bytes | Reading | None, context: CheckContext) -> Report:
    form = _requested(context.kind) if context.kind else None
    if not isinstance(content, Reading) and path.endswith(_ROWS):
        report = _of_rows(path, content, form, context)
        if report is not None:
            return report
    form = form or format_at(path)
    reading = content if isinstance(content, Reading) else _read(path, content, form, context)
    if not reading.readable:
        return _unread(reading, context)
    remarks: tuple[str, ...] = ()
    form = form or format_of(reading.data)
    if form is None:
        from evalmark.validator.formats.plugins import other_at  # few files

        form, remarks = other_at(path, reading.data)
    if form is None:
        from evalmark.validator.formats.incomplete_files import incomplete  # few files

        form = incomplete(reading.data, path)
    document = as_document(reading.data, form, context.schema_version)
    if context.wants is not None and not context.wants(document, reading):
        return Report(path, document.kind, document.version)
    result = _of_format(path, document, reading, context)
    if any(finding.fix for finding in result.findings):
        result.findings = _with_tried_fixes(document, reading, result.findings, context)
    result.remarks = (*result.remarks, *remarks)
    return _report(document, path, result, context)


def _of_rows(
    path: str, content: bytes | None, form: Format | None, context: CheckContext
) -> Report | None:
    """The report of a file of rows; None for a table that is another one."""
    from evalmark.validator.formats.check_rows import check_rows  # most files are documents

    with open_regular(path) if content is None else BytesIO(content) as file:
        rows = check_rows(file, path, form, context)
    if rows is None:
        return None
    form, result = rows
    return _report(Document(None, form), path, result, context)


def _requested(kind: str) -> Format:
    """The format that the caller asks for."""
    if kind in KINDS:
        return KINDS[kind]
    from evalmark.validator.formats.plugins import format_named  # few are asked for

    return format_named(kind)


def _read(path: str, raw: bytes | None, form: Format | None, context: CheckContext) -> Reading:
    """Read a document; YAML without a sign of ours is left unread, since it may be large."""
    if raw is None:
        raw = _standard_input() if path == "-" else read_whole(path, is_text=True)
    if context.seen:
        context.seen(raw)
    if form is None and path.endswith((".yaml", ".yml")) and not could_be_ours(raw):
        # for few files
        from evalmark.validator.formats.incomplete_files import may_be_incomplete
        from evalmark.validator.formats.unreadable_files import are_of_nobody

        if are_of_nobody(raw, path) and not may_be_incomplete(raw):
            return Reading(path, data={}, readable=True)
    return read(raw, path, context.backend or backend_for([len(raw)]))


def _standard_input() -> bytes:
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        error.filename = "-"
        raise


def _unread(reading: Reading, context: CheckContext) -> Report:
    """The report of a document that could not be parsed."""
    verdicts = ((reading.path, "refuse"),) if context.profile else ()
    return Report(reading.path, None, None, tuple(reading.findings), verdicts=verdicts)


def _of_format(
    path: str, document: Document, reading: Reading, context: CheckContext
) -> CheckResult:
    """The findings of a document as its format has them."""
    if document.format is None:
        from evalmark.validator.formats.unrecognized import unrecognized  # for other files only

        finding = unrecognized(path, KINDS.values(), document.data)
        return CheckResult([*reading.findings, finding])
    result = document.format.check(document, reading, context)
    result.findings.sort(key=lambda finding: finding.sort_key)
    return result


def _with_tried_fixes(
    document: Document, reading: Reading, findings: list[Finding], context: CheckContext
) -> list[Finding]:
    """The findings; a fix that leaves another one at its place is not offered."""
    from evalmark.validator.formats.shared.tried_fixes import tried  # few files have fixes

    form, path = document.format, reading.path
    if form is None or reading.text is None or not reading.readable:
        return findings
    alone = context._replace(is_file=False)

    def check(text: str) -> list[Finding]:
        changed = read(text.encode("utf-8", "surrogatepass"), path, reading.backend)
        if not changed.readable:
            return changed.findings
        again = as_document(changed.data, form, context.schema_version)
        return form.check(again, changed, alone).findings

    return tried(findings, path, reading.text.removeprefix("\ufeff"), check)


def _report(document: Document, path: str, result: CheckResult, context: CheckContext) -> Report:
    form, remarks, verdicts = document.format, result.remarks, result.verdicts
    if form is None and context.profile:
        verdicts = ((path, "refuse"),)
    if form is not None and context.schema_version is not None and form.name not in VERSIONS:
        unused = f"schema version {context.schema_version} not used"
        remarks = (f"{path}: {unused}: there is one version of {form.name}", *remarks)
    return Report(
        path,
        document.kind,
        document.version,
        tuple(result.findings),
        remarks,
        result.companions,
        form.identity(document) if form and document.data is not None else None,
        verdicts,
        result.compared,
    )
