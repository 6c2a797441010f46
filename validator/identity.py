"""What must differ between the files of a call."""

from __future__ import annotations

from evalmark.validator.findings.report import SUITE_NAME
from evalmark.validator.kinds import Document


def identity_of(document: Document) -> str | None:
    """A record's evaluation id, or a suite's name; None for other files."""
    if not document.traits.has_identity:
        return None
    if document.traits.family == "SG":
        meta = document.data.get("meta") if isinstance(document.data, dict) else None
        name = meta.get("name") if isinstance(meta, dict) else None
        return f"{SUITE_NAME}{name}" if isinstance(name, str) and name.strip() else None
    from evalmark.validator.formats.records.record_view import fields_of

    declared = fields_of(document).text("evaluation_id")
    return declared if declared and declared.strip() else None
