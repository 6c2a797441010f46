"""Folders of results: each is read as its files are, once, and told in few lines."""

import json
import shutil

import pytest
from conftest import edited, needs_zstd
from evalmark.validator.check import check_file
from killing import files_in
from test_results import RESULTS, SOURCES

TIME = "--set=/retrieved_timestamp=1700000000"
LOWER = "--set=/evaluation_results/*/metric_config/lower_is_better=false"
#: Results that are one folder, and others that are files in folders.
NAMES = ("helm", "lm_eval", "lm_eval_0_3", "inspect", "lighteval")


@pytest.fixture
def folder(tmp_path):
    home = tmp_path / "results"
    for name in NAMES:
        shutil.copytree(RESULTS / name, home / name)
    (home / "README.md").write_text("# Results of ours\n", "utf-8")
    return home


def convert(run, *arguments):
    return run("evalmark", "convert", *arguments, TIME, LOWER)


def test_a_folder_of_results_is_what_its_files_are_one_by_one(folder, run, tmp_path):
    done = convert(run, folder, "-o", tmp_path / "all")
    assert done.code == 0, done.err
    one_by_one = [files_in(RESULTS / f"{name}.out") for name in NAMES]
    assert files_in(tmp_path / "all") == {
        path: text for each in one_by_one for path, text in each.items()
    }


def test_results_in_a_folder_are_left_alone_without_a_place_for_records(folder, run):
    before = files_in(folder)
    assert "no files to convert" in run("evalmark", "convert", "--in-place", folder, code=2).err
    assert files_in(folder) == before


@needs_zstd
def test_one_run_of_inspect_in_two_files_is_one_record(run, tmp_path):
    folder = tmp_path / "logs"
    shutil.copytree(RESULTS / "inspect_eval", folder)
    with edited(folder / "quiz.json") as log:
        # As a log that is written again has it.
        log["eval"]["config"]["added_by_a_newer_version"] = 1
    report = tmp_path / "report.json"
    done = convert(run, folder, "-o", tmp_path / "new", "--report", report)
    assert len(list((tmp_path / "new").rglob("*_samples.jsonl"))) == 1
    assert "2 files: 1 converted, 1 the same run\n" in done.err
    entry = json.loads(report.read_text("utf-8"))["files"][1]
    assert entry["same_run"] == str(folder / "quiz.eval")


@needs_zstd
def test_a_run_that_is_refused_is_read_from_its_other_file(run, tmp_path):
    folder = tmp_path / "logs"
    shutil.copytree(RESULTS / "inspect_eval", folder)
    shutil.copy(folder / "quiz.json", folder / "again.json")
    with edited(folder / "again.json") as log:
        for sample in log["samples"]:
            sample["messages"] = 1
    done = convert(run, folder, "-o", tmp_path / "new")
    assert "1 converted, 1 the same run, 1 refused" in done.err


def test_a_note_on_many_results_is_one_line_with_the_sum(run, tmp_path):
    for number in range(3):
        home = tmp_path / f"runs/{number}"
        home.mkdir(parents=True)
        with edited(SOURCES["lm_eval"], home / f"results_{number}.json") as data:
            data["date"] += number
    done = convert(run, tmp_path / "runs", "-o", tmp_path / "new")
    lines = done.err.splitlines()
    first = tmp_path / "runs/0/results_0.json"
    groups = "left out: 3 values of /groups: the same scores as in /results"
    assert f"3 files: note: {groups}, first in {first}" in lines
    assert f"3 files: note: 15 results, 0 samples, first in {first}" in lines


def of_harness(folder, name):
    folder.mkdir(parents=True)
    with edited(SOURCES["lm_eval"], folder / "results_x.json") as data:
        data["config"]["model_args"] = f"pretrained={name}"
        for key in ("model_name", "model_name_sanitized", "model_source"):
            data.pop(key, None)


def test_the_owner_of_a_model_is_asked_for_once(run, tmp_path):
    for number in range(3):
        of_harness(tmp_path / f"runs/{number}", "tiny" if number else "gpt-4o-x")
    done = convert(run, tmp_path / "runs", "-o", tmp_path / "new")
    assert '2 model ids have no owner: "tiny", "gpt-4o-x"; name it once' in done.err
    needs = convert(run, "--needs", tmp_path / "runs").out
    assert "id: tiny} # 6 records; no owner in the id" in needs
    assert "id: gpt-4o-x} # 3 records; no owner in the id" in needs
    facts = tmp_path / "facts.yaml"
    facts.write_text("models: {tiny: {id: lab/tiny}, gpt-4o-x: {id: openai/x}}\n", "utf-8")
    done = convert(run, tmp_path / "runs", "-o", tmp_path / "named", "--defaults", facts)
    assert "no owner" not in done.err
    records = [json.loads(path.read_text()) for path in (tmp_path / "named").rglob("*.json")]
    models = {(record["model_info"]["id"], record["model_info"]["developer"]) for record in records}
    assert models == {("lab/tiny", "lab"), ("openai/x", "openai")}
    assert {path.parent.parent.name for path in (tmp_path / "named").rglob("*.json")} == {
        "lab", "openai",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("file", "call"),
    [
        (SOURCES["lm_eval"], "convert FILE -o STORE` makes records of these results of the LM"),
        (SOURCES["inspect"], "convert FILE -o STORE` makes records of this log of Inspect"),
        (SOURCES["inspect_eval"], "convert FILE -o STORE` makes a record of it"),
        (
            SOURCES["lighteval"],
            "convert FILE -o STORE` makes records of these results of lighteval",
        ),
        (SOURCES["helm"] / "run_spec.json", "convert FOLDER -o STORE` makes records of this run"),
        (RESULTS / "lm_eval/samples_sums_2026-01-02T03-04-05.678901.jsonl", "results_DATE.json"),
    ],
)
def test_a_check_of_results_names_what_convert_reads(file, call):
    (finding,) = check_file(file).findings
    assert finding.code in ("F012", "F004")
    assert call in finding.helps[0]
