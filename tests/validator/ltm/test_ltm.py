"""LTM definitions and results: every mistake of the mutation list, and what the path says."""

import json
import shutil

import pytest
from conftest import FIXTURES, file_at
from evalmark.validator.check import check_data, check_file, check_text
from evalmark.validator.checker import check_files
from evalmark.validator.formats.builtin import KINDS
from found import codes_of
from pointers import changed

RUN = FIXTURES / "good/ltm"


def definition():
    return json.loads((RUN / "definitions/Colours/0.def.json").read_text(encoding="utf-8"))


def temporal():
    return {
        **definition(),
        "script": ["A joke.", "Another joke."],
        "is_question": [False, False, True],
        "waits": [{"time": 60}, {"time": 60}, {}],
        "is_temporal": True,
        "expected_responses": ["A joke."],
    }


#: Mutation → what it does, on a scripted or a temporal definition, and a code that catches it.
MUTATIONS = {
    "script not a list": ({"/script": "abc"}, "LT112"),
    "is_question has 0/1 for booleans": ({"/is_question": [0, 0, 1]}, "LT112"),
    "is_question one short": ({"/is_question/0": ...}, "LT201"),
    "is_question one long": ({"/is_question": [False, False, False, True]}, "LT201"),
    "no question at all": ({"/is_question": [False] * 3}, "LT119"),
    "question not last": ({"/is_question": [False, True, False]}, "LT203"),
    "waits missing": ({"/waits": ...}, "LT101"),
    "waits one short": ({"/waits/2": ...}, "LT202"),
    "waits empty": ({"/waits": []}, "LT204"),
    "percentage 250": ({"/waits/0/percentage_finished": 250}, "LT116"),
    "percentage -1": ({"/waits/0/percentage_finished": -1}, "LT116"),
    "percentages descend": ({"/waits/0/percentage_finished": 90}, "LT205"),
    "tokens -5": ({"/waits/0/tokens": -5}, "LT116"),
    "tokens 1.5": ({"/waits/0/tokens": 1.5}, "LT112"),
    "time as string": ({"/waits/0/time": "60"}, "LT112"),
    "time null": ({"/waits/0/time": None}, "LT112"),
    "unknown wait key minutes": ({"/waits/0/minutes": 1}, "LT114"),
    "unknown top key finished": ({"/finished": True}, "LT114"),
    "expected_responses missing": ({"/expected_responses": ...}, "LT101"),
    "expected_responses empty": ({"/expected_responses": []}, "LT115"),
    "expected_responses a string": ({"/expected_responses": "blue"}, "LT112"),
    'uses_callback "yes"': ({"/uses_callback": "yes"}, "LT112"),
    "mixes v1 and v3 keys": ({"/time_jumps": [0.0, 0.0, 0.0]}, "LT114"),
    "empty script, questions left": ({"/script": []}, "LT119"),
    "single line script": (
        {"/script": ["Hello?"], "/is_question": [True], "/waits": [{}]},
        "LT115",
    ),
}
TEMPORAL = {
    "temporal, no time wait": ({"/waits": [{"tokens": 1}, {}, {}]}, "LT119"),
    "temporal, expected joke not in the script": ({"/expected_responses": ["?"]}, "LT206"),
    "temporal with is_question == script length": ({"/is_question": [False, True]}, "LT201"),
}


@pytest.mark.parametrize("name", [*MUTATIONS, *TEMPORAL])
def test_every_mutation_is_caught(name):
    good = definition() if name in MUTATIONS else temporal()
    assert check_data(good).findings == ()
    changes, code = {**MUTATIONS, **TEMPORAL}[name]
    data = changed(good, changes)
    assert code in codes_of(data, kind="ltm-definition")


def test_the_list_of_mutations_is_covered(shared):
    text = (shared / "reference/ltm-mutations.txt").read_text(encoding="utf-8")
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    # The one more is caught by the path only; see below.
    assert len(rows) == len(MUTATIONS) + len(TEMPORAL) + 1


def test_a_callback_needs_a_dataset_that_has_one(tmp_path):
    data = {**definition(), "uses_callback": True}
    for dataset, expected in (("Colours", ["LT207"]), ("Prospective Memory", [])):
        path = file_at(tmp_path / f"run/definitions/{dataset}/0.def.json", data)
        assert codes_of(path) == expected
    loose = tmp_path / "0.def.json"
    loose.write_text(json.dumps(data))
    assert check_file(loose).findings == ()


def test_a_dynamic_test_needs_a_dynamic_dataset(tmp_path):
    data = {**definition(), "script": [], "is_question": [], "waits": [], "expected_responses": []}
    for dataset, expected in (("Colours", ["LT207"]), ("Restaurant", [])):
        path = file_at(tmp_path / f"run/definitions/{dataset}/0.def.json", data)
        assert codes_of(path) == expected


def test_a_result_is_held_against_its_definition(tmp_path):
    run = tmp_path / "run"
    shutil.copytree(RUN, run)
    result = run / "results/Example agent/Colours/0_0.json"
    assert check_file(result).findings == ()
    path = run / "definitions/Colours/0.def.json"
    data = definition()
    data["expected_responses"] = ["green"]
    path.write_text(json.dumps(data))
    assert codes_of(result) == ["LT302"]
    data["is_question"] = [True, False, True]
    path.write_text(json.dumps(data))
    assert codes_of(result) == ["LT303", "LT302"]
    path.unlink()
    assert codes_of(result) == ["LT301"]


def test_other_folders_can_be_called_results(tmp_path):
    """The run's own folder, and one that results of no run are in."""
    run = tmp_path / "results"
    shutil.copytree(RUN, run)
    assert not any(check_file(path).findings for path in run.rglob("*.json"))
    result = next((run / "results").rglob("*.json"))
    (run / "a/b").mkdir(parents=True)
    assert not check_file(shutil.copy(result, run / "a/b/result.json")).findings


def test_the_events_of_a_misspelt_test_are_counted():
    log = (FIXTURES / "bad/LT414_misspelt_test.jsonl").read_text("utf-8")
    both = log.replace('104.5, "test_id": "Colours - 0"', '104.5, "test_id": "Colours - O"')
    (finding,) = check_text(both, path="master_log.jsonl").findings
    assert finding.helps == ('replace the test_id of its 2 events with "Colours - 0"',)


def test_real_files_are_accepted(shared):
    runs = (shared / "data/ltm").glob("[Bg]*")
    paths = sorted(path for run in runs for path in run.rglob("*.*") if path.is_file())
    kinds = {check_file(path).kind for path in paths}
    assert kinds == {kind for kind in KINDS if kind.startswith("ltm-")}
    assert len(paths) > 260
    codes = {finding.code for path in paths for finding in check_file(path).findings}
    assert codes == {"LT302"}  # a few definitions were changed after their runs


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("0.def.json", "LT101"),
        ("definitions/Colours/0.json", "LT101"),
        ("results/agent/Colours/0_0.json", "LT101"),
        ("results/agent/master_log.jsonl", "LT101"),
        ("results/agent/Colours/notes.json", None),
        ("definitions/OpenAPI/0.json", None),  # other programs have such folders
        ("definitions/0.json", None),
        ("results/agent/runstats.json", None),
    ],
)
def test_a_place_in_a_run_says_what_a_file_is_whatever_it_holds(path, code, tmp_path):
    file_at(tmp_path / "run" / path, "{}\n")
    assert set(codes_of(check_files([tmp_path]))) <= {code}
    assert bool(check_files([tmp_path]).findings) is (code is not None)
