"""The way of one file: read → identify → schema → rules → report."""

from __future__ import annotations

import os
import sys
from io import BytesIO
from os import PathLike
from typing import Any, Unpack

from evalmark.schemas import versions
from evalmark.schemas.accepting import accepts
from evalmark.schemas.engine import engine_for
from evalmark.validator.asked import Arguments, Asked, asked
from evalmark.validator.edge.opening import open_regular, read_whole
from evalmark.validator.findings.file_findings import file_finding, internal_error, unknown_version
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import Hit, locate
from evalmark.validator.findings.report import Report
from evalmark.validator.kinds import KINDS, ROW_KINDS, Document, could_be_ours, identify, load
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.strict_json import MAX_DEPTH, is_shallow
from evalmark.validator.rules.rule import Rule
from evalmark.validator.views.record import fields_of


def check_one(
    path: str, asked: Asked, content: bytes | Reading | None = None, **how: Any
) -> Report:
    """Check one file; every check goes this way.

    Args:
        path: The file, or ``-`` for standard input.
        asked: What the caller wants.
        content: What the file holds, if that is known already.
        how: ``progress`` is called with the bytes read so far of a file of rows; ``share`` shares
            a large file of rows out to other processes, as ``in_processes`` does once it knows
            how many.
    """
    try:
        return _checked(path, asked, content, how)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        return Report(path, None, None, (file_finding("F011", path, f"cannot be read: {reason}"),))
    except Exception as error:  # a bug of ours is a finding of one file; the others are checked
        return Report(path, None, None, (internal_error(error, path),))


def _checked(path: str, asked: Asked, content: bytes | Reading | None, how: Any) -> Report:
    """The steps of ``check_one``."""
    companions: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    if path.endswith(".jsonl") and not isinstance(content, Reading):
        return _check_rows(path, asked, content, how)
    reading = content if isinstance(content, Reading) else _read(path, asked, content)
    if not reading.readable:
        return Report(path, None, None, tuple(reading.findings))
    document = identify(reading.data, asked.kind, asked.schema_version)
    unused = _unused_version(path, document.kind, asked)
    findings = list(reading.findings)
    mistakes = _schema_mistakes(document, reading)
    if mistakes:
        findings += mistakes
    elif not asked.schema_only:
        found, remarks = _rule_findings(document, reading, asked)
        findings += found
    findings = _placed(document, reading, asked, findings)
    if content is None and not asked.schema_only:
        found, companions = _companions(document, reading, asked, findings, how)
        findings += found
    findings = sorted(findings, key=lambda finding: finding.sort_key)
    return Report(
        path,
        document.kind,
        document.version,
        tuple(findings),
        (*unused, *remarks),
        companions,
        _identity(document),
    )


def check_file(path: str | PathLike[str], **arguments: Unpack[Arguments]) -> Report:
    """Check one file; a record together with the sample file it names.

    Args:
        path: The file, or ``-`` for standard input.
        arguments: See ``Arguments``.

    Returns:
        The report. Bad content is never an exception, and neither is a file that cannot be read.

    Raises:
        UnknownNameError: An argument names nothing that exists.
    """
    return check_one(str(path), asked(**arguments))


def check_text(text: str, *, path: str = "<text>", **arguments: Unpack[Arguments]) -> Report:
    """Check JSON or, if the path says so, YAML text; see ``check_file``."""
    return check_bytes(text.encode("utf-8", "surrogatepass"), path, **arguments)


def check_bytes(raw: bytes, path: str, **arguments: Unpack[Arguments]) -> Report:
    """Check the bytes of a file; see ``check_file``."""
    return check_one(path, asked(**arguments), raw)


def check_data(data: Any, *, path: str = "<data>", **arguments: Unpack[Arguments]) -> Report:
    """Check parsed JSON; see ``check_file``. The findings have pointers, but no lines."""
    reading = Reading(path, data=data, readable=is_shallow(data))
    if not reading.readable:
        reading.findings.append(
            file_finding("F009", path, f"more than {MAX_DEPTH} levels of objects and arrays")
        )
    return check_one(path, asked(**arguments), reading)


def _read(path: str, asked: Asked, raw: bytes | None) -> Reading:
    """Read a document; YAML without any of our keys is left unread, since it may be large."""
    if raw is None:
        raw = sys.stdin.buffer.read() if path == "-" else read_whole(path)
    if asked.kind is None and path.endswith((".yaml", ".yml")) and not could_be_ours(raw):
        return Reading(path, data={}, readable=True)
    return read(raw, path, asked.engine or engine_for([len(raw)]))


def _schema_mistakes(document: Document, reading: Reading) -> list[Finding]:
    """Why a document cannot be passed to rules; explaining is loaded only for a mistake."""
    path, name = reading.path, document.schema
    if document.kind is None:
        known = "; ".join(f"{kind.name}: {kind.looks}" for kind in KINDS.values())
        return [_unrecognized(path, f"looked for {known}")]
    if name is None:
        known_versions, version = versions.names(document.kind), str(document.version)
        return [unknown_version(document.kind, version, known_versions, path, reading.source)]
    if accepts(name, document.data, reading.engine):
        return []
    from evalmark.validator.explaining.mistakes import mistakes  # loads jsonschema

    return mistakes(document, path, reading.source, reading.engine)


def _rule_findings(
    document: Document, reading: Reading, asked: Asked
) -> tuple[list[Finding], tuple[str, ...]]:
    """What rules find, and what they could not check."""
    traits = document.traits
    if not traits.rules:
        return [], ()
    rules: tuple[Rule, ...] = load(traits.rules)
    view = load(traits.view)(document, reading, asked.join)
    findings: list[Finding] = []
    remarks = []
    for rule in rules:
        if rule.optional and rule.code not in asked.select:
            continue
        for hit in rule.hits(view):
            if isinstance(hit, Hit):
                findings.append(locate(hit, rule, reading.path, reading.source))
            else:
                remarks.append(f"{reading.path}: {hit.text}")
    return findings, tuple(dict.fromkeys(remarks))


def _placed(
    document: Document, reading: Reading, asked: Asked, findings: list[Finding]
) -> list[Finding]:
    """The findings of a file, and those on its place in a datastore."""
    wanted = asked.profile or asked.datastore or _below_data(reading.path)
    if not document.traits.has_place or not wanted:
        return findings
    from evalmark.validator.datastore.beyond_validity import beyond_validity

    gate, everywhere = asked.profile == "eee", asked.datastore
    return beyond_validity(document, reading, findings, gate=gate, everywhere=everywhere)


def _below_data(path: str) -> bool:
    """Whether a file lies three folders below a folder ``data``, as in a datastore."""
    return os.path.abspath(path).split(os.sep)[-5:-4] == ["data"]


def _companions(
    document: Document, reading: Reading, asked: Asked, findings: list[Finding], how: Any
) -> tuple[list[Finding], tuple[str, ...]]:
    """What is found in the sample file that a record names, and its path."""
    record = document.data
    if not document.traits.has_companions or not fields_of(document).has("samples"):
        return [], ()
    from evalmark.validator.datastore.companions import companion, link_findings
    from evalmark.validator.rows.samples import check_samples

    samples, source = companion(record, reading.path), reading.source
    if samples is None or source is None:
        return [], ()
    if not samples.path:
        return link_findings(samples, reading.path, source, tuple(findings)), ()
    path = samples.path
    with samples.open() as file:
        found = check_samples(file, path, asked, record=record, record_source=source, **how)
    return found, (path,)


def _check_rows(path: str, asked: Asked, raw: bytes | None, how: Any) -> Report:
    """Check a file of rows: a sample file or a log."""
    from evalmark.validator.rows.lines import kind_of_rows

    with open_regular(path) if raw is None else BytesIO(raw) as file:
        kind = asked.kind or kind_of_rows(file)
        if kind not in ROW_KINDS:
            looks = "; ".join(KINDS[kind].looks for kind in ROW_KINDS)
            return Report(path, None, None, (_unrecognized(path, looks),))
        unused = _unused_version(path, kind, asked)
        found = load(KINDS[kind].rows)(file, path, asked, **how)
        return Report(path, kind, None, tuple(found), unused)


def _unused_version(path: str, kind: str | None, asked: Asked) -> tuple[str, ...]:
    """A remark if a version was asked for and the file is of a kind that has none."""
    if asked.schema_version is None or kind is None or KINDS[kind].is_versioned:
        return ()
    return (
        f"{path}: schema version {asked.schema_version} not used: there is one version of {kind}",
    )


def _unrecognized(path: str, note: str) -> Finding:
    return file_finding(
        "F012",
        path,
        "unrecognized file: not a suite, record, sample file or memory test",
        notes=(note,),
    )


def _identity(document: Document) -> str | None:
    """What must differ between the files of a call: a record's evaluation id."""
    if not document.traits.has_identity:
        return None
    declared = fields_of(document).text("evaluation_id")
    return declared if declared and declared.strip() else None
