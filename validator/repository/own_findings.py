"""What the rules of a repository find in a file."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from evalmark.validator.findings.finding import Finding, Hit, Places, Span, locate
from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import CountedRows, Document
from evalmark.validator.formats.repository.repository_file import RepositoryFile
from evalmark.validator.formats.repository.repository_rule_table import (
    REPOSITORY_PAIR_RULES,
    REPOSITORY_ROW_RULES,
    REPOSITORY_RULES,
)
from evalmark.validator.options import CheckOptions
from evalmark.validator.own_rules import OwnRules, named_by
from evalmark.validator.reading.reading import Reading
from evalmark.validator.repository.own_schemas import own_violations

_BEGINNING = Span(1, 1, 1, 1)


def own_findings(
    document: Document, reading: Reading, asked: CheckOptions, findings: list[Finding]
) -> list[Finding]:
    """The findings of a document, with those of the rules and schemas of its repository."""
    own = asked.own
    if own is None:
        return findings
    found = list(_of_schemas(own, document, reading))
    if not asked.schema_only:
        view = RepositoryFile(document, reading.path, own)
        rules = REPOSITORY_RULES.get(document.format.family if document.format else "", ())
        found += _located(rules, view, reading.source)
    return [*findings, *(one for one in found if not _is_reported(one, findings))]


def row_findings(rows: CountedRows, options: CheckOptions) -> list[Finding]:
    """What the rules of a repository find in a file of rows, which were counted."""
    if options.own is None:
        return []
    if rows.groups is None:
        view = RepositoryFile(rows.of, rows.path, options.own, rows.total)
        found = _located(REPOSITORY_ROW_RULES, view, None)
    elif options.schema_only:
        return []
    else:
        view = RepositoryFile(rows.of, rows.path, options.own, uids=rows.groups)
        found = _located(REPOSITORY_PAIR_RULES, view, None)
    return [replace(finding, span=_BEGINNING) for finding in found]


def _located(
    rules: tuple[Rule, ...], view: RepositoryFile, source: Places | None
) -> Iterator[Finding]:
    for rule in rules:
        for hit in rule.hits(view):
            if isinstance(hit, Hit):
                yield locate(hit, rule, view.path, source)


def _of_schemas(own: OwnRules, document: Document, reading: Reading) -> Iterator[Finding]:
    for schema in own.schemas:
        if named_by(own.place(reading.path), schema.files):
            yield from own_violations(schema, document, reading)


def _is_reported(finding: Finding, others: list[Finding]) -> bool:
    """Whether another finding reports the same mistake.

    That is another one on the same value; of an object, one that names the same keys.
    """
    for other in others:
        if other.pointer != finding.pointer or other.code[2:3] != "1":
            continue
        names = finding.message.split("`")[1::2]
        if not finding.message.endswith("missing") or all(f"`{n}`" in other.message for n in names):
            return True
    return False
