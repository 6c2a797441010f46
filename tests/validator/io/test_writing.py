"""The edge for outputs: what is replaced, and what is written into."""

import json
import os
import signal
import stat
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from conftest import FIXTURES, needs_fifos, needs_links, needs_modes
from evalmark.validator.io.writing import remove_stale_temp_files, write_atomically

LEGACY = FIXTURES / "legacy/brackets.old.json"


def device(path: Path, minor: int) -> Path:
    """A copy of /dev/null (1, 3) or /dev/full (1, 7) that a test may lose."""
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, minor))
        os.close(os.open(path, os.O_WRONLY))
    except (AttributeError, OSError):
        pytest.skip("devices cannot be made here")
    return path


def read_in_background(fifo: Path) -> tuple[threading.Thread, list[bytes]]:
    got: list[bytes] = []
    reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()), daemon=True)
    reader.start()
    return reader, got


# write_atomically


def test_a_device_is_written_and_stays_a_device(tmp_path):
    null = device(tmp_path / "null", 3)
    before = null.stat()
    write_atomically(null, b"lost")
    after = null.stat()
    assert (after.st_mode, after.st_rdev, after.st_ino) == (
        before.st_mode, before.st_rdev, before.st_ino,
    )  # fmt: skip
    assert [path.name for path in tmp_path.iterdir()] == ["null"]


def test_a_full_device_is_an_error_that_names_it(tmp_path):
    full = device(tmp_path / "full", 7)
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(full, b"text")
    assert caught.value.filename == str(full)
    assert stat.S_ISCHR(full.stat().st_mode)


@needs_fifos
@pytest.mark.parametrize("linked", [False, True])
def test_a_pipe_is_written_and_stays_a_pipe(tmp_path, linked):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    target = fifo
    if linked:
        target = tmp_path / "link"
        target.symlink_to(fifo)
    reader, got = read_in_background(fifo)
    write_atomically(target, b"through the pipe")
    reader.join(10)
    assert got == [b"through the pipe"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)
    assert target.is_symlink() == linked


@needs_fifos
def test_convert_writes_into_a_pipe(run, tmp_path):
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    reader, got = read_in_background(fifo)
    run("evalmark", "convert", LEGACY, "-o", fifo, code=0)
    reader.join(10)
    assert json.loads(got[0])["meta"]
    assert stat.S_ISFIFO(fifo.stat().st_mode)


@needs_links
def test_a_symbolic_link_stays_and_its_target_is_replaced(tmp_path):
    target, link = tmp_path / "target", tmp_path / "link"
    target.write_bytes(b"old")
    link.symlink_to("target")
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert target.read_bytes() == b"new"


@needs_modes
def test_the_mode_of_a_file_is_kept(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o640)
    write_atomically(path, b"new")
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files away"
)
def test_the_owner_of_a_file_is_kept(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    os.chown(path, 1234, 4321)
    write_atomically(path, b"new")
    assert (path.stat().st_uid, path.stat().st_gid) == (1234, 4321)


def test_a_failed_write_leaves_the_old_file_and_no_temporary_one(tmp_path, monkeypatch):
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def no_space(_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(OSError, match="No space left") as caught:
        write_atomically(path, b"new")
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["file"]


def test_errors_name_the_path_that_the_user_gave(tmp_path):
    missing, folder = tmp_path / "missing/file.json", tmp_path
    with pytest.raises(FileNotFoundError) as caught:
        write_atomically(missing, b"")
    assert caught.value.filename == str(missing)
    with pytest.raises((IsADirectoryError, PermissionError)) as caught:  # the latter on Windows
        write_atomically(folder, b"")
    assert caught.value.filename == str(folder)


# sweep


def test_sweep_leaves_files_that_only_look_like_temporary_ones(tmp_path):
    for name in (".evalmark-notes.json", ".evalmark-2024-plan.md", ".evalmark-"):
        (tmp_path / name).write_text("mine")
        os.utime(tmp_path / name, (0, 0))
    before = sorted(tmp_path.iterdir())
    remove_stale_temp_files(tmp_path)
    assert sorted(tmp_path.iterdir()) == before


# what is not replaced


@needs_modes
def test_a_file_that_nobody_may_write_is_not_replaced_even_by_root(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(0o444)
    with pytest.raises(PermissionError) as caught:
        write_atomically(path, b"new")
    assert caught.value.filename == str(path)
    assert path.read_bytes() == b"old"


def test_a_file_with_another_hard_link_is_not_cut_from_it(tmp_path):
    path, other = tmp_path / "file", tmp_path / "other"
    path.write_bytes(b"old")
    other.hardlink_to(path)
    with pytest.raises(OSError, match="other hard links"):
        write_atomically(path, b"new")
    assert path.samefile(other)


def test_a_file_that_was_changed_in_the_meantime_is_not_replaced(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"old")
    write_atomically(path, b"new", instead_of=b"old")
    with pytest.raises(OSError, match="changed while evalmark worked on it"):
        write_atomically(path, b"newer", instead_of=b"old")
    assert path.read_bytes() == b"new"


def test_a_file_that_changes_while_its_new_content_is_written_is_not_replaced(
    tmp_path, monkeypatch
):
    path = tmp_path / "suite.json"
    path.write_bytes(b"old")
    real = os.fsync

    def changing(handle):
        path.write_bytes(b"theirs")
        real(handle)

    monkeypatch.setattr(os, "fsync", changing)
    with pytest.raises(OSError, match="changed while evalmark worked on it"):
        write_atomically(path, b"ours", instead_of=b"old")
    assert path.read_bytes() == b"theirs"
    assert [one.name for one in tmp_path.iterdir()] == ["suite.json"]


@pytest.mark.skipif(sys.platform == "win32", reason="no signals there")
@pytest.mark.parametrize("ends", ["SIGTERM", "SIGINT"])
@pytest.mark.parametrize("amid", ["os.fsync", "os.replace", "tempfile.mkstemp"])
def test_an_ended_process_leaves_no_temporary_file(tmp_path, amid, ends):
    code = f"""
import os, signal, sys, tempfile
from evalmark.validator.io.writing import write_atomically
signal.signal(signal.SIGINT, signal.default_int_handler)  # a background job ignores it
real = {amid}
def ending(*arguments, **options):
    done = real(*arguments, **options)
    os.kill(os.getpid(), signal.{ends})
    return done
{amid} = ending
try:
    write_atomically(sys.argv[1], b"new")
except KeyboardInterrupt:
    sys.exit(130)
"""
    (tmp_path / "file").write_bytes(b"old")
    done = subprocess.run([sys.executable, "-c", code, tmp_path / "file"], check=False)
    assert done.returncode == (130 if ends == "SIGINT" else -signal.SIGTERM)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"new", "the end waits until the file is in place"
