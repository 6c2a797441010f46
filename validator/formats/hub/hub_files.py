"""Check files of community evals: lists of results, and descriptions of benchmarks."""

from __future__ import annotations

import time
from typing import Any

from evalmark.schemas.accepting import acceptor
from evalmark.validator.asked import Asked
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import Hit, locate
from evalmark.validator.formats.hub.hub_benchmarks import DEFAULT
from evalmark.validator.formats.hub.hub_entries import entries_of
from evalmark.validator.formats.hub.same_model import HubFile
from evalmark.validator.kinds import Document, load
from evalmark.validator.reading.reading import Reading
from evalmark.validator.rows.lines import RowFindings
from evalmark.validator.rows.set_items import items_of, unfit


def check_entries(
    document: Document, reading: Reading, asked: Asked, *, repeats: HubFile | None = None
) -> list[Finding]:
    """Check each result against the schema, and those that it accepts by the rules."""
    accepts = acceptor(document.traits.name, reading.backend)
    findings = RowFindings(reading.path)
    valid = []
    for at, item in items_of(document.data):
        if accepts(item):
            valid.append((at, item))
        else:
            findings.add(unfit(Document(item, document.kind), at, reading), None)
    if not asked.schema_only:
        known = DEFAULT if asked.benchmarks is None else asked.benchmarks
        entries, is_list = entries_of(valid, known), isinstance(document.data, list)
        new = load(document.traits.view)
        view = new(reading.path, entries, is_list, time.time(), known)
        _apply(document, reading, asked, view, findings)
        if repeats is not None:
            repeats.entries = entries
    return findings.close()


def check_benchmark(
    document: Document, reading: Reading, asked: Asked, *, repeats: HubFile | None = None
) -> list[Finding]:
    """Check the description of a benchmark."""
    findings = RowFindings(reading.path)
    if not acceptor(document.traits.name, reading.backend)(document.data):
        findings.add(unfit(document, "", reading), None)
    elif not asked.schema_only:
        view = load(document.traits.view)(document.data)
        _apply(document, reading, asked, view, findings)
        if repeats is not None:
            repeats.tasks = tuple(task.id for task in view.tasks if task.id is not None)
            repeats.framework = view.framework
    return findings.close()


def _apply(
    document: Document, reading: Reading, asked: Asked, view: Any, findings: RowFindings
) -> None:
    """Add what the rules of the kind find in a view."""
    for rule in load(document.traits.rules):
        if rule.optional and rule.code not in asked.select:
            continue
        for hit in rule.hits(view):
            if isinstance(hit, Hit):
                findings.add([locate(hit, rule, reading.path, reading.source)], None)
