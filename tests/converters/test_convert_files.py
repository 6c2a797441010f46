"""Converting files: in place or beside, whole or not at all, and nothing out of the tree."""

import json
import random
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import FIXTURES, edited, file_at, needs_links, needs_modes
from evalmark.converters import syntax
from evalmark.converters.convert_files import convert_files
from evalmark.validator.check import check_file
from evalmark.validator.io import opening

OLD = (FIXTURES / "legacy/brackets.old.json").read_bytes()
NEW = (FIXTURES / "legacy/brackets.new.json").read_bytes()


@pytest.fixture
def folder(tmp_path):
    for name in ("a.json", "sub/b.json"):
        file_at(tmp_path / "suites" / name, OLD)
    (tmp_path / "suites/package.json").write_text("{}")
    return tmp_path / "suites"


def test_a_folder_in_place(folder, run):
    assert run("evalmark", "convert", "--in-place", folder).code == 0
    assert (folder / "a.json").read_bytes() == (folder / "sub/b.json").read_bytes() == NEW
    assert (folder / "package.json").read_text() == "{}"
    again = run("evalmark", "convert", "--check", folder)
    assert (again.code, again.out) == (0, "")


def test_a_folder_to_a_folder(folder, run, tmp_path):
    target = tmp_path / "new"
    assert run("evalmark", "convert", folder, "-o", target).code == 0
    assert (target / "a.json").read_bytes() == (target / "sub/b.json").read_bytes() == NEW
    assert (folder / "a.json").read_bytes() == OLD
    tables = tmp_path / "tables"
    assert run("evalmark", "convert", folder, "-o", tables, "--to", "table").code == 0
    assert sorted(path.name for path in tables.rglob("*.*")) == ["a.csv", "b.csv"]


def test_check_and_diff_write_nothing(folder, run):
    assert run("evalmark", "convert", "--check", folder).code == 1
    assert run("evalmark", "convert", "--diff", folder).out.count("--- a/") == 2
    assert (folder / "a.json").read_bytes() == OLD


def test_the_report(folder, run, tmp_path):
    (folder / "bad.json").write_text('{"items": [], "predictions": ["/"], "meta": {}}')
    report = tmp_path / "report.json"
    assert run("evalmark", "convert", "--in-place", folder, "--report", report).code == 1
    data = json.loads(report.read_text())
    assert data["version"] == 1
    by_name = {Path(entry["path"]).name: entry for entry in data["files"]}
    assert by_name["a.json"]["steps"] == ["suite-brackets → suite"]
    assert "SG101 `region_meta` is missing at 1:1" in by_name["bad.json"]["refused"]


@pytest.mark.parametrize("more", [[], ["--diff"], ["--check", "--diff"]])
def test_a_report_on_stdout_is_not_mixed_with_other_output(folder, refused, more):
    said = refused("evalmark", "convert", folder / "a.json", "--report", "-", *more)
    assert said.startswith("evalmark: --report - needs stdout for itself: use -o")
    assert said.count("\n") == 1


def test_a_report_on_stdout_is_json(folder, run, tmp_path):
    results = FIXTURES / "results/lm_eval/results_2026-01-02T03-04-05.678901.json"
    facts = ["--set", "/source_metadata/source_organization_name=Example"]
    for more in (
        [folder / "a.json", "--check"],
        [folder / "a.json", "-o", tmp_path / "new.json"],
        [results, "-o", tmp_path / "store", *facts],
        [folder, "--in-place"],
    ):
        outcome = run("evalmark", "convert", *more, "--report", "-")
        assert json.loads(outcome.out)["files"], outcome.err


@needs_modes
@needs_links
def test_modes_are_kept_and_links_stay(folder, run):
    path = folder / "a.json"
    path.chmod(0o640)
    link = folder / "link.json"
    link.symlink_to("sub/b.json")
    assert run("evalmark", "convert", "--in-place", folder).code == 0
    assert path.stat().st_mode & 0o777 == 0o640
    assert link.is_symlink()


@needs_links
def test_links_out_of_the_tree_are_not_followed(folder, run, tmp_path):
    outside = tmp_path / "outside.json"
    outside.write_bytes(OLD)
    (folder / "link.json").symlink_to(outside)
    (folder / "folder").symlink_to(tmp_path / "elsewhere")
    assert run("evalmark", "convert", "--in-place", folder).code == 0
    assert outside.read_bytes() == OLD


def test_what_is_written_otherwise_is_not_written_in_place(run, tmp_path):
    suite = tmp_path / "suite.json"
    suite.write_bytes(NEW)
    assert "-o FILE" in run("evalmark", "convert", "--in-place", "--to", "table", suite, code=1).err
    assert suite.read_bytes() == NEW


def test_a_table_in_a_folder_is_left_alone_in_place(folder, run):
    table = folder / "t.csv"
    table.write_text("item_number,condition_name,region_number,region_name,content\n1,a,1,x,The\n")
    before = table.read_bytes()
    assert run("evalmark", "convert", "--in-place", folder).code == 0
    assert table.read_bytes() == before


def test_the_hook_leaves_records_alone(run, tmp_path):
    record = tmp_path / "record.json"
    shutil.copy(FIXTURES / "versions/record-0.2.2.json", record)
    before = record.read_bytes()
    hook = ("--in-place", "--skip-unknown", "--to", "suite")
    assert run("evalmark", "convert", *hook, record) == (0, "", "")
    assert record.read_bytes() == before


def test_defaults_in_a_file(run, tmp_path):
    defaults = tmp_path / "defaults.yaml"
    defaults.write_text(
        "/eval_library/name: lm_eval\n"
        '/eval_library/version: "0.4.9"\n'
        "/model_info/additional_details/deployment_type: self_deployed\n"
        "/model_info/additional_details/model_availability: open_weights\n"
        '"/evaluation_results/*/source_data/dataset_name": "@evaluation_name"\n'
    )
    record = tmp_path / "record.json"
    with edited(FIXTURES / "versions/record-0.1.0.json", record) as data:
        data.pop("detailed_evaluation_results_per_samples", None)
    outcome = run("evalmark", "convert", record, "--defaults", defaults, code=0)
    assert "unknown" not in outcome.out
    assert json.loads(outcome.out)["eval_library"] == {"name": "lm_eval", "version": "0.4.9"}


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["--set", "x=1"], "/POINTER=VALUE"),
        (["--rename", "x"], "expected A=B"),
        (["--predictions", "x", "--no-predictions"], "exclude each other"),
        (["--defaults", "nosuch.json"], "No such file"),
        (["-o", "x", "--in-place"], "exclude each other"),
        (["-o", "no/such/folder.json"], "no/such"),
        (["--to", "suite@9"], "unknown format 'suite-9'"),
    ],
)
def test_usage_errors(arguments, reason, run):
    outcome = run("evalmark", "convert", FIXTURES / "good/suite.json", *arguments, code=2)
    assert reason in outcome.err


def test_a_list_of_predictions_has_formulas_only(tmp_path, run):
    formulas_file = tmp_path / "other.json"
    formulas_file.write_text('[{"a": 1}]')
    outcome = run(
        "evalmark", "convert", FIXTURES / "good/suite.json", "--predictions", formulas_file, code=2
    )
    assert "other.json has an element that is not a formula" in outcome.err


def test_metric_wins_over_that_of_the_predictions(tmp_path, run):
    formulas_file = tmp_path / "formulas.txt"
    formulas_file.write_text("(2;%match%) < (2;%mismatch%)\n")
    table = FIXTURES / "tables/rows.json"
    outcome = run("evalmark", "convert", table, "--predictions", formulas_file, "--metric", "mean")
    assert "internal error" not in outcome.err
    assert json.loads(outcome.out)["meta"]["metric"] == "mean"


def test_versions_may_be_written_with_an_at_sign(run):
    record = FIXTURES / "versions/record-0.2.1.json"
    outcome = run("evalmark", "convert", record, "--to", "record@0.2.2")
    assert json.loads(outcome.out)["schema_version"] == "0.2.2"


def test_the_map(run):
    outcome = run("evalmark", "explain", code=0)
    for word in ("suite-brackets → suite", "record-0.2.2 → record-0.3.0", "lm-eval"):
        assert word in outcome.out


def test_an_unreadable_file_does_not_stop_the_others(folder, run):
    (folder / "a.json").write_bytes(b"\xff\xfe")
    run("evalmark", "convert", "--in-place", folder, code=2)
    assert (folder / "sub/b.json").read_bytes() == NEW
    assert run("evalmark", "convert", folder / "none.json").code == 2


@pytest.mark.slow
def test_a_killed_run_leaves_whole_files(tmp_path):
    """Five kills over 60 files; benchmarks/torture/kills.py kills every command that writes."""
    folder = tmp_path / "suites"
    folder.mkdir()
    names = [f"{number:03}.json" for number in range(60)]
    r = random.Random(0)
    command = [sys.executable, "-m", "evalmark.cli.main", "convert", "--in-place", str(folder)]
    for _ in range(5):
        for name in names:
            (folder / name).write_bytes(OLD)
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(r.uniform(0.2, 0.8))
        process.kill()
        process.wait()
        assert {(folder / name).read_bytes() for name in names} <= {OLD, NEW}
    subprocess.run(command, check=True, capture_output=True)
    assert {(folder / name).read_bytes() for name in names} == {NEW}
    assert sorted(path.name for path in folder.iterdir()) == names
    assert check_file(folder / names[0]).ok


@pytest.fixture
def record(tmp_path):
    """A record whose samples are ``samples/rows.jsonl``."""
    folder = tmp_path / "run"
    (folder / "samples").mkdir(parents=True)
    text = (FIXTURES / "good/with_samples.json").read_text("utf-8")
    path = folder / "record.json"
    path.write_text(text.replace("with_samples_samples.jsonl", "samples/rows.jsonl"), "utf-8")
    shutil.copy(FIXTURES / "good/with_samples_samples.jsonl", folder / "samples/rows.jsonl")
    return path


def test_samples_are_converted_where_they_are(record, run):
    assert run("evalmark", "convert", "--in-place", "--to", "record-0.2.2", record).code == 0
    assert not (record.parent / "rows.jsonl").exists()
    assert "eval_0.2.2" in (record.parent / "samples/rows.jsonl").read_text("utf-8")
    assert check_file(record).findings == ()


def test_a_record_and_its_samples_become_a_folder_or_are_refused_before_one_is_written(record, run):
    to = ("--to", "record-0.2.2", record)
    refused = run("evalmark", "convert", "-o", record.with_name("new.txt"), *to)
    assert refused.code == 1
    assert "two files, which new.txt cannot be; use -o FOLDER" in refused.err
    assert [path.name for path in record.parent.iterdir() if path.is_file()] == ["record.json"]
    folder = record.with_name("new")
    assert run("evalmark", "convert", "-o", folder, *to).code == 0
    assert check_file(folder / "record.json").findings == ()
    assert (folder / "rows.jsonl").is_file()


@needs_links
@pytest.mark.parametrize("where", ["--in-place", "-o"])
@pytest.mark.parametrize("kind", ["link", "linked folder", "absolute", "climbing"])
def test_samples_out_of_the_folder_are_neither_read_nor_written(kind, where, record, run, tmp_path):
    outside = tmp_path / "outside/rows.jsonl"
    shutil.move(record.parent / "samples", outside.parent)
    old = outside.read_bytes()
    paths = {"absolute": str(outside), "climbing": "../outside/rows.jsonl"}
    if kind == "link":
        (record.parent / "samples").mkdir()
        (record.parent / "samples/rows.jsonl").symlink_to(outside)
    elif kind == "linked folder":
        (record.parent / "samples").symlink_to(outside.parent)
    else:
        text = record.read_text("utf-8").replace("samples/rows.jsonl", paths[kind])
        record.write_text(text, "utf-8")
    before = record.read_bytes()
    target = (where,) if where == "--in-place" else (where, tmp_path / "new/")
    done = run("evalmark", "convert", *target, "--to", "record-0.2.2", record, code=1)
    assert "refused: the sample file is outside" in done.err
    assert (outside.read_bytes(), record.read_bytes()) == (old, before)
    assert not (tmp_path / "new").exists()


@needs_links
def test_no_folder_is_made_where_a_link_in_the_outputs_leads(run, tmp_path):
    file_at(tmp_path / "in/sub/deep/old.json", (FIXTURES / "legacy/brackets.old.json").read_text())
    outside, out = tmp_path / "outside", tmp_path / "out"
    outside.mkdir()
    out.mkdir()
    (out / "sub").symlink_to(outside)
    done = run("evalmark", "convert", tmp_path / "in", "-o", out, code=2)
    assert "a symbolic link leads out of " in done.err
    assert [*outside.iterdir()] == []


def test_samples_that_are_not_text_are_refused(record, run):
    (record.parent / "samples/rows.jsonl").write_bytes(b"\xff\n")
    done = run("evalmark", "convert", "--to", "record-0.2.2", record, code=1)
    assert "refused: the samples are not UTF-8 text" in done.err


def test_samples_have_the_limits_that_checks_have(record, run, monkeypatch):
    """What ``check`` does not read as a whole, or skips, is not loaded for a conversion."""
    rows = record.parent / "samples/rows.jsonl"
    before = record.read_bytes(), rows.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(opening, "MAX_SIZE", len(before[1]) - 1)
        (refused,) = convert_files([record], to="record-0.2.2", in_place=True)
        assert "the samples cannot be read: larger than" in str(refused.refused)
    with monkeypatch.context() as patched:
        patched.setattr(syntax, "MAX_LINE", len(before[1].splitlines()[0]))
        (refused,) = convert_files([record], to="record-0.2.2", in_place=True)
        assert "F018 line is longer than" in str(refused.refused)
    assert (record.read_bytes(), rows.read_bytes()) == before
    monkeypatch.setattr(opening, "MAX_SIZE", len(before[1]))
    monkeypatch.setattr(syntax, "MAX_LINE", max(map(len, before[1].splitlines())) + 1)
    assert len(list(convert_files([record], to="record-0.2.2", in_place=True))) == 2
