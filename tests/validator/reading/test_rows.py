"""Rules on rows and on what they refer to: one finding for each mistake."""

import hashlib
import json

import pytest
from conftest import FIXTURES
from evalmark.validator.check import check_data, check_file


@pytest.fixture
def samples(tmp_path):
    """A function that writes rows and their record, and gives the codes that are found."""
    good = FIXTURES / "good/with_samples.json"
    record = json.loads(good.read_text(encoding="utf-8"))
    text = good.with_name("with_samples_samples.jsonl").read_text(encoding="utf-8")
    rows = [json.loads(line) for line in text.splitlines()]

    def write(change, ending="", count=None):
        change(rows)
        raw = ("".join(json.dumps(row) + "\n" for row in rows) + ending).encode()
        link = record["detailed_evaluation_results"]
        link["checksum"] = hashlib.sha256(raw).hexdigest()
        link["total_rows"] = len(rows) if count is None else count
        (tmp_path / link["file_path"]).write_bytes(raw)
        path = tmp_path / good.name
        path.write_text(json.dumps(record))
        return [finding.code for finding in check_file(path).findings]

    return write


#: Change of the rows → codes. Each is one mistake, so it has one finding: the mean stays silent.
MISTAKES = {
    "none": (lambda rows: None, []),
    "a missing score": (lambda rows: rows[0]["evaluation"].pop("score"), ["EE101"]),
    "a score in quotes": (lambda rows: rows[0]["evaluation"].update(score="1.0"), ["EE112"]),
    "an unknown version": (lambda rows: rows[0].update(schema_version="9.9"), ["EE311"]),
    "a result that is not there": (lambda rows: rows[0].update(evaluation_name="x"), ["EE316"]),
    "a verdict against its score": (
        lambda rows: rows[0]["evaluation"].update(is_correct=False),
        ["EE301"],
    ),
    "a score against its verdict": (
        lambda rows: rows[0]["evaluation"].update(score=0.0),
        ["EE301"],
    ),
    "another score": (lambda rows: rows[0]["evaluation"].update(score=0.5), ["EE318"]),
    "a row twice": (lambda rows: rows.append(dict(rows[0])), ["EE317"], {"count": 4}),
    "a missing row": (lambda rows: rows.pop(), ["EE312"], {"count": 4}),
    "a line that is not JSON": (lambda rows: None, ["F001"], {"ending": "{\n", "count": 5}),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_bad_row_is_one_finding(samples, name):
    change, wanted, *how = MISTAKES[name]
    assert samples(change, **dict(*how)) == wanted


def test_a_digest_that_the_format_does_not_know_is_one_finding(samples, tmp_path):
    """It ended the check with an internal error."""
    assert samples(lambda rows: None) == []
    path = tmp_path / "with_samples.json"
    path.write_text(path.read_text().replace('"sha256"', '"sha999"'))
    assert [finding.code for finding in check_file(path).findings] == ["EE113"]


@pytest.mark.parametrize(
    ("times", "codes"),
    [
        ({}, []),
        ({"retrieved_timestamp": "1760000001"}, ["EE222"]),
        ({"retrieved_timestamp": "1760000001", "evaluation_timestamp": "1760000000"}, []),
        ({"retrieved_timestamp": "1760000001", "evaluation_timestamp": "1760000000.0"}, []),
        ({"retrieved_timestamp": "9760000000"}, ["EE224"]),
    ],
)
def test_an_evaluation_id_ends_in_a_time_of_the_record(times, codes):
    record = json.loads((FIXTURES / "good/record.json").read_text(encoding="utf-8"))
    assert record["evaluation_id"].endswith("/1760000000")
    record.update(times)
    assert [finding.code for finding in check_data(record).findings] == codes
