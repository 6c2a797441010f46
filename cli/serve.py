"""``evalmark serve`` and ``evalmark site``: a page for suites; ``evalmark lsp``: for editors."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.command import new_app
from evalmark.cli.options import file_option, refuse_dash, run_option
from evalmark.schemas.errors import ConfigError, UsageError, require
from evalmark.validator.io.terminal import CLEAN, put, say
from evalmark.validator.settings.config import load_config
from evalmark.workbench.static_site.pyodide_package import TESTED

app = new_app()


@app.with_examples(
    "evalmark serve",
    "evalmark serve suites/ --port 8080 --no-browser",
    exit_code="0 stopped with Ctrl-C, 2 something failed",
)
def serve(
    folder: Annotated[
        str,
        typer.Argument(
            metavar="[FOLDER]",
            show_default=False,
            help="Folder of the suites; default: the current one.",
        ),
    ] = ".",
    port: Annotated[
        int | None,
        run_option(
            "--port",
            metavar="PORT",
            min=1,
            help="Port to listen on; default: the first free one from 8765.",
        ),
    ] = None,
    no_browser: Annotated[
        bool, run_option("--no-browser", help="Print the address and open no browser.")
    ] = False,
) -> None:
    """Open a page in the browser where suites are written, checked and scored.

    Suites are tables: a sentence is a row, a region is a column. Files are read and written below
    FOLDER only, and a file that has changed on disk is never replaced without asking.

    The page is for this machine: the server listens on 127.0.0.1 and answers only to the address
    that it prints.
    """
    require("starlette", "uvicorn")
    if not os.path.isdir(folder):
        raise UsageError(f"{folder} is not a folder")
    from evalmark.workbench.server import serve as serve_folder  # loads starlette

    with suppress(ConfigError):  # the page says what is wrong with them
        for refused in load_config(folder).refused:
            say(f"note: {refused.line}")

    def started(address: str) -> None:
        put(f"{address}\n")  # with its token, which `tell` would leave out
        sys.stdout.flush()  # also to a pipe: nothing follows for hours
        say(f"serving {folder}; Ctrl-C stops")
        if not no_browser:
            import webbrowser

            webbrowser.open_new_tab(address)

    try:
        serve_folder(folder, port, started)
    except KeyboardInterrupt:
        say("stopped")


@app.with_examples(
    f"npm install pyodide@{TESTED}",
    "evalmark site -o public/",
    "evalmark site -o public/ --pyodide /path/to/node_modules/pyodide",
    "evalmark site -o public/ --suites suites/",
    "python3 -m http.server --directory public/",
)
def site(
    out: Annotated[
        Path,
        file_option(
            "--out", "-o", metavar="FOLDER", callback=refuse_dash, help="Folder of the page."
        ),
    ],
    pyodide: Annotated[
        Path | None,
        file_option(
            "--pyodide",
            metavar="FOLDER",
            help="Folder of the npm package pyodide; default: node_modules/pyodide.",
        ),
    ] = None,
    suites: Annotated[
        Path | None,
        file_option(
            "--suites",
            metavar="FOLDER",
            help="Folder of suites and recorded runs that the page lists.",
        ),
    ] = None,
) -> None:
    """Write a website where people check and edit suites without installing anything.

    It is the page of `evalmark serve`, with evalmark itself running in the browser (by Pyodide,
    which you install with npm). It checks, fixes and converts suites and records, but runs no
    models. The browser sends files nowhere: people open them from the disk and download them. After
    the first visit the page works offline.

    With --suites, the page lists the suites, minimal pairs, records and runs of a folder. Other
    files in it, such as settings, are not published.

    Any web server can deliver the website, which loads nothing from other hosts. A second run
    replaces its files in the folder and keeps others.
    """
    from evalmark.workbench.static_site.site_build import build
    from evalmark.workbench.static_site.site_suites import suites_of

    given = suites_of(suites) if suites else None
    for problem in given.problems if given else ():
        say(f"note: not on the page: {problem}")
    built = build(out, pyodide, given.archive if given else None)
    if built.pyodide != TESTED:
        say(f"note: Pyodide {built.pyodide} is used; the page was tested with {TESTED}")
    say(f"wrote {out / 'index.html'} and {built.files - 1} more files, {built.size / 1e6:.1f} MB")
    if given:
        say(f"listed from {suites}: files {given.files}, runs {given.runs}")
    raise typer.Exit(CLEAN)


@app.with_examples(
    "evalmark lsp",
    "nvim suite.json    # with the configuration in docs/editors.md",
    exit_code="0 the editor ended the session, 2 something failed",
)
def lsp() -> None:
    """Check files while they are written: a language server for editors, on stdin and stdout.

    An editor starts it; docs/editors.md says how for VS Code, Neovim, Helix, Emacs and others. The
    findings, fixes and settings are those of `evalmark check`. Nothing of an open folder is run.
    """
    require("pygls")
    from evalmark.lsp.server import run  # loads pygls

    if sys.stdin.isatty():
        say("waiting for messages of an editor, which starts this command itself; Ctrl-D stops")
    run()
