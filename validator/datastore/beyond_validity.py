"""Findings on a record beyond its validity: its place in a datastore, and EEE's gate."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from evalmark.validator.datastore.gate import of_the_gate
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import Hit, locate
from evalmark.validator.kinds import Document
from evalmark.validator.reading.reading import Reading
from evalmark.validator.rules.of_datastores import GATE_RULES, PLACEMENT_RULES
from evalmark.validator.rules.rule import Rule
from evalmark.validator.views.placed_record import PlacedRecord, datastore_parts
from evalmark.validator.views.record import fields_of, view_of


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
    parts = datastore_parts(path, everywhere=everywhere) if path.endswith(".json") else None
    if parts is not None:
        found += _hits(PLACEMENT_RULES, PlacedRecord(fields_of(document), path, parts), reading)
    if gate:
        found += _hits(GATE_RULES, view_of(document), reading)
        found = of_the_gate(document, reading, found)
    return found


def _hits(rules: tuple[Rule, ...], view: Any, reading: Reading) -> Iterator[Finding]:
    for rule in rules:
        for hit in rule.hits(view):
            if isinstance(hit, Hit):
                yield locate(hit, rule, reading.path, reading.source)
