"""Rules on rows and on what they refer to: one finding for each mistake."""

import pytest
from conftest import data_at, edited
from found import codes_of
from records import sampled

#: Change of the rows → codes, and the count in the record if it is not theirs.
#: Each is one mistake, so it has one finding: the mean stays silent.
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
    "a row twice": (lambda rows: rows.append(dict(rows[0])), ["EE317"], 4),
    "a missing row": (lambda rows: rows.pop(), ["EE312"], 4),
    "a line that is not JSON": (lambda rows: rows.append(b"{\n"), ["F001"]),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_bad_row_is_one_finding(tmp_path, name):
    change, wanted, *count = MISTAKES[name]
    path = sampled(tmp_path, lambda _, rows: change(rows))
    if count:
        with edited(path) as record:
            (record["detailed_evaluation_results"]["total_rows"],) = count
    assert codes_of(path) == wanted


def test_a_digest_that_the_format_does_not_know_is_one_finding(tmp_path):
    """It ended the check with an internal error."""
    path = sampled(tmp_path)
    assert codes_of(path) == []
    path.write_text(path.read_text().replace('"sha256"', '"sha999"'))
    assert codes_of(path) == ["EE113"]


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
    record = data_at("good/record.json")
    assert record["evaluation_id"].endswith("/1760000000")
    record.update(times)
    assert codes_of(record) == codes
