"""Runs calls of a group in one process; started by the Python of either installation.

``PYTHON worker.py PLAN``, in the folder of a side. Nothing but evalmark and the standard library
is imported, since the installation may be an older one. The products of a call lie in its folder:
what it printed, its exit code, and the files that it wrote.
"""

from __future__ import annotations

import contextlib
import inspect
import json
import os
import re
import shutil
import signal
import sys
import traceback
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

SECONDS = 300  # for one call
FACES = ("", ".converters", ".scoring", ".memory", ".leaderboard")
#: What a face was called in an earlier edition.
EARLIER = {".memory": ".conversations"}


class TooLongError(BaseException):
    """The time of a call is over."""


def ring(*_: object) -> None:
    raise TooLongError


def names(_: list[str]) -> int:
    """Prints the public names, and the parameters of what can be called."""
    for face in FACES:
        place = face if find_spec(f"evalmark{face}") else EARLIER[face]
        module = import_module(f"evalmark{place}")
        for name in module.__all__:
            try:
                parameters = [*inspect.signature(getattr(module, name)).parameters.values()]
            except (TypeError, ValueError):
                parameters = []
            shown = " ".join(f"{p.name}:{p.kind.name}:{ordered(p.default)}" for p in parameters)
            print(f"evalmark{face}", name, re.sub(" at 0x[0-9a-f]+", "", shown))
    return 0


def ordered(value: object) -> object:
    """A default whose sets are shown in one order."""
    if isinstance(value, frozenset):
        return sorted(value, key=str)
    return tuple(map(ordered, value)) if isinstance(value, tuple) else value


def run(call: dict[str, Any], out: Path) -> None:
    """Run a call, with its streams in files."""
    if call["program"] == "names":
        command = names
    else:
        command = import_module(f"evalmark.cli.{call['program']}").main
    code: object
    signal.alarm(SECONDS)
    try:
        code = command(call["arguments"])
    except SystemExit as stop:
        code = stop.code
    except TooLongError:
        code = f"stopped after {SECONDS} s"
    except BaseException:
        traceback.print_exc()
        code = "traceback"
    finally:
        signal.alarm(0)
    (out / "exit code").write_text(f"{code}\n")


def apart(call: dict[str, Any]) -> None:
    """Run a call with the streams of this process redirected to files in its folder."""
    out = Path(call["out"])
    out.mkdir(parents=True)
    for copy in call["copies"]:
        shutil.copytree(copy, out / Path(copy).name)
    streams = [os.dup(1), os.dup(2)]
    for number, name in ((1, "stdout"), (2, "stderr")):
        to = os.open(out / name, os.O_CREAT | os.O_WRONLY | os.O_APPEND)
        os.dup2(to, number)
        os.close(to)
    try:
        run(call, out)
    finally:
        for number, stream in ((1, sys.stdout), (2, sys.stderr)):
            with contextlib.suppress(ValueError):
                stream.flush()
            os.dup2(streams[number - 1], number)
            os.close(streams[number - 1])


def main(plan: str) -> None:
    signal.signal(signal.SIGALRM, ring)
    for call in json.loads(Path(plan).read_text()):
        apart(call)


if __name__ == "__main__":
    main(sys.argv[1])
