"""Folders that hold everything: pipes, devices, links, names and modes."""

from __future__ import annotations

import json
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from benchmarks.torture.calls import FIXTURES, Call, call
from benchmarks.torture.commands import Judged, judged

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


def folders() -> Iterator[Judged]:
    """All commands on a folder of everything."""
    with tempfile.TemporaryDirectory(prefix="torture-") as name:
        home = Path(name)
        folder = home / "all"
        fill(folder)
        try:
            yield from _checked(folder)
            yield from _written(folder, home)
            yield from _named(folder)
        finally:
            open_again(folder)


def _checked(folder: Path) -> Iterator[Judged]:
    for form in ("json", "full", "concise", "jsonl", "sarif", "junit", "github"):
        ended = call(Call(("check", "-v", "--format", form, str(folder))))
        wrong = () if b"SG204" in ended.out else ("the broken suite was not found",)
        yield judged(ended, {2}, wrong)
    ended = call(Call(("check", "--format", "json", str(folder)), fresh=True))
    paths = [f["path"] for f in json.loads(ended.out)["findings"] if f["code"] == "SG204"]
    names = sum(1 for entry in os.scandir(folder) if entry.is_file(follow_symlinks=False))
    wrong = () if len(paths) >= names - 6 else (f"{len(paths)} of {names} names were checked",)
    yield judged(ended, {2}, wrong)
    yield judged(call(Call(("check", "--diff", str(folder)))), {2})
    yield judged(call(Call(("check", "."), cwd=str(folder))), {2})
    yield judged(call(Call(("score", str(folder), "--dry-run"))), {2})
    yield judged(
        call(Call(("memory", "run", str(folder), "--agent", str(GOOD), "--out", "/dev/null"))), {2}
    )


def _written(folder: Path, home: Path) -> Iterator[Judged]:
    out = home / "out"
    secret = (home / "outside.json").read_bytes()
    for words in (
        ("convert", str(folder), "-o", str(out)),
        ("convert", "--check", str(folder)),
        ("convert", "--in-place", str(folder)),
        ("check", "--fix", "--unsafe-fixes", str(folder)),
    ):
        ended = call(Call(words))
        wrong = []
        if (folder / "read_only.json").read_bytes() != OLD.read_bytes():
            wrong.append("a read-only file was replaced")
        if (home / "outside.json").read_bytes() != secret:
            wrong.append("a file outside was written")
        if not (folder / "twice.json").is_symlink():
            wrong.append("a link was replaced")
        yield judged(ended, {0, 1, 2}, tuple(wrong))
    converted = (folder / "old.json").read_bytes() != OLD.read_bytes()
    yield judged(ended, {0, 1, 2}, () if converted else ("the old suite was not converted",))
    for words in (
        ("init", str(folder / "bad.json")),
        ("init", str(folder / "closed")),
        ("report", str(folder)),
        ("memory", "rescore", str(folder)),
        ("convert", str(OLD), "-o", str(folder / "closed/x.json")),
        ("convert", str(OLD), "-o", str(folder / "missing/folder/x.json")),
        ("convert", str(OLD), "-o", str(folder / "self.json")),
        ("convert", str(OLD), "--check", "--report", str(folder / "missing/folder/x.json")),
        ("memory", "run", "colours", "--agent", str(GOOD), "--out", str(folder / "bad.json")),
    ):
        yield judged(call(Call(words)), {2})


def _named(folder: Path) -> Iterator[Judged]:
    """What is not a regular file is a finding, or an error, where it is named."""
    for name in (
        "pipe.json",
        "zero.json",
        "self.json",
        "broken.json",
        "folder.json",
        "unreadable.json",
    ):
        path = str(folder / name)
        for words in (
            ("check", path), ("convert", path), ("score", path, "--dry-run"),
            ("compare", path, path),
            ("score", str(GOOD), "--surprisals", path), ("report", path),
            ("memory", "rescore", path),
            ("memory", "run", path, "--agent", path, "--out", str(folder / "run")),
            ("convert", str(GOOD), "--predictions", path, "--check"),
        ):  # fmt: skip
            yield judged(call(Call(words, seconds=20)), {2})


def streams() -> Iterator[Judged]:
    """Standard streams that are full, closed or of another encoding."""
    for words in (
        ("check", str(BAD)), ("check", "--format", "sarif", str(BAD)), ("rules",), ("--help",),
        ("convert", str(OLD)), ("explain", "SG204"), ("score", "--dry-run", str(GOOD)),
    ):  # fmt: skip
        for redirect in (">/dev/full", ">&-", ">&- 2>&-", ">/dev/full 2>/dev/full"):
            ended = call(Call(words, fresh=True, redirect=redirect))
            silent = "2>" in redirect
            found = judged(ended, {2})
            wrong = tuple(w for w in found.wrong if not (silent and w.endswith("a word")))
            yield Judged(ended, wrong)
    yield judged(call(Call(("check", "-"), fresh=True, redirect="<&-")), {2})
    for encoding in ("ascii", "cp1252", "latin-1", "utf-16"):
        variables = (("PYTHONIOENCODING", encoding),)
        for words in (
            ("check", "--format", "full", str(BAD)),
            ("check", "--format", "json", str(BAD)),
        ):
            yield judged(call(Call(words, fresh=True, environment=variables)), {1})
        yield judged(call(Call(("rules",), fresh=True, environment=variables)), {0})
