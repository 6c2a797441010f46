"""A command that was killed leaves a temporary file; the same command, run again, deletes it."""

import subprocess
import sys

import pytest
from conftest import file_at, needs_apps
from evalmark.cli.main import commands
from killing import files_in

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="limits and rights as Linux has them"
)

if sys.platform == "linux":
    from benchmarks.torture.kills import WRITINGS, Writing

    CASES = {
        # A site is made in a folder beside it, which has a test of its own.
        **{
            n: one
            for n, one in WRITINGS.items()
            if n != "publish" and ("memory" in commands() or n != "converse")
        },
        "check --fix, a file": Writing(
            WRITINGS["check --fix"].begin,
            ("check", "--fix", "--unsafe-fixes", "in/000.json", "in/001.json"),
        ),
        "convert --in-place, a file": Writing(
            WRITINGS["convert --in-place"].begin, ("convert", "--in-place", "in/000.json")
        ),
        "convert -o, a file": Writing(
            WRITINGS["convert -o"].begin, ("convert", "in/000.json", "-o", "out.json")
        ),
        "convert --report": Writing(
            WRITINGS["convert -o"].begin, ("convert", "in/000.json", "--report", "report.json")
        ),
    }
else:
    CASES = {}


@needs_apps
@pytest.mark.parametrize("name", CASES)
def test_no_temporary_file_stays(name, run, tmp_path, monkeypatch):
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    for folder in (tmp_path / "whole", tmp_path / "killed"):
        folder.mkdir()
        CASES[name].begin(folder)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    monkeypatch.chdir(whole)
    before = files_in(whole)
    first = run("evalmark", *CASES[name].words)
    written = [path for path, content in files_in(whole).items() if before.get(path) != content]
    assert written
    for path in written:
        file_at((killed / path).with_name(f".evalmark-{process.pid}-abcd1234"), "half a file")
    monkeypatch.chdir(killed)
    run("evalmark", *CASES[name].words, code=first.code)
    assert list(killed.rglob(".evalmark-*")) == []
