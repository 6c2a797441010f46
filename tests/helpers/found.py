"""What a check finds, in the words of a test."""

import json
from pathlib import Path
from typing import Any

from evalmark.validator.check import check_bytes, check_data, check_file, check_text
from evalmark.validator.findings.finding import Finding, apply_fixes


def findings_of(checked: Any, *name: str, **options: Any) -> tuple[Finding, ...]:
    """The findings of a report, of a file (its path), a text, bytes (and a name), or of data."""
    if hasattr(checked, "findings"):
        return checked.findings
    checks = {Path: check_file, str: check_text, bytes: check_bytes}
    check = next((one for kind, one in checks.items() if isinstance(checked, kind)), check_data)
    return check(checked, *name, **options).findings


def codes_of(checked: Any, *name: str, **options: Any) -> list[str]:
    """The code of each finding, in their order."""
    return [finding.code for finding in findings_of(checked, *name, **options)]


def places_of(checked: Any, *name: str, **options: Any) -> list[tuple[str, str]]:
    """The code of each finding, and the pointer to its place."""
    return [(found.code, found.pointer) for found in findings_of(checked, *name, **options)]


def with_fixes(data: Any, *, unsafe: bool = False, **options: Any) -> tuple[Any, list[str]]:
    """The data after the fixes that are offered, and the codes of what was found."""
    text = json.dumps(data, ensure_ascii=False)
    findings = findings_of(text, **options)
    return json.loads(apply_fixes(text, findings, unsafe=unsafe).text), [f.code for f in findings]
