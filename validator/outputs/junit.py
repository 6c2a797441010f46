"""Findings as JUnit XML, for continuous integration systems."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from evalmark.validator.findings.finding import Finding
from evalmark.validator.io.escaping import shown
from evalmark.validator.outputs.look import Look

#: Characters that XML 1.0 cannot hold and that ``shown`` leaves as they are.
_ILLEGAL = re.compile("[\ufffe\uffff]")


def junit(findings: Iterable[Finding], look: Look) -> str:
    """One test suite for each file, one case for each finding or for none; errors fail."""
    by_path: dict[str, list[Finding]] = {path: [] for path in look.paths}
    for finding in findings:
        by_path.setdefault(finding.path, []).append(finding)
    root = ET.Element(
        "testsuites",
        name="evalmark",
        tests=str(sum(max(1, len(found)) for found in by_path.values())),
        failures=str(look.summary.errors),
    )
    for path, found in by_path.items():
        failures = sum(finding.severity == "error" for finding in found)
        suite = ET.SubElement(
            root,
            "testsuite",
            name=_legal(path),
            tests=str(max(1, len(found))),
            failures=str(failures),
        )
        if not found:
            ET.SubElement(suite, "testcase", classname="evalmark", name=_legal(path))
        for finding in found:
            place = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
            case = ET.SubElement(
                suite,
                "testcase",
                classname=f"{finding.code} {finding.name}",
                name=_legal(f"{path}{place} {finding.message}"),
            )
            lines = [finding.caret] if finding.caret else []
            lines += [*finding.notes, *(f"help: {text}" for text in finding.helps)]
            text = "\n".join(map(_legal, lines))
            if finding.severity == "error":
                failure = ET.SubElement(case, "failure", message=_legal(finding.message))
                failure.text = text
            else:
                ET.SubElement(case, "system-out").text = text
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", shown(text))
