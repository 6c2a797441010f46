"""The files that a command could not use, and what ``check`` finds in them."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from typing import Any

from evalmark.schemas.errors import UndefinedValue
from evalmark.validator.findings.finding import Finding
from evalmark.validator.findings.unusable import Unused
from evalmark.validator.io.terminal import CLEAN, COULD_NOT_RUN, FOUND, report_error
from evalmark.validator.outputs.rendering import REPORTS
from evalmark.validator.outputs.report_texts import (
    Look,
    colored,
    output_format_for,
    sources,
    summarize,
)


class UnusedFiles:
    """The files that a command could not use, while it used the others."""

    def __init__(self, done: str, hints: Mapping[str, str]) -> None:
        self.done = done  # what the command does with files: ``scored``, ``run``
        self.hints = hints  # argument of the library -> what the user can do about it
        # each file, with the model that could not use it if others could
        self.files: list[tuple[Unused, str]] = []

    def add(self, name: str, error: Exception, model: str = "") -> None:
        """Note a file, and show what ``check`` finds in it."""
        self.files.append((Unused(name, error), model))
        say_findings(getattr(error, "findings", ()))

    def say(self) -> int:
        """Name each with its reason; the exit code."""
        code = CLEAN
        for unused, model in self.files:
            done = f"{self.done} with {model}" if model else self.done
            reason = f"{unused.reason}{hint_of(unused.error, self.hints)}"
            report_error(f"not {done}: {unused.name}: {reason}")
            refused = isinstance(unused.error, UndefinedValue)
            code = max(code, FOUND if refused else COULD_NOT_RUN)
        return code

    def data(self) -> list[dict[str, Any]]:
        """The same as JSON; model is null if no model could use the file."""
        return [
            {"name": unused.name, "model": model or None, "reason": unused.reason}
            for unused, model in self.files
        ]


def hint_of(error: Exception, hints: Mapping[str, str]) -> str:
    """A hint at the option that avoids an error, or an empty text."""
    hint = hints.get(getattr(error, "argument", ""))
    return f"; {hint}" if hint else ""


def say_findings(findings: Sequence[Finding]) -> None:
    """Write findings to stderr as ``check`` shows them."""
    if findings:
        look = Look(summarize(0, findings), sources(findings), colour=colored(sys.stderr))
        sys.stderr.write(REPORTS[output_format_for("auto", sys.stderr)](findings, look))
