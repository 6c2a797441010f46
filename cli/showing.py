"""How findings are shown: reports on stdout, a last line on stderr, differences."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from evalmark.cli.checking import MACHINE, read_file, text_of
from evalmark.cli.lines import put, say, show_lines
from evalmark.validator.edge.escaping import shown
from evalmark.validator.outputs.look import Look
from evalmark.validator.outputs.registry import render
from evalmark.validator.outputs.summary import summarize, summary_text
from evalmark.validator.reading.source import RowFile, Source

if TYPE_CHECKING:
    from collections.abc import Callable

    from evalmark.cli.checking import Options, Session
    from evalmark.validator.outputs.summary import Summary


def show(session: Session) -> None:
    """Write the findings of a call, in the form that was asked for."""
    options = session.options
    form = _form(options)
    machine = form in MACHINE
    summary = summarize(session.files, session.findings)
    look = Look(summary, _source_of(session), options.show_all, _coloured(options.colour))
    stream = sys.stderr if options.paths == ["-"] and options.fix else sys.stdout
    if machine and not options.diff:
        put(render(form, session.findings, look), stream)
    elif not machine:
        stream.write(render(form, session.findings, look))
    if not options.quiet and not machine:
        stream.flush()
        _close_line(session, summary)


def _close_line(session: Session, summary: Summary) -> None:
    verb = "Would fix" if session.options.diff else "Fixed"
    if session.fixed:
        files = len(session.changed)
        plural = "s" if session.fixed > 1 else ""
        where = f"{files} file{'s' if files > 1 else ''}"
        say(f"{verb} {session.fixed} finding{plural} in {where}.")
    first = session.findings[0].code if session.findings else ""
    sys.stderr.write(summary_text(summary, first))


def _source_of(session: Session) -> Callable[[str], Source | None]:
    options = session.options
    known: dict[str, Source] = {}

    def source_of(path: str) -> Source | None:
        if path not in known:
            known.clear()  # findings come file by file: one text at a time is enough
            if path.endswith(".jsonl"):
                known[path] = RowFile(path, "rows")
                return known[path]
            raw = session.stdin if path == options.stdin_filename else read_file(path)
            if options.fix and path == options.stdin_filename and session.fixed_stdin:
                raw = session.fixed_stdin.encode("utf-8")
            if raw is None or raw[:2] in (b"\xff\xfe", b"\xfe\xff"):
                return None
            known[path] = Source(path, text_of(raw))
        return known[path]

    return source_of


def print_diff(old: str, new: str, path: str) -> None:
    """Write what would change to stdout: as ``patch`` reads it, or escaped where people read it."""
    from difflib import unified_diff

    name = shown(path)
    lines = unified_diff(_lines(old), _lines(new), f"a/{name}", f"b/{name}")
    no_end = "\n\\ No newline at end of file\n"
    text = "".join(line if line.endswith("\n") else line + no_end for line in lines)
    if sys.stdout.isatty() or os.environ.get("GITHUB_ACTIONS") == "true":
        show_lines(text)
    else:
        put(text)


def _lines(text: str) -> list[str]:
    """Lines with their ends; U+2028 inside a string is no end of a line."""
    lines = [f"{line}\n" for line in text.split("\n")]
    lines[-1] = lines[-1][:-1]
    return lines if lines[-1] else lines[:-1]


def _form(options: Options) -> str:
    if options.format != "auto":
        return options.format
    if os.environ.get("GITHUB_ACTIONS") == "true":
        return "github"
    return "full" if sys.stdout.isatty() else "concise"


def _coloured(choice: str) -> bool:
    if choice != "auto":
        return choice == "always"
    if "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb":
        return False
    return sys.stdout.isatty() or "FORCE_COLOR" in os.environ
