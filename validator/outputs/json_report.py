"""Findings for programs. This format is API: fields are added, never renamed or removed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

from evalmark.validator.edge.escaping import json_text
from evalmark.validator.findings.finding import Finding, Span
from evalmark.validator.outputs.look import Look

VERSION = 1


def json_report(findings: Iterable[Finding], look: Look) -> str:
    """All findings, unfolded, as one JSON object."""
    document = {
        "version": VERSION,
        "findings": [finding_data(finding) for finding in findings],
        "summary": asdict(look.summary),
        **({"verdicts": dict(look.verdicts)} if look.verdicts else {}),
    }
    return json_text(document, indent=2) + "\n"


def json_lines(findings: Iterable[Finding], _: Look | None = None) -> str:
    """All findings, unfolded, one JSON object a line."""
    return "".join(json_text(finding_data(finding)) + "\n" for finding in findings)


def finding_data(finding: Finding) -> dict[str, Any]:
    """One finding as JSON data; lines and columns are 1-based, columns count code points."""
    fix = finding.fix
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "message": finding.message,
        "path": finding.path,
        "pointer": finding.pointer,
        **_span_data(finding.span),
        "caret": finding.caret,
        "schema_location": finding.schema_location,
        "labels": [{"text": label.text, **_span_data(label.span)} for label in finding.labels],
        "notes": list(finding.notes),
        "helps": list(finding.helps),
        "fix": fix and {"safety": str(fix.safety), "edits": [edit._asdict() for edit in fix.edits]},
    }


def _span_data(span: Span | None) -> dict[str, int | None]:
    return span._asdict() if span else dict.fromkeys(Span._fields)
