"""The outputs on docs/mixed-models.md: its code is run, and what it prints follows it.

    python -m scripts.mixed_models            write the outputs into the page

It needs statsmodels, scoring, and R with lme4; without R, the outputs of R stay as they are. A test
runs the same code and compares the outputs.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import warnings
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "mixed-models.md"
#: A block of code, and the output that may follow it.
BLOCK = re.compile(
    r"^```(sh|python|r)\n(.*?)^```\n(?:\n```text\n(.*?)^```\n)?", re.DOTALL | re.MULTILINE
)


class Output(NamedTuple):
    """What a block of the page prints; None if it cannot be run here.

    Attributes:
        language: ``sh``, ``python`` or ``r``.
        shown: What the page shows; None if it shows nothing.
        printed: What was printed.
        span: The characters of the page that show it.
    """

    language: str
    shown: str | None
    printed: str | None
    span: tuple[int, int]


@cache
def has_lme4() -> bool:
    """True if R can be run and has lme4."""
    if shutil.which("Rscript") is None:
        return False
    command = ["Rscript", "-e", "library(lme4)"]
    return subprocess.run(command, capture_output=True, check=False).returncode == 0


def outputs(page: str, folder: Path) -> Iterator[Output]:
    """What each block of the page prints, in order, in a folder.

    Blocks of Python share their names, as in a notebook; so do those of R.

    Raises:
        RuntimeError: A command fails.
    """
    (folder / "fixtures").symlink_to(ROOT / "fixtures")
    names: dict[str, Any] = {}
    earlier = ""
    for match in BLOCK.finditer(page):
        language, code, shown = match.groups()
        printed: str | None = None
        if language == "python":
            printed = _python(code, names)
        elif language == "sh":
            printed = _command(["bash", "-e", "-c", code])
        elif has_lme4():
            silent = f"invisible(capture.output(suppressMessages({{\n{earlier}}})))\n"
            printed = _command(["Rscript", "-e", silent + code])
            earlier += code
        yield Output(language, shown, printed, match.span(3))


def _python(code: str, names: dict[str, Any]) -> str:
    """The output of a block of Python, without warnings: the page explains the one there is."""
    stream = io.StringIO()
    # Recorded: statsmodels has its own filter, which shows warnings that are ignored.
    with warnings.catch_warnings(record=True), contextlib.redirect_stdout(stream):
        warnings.simplefilter("always")
        exec(compile(code, str(PAGE), "exec"), names)
    return stream.getvalue()


def _command(words: list[str]) -> str:
    """The standard output of a command, with the programs of this environment."""
    path = f"{sysconfig.get_path('scripts')}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        words, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise RuntimeError(f"{words[-1]}\n{done.stdout}{done.stderr}")
    return done.stdout


def page_with(page: str, results: list[Output]) -> str:
    """The page with its outputs."""
    for result in reversed(results):
        if result.shown is not None and result.printed is not None:
            start, end = result.span
            lines = (line.rstrip() for line in result.printed.strip("\n").splitlines())
            page = page[:start] + "".join(f"{line}\n" for line in lines) + page[end:]
    return page


def main() -> int:
    """Write the outputs into the page."""
    page = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        results = list(outputs(page, Path(folder)))
    PAGE.write_text(page_with(page, results), encoding="utf-8")
    if not has_lme4():
        print("R with lme4 is not installed: its outputs are as they were")
    return 0


if __name__ == "__main__":
    sys.exit(main())
