"""Building the page without a server: a folder for any static host."""

from __future__ import annotations

import hashlib
import io
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path, PurePosixPath
from typing import Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from evalmark.pages.site.site_folder import require_free, write_folder
from evalmark.schemas.errors import UsageError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import json_bytes
from evalmark.workbench.static_site.page_files import INDEX, page_files, policy
from evalmark.workbench.static_site.pyodide_package import (
    HOW_TO_GET,
    LOADED,
    USUAL,
    pyodide_files,
    version_of,
)

#: Parts of evalmark that answer about files; the others run models or draw pages.
ROOMS = ("schemas", "validator", "converters", "leaderboard", "workbench")
#: Distributions that they import, all in plain Python.
LIBRARIES = (
    "attrs",
    "fastjsonschema",
    "jsonschema",
    "jsonschema-specifications",
    "referencing",
    "ruamel.yaml",
)
#: Endings of files of ours that a browser needs.
OURS = (".py", ".json")
#: Files of libraries that nobody imports.
_LEFT_OUT = (".pyc", ".pyi", ".so", ".pyd", "py.typed")
_TESTS = {"tests", "test", "benchmarks"}
#: What is told of a distribution: its version, and its licence.
_TOLD = ("METADATA", "LICENSE", "COPYING", "NOTICE", "AUTHORS")
#: The time of every file, so that the same files make the same archive.
_TIME = (1980, 1, 1, 0, 0, 0)


def python_archive() -> bytes:
    """The archive: the same packages give the same bytes.

    Raises:
        UsageError: A library is not installed as files.
    """
    files = dict(_python_files())
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = ZipInfo(name, _TIME)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def _python_files() -> Iterator[tuple[str, bytes]]:
    """Name in the archive -> content."""
    library = _folder_of("evalmark")
    for path in sorted(library.glob("*.py")):
        yield f"evalmark/{path.name}", read_whole(path)
    for room in ROOMS:
        folder = _folder_of(f"evalmark.{room}")
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.suffix in OURS and not name.startswith("page/"):
                yield f"evalmark/{room}/{name}", read_whole(path)
    for name in LIBRARIES:
        yield from _of_library(_installed(name))
    yield "rpds.py", read_whole(Path(__file__).with_name("rpds_stand_in.py"))
    number = version("evalmark")
    metadata = f"Metadata-Version: 2.1\nName: evalmark\nVersion: {number}\n"
    yield f"evalmark-{number}.dist-info/METADATA", metadata.encode()


def _folder_of(package: str) -> Path:
    return Path(str(import_module(package).__file__)).parent


def _installed(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise UsageError(f"{name} is not installed: pip install {name}") from None


def _of_library(library: Distribution) -> Iterator[tuple[str, bytes]]:
    """The modules of a library, its data, and its licence."""
    listed = library.files
    if listed is None:
        name = library.metadata["Name"]
        raise UsageError(f"{name} has no list of its files: pip install --force-reinstall {name}")
    for path in listed:
        if _is_wanted(path):
            yield path.as_posix(), read_whole(Path(str(library.locate_file(path))))


def _is_wanted(path: PurePosixPath) -> bool:
    first = path.parts[0]
    if first == ".." or path.is_absolute():
        return False
    if first.endswith(".dist-info"):
        return path.name.startswith(_TOLD)
    return not path.name.endswith(_LEFT_OUT) and not _TESTS.intersection(path.parts)


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
    """The outcome of a build.

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
    parts: dict[str, dict[str, Any]] = {}
    for name, raw in pyodide_files(package):
        path = f"pyodide/{name}"
        if name in LOADED:
            parts[path] = _part(raw)
        yield path, raw
    archive = python_archive()
    # A name that another content does not have: no cache gives the archive of an earlier build.
    path = f"python/evalmark-{hashlib.sha256(archive).hexdigest()[:16]}.zip"
    parts[path] = _part(archive)
    yield path, archive
    for name, source in page_files().items():
        yield f"page/{name}", read_whole(source)
    site = {
        "evalmark": version("evalmark"),
        "pyodide": number,
        "archive": path,
        "parts": parts,
    }
    yield SITE, json_bytes(site)
    yield "index.html", _index()


def _part(raw: bytes) -> dict[str, Any]:
    """What the page knows of a part before it loads it: bytes, and their digest."""
    digest = b64encode(hashlib.sha256(raw).digest()).decode()
    return {"bytes": len(raw), "integrity": f"sha256-{digest}"}


def _index() -> bytes:
    text = read_whole(INDEX).decode()
    for old, new in _CHANGES:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text.encode()
