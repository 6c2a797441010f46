"""A child process that is asked in lines of JSON, and answers in lines of JSON."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

#: Lines of an answer begin with this; other lines are printed by libraries.
MARK = "evalmark:"


class Child:
    """A module of ours that runs as a process of its own, in the folder that is served.

    It ends when this process does: the pipe to it is closed then, which ``watched`` notices.
    """

    def __init__(self, module: str, folder: Path) -> None:
        # -P: no module of the folder takes the place of one of Python.
        self._process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-P", "-m", module],
            cwd=folder,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            errors="replace",
        )

    def ask(self, question: dict[str, Any]) -> None:
        """Send a line; nothing happens if the process has ended."""
        assert self._process.stdin
        with suppress(OSError):
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()

    def answers(self) -> Iterator[dict[str, Any]]:
        """The lines of the process until it ends."""
        assert self._process.stdout
        for line in self._process.stdout:
            if line.startswith(MARK):
                yield json.loads(line.removeprefix(MARK))

    def answer(self) -> dict[str, Any] | None:
        """The next line; None if the process has ended."""
        return next(self.answers(), None)

    def stop(self) -> None:
        """Let the process end as it does after SIGTERM: with its files whole."""
        with suppress(OSError):
            self._process.terminate()

    def end(self) -> int:
        """Wait for the end of the process, which is forced after a while; its exit code."""
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                assert pipe
                pipe.close()
        try:
            return self._process.wait(timeout=10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            return self._process.wait()

    @property
    def runs(self) -> bool:
        """True if it has not ended."""
        return self._process.poll() is None


def exit_sentence(code: int) -> str:
    """A sentence on a process that ended too early."""
    if code < 0:
        return f"the process was ended by signal {-code}; memory may have been short"
    return f"the process ended with exit code {code}"


def questions() -> Iterator[dict[str, Any]]:
    """In a child: the lines that it is asked."""
    for line in sys.stdin:
        yield json.loads(line)


def tell_parent(answer: dict[str, Any]) -> None:
    """In a child: send a line."""
    sys.stdout.write(f"{MARK}{json.dumps(answer)}\n")
    sys.stdout.flush()


def end_with_parent() -> None:
    """In a child: end when the parent does. The parent sends no further line."""

    def watch() -> None:
        # Not by sys.stdin: a process that is forked meanwhile would wait for its lock for ever.
        while os.read(0, 1 << 12):
            pass
        os.kill(os.getpid(), signal.SIGTERM)

    Thread(target=watch, daemon=True).start()
