"""Check a file of one object or of a list of them, by rules that see all of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from evalmark.schemas.accepting import acceptor
from evalmark.validator.asked import Asked
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import Hit, locate
from evalmark.validator.kinds import Document, load
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Element
from evalmark.validator.rows.lines import RowFindings


def check_set(
    document: Document, reading: Reading, asked: Asked, *, repeats: Any = None
) -> list[Finding]:
    """Check each object against its schema, and those that it accepts by the rules of their kind.

    ``repeats`` takes in what other files are compared with.
    """
    data, traits = document.data, document.traits
    items = [(f"/{i}", item) for i, item in enumerate(data)] if isinstance(data, list) else None
    accepts = acceptor(traits.name, reading.backend)
    findings = RowFindings(reading.path)
    valid = []
    for at, item in [("", data)] if items is None else items:
        if accepts(item):
            valid.append((at, item))
        else:
            findings.add(_unfit(Document(item, document.kind), at, reading), None)
    if asked.schema_only:
        return findings.close()
    view = load(traits.view)(valid)
    if repeats is not None:
        repeats.take_set(view)
    for rule in load(traits.rules):
        if rule.optional and rule.code not in asked.select:
            continue
        for hit in rule.hits(view):
            if isinstance(hit, Hit):
                findings.add([locate(hit, rule, reading.path, reading.source)], None)
    return findings.close()


def _unfit(document: Document, at: str, reading: Reading) -> list[Finding]:
    """The findings of an object that its schema rejects."""
    from evalmark.validator.explaining.mistakes import mistakes  # loads jsonschema

    source = reading.source
    places = Element(source, at) if source and at else source
    found = mistakes(document, reading.path, places, reading.backend)
    return [replace(finding, pointer=at + finding.pointer) for finding in found]
