"""A sample file shared out by ranges of bytes: what several processes find is what one finds."""

import json
import os
import random
import signal
import sys
from collections import defaultdict
from functools import partial
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark.validator.batch.workers import Done, do_batch, in_processes
from evalmark.validator.check import check_file, check_one
from evalmark.validator.formats.records.samples import check_samples as _sample_rows
from evalmark.validator.formats.records.samples import check_samples as _samples
from evalmark.validator.formats.shared import row_findings as _ranges
from evalmark.validator.formats.shared import row_findings as _rows
from evalmark.validator.formats.shared.duplicate_rows import Repeats, digest_of_several
from evalmark.validator.reading import lines as _lines
from evalmark.validator.settings.check_options import CheckOptions, context_of
from found import codes_of
from hypothesis import HealthCheck, given
from hypothesis import strategies as st
from strategies import examples

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")

RECORD = FIXTURES / "good/with_samples.json"
ROWS = (FIXTURES / "good/with_samples_samples.jsonl").read_bytes().splitlines(keepends=True)


def checked_by(share, path, **options):
    context = context_of(CheckOptions(**options))._replace(share=share)
    return check_one(path, context)


def among(processes: int):
    return partial(in_processes, processes=processes)


@pytest.fixture
def small(monkeypatch):
    """Ranges of some rows, so that small files have many."""
    monkeypatch.setattr(_samples, "ENOUGH", 0)
    monkeypatch.setattr(_ranges, "RANGE", 4000)
    monkeypatch.setattr(_ranges, "BLOCK", 1000)


def messy_rows(r: random.Random, count: int) -> list[bytes]:
    """Rows of every fixture, good and bad, some blank, broken, doubled or without a score."""
    pool = [
        line
        for path in sorted((FIXTURES / "bad").glob("EE3*_samples.jsonl"))
        for line in path.read_bytes().splitlines(keepends=True)
    ]
    made = []
    for number in range(count):
        kind = r.randrange(12)
        if kind == 0:
            made.append(r.choice((b"\n", b"  \r\n", b"{\n", b'{"a": NaN}\n', b"\xff\n", b"[]\n")))
        elif kind < 4:
            made.append(r.choice(pool))
        else:
            row = json.loads(r.choice(ROWS))
            row["sample_id"] = f"s{number if r.random() < 0.9 else 0}"
            row["evaluation"]["score"] = r.choice((0.0, 1, 0.1, 1 / 3))
            made.append(json.dumps(row).encode() + r.choice((b"\n", b"\r\n")))
    return made


def written(folder: Path, lines: list[bytes]) -> Path:
    folder.mkdir(exist_ok=True)
    record = folder / RECORD.name
    record.write_bytes(RECORD.read_bytes())
    (folder / "with_samples_samples.jsonl").write_bytes(b"".join(lines))
    return record


def test_answers_are_compared_over_all_ranges(tmp_path, small):
    """One that is odd, in a range in which no answer is as expected."""
    rows = [json.loads(ROWS[0]) for _ in range(60)]
    for number, row in enumerate(rows):
        attribution = {"turn_idx": 0, "source": "output.raw", "is_terminal": True}
        value = "a 7" if number == 50 else "a 2"
        row["sample_id"], row["output"] = f"s{number}", {"raw": [value]}
        row["input"] = {"raw": "What is 1 + 1?", "reference": ["a 2"], "choices": ["a 2", "a 7"]}
        row["answer_attribution"] = [
            {**attribution, "extracted_value": value, "extraction_method": "exact_match"}
        ]
        row["evaluation"] = {"score": 1.0, "is_correct": True}
    path = written(tmp_path, [json.dumps(row).encode() + b"\n" for row in rows])
    record = json.loads(path.read_text())
    record["evaluation_results"][0]["metric_config"]["evaluation_description"] = "accuracy"
    path.write_text(json.dumps(record))
    for share in (None, among(2)):
        found = [each for each in checked_by(share, str(path)).findings if each.code == "EE301"]
        assert [(each.fold, each.span.line) for each in found] == [("answer", 51)]


@pytest.mark.parametrize("seed", range(3))
def test_several_processes_find_what_one_finds(tmp_path, small, seed):
    lines = messy_rows(random.Random(seed), 400)
    if seed == 1:
        lines[-1] = lines[-1].rstrip()
    record = written(tmp_path, lines)
    alone = check_file(record)
    found = set(codes_of(alone))
    assert {"EE312", "EE317", "EE320", "F006"} <= found
    assert not {"EE313", "EE318"} & found, "rows were left out"
    assert checked_by(among(3), str(record)) == alone
    rows = record.with_name("with_samples_samples.jsonl")
    assert checked_by(among(2), str(rows)) == check_file(rows)
    gated = checked_by(among(2), str(record), profile="eee")
    assert gated == check_file(record, profile="eee")
    assert [verdict for _, verdict in gated.verdicts] == ["refuse", "refuse"]


def test_sums_of_several_processes_are_those_of_one(tmp_path, small):
    rows = [json.loads(ROWS[number % len(ROWS)]) for number in range(200)]
    for number, row in enumerate(rows):
        row["sample_id"], row["evaluation"] = f"s{number}", {"score": 0.25, "is_correct": False}
    record = written(tmp_path, [json.dumps(row).encode() + b"\n" for row in rows])
    text = record.read_text().replace('"total_rows": 4', '"total_rows": 200')
    record.write_text(text)
    alone = check_file(record)
    assert set(codes_of(alone)) == {"EE313", "EE318"}
    assert checked_by(among(3), str(record)) == alone


def test_floods_are_cut_alike(tmp_path, small, monkeypatch):
    monkeypatch.setattr(_rows, "MAX_FINDINGS", 7)
    record = written(tmp_path, [*ROWS, b"{\n" * 5, *messy_rows(random.Random(4), 300), b"{\n" * 90])
    alone = check_file(record)
    assert any(
        "of these in total; only the first 7 are reported" in "".join(f.notes)
        for f in alone.findings
    )
    assert checked_by(among(2), str(record)) == alone


def test_a_line_beyond_the_limit_is_one_finding(tmp_path, small, monkeypatch):
    monkeypatch.setattr(_lines, "MAX_LINE", 1000)
    long = b'{"a": "' + b"x" * 5000 + b'"}\n'
    for lines in ([ROWS[0], long, ROWS[1]], [long], [ROWS[0], long.rstrip()], [b"x" * 999 + b"\n"]):
        rows = written(tmp_path, lines).with_name("with_samples_samples.jsonl")
        alone = check_file(rows, kind="sample")
        found = [(f.code, f.span.line) for f in alone.findings if f.code == "F018"]
        assert found == [("F018", lines.index(line) + 1) for line in lines if len(line) > 1000]
        assert checked_by(among(2), str(rows), kind="sample") == alone
    log = tmp_path / "log.jsonl"
    log.write_bytes(long)
    assert codes_of(log, kind="ltm-log") == ["F018"]


def test_a_process_that_dies_takes_only_its_own_rows_with_it(tmp_path, small, monkeypatch):
    lines = [*ROWS] * 30
    lines[60] = b'{"deadly": 1}\n'
    rows = written(tmp_path, lines).with_name("with_samples_samples.jsonl")
    plain = checked_by(among(2), str(rows))
    identify = _sample_rows.as_document

    def deadly(data, *rest):
        if "deadly" in data:
            os.kill(os.getpid(), signal.SIGKILL)
        return identify(data, *rest)

    monkeypatch.setattr(_sample_rows, "as_document", deadly)
    found = checked_by(among(2), str(rows))
    (dead,) = [f for f in found.findings if f.code == "F011"]
    assert "died (signal 9)" in dead.message
    assert 50 < dead.span.line <= 61, "the range begins before the row"
    after = [f.span.line for f in plain.findings if f.span.line > 70]
    assert [f.span.line for f in found.findings if f.span.line > 70] == after != []


def test_the_first_of_many_texts_counts_as_much_as_the_last():
    assert len({digest_of_several([first, *range(64)]) for first in range(100)}) == 100


@examples(60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.text(max_size=2)), st.integers(0, 20))
def test_repeats_are_those_of_a_dictionary(texts, cut):
    first, last = Repeats(), Repeats()
    wanted: dict[str, list[int]] = defaultdict(list)
    for number, text in enumerate(texts, 1):
        wanted[text].append(number)
        if number <= cut:
            first.add(text, number)
        else:
            last.add(text, number - cut)
    first.take(last, cut)
    pairs = {(numbers[0], later) for numbers in wanted.values() for later in numbers[1:]}
    assert sorted(first.pairs()) == sorted(pairs)


def test_a_batch_is_done_in_order():
    assert do_batch(str, [3, 1, 2]) == ["3", "1", "2"]
    assert Done(1, "1").result == "1"
