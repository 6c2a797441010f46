"""The folder of a site: files of an earlier site are replaced, other files stay."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from evalmark.schemas.errors import UsageError
from evalmark.validator.edge.writing import (
    json_bytes,
    listed_files,
    remove_listed,
    write_atomically,
)

#: What the files of a site are called: a store's, and those of the page in the browser.
_NAMES = re.compile(
    r"(index|conflicts)\.html|results\.(csv|parquet)|site\.css|(site|matrix|ranking)\.js"
    r"|(models|benchmarks)/[a-z0-9.-]+\.html|data/(columns/)?[a-z0-9.-]+\.js"
    r"|records/[0-9a-f]{16}\.json"
    r"|site\.json|python/evalmark-[0-9a-f]{16}\.zip"
    r"|pyodide/[\w.-]+|page/([\w-]+/)*[\w-]+\.(html|js|css)",
    re.ASCII,
)


def require_free(out: Path, manifest: str) -> None:
    """Refuse a folder that has files, but not those of a site with this manifest.

    Raises:
        UsageError: It has.
    """
    if out.exists() and not (out / manifest).is_file() and any(out.iterdir()):
        raise UsageError(f"{out} has files, but not those of a site: choose an empty folder")


def write_folder(
    out: Path, manifest: str, files: Iterable[tuple[str, bytes]]
) -> tuple[dict[str, str], int]:
    """Write a site, and its manifest, by which it is known again.

    Args:
        out: A folder that is empty, does not exist, or has a site.
        manifest: The name of the list of files.
        files: Path in the site and content of each; pages come last.

    Returns:
        The SHA-256 of each file, and how many bytes they are together.

    Raises:
        OSError: A file cannot be written.
    """
    written: dict[str, str] = {}
    size = 0
    earlier = listed_files(out / manifest)
    if not earlier:  # an interrupted first time leaves a folder that is known to be a site
        out.mkdir(parents=True, exist_ok=True)
        write_atomically(out / manifest, json_bytes({"files": {}}))
    for name, raw in files:
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        written[name] = hashlib.sha256(raw).hexdigest()
        size += len(raw)
        if earlier.get(name) != written[name] or not path.is_file():
            write_atomically(path, raw)
    write_atomically(out / manifest, json_bytes({"files": written}))
    remove_listed(out, earlier, keep=written, names=_NAMES)
    return written, size
