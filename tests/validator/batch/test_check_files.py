"""Checking many files: which are checked, what is compared between them, what is ignored."""

import gc
import json
import os
import shutil
from pathlib import Path

import pytest
from conftest import FIXTURES, needs_fifos, needs_links
from evalmark import check_files
from evalmark.validator.batch.check_files import check_batch
from evalmark.validator.checker import Checker
from evalmark.validator.format import FileIgnore, Glob
from evalmark.validator.settings.config import Config
from found import codes_of
from records import SAMPLES, sampled

GOOD = FIXTURES / "good/suite.json"
WARNING = FIXTURES / "bad/SG302_leading_space.json"
ERROR = FIXTURES / "bad/SG204_unknown_condition.json"
RECORD = FIXTURES / "good/record.json"
HOOK = Checker().context._replace(picked=True, hook=True)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a").mkdir()
    for file, name in ((ERROR, "a/error"), (WARNING, "warning"), (GOOD, "good")):
        text = file.read_text(encoding="utf-8").replace('"agreement"', f'"{name}"')
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    (tmp_path / "package.json").write_text("{}")
    return tmp_path


def test_reports_come_in_the_order_of_the_files(folder):
    checked = check_files([folder])
    assert [Path(report.path).name for report in checked.reports] == [
        "warning.json", "error.json",
    ]  # fmt: skip
    assert checked.files == 3, "package.json is skipped"
    assert not checked.ok
    assert set(codes_of(checked)) == {"SG302", "SG204"}
    assert gc.isenabled()


def test_excluded_files_are_skipped_in_folders_and_under_the_hook(folder):
    assert check_files([folder], exclude=["*/a/*"]).ok
    named = folder / "a/error.json"
    assert not check_files([named], exclude=["*/a/*"]).ok
    assert check_batch([named], HOOK._replace(exclude=[Glob("*/a/*")])).ok


def test_one_text_is_a_list_of_one(folder):
    assert check_files([folder], exclude="*/nothing/*").files == 3
    found = check_files([folder], ignore="region-leading-space").findings
    assert {finding.code for finding in found} == {"SG204"}


def test_unused_ignores_are_listed(folder):
    used = FileIgnore("*error.json", "", frozenset({"SG204"}), "known")
    unused = FileIgnore("*good.json", "", frozenset({"SG204"}), "known")
    checked = check_files([folder], config=Config(per_file_ignores=(used, unused)))
    assert checked.ok
    assert checked.unused_ignores == (unused,)


def test_a_configuration_and_the_other_arguments_add_up(folder):
    settings = Config(ignore=("SG204",), exclude=("*/nothing/*",), select=("SG304",))
    found = check_files([folder], config=settings, ignore=["region-leading-space"])
    assert found.files == 3
    assert not found.findings
    assert check_files([folder], config=settings, exclude=["*/a/*"]).files == 2
    path = FIXTURES / "bad/SG304_leading_punctuation.json"
    assert "SG304" in codes_of(check_files([path], config=settings))


@pytest.mark.conforms("R-13")
def test_evaluation_ids_are_compared_between_files_but_by_the_hook(tmp_path, run):
    for name in ("a.json", "b.json"):
        shutil.copy(RECORD, tmp_path / name)
    (finding,) = check_files([tmp_path]).findings
    assert (finding.code, Path(finding.path).name) == ("EE243", "b.json")
    assert (finding.name, finding.span[:2]) == ("repeated-record", (3, 20))
    assert finding.message == f"duplicate evaluation id: also in {tmp_path / 'a.json'}"
    assert run("evalmark-hook", tmp_path / "a.json", tmp_path / "b.json") == (0, "", "")
    assert finding.notes == ("the two records are equal: remove one of them",)
    assert check_files([tmp_path], ignore=["EE243"]).ok


def test_records_with_one_id_say_what_differs(tmp_path):
    data = json.loads(RECORD.read_text("utf-8"))
    (tmp_path / "a.json").write_text(json.dumps(data))
    data["evaluation_results"][0]["score_details"]["score"] = 0.5
    data["model_info"]["developer"] = "Example"
    data["evaluation_results"][0]["source_data"] = {
        "dataset_name": "d", "source_type": "other", "additional_details": {"a": "b"}
    }  # fmt: skip
    (tmp_path / "b.json").write_text(json.dumps(data))
    (finding,) = check_files([tmp_path]).findings
    (note,) = finding.notes
    assert note.startswith('the two records differ in /model_info/developer (absent and "Example')
    assert "/evaluation_results/0/score_details/score (0.75 and 0.5)" in note or "more" in note


def test_names_of_suites_are_compared_between_files(tmp_path):
    shutil.copy(GOOD, tmp_path / "a.json")
    shutil.copy(GOOD.with_suffix(".yaml"), tmp_path / "b.yaml")
    checked = check_files([tmp_path])
    (finding,) = checked.findings
    assert (finding.code, Path(finding.path).name) == ("SG418", "b.yaml")
    assert finding.span
    assert finding.span.line == 3
    assert checked.ok, "a warning"


def test_samples_are_checked_once_with_their_record(tmp_path):
    sampled(tmp_path)
    assert check_files([tmp_path, tmp_path / SAMPLES]).files == 2


def test_each_sees_every_report_and_may_replace_it(folder):
    seen = []
    options = Checker().context._replace(each=lambda report: seen.append(report.path) or report)
    checked = check_batch([folder], options)
    assert len(seen) == checked.files == 3


@needs_fifos
def test_a_pipe_is_skipped_in_folders_and_a_finding_if_named(folder):
    for name in ("pipe.json", "rows.jsonl"):
        os.mkfifo(folder / name)
        (finding,) = check_files([folder / name]).findings
        assert finding.code == "F011"
        assert "not a regular file" in finding.message
    assert check_files([folder]).files == 3


@needs_links
def test_a_broken_link_is_a_finding(folder):
    (folder / "broken.json").symlink_to("nowhere.json")
    checked = check_files([folder])
    assert checked.unreadable
    assert "F011" in codes_of(checked)
