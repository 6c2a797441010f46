"""The folder of a run: what is deleted in it, who may write there, and where its links lead."""

import errno
import hashlib
import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest
from conftest import FIXTURES, edited, file_at, needs_fifos, needs_links
from evalmark.schemas.errors import FolderInUse
from evalmark.scoring.runs.run_files import own_folder, prepare_folder
from evalmark.scoring.runs.run_tables import write_table
from evalmark.validator.io.writing import (
    LOCK,
    confined_to,
    listed_files,
    lock_folder,
    manifest,
    open_to_append,
    remove_listed,
    write_atomically,
)
from killing import files_in
from leading_elsewhere import links
from recorded_suites import surprisals_of
from registered import registered
from run_data import record_of

pytest_plugins = ["leading_elsewhere"]

SUITE = FIXTURES / "good/suite.json"
LEGACY = FIXTURES / "legacy/brackets.old.json"

#: Files that every run over suites writes under the same names.
SAME_NAMES = {"run.json", "regions.csv"}
#: A run that may call its files anything.
ANY = re.compile(".*", re.DOTALL)
EMPTY = hashlib.sha256(b"").hexdigest()


# what a run may delete


def test_only_listed_files_with_the_content_that_was_written_are_deleted(tmp_path):
    home = tmp_path / "run"
    home.mkdir()
    outside = tmp_path / "outside"
    for path in (home / "own", home / "kept", home / "edited", home / "other", outside):
        path.write_bytes(path.name.encode())
    listed = manifest(home, [home / "own", home / "kept", home / "edited"])
    listed |= {"../outside": manifest(tmp_path, [outside])["outside"]}
    (home / "edited").write_bytes(b"by hand")
    remove_listed(home, listed, keep={"kept": ""}, names=ANY)
    assert sorted(path.name for path in home.iterdir()) == ["edited", "kept", "other"]
    assert outside.exists()


@pytest.mark.parametrize("listed", [None, [], "own", 3, {"own": None, "a\0b": "", "": ""}])
def test_a_damaged_manifest_deletes_nothing(tmp_path, listed):
    (tmp_path / "own").write_bytes(b"")
    (tmp_path / "run.json").write_text(json.dumps({"files": listed}))
    remove_listed(tmp_path, listed_files(tmp_path / "run.json"), keep={}, names=ANY)
    assert (tmp_path / "own").exists()


def test_a_manifest_cannot_name_what_a_run_does_not_write(tmp_path):
    """Whoever wrote the manifest knows the digest of every file."""
    home, outside = tmp_path / "run", tmp_path / "outside.csv"
    (home / "below").mkdir(parents=True)
    names = ["own.csv", "notes.txt", "below/own.csv", "own.csv.bak", "below/../notes.csv"]
    for name in names:
        (home / name).write_bytes(b"content")
    outside.write_bytes(b"content")
    listed = dict.fromkeys(
        [*names, "../outside.csv", str(outside), "below/../../outside.csv", "./own.csv",
         "a\0.csv", "\ud800.csv", "", ".", "x" * 5000 + ".csv"],
        hashlib.sha256(b"content").hexdigest(),
    )  # fmt: skip
    remove_listed(home, listed, keep={}, names=re.compile(r"(below/)?[^/]*\.csv|\.\./.*"))
    left = sorted(path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file())
    assert left == ["notes.csv", "notes.txt", "own.csv.bak"]
    assert outside.exists()


@needs_links
def test_links_are_not_deleted_and_nothing_behind_them(tmp_path):
    home, other = tmp_path / "run", tmp_path / "other"
    for folder in (home / "real", other):
        file_at(folder / "own.csv", b"")
    (home / "link.csv").symlink_to(home / "real/own.csv")
    (home / "inside").symlink_to(home / "real", target_is_directory=True)
    (home / "out").symlink_to(other, target_is_directory=True)
    listed = dict.fromkeys(("link.csv", "inside/own.csv", "out/own.csv"), EMPTY)
    remove_listed(home, listed, keep={}, names=ANY)
    assert (home / "link.csv").is_symlink()
    assert (home / "real/own.csv").exists()
    assert (other / "own.csv").exists()
    through = tmp_path / "through"
    through.symlink_to(home, target_is_directory=True)  # the user's own word
    remove_listed(through, {"real/own.csv": EMPTY}, keep={}, names=ANY)
    assert not (home / "real/own.csv").exists()


@needs_links
def test_a_run_does_not_append_through_a_link(tmp_path):
    (tmp_path / "outside").write_bytes(b"precious")
    (tmp_path / "log").symlink_to(tmp_path / "outside")
    with pytest.raises(OSError, match="a symbolic link"):
        open_to_append(tmp_path / "log", keep=0)
    assert (tmp_path / "outside").read_bytes() == b"precious"


def test_a_file_is_appended_to_after_what_is_kept_of_it(tmp_path):
    path = tmp_path / "log"
    for text, keep in ((b"one\ntwo\nthr", None), (b"two\n", 4), (b"three\n", None)):
        with open_to_append(path, keep=keep) as file:
            file.write(text)
    assert path.read_bytes() == b"one\ntwo\nthree\n"


@needs_fifos
def test_a_pipe_is_not_appended_to(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match=r"pipe"):
        open_to_append(tmp_path / "pipe")


@needs_fifos
@pytest.mark.parametrize(
    "command",
    registered(
        ("compare", "pipe", "pipe"),
        ("convert", "--defaults", "pipe", "suite.json"),
        ("convert", "--predictions", "pipe", "suite.json"),
        ("convert", "pipe.json"),
        ("memory", "colours", "--agent", "pipe.json", "--out", "new"),
        ("memory", "pipe.json", "--agent", "pipe.json", "--out", "new"),
        ("report", "run"),
        ("score", "pipe", "--dry-run"),
        ("score", "suite.json", "--surprisals", "pipe"),
    ),
)
def test_no_command_waits_for_a_pipe(run, here, command):
    (here / "suite.json").write_bytes((FIXTURES / "good/suite.json").read_bytes())
    (here / "run").mkdir()
    for name in ("pipe", "pipe.json", "run/run.json"):
        os.mkfifo(here / name)
    code, _, err = run("evalmark", *command)
    assert code == 2
    assert "not a regular file" in err or "there is no run.json" in err
    os.mkfifo("evalmark.toml")
    code, _, err = run("evalmark", "check", "suite.json")
    assert (code, "evalmark.toml: cannot be read: not a regular file" in err) == (2, True)


@pytest.fixture
def score(run, here, numpy, epoch):
    """Score a suite into ``results``, with surprisals that differ by a factor."""

    def scored(factor: float, *options: str):
        values = surprisals_of(here / "values.tsv", str(SUITE), first=factor)
        return run(
            "evalmark", "score", SUITE, "--surprisals", values, "--out", "results", "-q",
            "--overwrite", "--also=regions", *options,
        )  # fmt: skip

    return scored


def test_overwriting_a_run_keeps_the_records_of_other_people(score, tmp_path):
    results = tmp_path / "results"
    assert score(1).code == 0
    first = {*files_in(results)}
    theirs = {"theirs.json", "theirs_samples.jsonl", "data/lab/x.json", "data/lab/x_samples.jsonl"}
    for name in theirs:
        file_at(results / name, "{}")
    assert score(2).code == 0
    after = {*files_in(results)}
    assert theirs <= after
    assert len(after - theirs) == len(first)
    assert first & after == SAME_NAMES


@pytest.mark.parametrize("version", ["0.2.0", "0.3.0"])
def test_overwriting_a_run_deletes_its_earlier_record_and_nothing_else(score, tmp_path, version):
    """Also if the manifest of the folder, which may be anybody's, names everything in it."""
    results = tmp_path / "results"
    assert score(1, "--record-version", version).code == 0
    records = {*files_in(results)} - SAME_NAMES
    theirs = {"notes.txt", "theirs.json", ".env", "data/lab/x.json", "sub/regions.csv"}
    for name in theirs:
        file_at(results / name, "{}")
    with edited(results / "run.json") as scores:
        scores["files"] = manifest(results, [results / name for name in files_in(results)])
        scores["files"]["../values.tsv"] = manifest(tmp_path, [tmp_path / "values.tsv"])[
            "values.tsv"
        ]
    assert score(2, "--record-version", version).code == 0
    assert theirs <= {*files_in(results)}
    assert not records & {*files_in(results)}
    assert len({*files_in(results)}) == len(records | theirs | SAME_NAMES)


def test_overwriting_a_run_without_a_manifest_deletes_nothing(score, tmp_path):
    results = tmp_path / "results"
    assert score(1).code == 0
    first = {*files_in(results)}
    path = results / "run.json"
    with edited(path) as data:
        del data["files"]
    assert score(2).code == 0
    assert first < {*files_in(results)}


def test_the_earlier_run_is_whole_if_the_new_one_cannot_be_written(score, tmp_path, monkeypatch):
    results = tmp_path / "results"
    assert score(1).code == 0
    before = files_in(results)
    real, left = os.replace, [2]

    def full(source, target):
        left[0] -= 1
        if left[0] < 0:
            raise OSError(28, "No space left on device")
        real(source, target)

    monkeypatch.setattr(os, "replace", full)
    failed = score(2)
    assert failed.code == 2
    assert re.search(r"regions\.csv: No space left on device", failed.err)
    assert before.items() <= files_in(results).items()


# one run at a time


class Msvcrt:
    """What Windows does: a lock of a byte belongs to the handle that took it."""

    LK_NBLCK = 2

    def __init__(self):
        self.holders = {}

    def locking(self, handle, mode, count):
        assert (mode, count) == (self.LK_NBLCK, 1)
        status = os.fstat(handle)
        holder = self.holders.setdefault(status.st_ino, handle)
        if holder != handle:
            raise PermissionError(errno.EACCES, "Permission denied")


def test_where_folders_have_no_locks_a_file_is_locked(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "fcntl", None)
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt())
    with lock_folder(tmp_path):
        assert [path.name for path in tmp_path.iterdir()] == [LOCK]
        prepare_folder(tmp_path)  # it is still empty for a run
        with pytest.raises(FolderInUse, match="another run is writing"), lock_folder(tmp_path):
            pass
        assert [path.name for path in tmp_path.iterdir()] == [LOCK]
    assert list(tmp_path.iterdir()) == []
    (tmp_path / LOCK).touch()  # of a process that was killed
    sys.modules["msvcrt"].holders.clear()
    with lock_folder(tmp_path):
        pass
    assert list(tmp_path.iterdir()) == []


def test_two_runs_do_not_write_to_one_folder(tmp_path, score):
    (tmp_path / "results").mkdir()
    with lock_folder(tmp_path / "results"):
        done = score(1)
    assert done.code == 2
    assert done.err == "evalmark: another run is writing to results\n"
    assert score(1).code == 0


def test_the_paths_of_suites_say_nothing_about_the_machine(score, tmp_path):
    assert score(1).code == 0
    (result,) = record_of(tmp_path / "results")["evaluation_results"][:1]
    assert result["source_data"]["additional_details"]["path"] == "suite.json"


# links in a folder: its files are written there or not at all


def require_refused(done, elsewhere, path):
    assert done.code == 2
    assert f"{path}: a symbolic link leads out of " in done.err.replace("\\", "/"), done.err
    assert [found for found in elsewhere.rglob("*") if found.is_file()] == [elsewhere / "precious"]
    assert (elsewhere / "precious").read_text() == "mine"


@needs_links
@pytest.mark.parametrize(
    ("name", "target"),
    [("run.json", "precious"), ("regions.csv", "new"), ("report.html", "precious")],
)
def test_a_run_is_not_written_where_links_in_its_folder_lead(
    score, run, tmp_path, elsewhere, name, target
):
    assert score(1).code == 0
    links(tmp_path / "results", elsewhere, {name: target})
    done = run("evalmark", "report", "results") if name == "report.html" else score(2)
    require_refused(done, elsewhere, f"results/{name}")


@needs_links
def test_nothing_is_set_up_where_links_lead(run, here, elsewhere):
    links(here / "cloned", elsewhere, {"evalmark.toml": "settings", "suites": "."})
    require_refused(run("evalmark", "init", "cloned"), elsewhere, "cloned/evalmark.toml")


@needs_links
def test_conversions_into_a_folder_do_not_follow_its_links(run, here, elsewhere):
    shutil.copytree(LEGACY.parent, "old")
    links(here / "new", elsewhere, {LEGACY.name: "precious"})
    done = run("evalmark", "convert", "old", "-o", "new")
    assert f"{LEGACY.name} cannot be written: a symbolic link leads out of" in done.err
    assert (elsewhere / "precious").read_text() == "mine"
    Path("named.json").symlink_to(elsewhere / "new.json")  # the user has named this one
    assert run("evalmark", "convert", LEGACY, "-o", "named.json").code == 0
    assert (elsewhere / "new.json").is_file()


@needs_links
def test_links_within_a_folder_are_followed(tmp_path):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "here").symlink_to(tmp_path)
    with confined_to(tmp_path / "here"):
        write_atomically(tmp_path / "here/link/x", b"1")
    assert (tmp_path / "real/x").read_bytes() == b"1"


def test_a_folder_in_which_nothing_is_written_goes(tmp_path):
    """As when the model cannot be loaded; what was there stays."""
    (old := tmp_path / "old").mkdir()
    for folder in (tmp_path / "new", old):
        with pytest.raises(ValueError, match="x"), own_folder(folder):
            raise ValueError("x")
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


def test_no_cell_of_an_exported_table_is_a_formula(tmp_path):
    texts = ["=1+1", "'-x", "@a", "+b", "a=b"]
    rows = [(text, -1.5) for text in texts]
    write_table(tmp_path, "regions.csv", {"content": str, "surprisal": float}, iter(rows))
    cells = [line.split(",") for line in (tmp_path / "regions.csv").read_text().splitlines()[1:]]
    assert [cell for cell, _ in cells] == ["'=1+1", "''-x", "'@a", "'+b", "a=b"]
    assert {number for _, number in cells} == {"-1.5"}
