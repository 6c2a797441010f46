"""What a user interrupts, and what nobody reads."""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import FIXTURES
from evalmark.validator.batch import check_files as _check_files

GOOD = FIXTURES / "good/suite.json"


def test_an_interrupted_check_says_so_by_its_code(monkeypatch, run):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(_check_files._Batch, "take", interrupted)
    assert run("evalmark", "check", GOOD).code == 130


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error there")
@pytest.mark.parametrize("program", ["main", "hook"])
def test_a_reader_that_has_gone_is_no_traceback(program):
    """More findings than a pipe holds; its reader leaves after a byte."""
    words = ["check", "--show-all"] if program == "main" else []
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
