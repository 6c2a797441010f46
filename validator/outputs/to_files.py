"""Reports that are written to files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from evalmark.validator.edge.writing import sweep, write_atomically
from evalmark.validator.findings.finding import Finding
from evalmark.validator.outputs.look import Look
from evalmark.validator.outputs.registry import render


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
