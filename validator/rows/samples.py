"""Sample files: one pass, row by row, compared with the record they belong to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, BinaryIO

from evalmark.schemas.engine import engine_for
from evalmark.validator.asked import Asked
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.hit import At, Hit, locate
from evalmark.validator.kinds import identify
from evalmark.validator.reading.source import Source
from evalmark.validator.rows.lines import Progress, Share, file_size, lines
from evalmark.validator.rows.ranges import in_ranges
from evalmark.validator.rows.sample_rows import Expected, SampleRows, expected_by
from evalmark.validator.rules.of_samples import FILE_RULES
from evalmark.validator.views.fields import Fields
from evalmark.validator.views.record import fields_of

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
) -> list[Finding]:
    """Read a sample file to its end; the findings, those of the record's link included.

    Args:
        file: The file, open.
        path: Its name.
        asked: What the caller wants.
        record: The record it belongs to, if there is one.
        record_source: Its text, under its name.
        progress: Called from time to time with the number of bytes read.
        share: What shares a large file out to several processes; see ``check_one``.
    """
    size = file_size(file)
    expected = expected_by(record, asked, asked.engine or engine_for([size]))
    digest = hashlib.new(expected.algorithm, usedforsecurity=False)
    if share and size > ENOUGH:
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


def _link(record: Fields, rows: SampleRows, checksum: str) -> Iterator[tuple[str, Hit]]:
    stated_rows = record.number("samples_rows")
    if stated_rows is not None and stated_rows != rows.rows:
        yield (
            "row-count",
            Hit(
                f"record says {stated_rows:g} rows, but the sample file has {rows.rows}",
                At(record.at("samples_rows")),
                helps=(f'write "total_rows": {rows.rows}, if the file is complete',),
            ),
        )
    stated = record.text("samples_checksum")
    if stated is not None and stated.lower() != checksum:
        yield (
            "checksum",
            Hit(
                "checksum does not match the sample file",
                At(record.at("samples_checksum")),
                helps=(f'if the file is right, write "checksum": "{checksum}"',),
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
                    f"score is {score:g}, but the mean of its {count} rows is {mean:.6g}",
                    At(pointer),
                    helps=("check whether the score is a mean of the rows",),
                ),
            )


def _located(rule: str, hit: Hit, path: str, source: Source | None) -> Finding:
    assert source is not None
    hit = replace(hit, notes=(f"sample file: {path}",))
    return locate(hit, FILE_RULES[rule], source.path, source)


def _decimals(value: float) -> int:
    text = repr(value)
    if "e" in text:
        return 12
    return len(text.partition(".")[2])
