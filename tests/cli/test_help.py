"""The help of each command fits a screen, and wrong names get suggestions."""

from __future__ import annotations

import inspect
import json
import re
import subprocess
import sys
from importlib import import_module

import pytest
from conftest import FIXTURES
from evalmark.cli import main
from evalmark.cli.judging.conversation_options import CONVERSATION_OPTIONS
from evalmark.cli.main import GROUPS
from evalmark.cli.options import OPTIONS, add_to
from evalmark.cli.stores.store_options import STORE_OPTIONS
from evalmark.cli.typed import entry_of, option
from looping import loops_over

#: Every command, also those of groups: its words -> the table that it is in.
TABLES = {
    **{name: ("", main) for name in main.COMMANDS if name not in GROUPS},
    **{
        f"{group} {name}": (f"{home.rpartition('.')[0]}.", table)
        for group, home in GROUPS.items()
        for table in [import_module(f"evalmark.cli.{home}")]
        for name in table.COMMANDS
    },
}
COMMANDS = [*TABLES]

#: Commands whose help is still longer than a screen.
TOO_LONG: set[str] = set()


def function_of(command):
    room, table = TABLES[command]
    name = command.split()[-1]
    module, function, _ = table.HOMES.get(name, (room + name, "command", ""))
    return getattr(import_module(f"evalmark.cli.{module}"), function)


def entries_of(command):
    """The entries of the table that a command uses, some through a function of its module."""
    function = function_of(command)
    source = inspect.getsource(function)
    for helper in re.findall(r", (_\w+)\(\)\]", source):
        source += inspect.getsource(getattr(sys.modules[function.__module__], helper))
    return re.findall(r'\boption\("(\w+)"\)', source)


@pytest.fixture
def help_of(run, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    return lambda command: run("evalmark", *command.split(), "--help").out


@pytest.mark.parametrize("command", ["", *GROUPS, *COMMANDS])
def test_help_fits_a_screen(help_of, command):
    lines = help_of(command).splitlines()
    assert max(map(len, lines)) <= 80
    assert (len(lines) > 50) == (command in TOO_LONG), len(lines)


@pytest.mark.parametrize("command", COMMANDS)
def test_every_option_is_listed_and_every_value_is_whole(help_of, command):
    text = help_of(command)
    for name in entries_of(command):
        entry = entry_of(name)
        assert all(re.search(rf"^  .*{flag}\b", text, re.MULTILINE) for flag in entry.flags), name
        if entry.flags:
            assert f"\n{entry.group}:\n" in text
        assert set(entry.known()) <= set(re.findall(r"[\w-]+(?:\.\w+)*", text)), name


def test_brackets_in_texts_appear_as_written(help_of):
    assert "[tool.evalmark.score]" in help_of("score")


#: Every name of the table and of its parts; one that is in two of them is there twice.
ENTRIES = [*OPTIONS, *CONVERSATION_OPTIONS, *STORE_OPTIONS]


@loops_over("name", ENTRIES)
def test_the_choices_of_an_entry_exist(name):
    entry = entry_of(name)
    assert bool(entry.known()) == bool(entry.choices)
    assert entry.help.endswith(".")
    assert option(name).help.startswith(entry.help)


def test_every_entry_is_used():
    used = {name for command in COMMANDS for name in entries_of(command)}
    assert {*ENTRIES} - used == set()
    assert len(ENTRIES) == len({*ENTRIES})


@pytest.mark.parametrize("command", COMMANDS)
def test_every_parameter_of_a_command_comes_from_the_table(command):
    assert len(entries_of(command)) == len(inspect.signature(function_of(command)).parameters)


@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (["chekc"], "unknown command 'chekc'; did you mean 'check'?"),
        (["store", "ad"], "unknown command 'ad'; did you mean 'add'?"),
        (["check", "--fxi", "x"], "unknown option '--fxi'; did you mean '--fix'?"),
        (["check", "--kind", "suit", "x"], "unknown kind 'suit'; did you mean 'suite'?"),
        (["check", "--select", "leading-punctation", "x"], "did you mean 'leading-punctuation'?"),
        (["check", "--ignore", "SG99", "x"], "unknown rule 'SG99'"),
        (["explain", "unknown-conditon"], "did you mean 'unknown-condition'?"),
        (["schema", "record-0.2.9"], "unknown schema 'record-0.2.9'; did you mean 'record-0.2"),
    ],
)
def test_a_wrong_name_gets_a_suggestion(run, words, suggestion):
    done = run("evalmark", *words)
    assert (done.code, done.out) == (2, "")
    assert suggestion in done.err


def test_words_of_the_command_line_are_escaped_in_errors(run):
    assert "\x1b" not in run("evalmark", "check", "--\x1b[31m", "x").err
    assert "\x1b" not in run("evalmark-hook", "--\x1b[31m", "x").err


def test_tables_are_printed_as_json_too(run):
    def printed(*words):
        return json.loads(run("evalmark", *words, "--format", "json").out)

    assert printed("rules")["rules"][0]["code"] == "EE101"
    assert "conditions in a formula" in printed("explain", "SG204")["rules"][0]["explanation"]
    assert "suite" in printed("schema")["schemas"]


def test_the_package_is_a_program():
    words = [sys.executable, "-m", "evalmark", "check", "-q", str(FIXTURES / "good/suite.json")]
    assert subprocess.run(words, check=False).returncode == 0


def test_the_hook_and_the_command_read_the_same_options(run):
    from argparse import ArgumentParser

    parser = ArgumentParser()
    add_to(parser, "check_paths", "fix", "fail_on")
    read = parser.parse_args(["a", "--fix", "--fail-on", "never"])
    assert (read.check_paths, read.fix, read.fail_on) == (["a"], True, "never")
