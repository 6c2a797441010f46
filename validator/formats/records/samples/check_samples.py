"""Sample files: one pass, row by row, compared with the record they belong to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from evalmark.schemas.backend import backend_for
from evalmark.validator.asked import Asked
from evalmark.validator.fields import Fields
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import At, Hit, locate
from evalmark.validator.formats.records.record_view import fields_of
from evalmark.validator.formats.records.samples.sample_rows import (
    ALGORITHMS,
    Expected,
    SampleRows,
    expected_by,
)
from evalmark.validator.formats.records.samples.sample_rule_table import FILE_RULES
from evalmark.validator.kinds import Document, identify
from evalmark.validator.reading.lines import Progress, file_size, lines
from evalmark.validator.reading.source import Source
from evalmark.validator.rows.lines import Share
from evalmark.validator.rows.ranges import in_ranges

if TYPE_CHECKING:  # loaded for a profile only
    from evalmark.validator.formats.records.gate.gate_rows import GateRows

#: Bytes of a file for which starting workers pays.
ENOUGH = 20_000_000


def check_samples(
    file: BinaryIO,
    path: str,
    asked: Asked,
    *,
    record: Mapping[str, Any] | None = None,
    record_source: Source | None = None,
    progress: Progress | None = None,
    share: Share | None = None,
    gate: GateRows | None = None,
) -> list[Finding]:
    """Read a sample file to its end, and compare it with its record if there is one.

    ``progress`` and ``share`` are explained at ``check_one``; ``gate`` takes in the rows as a
    leaderboard's validator sees them, if the profile asks for that.
    """
    size = file_size(file)
    expected = expected_by(record, asked, asked.backend or backend_for([size]))
    digest = hashlib.new(expected.algorithm, usedforsecurity=False)
    if share and size > ENOUGH:
        new = partial(SampleRows, path, expected)
        rows = in_ranges(file, path, new, digest.update, progress, share)
    else:
        rows = SampleRows(path, expected)
        for number, line, whole in lines(file, progress):
            digest.update(line)
            if whole is not None:
                rows.check(number, line if whole else None)
    if gate is not None and rows.gate is not None:
        gate.take(rows.gate)
    own = _own_findings(record, path, asked, rows.rows) if asked.own else []
    if record is None:
        return [*rows.close(), *own]
    view = fields_of(identify(record, "record"))
    assert record_source is not None
    findings = [*rows.close(), *own]
    problems = list(_link(view, rows, digest.hexdigest()))
    if not (rows.left_out or rows.duplicates or "row-count" in dict(problems)):
        # Else the rows are not those of the score, and there is a finding that says so.
        problems += _aggregates(rows, expected)
    for rule, hit in problems:
        hit = replace(hit, notes=(f"sample file: {path}",))
        findings.append(locate(hit, FILE_RULES[rule], record_source.path, record_source))
    return findings


def _own_findings(record: Any, path: str, asked: Asked, rows: int) -> list[Finding]:
    """What the rules of the repository find."""
    from evalmark.validator.repository.own_findings import row_findings  # few have any

    document = Document(None, "sample") if record is None else identify(record, "record")
    return row_findings(document, path, asked, rows)


def _link(record: Fields, rows: SampleRows, checksum: str) -> Iterator[tuple[str, Hit]]:
    stated_rows = record.number("samples_rows")
    is_repeated = stated_rows == rows.rows - rows.duplicates  # that is a finding already
    if stated_rows is not None and stated_rows != rows.rows and not is_repeated:
        message = f"record says {stated_rows:g} rows, but the sample file has {rows.rows}"
        help_text = f'write "total_rows": {rows.rows}, if the file is complete'
        yield "row-count", Hit(message, At(record.at("samples_rows")), helps=(help_text,))
    stated = record.text("samples_checksum")
    is_known = record.get("samples_algorithm") in (None, *ALGORITHMS)
    if stated is not None and stated.lower() != checksum and is_known and not rows.left_out:
        message = "checksum does not match the sample file"
        help_text = f'if the file is right, write "checksum": "{checksum}"'
        yield "checksum", Hit(message, At(record.at("samples_checksum")), helps=(help_text,))


def _aggregates(rows: SampleRows, expected: Expected) -> Iterator[tuple[str, Hit]]:
    scores = dict(expected.results.values())
    for pointer, (count, total) in rows.sums.items():
        score = scores.get(pointer)
        if score is None:
            continue
        mean = float(total / count)
        width = 0.5 * 10 ** -max(2, _decimals(score)) + 1e-12
        if abs(mean - score) > width and abs(100 * mean - score) > width:
            message = f"score is {score:g}, but the mean of its {count} rows is {mean:.6g}"
            help_text = "check whether the score is a mean of the rows"
            yield "aggregate-differs", Hit(message, At(pointer), helps=(help_text,))


def _decimals(value: float) -> int:
    text = repr(value)
    return 12 if "e" in text else len(text.partition(".")[2])
