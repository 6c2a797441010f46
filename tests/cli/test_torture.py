"""A share of ``make torture``, and one folder with a file of each hostile kind."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys

import pytest
from conftest import FIXTURES, ROOT

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="limits and rights as Linux has them"
)

if sys.platform == "linux":
    from benchmarks.torture.files import GROUPS, corpus
    from benchmarks.torture.folders import fill, open_again

BAD = FIXTURES / "bad/SG204_unknown_condition.json"
OLD = FIXTURES / "legacy/brackets.old.json"


def torture(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.torture", *words],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_share_of_the_hostile_files_with_every_command():
    said = torture("--minutes", "0.5", "--jobs", "1", "--seed", "3", "--only", "files")
    (calls,) = re.findall(r"^all +\d+ +(\d+) +0 +0 +0 +0 +0 ", said, re.MULTILINE)
    assert int(calls) > 10


@pytest.mark.slow
def test_folders_with_everything_in_them_and_streams_that_fail():
    assert "\nstreams " in torture("--only", "folders")


@pytest.mark.slow
def test_kills_and_random_documents():
    said = torture("--minutes", "0.1", "--jobs", "1", "--only", "kills", "fuzz")
    assert re.search(r"kills: [1-9]\d*, losses 0", said)
    assert re.search(r"random documents: \d{4,}, .* exceptions 0, different verdicts 0", said)


@pytest.fixture
def everything(tmp_path):
    """A folder with every small hostile file, and one of each thing that is not a regular file."""
    folder = tmp_path / "all"
    fill(folder)
    entries = {}
    for group, entry in corpus(large=False):
        place = folder / group / entry.name.partition(".")[0]
        entries[str(entry.put(place))] = entry
    yield folder, entries
    open_again(folder)


@pytest.mark.slow
def test_one_folder_with_every_hostile_file_is_checked_to_its_end(run, everything):
    folder, entries = everything
    done = run("evalmark", "check", "--format", "json", folder)
    assert done.code == 2, done.err
    found: dict[str, set[str]] = {}
    for finding in json.loads(done.out)["findings"]:
        found.setdefault(finding["path"], set()).add(finding["code"])
    assert "Traceback" not in done.err
    assert not [path for path, codes in found.items() if "F099" in codes]
    assert "SG204" in found[str(folder / "bad.json")]  # among many suites of one name
    missed = [
        p for p, entry in entries.items() if entry.codes and not entry.codes & found.get(p, set())
    ]
    # Files of unknown kinds are skipped in folders; named, they are findings too.
    assert [path for path in missed if found.get(path)] == []
    named = json.loads(run("evalmark", "check", "--format", "json", *missed).out)["findings"]
    again = {(finding["path"], finding["code"]) for finding in named}
    assert [
        path
        for path in missed
        if not {(path, code) for code in (*entries[path].codes, "F012")} & again
    ] == []
    assert {group for group, _ in corpus(large=False)} == set(GROUPS)


@pytest.mark.slow
def test_one_folder_with_every_hostile_file_is_converted_to_its_end(run, everything):
    folder, _ = everything
    last = folder / "zzz/old.json"
    last.parent.mkdir()
    shutil.copy(OLD, last)
    done = run("evalmark", "convert", "--in-place", folder)
    assert done.code == 2
    assert "Traceback" not in done.err
    assert "internal error" not in done.err
    assert last.read_bytes() == (FIXTURES / "legacy/brackets.new.json").read_bytes()
