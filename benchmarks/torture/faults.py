"""Every command that writes, on a full disk and in a folder that is read-only.

Needs Linux and the right to mount: the folder is a small file system in memory. A fault must be an
error in a sentence, leave every file as it was, and leave none over; once there is room, the same
command must end as if nothing had happened. ``python -m benchmarks.torture --only faults``.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.torture.kills import LISTED, WRITINGS, Writing, ended, process_of, started, state

#: Kilobytes of the file system, of which a full disk has as good as none left.
_SIZE = 8_192
_FILLER = "filler"
#: Files that grow while a run is under way: what they have is kept for the next call.
_GROWING = ("conversation.jsonl", "unfinished.jsonl")
FAULTS = ("full disk", "read-only folder")


@dataclass(slots=True)
class Faults:
    """Faults of a command that it met, and what was wrong with what it did."""

    met: int = 0
    wrong: list[str] = field(default_factory=list)


def faulty(name: str, fault: str) -> Faults:
    """Run a command with a fault, and again without."""
    writing, found = WRITINGS[name], Faults()
    with tempfile.TemporaryDirectory(prefix="torture-") as home:
        after = ended(writing, Path(home, "whole"))
        with _mounted(Path(home, "disk")) as disk:
            folder = disk / "work"
            before = started(writing, folder)
            with _full(disk) if fault == "full disk" else _read_only(disk):
                code, said = _outcome(writing, folder)
            found.met += code not in (0, 1)
            found.wrong += _mistakes(code, said, before, after, state(folder))
            if ended(writing, folder, fresh=False) != after:
                found.wrong.append("the next call differs")
    return found


def _mistakes(
    code: int, said: str, before: dict[str, bytes], after: dict[str, bytes], now: dict[str, bytes]
) -> Iterator[str]:
    if "Traceback" in said or "F099" in said or (code == 2 and not said.strip()):
        yield f"no sentence: {said[-200:]!r}"
    for name in {*before} - {*now}:
        yield f"{name} is gone"
    for name, content in now.items():
        base = name.rpartition("/")[2]
        if base.startswith(".evalmark-"):
            yield f"{name} is left over"
        elif content not in (before.get(name), after.get(name)) and base not in _GROWING:
            is_listing = base == "run.json"
            if not (is_listing and LISTED.sub(b"", content) == LISTED.sub(b"", after[name])):
                yield f"{name} is torn"


def _outcome(writing: Writing, folder: Path) -> tuple[int, str]:
    with process_of(writing, folder, subprocess.PIPE) as process:
        said = process.communicate(timeout=300)[1]
        return process.returncode, said.decode("utf-8", "replace")


@contextmanager
def _mounted(place: Path) -> Iterator[Path]:
    place.mkdir()
    options = ["-t", "tmpfs", "-o", f"size={_SIZE}k", "none", str(place)]
    subprocess.run(["mount", *options], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


@contextmanager
def _full(disk: Path) -> Iterator[None]:
    filler = disk / _FILLER
    try:
        with filler.open("wb", buffering=0) as file:
            while file.write(b"\0" * 4096):
                pass
    except OSError:
        pass
    try:
        yield
    finally:
        filler.unlink()


@contextmanager
def _read_only(disk: Path) -> Iterator[None]:
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    try:
        yield
    finally:
        subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
