"""``--profile eee``: the verdict of Every Eval Ever's validator, the gate, beside our findings.

The gate parses a record with models of its own, and runs checks that are not in the schema. What it
refuses is worked out apart from our findings (``contents_refused``, ``gate_files``). Findings then
say what the gate accepts, and what it refuses has a finding.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any

from evalmark.schemas.files import bundle
from evalmark.validator.findings.finding import Action, At, Finding, Hit, Places, Severity, locate
from evalmark.validator.format import Document, Verdicts
from evalmark.validator.formats.records.datastore_rule_table import (
    GATE_REJECTS,
    GATE_VERSION,
)
from evalmark.validator.formats.records.gate.gate_files import (
    SAMPLES,
    VERSION,
    GateRows,
    of_a_record,
    of_samples,
    parse_strict,
)
from evalmark.validator.formats.records.gate.gate_models import content_refusals, misfits
from evalmark.validator.formats.records.gate.refusal import (
    LETS_PASS,
    Refusal,
    Topic,
    away_from,
    said_and_unsaid,
    topics_of,
    verdict,
)
from evalmark.validator.reading.reading import Reading

#: Errors of reading that the gate does not share: it parses the file, whatever we think of it.
_LENIENT = frozenset({"F007", "F008", "F009"})
#: Rules on whole sample files, which are judged when the file is read to its end.
_WHOLE_FILE = ("EE31", "EE32", "EE23")


def contents_refused(record: Any) -> list[Refusal]:
    """The refusals of the models and the checks of contents for a record."""
    refusals = [*misfits(record, bundle(f"record-{VERSION}")), *content_refusals(record)]
    # Two checks may say the same of one value.
    return list({(refusal.pointer, refusal.message): refusal for refusal in refusals}.values())


def of_a_row(
    refused: list[Refusal],
    findings: list[Finding],
    document: Document | None,
    path: str,
    source: Places | None,
) -> list[Finding]:
    """The findings of a row, as the gate has them, and one for what else it refuses.

    A row that we could not parse is not a document: its findings say what the gate accepts of it.
    """
    if document is None:
        return findings if refused else _accepted(findings)
    whole = [finding for finding in findings if finding.code.startswith(_WHOLE_FILE)]
    findings = [finding for finding in findings if not finding.code.startswith(_WHOLE_FILE)]
    return [*_as_the_gate_has_it(findings, refused, document, path, source), *whole]


def judge_record(
    document: Document,
    reading: Reading,
    findings: list[Finding],
    rows: GateRows | None,
    samples: str | None,
) -> tuple[list[Finding], Verdicts]:
    """The findings of a record and of its sample file as the gate has them, and the verdicts.

    Args:
        document: The record.
        reading: How it was read.
        findings: Ours, on it and on its sample file.
        rows: The rows of its sample file as the gate sees them, if they have been read.
        samples: The path of that file.
    """
    path = reading.path
    contents = contents_refused(document.data)
    if reading.findings:  # we read on, with a byte order mark for example; the gate does not
        names = tuple(finding.name for finding in reading.findings)
        contents = [Refusal("schema", "not JSON", None, names)]
    beside = os.path.abspath(f"{os.path.splitext(path)[0]}{SAMPLES}")
    is_beside = samples is not None and os.path.abspath(samples) == beside
    files: list[Refusal] = []
    if os.path.isfile(path):  # what comes from elsewhere has no place
        files += of_a_record(path, document.data, rows if is_beside else None)
    judged = [(path, verdict([*contents, *files]))]
    if samples is not None and rows is not None:
        of_rows = _sample_refusals(samples, rows)
        judged.append((samples, verdict(of_rows)))
        files += [refusal for refusal in of_rows if refusal.check != "schema"]
    of_record = [finding for finding in findings if finding.path == path]
    others = [finding for finding in findings if finding.path != path]
    _, unsaid = said_and_unsaid(files, others)
    refused = [*contents, *unsaid]
    of_gate = _as_the_gate_has_it(of_record, refused, document, path, reading.source)
    return [*of_gate, *_whole_file(others, files)], tuple(judged)


def judge_samples(
    document: Document, path: str, findings: list[Finding], rows: GateRows
) -> tuple[list[Finding], Verdicts]:
    """The same for a sample file that is checked without its record."""
    refused = _sample_refusals(path, rows)
    files = [refusal for refusal in refused if refusal.check != "schema"]
    _, unsaid = said_and_unsaid(files, findings)
    whole = _whole_file(findings, files)
    return [*whole, *_own(unsaid, document._replace(version=VERSION), path, None)], (
        (path, verdict(refused)),
    )


def judge_unread(reading: Reading, findings: list[Finding]) -> tuple[list[Finding], Verdicts]:
    """The same for a document that we did not parse; the gate parses some of them."""
    path = reading.path
    if findings and {finding.code for finding in findings} <= _LENIENT and reading.text is not None:
        try:
            data = parse_strict(reading.text)
        except (ValueError, RecursionError):
            data = None
        refused = [*contents_refused(data), *of_a_record(path, data, None)]
        if verdict(refused) != "refuse":
            return _accepted(findings), ((path, verdict(refused)),)
    return findings, ((path, "refuse"),)


def _accepted(findings: list[Finding]) -> list[Finding]:
    """Findings with a note that the gate accepts what they are about."""
    return [replace(finding, notes=(*finding.notes, LETS_PASS)) for finding in findings]


def _sample_refusals(path: str, rows: GateRows) -> list[Refusal]:
    refused = list(of_samples(path, rows))
    if not rows.as_samples.is_readable:
        refused.append(Refusal("schema", "a row is not valid"))
    return refused


def _whole_file(findings: Iterable[Finding], files: list[Refusal]) -> list[Finding]:
    """Findings on a sample file: what concerns single rows has its note already."""
    severities = _severities(files)
    return [
        _as_said(finding, severities) if finding.code.startswith(_WHOLE_FILE) else finding
        for finding in findings
    ]


def _as_the_gate_has_it(
    findings: list[Finding],
    refused: list[Refusal],
    document: Document,
    path: str,
    source: Places | None,
) -> list[Finding]:
    reported, unsaid = said_and_unsaid(refused, findings)
    contents = {topic for r in reported if r.pointer is not None for topic in r.topics}
    saying = (finding for finding in findings if not contents.isdisjoint(topics_of(finding)))
    severities = _severities(reported)
    with_notes = [_as_said(finding, severities) for finding in findings]
    others = away_from(unsaid, (finding.pointer for finding in saying))
    return [*with_notes, *_own(others, document, path, source)]


def _severities(refused: Iterable[Refusal]) -> dict[Topic, set[Severity]]:
    """The severities of refusals, by what a finding has in common with them."""
    severities: dict[Topic, set[Severity]] = {}
    for refusal in refused:
        for topic in refusal.topics:
            severities.setdefault(topic, set()).add(refusal.severity)
    return severities


def _as_said(finding: Finding, refused: dict[Topic, set[Severity]]) -> Finding:
    """A finding with a note if the gate accepts what it is about, or an error if it does not."""
    severities = {severity for topic in topics_of(finding) for severity in refused.get(topic, ())}
    if Severity.ERROR in severities:
        return replace(finding, severity=Severity.ERROR)
    if severities:
        return finding
    return _accepted([finding])[0]


def _own(
    refused: list[Refusal], document: Document, path: str, source: Places | None
) -> Iterator[Finding]:
    """The findings for what the gate refuses and nothing else says."""
    contents = [refusal for refusal in refused if refusal.pointer is not None]
    if contents and document.version != VERSION:
        kind = "record" if document.is_record else "row"
        first = contents[0]
        more = f" (and {len(contents) - 1} more)" if len(contents) > 1 else ""
        hit = Hit(
            f"EEE's validator reads every {kind} as version {VERSION} and rejects this one",
            At("/schema_version"),
            notes=(f"first mistake: {first.message}, at {first.pointer or '/'}{more}",),
            helps=(Action.TERMINAL(f"`evalmark convert --to record-{VERSION} FILE`"),),
        )
        yield locate(hit, GATE_VERSION, path, source)
        contents = []
    others = [refusal for refusal in refused if refusal.pointer is None]
    for refusal in (*contents, *others):
        message = f"EEE's validator rejects this: {refusal.message}"
        hit = Hit(message, At(refusal.pointer or ""), helps=refusal.helps)
        finding = locate(hit, GATE_REJECTS, path, source)
        yield replace(finding, severity=refusal.severity)
