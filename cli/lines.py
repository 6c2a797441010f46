"""The lines that commands print: escaped, and in an encoding that cannot fail."""

from __future__ import annotations

import sys

from evalmark.validator.edge.escaping import no_command, shown, shown_line

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TextIO

COULD_NOT_RUN = 2


def forgiving_streams() -> None:
    """Let standard streams escape what their encoding does not have, instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def say(line: str) -> None:
    """Write a line to stderr."""
    sys.stderr.write(f"{shown_line(line)}\n")


def tell(line: str) -> None:
    """Write a line to stdout."""
    sys.stdout.write(f"{shown_line(line)}\n")


def put(text: str, stream: TextIO | None = None) -> None:
    """Write text for programs to stdout, as it is and always in UTF-8."""
    stream = stream or sys.stdout
    reconfigure = getattr(stream, "reconfigure", None)
    if reconfigure is not None:
        reconfigure(encoding="utf-8", errors="backslashreplace")
    stream.write(text)


def show_lines(text: str) -> None:
    """Write lines of a file to stdout, for people to read."""
    for line in text.split("\n")[:-1]:
        sys.stdout.write(f"{no_command(shown(line, keep=chr(9)))}\n")


def complain(message: str) -> int:
    """Say on stderr why the job could not be done."""
    say(f"evalmark: {message}")
    return COULD_NOT_RUN


def complain_of(error: OSError) -> int:
    """Say on stderr which file could not be read or written, and why."""
    place = f"{error.filename}: " if error.filename else ""
    return complain(f"{place}{error.strerror or error}")
