"""``check --changed BASE``: which results a branch changes, and what contradicts the base."""

import gzip
import json
import math
import shutil
from pathlib import Path

import pytest
from branch import commit, git, on_main, record, rescored, write
from conftest import needs_links
from evalmark.validator.batch.changes.changed_files import ChangedFile
from evalmark.validator.batch.changes.result_differences import ResultDifferences
from evalmark.validator.formats.shared.json_values import number

pytest_plugins = ["branch"]
pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")

SCORES = (0.7123, 0.6045, 0.8812)


def several(count, scores=SCORES, model="example/model-1", **config):
    """A record of as many benchmarks as there are scores."""
    data = record(count)
    data["model_info"] = {"name": model, "id": model}
    data["evaluation_id"] = f"several/{model}/{1760000000 + count}"
    (result,) = data["evaluation_results"]
    data["evaluation_results"] = [
        {
            **result,
            "evaluation_name": f"task {task}",
            "metric_config": {**result["metric_config"], **config},
            "score_details": {"score": score},
        }
        for task, score in enumerate(scores)
    ]
    return data


@pytest.fixture
def base(repository):
    """A base with one record of three benchmarks, ``data/several.json``."""
    on_main(lambda: write("data/several.json", several(200)))
    git("merge", "-q", "main")


#: What a branch adds → the finding; None for what is no mistake.
NEW = {
    "rounded": (several(201, [0.712, 0.6045, 0.881]), "EE243"),
    "rounded, one to two digits": (several(201, [0.7123, 0.605, 0.88]), "EE243"),
    "rounded to two digits": (several(201, [0.71, 0.60, 0.88]), None),
    "rounded, at another time": (
        several(201, [0.712, 0.6045, 0.881]) | {"evaluation_timestamp": "1760000000"},
        "EE243",
    ),
    "one other score": (several(201, [0.712, 0.6045, 0.5]), None),
    "scores of another model": (several(201, model="example/model-2"), "EE243"),
    "most scores of another model": (several(201, [*SCORES, 0.1], "example/model-2"), "EE243"),
    "counts beside the scores": (several(201, [*SCORES[:2], 0.5, 0.41, 0.52], "a/b"), None),
    "one score of another model": (several(201, [SCORES[0], 0.5, 0.4], "example/model-2"), None),
    "scores of another model, rounded": (
        several(201, [0.712, 0.6045, 0.881], "example/model-2"),
        "EE243",
    ),
    "the same score everywhere": (several(201, [0.7] * 4, "example/model-7"), "EE243"),
    "perfect scores": (several(201, [1.0] * 4, "example/model-7"), "EE243"),
    "another spelling of the model": (several(201, [0.1, 0.2], "example/Model_1"), "EE245"),
    "a letter of another alphabet": (several(201, [0.1, 0.2], "example/m\u043edel-1"), "EE245"),
    "another size of the model": (several(201, [0.1, 0.2], "example/model-1-1"), None),
    "few digits of another model": (several(201, [0.5, 1.0, 0.0], "example/model-2"), None),
    "another scale": (several(201, [71.9, 60.1, 88.3], max_score=100), "EE237"),
    "another direction": (several(201, [0.1, 0.2, 0.3], lower_is_better=True), "EE238"),
    "another developer": (several(201, [0.1, 0.2, 0.3], "examples/model-1"), "EE239"),
    "another model": (several(201, [0.1, 0.2, 0.3], "examples/model-7"), None),
    "scores beyond all others": (several(201, [5e-324, 0.5, 1e308], "examples/model-7"), "EE201"),
}


@pytest.mark.parametrize("name", NEW)
def test_new_results_are_compared_with_the_whole_base(base, check, name):
    data, code = NEW[name]
    write("data/new.json", data)
    found = [each for _, each in check()[1]]
    # One for a record, however many of its results it is about.
    assert found == [code] * bool(code)


def test_a_letter_of_another_alphabet_is_called_by_its_name(base, run):
    write("data/new.json", several(201, [0.1, 0.2], "example/m\u043edel-1"))
    told = run("evalmark", "check", "--changed", "main", "--format", "full").out
    assert 'letter 10 is CYRILLIC SMALL LETTER O, not "o"' in told


def test_what_the_file_had_before_is_no_news(base, check):
    """A change of a record that has an unusual scale already is not about the scale."""
    on_main(lambda: write("data/odd.json", several(202, [1, 2, 3], "b/model-1", max_score=100)))
    git("merge", "-q", "main")
    write("data/odd.json", several(202, [1, 2, 4], "b/model-1", max_score=100))
    assert check() == (0, [])


def test_a_number_of_400_digits_is_no_crash(base, run):
    write("data/new.json", several(201, [10**400, -(10**400), 0.5]))
    done = run("evalmark", "check", "--changed", "main")
    assert (done.code, "Traceback" in done.err) == (1, False)
    assert (number(10**400), number(-(10**400))) == (math.inf, -math.inf)


@pytest.mark.parametrize(
    ("before", "after", "effects"),
    [
        ([0.5, 0.6], [0.6], [("removed", 0.5, None)]),
        ([0.5, 0.6], [0.6, 0.7], [("changed", 0.5, 0.7)]),
        ([0.5, 0.6], [0.6, 0.5], []),
    ],
)
def test_equal_scores_of_a_repeated_benchmark_are_the_same_results(before, after, effects):
    def of(scores):
        data = several(1, scores)
        for result in data["evaluation_results"]:
            result["evaluation_name"] = "task"
        return data

    differences = ResultDifferences()
    differences.compare(ChangedFile("a", "a", True, "x"), "a", "m", of(before), of(after))
    assert [(one.kind, one.before, one.after) for one in differences.listed] == effects


def test_differences_are_told_by_model_and_benchmark(base, run):
    write("records/1.json", rescored(1))
    git("rm", "-q", "records/2.json")
    git("mv", "records/3.json", "records/moved.json")
    write("data/new.json", several(300, [0.1, 0.2, 0.3], "example/model-9"))
    done = run("evalmark", "check", "--changed", "main")
    assert done.err.splitlines() == [
        "Results: 1 removed, 1 changed, 3 added. 1 record deleted.",
        "  records removed",
        "    records/2.json: example/model-1, 1 result",
        "  scores changed",
        "    records/1.json: example/model-1, agreement: 0.0001 → 0.5 (+0.4999)",
        "  results added",
        "    example/model-9: 3 results",
        "Checked 3 files: no findings.",
    ]
    changes = json.loads(run("evalmark", "check", "--changed", "main", "--format", "json").out)
    assert changes["changes"]["counts"] == {"added": 3, "changed": 1, "removed": 1}
    summary = run("evalmark", "check", "--changed", "main", "--format", "markdown").out
    assert "**records removed: 1**" in summary
    assert "<summary>results added: 1</summary>" in summary


def test_a_record_under_a_new_id_is_a_removal_and_an_addition(repository, run):
    data = {**record(1), "evaluation_id": "agreement/example/model-1/1760000099"}
    write("records/1.json", {**data, "retrieved_timestamp": "1760000099"})
    done = run("evalmark", "check", "--changed", "main")
    assert "Results: 1 removed, 1 added. 1 record under another id." in done.err
    assert '1 result; its id, "agreement/example/model-1/1760000001", is gone' in done.err


def test_what_is_removed_is_told_below_any_number_of_added_models(base, run):
    """All of it, before what is added, and in JSON with every addition."""
    data = several(200)
    del data["evaluation_results"][1:]
    write("data/several.json", data)
    for model in range(25):
        write(f"data/{model}.json", several(300 + model, [0.1], f"example/new-{model}"))
    done = run("evalmark", "check", "--changed", "main")
    assert done.err.splitlines()[:4] == [
        "Results: 2 removed, 25 added.",
        "  results removed",
        "    data/several.json: example/model-1, task 1, agreement: 0.6045",
        "    data/several.json: example/model-1, task 2, agreement: 0.8812",
    ]
    out = run("evalmark", "check", "--changed", "main", "--format", "json").out
    models = json.loads(out)["changes"]["models"]
    assert len(models) == 26
    assert models["example/new-24"]["listed"] == [
        {"benchmark": "task 0, agreement", "before": None, "after": 0.1, "path": "data/24.json"}
    ]


def test_every_removed_result_is_told_with_or_without_a_score_also_of_a_record_that_moved(
    repository, run
):
    """Into the place of a deleted one; and an emptied record has the id that it had."""
    data = several(200)
    data["evaluation_results"][1]["score_details"] = {"score": None}
    on_main(lambda: write("data/several.json", data))
    git("merge", "-q", "main")
    write("records/1.json", {**data, "evaluation_results": data["evaluation_results"][:1]})
    write("records/2.json", {**record(2), "evaluation_results": []})
    Path("data/several.json").unlink()
    done = run("evalmark", "check", "--changed", "main")
    assert done.err.splitlines()[:7] == [
        "Results: 4 removed. 1 record under another id.",
        "  records removed",
        "    records/1.json: example/model-1, 1 result; "
        'its id, "agreement/example/model-1/1760000001", is gone',
        "  results removed",
        "    records/1.json: example/model-1, task 1, agreement: no score",
        "    records/1.json: example/model-1, task 2, agreement: 0.8812",
        "    records/2.json: example/model-1, agreement: 0.0002",
    ]
    out = json.loads(run("evalmark", "check", "--changed", "main", "--format", "json").out)
    (model,) = out["changes"]["models"].values()
    assert [one["before"] for one in model["listed"]] == [None, 0.8812, 0.0001, 0.0002]
    assert model["counts"] == {"added": 0, "changed": 0, "removed": 4}


def test_changes_beside_the_scores_are_one_line_a_field(repository, run):
    for which in (1, 2, 3):
        data = record(which)
        data["source_metadata"]["evaluator_relationship"] = "first_party"
        data["evaluation_results"][0]["metric_config"]["lower_is_better"] = True
        write(f"records/{which}.json", data)
    write("records/4.json", json.dumps(record(4)))  # another notation only
    told = run("evalmark", "check", "--changed", "main").err.splitlines()
    where = "in records/1.json, records/2.json and 1 more"
    before = record(1)["source_metadata"]["evaluator_relationship"]
    assert told[:4] == [
        "3 records changed apart from the scores.",
        "  other fields changed",
        f'    /source_metadata/evaluator_relationship: "{before}" → "first_party" {where}',
        f"    /evaluation_results/*/metric_config/lower_is_better: false → true {where}",
    ]


def test_a_record_that_can_no_longer_be_read_is_not_called_removed(repository, run):
    text = json.dumps(record(1), indent=2)
    write("records/1.json", f"<<<<<<< ours\n{text}\n=======\n{text}\n>>>>>>> theirs\n")
    done = run("evalmark", "check", "--changed", "main")
    assert done.err.splitlines()[:3] == [
        "1 record unreadable.",
        "  records that can no longer be read",
        "    records/1.json",
    ]


def test_removing_or_changing_the_record_of_somebody_else(repository, check, run):
    """A warning, an error under a profile; who has added a record may change it."""
    write("records/1.json", rescored(1))
    Path("records/2.json").unlink()
    git("mv", "records/3.json", "records/moved.json")
    assert check() == (0, []), "the author of the base"
    git("config", "user.email", "b@lab.example")
    changed = [("records/1.json", "EE244"), ("records/2.json", "EE244")]
    assert check() == (0, changed)
    told = run("evalmark", "check", "--changed", "main").out
    assert 'this branch changes 1 score of a record of the base, which "a" added' in told
    assert 'this branch removes a record of the base, which "a" added' in told
    code, found = check("main", "--profile", "eee")
    assert (code, [each for each in found if each[1] == "EE244"]) == (1, changed)
    commit()
    assert check() == (0, []), "the branch is a commit of the author of the base"


def test_models_that_the_base_has_on_these_benchmarks_already(base, run):
    write("data/new.json", several(300, [0.1, 0.2, 0.3, 0.4]))
    told = run("evalmark", "check", "--changed", "main").err
    assert "    example/model-1: on 3 benchmarks, in main:data/several.json\n" in told


def test_names_that_differ_in_case_only(repository, check):
    write("Records/new.json", record(50))
    write("suites/Agreement.json", "{}")
    assert check() == (0, [("Records/new.json", "F023"), ("suites/Agreement.json", "F023")])


def test_two_new_names_that_differ_in_case_only(repository, check):
    write("new/A.json", record(50))
    write("new/a.json", record(51))
    assert check() == (0, [("new/a.json", "F023")])


def test_the_name_of_the_base_is_the_one_to_use(repository, check, run):
    """Even if the branch adds to the folder of the base as well, which git lists first."""
    write("Records/new.json", record(50))
    write("records/new.json", record(51))
    assert "use records/, if it is the same" in run("evalmark", "check", "--changed", "main").out


def test_the_suggestion_for_another_ending(repository, run):
    for name in ("a b.jsonl.gz", "c.json5", "d.JSONC", "e.ndjson", "f.json.bak"):
        write(name, record(50))
    done = run("evalmark", "check", "--changed", "main", "--format", "json")
    findings = {each["path"]: each["helps"] for each in json.loads(done.out)["findings"]}
    assert findings == {
        "a b.jsonl.gz": ["unpack it: `gunzip 'a b.jsonl.gz'`"],
        "c.json5": ["rename it to `c.json`"],
        "d.JSONC": ["rename it to `d.json`"],
        "e.ndjson": ["rename it to `e.jsonl`"],
        "f.json.bak": ["rename it to `f.json`"],
    }


@needs_links
def test_files_that_no_search_would_check(repository, check, run):
    text = json.dumps(record(50))
    for name in ("a.JSON", "b.json.bak", "c.json~", "build/d.json", ".e.json"):
        write(name, text[:-1])
    Path("f.json.gz").write_bytes(gzip.compress(text.encode()))
    Path("folder").symlink_to("records")
    write("tsconfig.JSON", {"compilerOptions": {}})
    names = ("a.JSON", "b.json.bak", "c.json~", "build/d.json", ".e.json", "f.json.gz", "folder")
    assert check() == (0, sorted((name, "F024") for name in names))
    commit()
    assert len(check()[1]) == len(names)
    told = run("evalmark", "check", "suites", "a.JSON", ".").err
    assert "\nSkipped 1 unrecognized file: " in told
    assert "./folder (a link to a folder)" in told
    assert "./f.json.gz" not in told or "name does not end in .json" in told


def test_a_secret_that_a_branch_removes_is_not_printed(repository, run):
    secret = "hunter2hunter99"  # a password by its key alone
    data = several(200)
    data["model_info"]["additional_details"] = {"password": secret}
    on_main(lambda: write("data/several.json", data))
    git("merge", "-q", "main")
    data["model_info"]["additional_details"] = {"password": "y"}
    write("data/several.json", data)
    commit()
    for form in ("full", "json", "markdown"):
        done = run("evalmark", "check", "--changed", "main", "--format", form)
        assert "password" in done.out + done.err
        assert secret not in done.out + done.err
