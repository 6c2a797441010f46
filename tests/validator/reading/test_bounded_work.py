"""What is much work, or none at all, is known from the beginning of a file."""

import os
from itertools import product

import pytest
from conftest import needs_fifos
from evalmark.validator.check import check_bytes, check_file
from evalmark.validator.findings.finding import Edit, Finding, Fix, Safety, Severity, apply_fixes
from evalmark.validator.io import opening
from evalmark.validator.reading.work_budget import MAX_COLUMNS

ROWS = [f"r{n}" for n in range(MAX_COLUMNS)]
WIDE = ",".join(["item_number", "condition_name", *ROWS])


def finding_of(start, end, text="x"):
    fix = Fix((Edit(start, end, text),), Safety.SAFE)
    return Finding("F001", "invalid-json", Severity.ERROR, "message", "path", fix=fix)


@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.csv", "x.yaml"])
def test_of_a_large_file_of_nul_bytes_only_the_beginning_is_read(tmp_path, monkeypatch, name):
    path = tmp_path / name
    path.touch()
    os.truncate(path, 1 << 30)
    read = []
    original = os.read

    def counted(handle, size):
        read.append(original(handle, size))
        return read[-1]

    monkeypatch.setattr(opening.os, "read", counted)
    (finding,) = check_file(path).findings
    assert (finding.code, finding.message) == ("F004", "NUL byte at offset 0, which no text has")
    assert sum(map(len, read)) <= 1 << 20


def test_nul_bytes_are_not_called_utf16():
    (finding,) = check_bytes(b'{"schema_version": "0.2.0"\0\0\0\0', "x.json").findings
    assert finding.message == "NUL byte at offset 26, which no text has"
    assert (finding.span.line, finding.span.column) == (1, 27)


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-16"])
def test_utf16_is_recognized_with_and_without_a_mark(encoding):
    (finding,) = check_bytes('{"item": 1}'.encode(encoding), "x.json").findings
    assert finding.message == "file is UTF-16, JSON files are UTF-8"


def test_a_table_of_too_many_columns_is_refused_by_its_header(here, run):
    (here / "x.csv").write_text(f"{WIDE}\n1,a\n")
    said = run("evalmark", "check", "x.csv", code=1).out
    assert f"table of {MAX_COLUMNS + 2:,} columns; at most 16,384 are read" in said
    done = run("evalmark", "convert", "x.csv", "--no-predictions", "-o", "x.json", code=1)
    assert f"the table has {MAX_COLUMNS + 2:,} columns; at most 16,384 are read" in done.err


def test_fixes_that_share_a_character_with_an_earlier_one_are_left_out():
    spans = [(start, end) for start, end in product(range(5), repeat=2) if start <= end]
    for first, second, third in product(spans, repeat=3):
        kept = [first]
        for start, end in (second, third):
            if not any(start < other_end and other < end for other, other_end in kept):
                kept.append((start, end))
        found = [finding_of(*span) for span in (first, second, third)]
        fixed = apply_fixes("abcde", found).findings
        assert [(one.fix.edits[0].start, one.fix.edits[0].end) for one in fixed] == kept


class Counted(int):
    """A place in a text that counts how often it is compared."""

    compared = 0

    def __lt__(self, other):
        Counted.compared += 1
        return int.__lt__(self, other)


def test_each_fix_is_compared_with_its_neighbours_only():
    count = 4_000
    found = [finding_of(Counted(3 * n), Counted(3 * n + 1)) for n in range(count)]
    assert len(apply_fixes("abc" * count, found).findings) == count
    assert Counted.compared < 40 * count


@needs_fifos
def test_a_pipe_that_nothing_reads_is_an_error(here, run):
    (here / "x.json").write_text("[]")
    os.mkfifo("pipe.sarif")
    done = run("evalmark", "check", "x.json", "-o", "sarif=pipe.sarif", code=2)
    assert "pipe.sarif: cannot be written: a pipe that no program reads" in done.err
