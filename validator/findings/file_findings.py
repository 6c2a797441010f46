"""Findings on a file as a whole, rather than on a place in it."""

from __future__ import annotations

from evalmark.schemas import versions
from evalmark.validator.findings.finding import Finding, Span
from evalmark.validator.findings.hit import At, Hit, locate
from evalmark.validator.findings.severity import Severity
from evalmark.validator.kinds import Document
from evalmark.validator.reading.reading import Reading
from evalmark.validator.reading.source import Source
from evalmark.validator.rules.registry import RULES


def file_finding(code: str, path: str, message: str, note: str = "") -> Finding:
    """A finding that stands at the beginning of the file."""
    return Finding(
        code,
        RULES[code].name,
        Severity.ERROR,
        message,
        path,
        span=Span(1, 1, 1, 1),
        notes=(note,) if note else (),
        fold=message,
    )


def unknown_version(document: Document, reading: Reading) -> Finding:
    """The finding for a version that has no schema."""
    known = ", ".join(versions.names(document.traits.name))
    hit = Hit(
        f'there is no schema for {document.kind}s of version "{document.version}"',
        At("/schema_version"),
        caret=f"known: {known}",
        helps=("`--schema-version VERSION` checks against another one",),
    )
    return locate(hit, RULES["F013"], reading.path, reading.source)


def same_evaluation_id(path: str, first: str, raw: bytes) -> Finding:
    """The finding for a record whose evaluation id another file of the call has as well."""
    hit = Hit(f"{first} has the same evaluation id", At("/evaluation_id"), fold="same id")
    source = Source(path, raw.decode("utf-8", "replace").removeprefix("\ufeff"))
    return locate(hit, RULES["EE230"], path, source)
