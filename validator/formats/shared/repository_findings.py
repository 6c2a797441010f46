"""The findings of a repository's rules, beside those of the format."""

from __future__ import annotations

from dataclasses import replace

from evalmark.validator.findings.finding import Finding, Span
from evalmark.validator.format import CountedRows, Document
from evalmark.validator.formats.shared.json_format import rule_findings
from evalmark.validator.formats.shared.repository_file import RepositoryFile
from evalmark.validator.formats.shared.repository_rules import REPOSITORY_RULES
from evalmark.validator.options.check_options import CheckOptions
from evalmark.validator.reading.reading import Reading


def own_findings(
    document: Document, reading: Reading, options: CheckOptions, findings: list[Finding]
) -> list[Finding]:
    """The findings of a document, with those of the rules of its repository."""
    key = document.format.family if document.format else ""
    if options.repository_rules is None or options.schema_only or key not in REPOSITORY_RULES:
        return findings
    view = RepositoryFile(document, reading.path, options.repository_rules, key)
    additions, _ = rule_findings(REPOSITORY_RULES[key], view, reading)
    return [*findings, *(finding for finding in additions if not _is_reported(finding, findings))]


def row_findings(rows: CountedRows, options: CheckOptions) -> list[Finding]:
    """The findings of a repository's rules on a file of rows, which were counted."""
    key, numbers = ("rows", {"": rows.total}) if rows.groups is None else ("pairs", rows.groups)
    if options.repository_rules is None or (options.schema_only and rows.groups is not None):
        return []
    view = RepositoryFile(rows.of, rows.path, options.repository_rules, key, numbers)
    found, _ = rule_findings(REPOSITORY_RULES[key], view, Reading(rows.path))
    return [replace(finding, span=Span(1, 1, 1, 1)) for finding in found]


def _is_reported(finding: Finding, others: list[Finding]) -> bool:
    """True if the schema reports the same mistake: all keys that the finding names, there."""
    return any(
        earlier.pointer == finding.pointer
        and earlier.code[2:3] == "1"
        and {*finding.subject} <= {*earlier.subject}
        for earlier in others
    )
