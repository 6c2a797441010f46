"""`-` is standard output or is refused; it is nowhere the name of a file that is written."""

import inspect
import json

import pytest
from conftest import FIXTURES, needs_apps
from evalmark.cli.options import dash_is_stdout
from evalmark.validator.options.declaration import refuse_dash
from parameters import PARAMETERS
from registered import registered

LEGACY = FIXTURES / "legacy/brackets.old.json"
#: Options that name what is written; `--report` and `check --out` read `-` themselves.
FLAGS = {"--out", "-o"}


@pytest.fixture(autouse=True)
def here(here):
    yield
    assert not [path for path in here.rglob("*") if path.name == "-"]


@needs_apps
def test_every_option_that_names_what_is_written_says_what_a_dash_is():
    named = [
        (command, p)
        for command, p in PARAMETERS
        if FLAGS.intersection(p.opts) and command != "check"
    ]
    assert len(named) >= 5
    for command, parameter in named:
        said = parameter.callback and inspect.unwrap(parameter.callback)
        assert said in (dash_is_stdout, refuse_dash), (command, parameter.name)


def test_convert_writes_one_document_to_stdout(run):
    done = run("evalmark", "convert", LEGACY, "-o", "-", code=0)
    assert json.loads(done.out)["meta"]
    assert done == run("evalmark", "convert", LEGACY)


def test_several_documents_are_not_written_to_stdout(run):
    for source in (LEGACY.parent, FIXTURES / "results/inspect/log.json"):
        done = run("evalmark", "convert", source, "-o", "-")
        assert done.code != 0
        assert done.out == ""
        assert "-o FOLDER" in done.err


@pytest.mark.parametrize(
    "words",
    registered(
        ("report", FIXTURES / "trees/run", "--out", "-"),
        ("score", FIXTURES / "legacy/evaluated.old.json", "--surprisals=recorded", "--out", "-"),
        ("memory", "colours", "--agent", "x.json", "--out", "-"),
        ("table", FIXTURES / "good/record.json", "-o", "-"),
        ("publish", FIXTURES / "good/record.json", "-o", "-"),
        ("serve", "--static", "-"),
        ("init", "-"),
        ("check", FIXTURES / "good/suite.json", "--out", "json=-"),
    ),
    ids=lambda words: " ".join(map(str, words[:1] + words[-2:]))[-40:],
)
def test_what_is_no_single_document_is_refused(refused, words):
    said = refused("evalmark", *words)
    assert "`-` is not a file name" in said or "an output needs FORMAT=FILE" in said
