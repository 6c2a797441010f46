"""Check one file: read it, recognize its format, check it as that format does, report."""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from os import PathLike
from typing import Any, BinaryIO, Unpack

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
from evalmark.validator.formats.builtin import KINDS, ROW_KINDS, format_at, has_keys_of_a_format
from evalmark.validator.formats.recognition import (
    Recognized,
    first_row_or,
    recognize,
    recognize_rows,
    recognize_table,
)
from evalmark.validator.formats.shared.row_findings import merge_conflict
from evalmark.validator.io.opening import open_regular, read_whole
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.source import make_pointer
from evalmark.validator.reading.strict_json import (
    what_json_lacks,
)
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
    reading = Reading(path, data=data, readable=True)
    for keys, code, problem in what_json_lacks(data):
        pointer = make_pointer(keys)
        reading.findings.append(file_finding(code, path, problem, span=None, pointer=pointer))
        reading.readable = False
    return reading


def check_one(path: str, context: CheckContext, content: bytes | Reading | None = None) -> Report:
    """Check one file, or ``-`` for standard input; every check goes this way.

    ``content`` is what the file holds, if that is known already.
    """
    try:
        return _check_content(path, content, context)
    except Exception as error:  # a bug of ours is a finding of one file; the others are checked
        return Report(path, None, None, (failed_check(error, path),))


def _check_content(path: str, content: bytes | Reading | None, context: CheckContext) -> Report:
    asked = _format_named(context.kind) if context.kind else None
    if not isinstance(content, Reading) and path.endswith(_ROWS):
        with open_regular(path) if content is None else BytesIO(content) as file:
            report = _checked_rows(path, file, asked, context)
        if report is not None:
            return report
    reading = content if isinstance(content, Reading) else _read(path, content, asked, context)
    if not reading.readable:
        return _unreadable_report(reading, context)
    form, remarks = Recognized(asked) if asked else recognize(path, reading.data)
    document = as_document(reading.data, form, context.schema_version)
    if context.wants is not None and not context.wants(document, reading):
        return Report(path, document.kind, document.version)
    result = _of_document(document, reading, context)
    if any(finding.fix for finding in result.findings):
        result.findings = _with_tried_fixes(document, reading, result.findings, context)
    return _report(document, path, result, remarks, context)


def _checked_rows(
    path: str, file: BinaryIO, asked: Format | None, context: CheckContext
) -> Report | None:
    """The same stations for a file of rows; None for a table that is another one, or none."""
    is_table = not path.endswith(".jsonl")
    is_any = not is_table and format_at(path) is None
    if is_any and context.no_rows and (finding := context.no_rows(file, path)):
        return _report(Document(None, None), path, CheckResult([finding]), (), context)
    known = recognize_table if is_table else recognize_rows
    form, remarks = Recognized(asked) if asked else known(path, file, context.pairs)
    if form is None or not (form.has_tables if is_table else form.has_rows):
        if is_table:
            return None
        from evalmark.validator.formats.unrecognized import unrecognized  # for other files only

        formats = [KINDS[name] for name in ROW_KINDS]
        finding = unrecognized(path, formats, first_row_or(file, {}), is_row=True)
        return _report(Document(None, None), path, CheckResult([finding]), remarks, context)
    checks = form.checks
    result = _of_format(form, lambda context: checks.check_rows(file, path, context), context)
    if conflict := merge_conflict(result.findings, path):
        result.findings = [conflict]
    return _report(Document(None, form), path, result, remarks, context)


def _format_named(kind: str) -> Format:
    if kind in KINDS:
        return KINDS[kind]
    from evalmark.validator.formats.plugins import format_named  # few are asked for

    return format_named(kind)


def _read(path: str, raw: bytes | None, asked: Format | None, context: CheckContext) -> Reading:
    """Read a document; YAML without a sign of a format is left unread, since it may be large."""
    if raw is None:
        raw = _standard_input() if path == "-" else read_whole(path, is_text=True)
    if context.seen:
        context.seen(raw)
    if asked is None and path.endswith((".yaml", ".yml")) and not has_keys_of_a_format(raw):
        from evalmark.validator.formats.unrecognized import is_worth_parsing  # few files

        if not is_worth_parsing(raw, path):
            return Reading(path, data={}, readable=True)
    return read(raw, path, context.backend or backend_for([len(raw)]))


def _standard_input() -> bytes:
    try:
        return sys.stdin.buffer.read()
    except OSError as error:
        error.filename = "-"
        raise


def _unreadable_report(reading: Reading, context: CheckContext) -> Report:
    verdicts = ((reading.path, "refuse"),) if context.profile else ()
    return Report(reading.path, None, None, tuple(reading.findings), verdicts=verdicts)


def _of_document(document: Document, reading: Reading, context: CheckContext) -> CheckResult:
    form = document.format
    if form is None:
        from evalmark.validator.formats.unrecognized import unrecognized  # for other files only

        finding = unrecognized(reading.path, KINDS.values(), document.data)
        return CheckResult([*reading.findings, finding])
    checks = form.checks

    def check(context: CheckContext) -> CheckResult:
        result = checks.check(document, reading, context)
        result.findings.sort(key=lambda finding: finding.sort_key)
        if document.data is not None:
            result.identity = checks.identity(document)
        return result

    return _of_format(form, check, context)


def _of_format(
    form: Format, check: Callable[[CheckContext], CheckResult], context: CheckContext
) -> CheckResult:
    if form.origin is None:
        return check(context)
    from evalmark.validator.formats.plugins import result_of  # few files

    return result_of(form, lambda failed: check(context._replace(failed=failed)))


def _with_tried_fixes(
    document: Document, reading: Reading, findings: list[Finding], context: CheckContext
) -> list[Finding]:
    """The findings; a fix that leaves another one at its place is not offered."""
    from evalmark.validator.formats.shared.tried_fixes import tried  # few files have fixes

    form, path = document.format, reading.path
    if form is None or reading.text is None or not reading.readable:
        return findings
    alone, checks = context._replace(is_file=False), form.checks

    def check(text: str) -> list[Finding]:
        changed = read(text.encode("utf-8", "surrogatepass"), path, reading.backend)
        if not changed.readable:
            return changed.findings
        again = as_document(changed.data, form, context.schema_version)
        return checks.check(again, changed, alone).findings

    members = document.data.items() if isinstance(document.data, dict) else ()
    lists = {key for key, value in members if isinstance(value, list)}
    return tried(findings, path, reading.text.removeprefix("\ufeff"), lists, check)


def _report(
    document: Document,
    path: str,
    result: CheckResult,
    remarks: tuple[str, ...],
    context: CheckContext,
) -> Report:
    form, verdicts = document.format, result.verdicts
    remarks = (*result.remarks, *remarks)
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
        result.identity,
        verdicts,
        result.compared,
    )
