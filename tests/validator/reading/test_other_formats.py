"""Formats of other packages: used for files of none of ours, and never a traceback."""

import json
from pathlib import Path

import pytest
from conftest import file_at, python
from evalmark import check_data, check_file, check_files, find_rules
from evalmark.cli.hook import main as hook
from evalmark.cli.main import main
from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.validator.findings.editing import Editing
from evalmark.validator.format import CheckContext
from evalmark.validator.formats.plugins import other_formats
from found import codes_of
from packages import add_plugin, packages

__all__ = ["packages"]  # a fixture

GOOD = Path(__file__).parents[3] / "fixtures/good"
#: A package with a format that has a schema and one rule.
BOARDS = '''
from evalmark.validator.findings.finding import At, Mistake
from evalmark.validator.findings.finding import Severity
from evalmark.validator.format import Format
from evalmark.validator.formats.shared.json_checks import JsonChecks
from evalmark.validator.findings.rule import checked_rules

SCHEMA = {
    "$schema": "http://json-schema.org/draft-07/schema#",
    "type": "object",
    "required": ["board", "models"],
    "properties": {
        "board": {"type": "string"},
        "metric": {"enum": ["accuracy", "f1"]},
        "models": {"type": "array", "items": {"$ref": "#/definitions/model"}},
    },
    "definitions": {
        "model": {"required": ["name", "score"], "properties": {"score": {"type": "number"}}}
    },
}


def order(document):
    """The best model is not first.

    Bad: 0.5 before 0.7
    Good: 0.7 before 0.5
    """
    models = document.data["models"]
    for number in range(1, len(models)):
        if models[number]["score"] > models[number - 1]["score"]:
            at = At(f"/models/{number}/score")
            yield Mistake("this model is better than the one before it", at, helps=("sort them",))


class Board(JsonChecks):
    def rules(self):
        return checked_rules((CODE, "models-not-sorted", Severity.WARNING, order))


CODE = "XX201"
NAMED = dict(name="board", description="an object with `board` and `models`", family="XX")
SIGNS = dict(keys=(frozenset(("board", "models")),))
BOARD = Format(**NAMED, **SIGNS, load=Board, schema=lambda: SCHEMA, has_rows=True)
'''
MODELS = [{"name": "a", "score": 0.5}, {"name": "b", "score": 0.7}]


def add(place, code, package="added_boards", **entries):
    add_plugin(place, package, "formats", entries or {"board": "BOARD"}, code)


@pytest.fixture
def boards(packages):
    add(packages, BOARDS)
    return packages


def told(report):
    return [(f.code, f.name, f.pointer, f.message, *f.helps) for f in report.findings]


def test_its_schema_is_explained_as_ours_are(boards):
    data = {"board": "weekly", "metric": "acuracy", "models": [{"name": "a", "scor": 0.5}]}
    report = check_file(file_at("board.json", data))
    assert report.kind == "board"
    assert told(report) == [
        ("XX113", "unknown-value", "/metric",
         '`metric` cannot be "acuracy"; expected one of "accuracy", "f1"',
         'did you mean "accuracy"?'),
        ("XX101", "missing-key", "/models/0/scor", "`score` is missing",
         "rename `scor` to `score`"),
    ]  # fmt: skip
    assert [finding.span.line for finding in report.findings] == [1, 1]


def test_its_rules_are_checked_where_its_schema_accepts(boards):
    report = check_data({"board": "weekly", "models": MODELS})
    assert told(report) == [
        ("XX201", "models-not-sorted", "/models/1/score",
         "this model is better than the one before it", "sort them")
    ]  # fmt: skip
    assert check_data({"board": "weekly", "models": MODELS}, schema_only=True).findings == ()


def test_it_is_found_in_yaml_and_in_rows(boards):
    Path("board.yaml").write_text("board: weekly\nmodels:\n- {name: a, score: high}\n")
    assert codes_of(Path("board.yaml")) == ["XX112"]
    rows = [{"board": "a", "models": []}, {"board": "b", "models": MODELS}]
    report = check_file(file_at("boards.jsonl", rows))
    assert [(f.code, f.span.line) for f in report.findings] == [("XX201", 2)]


def test_a_kind_can_be_asked_for_by_name(boards, capsys):
    assert codes_of({}, kind="board") == ["XX101"]
    with pytest.raises(UnknownNameError, match=r"unknown kind 'bord'; did you mean 'board'\?"):
        check_data({}, kind="bord")
    assert main(["check", "--kind", "board", str(file_at("other.json", {}))]) == 1
    assert "XX101" in capsys.readouterr().out


def test_its_rules_are_explained_ignored_and_in_sarif(boards, capsys):
    path = str(file_at("board.json", {"board": "weekly", "models": MODELS}))
    assert main(["explain", "XX201"]) == 0
    assert capsys.readouterr().out.startswith("XX201 models-not-sorted (warning)\n\nThe best")
    assert main(["explain", "XX113"]) == 0
    assert [rule.code for rule in find_rules("models-not-sorted")] == ["XX201"]
    assert main(["explain"]) == 0
    assert "XX201  warning  models-not-sorted" in capsys.readouterr().out
    assert main(["check", "--ignore", "models-not-sorted", path]) == 0
    assert "no findings" in capsys.readouterr().err
    assert main(["check", "--format", "sarif", path]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert [rule["id"] for rule in run["tool"]["driver"]["rules"]] == ["XX201"]


def test_it_is_listed_with_its_package(boards, capsys):
    assert main(["explain"]) == 0
    (line,) = (each for each in capsys.readouterr().out.splitlines() if each.startswith("board"))
    assert line.split() == [
        "board", "XX", "an", "object", "with", "`board`", "and", "`models`",
        "[added_boards", "1.5,", f"{boards}]",
    ]  # fmt: skip
    assert main(["explain", "--format", "json"]) == 0
    known = json.loads(capsys.readouterr().out)["formats"]
    assert {**known[-1], "codes": known[-1]["codes"][-1]} == {
        "name": "board", "looks": "an object with `board` and `models`", "family": "XX",
        "codes": "XX201", "package": "added_boards", "version": "1.5", "origin": str(boards),
    }  # fmt: skip
    assert known[0]["name"] == "suite"
    assert known[0]["package"] == ""


def test_the_hook_checks_it(boards, capsys):
    path = str(file_at("board.json", {"board": 1, "models": []}))
    assert hook([path]) == 1
    assert "XX112" in capsys.readouterr().err


def test_ours_come_first(packages):
    add(packages, BOARDS.replace('("board", "models")', '("evaluation_results",)'))
    report = check_file(GOOD / "record.json")
    assert (report.kind, report.findings) == ("record", ())


def loaded_by(*lines):
    """Which of the modules that look for packages are loaded by a program."""
    asked = "{'importlib.metadata'} & set(sys.modules)"
    code = "\n".join(("import sys", *lines, f"print(sorted({asked}))"))
    done = python("-c", code, check=True)
    return done.stdout


def test_no_entry_point_is_read_for_a_file_of_ours(boards):
    check = "from evalmark.cli.main import main"
    suite, record = str(GOOD / "suite.json"), str(GOOD / "record.json")
    assert loaded_by(check, f"assert main(['check', '-q', {suite!r}, {record!r}]) == 0") == "[]\n"


def test_other_files_are_skipped_without_loading_what_reads_packages(packages):
    """The hook sees many of them, and reading the descriptions of packages takes longer."""
    path = str(file_at("package.json", {"name": "page"}))
    hook = "from evalmark.cli.hook import main"
    found = loaded_by("sys.path.append(" + repr(str(packages)) + ")", hook, f"main([{path!r}])")
    assert found == "[]\n"


def test_settings_name_its_rules(boards, capsys):
    path = str(file_at("board.json", {"board": "weekly", "models": MODELS}))
    Path("evalmark.toml").write_text('ignore = ["XX201"]\n')
    assert main(["check", path]) == 0
    assert "no findings" in capsys.readouterr().err


def test_workers_know_it(boards):
    for number in range(4):
        file_at(f"board{number}.json", {"board": number, "models": []})
    code = (
        "import sys; sys.path.append(" + repr(str(boards)) + ")\n"
        "from evalmark.validator import checker\n"
        "from evalmark.validator.batch import check_files\n"
        "check_files.ENOUGH = 1\n"
        "if __name__ == '__main__':\n"
        "    found = checker.check_files(['.'], jobs=2).findings\n"
        "    print([(one.path, one.code) for one in found])\n"
    )
    Path("program.py").write_text(code)
    done = python("program.py", check=True)
    assert done.stdout == str([(f"./board{n}.json", "XX112") for n in range(4)]) + "\n", done.stderr


def test_a_table_has_no_place_for_it(boards, capsys):
    file_at("board.json", {"board": "weekly", "models": MODELS})
    assert main(["table", ".", "-o", "r.csv"]) == 0
    assert "0 records" in capsys.readouterr().out


def test_the_current_folder_and_that_of_a_file_add_none(boards, tmp_path, monkeypatch):
    data = {"board": "weekly", "models": MODELS}
    for folder in (boards, boards / "below"):
        folder.mkdir(exist_ok=True)
        path = folder / "board.json"
        path.write_text(json.dumps(data))
        assert check_file(path).kind is None
    monkeypatch.chdir(boards)
    path = tmp_path / "board.json"
    path.write_text(json.dumps(data))
    assert check_file(path).kind is None
    assert other_formats().named == {}


def refusal(capsys):
    """What is said of a package that cannot be used, once for a folder with two other files."""
    file_at("one.json", {"board": 1, "models": []})
    file_at("two.json", {"other": 1})
    file_at("good.json", json.loads((GOOD / "suite.json").read_text(encoding="utf-8")))
    assert main(["check", "."]) == 0
    *lines, checked, skipped = capsys.readouterr().err.splitlines()
    assert checked == "Checked 1 file, skipped 2: no findings."
    assert skipped == "Skipped 2 unrecognized files: ./one.json, ./two.json."
    assert all(line.startswith("note: board of added_") for line in lines)
    return [line.partition(") ")[2] for line in lines]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("BOARD = Format(**NAMED, **SIGNS, load=Board, ", "BOARD = Format(",
         "cannot be loaded: TypeError: Format.__init__() missing 5 required positional arguments: "
         "'name', 'description', 'family', 'keys', and 'load'"),
        ('"XX"', '"SG"', "is not used: its family SG is one of evalmark"),
        ('"XX"', '"x1"', "is not used: its family x1 is not 1 to 8 capital letters"),
        ('"XX201"', '"SG201"', "is not used: the code SG201 is not XX and three digits"),
        ('"XX201"', '"XX101"', "is not used: XX101 is both missing-key and models-not-sorted"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_one_line(packages, capsys, old, new, reason):
    add(packages, BOARDS.replace(old, new, 1))
    assert refusal(capsys) == [reason]
    with pytest.raises(UsageError, match=r"^board of added_boards 1.5 .* (not used|cannot be)"):
        check_data({}, kind="board")


def test_a_name_of_ours_cannot_be_taken(packages):
    add(packages, BOARDS.replace('"board", desc', '"record", desc'))
    (line,) = other_formats().refused
    assert line.startswith("record of added_boards 1.5 (")
    assert line.endswith(") is not used: evalmark has this name itself")


def test_a_family_that_two_packages_have_is_of_none_of_them(packages, capsys):
    add(packages, BOARDS)
    add(packages, BOARDS.replace('"board", desc', '"table", desc'), "added_tables", table="BOARD")
    assert main(["explain"]) == 0
    assert [line.partition(") ")[2] for line in capsys.readouterr().err.splitlines()] == [
        "is not used: another package has the family XX too",
        "is not used: another package has the family XX too",
    ]


def test_two_formats_of_a_package_share_a_family(packages):
    code = BOARDS + 'TABLE = Format("table", "", "XX", (frozenset(("table",)),), Board)\n'
    add(packages, code, board="BOARD", table="TABLE")
    assert list(other_formats().named) == ["board", "table"]
    assert other_formats().refused == ()


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('document.data["models"]', 'document.data["model"]', "fails: KeyError: 'model'"),
        ("draft-07", "draft-04", 'fails: ConfigError: `$schema` must be "http://json-schema.org/'
         'draft-07/schema#", not "http://json-schema.org/draft-04/schema#"'),
        ("#/definitions/model", "https://lab.example/model", 'fails: ConfigError: `$ref` '
         '"https://lab.example/model" leads to none of its `definitions`'),
        ("at = At", "raise SystemExit  # ", "fails: SystemExit: no reason given"),
    ],
)  # fmt: skip
def test_a_bug_of_a_format_is_a_finding_that_names_its_package(packages, old, new, reason):
    add(packages, BOARDS.replace(old, new))
    (finding,) = check_data({"board": "weekly", "models": MODELS}).findings
    assert finding.code == "F099"
    assert finding.message == f"board of added_boards 1.5 ({packages}) {reason}"
    assert finding.helps == ("this is a bug in that package: report it to those who make it",)
    assert check_file(GOOD / "suite.json").findings == ()


def test_a_finding_of_no_rule_is_a_bug_of_the_format(packages):
    check = (
        "    def check(self, document, reading, context):\n"
        "        result = super().check(document, reading, context)\n"
        "        import dataclasses\n"
        "        one = dataclasses.replace(result.findings[0], code='SG204')\n"
        "        result.findings[:] = [one]\n"
        "        return result\n\n"
    )
    add(packages, BOARDS.replace("    def rules(", f"{check}    def rules("))
    (finding,) = check_data({"board": "weekly", "models": MODELS}).findings
    assert finding.message.endswith("fails: ValueError: SG204 is not a rule of this format")


def test_a_format_that_fails_to_recognize_is_one_line(packages, capsys):
    match = "values_match=lambda data: data['x'], schema="
    add(packages, BOARDS.replace("schema=", match))
    assert refusal(capsys) == ["fails when it looks at a file: KeyError: 'x'"]


NAMED_ONCE = (
    "    def identity(self, document):\n"
    "        return document.data['board']\n\n"
    "    def same_identity(self, source, raw, other, other_raw):\n"
    "        message = f'a board of this name is {other}'\n"
    "        return Finding('CODE', 'models-not-sorted', Severity.ERROR, message, source.path)\n\n"
    "    def rules("
)


@pytest.mark.parametrize(
    ("code", "found", "message"),
    [
        ("XX201", "XX201", "a board of this name is one.json"),
        ("SG204", "F099", "board of added_boards 1.5 ({}) fails: ValueError: SG204 is not a rule "
         "of this format"),
    ],
)  # fmt: skip
def test_names_that_must_differ_are_those_that_it_says(packages, code, found, message):
    imported = "from evalmark import Finding\n"
    add(packages, imported + BOARDS.replace("    def rules(", NAMED_ONCE.replace("CODE", code)))
    for name in ("one.json", "two.json"):
        file_at(name, {"board": "weekly", "models": []})
    (finding,) = check_files(["one.json", "two.json"]).findings
    assert (finding.path, finding.code) == ("two.json", found)
    assert finding.message == message.format(packages)


def test_a_broken_file_where_it_may_lie_is_not_skipped(packages):
    place = "may_match_path=lambda path: 'boards/' in path, schema="
    add(packages, BOARDS.replace("schema=", place))
    for folder in ("boards", "others"):
        Path(folder).mkdir()
        Path(folder, "a.json").write_text('{"a": ')
    assert [finding.path for finding in check_files(["."]).findings] == ["./boards/a.json"]


def test_editors_have_its_help_or_none(packages):
    pytest.importorskip("pygls")
    from evalmark.lsp.assistance import Assistance
    from evalmark.lsp.live_text import LiveText

    editing = (
        "    def editing(self, data, context):\n"
        "        return [data['models'][0]]\n\n    def rules("
    )
    add(packages, BOARDS.replace("    def rules(", editing))
    for models, expected in (([1], [1]), ([], Editing())):
        text = json.dumps({"board": "weekly", "models": models})
        known = Assistance("board.json", LiveText(text), CheckContext())
        assert known.editing == expected


def test_a_source_type_is_a_value_as_others(packages):
    source = (
        'SCHEMA["properties"]["source"] = {"oneOf": [{"type": "object", "required": '
        '["source_type"], "properties": {"source_type": {"const": name}}} for name in "ab"]}\n'
    )
    add(packages, BOARDS + source)
    data = {"board": "weekly", "models": [], "source": {"source_type": "c"}}
    assert codes_of(json.dumps(data)) == ["XX113"]


def test_a_table_is_recognized_by_its_columns(packages):
    code = (
        "class Table(Board):\n"
        "    def check_rows(self, file, path, context):\n"
        "        return CheckResult(remarks=(f'{len(file.read())} bytes',))\n\n\n"
        "BOARD = Format(**NAMED, **SIGNS, load=Table, has_tables=True, "
        "columns_match={'model', 'rank'}.issubset)\n"
    )
    imported = "from evalmark.validator.format import CheckResult\n"
    add(packages, imported + BOARDS + code)
    Path("board.csv").write_text("model,rank\na,1\n")
    report = check_file("board.csv")
    assert (report.kind, report.findings, report.remarks) == ("board", (), ("15 bytes",))


@pytest.mark.parametrize("name", ["board.json", "boards.jsonl", "board.csv"])
def test_a_package_that_cannot_be_used_is_noted_where_another_recognizes_the_file(packages, name):
    rows = (
        "    def check_rows(self, file, path, context):\n"
        "        return CheckResult(remarks=('read',))\n\n"
    )
    code = BOARDS.replace("    def rules(self)", f"{rows}    def rules(self)")
    table = "has_rows=True, has_tables=True, columns_match={'board'}.issubset"
    code = code.replace("has_rows=True", table)
    add(packages, "from evalmark.validator.format import CheckResult\n" + code)
    add(packages, "", package="added_bad", other="OTHER")
    data = {"board": "weekly", "models": []}
    if name.endswith(".csv"):
        Path(name).write_text("board,models\na,1\n")
    else:
        file_at(name, [data] if name.endswith("l") else data)
    report = check_file(name)
    assert report.kind == "board"
    *before, line = report.remarks
    assert before == ([] if name.endswith(".json") else ["read"])
    assert line.startswith("other of added_bad 1.5 (")
    assert line.endswith(") cannot be loaded: NameError: name 'OTHER' is not defined")
