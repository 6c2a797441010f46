"""``evalmark site``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from evalmark.cli.typed import option
from evalmark.validator.edge.lines import CLEAN, say
from evalmark.workbench.static_site.pyodide_package import TESTED

EPILOG = f"""
Examples:
  npm install pyodide@{TESTED}
  evalmark site -o public/
  evalmark site -o public/ --pyodide /path/to/node_modules/pyodide
  python3 -m http.server --directory public/

Exit code: 0 done, 2 something failed.
"""


def command(
    out: Annotated[Path, option("page_out")],
    pyodide: Annotated[Path | None, option("pyodide")] = None,
) -> None:
    """Write the page of `evalmark serve` as static files, for people who install nothing.

    Suites and records are checked, fixed and converted by evalmark itself, in Python that runs in
    the browser (Pyodide). Files never leave the browser: they are opened from the disk, kept in the
    browser, and downloaded. Models and stores need `evalmark serve`.

    Any web server can deliver the folder. The page loads nothing from other hosts. Pyodide is not a
    part of evalmark: install it with npm. Files of an earlier page in the folder are replaced;
    other files stay.
    """
    from evalmark.workbench.static_site.build import build

    built = build(out, pyodide)
    if built.pyodide != TESTED:
        say(f"note: Pyodide {built.pyodide} is used; the page was tested with {TESTED}")
    say(f"wrote {out / 'index.html'} and {built.files - 1} more files, {built.size / 1e6:.1f} MB")
    raise typer.Exit(CLEAN)
