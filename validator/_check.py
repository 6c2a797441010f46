"""The whole way: bytes → text → document → schema → rules → report."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from evalmark import schemas

from ._document import KINDS, RECORD_VERSIONS, SAMPLE_VERSIONS, Document, identify
from ._parse import Rejected, decode, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Collection
    from os import PathLike
    from typing import BinaryIO

    from ._finding import Finding
    from ._report import Report
    from ._source import Source
    from .rules._rule import Rule

    Progress = Callable[[int], None]


def check_file(
    path: str | PathLike[str],
    *,
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
    select: Collection[str] = (),
    progress: Progress | None = None,
) -> Report:
    """Check one file; a record together with the sample file it names.

    Args:
        path: The file, or ``-`` for standard input.
        kind: What the file is; found from its content when None.
        schema_version: Check a record against this version rather than its own.
        join: How regions become sentences (``core``, ``hf`` or ``brainscore``).
        select: Codes of optional rules to look at as well.
        progress: Called with the bytes read so far of a sample file.

    Returns:
        The report. Bad content is never an exception, and neither is a file that cannot be read.
    """
    name = str(path)
    try:
        if name == "-":
            raw = sys.stdin.buffer.read()
        else:
            with open(name, "rb") as file:
                if name.endswith(".jsonl"):
                    return _sample_report(file, name, schema_version, progress)
                raw = file.read()
        report = check_bytes(
            raw, name, kind=kind, schema_version=schema_version, join=join, select=select
        )
        if report.kind == "record" and b"detailed_evaluation_results" in raw:
            return _with_samples(report, raw, progress)
    except OSError as error:
        return _unreadable(name, error)
    return report


def _sample_report(
    file: BinaryIO, path: str, schema_version: str | None, progress: Progress | None
) -> Report:
    from ._samples import SamplePass, is_sample_file

    if not is_sample_file(file):
        message = "file is of no kind that evalmark knows"
        return _report(path, None, [_file_finding("F012", path, message, KINDS["sample"])])
    findings = SamplePass(path, schema_version=schema_version).run(file, progress)
    return _report(path, Document(None, "sample"), findings)


def _with_samples(report: Report, raw: bytes, progress: Progress | None) -> Report:
    """The report of a record, with what its sample file says."""
    from dataclasses import replace

    from ._samples import SamplePass, companion, samples_missing
    from ._source import Source

    try:
        text = decode(raw)
        record = parse(text)
    except Rejected:
        return report
    path = companion(record, report.path) if isinstance(record, dict) else None
    if path is None:
        return report
    source = Source(report.path, text)
    if path:
        with open(path, "rb") as file:
            found = SamplePass(path, record, report.path, source).run(file, progress)
    else:
        found = [samples_missing(report.path, source)]
    findings = sorted((*report.findings, *found), key=lambda finding: finding.sort_key)
    companions = (path,) if path else ()
    return replace(report, findings=tuple(findings), companions=companions)


def check_text(
    text: str,
    *,
    path: str = "<text>",
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
    select: Collection[str] = (),
) -> Report:
    """Check JSON text; the arguments are those of ``check_file``."""
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
    from ._parse import _is_shallow

    if not _is_shallow(data):
        return _report(path, None, [_file_finding("F009", path, "nested too deep")])
    document = identify(data, kind, schema_version)
    return _judge(document, path, None, join, select)


def check_bytes(
    raw: bytes,
    path: str,
    *,
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
    select: Collection[str] = (),
) -> Report:
    """Check the bytes of a file; the arguments are those of ``check_file``."""
    if path.endswith(".jsonl"):
        from io import BytesIO

        return _sample_report(BytesIO(raw), path, schema_version, None)
    found: list[Finding] = []
    try:
        text = decode(raw)
    except Rejected:
        from ._diagnose import undecodable

        finding, rest = undecodable(raw, path)
        found.append(finding)
        if rest is None:
            return _report(path, None, found)
        text = rest
    try:
        data = parse(text)
    except Rejected:
        from ._diagnose import unparsable
        from ._source import Source

        return _report(path, None, found + unparsable(Source(path, text)))
    document = identify(data, kind, schema_version)
    return _judge(document, path, text, join, select, found)


def _judge(
    document: Document,
    path: str,
    text: str | None,
    join: str,
    select: Collection[str],
    found: list[Finding] | None = None,
) -> Report:
    """Schema and rules; what is needed only to explain is loaded only then."""
    findings = found or []
    if document.kind is None:
        looked_for = "; ".join(f"{kind}: {what}" for kind, what in KINDS.items())
        message = "file is of no kind that evalmark knows"
        findings.append(_file_finding("F012", path, message, f"looked for {looked_for}"))
        return _report(path, document, findings)
    name = document.schema
    remarks: tuple[str, ...] = ()
    if name is None:
        findings.append(_unknown_version(document, path, text))
    elif not schemas.accepts(name, document.data):
        from ._mistakes import mistakes

        findings += mistakes(document, path, _source(path, text))
    else:
        hits, remarks = _rule_findings(document, path, text, join, select)
        findings += hits
    if len(findings) > 1:
        findings.sort(key=lambda finding: finding.sort_key)
    return _report(path, document, findings, remarks)


def _rule_findings(
    document: Document, path: str, text: str | None, join: str, select: Collection[str]
) -> tuple[list[Finding], tuple[str, ...]]:
    facts: Any
    rules: tuple[Rule, ...]
    if document.kind == "record":
        from .rules._record_facts import RecordFacts
        from .rules.of_records import RECORD_RULES

        rules = RECORD_RULES
        facts = RecordFacts(document.data, time.time())
    elif document.kind in ("suite", "suite-legacy"):
        from .rules._facts import SuiteFacts
        from .rules.of_suites import SUITE_RULES

        rules = SUITE_RULES
        facts = SuiteFacts(document.data, join)
    elif document.kind in ("ltm-definition", "ltm-result"):
        from .rules._ltm_facts import LtmFacts
        from .rules.of_conversations import DEFINITION_RULES, RESULT_RULES

        rules = DEFINITION_RULES if document.kind == "ltm-definition" else RESULT_RULES
        facts = LtmFacts(document.data, path)
    else:
        return [], ()
    from ._hit import Hit, locate

    findings: list[Finding] = []
    remarks = []
    source = _source(path, text)
    for rule in rules:
        assert rule.check
        if rule.optional and rule.code not in select:
            continue
        for hit in rule.check(facts):
            if isinstance(hit, Hit):
                findings.append(locate(hit, rule, path, source))
            else:
                remarks.append(f"{path}: {hit.text}")
    return findings, tuple(dict.fromkeys(remarks))


def _source(path: str, text: str | None) -> Source | None:
    from ._source import Source

    return None if text is None else Source(path, text)


def _file_finding(code: str, path: str, message: str, note: str = "") -> Finding:
    from ._finding import Finding, Severity, Span
    from .rules._registry import RULES

    return Finding(
        code,
        RULES[code].name,
        Severity.ERROR,
        message,
        path,
        span=Span(1, 1, 1, 1),
        notes=(note,) if note else (),
        fold=message,
    )


def _unknown_version(document: Document, path: str, text: str | None) -> Finding:
    from ._hit import At, Hit, locate
    from .rules._registry import RULES

    known = ", ".join(RECORD_VERSIONS if document.kind == "record" else SAMPLE_VERSIONS)
    hit = Hit(
        f'there is no schema for {document.kind}s of version "{document.version}"',
        At("/schema_version"),
        caret=f"known: {known}",
        helps=("`--schema-version VERSION` checks against another one",),
    )
    return locate(hit, RULES["F013"], path, _source(path, text))


def same_evaluation_id(path: str, first: str, raw: bytes) -> Finding:
    """The finding for a record whose evaluation id another file of the call has as well."""
    from ._hit import At, Hit, locate
    from ._source import Source
    from .rules._registry import RULES

    hit = Hit(f"{first} has the same evaluation id", At("/evaluation_id"), fold="same id")
    source = Source(path, raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    return locate(hit, RULES["EE230"], path, source)


def _unreadable(path: str, error: OSError) -> Report:
    reason = (error.strerror or str(error)).lower()
    return _report(path, None, [_file_finding("F011", path, f"cannot be read: {reason}")])


def _report(
    path: str, document: Document | None, findings: list[Finding], remarks: tuple[str, ...] = ()
) -> Report:
    from ._report import Report

    kind = document.kind if document else None
    version = document.version if document else None
    identity = None
    if document is not None and kind == "record" and isinstance(document.data, dict):
        declared = document.data.get("evaluation_id")
        identity = declared if isinstance(declared, str) and declared.strip() else None
    return Report(path, kind, version, tuple(findings), remarks, identity=identity)
