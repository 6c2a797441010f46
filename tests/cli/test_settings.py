"""Settings of a repository, and what a call selects and ignores."""

import shutil
from pathlib import Path

import pytest
from conftest import FIXTURES

GOOD = FIXTURES / "good/suite.json"
WARNING = FIXTURES / "bad/SG302_leading_space.json"


def test_settings_of_a_repository(run, here):
    shutil.copy(WARNING, "a.json")
    settings = Path("pyproject.toml")
    settings.write_text('[tool.evalmark]\nfail-on = "warning"\n')
    assert run("evalmark-hook", "a.json").code == 1
    assert run("evalmark", "check", "a.json").code == 1
    settings.write_text('[tool.evalmark]\nignore = ["region-leading-space"]\n')
    assert run("evalmark-hook", "a.json") == (0, "", "")
    settings.write_text('[tool.evalmark]\nignore = ["SG302"]\n')
    assert run("evalmark", "check", "a.json").out == ""
    settings.write_text('[tool.evalmark]\nfail-on = "warning"\nexclude = ["a*.json"]\n')
    assert run("evalmark-hook", "a.json").code == 0
    Path("evalmark.toml").write_text('join = "brainscore"\n')
    assert "brainscore" not in run("evalmark", "check", "a.json").out
    assert "with `--fix --unsafe-fixes`" in run("evalmark", "check", "a.json").err


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("ignroe = []", "unknown setting `ignroe`"),
        ("ignore = ['SG999']", "`ignore`: unknown rule 'SG999'"),
        ("fail-on = 'sometimes'", "`fail-on` must be one of error, warning"),
        ("exclude = 'x'", "`exclude` must be a list of strings"),
        ("join = ", "evalmark.toml: "),
        ("select = ['SG999']", "`select`: unknown rule 'SG999'"),
        ("[[per-file-ignores]]\nfiles = 'a'\nrules = ['SG302']", "needs a `reason`"),
        ("[[per-file-ignores]]\nrules = ['SG302']\nreason = 'x'", "needs `files`"),
        ("per-file-ignores = 1", "must be a list of tables"),
        ("record = 1", "`record` must be a table"),
        ("ray = 1", "`ray` must be a table"),
        ("[ray]\ncpus = 1", "unknown setting `ray.cpus`"),
        ("[ray]\ncpus-per-model = 'x'", "`cpus-per-model` must be a number"),
        ("[ray]\ngpus-per-model = -1", "`gpus-per-model` must be a number of at least 0"),
        ("[record]\nrelationship = 'third'", "`relationship` must be one of first_party, third_p"),
        ("[record]\norganization = 3", "`organization` must be a string"),
        ("[record]\nversion = '0.2.1'", "`version` must be one of 0.2.0, 0.3.0"),
        ("profile = 'eeee'", "`profile` must be one of eee"),
        ("[score]\npack-tokens = 0", "`pack-tokens` must be a number of at least 1"),
        ("[score]\nstrategy = 'tree'", "`strategy` must be one of packed, padded"),
        ("[score]\npath = 1", "unknown setting `score.path`"),
        # the same files on every system
        ("exclude = ['suites\\*']", "needs / between folders, not \\"),
        ("[[per-file-ignores]]\nfiles = 'a\\b.json'\nreason = 'x'", "needs / between folders"),
    ],
)
def test_bad_settings_are_said(run, here, text, message):
    Path("evalmark.toml").write_text(text + "\n")
    for program in (("evalmark", "check"), ("evalmark-hook",)):
        assert message in run(*program, GOOD, code=2).err


def test_ignores_by_file_and_pointer(run, here):
    Path("legacy").mkdir()
    shutil.copy(WARNING, "legacy/a.json")
    entry = "[[per-file-ignores]]\nrules = ['region-leading-space']\nreason = 'published so'\n"
    settings = Path("evalmark.toml")
    for files, left, unused in (
        ("legacy/*.json", 0, False),
        ("legacy/*.json#/items/0", 2, False),
        ("legacy/*.json#/items/1/conditions/0", 3, False),
        ("legacy/*.json#/item", 4, True),
        ("other/*.json", 4, False),  # nothing there was checked
        ("legacy/other*.json", 4, True),
    ):
        settings.write_text(f"{entry}files = '{files}'\n")
        outcome = run("evalmark", "check", "-v", "legacy")
        assert outcome.out.count("SG302") == left
        assert ("unused ignore: SG302" in outcome.err) is unused
        assert "unused" not in run("evalmark-hook", "legacy/a.json").err
        assert ("unused ignore: SG302" in run("evalmark", "check", "-v", ".").err) is (left == 4)
        one = run("evalmark", "check", "-v", "legacy/a.json")
        assert ("unused ignore: SG302" in one.err) is (files == "legacy/*.json#/item")


def test_rules_are_selected_and_ignored_by_the_call(run):
    suite = FIXTURES / "suites/garden_path.json"
    assert run("evalmark", "check", suite).out == ""
    for word in ("SG304", "leading-punctuation", "ALL"):
        assert "SG304" in run("evalmark", "check", "--select", word, suite).out
    assert run("evalmark", "check", "--ignore", "SG302", WARNING).out == ""
    assert run("evalmark", "check", "--ignore", "SG999", WARNING).code == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("exclude = " + "[" * 20_000, "nested too deep"),
        ("fail-on = " + "9" * 5_000, "Exceeds the limit"),
        ("[score]\npack-tokens = inf", "must be a number of at least 1"),
        ("[score]\nbatch-tokens = nan", "must be a number of at least 1"),
        ("[ray]\ncpus-per-model = nan", "must be a number of at least 0.1"),
    ],
)
def test_settings_that_no_parser_expects_are_an_error_of_their_file(run, here, text, said):
    (here / "evalmark.toml").write_text(text, encoding="utf-8")
    done = run("evalmark", "check", GOOD)
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)
    assert done.err.startswith(f"evalmark: {here / 'evalmark.toml'}: ")
    assert said in done.err


def test_a_pyproject_whose_tools_are_no_table_has_no_settings(run, here):
    (here / "pyproject.toml").write_text("tool = 3  # not [tool.evalmark]\n")
    assert run("evalmark", "check", GOOD).code == 0
