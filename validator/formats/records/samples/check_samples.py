"""Sample files: one pass, row by row, compared with the record they belong to."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, BinaryIO

from evalmark.schemas.backend import backend_for
from evalmark.validator.fields import Fields
from evalmark.validator.findings.hit import At, Hit, locate
from evalmark.validator.format import CheckContext, CheckResult, CountedRows, Document, Format
from evalmark.validator.formats.records.record_view import fields_of
from evalmark.validator.formats.records.samples.sample_rows import (
    ALGORITHMS,
    Expected,
    SampleRows,
    expected_by,
)
from evalmark.validator.formats.records.samples.sample_rule_table import FILE_RULES
from evalmark.validator.reading.lines import file_size, lines
from evalmark.validator.reading.source import Source
from evalmark.validator.rows.ranges import in_ranges

if TYPE_CHECKING:  # loaded for a profile only
    from evalmark.validator.formats.records.gate.gate_rows import GateRows

#: Bytes of a file for which starting workers pays.
ENOUGH = 20_000_000


def check_samples(
    form: Format,
    file: BinaryIO,
    path: str,
    context: CheckContext,
    *,
    record: Document | None = None,
    source: Source | None = None,
    gate: GateRows | None = None,
) -> CheckResult:
    """Read a sample file to its end, and compare it with its record if there is one.

    Args:
        form: The format of its rows.
        file: It.
        path: Where it lies.
        context: What the check depends on.
        record: The record that names it.
        source: The text of that record.
        gate: Takes in the rows as the validator of a leaderboard sees them, with a profile.
    """
    size, options = file_size(file), context.options
    expected = expected_by(form, record, options, options.backend or backend_for([size]))
    digest = hashlib.new(expected.algorithm, usedforsecurity=False)
    if context.share and size > ENOUGH:
        new = partial(SampleRows, path, expected)
        rows = in_ranges(file, path, new, digest.update, context.progress, context.share)
    else:
        rows = SampleRows(path, expected)
        for number, line, whole in lines(file, context.progress):
            digest.update(line)
            if whole is not None:
                rows.check(number, line if whole else None)
    if gate is not None and rows.gate is not None:
        gate.take(rows.gate)
    checked = CheckResult(
        rows.close(), rows=CountedRows(path, record or Document(None, form), rows.rows)
    )
    if record is None:
        return checked
    view = fields_of(record)
    assert source is not None
    problems = list(_link(view, rows, digest.hexdigest()))
    if not (rows.left_out or rows.duplicates or "row-count" in dict(problems)):
        # Else the rows are not those of the score, and there is a finding that says so.
        problems += _aggregates(rows, expected)
    for rule, hit in problems:
        hit = replace(hit, notes=(f"sample file: {path}",))
        checked.findings.append(locate(hit, FILE_RULES[rule], source.path, source))
    return checked


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
