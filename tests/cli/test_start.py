"""A plain check is started without typer, and is the check that typer would start."""

from __future__ import annotations

import inspect
import subprocess
import sys

import pytest
from conftest import FIXTURES
from evalmark.cli import check
from evalmark.cli import checking as _checking
from evalmark.cli.main import app
from evalmark.cli.start import FLAGS, main, plain_check
from hypothesis import given
from hypothesis import strategies as st

GOOD = FIXTURES / "good/suite.json"


def by_typer(words):
    """What typer makes of the same words."""
    asked = []
    with pytest.MonkeyPatch.context() as patch:
        patch.delenv("RAY_ADDRESS", raising=False)
        patch.setattr(check, "run", lambda options: asked.append(options) or 0)
        app(words, standalone_mode=False)
    return asked[0]


def plain(options):
    return options._replace(paths=tuple(options.paths))


WORDS = st.one_of(st.sampled_from(sorted(FLAGS)), st.sampled_from(["a.json", "b c.json", "-", ""]))


@given(st.lists(WORDS))
def test_it_is_the_check_of_typer(words):
    words = ["check", *words, "x.json"]
    assert plain(plain_check(words)) == plain(by_typer(words))


def test_every_flag_is_known():
    parameters = inspect.signature(check.command).parameters.values()
    switches = {p.name for p in parameters if p.default is False}
    assert set(FLAGS.values()) == switches


@pytest.mark.parametrize(
    "words",
    [
        [], ["check"], ["check", "-q"], ["check", "--help"], ["check", "a", "--format", "json"],
        ["check", "a", "-qv"], ["check", "--", "a"], ["check", "a", "--colour"], ["--version"],
        ["convert", "a"], ["checks", "a"], ["-q", "check", "a"], ["check", "a", "--quiet=1"],
    ],
)  # fmt: skip
def test_what_is_not_quite_plain_is_left_to_typer(words):
    assert plain_check(words) is None


def test_an_interrupted_check_says_so_by_its_code(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(_checking.Session, "check", interrupted)
    assert main(["check", str(GOOD)]) == 130


@pytest.mark.parametrize("program", ["start", "hook"])
def test_a_reader_that_has_gone_is_no_traceback(program):
    """More findings than a pipe holds; its reader leaves after a byte."""
    words = ["check", "--show-all"] if program == "start" else []
    command = [sys.executable, "-m", f"evalmark.cli.{program}", *words]
    many = [str(FIXTURES / "bad")] * 12
    with subprocess.Popen(
        [*command, *many], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.read(1)
        process.stdout.close()
        complaint = process.stderr.read().decode()
    assert process.returncode == 1
    assert "Traceback" not in complaint
    assert "Exception ignored" not in complaint
