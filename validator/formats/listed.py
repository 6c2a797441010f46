"""Files of one object or of a list of them, each of which is checked against the schema."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from evalmark.schemas.backend import acceptor
from evalmark.validator.findings.finding import Finding
from evalmark.validator.format import Document
from evalmark.validator.formats.json_format import schema_findings
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Element
from evalmark.validator.rows.row_findings import RowFindings


def fitting_items(
    document: Document, reading: Reading, *, is_list: bool = True, is_explained: bool = True
) -> tuple[RowFindings, list[tuple[str, Any]]]:
    """The objects of a file that the schema accepts, with their pointers; findings on the others.

    Args:
        document: The file.
        reading: How it was read.
        is_list: Whether a list has one object in each element.
        is_explained: Whether there are to be findings.
    """
    assert document.format is not None
    accepts = acceptor(document.format.name, reading.backend)
    findings = RowFindings(reading.path)
    fitting = []
    for at, item in _items(document.data) if is_list else [("", document.data)]:
        if accepts(item):
            fitting.append((at, item))
        elif is_explained:
            findings.add(_unfit(Document(item, document.format), at, reading), None)
    return findings, fitting


def _items(data: Any) -> list[tuple[str, Any]]:
    """The objects of a file, with their pointers."""
    if isinstance(data, list):
        return [(f"/{index}", item) for index, item in enumerate(data)]
    return [("", data)]


def _unfit(document: Document, at: str, reading: Reading) -> list[Finding]:
    """The findings of an object that its schema rejects."""
    source = reading.source
    places = Element(source, at) if source and at else source
    findings = schema_findings(document, reading.path, places, reading.backend)
    return [
        replace(
            finding,
            pointer=at + finding.pointer,
            message=re.sub("^the file", "this entry" if at else "the file", finding.message),
        )
        for finding in findings
    ]
