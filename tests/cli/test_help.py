"""The help of each command fits a screen, and wrong names get suggestions."""

import re
import subprocess
import sys

import pytest
from conftest import FIXTURES, needs_apps
from parameters import COMMANDS, GROUPS, PARAMETERS, flags_of, parameters_of, values_of

#: Commands whose help is longer than a screen: they have a line for each of many options.
TOO_LONG = {"score"}


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
    for parameter in parameters_of(command):
        for flag in flags_of(parameter):
            assert re.search(rf"^  .*{flag}\b", text, re.MULTILINE)
            assert f"\n{parameter.rich_help_panel}:\n" in text
        if "lists all" not in parameter.help:
            assert set(values_of(parameter)) <= set(re.findall(r"[\w-]+(?:\.\w+)*", text))


def test_brackets_in_texts_appear_as_written(help_of):
    assert "[tool.evalmark.score]" in help_of("score")


@pytest.mark.parametrize(
    ("command", "parameter"), PARAMETERS, ids=[f"{c} {p.name}" for c, p in PARAMETERS]
)
def test_every_parameter_says_what_it_is(command, parameter):
    assert parameter.help.endswith(".")
    assert parameter.metavar or parameter.is_flag
    if flags_of(parameter):
        assert parameter.rich_help_panel


@pytest.mark.parametrize(
    ("command", "parameter"), [(c, p) for c, p in PARAMETERS if values_of(p)],
    ids=[f"{c} {p.name}" for c, p in PARAMETERS if values_of(p)],
)  # fmt: skip
def test_a_default_is_one_of_the_values(run, command, parameter):
    assert parameter.default is None or parameter.default in values_of(parameter)
    done = run("evalmark", *command.split(), parameter.opts[0], "none-of-them", code=2)
    assert "unknown " in done.err


@needs_apps
@pytest.mark.parametrize(
    ("words", "suggestion"),
    [
        (["chekc"], "unknown command 'chekc'; did you mean 'check'?"),
        (["tabel"], "unknown command 'tabel'; did you mean 'table'?"),
        (["check", "--fxi", "x"], "unknown option '--fxi'; did you mean '--fix'?"),
        (["check", "--kind", "suit", "x"], "unknown kind 'suit'; did you mean 'suite'?"),
        (["check", "--select", "leading-punctation", "x"], "did you mean 'leading-punctuation'?"),
        (["check", "--ignore", "SG99", "x"], "unknown rule 'SG99'"),
        (["check", "--ignore", "nothing", "x"], "is 'ratio-range'; `evalmark explain` lists them"),
        (["check", "--formt", "json", "x"], "unknown option '--formt'; did you mean '--format'?\n"),
        (["help", "score", "check"], "help takes one command: `evalmark help score`\n"),
        (["explain", "unknown-conditon"], "did you mean 'unknown-condition'?"),
        (["schema", "record-0.2.9"], "unknown schema 'record-0.2.9'; did you mean 'record-0.2"),
    ],
)
def test_a_wrong_name_gets_a_suggestion(refused, words, suggestion):
    assert suggestion in refused("evalmark", *words)


def test_words_of_the_command_line_are_escaped_in_errors(run):
    assert "\x1b" not in run("evalmark", "check", "--\x1b[31m", "x").err
    assert "\x1b" not in run("evalmark-hook", "--\x1b[31m", "x").err


def test_the_package_is_a_program():
    words = [sys.executable, "-m", "evalmark", "check", "-q", str(FIXTURES / "good/suite.json")]
    assert subprocess.run(words, check=False).returncode == 0


def test_the_hook_and_the_command_have_the_same_options(run):
    text = " ".join(run("evalmark-hook", "--help").out.split())
    helps = {flag: p.help for p in parameters_of("check") for flag in p.opts}
    for name in ("--fix", "--unsafe-fixes", "--fail-on", "paths"):
        assert helps[name] in text
    levels = next(values_of(p) for p in parameters_of("check") if p.name == "fail_on")
    assert f"--fail-on {{{','.join(levels)}}}" in text


def test_evalmark_alone_and_help_say_what_to_do_next(run):
    alone, helped = run("evalmark"), run("evalmark", "help")
    assert (alone.code, helped.code) == (2, 0)
    assert alone.out == helped.out
    assert "evalmark serve " in alone.out
    assert max(map(len, alone.out.splitlines())) <= 84


def test_help_of_a_command_is_its_help(run):
    assert run("evalmark", "help", "table") == run("evalmark", "table", "--help")
