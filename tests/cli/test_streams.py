"""What a user interrupts, and what nobody reads."""

import re
import shutil
import subprocess
import sys

import pytest
from conftest import FIXTURES
from evalmark.validator.batch import check_files as _check_files

GOOD = FIXTURES / "good/suite.json"
BAD = FIXTURES / "bad/SG204_unknown_condition.json"
OLD = FIXTURES / "legacy/brackets.old.json"


@pytest.mark.skipif(sys.platform == "win32", reason="a closed pipe is another error there")
@pytest.mark.parametrize("program", ["main", "hook"])
def test_a_reader_that_has_gone_is_no_traceback(program, tmp_path):
    """More findings than a pipe holds; its reader leaves after a byte."""
    words = ["check", "--format", "json"] if program == "main" else []
    command = [sys.executable, "-m", f"evalmark.cli.{program}", *words]
    many = [str(FIXTURES / "bad"), str(shutil.copytree(FIXTURES / "bad", tmp_path / "bad"))]
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


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="a device that is always full")
@pytest.mark.parametrize("redirect", [">/dev/full", ">&-"])
@pytest.mark.parametrize(
    "words",
    [
        ["check", BAD],
        ["check", "--format", "sarif", BAD],
        ["explain"],
        ["--help"],
        ["convert", OLD],
    ],
)
def test_an_output_that_cannot_be_written_is_one_sentence_and_no_finding(words, redirect):
    command = ["sh", "-c", f'exec "$@" {redirect}', "sh", sys.executable, "-m", "evalmark", *words]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert re.search(r"^evalmark: standard output: .+\n\Z", done.stderr, re.MULTILINE)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr


@pytest.mark.skipif(sys.platform != "linux", reason="a device that is always full")
def test_all_streams_closed_or_full():
    program = [sys.executable, "-m", "evalmark.cli.hook", BAD]
    for redirect in (">&- 2>&- <&-", ">/dev/full 2>/dev/full"):
        command = ["sh", "-c", f'exec "$@" {redirect}', "sh", *program]
        assert subprocess.run(command, check=False).returncode == 2


def test_a_bug_in_a_command_is_one_line(monkeypatch, run):
    def broken(*_, **__):
        raise RecursionError

    monkeypatch.setattr(_check_files, "_with_backend", broken)
    done = run("evalmark", "check", GOOD, code=2)
    assert re.fullmatch(
        r"evalmark: F099 internal error: RecursionError in evalmark\.[a-z_.]+:\d+; .* report .*\n",
        done.err,
    )
