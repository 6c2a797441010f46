"""The one writer of records: what it writes, that it checks, and that it is all or nothing."""

import hashlib
import json
import math
import random
import re
import statistics

import pytest
from evalmark.converters.records.builders import sample_hash
from evalmark.converters.records.run import Dataset, Model, Producer, Run, Sample
from evalmark.converters.records.uncertainty import accuracy, proportion_uncertainty
from evalmark.converters.records.v0_2_0 import record_of
from evalmark.converters.records.writer import write_record
from evalmark.schemas.errors import InvalidDocument
from evalmark.stats.intervals import wilson_interval
from evalmark.validator.check import check_file
from jsonschema import Draft7Validator


def run_of(correct=3, items=4, **changes):
    values = {
        "collection": "demo",
        "time": 1_760_000_000,
        "model": Model("lab/model", "model", ("transformers", "5"), {"dtype": "float32"}),
        "producer": Producer("Example Lab", "third_party"),
        "results": (
            accuracy("agreement/1", "a > b", Dataset("agreement"), correct, items, {"ties": "0"}),
        ),
        "samples": tuple(
            Sample("agreement/1", f"agreement/{i}", "A.\nB.", ("a > b",), ("true",), i <= correct)
            for i in range(1, items + 1)
        ),
        "settings": {"unit": "bits"},
    }
    return Run(**{**values, **changes})


def test_record_and_samples_hang_together(tmp_path):
    written = write_record(run_of(), tmp_path)
    assert check_file(written.record).findings == ()
    record = json.loads(written.record.read_text())
    link = record["detailed_evaluation_results"]
    raw = written.samples.read_bytes()
    assert link["file_path"] == written.samples.name
    assert link["checksum"] == hashlib.sha256(raw).hexdigest()
    rows = [json.loads(line) for line in raw.decode().splitlines()]
    assert link["total_rows"] == len(rows) == 4
    assert {row["evaluation_id"] for row in rows} == {record["evaluation_id"]}
    assert record["evaluation_id"] == "demo/lab/model/1760000000"
    (result,) = record["evaluation_results"]
    assert {row["evaluation_name"] for row in rows} == {result["evaluation_name"]}
    mean = statistics.mean(row["evaluation"]["score"] for row in rows)
    assert result["score_details"]["score"] == mean == 0.75


def test_a_row_that_does_not_follow_its_schema_is_not_written(tmp_path):
    odd = Sample("agreement/1", "agreement/1", 7, ("a > b",), ("true",), correct=True)
    with pytest.raises(InvalidDocument, match="sample agreement/1: EE112 `raw` must be a string"):
        write_record(run_of(samples=(odd,)), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_file_names_come_from_the_content(tmp_path):
    first = write_record(run_of(), tmp_path / "").record
    assert write_record(run_of(), tmp_path).record == first
    assert write_record(run_of(correct=2), tmp_path).record != first
    pattern = r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"
    assert re.fullmatch(pattern, first.stem)


def test_a_record_that_fails_our_check_is_not_written(tmp_path):
    with pytest.raises(InvalidDocument, match="EE113"):
        write_record(run_of(producer=Producer("Lab", "friend")), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_unnamed_source_is_said_to_be_unspecified():
    source = record_of(run_of(producer=Producer()))["source_metadata"]
    assert source["source_organization_name"] == "unspecified"
    assert source["evaluator_relationship"] == "other"


def test_rows_follow_the_released_constraints(tmp_path, shared):
    text = (shared / "reference/record-constraints/sample-0.2.0.json").read_text()
    judge = Draft7Validator(json.loads(text))
    for line in write_record(run_of(), tmp_path).samples.read_text().splitlines():
        judge.validate(json.loads(line))


def test_sample_hash_is_the_documented_digest():
    text = '{"raw":"q \\u00e9","reference":["a"]}'
    assert sample_hash("q é", ("a",)) == hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize("total", [2, 5, 40])
def test_standard_error_has_one_degree_of_freedom_less(total):
    for correct in range(total + 1):
        values = [1.0] * correct + [0.0] * (total - correct)
        uncertainty = proportion_uncertainty(correct, total)
        expected = statistics.stdev(values) / math.sqrt(total)
        assert uncertainty["standard_error"]["value"] == pytest.approx(expected, abs=1e-15)
        interval = uncertainty["confidence_interval"]
        assert 0 <= interval["lower"] <= correct / total <= interval["upper"] <= 1


def test_one_item_has_no_uncertainty():
    assert proportion_uncertainty(1, 1) is None
    (result,) = record_of(run_of(1, 1))["evaluation_results"]
    assert "uncertainty" not in result["score_details"]


def test_wilson_interval_covers_as_often_as_it_says():
    r = random.Random(0)
    share, total, draws = 0.3, 40, 4000
    covered = 0
    for _ in range(draws):
        seen = sum(r.random() < share for _ in range(total)) / total
        lower, upper = wilson_interval(seen, total)
        covered += lower <= share <= upper
    assert 0.93 < covered / draws < 0.98


def test_wilson_interval_solves_its_equation():
    # Its ends are the shares from which the observed one lies 1.96 standard deviations away.
    for end in wilson_interval(0.75, 20):
        distance = abs(0.75 - end) / math.sqrt(end * (1 - end) / 20)
        assert distance == pytest.approx(1.959964, abs=1e-6)
