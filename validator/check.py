"""The whole way: bytes → text → document → schema → rules → report."""

from __future__ import annotations

import os
import sys

from evalmark.schemas.accepting import accepts
from evalmark.validator.batch.walking import read_whole
from evalmark.validator.findings.hit import Hit, locate
from evalmark.validator.findings.report import Report
from evalmark.validator.kinds import KINDS, ROW_KINDS, Document, could_be_ours, identify, load
from evalmark.validator.light import NamedTuple
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.strict_json import is_fast
from evalmark.validator.stages import timed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from os import PathLike
    from typing import Any, BinaryIO

    from evalmark.validator.batch.workers import Share
    from evalmark.validator.findings.finding import Finding
    from evalmark.validator.rules.rule import Rule

    Progress = Callable[[int], None]


class _Asked(NamedTuple):
    """What the caller wants looked at, and how; see ``check_file``."""

    kind: str | None = None
    schema_version: str | None = None
    join: str = "core"
    select: Collection[str] = ()
    profile: str | None = None
    datastore: bool = False
    share: Share | None = None
    schema_only: bool = False


def check_file(
    path: str | PathLike[str],
    *,
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
    select: Collection[str] = (),
    profile: str | None = None,
    datastore: bool = False,
    progress: Progress | None = None,
    share: Share | None = None,
    schema_only: bool = False,
) -> Report:
    """Check one file; a record together with the sample file it names.

    Args:
        path: The file, or ``-`` for standard input.
        kind: What the file is; found from its content when None.
        schema_version: Check a record against this version rather than its own.
        join: How regions become sentences (``core``, ``hf`` or ``brainscore``).
        select: Codes of optional rules to look at as well.
        profile: ``eee`` to say as well what the gate of Every Eval Ever would.
        datastore: Hold records against the places that a datastore has for them, wherever they
            lie; otherwise this is done three folders below a folder ``data`` only.
        progress: Called with the bytes read so far of a file of rows.
        share: What shares a large file of rows out to other processes, as ``in_processes`` does
            once it knows how many; without it, the caller's process reads every row.
        schema_only: Hold files against their schemas only; samples are not looked for.

    Returns:
        The report. Bad content is never an exception, and neither is a file that cannot be read.
    """
    name = str(path)
    asked = _Asked(kind, schema_version, join, select, profile, datastore, share, schema_only)
    try:
        if name == "-":
            return _check(_read(sys.stdin.buffer.read(), name, asked), asked)[0]
        if name.endswith(".jsonl"):
            with open(name, "rb") as file:
                rows: Report = timed("rows", _check_rows, file, name, asked, progress)
            return rows
        reading = timed("parse", _read, read_whole(name), name, asked)
        report, document = _check(reading, asked)
        if document.kind == "record" and not schema_only and _names_samples(document.data):
            report = timed("rows", _with_samples, report, reading, asked, progress)
    except OSError as error:
        return _unreadable(name, error)
    return report


def _check_rows(
    file: BinaryIO, path: str, asked: _Asked, progress: Progress | None = None
) -> Report:
    from evalmark.validator.rows.lines import kind_of_rows

    kind = asked.kind or kind_of_rows(file)
    if kind == "sample":
        from evalmark.validator.rows.samples import check_samples

        findings = check_samples(
            file,
            path,
            schema_version=asked.schema_version,
            gate=asked.profile == "eee",
            progress=progress,
            share=asked.share,
            schema_only=asked.schema_only,
        )
    elif kind == "ltm-log":
        from evalmark.validator.rows.ltm_log import LogPass

        findings = LogPass(path).run(file, progress)
    else:
        from evalmark.validator.findings.file_findings import file_finding

        message = "file is of no kind that evalmark knows"
        known = "; ".join(KINDS[kind].looks for kind in ROW_KINDS)
        return _report(path, None, [file_finding("F012", path, message, known)])
    return _report(path, Document(None, kind), findings)


def _names_samples(record: Any) -> bool:
    return isinstance(record, dict) and "detailed_evaluation_results" in record


def _with_samples(
    report: Report, reading: Reading, asked: _Asked, progress: Progress | None
) -> Report:
    """The report of a record, with what its sample file says."""
    from evalmark.validator.datastore.companions import companion, link_findings

    record = reading.data
    samples = companion(record, report.path)
    if samples is None:
        return report
    from evalmark.validator.rows.samples import check_samples

    source = reading.source
    assert source
    found = link_findings(samples, report.path, source, report.findings)
    if samples.path:
        with samples.open() as file:
            found = check_samples(
                file,
                samples.path,
                record=record,
                record_source=source,
                gate=asked.profile == "eee",
                progress=progress,
                share=asked.share,
            )
    findings = sorted((*report.findings, *found), key=lambda finding: finding.sort_key)
    companions = (samples.path,) if samples.path else ()
    return report._replace(findings=tuple(findings), companions=companions)


def check_text(
    text: str,
    *,
    path: str = "<text>",
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
    select: Collection[str] = (),
) -> Report:
    """Check JSON or, if the path says so, YAML text; the arguments are those of ``check_file``."""
    raw = text.encode("utf-8", "surrogatepass")
    return check_bytes(
        raw, path, kind=kind, schema_version=schema_version, join=join, select=select
    )


def check_data(
    data: Any,
    *,
    path: str = "<data>",
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
    select: Collection[str] = (),
) -> Report:
    """Check parsed JSON. The findings have pointers, but no lines."""
    from evalmark.validator.reading.strict_json import is_shallow

    if not is_shallow(data):
        from evalmark.validator.findings.file_findings import file_finding

        return _report(path, None, [file_finding("F009", path, "nested too deep")])
    reading = Reading(path, data=data, readable=True)
    return _check(reading, _Asked(kind, schema_version, join, select))[0]


def check_bytes(
    raw: bytes,
    path: str,
    *,
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
    select: Collection[str] = (),
    profile: str | None = None,
    datastore: bool = False,
    schema_only: bool = False,
) -> Report:
    """Check the bytes of a file; the arguments are those of ``check_file``."""
    asked = _Asked(kind, schema_version, join, select, profile, datastore, schema_only=schema_only)
    if path.endswith(".jsonl"):
        from io import BytesIO

        return _check_rows(BytesIO(raw), path, asked)
    return _check(_read(raw, path, asked), asked)[0]


def _read(raw: bytes, path: str, asked: _Asked) -> Reading:
    """Read a document; YAML that none of our keys stands in is left unread, it may be large."""
    if asked.kind is None and path.endswith((".yaml", ".yml")) and not could_be_ours(raw):
        return Reading(path, data={}, readable=True)
    return read(raw, path)


def _check(reading: Reading, asked: _Asked) -> tuple[Report, Document]:
    """Kind, schema and rules; what is needed only to explain is loaded only then."""
    path, findings = reading.path, reading.findings
    if not reading.readable:
        return _report(path, None, findings), Document(None, None)
    document = identify(reading.data, asked.kind, asked.schema_version)
    name = document.schema
    remarks: tuple[str, ...] = ()
    if document.kind is None:
        from evalmark.validator.findings.file_findings import file_finding

        looked_for = "; ".join(f"{kind.name}: {kind.looks}" for kind in KINDS.values())
        message = "file is of no kind that evalmark knows"
        findings.append(file_finding("F012", path, message, f"looked for {looked_for}"))
    elif name is None:
        from evalmark.validator.findings.file_findings import unknown_version

        findings.append(unknown_version(document, reading))
    elif not timed("schema", accepts, name, document.data, fast=is_fast()):
        from evalmark.validator.explaining.mistakes import mistakes

        findings += timed("explain", mistakes, document, path, reading.source)
    elif not asked.schema_only:
        hits, remarks = timed("rules", _rule_findings, document, reading, asked)
        findings += hits
    if document.kind == "record" and (asked.profile or asked.datastore or _below_data(path)):
        from evalmark.validator.datastore.beyond_validity import beyond_validity

        gate, everywhere = asked.profile == "eee", asked.datastore
        findings = beyond_validity(document, reading, findings, gate=gate, everywhere=everywhere)
    if len(findings) > 1:
        findings.sort(key=lambda finding: finding.sort_key)
    return _report(path, document, findings, remarks), document


def _below_data(path: str) -> bool:
    """Whether a file lies three folders below a folder ``data``, as in a datastore."""
    return os.path.abspath(path).split(os.sep)[-5:-4] == ["data"]


def _rule_findings(
    document: Document, reading: Reading, asked: _Asked
) -> tuple[list[Finding], tuple[str, ...]]:
    traits = document.traits
    if not traits.rules:
        return [], ()
    rules: tuple[Rule, ...] = load(traits.rules)
    view = load(traits.view)(document, reading, asked.join)
    findings: list[Finding] = []
    remarks = []
    for rule in rules:
        if rule.optional and rule.code not in asked.select:
            continue
        for hit in rule.hits(view):
            if isinstance(hit, Hit):
                findings.append(locate(hit, rule, reading.path, reading.source))
            else:
                remarks.append(f"{reading.path}: {hit.text}")
    return findings, tuple(dict.fromkeys(remarks))


def _unreadable(path: str, error: OSError) -> Report:
    from evalmark.validator.findings.file_findings import file_finding

    reason = (error.strerror or str(error)).lower()
    return _report(path, None, [file_finding("F011", path, f"cannot be read: {reason}")])


def _report(
    path: str, document: Document | None, findings: list[Finding], remarks: tuple[str, ...] = ()
) -> Report:
    kind = document.kind if document else None
    version = document.version if document else None
    identity = None
    if document is not None and kind == "record" and isinstance(document.data, dict):
        declared = document.data.get("evaluation_id")
        identity = declared if isinstance(declared, str) and declared.strip() else None
    return Report(path, kind, version, tuple(findings), remarks, identity=identity)
