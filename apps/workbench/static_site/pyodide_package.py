"""The npm package ``pyodide``: Python for browsers, which evalmark does not contain."""

from __future__ import annotations

import gzip
import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from evalmark.schemas.errors import UsageError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import json_bytes, write_atomically

#: The version that the page was tested with.
TESTED = "314.0.7"
#: Where npm puts it.
USUAL = Path("node_modules") / "pyodide"
#: Its files that a browser loads, and its licence.
FILES = (
    "README.md",
    "package.json",
    "pyodide.asm.mjs",
    "pyodide.mjs",
    "python_stdlib.zip",
)
#: Python itself. Not every host compresses it, so it is compressed here, and the page unpacks it;
#: a name ending in `.gz` would make some hosts have the browser do so first.
WASM = "pyodide.asm.wasm"
PACKED = f"{WASM}.packed"
#: The large files, which the page waits for.
LOADED = (PACKED, "pyodide.asm.mjs", "python_stdlib.zip")
#: Names the packages that Pyodide would load from another host.
LOCK = "pyodide-lock.json"
HOW_TO_GET = f"`npm install pyodide@{TESTED}` makes the folder {USUAL.as_posix()}"


def pyodide_files(folder: Path) -> Iterator[tuple[str, bytes]]:
    """Name -> content of the files that a browser needs; raises UsageError if a file is missing."""
    for name in FILES:
        yield name, _read(folder, name)
    yield PACKED, gzip.compress(_read(folder, WASM), 9, mtime=0)
    # Without packages, nothing is ever loaded from elsewhere.
    yield LOCK, json_bytes({**_json(folder, LOCK), "packages": {}})


def first_archives(folder: Path, archive: bytes, suite: bytes) -> tuple[bytes, bytes] | None:
    """What the first check imports, compiled: of an archive of ours, and of Python's library.

    Pyodide itself compiles, in Node, which brings npm; without Node it is None, and a browser
    compiles each module at each visit. Raises UsageError if it fails.
    """
    node = shutil.which("node")
    if node is None:
        return None
    with TemporaryDirectory(prefix="evalmark-") as place:
        write_atomically(Path(place, "archive.zip"), archive)
        write_atomically(Path(place, "suite.json"), suite)
        command = [node, str(Path(__file__).with_name("precompile.mjs")), str(folder), place]
        done = subprocess.run(  # noqa: S603 - a program of ours, with paths
            command, capture_output=True, text=True, check=False
        )
        if done.returncode:
            last = (done.stderr.strip().splitlines() or ["no reason"])[-1]
            raise UsageError(f"Pyodide in {folder} cannot compile the page's Python: {last}")
        return (
            read_whole(Path(place, "first_archive.zip")),
            read_whole(Path(place, "first_stdlib.zip")),
        )


def version_of(folder: Path) -> str:
    """The version of the package in a folder; raises UsageError if it is not the package."""
    package = _json(folder, "package.json")
    if package.get("name") != "pyodide" or not isinstance(package.get("version"), str):
        raise UsageError(f"{folder} is not the npm package pyodide: {HOW_TO_GET}")
    number: str = package["version"]
    return number


def _json(folder: Path, name: str) -> dict[str, Any]:
    try:
        data = json.loads(_read(folder, name))
    except ValueError:
        data = None
    if not isinstance(data, dict):
        raise UsageError(f"{folder / name} is damaged: {HOW_TO_GET}")
    return data


def _read(folder: Path, name: str) -> bytes:
    try:
        return read_whole(folder / name)
    except OSError:
        raise UsageError(
            f"{folder} is not the npm package pyodide (no {name}): {HOW_TO_GET}"
        ) from None
