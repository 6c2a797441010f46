"""Sample files: one pass, row by row, beside the record they belong to."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, BinaryIO

from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import At, Hit, locate
from evalmark.validator.kinds import identify
from evalmark.validator.reading.source import Source
from evalmark.validator.reading.strict_json import expect_bytes
from evalmark.validator.rows.lines import Progress, lines
from evalmark.validator.rows.sample_rows import Expected, SampleRows, expected_by
from evalmark.validator.rules.of_samples import FILE_RULES
from evalmark.validator.views.fields import Fields
from evalmark.validator.views.record import fields_of

if TYPE_CHECKING:
    from evalmark.validator.batch.workers import Share

#: Bytes of a file that repay the start of processes.
ENOUGH = 20_000_000


def check_samples(
    file: BinaryIO,
    path: str,
    *,
    record: Mapping[str, Any] | None = None,
    record_source: Source | None = None,
    schema_version: str | None = None,
    gate: bool = False,
    progress: Progress | None = None,
    share: Share | None = None,
    schema_only: bool = False,
) -> list[Finding]:
    """Read a sample file to its end; the findings, those of the record's link included.

    Args:
        file: The file, open.
        path: Its name.
        record: The record it belongs to, if there is one.
        record_source: Its text, under its name.
        schema_version: Hold rows against this version rather than their own.
        gate: Note what the gate of Every Eval Ever would let pass.
        progress: Called now and then with the bytes read so far.
        share: What shares a large file out to several processes; see ``check_file``.
        schema_only: Hold rows against their schema, and not against each other.
    """
    expected = expected_by(record, schema_version, gate)._replace(schema_only=schema_only)
    digest = hashlib.new(expected.algorithm, usedforsecurity=False)
    size = _size(file)
    expect_bytes([size])
    if share and size > ENOUGH:
        from evalmark.validator.rows.ranges import in_ranges

        rows = in_ranges(file, path, expected, digest.update, progress, share)
    else:
        rows = SampleRows(path, expected)
        for number_, line, whole in lines(file, progress):
            digest.update(line)
            if whole is not None:
                rows.check(number_, line if whole else None)
    if record is None:
        return rows.close()
    view = fields_of(identify(record, "record"))
    hits = (*_link(view, rows, digest.hexdigest()), *_aggregates(rows, expected))
    of_record = [_located(rule, hit, path, record_source) for rule, hit in hits]
    return [*rows.close(), *of_record]


def _size(file: BinaryIO) -> int:
    try:
        return os.fstat(file.fileno()).st_size
    except OSError:  # bytes in memory
        return 0


def _link(record: Fields, rows: SampleRows, checksum: str) -> Iterator[tuple[str, Hit]]:
    stated_rows = record.number("samples_rows")
    if stated_rows is not None and stated_rows != rows.rows:
        yield (
            "row-count",
            Hit(
                f"record says {stated_rows:g} rows, the sample file has {rows.rows}",
                At(record.at("samples_rows")),
                helps=(f'write "total_rows": {rows.rows}, if the file is whole',),
            ),
        )
    stated = record.text("samples_checksum")
    if stated is not None and stated.lower() != checksum:
        yield (
            "checksum",
            Hit(
                "the sample file has another checksum",
                At(record.at("samples_checksum")),
                helps=(f'if the file is as it should be, write "{checksum}"',),
            ),
        )


def _aggregates(rows: SampleRows, expected: Expected) -> Iterator[tuple[str, Hit]]:
    for name, (count, total) in rows.sums.items():
        pointer, score = expected.results.get(name, ("", None))
        if score is None:
            continue
        mean = float(total / count)
        width = 0.5 * 10 ** -max(2, _decimals(score)) + 1e-12
        if abs(mean - score) > width and abs(100 * mean - score) > width:
            yield (
                "aggregate-differs",
                Hit(
                    f"score is {score:g}, the mean of its {count} rows is {mean:.6g}",
                    At(pointer),
                    helps=("is the score a mean of the rows?",),
                ),
            )


def _located(rule: str, hit: Hit, path: str, source: Source | None) -> Finding:
    assert source is not None
    hit = hit._replace(notes=(f"sample file: {path}",))
    return locate(hit, FILE_RULES[rule], source.path, source)


def _decimals(value: float) -> int:
    text = repr(value)
    if "e" in text:
        return 12
    return len(text.partition(".")[2])
