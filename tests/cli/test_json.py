"""``--format json``: one object on stdout, with a version, and everything for people on stderr."""

import shutil

import pytest
from conftest import FIXTURES
from parameters import COMMANDS, parameters_of, values_of
from recorded_suites import surprisals_of
from run_data import record_of

#: Commands that only write files, or serve them: pages, a repository, an editor.
WRITERS = {"report", "init", "table", "publish", "serve", "lsp"}


@pytest.fixture
def json_of(json_of, here):
    """Run a command in a folder with a suite; the object it writes and what it says."""
    shutil.copy(FIXTURES / "good/suite.json", "suite.json")
    shutil.copy(FIXTURES / "legacy/triples.old.json", "old.json")
    return json_of


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_that_prints_has_json(command):
    formats = [p for p in parameters_of(command) if "--format" in p.opts]
    assert [("json" in values_of(p)) for p in formats] == [True] * (command not in WRITERS)


@pytest.mark.parametrize(
    ("command", "keys"),
    [
        (("check", "suite.json"), {"findings", "summary"}),
        (("explain",), {"rules", "formats", "conversions"}),
        (("explain", "SG204"), {"rules"}),
        (("schema",), {"schemas"}),
        (("score", "suite.json", "--dry-run"), {"suites", "items", "plans", "not_scored"}),
    ],
)
def test_what_evalmark_knows(json_of, command, keys):
    data, said = json_of(*command)
    assert data.keys() == keys
    assert not said


def test_convert_says_what_became_of_each_file(json_of):
    data, said = json_of("convert", "--check", "suite.json", "old.json", code=1)
    assert [(file["path"], bool(file["steps"])) for file in data["files"]] == [
        ("suite.json", False), ("old.json", True),
    ]  # fmt: skip
    assert "old.json: suite-legacy → suite" in said
    assert json_of("convert", "--check", "suite.json", "--report", "own.json")[0]["files"]


def test_convert_needs_another_place_for_the_text(refused, json_of):
    said = refused("evalmark", "convert", "old.json", "--format", "json")
    assert "--format json needs stdout for itself" in said


def test_scores_are_those_of_the_file(json_of, tmp_path, numpy):
    surprisals_of(tmp_path / "s.tsv", "suite.json")
    data, said = json_of("score", "suite.json", "--surprisals", "s.tsv", "--out", "run")
    (scored,) = data["runs"]
    record, samples = scored.pop("written")
    assert [line for line in said.splitlines() if line.startswith("wrote ")] == [
        f"wrote {record} (record 0.2.0)", f"wrote {samples}",
    ]  # fmt: skip
    written = record_of(tmp_path / "run")
    del written["detailed_evaluation_results"]
    assert scored == {"record": written}
