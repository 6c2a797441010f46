"""The suites of a folder, and its recorded runs, as a site has them.

They are data: files that the page lists, and the reports of runs. Settings of the folder,
which can name code, stay behind.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from evalmark.schemas.errors import RequestRefused, UsageError
from evalmark.validator.io.escaping import json_text
from evalmark.workbench.file_opening import read_served
from evalmark.workbench.folder_listing import Browser
from evalmark.workbench.runs.run_results import report
from evalmark.workbench.served_folder import ServedFolder
from evalmark.workbench.static_site.archives import zip_of
from evalmark.workbench.static_site.in_browser import FILES, RECORDED


@dataclass(frozen=True, slots=True)
class SiteSuites:
    """The files of a folder that a site publishes."""

    archive: bytes  # its files below ``files/``, and ``recorded.json``
    files: int  # how many suites, minimal pairs and records
    runs: int  # how many runs
    problems: tuple[str, ...]  # what cannot be used, and why: a line each


def suites_of(root: Path) -> SiteSuites:
    """The suites of a folder, with its runs; raises UsageError if nothing in it can be shown."""
    if not root.is_dir():
        raise UsageError(f"{root} is not a folder")
    folder = ServedFolder(root)
    listed = Browser(folder).listing(patience=0)
    names = [entry["path"] for entry in (*listed["files"], *listed["records"])]
    if not names and not listed["runs"]:
        raise UsageError(f"{root} has no suite, and nothing else that the page shows")
    reports, problems = {}, [f"{entry['path']}: {entry['message']}" for entry in listed["problems"]]
    for run in listed["runs"]:
        try:
            reports[run["path"]] = report(folder, [run["path"]])
        except RequestRefused as error:
            problems.append(f"{run['path']}: {error}")
    files = {f"{FILES}/{name}": read_served(folder, name) for name in names}
    runs = [run for run in listed["runs"] if run["path"] in reports]
    recorded = {"runs": runs, "reports": reports}
    archive = zip_of({**files, RECORDED: json_text(recorded).encode()})
    return SiteSuites(archive, len(names), len(reports), tuple(problems))
