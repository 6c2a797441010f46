"""``evalmark check --watch``: check again whenever a file changes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from time import monotonic, sleep
from typing import NamedTuple, NoReturn

from evalmark.cli.checking import CheckCall
from evalmark.schemas.errors import ConfigError, EvalmarkError, UsageError
from evalmark.validator.batch.walking import expand
from evalmark.validator.config import find_settings
from evalmark.validator.io.terminal import complain, say

#: Seconds between two looks at the files, and how many times as long as a look a pause is at least.
PAUSE, PATIENCE = 0.5, 10
#: Clears a terminal, and what can be scrolled back to.
_CLEAR = "\x1b[H\x1b[2J\x1b[3J"


class _State(NamedTuple):
    """What a check depends on: time and size of each file, and the settings with their path."""

    files: dict[str, tuple[int, int] | None]
    settings: tuple[bytes, str] | None


def watch(call: CheckCall, check: Callable[[], int]) -> NoReturn:
    """Check now, and again whenever a file or the settings change; only Ctrl-C ends this.

    All files are checked each time: names and ids must differ between files, and a record is
    checked with its samples.

    Args:
        call: The call; its paths are watched.
        check: Makes one check.

    Raises:
        KeyboardInterrupt: The user ends it.
        UsageError: An option cannot be used with ``--watch``, or the first check refuses one.
    """
    _require_sense(call)
    state = _state(call.paths)
    check()
    while True:
        count = len(state.files)
        say(f"Watching {count} file{'s'[: count != 1]}; Ctrl-C ends this.")
        sys.stdout.flush()
        old, state = state, _next_state(call.paths, state)
        if sys.stdout.isatty():
            sys.stdout.write(_CLEAR)
        say(f"Changed: {', '.join(_changes(old, state))}")
        try:
            check()
        except EvalmarkError as error:  # settings that are being edited
            complain(str(error))


def _require_sense(call: CheckCall) -> None:
    """Refuse what is for one check: standard input, changes of files, reports for programs."""
    for name, value in (
        ("standard input", call.reads_stdin),
        ("--fix", call.fix),
        ("--diff", call.diff),
        ("--out", call.outputs),
        (f"--format {call.output_format}", call.is_for_programs),
    ):
        if value:
            raise UsageError(f"--watch and {name} exclude each other")


def _next_state(paths: Iterable[str], state: _State) -> _State:
    """Wait for a state that differs; in large folders pauses are longer."""
    pause = PAUSE
    while True:
        sleep(pause)
        start = monotonic()
        if (new := _state(paths)) != state:
            return new
        pause = max(PAUSE, PATIENCE * (monotonic() - start))


def _state(paths: Iterable[str]) -> _State:
    settings = None
    with suppress(ConfigError):  # the check says so
        settings = find_settings(os.curdir)
    return _State({path: _stamp(path) for path, _ in expand(paths)}, settings)


def _stamp(path: str) -> tuple[int, int] | None:
    """Time and size of a file; None if there is none."""
    try:
        stat = os.stat(path)
    except OSError:
        return None
    return stat.st_mtime_ns, stat.st_size


def _changes(old: _State, new: _State) -> list[str]:
    """The first changed files, and how many more there are."""
    paths = sorted(
        path for path in old.files | new.files if old.files.get(path) != new.files.get(path)
    )
    if old.settings != new.settings:
        paths.insert(0, "settings")
    return paths if len(paths) <= 3 else [*paths[:3], f"{len(paths) - 3} more"]
