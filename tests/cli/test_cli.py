"""The commands as users meet them: exit codes, streams, settings, completion."""

import json
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark.validator.check import check_file
from evalmark.validator.formats.rule_registry import RULES
from jsonschema import Draft4Validator

GOOD = FIXTURES / "good/suite.json"
WARNING = FIXTURES / "bad/SG302_leading_space.json"
ERROR = FIXTURES / "bad/SG204_unknown_condition.json"


@pytest.mark.parametrize("program", ["evalmark check", "evalmark-hook"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([GOOD], 0), ([WARNING], 0), ([WARNING, "--fail-on", "warning"], 1),
        ([WARNING, "--fail-on=error"], 0), ([ERROR], 1), ([GOOD, ERROR], 1),
        (["--no-such-option", GOOD], 2), ([GOOD, "--fail-on", "trifle"], 2),
        ([FIXTURES / "none.json"], 2),
    ],
)  # fmt: skip
def test_exit_codes(run, program, arguments, code):
    assert run(*program.split(), *arguments).code == code


def test_results_go_to_stdout_and_the_rest_to_stderr(run):
    clean = run("evalmark", "check", GOOD)
    assert clean.out == ""
    assert clean.err == "Checked 1 file: no findings.\n"
    assert run("evalmark", "check", "-q", GOOD) == (0, "", "")
    assert run("evalmark-hook", GOOD) == (0, "", "")
    found = run("evalmark", "check", WARNING)
    assert found.out.startswith(f"{WARNING}:30:27: warning[SG302] [*] region 2 starts with a space")
    assert "Checked 1 file: 0 errors, 4 warnings in 1 file." in found.err
    assert "[*] 4 fixable with `--fix`. `evalmark explain SG302` says more." in found.err


def test_repeats_are_folded_unless_all_are_wanted(run):
    assert run("evalmark", "check", WARNING).out.count("\n") == 1
    assert run("evalmark", "check", "-v", WARNING).out.count("\n") == 4


def test_stdin_under_a_name(run):
    outcome = run("evalmark", "check", "-", "--stdin-filename", "x.json", stdin=ERROR.read_bytes())
    assert outcome.code == 1
    assert outcome.out.startswith("x.json:17:40: error[SG204]")
    full = run("evalmark", "check", "-", "--format", "full", stdin=ERROR.read_bytes())
    assert "--> <stdin>:17:40" in full.out
    assert "^^^^^^ no item has" in full.out


def test_folders_are_walked_and_strangers_passed_over(run, tmp_path):
    (tmp_path / "suites").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "node_modules").mkdir()
    shutil.copy(ERROR, tmp_path / "suites/a.json")
    for folder in (".hidden", "node_modules"):
        shutil.copy(ERROR, tmp_path / folder / "b.json")
    (tmp_path / "package.json").write_text('{"name": "x"}')
    outcome = run("evalmark", "check", tmp_path)
    assert outcome.out.count("\n") == 1
    assert "Checked 1 file" in outcome.err
    named = run("evalmark", "check", tmp_path / "package.json", code=1)
    assert "error[F012] unrecognized file" in named.out
    hook = run("evalmark-hook", tmp_path / "package.json")
    assert hook == (0, "", f"Skipped 1 unrecognized file: {tmp_path / 'package.json'}.\n")


def test_json_output_is_an_api(run):
    document = json.loads(run("evalmark", "check", "--format", "json", ERROR, WARNING).out)
    assert list(document) == ["version", "findings", "summary"]
    assert document["version"] == 1
    finding = document["findings"][0]
    assert {
        key: finding[key]
        for key in (
            "code", "name", "severity", "pointer", "line", "column", "end_line", "end_column",
            "schema_location",
        )
    } == {
        "code": "SG204",
        "name": "unknown-condition",
        "severity": "error",
        "pointer": "/predictions/0/formula",
        "line": 17,
        "column": 40,
        "end_line": 17,
        "end_column": 46,
        "schema_location": None,
    }  # fmt: skip
    assert document["summary"] == {
        "files": 2,
        "errors": 1,
        "warnings": 4,
        "files_with_findings": 2,
        "fixable": 4,
        "fixable_unsafe": 1,
        "skipped": 0,
    }
    assert json.loads(run("evalmark", "check", "--format", "json", GOOD).out)["findings"] == []


def test_sarif(run):
    log = json.loads(run("evalmark", "check", "--format", "sarif", ERROR, WARNING).out)
    (analysis,) = log["runs"]
    assert log["version"] == "2.1.0"
    rules = analysis["tool"]["driver"]["rules"]
    results = analysis["results"]
    assert [rule["id"] for rule in rules] == ["SG204", "SG302"]
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in results)
    assert [result["level"] for result in results] == ["error"] + ["warning"] * 4
    place = results[0]["locations"][0]
    assert place["physicalLocation"]["region"] == {
        "startLine": 17,
        "startColumn": 40,
        "endLine": 17,
        "endColumn": 46,
    }
    assert place["logicalLocations"] == [{"fullyQualifiedName": "/predictions/0/formula"}]
    assert len({r["partialFingerprints"]["evalmark/v1"] for r in results}) == 5
    assert json.loads(run("evalmark", "check", "--format", "sarif", GOOD).out)["runs"]


def test_sarif_is_valid_by_its_schema(run, monkeypatch):
    monkeypatch.chdir(FIXTURES)
    schema = json.loads((Path(__file__).parent / "thirdparty/sarif-2.1.0.schema.json").read_text())
    judge = Draft4Validator(schema)
    assert not judge.is_valid({"version": "2.1.0"})
    out = run("evalmark", "check", "--format", "sarif", "--profile", "eee", "bad", "trees").out
    log = json.loads(out)
    assert len(log["runs"][0]["results"]) > 150
    assert list(judge.iter_errors(log)) == []


def test_json_lines(run):
    lines = run("evalmark", "check", "--format", "jsonl", ERROR, WARNING).out.splitlines()
    assert [json.loads(line)["code"] for line in lines] == ["SG204"] + ["SG302"] * 4
    assert run("evalmark", "check", "--format", "jsonl", GOOD).out == ""


def test_github_annotations(run, here):
    path = Path("a,b%.json")
    shutil.copy(ERROR, path)
    lines = run("evalmark", "check", "--format", "github", path).out.splitlines()
    assert lines[0].startswith("::error file=a%2Cb%25.json,line=17,col=40,endLine=17")
    assert "title=evalmark SG204 (unknown-condition)::prediction refers" in lines[0]
    assert "%0Ahelp: did you mean" in lines[0]
    assert lines[1].startswith(f"{path}:17:40: error[SG204]")


def test_github_is_chosen_by_its_environment(run, monkeypatch):
    program = [sys.executable, "-m", "evalmark.cli.hook", str(ERROR)]
    out = subprocess.run(
        program, capture_output=True, text=True, env={**os.environ, "GITHUB_ACTIONS": "true"}
    ).stdout
    assert out.startswith("::error ")


def test_colours_only_where_wanted(run, monkeypatch):
    plain = run("evalmark", "check", "--format", "full", ERROR).out
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = run("evalmark", "check", "--format", "full", ERROR).out
    assert "\x1b[" not in plain
    assert "\x1b[1;31merror[SG204]\x1b[0m" in coloured


# the other commands


def test_explain_and_rules(run):
    by_code, by_name = (
        run("evalmark", "explain", "sg204"),
        run("evalmark", "explain", "unknown-condition"),
    )
    assert by_code == by_name
    assert by_code.out.startswith("SG204 unknown-condition (error)\n\nA condition in a formula")
    assert "Bad:" in by_code.out
    assert "Good:" in by_code.out
    shared = ", ".join(code for code, rule in RULES.items() if rule.name == "wrong-type")
    assert {"EE112", "LT112", "MP112", "SG112"} <= set(shared.split(", "))
    assert run("evalmark", "explain", "wrong-type").out.startswith(f"{shared} wrong-type")
    assert run("evalmark", "explain", "nonsense").code == 2
    listing = run("evalmark", "explain").out
    assert "SG204  error    unknown-condition" in listing
    assert (
        json.loads(run("evalmark", "explain", "--format", "json").out)["rules"][0]["code"]
        == "EE101"
    )


def test_schema_prints_settings_of_vscode(run):
    entries = json.loads(run("evalmark", "schema", "--vscode").out)["json.schemas"]
    assert entries[0]["fileMatch"] == ["suites/**/*.json"]
    assert entries[0]["schema"]["title"] == "Test suite"
    one = json.loads(run("evalmark", "schema", "ltm-stats", "--vscode").out)["json.schemas"]
    assert [entry["fileMatch"] for entry in one] == [["ltm-stats/*.json"]]


def test_schema_prints_one_document(run):
    names = run("evalmark", "schema").out.split()
    assert names[:3] == ["suite", "suite-legacy", "record-0.0.1"]
    assert "sample-0.3.0" in names
    schema = json.loads(run("evalmark", "schema", "suite").out)
    assert schema["title"] == "Test suite"
    assert run("evalmark", "schema", "nonsense").code == 2


def test_init_sets_up_a_repository_that_passes(run, here):
    assert run("evalmark", "init", "--name", "agreement").code == 0
    assert check_file("suites/agreement.json").findings == ()
    assert "id: evalmark" in Path(".pre-commit-config.yaml").read_text()
    assert "evalmark check ." in Path("README.md").read_text()
    (schema,) = json.loads(Path(".vscode/settings.json").read_text())["json.schemas"]
    assert schema["fileMatch"] == ["suites/**/*.json"]
    assert run("evalmark", "check", ".").code == 0
    Path("evalmark.toml").write_text("ignore = []\n")
    assert "kept   evalmark.toml" in run("evalmark", "init", "--name", "agreement").out
    assert Path("evalmark.toml").read_text() == "ignore = []\n"


def test_version(run):
    assert run("evalmark", "--version").out.startswith("evalmark 0.")
    assert run("evalmark-hook", "--version").out.startswith("evalmark 0.")


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("evalmark ch", ["check"]),
        ("evalmark check --for", ["--format"]),
        ("evalmark explain SG20", [f"SG20{n}" for n in range(1, 10)]),
        ("evalmark check --ignore unknown-cond", ["unknown-condition"]),
        ("evalmark check --select AL", ["ALL"]),
    ],
)
def test_completion(words, expected):
    assert completed(words) == expected


def completed(words):
    """What bash offers for the last of some words."""
    program = Path(sysconfig.get_path("scripts"), "evalmark")
    done = subprocess.run(
        [program],
        capture_output=True,
        text=True,
        env={
            **os.environ,
            "_EVALMARK_COMPLETE": "complete_bash",
            "COMP_WORDS": words,
            "COMP_CWORD": str(len(words.split()) - 1),
        },
    )
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("check {} --format json --diff", "--format json and --diff exclude each other"),
        ("check {} --format jsonl --diff", "--format jsonl and --diff exclude each other"),
        ("check {} --format sarif --fix --diff", "--format sarif and --diff exclude each other"),
        ("check {} --format junit --diff", "--format junit and --diff exclude each other"),
        ("check {} --unsafe-fixes", "--unsafe-fixes needs --fix or --diff"),
        ("check {} --defaults facts.yaml", "--defaults needs --fix or --diff"),
    ],
)
def test_no_option_is_ignored_silently(refused, arguments, complaint):
    said = refused("evalmark", *arguments.format(WARNING).split())
    assert said.startswith(f"evalmark: {complaint}")
    assert said.count("\n") == 1


def test_a_schema_version_that_is_not_used_is_a_remark(run, tmp_path):
    log = tmp_path / "log.jsonl"
    log.write_text('{"type": "x", "timestamp": 1, "test_id": "a", "data": {}}\n')
    arguments = ("--schema-version", "0.2.0", GOOD, log, FIXTURES / "good/record.json")
    verbose = run("evalmark", "check", "-v", *arguments).err
    assert f"{GOOD}: schema version 0.2.0 not used: there is one version of suite" in verbose
    assert f"{log}: schema version 0.2.0 not used: there is one version of ltm-log" in verbose
    assert verbose.count("not used") == 2
    assert "not used" not in run("evalmark", "check", *arguments).err
