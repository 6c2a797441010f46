"""The way of one file: read → identify → schema → rules → report."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from io import BytesIO
from operator import attrgetter
from os import PathLike
from typing import Any, Unpack

from evalmark.schemas import versions
from evalmark.schemas.accepting import accepts
from evalmark.schemas.backend import backend_for
from evalmark.schemas.errors import Rejected
from evalmark.validator.asked import MODELS, Arguments, Asked, asked
from evalmark.validator.edge.opening import open_regular, read_whole
from evalmark.validator.findings.file_findings import file_finding, internal_error, unknown_version
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import Hit, locate
from evalmark.validator.findings.report import Report
from evalmark.validator.formats.hub.repositories import is_in_results
from evalmark.validator.identity import identity_of
from evalmark.validator.kind import Kind
from evalmark.validator.kinds import (
    KINDS,
    ROW_KINDS,
    Document,
    could_be_ours,
    identify,
    kind_of_table,
    load,
)  # fmt: skip
from evalmark.validator.reading.markers import CONFLICT
from evalmark.validator.reading.reading import Reading, read
from evalmark.validator.reading.strict_json import MAX_DEPTH, is_shallow
from evalmark.validator.rules.rule import Rule

#: The log of a run of the LTM benchmark, whatever it holds.
LTM_LOG = "master_log.jsonl"


def check_one(
    path: str, asked: Asked, content: bytes | Reading | None = None, **how: Any
) -> Report:
    """Check one file; every check goes this way.

    Args:
        path: The file, or ``-`` for standard input.
        asked: What the caller wants.
        content: What the file holds, if that is known already.
        how: ``progress`` is called with the bytes read so far of a file of rows; ``share`` does
            what ``in_processes`` does, for a large one; ``seen`` is called with the bytes of a
            document, ``wants`` with it and its reading: whether to check it.
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
    verdicts: tuple[tuple[str, str], ...] = ()
    seen, wants = how.pop("seen", None), how.pop("wants", None)
    if path.endswith(".jsonl") and not isinstance(content, Reading):
        return _check_rows(path, asked, content, how)
    if (
        path.endswith((".csv", ".tsv"))
        and not isinstance(content, Reading)
        and (report := _check_table(path, asked, content, how)) is not None
    ):
        return report
    kind = asked.kind or _kind_at(path)
    reading = content if isinstance(content, Reading) else _read(path, asked, kind, content, seen)
    if not reading.readable:
        return _unread(reading, asked)
    document = identify(reading.data, kind, asked.schema_version)
    if wants is not None and not wants(document, reading):
        return Report(path, document.kind, document.version)
    unused = _unused_version(path, document.kind, asked)
    findings = list(reading.findings)
    repeats = _repeats(document.traits)
    if check_list := document.traits.in_lists:
        findings += load(check_list)(document, reading, asked, repeats=repeats)
    elif mistakes := _schema_mistakes(document, reading):
        findings += mistakes
    elif not asked.schema_only:
        found, remarks = _rule_findings(document, reading, asked)
        findings += found
    findings = _placed(document, reading, asked, findings)
    rows = load("formats.records.gate.gate_rows:GateRows")() if asked.profile else None
    if content is None and not asked.schema_only:
        found, companions = _companions(document, reading, asked, findings, {**how, "gate": rows})
        findings += found
    if asked.profile and document.traits.has_place:
        samples = companions[0] if companions else None
        judge = load("formats.records.gate.gate:judge_record")
        findings, verdicts = judge(document, reading, findings, rows if samples else None, samples)
    elif asked.profile and document.kind is None:
        verdicts = ((path, "refuse"),)
    if asked.own is not None and document.kind is not None:
        findings = load("repository.own_findings:own_findings")(document, reading, asked, findings)
    findings = sorted(findings, key=attrgetter("sort_key"))
    return Report(
        path,
        document.kind,
        document.version,
        tuple(findings),
        (*unused, *remarks),
        companions,
        identity_of(document),
        verdicts,
        repeats,
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


def _read(path: str, asked: Asked, kind: str | None, raw: bytes | None, seen: Any) -> Reading:
    """Read a document; YAML without any of our keys is left unread, since it may be large."""
    if raw is None:
        raw = sys.stdin.buffer.read() if path == "-" else read_whole(path)
    if seen:
        seen(raw)
    if kind is None and path.endswith((".yaml", ".yml")) and not could_be_ours(raw, path):
        return Reading(path, data={}, readable=True)
    return read(raw, path, asked.backend or backend_for([len(raw)]))


def _unread(reading: Reading, asked: Asked) -> Report:
    """The report of a document that could not be parsed."""
    findings: list[Finding] = list(reading.findings)
    verdicts: tuple[tuple[str, str], ...] = ()
    if asked.profile:
        findings, verdicts = load("formats.records.gate.gate:judge_unread")(reading, findings)
    return Report(reading.path, None, None, tuple(findings), verdicts=verdicts)


def _schema_mistakes(document: Document, reading: Reading) -> list[Finding]:
    """Why a document cannot be passed to rules; explaining is loaded only for a mistake."""
    path, name = reading.path, document.schema
    if document.kind is None:
        known = "; ".join(f"{kind.name}: {kind.looks}" for kind in KINDS.values())
        return [_unrecognized(path, f"looked for {known}", document.data)]
    if name is None:
        known_versions, version = versions.names(document.kind), str(document.version)
        return [unknown_version(document.kind, version, known_versions, path, reading.source)]
    if accepts(name, document.data, reading.backend):
        return []
    from evalmark.validator.explaining.mistakes import mistakes  # loads jsonschema

    return mistakes(document, path, reading.source, reading.backend)


def _rule_findings(
    document: Document, reading: Reading, asked: Asked
) -> tuple[list[Finding], tuple[str, ...]]:
    """What rules find, and what they could not check."""
    traits = document.traits
    if not traits.rules:
        return [], ()
    rules: tuple[Rule, ...] = load(traits.rules)
    view = load(traits.view)(document, reading, asked.join, MODELS[asked.models])
    findings: list[Finding] = []
    remarks = []
    for rule in rules:
        if rule.check is None or (rule.optional and rule.code not in asked.select):
            continue
        for hit in rule.check(view):
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
    from evalmark.validator.formats.records.datastore.beyond_validity import beyond_validity

    gate, everywhere = asked.profile == "eee", asked.datastore
    return beyond_validity(document, reading, findings, gate=gate, everywhere=everywhere)


def _kind_at(path: str) -> str | None:
    """The kind of a file that is told from its path, so that none is skipped for its content."""
    if path.endswith(".def.json"):
        return "ltm-definition"
    if is_in_results(path):
        return "eval-results"
    if "definitions" not in path and "results" not in path:
        return None
    from evalmark.validator.formats.ltm.ltm_run import kind_at  # few files lie there

    return kind_at(path)


def _below_data(path: str) -> bool:
    """Whether a file lies three folders below a folder ``data``, as in a datastore."""
    whole = path if os.path.isabs(path) else os.path.join(os.getcwd(), path)
    return "data" in whole and os.path.abspath(whole).split(os.sep)[-5:-4] == ["data"]


def _companions(
    document: Document, reading: Reading, asked: Asked, findings: list[Finding], how: Any
) -> tuple[list[Finding], tuple[str, ...]]:
    """What is found in the sample file that a record names, and its path."""
    if not document.traits.has_companions:
        return [], ()
    from evalmark.validator.formats.records.record_view import fields_of

    record = document.data
    if not fields_of(document).has("samples"):
        return [], ()
    from evalmark.validator.formats.records.samples.check_samples import check_samples
    from evalmark.validator.formats.records.samples.companions import companion, link_findings

    samples, source = companion(record, reading.path), reading.source
    if samples is None or source is None:
        return [], ()
    if not samples.path:
        return link_findings(samples, reading.path, source, tuple(findings)), ()
    path = samples.path
    with samples.opened() as file:
        has_rows = fields_of(document).number("samples_rows") != 0
        finding = _no_rows(file, path, is_sample=has_rows)
        if finding is None:
            found = check_samples(file, path, asked, record=record, record_source=source, **how)
            finding = _unmerged(found, path)
    if finding is None:
        return found, (path,)
    if (gate := how["gate"]) is not None:
        gate.refuse()
    return [finding], (path,)


def _check_rows(path: str, asked: Asked, raw: bytes | None, how: Any) -> Report:
    """Check a file of rows: a sample file or a log."""
    from evalmark.validator.rows.lines import first_row, kind_of_rows

    with open_regular(path) if raw is None else BytesIO(raw) as file:
        named = "ltm-log" if os.path.basename(path) == LTM_LOG else None
        refused = ((path, "refuse"),) if asked.profile else ()
        if not named and (finding := _no_rows(file, path)):
            return Report(path, None, None, (finding,), verdicts=refused)
        kind = asked.kind or named or kind_of_rows(file)
        if kind not in ROW_KINDS:
            known = "; ".join(f"{kind}: {KINDS[kind].looks}" for kind in ROW_KINDS)
            row: Any = {}
            with suppress(Rejected):  # a kind was asked for, whatever the rows are
                row = first_row(file)
            finding = _unrecognized(path, f"looked for {known}", row)
            return Report(path, None, None, (finding,), verdicts=refused)
        unused = _unused_version(path, kind, asked)
        if not asked.profile or not KINDS[kind].is_versioned:
            return _rows_report(file, path, kind, asked, how)
        rows = load("formats.records.gate.gate_rows:GateRows")()
        found = load(KINDS[kind].rows)(file, path, asked, gate=rows, **how)
        if finding := _unmerged(found, path):
            return Report(path, kind, None, (finding,), unused, verdicts=refused)
        found, verdicts = load("formats.records.gate.gate:judge_samples")(path, found, rows)
        return Report(path, kind, None, tuple(found), unused, verdicts=verdicts)


def _check_table(path: str, asked: Asked, raw: bytes | None, how: Any) -> Report | None:
    """Check a table of rows; None if it is another one."""
    from evalmark.validator.formats.pairs.table_row import header_of  # few files are tables

    with open_regular(path) if raw is None else BytesIO(raw) as file:
        kind = asked.kind or kind_of_table(header_of(file, path))
        if kind is None or not KINDS[kind].in_tables:
            return None
        return _rows_report(file, path, kind, asked, how)


def _rows_report(file: Any, path: str, kind: str, asked: Asked, how: Any) -> Report:
    """The report of a file of rows that is checked without a profile."""
    repeats = _repeats(KINDS[kind])
    shared = {} if repeats is None else {"repeats": repeats}
    found = load(KINDS[kind].rows)(file, path, asked, **how, **shared)
    if finding := _unmerged(found, path):
        found = [finding]
    unused = _unused_version(path, kind, asked)
    return Report(path, kind, None, tuple(found), unused, repeats=repeats)


def _repeats(traits: Kind) -> Any:
    """What takes in what the other files of the call are compared with."""
    return load(traits.compared)() if traits.compared else None


def _no_rows(file: Any, path: str, *, is_sample: bool = False) -> Finding | None:
    """The finding for a file that does not have an object on each line; see ``not_rows``."""
    from evalmark.validator.rows.lines import may_be_no_rows

    if not may_be_no_rows(file):
        return None
    from evalmark.validator.rows.unrecognized import not_rows  # for other files only

    return not_rows(file, path, is_sample=is_sample)


def _unmerged(found: list[Finding], path: str) -> Finding | None:
    """The finding on a conflict among those on rows; nothing else is said of the file then."""
    return next((each for each in found if each.path == path and each.message == CONFLICT), None)


def _unused_version(path: str, kind: str | None, asked: Asked) -> tuple[str, ...]:
    """A remark if a version was asked for and the file is of a kind that has none."""
    if asked.schema_version is None or kind is None or KINDS[kind].is_versioned:
        return ()
    version = asked.schema_version
    return (f"{path}: schema version {version} not used: there is one version of {kind}",)


def _unrecognized(path: str, note: str, data: Any) -> Finding:
    from evalmark.validator.rows.unrecognized import unrecognized  # for other files only

    return unrecognized(path, note, data)
