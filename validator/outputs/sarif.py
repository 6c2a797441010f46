"""Findings as SARIF 2.1.0, for code scanning."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from typing import Any

from evalmark.schemas.package import address
from evalmark.validator.findings.finding import Finding, Span
from evalmark.validator.formats.builtin import rule_address
from evalmark.validator.formats.rule_registry import RULES, all_rules, rule_text
from evalmark.validator.io.escaping import json_text
from evalmark.validator.outputs.report_texts import Look, uri

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def sarif(findings: Iterable[Finding], look: Look) -> str:
    """All findings as one SARIF log; paths are relative to where the check ran."""
    findings = list(findings)
    codes = sorted({finding.code for finding in findings})
    log = {
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [
            {
                "tool": {
                    "driver": {
                        "name": "evalmark",
                        "semanticVersion": version("evalmark"),
                        **({"informationUri": home} if (home := address()) else {}),
                        "rules": [_rule(code) for code in codes],
                    }
                },
                "columnKind": "unicodeCodePoints",
                "results": [_result(finding, codes, look) for finding in findings],
            }
        ],
    }
    return json_text(log, indent=2) + "\n"


def _rule(code: str) -> dict[str, Any]:
    rule = RULES.get(code) or all_rules()[code]
    page = rule_text(rule)
    described = {
        "id": code,
        "name": rule.name,
        "shortDescription": {"text": rule.summary},
        "fullDescription": {"text": page},
        "help": {"text": page, "markdown": page},
        "defaultConfiguration": {"level": str(rule.severity)},
    }
    if url := rule_address(code):
        described["helpUri"] = url
    return described


def _result(finding: Finding, codes: Sequence[str], look: Look) -> dict[str, Any]:
    result: dict[str, Any] = {
        "ruleId": finding.code,
        "ruleIndex": codes.index(finding.code),
        "level": str(finding.severity),
        "message": {"text": ". ".join([finding.message, *finding.notes, *finding.helps])},
        "locations": [_location(finding.path, finding.span, finding.pointer)],
        "partialFingerprints": {"evalmark/v1": _fingerprint(finding)},
    }
    if finding.labels:
        result["relatedLocations"] = [
            {**_location(finding.path, label.span), "message": {"text": label.text}}
            for label in finding.labels
        ]
    if replacements := _replacements(finding, look):
        change = {"artifactLocation": _artifact(finding.path), "replacements": replacements}
        result["fixes"] = [
            {"description": {"text": ". ".join(finding.helps)}, "artifactChanges": [change]}
        ]
    return result


def _replacements(finding: Finding, look: Look) -> list[dict[str, Any]]:
    """The edits of a fix; a byte order mark is not part of the text and has no column."""
    if (fix := finding.showable_fix) is None:
        return []
    if finding.code == "F003":
        return [{"deletedRegion": {"byteOffset": 0, "byteLength": 3}}]
    source = look.source_of(finding.path)
    if source is None:
        return []
    return [
        {
            "deletedRegion": _region(source.span(edit.start, edit.end)),
            "insertedContent": {"text": edit.text},
        }
        for edit in fix.edits
    ]


def _location(path: str, span: Span | None, pointer: str | None = None) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(path)}
    if span is not None:
        place["region"] = _region(span)
    location: dict[str, Any] = {"physicalLocation": place}
    if pointer:
        location["logicalLocations"] = [{"fullyQualifiedName": pointer}]
    return location


def _region(span: Span) -> dict[str, int]:
    return {
        "startLine": span.line,
        "startColumn": span.column,
        "endLine": span.end_line,
        "endColumn": span.end_column,
    }


def _artifact(path: str) -> dict[str, str]:
    return {"uri": uri(path)}


def _fingerprint(finding: Finding) -> str:
    """Equal for the same finding while lines move."""
    text = f"{finding.code} {finding.path} {finding.pointer} {finding.message}"
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
