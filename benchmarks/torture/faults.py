"""Commands that write, where the disk or another program gets in their way.

A full disk and a folder that is read-only are a small file system in memory, which needs the right
to mount; a disk that is full amid the work, and a file that another program replaces meanwhile, are
made by the probe. A fault must be an error in a sentence, leave every file as it was or as it
becomes, and leave none over; once it is over, the same command must end as if it had never been.
``python -m benchmarks.torture --only faults``.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.torture.kills import Tried, Whole, differing, state
from benchmarks.torture.probed import Act, Outcome

#: Kilobytes of the file system, of which a full disk has as good as none left.
_SIZE = 8_192
_FILLER = "filler"
#: What another program writes differs behind the first of these.
_NAME = re.compile(rb'("name": "|"evaluation_id": "|colour is |^The )', re.MULTILINE)
MOUNTED = ("full disk", "read-only folder")
FAULTS = (*MOUNTED, "full amid the work", "changed meanwhile")


def faulty(whole: Whole, home: Path, fault: str) -> Tried:
    """Run a command with a fault, and again without."""
    if fault == "changed meanwhile":
        return _changed(whole, home) if whole.writing.changed else Tried()
    with _mounted(home / fault) as disk:
        folder = disk / "work"
        whole.started(folder)
        if fault == "full amid the work":
            outcome = whole.run(folder, Act("full", 2 + (whole.changes - 6) // 2))
        else:
            with _full(disk) if fault == "full disk" else _read_only(disk):
                outcome = whole.run(folder)
        found = Tried(1, int(outcome.code not in (0, 1)))
        found.wrong += [*_without_a_sentence(outcome), *whole.torn(state(folder), most=0)]
        found.wrong += _next(whole, folder, whole.after)
    return found


def _changed(whole: Whole, home: Path) -> Tried:
    """Another program replaces a file amid the work, and its content must not be lost."""
    folder, stranger = home / "changed", home / "stranger"
    whole.started(folder)
    file = folder / whole.writing.changed
    ours = file.read_bytes()
    theirs = _NAME.sub(rb"\1other ", ours, count=1)
    assert theirs != ours
    stranger.write_bytes(theirs)
    at = 2 + whole.changes // 2
    outcome = whole.run(folder, Act("change", at, str(file), str(stranger)))
    found = Tried(1, int(not stranger.exists()))
    found.wrong += _without_a_sentence(outcome)
    found.wrong += [f"{name} is left over" for name in state(folder) if ".evalmark-" in name]
    undisturbed = home / "undisturbed"
    whole.started(undisturbed)
    (undisturbed / whole.writing.changed).write_bytes(theirs)
    whole.run(undisturbed)
    after = state(undisturbed)
    if file.read_bytes() not in (theirs, (undisturbed / whole.writing.changed).read_bytes()):
        found.wrong.append(f"{whole.writing.changed}: what another program wrote is lost")
    if whole.writing.words[0] == "memory":
        # A conversation is not resumed with other tests: a sentence, and nothing is written.
        kept = state(folder)
        refused = whole.run(folder)
        if refused.code != 2 or "have changed" not in refused.said or state(folder) != kept:
            found.wrong.append(f"a run of other tests is resumed: {refused}")
        file.write_bytes(ours)
        after = whole.after
    found.wrong += _next(whole, folder, after)
    return found


def _next(whole: Whole, folder: Path, after: dict[str, bytes]) -> list[str]:
    again = whole.run(folder)
    different = differing(state(folder), after)
    return [f"the next call differs: {different[:3]} ({again.said[-200:]!r})"] if different else []


def _without_a_sentence(outcome: Outcome) -> Iterator[str]:
    said = outcome.said
    if (
        outcome.code < 0
        or "Traceback" in said
        or "F099" in said
        or (outcome.code == 2 and not said)
    ):
        yield f"no sentence: {outcome.code}, {said[-200:]!r}"


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
