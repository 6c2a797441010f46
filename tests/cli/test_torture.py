"""A share of ``make torture``, and one folder with a file of each hostile kind."""

import json
import os
import re
import shutil
import stat
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from conftest import FIXTURES, ROOT

pytestmark = pytest.mark.skipif(
    sys.platform != "linux", reason="limits and rights as Linux has them"
)

if sys.platform == "linux":
    from benchmarks.torture.files import GROUPS, corpus

GOOD = FIXTURES / "good/suite.json"
BAD = FIXTURES / "bad/SG204_unknown_condition.json"
OLD = FIXTURES / "legacy/brackets.old.json"
#: Names that a shell, a terminal or a parser of paths might take for something else.
NAMES = (
    b"a\nb.json", b"\x1b[31mred.json", b"\xff\xfe.json", b"-rf.json", b"--help.json", b" .json",
    "\u202egnp.json".encode(), b"%s%n.json", b"a:b.json", b"a\\b.json", b"$(true).json",
    b"::error::x.json", b"'\"`.json", b"a\rb.json", b"~.json", b"#.json", b"*.json", b"[a].json",
    "é".encode() + b".json", b"x" * 240 + b".json",
)  # fmt: skip


def fill(folder: Path) -> None:
    """Make one of everything in a folder, and a broken suite and an old one beside it."""
    folder.mkdir(parents=True)
    outside = folder.parent / "outside.json"
    shutil.copy(BAD, outside)
    shutil.copy(BAD, folder / "bad.json")
    shutil.copy(OLD, folder / "old.json")
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.json")
        os.mkfifo(folder / "pipe.jsonl")
    links = {
        "zero.json": "/dev/zero", "random.yaml": "/dev/urandom",
        "environ.json": "/proc/self/environ",
        "self.json": "self.json", "one.json": "two.json", "two.json": "one.json",
        "broken.json": "nothing.json", "out.json": outside, "passwd.json": "/etc/passwd",
        "up.json": "..", "twice.json": "bad.json", "long.json": "x" * 4000,
    }  # fmt: skip
    for name, target in links.items():
        with suppress(OSError):
            (folder / name).symlink_to(target)
    with suppress(OSError):
        (folder / "loop").symlink_to(folder, target_is_directory=True)
    (folder / "folder.json").mkdir()
    (folder / ".hidden.json").write_bytes(BAD.read_bytes())
    for name in NAMES:
        with suppress(OSError):
            Path(os.fsdecode(os.fsencode(folder) + b"/" + name)).write_bytes(BAD.read_bytes())
    unreadable = folder / "unreadable.json"
    shutil.copy(GOOD, unreadable)
    unreadable.chmod(0)
    (folder / "closed").mkdir()
    shutil.copy(BAD, folder / "closed")
    (folder / "closed").chmod(0)
    read_only = folder / "read_only.json"
    shutil.copy(OLD, read_only)
    read_only.chmod(0o444)


def open_again(folder: Path) -> None:
    """Let a folder be deleted."""
    for path in folder.rglob("*"):
        with suppress(OSError):
            if stat.S_ISDIR(path.lstat().st_mode):
                path.chmod(0o700)
    with suppress(OSError):
        (folder / "closed").chmod(0o700)


def torture(*words: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.torture", *words],
        cwd=ROOT, capture_output=True, text=True, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.slow
def test_a_share_of_the_hostile_files_with_every_command():
    said = torture("--files", "12", "--jobs", "1", "--seed", "3", "--only", "files")
    (calls,) = re.findall(r"^all +12 +(\d+) +0 +0 +0 +0 +0 ", said, re.MULTILINE)
    assert int(calls) > 100


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("cc") is None, reason="the probe needs a C compiler")
def test_every_command_that_writes_is_killed_amid_its_work():
    said = torture("--kills", "1", "--only", "kills")
    assert re.search(r"kills: [1-9]\d*, losses 0", said)
    rows = re.findall(r"^\| `(.+)` \|  (\d+), (\d+), 0 \|$", said, re.MULTILINE)
    assert "the page's save" in {name for name, _, _ in rows}
    assert all(tried == hit == "1" for _, tried, hit in rows)


@pytest.mark.slow
def test_random_documents():
    said = torture("--minutes", "0", "--jobs", "1", "--only", "fuzz")
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
    done = run("evalmark", "check", "--format", "json", folder, code=2)
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
    done = run("evalmark", "convert", "--in-place", folder, code=2)
    assert "Traceback" not in done.err
    assert "internal error" not in done.err
    assert last.read_bytes() == (FIXTURES / "legacy/brackets.new.json").read_bytes()
