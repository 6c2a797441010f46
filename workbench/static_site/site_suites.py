"""The suites of a folder, and its recorded runs, as a site has them.

They are data: files that the page lists, and results as it shows them. Settings of the folder,
which can name code, stay behind.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import EvalmarkError, UsageError
from evalmark.scoring.runs.run_files import any_scores_of
from evalmark.scoring.suites.suite_loading import load_suite
from evalmark.validator.io.escaping import json_text
from evalmark.workbench.file_opening import read_served
from evalmark.workbench.folder_listing import Browser
from evalmark.workbench.runs.run_results import result
from evalmark.workbench.served_folder import ServedFolder
from evalmark.workbench.static_site.archives import zip_of
from evalmark.workbench.static_site.in_browser import FILES, RECORDED


@dataclass(frozen=True, slots=True)
class SiteSuites:
    """The files of a folder that a site publishes.

    Attributes:
        archive: Its files below ``files/``, and ``recorded.json``.
        files: How many suites, minimal pairs and records.
        runs: How many runs.
        problems: What cannot be used, and why: a line each.
    """

    archive: bytes
    files: int
    runs: int
    problems: tuple[str, ...]


def suites_of(root: Path) -> SiteSuites:
    """The suites of a folder, with its runs.

    Raises:
        UsageError: It is no folder, or nothing in it can be shown.
        RequestRefused: A file cannot be read, or a run is damaged.
    """
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder")
    folder = ServedFolder(root)
    listed = Browser(folder).listing(patience=0)
    names = [entry["path"] for entry in (*listed["files"], *listed["records"])]
    if not names and not listed["runs"]:
        raise UsageError(f"{root} has no suite, and nothing else that the page shows")
    runs = {run["path"]: result(folder, run["path"]) for run in listed["runs"]}
    files = {f"{FILES}/{name}": read_served(folder, name) for name in names}
    recorded = {
        "runs": listed["runs"],
        "results": runs,
        "recorded": _results_of(folder, listed["files"], listed["runs"]),
    }
    problems = tuple(f"{entry['path']}: {entry['message']}" for entry in listed["problems"])
    archive = zip_of({**files, RECORDED: json_text(recorded).encode()})
    return SiteSuites(archive, len(names), len(runs), problems)


def _results_of(
    folder: ServedFolder, files: Sequence[dict[str, Any]], runs: Sequence[dict[str, Any]]
) -> dict[str, list[dict[str, str]]]:
    """Suite -> the runs that have a result of it, as it is: `run`, `model`, `suite` there."""
    results: dict[str, list[dict[str, str]]] = {}
    digest_of = cache(partial(_digest, folder))
    for run in runs:
        join = str(any_scores_of(folder.whole(run["path"]))["settings"].get("join", "core"))
        for file, score in product(files, run["scores"]):
            digest = digest_of(file["path"], join)
            if digest is not None and score["digest"] == digest:
                found = {"run": run["path"], "model": run["model"], "suite": score["name"]}
                results.setdefault(file["path"], []).append(found)
    return results


def _digest(folder: ServedFolder, path: str, join: str) -> str | None:
    """The digest of a suite whose regions are joined so; None for what cannot be scored."""
    with suppress(EvalmarkError):
        return load_suite(str(folder.path(path)), join=join).digest
    return None
