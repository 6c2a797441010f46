"""What Windows and macOS do otherwise, simulated: open files, case, names, links, paths, encodings.

More is in `tests/validator`: locks in `test_run_folders.py`, names in `test_portable_names.py`.
Processes that are not forked are in `test_current_folder.py`, streams in `test_streams.py`.
"""

import errno
import json
import ntpath
import os
import re
import shutil
import stat
import subprocess
import sys
from functools import partial
from pathlib import Path, PureWindowsPath
from types import SimpleNamespace

import pytest
from conftest import FIXTURES, needs_links
from evalmark.converters.convert_files import convert_files
from evalmark.converters.records import v0_3_0
from evalmark.schemas.errors import ScoringError
from evalmark.validator.batch import walking
from evalmark.validator.format import Glob
from evalmark.validator.io import opening, paths, writing
from evalmark.validator.io.portable_names import why_not_portable
from evalmark.validator.outputs import report_texts as look
from registered import registered

BAD = FIXTURES / "bad/SG204_unknown_condition.json"
LEGACY = FIXTURES / "legacy/brackets.old.json"
ROOMS = ("schemas", "validator", "converters", "scoring", "cli", "library", "apps")
linux = pytest.mark.skipif(sys.platform != "linux", reason="simulated on Linux")


# a file that is open


@pytest.fixture
def open_files_stay(monkeypatch):
    """As on Windows: no file that this process has open is replaced, moved or deleted."""

    def require_closed(path, dir_fd=None):
        try:
            status = os.stat(path, dir_fd=dir_fd, follow_symlinks=False)
        except OSError:
            return
        for number in (int(path.name) for path in Path("/proc/self/fd").iterdir()):
            try:
                is_same = os.path.samestat(os.fstat(number), status)
            except OSError:  # that of the listing itself
                continue
            if stat.S_ISREG(status.st_mode) and is_same:
                error = PermissionError(errno.EACCES, "Access is denied", os.fspath(path))
                error.winerror = 5
                raise error

    def guarded(function):
        def call(*places, **options):
            for place in places:
                require_closed(place, options.get("dir_fd"))
            return function(*places, **options)

        return call

    for name in ("replace", "rename", "unlink", "remove"):
        monkeypatch.setattr(os, name, guarded(getattr(os, name)))


@linux
@pytest.mark.usefixtures("open_files_stay")
def test_a_file_that_a_program_has_open_is_named_and_kept(run, here):
    shutil.copy(LEGACY, "old.json")
    with Path("old.json").open("rb"):
        done = run("evalmark", "convert", "old.json", "--in-place")
    assert done.code == 2
    assert "old.json cannot be written: Access is denied; close it in the programs" in done.err
    assert [path.name for path in here.iterdir()] == ["old.json"]
    assert Path("old.json").read_bytes() == LEGACY.read_bytes()


@linux
@pytest.mark.usefixtures("open_files_stay")
def test_no_command_replaces_a_file_that_it_has_open_itself(run, here):
    shutil.copy(LEGACY, "old.json")
    Path("yes.json").write_text('{"default": "yes"}')
    talk = ("memory", "colours", "--agent", "yes.json", "--out", "a")
    for arguments in registered(
        ("convert", "old.json", "--in-place"),
        ("init", "mine"),
        talk,
        talk,
    ):
        run("evalmark", *arguments, code=0)


# two names that are one file


@pytest.fixture
def folded(tmp_path, monkeypatch):
    """A folder in which names that differ in case only are one file."""

    def spelled(path):
        if not isinstance(path, str | os.PathLike) or tmp_path not in Path(path).parents:
            return path  # a handle, or elsewhere
        place = tmp_path
        for name in Path(path).relative_to(tmp_path).parts:
            names = listdir(place) if isdir(place) else []
            place /= next((n for n in names if n.casefold() == name.casefold()), name)
        return place

    def call(function, *arguments, **options):
        count = 2 if function is replace else 1
        return function(*map(spelled, arguments[:count]), *arguments[count:], **options)

    def isdir(path, status=os.stat):
        try:
            return stat.S_ISDIR(status(path).st_mode)
        except OSError:
            return False

    listdir, replace = os.listdir, os.replace
    for name in ("stat", "lstat", "open", "access", "mkdir", "replace", "unlink"):
        monkeypatch.setattr(os, name, partial(call, getattr(os, name)))
    return tmp_path


def test_a_conversion_does_not_replace_its_own_file_by_another_spelling(folded):
    for name in ("one/suite.json", "two/Suite.json"):
        (folded / name).parent.mkdir()
        shutil.copy(LEGACY, folded / name)
    first, second = convert_files(
        [folded / "one/suite.json", folded / "two/Suite.json"], output=folded / "out"
    )
    assert first.refused is None
    assert "Suite.json has been written for another file of this call" in str(second.refused)
    assert [path.name for path in (folded / "out").iterdir()] == ["suite.json"]


def test_where_case_counts_both_are_written(tmp_path):
    (tmp_path / "A").touch()
    if (tmp_path / "a").exists():
        pytest.skip("case does not count here")
    for name in ("one/suite.json", "two/Suite.json"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(LEGACY, tmp_path / name)
    done = convert_files([tmp_path / "one", tmp_path / "two"], output=tmp_path / "out")
    assert [outcome.refused for outcome in done] == [None, None]
    assert {path.name for path in (tmp_path / "out").iterdir()} == {"Suite.json", "suite.json"}


def test_runs_of_two_models_do_not_share_a_folder(tmp_path):
    jobs = pytest.importorskip("evalmark.scoring.model_jobs")
    with pytest.raises(ScoringError, match="two models would be written to"):
        jobs.folders(["Org/gpt", "org/GPT"], tmp_path)


# names that come from files and models


@pytest.mark.parametrize("name", ["con", "NUL", "com1.5", "a:b", "gpt-4.", "gpt ", "..", 'a"b|c?'])
def test_folders_named_after_models_are_allowed_everywhere(name):
    run_of = SimpleNamespace(
        collection=name, model=SimpleNamespace(id=f"{name}/{name}", developer=None)
    )
    folders = v0_3_0.folder_of(run_of).split("/")
    assert len(folders) == 4
    for part in folders:
        assert why_not_portable(part) == ""


# symbolic links


def test_no_command_needs_a_symbolic_link():
    """Windows makes them for administrators and developers only."""
    rooms = (path for room in ROOMS for path in (FIXTURES.parent / room).rglob("*.py"))
    for path in rooms:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bsymlink(_to)?\(", text), path


@needs_links
def test_links_are_refused_where_the_system_cannot_refuse_them(tmp_path, monkeypatch):
    for module in (opening, writing):
        monkeypatch.setattr(module, "_NO_LINK", 0)
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "log").symlink_to("secret")
    with pytest.raises(OSError, match="a symbolic link"):
        opening.read_whole(tmp_path / "log", follow=False)
    with pytest.raises(OSError, match="a symbolic link"):
        writing.open_to_append(tmp_path / "log")
    assert opening.read_whole(tmp_path / "log") == b"secret"  # the user has named it


# paths


@pytest.fixture
def drives(monkeypatch):
    """Paths with drives and backslashes."""
    system = SimpleNamespace(**{**vars(os), "path": ntpath, "sep": "\\"})
    for module in (walking, paths):
        monkeypatch.setattr(module, "os", system)
    monkeypatch.setattr(look, "PurePath", PureWindowsPath)


@pytest.mark.usefixtures("drives")
def test_globs_of_settings_name_files_of_windows():
    assert walking.matches("suites\\old\\a.json", [Glob("suites/old/*")])
    assert walking.matches(
        ".\\suites\\old\\a.json", [Glob("suites\\*")]
    )  # a word of the command line
    assert not walking.matches("suites\\new\\a.json", [Glob("suites/old/*")])


@pytest.mark.usefixtures("drives")
def test_places_in_reports_are_uris():
    assert look.uri("suites\\a b.json") == "suites/a%20b.json"
    assert look.uri("C:\\suites\\a b.json") == "file:///C:/suites/a%20b.json"


@pytest.mark.usefixtures("drives")
def test_another_drive_is_not_below_a_folder():
    assert not paths.is_below("D:\\x", "C:\\x")
    assert paths.is_below("C:\\x\\y.json", "C:\\x")
    assert not paths.is_below("C:\\x\\.git\\config", "C:\\x")


# text


def test_line_ends_of_windows_change_no_finding_and_stay(run, here):
    Path("a.json").write_bytes(BAD.read_bytes())
    plain = run("evalmark", "check", "a.json").out
    Path("a.json").write_bytes(BAD.read_bytes().replace(b"\n", b"\r\n"))
    assert run("evalmark", "check", "a.json").out == plain
    Path("old.json").write_bytes(LEGACY.read_bytes().replace(b"\n", b"\r\n"))
    assert run("evalmark", "convert", "old.json", "--in-place").code == 0
    lines = Path("old.json").read_bytes().split(b"\n")
    assert all(line.endswith(b"\r") for line in lines[:-1])


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "ascii"])
def test_consoles_show_what_their_encoding_has_and_escape_the_rest(run, here, encoding):
    suite = json.loads(BAD.read_text(encoding="utf-8"))
    text = json.dumps(suite, ensure_ascii=False).replace("pos_ps", "سؤال")
    Path("→ة.json").write_text(text, encoding="utf-8")
    shutil.copy(LEGACY, "é.json")
    for arguments, code in (
        (("check", "→ة.json", "--format", "full"), 1),
        (("check", "→ة.json", "--fix", "--diff"), 1),
        (("convert", "é.json", "--check"), 1),
        (("convert", "é.json", "--diff"), 0),
        (("convert", "é.json", "-o", "→.json"), 0),
        (("explain", "SG204"), 0),
        (("explain",), 0),
        (("check", "--help"), 0),
        (("check", "سؤال"), 2),
    ):
        done = run("evalmark", *arguments, encoding=encoding)
        assert (done.code, "internal error" in done.err) == (code, False), (arguments, done.err)
    assert "سؤال" in run("evalmark", "check", "→ة.json", "--format", "json", encoding=encoding).out


# a process without what only POSIX has

WITHOUT_POSIX = """
import multiprocessing, os, signal, subprocess, sys, sysconfig, types
sysconfig.get_config_vars()
for name in ("chown", "fork", "forkpty", "geteuid", "getuid", "killpg", "mkfifo", "setsid",
             "sched_getaffinity", "sysconf", "O_NOCTTY", "O_NOFOLLOW", "O_NONBLOCK"):
    delattr(os, name)
for name in ("SIGALRM", "SIGHUP", "SIGKILL", "SIGPIPE", "alarm", "getitimer", "setitimer"):
    delattr(signal, name)
for name in ("fcntl", "grp", "pwd", "resource", "termios"):
    sys.modules[name] = None
sys.modules["msvcrt"] = types.SimpleNamespace(LK_NBLCK=2, locking=lambda *_: None)
sys.platform = "darwin"  # other packages would load libraries of Windows
from evalmark.cli.main import main
for line in sys.stdin.read().splitlines():
    print(line, main(line.split()), flush=True)
"""


@linux
def test_commands_do_without_what_only_posix_has(here):
    shutil.copytree(FIXTURES / "suites", "suites")
    shutil.copy(BAD, "bad.json")
    shutil.copy(LEGACY, "old.json")
    Path("yes.json").write_text('{"default": "yes"}')
    codes_of = {
        "check suites bad.json -q": 1,
        "check suites --jobs 2 -q": 0,
        "convert old.json --in-place": 0,
        "memory colours --agent yes.json --out run": 0,
        "init mine": 0,
    }
    lines = tuple(" ".join(words) for words in registered(*map(str.split, codes_of)))
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT_POSIX], input="\n".join(lines), text=True,
        capture_output=True, check=False, cwd=here,
    )  # fmt: skip
    codes = [line for line in done.stdout.splitlines() if line.startswith(lines)]
    assert codes == [f"{line} {codes_of[line]}" for line in lines], done.stdout + done.stderr
