"""Reports that ``evalmark check --output`` writes to files, and where paths are on the web."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from evalmark.schemas.errors import UnknownNameError, UsageError
from evalmark.validator.edge.writing import sweep, write_atomically
from evalmark.validator.findings.finding import Finding
from evalmark.validator.outputs.look import Look
from evalmark.validator.outputs.registry import REPORTS, render
from evalmark.validator.outputs.uri import uri


def parsed_outputs(given: Sequence[str], checked: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Format and file of each report that is wanted.

    Raises:
        UnknownNameError: There is no such format.
        UsageError: A file is missing, is named twice, or is one that is checked.
    """
    outputs: list[tuple[str, str]] = []
    for text in given:
        form, equals, path = text.partition("=")
        if not equals or not path or path == "-":
            raise UsageError(
                f"--output needs FORMAT=FILE, for example sarif=evalmark.sarif; got {text!r}"
            )
        if form not in REPORTS:
            raise UnknownNameError("output format", form, tuple(REPORTS))
        real = os.path.realpath(path)
        if real in map(os.path.realpath, (other for _, other in outputs)):
            raise UsageError(f"two --output write to {path}")
        if real in map(os.path.realpath, checked):
            raise UsageError(f"--output {text} would replace a file that is checked")
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


def web_folder(environment: Mapping[str, str]) -> str:
    """Where GitHub shows the files of the current folder, if a workflow says so; else empty."""
    server = environment.get("GITHUB_SERVER_URL", "")
    repository = environment.get("GITHUB_REPOSITORY", "")
    commit = environment.get("GITHUB_SHA", "")
    workspace = environment.get("GITHUB_WORKSPACE", "")
    if not (
        re.fullmatch(r"https?://[\w.:-]+", server, re.ASCII)
        and re.fullmatch(r"[\w.-]+/[\w.-]+", repository, re.ASCII)
        and re.fullmatch(r"[0-9a-f]{40,64}", commit)
    ):
        return ""
    base = f"{server}/{repository}/blob/{commit}/"
    here = os.path.realpath(os.curdir)
    below = os.path.relpath(here, os.path.realpath(workspace)) if workspace else os.curdir
    if below == os.curdir:
        return base
    return "" if below.startswith(os.pardir) else f"{base}{uri(below)}/"
