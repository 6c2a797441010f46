"""`check --out FORMAT=FILE`: several reports of one check."""

import json
import os
import shutil
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from conftest import FIXTURES, needs_modes
from evalmark.validator.outputs.report_texts import web_folder

ERROR = FIXTURES / "bad/SG204_unknown_condition.json"
GOOD = FIXTURES / "good/suite.json"
RECORD = ("with_samples.json", "with_samples_samples.jsonl")


@pytest.fixture
def files(here):
    shutil.copy(ERROR, "bad.json")
    shutil.copy(GOOD, "good.json")
    for name in RECORD:
        shutil.copy(FIXTURES / "good" / name, name)
    return here


def test_one_check_feeds_several_reports(run, files):
    plain = run("evalmark", "check", "--format", "github", ".")
    done = run(
        "evalmark", "check", "--format", "github", "--out", "sarif=out.sarif",
        "--out", "markdown=summary.md", "--out", "junit=out.xml",
        "--out", "jsonl=all", ".",
    )  # fmt: skip
    assert (done.code, done.out, done.err) == (plain.code, plain.out, plain.err)
    assert done.code == 1
    results = json.loads(Path("out.sarif").read_text())["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["SG204"]
    assert "### evalmark: 1 error" in Path("summary.md").read_text()
    assert [json.loads(line)["code"] for line in Path("all").read_text().splitlines()] == ["SG204"]
    assert not list(files.glob(".evalmark-*"))


def test_junit_has_a_case_for_each_file(run, files):
    for jobs in ((), ("--jobs", "2")):
        root = ET.fromstring(run("evalmark", "check", "--format", "junit", *jobs, ".").out)
        assert (root.get("tests"), root.get("failures")) == ("4", "1")
        suites = {suite.get("name"): len(suite.findall("testcase")) for suite in root}
        names = ("bad.json", "good.json", *RECORD)
        assert suites == {f".{os.sep}{name}": 1 for name in names}
    (case,) = ET.fromstring(run("evalmark", "check", "--format", "junit", "good.json").out)[0]
    assert (case.get("name"), list(case)) == ("good.json", [])


def test_paths_are_kept_only_where_they_are_listed(files):
    from evalmark.validator.checker import check_files

    assert check_files(["."]).paths == ()


def test_reports_are_written_without_findings_too(run, files):
    done = run("evalmark", "check", "-q", "--out", "markdown=summary.md", "good.json")
    assert (done.code, done.out, done.err) == (0, "", "")
    assert "Checked 1 file: no findings." in Path("summary.md").read_text()
    Path("other").mkdir()
    done = run("evalmark", "check", "--out", "markdown=summary.md", "other", code=2)
    assert "No evaluation files were checked." in Path("summary.md").read_text()


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("sarif", "an output needs FORMAT=FILE"),
        ("sarif=", "an output needs FORMAT=FILE"),
        ("sarif=-", "an output needs FORMAT=FILE"),
        ("sarf=x", "unknown output format 'sarf'; did you mean 'sarif'?"),
        ("json=./bad.json", "would replace a file that is checked"),
    ],
)
def test_outputs_that_cannot_be_meant_are_refused(refused, files, value, message):
    before = Path("bad.json").read_bytes()
    assert message in refused("evalmark", "check", "--out", value, "bad.json")
    assert Path("bad.json").read_bytes() == before


def test_two_reports_cannot_share_a_file(run, files):
    done = run("evalmark", "check", "--out", "json=x", "--out", "sarif=./x", "good.json", code=2)
    assert "two outputs would be written to ./x" in done.err


def test_a_report_that_cannot_be_written_fails_and_the_findings_are_shown(run, files):
    done = run("evalmark", "check", "--out", "json=no/such/x", "--out", "sarif=y", "bad.json")
    assert done.code == 2
    assert "SG204" in done.out
    assert "no/such/x: cannot be written: no such file or directory" in done.err
    assert Path("y").exists()


@needs_modes
def test_a_read_only_report_is_kept(run, files):
    Path("x").write_text("old")
    Path("x").chmod(0o444)
    done = run("evalmark", "check", "--out", "json=x", "good.json")
    assert (done.code, Path("x").read_text()) == (2, "old")


def test_links_of_a_workflow(here, monkeypatch):
    (here / "a dir").mkdir()
    environment = {
        "GITHUB_SERVER_URL": "https://github.com", "GITHUB_REPOSITORY": "org/repo",
        "GITHUB_SHA": "0" * 40, "GITHUB_WORKSPACE": str(here),
    }  # fmt: skip
    base = f"https://github.com/org/repo/blob/{'0' * 40}/"
    assert web_folder(environment) == base
    monkeypatch.chdir(here / "a dir")
    assert web_folder(environment) == f"{base}a%20dir/"
    assert web_folder({**environment, "GITHUB_WORKSPACE": str(here / "other")}) == ""
    assert web_folder({}) == ""
    for name, value in (
        ("GITHUB_SERVER_URL", "javascript:alert(1)"),
        ("GITHUB_REPOSITORY", "a/b)[x](y"),
        ("GITHUB_SHA", "main"),
    ):
        assert web_folder({**environment, name: value}) == ""
