"""Where a record lies, and what EEE's gate would say: apart from whether it is valid."""

import shutil

import pytest
from conftest import FIXTURES, edited
from evalmark.validator.check import check_file
from evalmark.validator.formats.records.compared_records import differences
from found import codes_of

TREE = FIXTURES / "trees/datastore/data"
RECORD = TREE / "suite/example/model-1/0b6f1f0e-1111-4a6b-8f00-000000000005.json"
NAME = "0b6f1f0e-1111-4a6b-8f00-000000000009.json"


@pytest.fixture
def place(tmp_path):
    def put(where):
        path = tmp_path / where
        path.parent.mkdir(parents=True, exist_ok=True)
        with edited(FIXTURES / "versions/record-0.3.0.json", path) as data:
            data.pop("detailed_evaluation_results", None)
        return path

    return put


@pytest.mark.parametrize(
    ("where", "found"),
    [
        (f"data/suite/example/model-1/{NAME}", []),
        (f"data/a suite/example/model-1/{NAME}", []),
        (f"data/su:ite/example/model-1/{NAME}", ["EE401"]),
        (f"data/suite./example/model-1/{NAME}", ["EE401"]),
        (f"data/con.x/example/model-1/{NAME}", ["EE401"]),
        (f"data/suite/example/model-1/{NAME.upper()}", []),  # no .json: not looked at
        (f"data/suite/example/model-1/{NAME[:-5].upper()}.json", ["EE401"]),
        ("data/suite/example/model-1/record.json", ["EE401"]),
        (f"data/suite/other/model-1/{NAME}", ["EE403"]),
        (f"data/suite/example/{NAME}", []),  # a folder `data` of another kind
        (f"suite/example/model-1/{NAME}", []),
    ],
)
@pytest.mark.conforms("R-31")
def test_a_place_in_a_datastore(place, where, found):
    assert codes_of(place(where)) == found


def test_datastore_is_meant_everywhere_if_the_caller_says_so(place):
    assert codes_of(place(f"data/example/{NAME}"), datastore=True) == ["EE401"]
    assert codes_of(place(NAME), datastore=True) == ["EE401"]


def test_the_folder_of_the_call_does_not_matter(place, monkeypatch, run):
    path = place(f"data/suite/other/model-1/{NAME}")
    for folder in (path.parent, path.parents[2], path.parents[4]):
        monkeypatch.chdir(folder)
        outcome = run("evalmark", "check", "--format", "concise", str(path.relative_to(folder)))
        assert "folder is other/model-1, but the model is example/model-1" in outcome.out


def test_placement_is_a_warning_and_an_error_of_the_gate(place):
    path = place("data/suite/example/model-1/record.json")
    assert check_file(path).ok
    assert not check_file(path, profile="eee").ok


def test_the_gate_accepts_a_good_record(place):
    assert codes_of(place(f"data/suite/example/model-1/{NAME}"), profile="eee") == []


def test_the_gate_reads_older_records_as_its_own_version(tmp_path):
    path = tmp_path / "record.json"
    shutil.copy(FIXTURES / "versions/record-0.2.2.json", path)
    assert codes_of(path, profile="eee") == ["EE401", "EE412"]


def test_real_records_of_0_2_2_are_refused_as_was_measured(shared):
    paths = sorted((shared / "data/records/0.2.2").glob("*.json"))
    assert len(paths) == 72
    for path in paths:
        place, finding = check_file(path, profile="eee").findings
        assert (place.code, finding.code) == ("EE401", "EE412")


def test_absent_and_null_are_told_apart():
    assert differences(b'{"a": null, "b": 1}', b'{"b": 2}') == (
        "the two records differ in /a (null and absent) and /b (1 and 2)"
    )
