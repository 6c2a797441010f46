"""What is loaded: a hook pays for what it needs, and only a model loads torch."""

import sys

import pytest
from conftest import FIXTURES, ROOT, python

GOOD = FIXTURES / "good/suite.json"
ERROR = FIXTURES / "bad/SG204_unknown_condition.json"


def modules_after(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*sorted(sys.modules), file=sys.stderr)"
    done = python("-c", code, check=True, cwd=ROOT)
    return set(done.stderr.splitlines()[-1].split())


HOOK = "from evalmark.cli.hook import main\nassert main([{!r}]) == 0"


def third_party(modules: set[str]) -> set[str]:
    tops = {name.partition(".")[0] for name in modules}
    bare = modules_after("")
    return {
        name for name in tops - sys.stdlib_module_names - {n.partition(".")[0] for n in bare}
        if not name.startswith("__editable__")
    }  # fmt: skip


@pytest.mark.parametrize("path", [GOOD, FIXTURES / "good/record.json"])
def test_the_hook_accepts_a_valid_file_with_the_standard_library_alone_and_no_options(path):
    modules = modules_after(HOOK.format(str(path)))
    assert third_party(modules) == {"evalmark"}
    assert not modules & {"argparse", "gettext", "evalmark.cli.options"}
    assert not modules & {"html", "random", "statistics"}, "few files need them"
    assert "evalmark.schemas.metrics.metric_entry" not in modules, "no metric is looked up"


def test_the_hook_compiles_no_patterns_of_scripts_that_a_file_does_not_have():
    """The ranges of Han alone take longer to compile than the check of a suite."""
    watch = "import re\ncompiled = []\nreal = re._compile\n"
    watch += "def noted(pattern, flags): compiled.append(pattern); return real(pattern, flags)\n"
    watch += f"re._compile = noted\n{HOOK.format(str(GOOD))}\nassert compiled\n"
    modules_after(watch + "assert not any('\\u4e00' in str(pattern) for pattern in compiled)")


def test_nothing_that_writes_a_report_is_loaded_where_there_is_none():
    modules = modules_after(HOOK.format(str(GOOD)))
    assert not {name for name in modules if name.startswith("evalmark.validator.outputs")}
    assert "evalmark.cli.check_output" not in modules


WATCH = """
def refuse(event, arguments):
    assert not event.startswith("socket."), event
sys.addaudithook(refuse)
"""


@pytest.mark.parametrize(
    "statement",
    [
        f"from evalmark import check_file\ncheck_file({str(ERROR)!r})",
        f"from evalmark.cli.hook import main\nmain([{str(ERROR)!r}])",
        "import evalmark.cli.check, evalmark.cli.convert, evalmark.cli.score, evalmark.scoring",
        "import evalmark.converters.convert_document, evalmark.converters.records.writer",
    ],
)
def test_nothing_but_a_model_loads_torch_or_opens_a_socket(statement):
    loaded = modules_after(WATCH + statement)
    assert not {name.partition(".")[0] for name in loaded} & {"torch", "transformers"}


def test_a_record_without_details_loads_neither_their_rules_nor_the_metrics():
    record = FIXTURES / "good/record.json"
    loaded = modules_after(f"from evalmark.cli.hook import main\nmain([{str(record)!r}])")
    rooms = {name.removeprefix("evalmark.validator.formats.records.") for name in loaded}
    assert "record_rule_table" in rooms
    assert not rooms & {"detail_rule_table", "rules.metric_rules", "rules.number_relations"}
    assert "evalmark.schemas.metrics.known_metrics" not in loaded


def test_a_command_is_imported_only_when_it_runs():
    code = (
        f"from evalmark.cli.main import app\napp(['check', {str(GOOD)!r}], standalone_mode=False)"
    )
    loaded = modules_after(code)
    commands = {name for name in loaded if name.startswith("evalmark.cli.")}
    assert commands == {
        "evalmark.cli.check",
        "evalmark.cli.check_output",
        "evalmark.cli.check_outcome",
        "evalmark.cli.command",
        "evalmark.cli.main",
        "evalmark.cli.settings",
    }


def test_the_reference_loads_what_it_prints():
    for words, rooms in (["schema", "suite"], set()), (["explain", "EE201"], {"records"}):
        call = f"app({words}, standalone_mode=False)"
        loaded = modules_after(f"from evalmark.cli.main import app\n{call}")
        tables = {name.split(".")[3] for name in loaded if name.endswith("_rule_table")}
        assert tables == rooms


def test_a_command_imports_what_it_needs_when_it_runs():
    loaded = modules_after(
        "from evalmark.cli.main import commands, load\nassert all(map(load, commands()))"
    )
    rooms = {name.split(".")[1] for name in loaded if name.startswith("evalmark.")}
    rooms -= {"leaderboard", "lsp", "memory", "workbench"}  # each may be missing
    assert rooms == {"cli", "schemas", "scoring", "validator"}
    assert not third_party(loaded) & {"torch", "duckdb", "jsonschema", "rich", "jinja2", "numpy"}
    # Commands, plug-ins, and what their options name.
    in_rooms = {name for name in loaded if name.startswith(("evalmark.scoring.", "evalmark.work"))}
    assert {name.removeprefix("evalmark.") for name in in_rooms} <= {
        "scoring.reports", "scoring.score_options", "scoring.score_settings",
        "workbench", "workbench.plugin", "workbench.serve_command", "workbench.static_site",
        "workbench.static_site.pyodide_package",
    }  # fmt: skip
