"""What the rules of a repository find in a file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from evalmark.validator.asked import Asked
from evalmark.validator.findings.finding import Finding, Span
from evalmark.validator.findings.hit import Hit, Places, locate
from evalmark.validator.kinds import Document
from evalmark.validator.reading.reading import Reading
from evalmark.validator.repository.own_rules import OwnRules, RepositoryFile, named_by
from evalmark.validator.repository.own_schemas import schema_mistakes
from evalmark.validator.repository.repository_rule_table import (
    REPOSITORY_PAIR_RULES,
    REPOSITORY_ROW_RULES,
    REPOSITORY_RULES,
)
from evalmark.validator.rules.rule import Rule

_BEGINNING = Span(1, 1, 1, 1)


def own_findings(
    document: Document, reading: Reading, asked: Asked, findings: list[Finding]
) -> list[Finding]:
    """The findings of a document, with those of the rules and schemas of its repository."""
    own = asked.own
    if own is None:
        return findings
    found = list(_of_schemas(own, document, reading))
    if not asked.schema_only:
        view = RepositoryFile(document, reading.path, own)
        rules = REPOSITORY_RULES.get(document.traits.family, ())
        found += _located(rules, view, reading.source)
    return [*findings, *(one for one in found if not _is_reported(one, findings))]


def row_findings(document: Document, path: str, asked: Asked, rows: int) -> list[Finding]:
    """What the rules of a repository find in a sample file, whose rows were counted."""
    if asked.own is None:
        return []
    view = RepositoryFile(document, path, asked.own, rows)
    found = _located(REPOSITORY_ROW_RULES, view, None)
    return [replace(finding, span=_BEGINNING) for finding in found]


def pair_findings(path: str, asked: Asked, uids: Mapping[str, int]) -> list[Finding]:
    """What the rules of a repository find in a file of pairs, counted by what they test."""
    if asked.own is None or asked.schema_only:
        return []
    view = RepositoryFile(Document(None, "pairs"), path, asked.own, uids=uids)
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
            yield from schema_mistakes(schema, document.data, reading)


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
