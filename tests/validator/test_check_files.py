"""Checking many files: which are checked, what is compared between them, what is ignored."""

from __future__ import annotations

import gc
import os
import shutil
from pathlib import Path

import pytest
from conftest import FIXTURES, needs_fifos, needs_links
from evalmark import UnknownNameError, check_files
from evalmark.validator.config import FileIgnore

GOOD = FIXTURES / "good/suite.json"
WARNING = FIXTURES / "bad/SG302_leading_space.json"
ERROR = FIXTURES / "bad/SG204_unknown_condition.json"
RECORD = FIXTURES / "good/record.json"


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "a").mkdir()
    shutil.copy(ERROR, tmp_path / "a/error.json")
    shutil.copy(WARNING, tmp_path / "warning.json")
    shutil.copy(GOOD, tmp_path / "good.json")
    (tmp_path / "package.json").write_text("{}")
    return tmp_path


def test_reports_come_in_the_order_of_the_files(folder):
    checked = check_files([folder])
    assert [Path(report.path).name for report in checked.reports] == [
        "warning.json", "error.json",
    ]  # fmt: skip
    assert checked.files == 3, "package.json is skipped"
    assert not checked.ok
    assert {finding.code for finding in checked.findings} == {"SG302", "SG204"}
    assert gc.isenabled()


def test_an_unrecognized_file_is_an_error_only_if_it_is_named(folder):
    assert check_files([folder / "package.json"]).findings[0].code == "F012"
    assert check_files([folder / "package.json"], hook=True).files == 0


def test_excluded_files_are_skipped_in_folders_and_under_the_hook(folder):
    assert check_files([folder], exclude=["*/a/*"]).ok
    named = folder / "a/error.json"
    assert not check_files([named], exclude=["*/a/*"]).ok
    assert check_files([named], exclude=["*/a/*"], hook=True).ok


@pytest.mark.parametrize("rule", ["SG204", "unknown-condition"])
def test_rules_are_ignored_by_code_or_name(folder, rule):
    assert check_files([folder], ignore=[rule]).ok


def test_unused_ignores_are_listed(folder):
    used = FileIgnore("*error.json", "", frozenset({"SG204"}), "known")
    unused = FileIgnore("*good.json", "", frozenset({"SG204"}), "known")
    checked = check_files([folder], per_file_ignores=[used, unused])
    assert checked.ok
    assert checked.unused_ignores == (unused,)


def test_evaluation_ids_are_compared_between_files(tmp_path):
    for name in ("a.json", "b.json"):
        shutil.copy(RECORD, tmp_path / name)
    (finding,) = check_files([tmp_path]).findings
    assert (finding.code, Path(finding.path).name) == ("EE230", "b.json")
    assert check_files([tmp_path], ignore=["EE230"]).ok


def test_samples_are_checked_once_with_their_record(tmp_path):
    for name in ("with_samples.json", "with_samples_samples.jsonl"):
        shutil.copy(FIXTURES / "good" / name, tmp_path)
    paths = [tmp_path, tmp_path / "with_samples_samples.jsonl"]
    assert check_files(paths).files == 2


def test_each_sees_every_report_and_may_replace_it(folder):
    seen = []
    checked = check_files([folder], each=lambda report: seen.append(report.path) or report)
    assert len(seen) == checked.files == 3


@pytest.mark.parametrize(
    "wrong", [{"kind": "suit"}, {"select": ["SG999"]}, {"ignore": ["SG999"]}, {"profile": "eeee"}]
)
def test_wrong_arguments_are_one_kind_of_error(wrong):
    with pytest.raises(UnknownNameError, match="unknown"):
        check_files([GOOD], **wrong)


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
    assert "F011" in {finding.code for finding in checked.findings}
