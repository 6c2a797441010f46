"""Calls of the commands in this process: starting Python takes longer than most calls."""

from __future__ import annotations

import faulthandler
import io
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
FIXTURES = ROOT / "fixtures"

#: What Python prints for an error that nobody caught, and what we print for a bug of ours.
TRACEBACKS = (b"Traceback (most recent call last)", b"Exception ignored")
INTERNAL = b"internal error: "
#: Bytes of memory that a process may use, so that a mistake does not take the machine with it.
MEMORY = 6 << 30


@dataclass(frozen=True, slots=True)
class Call:
    """A command, and what it is given."""

    words: tuple[str, ...]
    program: str = "evalmark"
    stdin: bytes = b""
    cwd: str = ""
    seconds: int = 60

    @property
    def shown(self) -> str:
        return " ".join((self.program, *self.words))


@dataclass(frozen=True, slots=True)
class Ended:
    """How a call ended."""

    call: Call
    code: int  # negative for a signal
    out: bytes
    err: bytes
    seconds: float
    hung: bool = False

    @property
    def traceback(self) -> bool:
        return any(mark in self.err or mark in self.out for mark in TRACEBACKS) or self.code < 0

    @property
    def internal(self) -> bool:
        """Whether a net caught a bug: better than a traceback, but a bug."""
        return INTERNAL in self.err or INTERNAL in self.out


class _TooLongError(BaseException):
    """The time of a call is over."""


def prepare() -> None:
    """Make this process one that does calls: commands imported, limits set."""
    main = import_module("evalmark.cli.main")
    for name in main.commands():
        main.load(name)
    for name in ("hook", "check_output", "conversion"):
        import_module(f"evalmark.cli.{name}")
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, resource.RLIM_INFINITY))  # torch needs more


def call(wanted: Call) -> Ended:
    """Run a command as Python would, and wait for it no longer than it may take."""
    out, err, code, hung = _Stream(), _Stream(), 0, False
    began = time.monotonic()
    with _as_a_process(wanted, out, err):
        try:
            module = "hook" if wanted.program == "evalmark-hook" else "main"
            code = sys.modules[f"evalmark.cli.{module}"].main(list(wanted.words))
        except SystemExit as stop:
            code = stop.code if isinstance(stop.code, int) else 1
        except _TooLongError:
            code, hung = -signal.SIGALRM, True
        except BaseException:
            traceback.print_exc(file=err)
            code = 1
    return Ended(wanted, code, out.bytes(), err.bytes(), time.monotonic() - began, hung)


class _Stream(io.TextIOWrapper):
    """A text stream over bytes, as stdin and stdout are."""

    def __init__(self, content: bytes = b"") -> None:
        super().__init__(io.BytesIO(content), encoding="utf-8", newline="")

    def bytes(self) -> bytes:
        self.flush()
        buffer: Any = self.buffer
        return bytes(buffer.getvalue())


@contextmanager
def _as_a_process(wanted: Call, out: _Stream, err: _Stream) -> Iterator[None]:
    """Streams, folder, environment and alarm of a call."""
    streams, home, environment = (
        (sys.stdin, sys.stdout, sys.stderr),
        str(Path.cwd()),
        dict(os.environ),
    )
    paths = list(sys.path)

    def ring(*_: Any) -> None:
        raise _TooLongError

    former = signal.signal(signal.SIGALRM, ring)
    signal.alarm(wanted.seconds)
    # Python sees an alarm only between two of its own steps.
    faulthandler.dump_traceback_later(3 * wanted.seconds, exit=True)
    try:
        sys.stdin, sys.stdout, sys.stderr = _Stream(wanted.stdin), out, err
        os.chdir(wanted.cwd or home)
        yield
    finally:
        signal.alarm(0)
        faulthandler.cancel_dump_traceback_later()
        signal.signal(signal.SIGALRM, former)
        sys.stdin, sys.stdout, sys.stderr = streams
        os.chdir(home)
        os.environ.clear()
        os.environ.update(environment)
        sys.path[:] = paths


def command(wanted: Call) -> list[str]:
    """What starts a call in a fresh process."""
    module = "hook" if wanted.program == "evalmark-hook" else "main"
    return [sys.executable, "-m", f"evalmark.cli.{module}", *wanted.words]
