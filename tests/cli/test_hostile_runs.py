"""Names, settings, keys and pipes do no harm."""

import json

import pytest
from conftest import data_at
from evalmark.validator.check import check_text
from records import sampled

RECORD = data_at("good/with_samples.json")


@pytest.mark.parametrize("name", ["../../x", "a/b", "..", "", "x\n", "C:\\x"])
def test_the_name_of_a_first_suite_stays_in_its_folder(run, tmp_path, name):
    done = run("evalmark", "init", tmp_path / "new", "--name", name, code=2)
    assert "cannot be used as a file name" in done.err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("algorithm", ["evil", "shake_128", "", ["sha256"], {}, None, 3])
def test_an_unknown_hash_algorithm_is_a_finding_of_the_record(tmp_path, run, algorithm):
    changes = {"hash_algorithm": algorithm}
    path = sampled(tmp_path, lambda data, _: data["detailed_evaluation_results"].update(changes))
    done = run("evalmark", "check", "--format", "json", path)
    codes = {finding["code"] for finding in json.loads(done.out)["findings"]}
    assert done.code == 1
    assert not codes & {"F099", "EE313"}
    for words in (["--to", "json"], ["--to", "record-0.3.0"]):
        converted = run("evalmark", "convert", *words, path, "-o", tmp_path / "out")
        assert "internal error" not in converted.err


def test_many_unknown_keys_take_a_time_that_grows_with_their_number():
    record = {**RECORD, **{f"key{number}": 1 for number in range(10_000)}}
    findings = check_text(json.dumps(record)).findings
    assert findings[-1].message == "8000 more unknown keys in this object" or any(
        finding.message == "8000 more unknown keys in this object" for finding in findings
    )
    assert len(findings) == 2001
