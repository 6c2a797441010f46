"""Reports that are written to files."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace

from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.validator.edge.writing import sweep, write_atomically
from evalmark.validator.findings.finding import Finding
from evalmark.validator.outputs.look import Look
from evalmark.validator.outputs.registry import REPORTS, render


def parsed_outputs(given: Sequence[str], checked: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Format and file of each report that is wanted.

    Args:
        given: ``FORMAT=FILE``.
        checked: Files that must not be replaced.

    Raises:
        UnknownNameError: There is no such format.
        UsageError: A file is missing, is named twice, or is one that is checked.
    """
    outputs: list[tuple[str, str]] = []
    for text in given:
        form, equals, path = text.partition("=")
        if not equals or not path or path == "-":
            raise UsageError(
                f"an output needs FORMAT=FILE, such as sarif=evalmark.sarif; got {text!r}"
            )
        if form not in REPORTS:
            raise UnknownNameError("output format", form, tuple(REPORTS))
        real = os.path.realpath(path)
        if real in map(os.path.realpath, (other for _, other in outputs)):
            raise UsageError(f"two outputs would be written to {path}")
        if real in map(os.path.realpath, checked):
            raise UsageError(f"the output {text} would replace a file that is checked")
        outputs.append((form, path))
    return tuple(outputs)


def write_outputs(
    outputs: Sequence[tuple[str, str]], findings: Sequence[Finding], look: Look
) -> list[tuple[str, str]]:
    """Write each report to its file; path and reason of those that cannot be written."""
    plain, not_written = replace(look, colour=False), []
    for form, path in outputs:
        text = render(form, findings, plain)
        sweep(path)  # temporary files of an interrupted run
        try:
            write_atomically(path, text.encode("utf-8", "backslashreplace"))
        except OSError as error:
            not_written.append((path, (error.strerror or str(error)).lower()))
    return not_written
