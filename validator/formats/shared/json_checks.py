"""The usual check of a document: against its schema, then by rules that see a view of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from functools import cache, cached_property
from itertools import chain
from typing import TYPE_CHECKING, Any, BinaryIO

from evalmark.schemas import versions
from evalmark.schemas.backend import (
    Backend,
    accepts,
    backend_for,
    has_unknown_keys,
    surely_fits,
)
from evalmark.schemas.errors import ConfigError
from evalmark.schemas.files import Schema, bundle
from evalmark.validator.findings.finding import Action, Finding, Places, Remark, locate
from evalmark.validator.findings.rule import (
    NOT_CHECKED,
    RuleGroup,
    failed_check,
    found_by,
    grouped,
    shape_rule,
    unknown_version,
)
from evalmark.validator.format import (
    CheckContext,
    CheckResult,
    Checks,
    Document,
    Format,
    SchemaMistake,
)
from evalmark.validator.formats.shared.row_findings import RowFindings
from evalmark.validator.reading.lines import Progress, file_size, lines
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.source import Source

if TYPE_CHECKING:  # few files have unknown keys
    from evalmark.schemas.known_keys import KnownKeys


class JsonChecks(Checks):
    """Checks of a format whose files are one JSON document each, or one on each line."""

    def check(self, document: Document, reading: Reading, context: CheckContext) -> CheckResult:
        """Check a document against its schema; one that it accepts, by the rules."""
        findings: list[Finding] = []
        if context.schema_only or not _fast_accepts(document, reading):
            violations = _rejected(document, reading)
            if context.schema_only or (violations and document.schema is None):
                return CheckResult([*reading.findings, *violations])
            findings = misspelt_key_findings(document, reading.path, lambda: reading.source)
            if violations:
                actions = (words for f in violations for _, words in f.actions)
                reported = {*chain(*actions, *(f.subject for f in violations))}
                # Which version it is of is not certain then.
                others = (f for f in findings if f.actions and reported.isdisjoint(f.subject))
                return CheckResult([*reading.findings, *violations, *others])
        remarks: tuple[str, ...] = ()
        view = self.view(document, reading, context)
        if groups := self.groups(view):
            found, remarks = rule_findings(groups, view, reading, context.select, context.failed)
            if not findings:
                return CheckResult([*reading.findings, *found], remarks)
            meant = {(_holder(f), words[-1]) for f in findings for _, words in f.actions if words}
            findings += [f for f in found if not ({(_holder(f), key) for key in f.subject} & meant)]
        return CheckResult([*reading.findings, *findings], remarks)

    def groups(self, view: object) -> tuple[RuleGroup, ...]:
        """The rules for a view."""
        del view
        return self._groups

    @cached_property
    def _groups(self) -> tuple[RuleGroup, ...]:
        return grouped(self.rules())

    def check_rows(self, file: BinaryIO, path: str, context: CheckContext) -> CheckResult:
        """Check a document on each line, as a file with nothing else is checked."""
        if not path.endswith(".jsonl"):
            return super().check_rows(file, path, context)
        row_findings, remarks = RowFindings(path), dict[str, None]()
        backend = context.backend or backend_for([file_size(file)])
        for number, line, whole in lines(file, context.progress):
            if whole is False:
                row_findings.too_long(number)
            elif whole and line.strip():
                reading = read(line.rstrip(b"\r\n"), path, backend)
                checked = CheckResult(list(reading.findings))
                if reading.readable:
                    checked = self.check(Document(reading.data, self.format), reading, context)
                row_findings.add(checked.findings, number)
                remarks.update(dict.fromkeys(checked.remarks))
        findings = sorted(row_findings.close(), key=lambda finding: finding.sort_key)
        return CheckResult(findings, tuple(remarks))

    def view(self, document: Document, reading: Reading, context: CheckContext) -> object:
        """The view of a document that the schema accepts, for the rules."""
        del reading, context
        return document


def _holder(finding: Finding) -> str:
    """The pointer of the object that has the key, or lacks the key, that a finding is about."""
    return finding.pointer.rpartition("/")[0]


def json_rows(
    file: BinaryIO, findings: RowFindings, backend: Backend, progress: Progress | None
) -> Iterator[tuple[int, Reading | None]]:
    """The lines of a file that are not blank, with their numbers; None for unreadable ones.

    What is wrong with them as JSON is added to ``findings``.
    """
    for number, line, whole in lines(file, progress):
        if whole is False:
            findings.too_long(number)
            yield number, None
        elif whole and line.strip():
            reading = read(line.rstrip(b"\r\n"), findings.path, backend)
            findings.add(reading.findings, number)
            yield number, reading if reading.readable else None


def _fast_accepts(document: Document, reading: Reading) -> bool:
    form, name = document.format, document.schema
    if form is None or form.schema is not None or name is None:
        return False
    return surely_fits(name, document.data, reading.backend)


def _rejected(document: Document, reading: Reading) -> list[Finding]:
    form, name = document.format, document.schema
    assert form is not None
    if form.schema is None and name is None:
        names, version = versions.names(form.name), str(document.version)
        return [unknown_version(form.name, version, names, reading.path, reading.source)]
    if form.schema is None and name is not None and accepts(name, document.data, reading.backend):
        return []
    return schema_findings(document, reading.path, reading.source, reading.backend)


def schema_findings(
    document: Document,
    path: str,
    source: Places | None,
    backend: Backend = Backend.PURE,
) -> list[Finding]:
    """One finding for each violation of the schema; none if the data is valid after all."""
    from evalmark.validator.formats.explaining.explain import explained  # loads jsonschema

    name, form = document.schema, document.format
    assert name
    assert form
    backend = backend if form.schema is None else Backend.PURE
    violations = explained(document, form.checks.advice(), _bundle(form, name), backend)
    if isinstance(source, Source):
        violations = [_as_text(violation, source) for violation in violations]
    return [
        locate(violation.mistake, shape_rule(violation.rule, form.family), path, source)
        for violation in violations
    ]


def misspelt_key_findings(
    document: Document, path: str, places: Callable[[], Places | None]
) -> list[Finding]:
    """The findings of unknown keys of a document."""
    form, name = document.format, document.schema
    assert form
    assert name
    if form.schema is None and not has_unknown_keys(name, document.data):
        return []
    from evalmark.validator.formats.explaining.misspelt_keys import (
        misspelt_keys,  # few have such keys
    )

    rule = shape_rule("misspelt-key", form.family)
    mistakes = misspelt_keys(document, _place(form, name))
    return [locate(mistake, rule, path, places()) for mistake in mistakes]


@cache
def _place(form: Format, name: str) -> KnownKeys:
    from evalmark.schemas.known_keys import known_keys_of

    return known_keys_of(_bundle(form, name))


@cache
def _bundle(form: Format, name: str) -> dict[str, Any]:
    return bundle(name) if form.schema is None else _of_package(form.schema())


_DRAFT = "http://json-schema.org/draft-07/schema#"


def _of_package(schema: Schema) -> Schema:
    """The schema of another package: of draft-07, with references to its own definitions alone."""
    if str(schema.get("$schema")).rstrip("#") != _DRAFT.rstrip("#"):
        instead = f", not {json.dumps(schema['$schema'])}" if "$schema" in schema else ""
        raise ConfigError(f'`$schema` must be "{_DRAFT}"{instead}')
    targets = {f"#/definitions/{name}" for name in schema.get("definitions", ())}
    for reference in _references(schema):
        if reference not in targets:
            raise ConfigError(f"`$ref` {json.dumps(reference)} leads to none of its `definitions`")
    return schema


def _references(node: Any) -> Iterator[str]:
    children = node.values() if isinstance(node, dict) else node if isinstance(node, list) else ()
    if isinstance(node, dict) and isinstance(node.get("$ref"), str):
        yield node["$ref"]
    for child in children:
        yield from _references(child)


def _as_text(violation: SchemaMistake, source: Source) -> SchemaMistake:
    """A violation; where a text is expected, brackets of YAML are suggested as a text."""
    if violation.mistake.types != ("string",):
        return violation
    written = source.bracketed(violation.mistake.at.pointer)
    if written is None:
        return violation
    helps = (Action.WRITE(json.dumps(written, ensure_ascii=False)),)
    return violation._replace(mistake=replace(violation.mistake, helps=helps, changes=()))


def rule_findings(
    groups: Iterable[RuleGroup],
    view: object,
    reading: Reading,
    select: Collection[str] = (),
    failed: Callable[[Exception, str], Finding] = failed_check,
) -> tuple[list[Finding], tuple[str, ...]]:
    """The findings of rules in a view, and remarks on what they could not check."""
    findings: list[Finding] = []
    remarks = dict[str, None]()
    for found in found_by(groups, view, reading.path, lambda: reading.source, select, failed):
        if isinstance(found, Remark):
            remarks[f"{reading.path}: {found.text}"] = None
        elif found.code not in NOT_CHECKED or found not in findings:
            findings.append(found)
    return findings, tuple(remarks)
