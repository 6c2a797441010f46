"""Check a file of one object or of a list of them, by rules that see all of them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from evalmark.schemas.accepting import acceptor
from evalmark.schemas.backend import Backend
from evalmark.validator.asked import Asked
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import Hit, locate
from evalmark.validator.formats.memory_sets.history import MemorySet
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
    traits = document.traits
    accepts = acceptor(traits.name, reading.backend)
    findings = RowFindings(reading.path)
    valid = []
    for at, item in items_of(document.data):
        if accepts(item):
            valid.append((at, item))
        else:
            findings.add(unfit(Document(item, document.kind), at, reading), None)
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


def set_view(document: Document, backend: Backend = Backend.PURE) -> MemorySet:
    """The histories of a file, without those that its schema rejects."""
    accepts = acceptor(document.traits.name, backend)
    view: MemorySet = load(document.traits.view)(
        [(at, item) for at, item in items_of(document.data) if accepts(item)]
    )
    return view


def items_of(data: Any) -> list[tuple[str, Any]]:
    """The objects of a file, with their pointers."""
    if isinstance(data, list):
        return [(f"/{index}", item) for index, item in enumerate(data)]
    return [("", data)]


def unfit(document: Document, at: str, reading: Reading) -> list[Finding]:
    """The findings of an object that its schema rejects."""
    from evalmark.validator.explaining.mistakes import mistakes  # loads jsonschema

    source = reading.source
    places = Element(source, at) if source and at else source
    found = mistakes(document, reading.path, places, reading.backend)
    return [
        replace(
            finding,
            pointer=at + finding.pointer,
            message=re.sub("^the file", "this entry" if at else "the file", finding.message),
        )
        for finding in found
    ]
