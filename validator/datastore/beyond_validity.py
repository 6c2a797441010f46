"""What is said of a record beyond its validity: its place in a datastore, and EEE's gate."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from evalmark.validator.datastore.gate import of_the_gate
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import locate
from evalmark.validator.kinds import Document
from evalmark.validator.reading.reading import Reading
from evalmark.validator.rules.of_datastores import GATE_RULES, PLACEMENT_RULES
from evalmark.validator.rules.placement import PlacementFacts, datastore_parts
from evalmark.validator.views.record import RecordFacts


def beyond_validity(
    document: Document,
    reading: Reading,
    findings: list[Finding],
    *,
    gate: bool,
    everywhere: bool,
) -> list[Finding]:
    """The findings of a record, and those on its place and, if asked for, on the gate."""
    if not isinstance(document.data, dict):
        return findings
    found = list(findings)
    parts = None
    if reading.path.endswith(".json"):
        parts = datastore_parts(reading.path, everywhere=everywhere)
    if parts is not None:
        facts = PlacementFacts(document.data, reading.path, parts)
        found += _hits(PLACEMENT_RULES, facts, reading)
    if gate:
        found += _hits(GATE_RULES, RecordFacts(document.data, 0), reading)
        found = of_the_gate(
            document.data, document.version, reading.path, reading.source, found, reading.engine
        )
    return found


def _hits(rules: Any, facts: Any, reading: Reading) -> Iterator[Finding]:
    for rule in rules:
        check: Callable[[Any], Iterator[Any]] = rule.check
        for hit in check(facts):
            yield locate(hit, rule, reading.path, reading.source)
