"""One declaration an option: for the command line, for settings and for Python."""

import inspect
from dataclasses import fields

import evalmark
import pytest
from conftest import FIXTURES, python
from evalmark.cli.main import commands, declared
from evalmark.scoring.score_options import ScoreOptions
from evalmark.validator.outputs.rendering import REPORTS
from evalmark.validator.settings.check_options import (
    OUTPUT_FORMATS,
    Arguments,
    CheckOptions,
    context_of,
)
from evalmark.validator.settings.config import SETTINGS, Config

GOOD = FIXTURES / "good/suite.json"


@pytest.mark.parametrize("name", commands())
def test_a_command_is_a_function_and_the_frozen_class_of_its_options(name):
    options = declared(name).options
    assert options.__dataclass_params__.frozen
    assert {*declared(name).declared()} <= {each.name for each in fields(options)}


def test_arguments_in_python_are_options_of_the_command():
    assert Arguments.__annotations__.keys() <= {each.name for each in fields(CheckOptions)}


def test_every_option_of_score_is_one_of_the_command_and_of_python():
    names = {each.name for each in fields(ScoreOptions)}
    assert names < declared("score").declared().keys()
    with pytest.raises(TypeError) as raised:
        evalmark.score("demo", "demo", beam=3)
    shown = str(raised.value).partition(" It has: ")[2].split(", ")
    assert names - {"paths"} < {*shown}
    assert {*shown} == {*inspect.signature(evalmark.score).parameters}


def test_settings_of_a_check_are_options_too():
    known = {each.name for each in fields(CheckOptions)} | {"per-file-ignores", "words"}
    assert {*SETTINGS[""]} - {"fail-on"} <= known
    assert "fail_on" in known


def test_an_option_overrides_the_setting_of_its_name():
    config = Config(join="hf", models="any", profile="eee")
    kept = context_of(CheckOptions(), config)
    assert (kept.join, kept.models, kept.profile) == ("hf", "any", "eee")
    assert context_of(CheckOptions(join="none"), config).join == "none"


def test_output_formats_are_those_that_are_written():
    assert tuple(REPORTS) == OUTPUT_FORMATS


@pytest.mark.parametrize(
    "statement",
    [
        f"from evalmark.cli.hook import main\nassert main([{str(GOOD)!r}]) == 0",
        f"import evalmark\nassert evalmark.check_file({str(GOOD)!r}).ok",
    ],
)
def test_neither_a_hook_nor_a_check_in_python_loads_typer(statement):
    code = f"{statement}\nimport sys\nassert 'typer' not in sys.modules"
    assert python("-c", code).returncode == 0
