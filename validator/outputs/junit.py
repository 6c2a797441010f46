"""Findings as JUnit XML, for continuous integration systems."""

from __future__ import annotations

import re
from collections.abc import Iterable
from xml.etree import ElementTree as ET

from evalmark.validator.findings.finding import Finding
from evalmark.validator.io.escaping import shown
from evalmark.validator.outputs.report_texts import Look

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
        tests=str(sum(max(1, len(in_file)) for in_file in by_path.values())),
        failures=str(look.summary.errors),
    )
    for path, in_file in by_path.items():
        failures = sum(finding.severity == "error" for finding in in_file)
        suite = ET.SubElement(
            root,
            "testsuite",
            name=_legal(path),
            tests=str(max(1, len(in_file))),
            failures=str(failures),
        )
        if not in_file:
            ET.SubElement(suite, "testcase", classname="evalmark", name=_legal(path))
        for finding in in_file:
            _add_case(suite, finding)
    ET.indent(root)
    return ET.tostring(root, encoding="unicode", xml_declaration=False) + "\n"


def _add_case(suite: ET.Element, finding: Finding) -> None:
    place = f":{finding.span.line}:{finding.span.column}" if finding.span else ""
    case = ET.SubElement(
        suite,
        "testcase",
        classname=f"{finding.code} {finding.name}",
        name=_legal(f"{finding.path}{place} {finding.message}"),
    )
    lines = [finding.caret] if finding.caret else []
    lines += [*finding.notes, *(f"help: {text}" for text in finding.helps)]
    text = "\n".join(map(_legal, lines))
    if finding.severity == "error":
        ET.SubElement(case, "failure", message=_legal(finding.message)).text = text
    else:
        ET.SubElement(case, "system-out").text = text


def _legal(text: str) -> str:
    return _ILLEGAL.sub("\N{REPLACEMENT CHARACTER}", shown(text))
