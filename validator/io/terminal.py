"""The lines that commands print: escaped, and in an encoding that cannot fail.

``print_line`` writes the answer of a command to stdout; ``print_note`` writes to stderr what else
people should know; ``write_stdout`` writes what programs read, as it is.

How far long work is goes to stderr: a bar on a terminal, elsewhere a line every half minute.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from errno import EBADF
from io import BufferedReader, BufferedWriter, RawIOBase, StringIO, TextIOWrapper
from typing import Any, TextIO

from evalmark.schemas.errors import PLEASE_REPORT, EvalmarkError, failure
from evalmark.validator.io.escaping import json_text, no_command, shown, shown_line
from evalmark.validator.io.redaction import redacted

#: Exit codes.
CLEAN, FOUND, COULD_NOT_RUN, INTERRUPTED = 0, 1, 2, 130


class _Closed(RawIOBase):
    """A standard stream that was closed before Python started: using it is an error like others."""

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return True

    def readinto(self, _: object) -> int:
        raise OSError(EBADF, os.strerror(EBADF), "standard input")

    def write(self, _: object) -> int:
        raise OSError(EBADF, os.strerror(EBADF), "standard output")


def forgiving_streams() -> None:
    """Let standard streams escape what their encoding does not have, instead of failing."""
    # Python has None for a stream that is closed.
    sys.stdin = sys.stdin or TextIOWrapper(BufferedReader(_Closed()))
    sys.stdout = sys.stdout or TextIOWrapper(BufferedWriter(_Closed()))
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return os.fdopen(os.open(os.devnull, os.O_WRONLY), "w", encoding="utf-8")


def can_ask() -> bool:
    """True if somebody can read a question on stderr and answer it."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def print_note(line: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(f"{shown_line(line)}\n")


def print_line(line: str) -> None:
    """Write a line to stdout."""
    sys.stdout.write(f"{shown_line(line)}\n")


def write_stdout(data: str | Mapping[str, Any], stream: TextIO | None = None) -> None:
    """Write text for programs to stdout, as it is and always in UTF-8.

    An object becomes JSON with its version, 1, as every ``--format json`` writes it.
    """
    stream = stream or sys.stdout
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    stream.write(
        data if isinstance(data, str) else json_text({"version": 1, **data}, indent=2) + "\n"
    )


def write_diff(old: str, new: str, path: str) -> None:
    """Write what would change to stdout: for ``patch``, or escaped where people read it.

    A secret is left out: a patch of its line does not apply.
    """
    from difflib import unified_diff

    name = shown(path).lstrip("/")  # as git does: a/ and b/ stand before relative paths
    lines = unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}")
    no_end = "\n\\ No newline at end of file\n"
    text = redacted("".join(line if line.endswith("\n") else line + no_end for line in lines))
    if sys.stdout.isatty() or os.environ.get("GITHUB_ACTIONS") == "true":
        for line in text.split("\n")[:-1]:
            sys.stdout.write(f"{no_command(shown(line, keep=chr(9)))}\n")
    else:
        write_stdout(text)


def _lines(text: str) -> list[str]:
    return list(StringIO(text, newline="\n"))


def report_error(problem: str | Exception, place: object = "") -> int:
    """Write to stderr why a command could not run, or not use a place; its exit code.

    An error that nobody expects is a bug of ours.
    """
    if isinstance(problem, OSError):
        # All errors of files name them.
        where = f"{problem.filename or 'standard output'}: " if problem.errno else ""
        problem = f"{where}{problem.strerror or problem}"
    elif not isinstance(problem, str | EvalmarkError):
        where = f"{place}: " if place else ""
        problem = f"{where}F099 {failure(problem)}; {PLEASE_REPORT}"
    print_note(f"evalmark: {problem}")
    return COULD_NOT_RUN


def reason_of(skipped: Sequence[tuple[str, str]]) -> str:
    """The reason that there are no files, if a search has skipped some."""
    if not skipped:
        return ""
    path, why = skipped[0]
    return f" (skipped in folders: {len(skipped)}; the first is {path}, {why})"


def guarded(work: Callable[[], int]) -> int:
    """Run a command, and return its exit code even if it fails or its output cannot be written."""
    code = COULD_NOT_RUN
    with suppress(OSError):  # standard error cannot be written either
        code = _run_to_exit_code(work)
    for name in ("stdout", "stderr"):
        try:
            getattr(sys, name).flush()
        except OSError:
            code = code or COULD_NOT_RUN
            # Python would try again at its end.
            setattr(sys, name, _nowhere())
    return code


def _run_to_exit_code(work: Callable[[], int]) -> int:
    """Run a command; its exit code. An error is one line on stderr."""
    try:
        code = work()
        sys.stdout.flush()
    except BrokenPipeError:
        return FOUND  # the reader of the output is gone, as with `head`
    except KeyboardInterrupt:
        return INTERRUPTED
    except Exception as error:  # a bug of ours is one line, and never exit code 1
        return report_error(error)
    return code


#: Seconds before a bar is drawn, and between the lines where there is no terminal.
PATIENCE, PAUSE = 0.5, 30.0


class Counter:
    """Shows a piece of work; call it with what is done, how much there is, and what it is at."""

    def __init__(self, task: str, unit: str, patience: float) -> None:
        self.task, self.unit, self.patience = task, unit, patience
        self.done, self.note = 0, ""
        self.total: int | None = None
        self.started = self.last_line = time.monotonic()
        self.bar: Any = None

    def __call__(self, done: int, total: int | None = None, note: str = "") -> None:
        """Show the state if it is time to."""
        self.done, self.total, self.note = done, total, note
        now = time.monotonic()
        if sys.stderr.isatty():
            if self.bar is not None or now - self.started >= self.patience:
                self._draw(now)
        elif now - self.last_line >= PAUSE and not self._is_nearly_done(now):
            self.last_line = now
            print_note(f"{self.state} ({self._rate(now)})")

    @property
    def is_long(self) -> bool:
        """True if the work takes so long already that how much there is will be shown."""
        patience = PATIENCE if sys.stderr.isatty() else PAUSE
        return time.monotonic() - self.started >= patience

    @property
    def state(self) -> str:
        """For example ``checking: 120 of 4000 files``."""
        total = f" of {self.total}" if self.total is not None else ""
        note = f", {self.note}" if self.note else ""
        return f"{self.task}: {self.done}{total} {self.unit}{note}"

    def _is_nearly_done(self, now: float) -> bool:
        """True if the rest will take less than the time between two lines."""
        if self.total is None:
            return False
        return (self.total - self.done) * (now - self.started) < PAUSE * self.done

    def _rate(self, now: float) -> str:
        rate = self.done / max(now - self.started, 1e-6)
        return f"{rate:.0f}/s" if rate >= 1 else f"{60 * rate:.2g}/min"

    def _draw(self, now: float) -> None:
        if self.bar is None:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self.bar = Progress(
                TextColumn("{task.description}", markup=False),
                BarColumn(),
                TextColumn("{task.fields[rate]}"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self.bar.start()
            self.bar.add_task("", total=None, rate="")
        self.bar.update(
            self.bar.task_ids[0],
            description=shown(self.state),
            completed=self.done,
            total=self.total,
            rate=self._rate(now),
        )

    def stop(self) -> None:
        """Remove the bar."""
        if self.bar is not None:
            self.bar.stop()


@contextmanager
def counting(
    task: str,
    unit: str,
    *,
    enabled: bool = True,
    resumes: bool = False,
    patience: float = PATIENCE,
) -> Iterator[Counter | None]:
    """Show progress while work is done; an interruption says how far it was.

    ``resumes`` says that the same command continues after an interruption; ``patience`` is how many
    seconds pass before a bar is drawn.
    """
    if not enabled:
        yield None
        return
    counter = Counter(task, unit, patience)
    try:
        yield counter
    except KeyboardInterrupt:
        counter.stop()
        again = "; the same command resumes" if resumes else ""
        print_note(f"evalmark: interrupted; {counter.state} done{again}")
        raise
    finally:
        counter.stop()
