"""Findings on a record beyond its validity: its place in a datastore, and what EEE's gate asks."""

from __future__ import annotations

import os
from dataclasses import replace

from evalmark.validator.findings.finding import Finding
from evalmark.validator.format import Document
from evalmark.validator.formats.records.datastore_rule_table import (
    GATE_RULES,
    PLACEMENT_RULES,
)
from evalmark.validator.formats.records.record_view import fields_of, view_of
from evalmark.validator.formats.records.rules.datastore_rules import PlacedRecord, datastore_parts
from evalmark.validator.formats.shared.json_checks import rule_findings
from evalmark.validator.reading.reading import Reading

#: Rules on blank identifiers, which are not names of folders either.
_OF_IDENTIFIERS = ("EE221", "EE241")


def beyond_validity(
    document: Document,
    reading: Reading,
    findings: list[Finding],
    *,
    gate: bool,
    everywhere: bool,
) -> list[Finding]:
    """The findings of a record, with those on its place and, if ``gate``, those of EEE's gate."""
    if not isinstance(document.data, dict):
        return findings
    found, path = list(findings), reading.path
    everywhere = everywhere or (gate and os.path.isfile(path))
    is_placed = path.endswith(".json") or (gate and everywhere)
    parts = datastore_parts(path, everywhere=everywhere) if is_placed else None
    if parts is not None:
        place = PlacedRecord(fields_of(document), path, parts)
        found = _once(found, rule_findings(PLACEMENT_RULES, place, reading)[0])
    if gate:
        found += rule_findings(GATE_RULES, view_of(document), reading)[0]
    return found


def _once(found: list[Finding], placed: list[Finding]) -> list[Finding]:
    """All findings; one on a value that its schema rejects already gives that its help."""
    wrong = {finding.pointer: index for index, finding in enumerate(found) if finding.pointer}
    for finding in placed:
        mistaken = found[wrong[finding.pointer]].code if finding.pointer in wrong else ""
        if mistaken in _OF_IDENTIFIERS:
            continue
        if mistaken.startswith("EE1"):
            index = wrong[finding.pointer]
            mistake = found[index]
            helps, fix = finding.helps or mistake.helps, finding.fix or mistake.fix
            found[index] = replace(mistake, helps=helps, fix=fix)
        else:
            found.append(finding)
    return found
