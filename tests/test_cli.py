"""The commands as users meet them: exit codes, streams, settings, completion."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FIXTURES, ROOT
from evalmark.validator import check_file

GOOD = FIXTURES / "good/suite.json"
WARNING = FIXTURES / "bad/SG302_leading_space.json"
UNSAFE = FIXTURES / "bad/SG301_trailing_space.json"
ERROR = FIXTURES / "bad/SG204_unknown_condition.json"
BOM = FIXTURES / "bad/F003_byte_order_mark.json"


@pytest.mark.parametrize("program", ["evalmark check", "evalmark-hook"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ([GOOD], 0),
        ([WARNING], 0),
        ([WARNING, "--fail-on", "warning"], 1),
        ([WARNING, "--fail-on=error"], 0),
        ([ERROR], 1),
        ([GOOD, ERROR], 1),
        (["--no-such-option", GOOD], 2),
        ([GOOD, "--fail-on", "trifle"], 2),
        ([FIXTURES / "none.json"], 2),
    ],
)
def test_exit_codes(run, program, arguments, code):
    assert run(*program.split(), *arguments).code == code


def test_results_go_to_stdout_and_the_rest_to_stderr(run):
    clean = run("evalmark", "check", GOOD)
    assert clean.out == ""
    assert clean.err == "Checked 1 file: no findings.\n"
    assert run("evalmark", "check", "-q", GOOD) == (0, "", "")
    assert run("evalmark-hook", GOOD) == (0, "", "")
    found = run("evalmark", "check", WARNING)
    assert found.out.startswith(f"{WARNING}:30:27: SG302 [*] region 2 starts with a space")
    assert "Checked 1 file: 0 errors, 4 warnings in 1 file." in found.err
    assert "[*] 4 fixable with `--fix`. `evalmark explain SG302` says more." in found.err


def test_repeats_are_folded_unless_all_are_wanted(run):
    assert run("evalmark", "check", WARNING).out.count("\n") == 1
    assert run("evalmark", "check", "--show-all", WARNING).out.count("\n") == 4


def test_stdin_under_a_name(run):
    outcome = run("evalmark", "check", "-", "--stdin-filename", "x.json", stdin=ERROR.read_bytes())
    assert outcome.code == 1
    assert outcome.out.startswith("x.json:17:40: SG204")
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
    named = run("evalmark", "check", tmp_path / "package.json")
    assert named.code == 1
    assert "F012 file is of no kind that evalmark knows" in named.out
    assert run("evalmark-hook", tmp_path / "package.json") == (0, "", "")


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
        "fixable_unsafe": 0,
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


def test_sarif_paths_are_relative(run, monkeypatch):
    monkeypatch.chdir(FIXTURES)
    out = run("evalmark", "check", "--format", "sarif", "bad/SG204_unknown_condition.json").out
    uri = '"uri": "bad/SG204_unknown_condition.json"'
    assert uri in out


def test_junit(run):
    from xml.etree import ElementTree as ET

    root = ET.fromstring(run("evalmark", "check", "--format", "junit", ERROR, WARNING).out)
    assert (root.get("tests"), root.get("failures")) == ("5", "1")
    assert len(root.findall("./testsuite")) == 2
    assert len(root.findall("./testsuite/testcase/failure")) == 1


def test_json_lines(run):
    lines = run("evalmark", "check", "--format", "jsonl", ERROR, WARNING).out.splitlines()
    assert [json.loads(line)["code"] for line in lines] == ["SG204"] + ["SG302"] * 4
    assert run("evalmark", "check", "--format", "jsonl", GOOD).out == ""


def test_evaluation_ids_differ_over_the_files_of_a_call(run, tmp_path):
    for name in ("a.json", "b.json"):
        shutil.copy(FIXTURES / "good/record.json", tmp_path / name)
    outcome = run("evalmark", "check", tmp_path)
    assert outcome.code == 1
    assert outcome.out == (
        f"{tmp_path}/b.json:3:20: EE230 {tmp_path}/a.json has the same evaluation id "
        "[same-evaluation-id]\n"
    )
    assert run("evalmark-hook", tmp_path / "a.json", tmp_path / "b.json") == (0, "", "")


def test_github_annotations(run, tmp_path):
    path = tmp_path / "a,b%.json"
    shutil.copy(ERROR, path)
    lines = run("evalmark", "check", "--format", "github", path).out.splitlines()
    assert lines[0].startswith(f"::error file={tmp_path}/a%2Cb%25.json,line=17,col=40,endLine=17")
    assert "title=evalmark SG204 (unknown-condition)::prediction refers" in lines[0]
    assert "%0Ahelp: did you mean" in lines[0]
    assert lines[1].startswith(f"{path}:17:40: SG204")


def test_github_is_chosen_by_its_environment(run, monkeypatch):
    program = [sys.executable, "-m", "evalmark.cli.hook", str(ERROR)]
    out = subprocess.run(
        program, capture_output=True, text=True, env={**os.environ, "GITHUB_ACTIONS": "true"}
    ).stdout
    assert out.startswith("::error ")


def test_colours_only_where_wanted(run):
    plain = run("evalmark", "check", "--format", "full", ERROR).out
    coloured = run("evalmark", "check", "--format", "full", "--color", "always", ERROR).out
    assert "\x1b[" not in plain
    assert "\x1b[1;31merror[SG204]\x1b[0m" in coloured


# --fix


@pytest.mark.parametrize("program", [("evalmark", "check"), ("evalmark-hook",)])
def test_safe_fixes_change_only_what_they_mend(run, tmp_path, program):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    path.chmod(0o640)
    outcome = run(*program, "--fix", path)
    assert outcome.code == 0
    assert outcome.out == ""
    assert "Fixed 4 findings in 1 file." in outcome.err or program == ("evalmark-hook",)
    assert path.read_text() == WARNING.read_text().replace('": " ', '": "')
    assert path.stat().st_mode & 0o777 == 0o640
    assert list(tmp_path.iterdir()) == [path]


def test_unsafe_fixes_must_be_asked_for(run, tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(UNSAFE, path)
    run("evalmark", "check", "--fix", path)
    assert path.read_bytes() == UNSAFE.read_bytes()
    run("evalmark", "check", "--fix", "--unsafe-fixes", path)
    assert path.read_text() == UNSAFE.read_text().replace("liked ", "liked", 1)
    assert check_file(path).findings == ()


def test_a_leading_space_is_an_unsafe_fix_where_the_join_keeps_it(run, tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    outcome = run("evalmark", "check", "--fix", "--join", "brainscore", path)
    assert path.read_bytes() == WARNING.read_bytes()
    assert "4 with `--fix --unsafe-fixes`" in outcome.err


def test_diff_shows_and_changes_nothing(run, tmp_path):
    path = tmp_path / "suite.json"
    shutil.copy(WARNING, path)
    outcome = run("evalmark", "check", "--fix", "--diff", path)
    assert outcome.code == 1
    assert '-              "content": " plays"' in outcome.out
    assert '+              "content": "plays"' in outcome.out
    assert path.read_bytes() == WARNING.read_bytes()


def test_fixing_stdin_prints_the_text(run):
    outcome = run("evalmark", "check", "--fix", "-", stdin=WARNING.read_bytes())
    assert outcome.out == WARNING.read_text().replace('": " ', '": "')


def test_a_byte_order_mark_is_fixed_together_with_the_rest(run, tmp_path):
    path = tmp_path / "suite.json"
    path.write_bytes(b"\xef\xbb\xbf" + WARNING.read_bytes())
    assert run("evalmark", "check", "--fix", path).code == 0
    assert path.read_text() == WARNING.read_text().replace('": " ', '": "')


def test_a_symbolic_link_stays_one(run, tmp_path):
    target, link = tmp_path / "target.json", tmp_path / "link.json"
    shutil.copy(WARNING, target)
    link.symlink_to(target)
    run("evalmark", "check", "--fix", link)
    assert link.is_symlink()
    assert check_file(target).findings == ()


# settings


def test_settings_of_a_repository(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
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
        ("ignore = ['SG999']", "`ignore` names no rule: 'SG999'"),
        ("fail-on = 'never'", "`fail-on` must be one of error, warning"),
        ("exclude = 'x'", "`exclude` must be a list of strings"),
        ("join = ", "evalmark.toml: "),
        ("select = ['SG999']", "`select` names no rule: 'SG999'"),
        ("[[per-file-ignores]]\nfiles = 'a'\nrules = ['SG302']", "needs a `reason`"),
        ("[[per-file-ignores]]\nrules = ['SG302']\nreason = 'x'", "needs `files`"),
        ("per-file-ignores = 1", "must be a list of tables"),
        ("record = 1", "`record` must be a table"),
    ],
)
def test_bad_settings_are_said(run, tmp_path, monkeypatch, text, message):
    monkeypatch.chdir(tmp_path)
    Path("evalmark.toml").write_text(text + "\n")
    for program in (("evalmark", "check"), ("evalmark-hook",)):
        outcome = run(*program, GOOD)
        assert outcome.code == 2
        assert message in outcome.err


def test_ignores_by_file_and_pointer(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("legacy").mkdir()
    shutil.copy(WARNING, "legacy/a.json")
    entry = "[[per-file-ignores]]\nrules = ['region-leading-space']\nreason = 'published so'\n"
    settings = Path("evalmark.toml")
    for files, left, unused in (
        ("legacy/*.json", 0, False),
        ("legacy/*.json#/items/0", 2, False),
        ("legacy/*.json#/items/1/conditions/0", 3, False),
        ("legacy/*.json#/item", 4, True),
        ("other/*.json", 4, True),
    ):
        settings.write_text(f"{entry}files = '{files}'\n")
        outcome = run("evalmark", "check", "--show-all", "legacy")
        assert outcome.out.count("SG302") == left
        assert ("unused ignore: SG302" in outcome.err) is unused
        assert "unused" not in run("evalmark-hook", "legacy/a.json").err


def test_rules_are_selected_and_ignored_by_the_call(run):
    suite = FIXTURES / "suites/reflexive_gender.json"
    assert run("evalmark", "check", suite).out == ""
    for word in ("SG304", "leading-punctuation", "ALL"):
        assert "SG304" in run("evalmark", "check", "--select", word, suite).out
    assert run("evalmark", "check", "--ignore", "SG302", WARNING).out == ""
    assert run("evalmark", "check", "--ignore", "SG999", WARNING).code == 2


# the other commands


def test_explain_and_rules(run):
    by_code, by_name = (
        run("evalmark", "explain", "sg204"),
        run("evalmark", "explain", "unknown-condition"),
    )
    assert by_code == by_name
    assert by_code.out.startswith("SG204 unknown-condition (error)\n\nA prediction refers to")
    assert "Bad:" in by_code.out
    assert "Good:" in by_code.out
    assert run("evalmark", "explain", "wrong-type").out.startswith("EE112, LT112, SG112 wrong-type")
    assert run("evalmark", "explain", "nonsense").code == 2
    listing = run("evalmark", "rules").out
    assert "SG204  error    unknown-condition" in listing
    assert json.loads(run("evalmark", "rules", "--json").out)["rules"][0]["code"] == "EE101"


def test_schema_prints_one_document(run):
    names = run("evalmark", "schema").out.split()
    assert names[:3] == ["suite", "suite-legacy", "record-0.0.1"]
    assert "sample-0.3.0" in names
    schema = json.loads(run("evalmark", "schema", "suite").out)
    assert schema["title"] == "Test suite"
    assert run("evalmark", "schema", "nonsense").code == 2


def test_init_sets_up_a_repository_that_passes(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run("evalmark", "init", "--name", "agreement").code == 0
    assert check_file("suites/agreement.json").findings == ()
    assert "id: evalmark" in Path(".pre-commit-config.yaml").read_text()
    assert run("evalmark", "check", ".").code == 0
    Path("evalmark.toml").write_text("ignore = []\n")
    again = run("evalmark", "init", "--name", "agreement")
    assert "kept   evalmark.toml" in again.out
    assert Path("evalmark.toml").read_text() == "ignore = []\n"


@pytest.mark.parametrize(
    "command", ["check", "convert", "score", "explain", "rules", "schema", "init"]
)
def test_every_command_has_help_with_examples(run, command):
    for flag in ("-h", "--help"):
        outcome = run("evalmark", command, flag)
        assert outcome.code == 0
        assert f"evalmark {command}" in outcome.out
        assert "Examples:" in outcome.out


def test_version(run):
    assert run("evalmark", "--version").out.startswith("evalmark 0.")
    assert run("evalmark-hook", "--version").out.startswith("evalmark 0.")


@pytest.mark.parametrize(
    ("words", "expected"),
    [("evalmark ch", ["check"]), ("evalmark check --for", ["--format"])],
)
def test_completion(words, expected):
    program = Path(sys.executable).with_name("evalmark")
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
    assert done.stdout.split() == expected


# what is loaded


def modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sorted(sys.modules), file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT
    )
    return set(done.stderr.split())


HOOK = "from evalmark.cli.hook import main\nassert main([{!r}]) == 0"


def third_party(modules: set[str]) -> set[str]:
    tops = {name.partition(".")[0] for name in modules}
    bare = modules_after("")
    return {
        name for name in tops - sys.stdlib_module_names - {n.partition(".")[0] for n in bare}
        if not name.startswith("__editable__")
    }  # fmt: skip


@pytest.mark.parametrize("path", [GOOD, FIXTURES / "good/record.json"])
def test_a_valid_file_loads_the_standard_library_and_our_accept_path(path):
    loaded = modules_after(HOOK.format(str(path)))
    assert third_party(loaded) == {"evalmark"}
    ours = {name for name in loaded if name.startswith("evalmark")}
    budget = {
        "evalmark", "evalmark.cli", "evalmark.cli._checking", "evalmark.cli._progress",
        "evalmark.cli.hook",
        "evalmark.schemas", "evalmark.schemas.compiled", "evalmark.validator",
        "evalmark.validator._check", "evalmark.validator._config",
        "evalmark.validator._document", "evalmark.validator._files",
        "evalmark.validator._finding", "evalmark.validator._parse",
        "evalmark.validator._report",
    }  # fmt: skip
    if path == GOOD:
        budget |= {
            "evalmark.schemas.compiled.suite", "evalmark.validator._hit",
            "evalmark.validator._positions", "evalmark.validator._sentences",
            "evalmark.validator._source", "evalmark.validator._suite",
            "evalmark.validator._unknowns", "evalmark.validator.formula",
            "evalmark.validator.formula._linear", "evalmark.validator.formula._meaning",
            "evalmark.validator.formula._parser", "evalmark.validator.formula._proof",
            "evalmark.validator.formula._tokens", "evalmark.validator.formula._tree",
            "evalmark.validator.rules", "evalmark.validator.rules._facts",
            "evalmark.validator.rules._rule", "evalmark.validator.rules._words",
            "evalmark.validator.rules.of_suites",
            "evalmark.validator.rules.formulas", "evalmark.validator.rules.habits",
            "evalmark.validator.rules.provable", "evalmark.validator.rules.structure",
            "evalmark.validator.rules.text",
        }  # fmt: skip
    else:
        budget |= {
            "evalmark.schemas.compiled.record_0_2_0", "evalmark.validator._hit",
            "evalmark.validator._positions", "evalmark.validator._source",
            "evalmark.validator.rules", "evalmark.validator.rules._record_facts",
            "evalmark.validator.rules._rule", "evalmark.validator.rules._words",
            "evalmark.validator.rules.identity", "evalmark.validator.rules.of_records",
            "evalmark.validator.rules.scores",
        }  # fmt: skip
    assert ours <= budget


WATCH = """
def refuse(event, arguments):
    assert not event.startswith("socket."), event
sys.addaudithook(refuse)
"""


@pytest.mark.parametrize(
    "statement",
    [
        f"from evalmark.validator import check_file\ncheck_file({str(ERROR)!r})",
        f"from evalmark.cli.hook import main\nmain([{str(ERROR)!r}])",
        "import evalmark.cli.check, evalmark.cli.convert, evalmark.cli.score, evalmark.scoring",
        "import evalmark.converters, evalmark.converters.records",
    ],
)
def test_nothing_but_a_model_loads_torch_or_opens_a_socket(statement):
    loaded = modules_after(WATCH + statement)
    assert not {name.partition(".")[0] for name in loaded} & {"torch", "transformers"}


def test_a_command_is_imported_only_when_it_runs():
    code = (
        f"from evalmark.cli.main import app\napp(['check', {str(GOOD)!r}], standalone_mode=False)"
    )
    loaded = modules_after(code)
    commands = {name for name in loaded if name.startswith("evalmark.cli.")}
    assert commands == {
        "evalmark.cli._checking",
        "evalmark.cli._progress",
        "evalmark.cli.check",
        "evalmark.cli.main",
    }
