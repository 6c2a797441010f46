"""The whole way: bytes → text → document → schema → rules → report."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from evalmark import schemas

from ._document import KINDS, RECORD_VERSIONS, Document, identify
from ._parse import Rejected, decode, parse

if TYPE_CHECKING:
    from os import PathLike

    from ._finding import Finding
    from ._report import Report
    from ._source import Source


def check_file(
    path: str | PathLike[str],
    *,
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
) -> Report:
    """Check one file.

    Args:
        path: The file, or ``-`` for standard input.
        kind: What the file is; found from its content when None.
        schema_version: Check a record against this version rather than its own.
        join: How regions become sentences (``core``, ``hf`` or ``brainscore``).

    Returns:
        The report. Bad content is never an exception, and neither is a file that cannot be read.
    """
    name = str(path)
    try:
        if name == "-":
            raw = sys.stdin.buffer.read()
        else:
            with open(name, "rb") as file:
                raw = file.read()
    except OSError as error:
        return _unreadable(name, error)
    return check_bytes(raw, name, kind=kind, schema_version=schema_version, join=join)


def check_text(
    text: str,
    *,
    path: str = "<text>",
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
) -> Report:
    """Check JSON text; the arguments are those of ``check_file``."""
    raw = text.encode("utf-8", "surrogatepass")
    return check_bytes(raw, path, kind=kind, schema_version=schema_version, join=join)


def check_data(
    data: Any,
    *,
    path: str = "<data>",
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
) -> Report:
    """Check parsed JSON. The findings have pointers, but no lines."""
    from ._parse import _is_shallow

    if not _is_shallow(data):
        return _report(path, None, [_file_finding("F009", path, "nested too deep")])
    document = identify(data, kind, schema_version)
    return _judge(document, path, None, join)


def check_bytes(
    raw: bytes,
    path: str,
    *,
    kind: str | None = None,
    schema_version: str | None = None,
    join: str = "core",
) -> Report:
    """Check the bytes of a file; the arguments are those of ``check_file``."""
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
    return _judge(document, path, text, join, found)


def _judge(
    document: Document,
    path: str,
    text: str | None,
    join: str,
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
    if name is None:
        findings.append(_unknown_version(document, path, text))
        return _report(path, document, findings)
    remarks: tuple[str, ...] = ()
    if not schemas.accepts(name, document.data):
        findings += _explained(document, name, path, text)
    elif document.kind in ("suite", "suite-legacy"):
        hits, remarks = _suite_findings(document.data, path, text, join)
        findings += hits
    if not findings:
        return _report(path, document, [], remarks)
    findings.sort(key=lambda finding: finding.sort_key)
    return _report(path, document, findings, remarks)


def _suite_findings(
    data: Any, path: str, text: str | None, join: str
) -> tuple[list[Finding], tuple[str, ...]]:
    from ._hit import Hit, locate
    from .rules import SUITE_RULES, SuiteFacts

    facts = SuiteFacts(data, join)
    findings, remarks = [], []
    source = _source(path, text)
    for rule in SUITE_RULES:
        assert rule.check
        for hit in rule.check(facts):
            if isinstance(hit, Hit):
                findings.append(
                    locate(
                        hit,
                        code=rule.code,
                        name=rule.name,
                        severity=rule.severity,
                        path=path,
                        source=source,
                    )
                )
            else:
                remarks.append(f"{path}: {hit.text}")
    return findings, tuple(dict.fromkeys(remarks))


def _explained(document: Document, name: str, path: str, text: str | None) -> list[Finding]:
    from ._explain import explain
    from ._hit import locate
    from .rules import find_rules

    family = "EE" if document.kind == "record" else "SG"
    source = _source(path, text)
    findings = []
    for rule_name, hit in explain(document.data, schemas.bundle(name)):
        rule = next(rule for rule in find_rules(rule_name) if rule.code.startswith(family))
        findings.append(
            locate(
                hit,
                code=rule.code,
                name=rule.name,
                severity=rule.severity,
                path=path,
                source=source,
            )
        )
    return findings


def _source(path: str, text: str | None) -> Source | None:
    from ._source import Source

    return None if text is None else Source(path, text)


def _file_finding(code: str, path: str, message: str, note: str = "") -> Finding:
    from ._finding import Finding, Severity, Span
    from .rules import RULES

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
    from .rules import RULES

    rule = RULES["F013"]
    known = ", ".join(RECORD_VERSIONS)
    hit = Hit(
        f'there is no schema for records of version "{document.version}"',
        At("/schema_version"),
        caret=f"known: {known}",
        helps=("`--schema-version VERSION` checks against another one",),
    )
    return locate(
        hit,
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        path=path,
        source=_source(path, text),
    )


def _unreadable(path: str, error: OSError) -> Report:
    reason = (error.strerror or str(error)).lower()
    return _report(path, None, [_file_finding("F011", path, f"cannot be read: {reason}")])


def _report(
    path: str, document: Document | None, findings: list[Finding], remarks: tuple[str, ...] = ()
) -> Report:
    from ._report import Report

    kind = document.kind if document else None
    version = document.version if document else None
    return Report(path, kind, version, tuple(findings), remarks)
