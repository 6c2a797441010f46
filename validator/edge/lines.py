"""The lines that commands print: escaped, and in an encoding that cannot fail."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import StringIO, TextIOWrapper
from typing import TextIO

from evalmark.schemas.errors import EvalmarkError
from evalmark.validator.edge.escaping import no_command, shown, shown_line

#: Exit codes.
CLEAN, FOUND, COULD_NOT_RUN, INTERRUPTED = 0, 1, 2, 130


def forgiving_streams() -> None:
    """Let standard streams escape what their encoding does not have, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def say(line: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(f"{shown_line(line)}\n")


def tell(line: str) -> None:
    """Write a line to stdout."""
    sys.stdout.write(f"{shown_line(line)}\n")


def put(text: str, stream: TextIO | None = None) -> None:
    """Write text for programs to stdout, as it is and always in UTF-8."""
    stream = stream or sys.stdout
    if isinstance(stream, TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    stream.write(text)


def show_lines(text: str) -> None:
    """Write lines of a file to stdout, for people to read."""
    for line in text.split("\n")[:-1]:
        sys.stdout.write(f"{no_command(shown(line, keep=chr(9)))}\n")


def print_diff(old: str, new: str, path: str) -> None:
    """Write what would change to stdout: for ``patch``, or escaped where people read it."""
    from difflib import unified_diff

    name = shown(path).lstrip("/")  # as git does: a/ and b/ stand before relative paths
    lines = unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}")
    no_end = "\n\\ No newline at end of file\n"
    text = "".join(line if line.endswith("\n") else line + no_end for line in lines)
    if sys.stdout.isatty() or os.environ.get("GITHUB_ACTIONS") == "true":
        show_lines(text)
    else:
        put(text)


def _lines(text: str) -> list[str]:
    """Lines with their ends; U+2028 inside a string does not end a line."""
    return list(StringIO(text, newline="\n"))


def complain(message: str) -> int:
    """Write to stderr why a command could not run; its exit code."""
    say(f"evalmark: {message}")
    return COULD_NOT_RUN


def complain_of(error: OSError) -> int:
    """Write to stderr which file could not be read or written; the exit code."""
    place = f"{error.filename}: " if error.filename else ""
    return complain(f"{place}{error.strerror or error}")


def guarded(work: Callable[[], int]) -> int:
    """Run a command; its exit code, whatever happens to it."""
    try:
        code = work()
        sys.stdout.flush()
    except BrokenPipeError:
        # The reader of the output is gone, as with `head`. The rest of the output is dropped.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FOUND
    except KeyboardInterrupt:
        return INTERRUPTED
    except EvalmarkError as error:
        return complain(str(error))
    except OSError as error:
        return complain_of(error)
    return code
