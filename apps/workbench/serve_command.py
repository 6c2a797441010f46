"""``evalmark serve``: a page for suites, served or static."""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from evalmark.schemas.errors import ConfigError, UsageError, require
from evalmark.validator.io.terminal import print_note, write_stdout
from evalmark.validator.options.declaration import (
    Argument,
    command,
    file_option,
    refuse_dash,
    run_option,
)
from evalmark.validator.settings.config import load_config
from evalmark.workbench.static_site.pyodide_package import TESTED


@dataclass(frozen=True, kw_only=True)
class ServeOptions:
    """The options of ``evalmark serve``."""

    folder: Annotated[
        str | None,
        Argument(metavar="[FOLDER]", help="Folder of the suites; default: the current one."),
    ] = None
    port: Annotated[
        int | None,
        run_option(
            "--port",
            metavar="PORT",
            min=1,
            help="Port to listen on; default: the first free one from 8765.",
        ),
    ] = None
    no_browser: Annotated[
        bool, run_option("--no-browser", help="Print the address and open no browser.")
    ] = False
    static: Annotated[
        Path | None,
        file_option(
            "--static",
            metavar="FOLDER",
            callback=refuse_dash,
            help="Write the page there as files, for any web server.",
        ),
    ] = None
    pyodide: Annotated[
        Path | None,
        file_option(
            "--pyodide",
            metavar="FOLDER",
            help="Folder of the npm package pyodide; default: node_modules/pyodide.",
        ),
    ] = None


@command(
    ServeOptions,
    "evalmark serve",
    "evalmark serve suites/ --port 8080 --no-browser",
    f"npm install pyodide@{TESTED} && evalmark serve suites/ --static public/",
    exit_code="0 stopped with Ctrl-C, 2 something failed",
)
def serve(options: ServeOptions) -> None:
    """Open a page in the browser where suites are written, checked and scored.

    Suites are tables: a sentence is a row, a region is a column. Files are read and written below
    FOLDER only, and a file that has changed on disk is never replaced without asking.

    The page is for this machine: the server listens on 127.0.0.1 and answers only to the address
    that it prints.

    With --static, the page is written as files, with evalmark itself running in the browser (by
    Pyodide, which `npm install pyodide` brings). It checks, fixes and converts, but runs no models;
    the browser sends files nowhere. It lists the suites, minimal pairs, records and runs of FOLDER,
    if one is named; other files in it, such as settings, are not published. A second run replaces
    its files and keeps others.
    """
    static, port = options.static, options.port
    if static is not None:
        if port is not None or options.no_browser:
            raise UsageError("--static starts no server: leave out --port and --no-browser")
        return _write_site(static, options.folder, options.pyodide)
    if options.pyodide is not None:
        raise UsageError("--pyodide is for the page that --static writes")
    folder = "." if options.folder is None else options.folder
    require("starlette", "uvicorn")
    if not Path(folder).is_dir():
        raise UsageError(f"{folder} is not a folder")
    from evalmark.workbench.server import serve as serve_folder  # loads starlette

    with suppress(ConfigError):  # the page says what is wrong with them
        for refused in load_config(folder).refused:
            print_note(f"note: {refused.line}")

    def started(address: str) -> None:
        write_stdout(f"{address}\n")  # with its token, which `print_line` would leave out
        sys.stdout.flush()  # also to a pipe: nothing follows for hours
        print_note(f"serving {folder}; Ctrl-C stops")
        if not options.no_browser:
            import webbrowser

            webbrowser.open_new_tab(address)

    try:
        serve_folder(folder, port, started)
    except KeyboardInterrupt:
        print_note("stopped")


def _write_site(out: Path, suites: str | None, pyodide: Path | None) -> None:
    from evalmark.workbench.static_site.site_build import build
    from evalmark.workbench.static_site.site_suites import suites_of

    site_suites = suites_of(Path(suites)) if suites else None
    for problem in site_suites.problems if site_suites else ():
        print_note(f"note: not on the page: {problem}")
    built = build(out, pyodide, site_suites.archive if site_suites else None)
    if built.pyodide != TESTED:
        print_note(f"note: Pyodide {built.pyodide} is used; the page was tested with {TESTED}")
    print_note(
        f"wrote {out / 'index.html'} and {built.files - 1} more files, {built.size / 1e6:.1f} MB"
    )
    if site_suites:
        print_note(f"listed from {suites}: files {site_suites.files}, runs {site_suites.runs}")
