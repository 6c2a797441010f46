"""Building the page without a server: a folder for any static host."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

from evalmark.pages.site.site_folder import require_free, write_folder
from evalmark.schemas.errors import UsageError
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.edge.writing import json_bytes
from evalmark.workbench.static_site.page_files import INDEX, page_files, policy
from evalmark.workbench.static_site.pyodide_package import (
    HOW_TO_GET,
    USUAL,
    pyodide_files,
    version_of,
)
from evalmark.workbench.static_site.python_archive import python_archive

#: The list of files of a site, by which it is known again.
MANIFEST = "evalmark-workbench.json"
#: What the page reads first: where its Python is.
SITE = "site.json"
#: What static hosts cannot say in a header: WebAssembly is compiled, no text is run as a script.
POLICY = policy("'self' 'wasm-unsafe-eval'")
#: Text of the page of the server -> text of this one.
_CHANGES = (
    (
        '<meta charset="utf-8">\n',
        '<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="evalmark-engine" content="browser">\n',
    ),
    (
        '<p class="faint">Loading …</p>',
        '<p class="faint">Loading … If this line stays, the page was opened as a file: browsers '
        "start it only from a web server, such as <code>python3 -m http.server</code>.</p>",
    ),
)


@dataclass(frozen=True, slots=True)
class BuiltSite:
    """What was written.

    Attributes:
        pyodide: The version of Pyodide.
        files: How many files.
        size: Their bytes.
    """

    pyodide: str
    files: int
    size: int


def build(out: Path, pyodide: Path | None = None) -> BuiltSite:
    """Write the page with all that it needs; the same packages give the same bytes.

    Args:
        out: A folder that is empty, does not exist, or has such a page, which is replaced.
        pyodide: The unpacked npm package; without it, where npm puts it below the current folder.

    Raises:
        UsageError: Pyodide is not there, or the folder has other files.
        OSError: A file cannot be written.
    """
    package = USUAL if pyodide is None else pyodide
    if pyodide is None and not package.is_dir():
        raise UsageError(f"Pyodide is needed: {HOW_TO_GET}; or name its folder with --pyodide")
    number = version_of(package)
    require_free(out, MANIFEST)
    written, size = write_folder(out, MANIFEST, [*_files(package, number)])
    return BuiltSite(number, len(written) + 1, size)


def _files(package: Path, number: str) -> Iterator[tuple[str, bytes]]:
    """Path in the site -> content."""
    size = 0
    for name, raw in pyodide_files(package):
        size += len(raw)
        yield f"pyodide/{name}", raw
    archive = python_archive()
    digest = hashlib.sha256(archive).digest()
    # A name that another content does not have: no cache gives the archive of an earlier build.
    path = f"python/evalmark-{digest.hex()[:16]}.zip"
    yield path, archive
    for name, source in page_files().items():
        yield f"page/{name}", read_whole(source)
    site = {
        "evalmark": version("evalmark"),
        "pyodide": number,
        "archive": path,
        "integrity": f"sha256-{b64encode(digest).decode()}",
        "megabytes": round((size + len(archive)) / 1e6),
    }
    yield SITE, json_bytes(site)
    yield "index.html", _index()


def _index() -> bytes:
    text = read_whole(INDEX).decode()
    for old, new in _CHANGES:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text.encode()
