"""A command that was killed leaves a temporary file; the same command, run again, deletes it."""

from __future__ import annotations

import subprocess
import sys

import pytest
from evalmark.cli.main import COMMANDS

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="limits and rights as Linux has them"
)

if sys.platform == "linux":
    from benchmarks.torture.kills import WRITINGS, Writing

    #: A report is of a run of conversations here.
    OF_MEMORY = {"converse", "report"}
    CASES = {
        **{n: one for n, one in WRITINGS.items() if "memory" in COMMANDS or n not in OF_MEMORY},
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


def files(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("name", CASES)
def test_no_temporary_file_stays(name, run, tmp_path, monkeypatch):
    if name == "report":
        pytest.importorskip("jinja2")
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    for folder in (tmp_path / "whole", tmp_path / "killed"):
        folder.mkdir()
        CASES[name].begin(folder)
    whole, killed = tmp_path / "whole", tmp_path / "killed"
    monkeypatch.chdir(whole)
    before = files(whole)
    first = run("evalmark", *CASES[name].words)
    written = [path for path, content in files(whole).items() if before.get(path) != content]
    assert written
    for path in written:
        place = killed / path.relative_to(whole).parent
        place.mkdir(parents=True, exist_ok=True)
        (place / f".evalmark-{process.pid}-abcd1234").write_text("half a file")
    monkeypatch.chdir(killed)
    run("evalmark", *CASES[name].words, code=first.code)
    assert [path for path in files(killed) if path.name.startswith(".evalmark-")] == []
