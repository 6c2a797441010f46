"""``evalmark serve``."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Annotated

from evalmark.cli.typed import option
from evalmark.schemas.errors import ConfigError, UsageError
from evalmark.schemas.extras import require
from evalmark.validator.config import load_config
from evalmark.validator.edge.lines import say, tell

EPILOG = """
Examples:
  evalmark serve
  evalmark serve suites/ --port 8080 --no-browser

Exit code: 0 stopped with Ctrl-C, 2 something failed.
"""


def command(
    folder: Annotated[str, option("serve_folder")] = ".",
    port: Annotated[int | None, option("serve_port")] = None,
    no_browser: Annotated[bool, option("no_browser")] = False,
) -> None:
    """Open a page in the browser where suites are written, checked and scored.

    Suites are tables: a sentence is a row, a region is a column. Files are read and written below
    FOLDER only, and a file that has changed on disk is never replaced unasked.

    The page is for this machine: the server listens on 127.0.0.1 and answers only to the address
    that it prints.
    """
    require("starlette", "uvicorn")
    if not os.path.isdir(folder):
        raise UsageError(f"{folder} is not a folder")
    from evalmark.workbench.server import serve  # loads starlette

    with suppress(ConfigError):  # the page says what is wrong with them
        for refused in load_config(folder).refused:
            say(f"note: {refused.line}")

    def started(address: str) -> None:
        tell(address)
        sys.stdout.flush()  # also to a pipe: nothing follows for hours
        say(f"serving {folder}; Ctrl-C stops")
        if not no_browser:
            import webbrowser

            webbrowser.open_new_tab(address)

    try:
        serve(folder, port, started)
    except KeyboardInterrupt:
        say("stopped")
