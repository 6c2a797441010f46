"""``--profile eee``: what Every Eval Ever's validator, the gate, refuses of a record and samples.

What passes here passes there: the gate accepts what follows the schema of the version that it
reads, but for what its checks ask beyond that (``gate_contents``, ``gate_files``). Whatever it
refuses has an error. It reads some values leniently ("1024" for a number), which are errors here.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import replace

from evalmark.schemas.backend import accepts
from evalmark.validator.findings.finding import Action, At, Finding, Hit, Places, Severity, locate
from evalmark.validator.format import Document, Verdicts
from evalmark.validator.formats.records.datastore_rule_table import (
    GATE_REJECTS,
    GATE_VERSION,
)
from evalmark.validator.formats.records.gate.gate_contents import content_refusals, too_large
from evalmark.validator.formats.records.gate.gate_files import (
    SAMPLES,
    VERSION,
    GateRows,
    of_a_record,
    of_samples,
)
from evalmark.validator.formats.records.gate.refusal import Refusal, topics_of
from evalmark.validator.reading.reading import Reading

#: Rules that say that a file does not fit its version, or that there is no such version.
_OF_VERSIONS = ("wrong-version", "unfit-old-record", "unknown-version")


def judge_record(
    document: Document,
    reading: Reading,
    findings: list[Finding],
    rows: GateRows | None,
    samples: str | None,
) -> tuple[list[Finding], Verdicts]:
    """The findings of a record and of its sample file, with those of the gate, and the verdicts.

    Args:
        document: The record.
        reading: How it was read.
        findings: Ours, on it and on its sample file.
        rows: The rows of its sample file as the gate sees them, if they have been read.
        samples: The path of that file.
    """
    path, refused, of_rows = reading.path, list[Refusal](), list[Refusal]()
    fits = not reading.findings and accepts(f"record-{VERSION}", document.data)
    own: list[Finding] = []
    if not fits and not reading.findings:
        own = _of_version(document, findings, path, reading.source)
    if fits:
        refused += content_refusals(document.data)
        refused += too_large(document.data, f"record-{VERSION}")
    if os.path.isfile(path):  # what comes from elsewhere has no place
        beside = os.path.abspath(f"{os.path.splitext(path)[0]}{SAMPLES}")
        is_beside = samples is not None and os.path.abspath(samples) == beside
        refused += of_a_record(path, document.data, rows if is_beside else None)
    if samples is not None and rows is not None:
        of_rows += of_samples(samples, rows)
    findings = [*_raised(findings, (*refused, *of_rows)), *own]
    findings += _unsaid((*refused, *of_rows), findings, path, reading.source)
    verdicts = [(path, _verdict(path, findings, refused))]
    if samples is not None:
        verdicts.append((samples, _verdict(samples, findings, of_rows)))
    return findings, tuple(verdicts)


def judge_samples(
    path: str, findings: list[Finding], rows: GateRows
) -> tuple[list[Finding], Verdicts]:
    """The same for a sample file that is checked without its record."""
    refused = list(of_samples(path, rows))
    findings = _raised(findings, refused)
    findings += _unsaid(refused, findings, path, None)
    return findings, ((path, _verdict(path, findings, refused)),)


def of_a_row(
    findings: list[Finding], document: Document | None, path: str, source: Places | None
) -> list[Finding]:
    """The findings of a row that the gate does not take for one."""
    if document is None:
        return findings  # it is not JSON
    own = _of_version(document, findings, path, source)
    if not own and not any(finding.severity is Severity.ERROR for finding in findings):
        own = [_found(Refusal("not one row to it, since something ends a line"), path, source)]
    return [*findings, *own]


def _verdict(path: str, findings: Iterable[Finding], refused: Iterable[Refusal]) -> str:
    """``pass`` if a file has no errors, and the gate refuses nothing of it; else ``refuse``."""
    on_file = (finding.severity for finding in findings if finding.path == path)
    severities = {*on_file, *(refusal.severity for refusal in refused)}
    return "refuse" if Severity.ERROR in severities else "pass"


def _raised(findings: Iterable[Finding], refused: Iterable[Refusal]) -> list[Finding]:
    """The findings; those on what the gate refuses are errors."""
    topics = {
        topic
        for refusal in refused
        if refusal.severity is Severity.ERROR
        for topic in refusal.topics
    }
    return [
        finding
        if topics.isdisjoint(topics_of(finding))
        else replace(finding, severity=Severity.ERROR)
        for finding in findings
    ]


def _unsaid(
    refused: Iterable[Refusal], findings: list[Finding], path: str, source: Places | None
) -> Iterator[Finding]:
    """The findings for what the gate refuses and no other finding says."""
    said = {topic for finding in findings for topic in topics_of(finding)}
    yield from (_found(each, path, source) for each in refused if said.isdisjoint(each.topics))


def _found(refusal: Refusal, path: str, source: Places | None) -> Finding:
    message = f"EEE's validator rejects this: {refusal.message}"
    hit = Hit(message, At(refusal.pointer or ""), helps=refusal.helps)
    return replace(locate(hit, GATE_REJECTS, path, source), severity=refusal.severity)


def _of_version(
    document: Document, findings: list[Finding], path: str, source: Places | None
) -> list[Finding]:
    """The finding for a record or a row of another version than the gate reads."""
    if document.version == VERSION or any(finding.name in _OF_VERSIONS for finding in findings):
        return []  # its schema says what is wrong, or a rule that the version is
    kind = "record" if document.is_record else "row"
    hit = Hit(
        f"EEE's validator reads every {kind} as version {VERSION} and rejects this one",
        At("/schema_version"),
        helps=(Action.TERMINAL(f"`evalmark convert --to record-{VERSION} FILE`"),),
    )
    return [locate(hit, GATE_VERSION, path, source)]
