"""Building the page without a server: a folder for any static host."""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path, PurePosixPath
from posixpath import dirname, join, normpath
from typing import Any

from evalmark.schemas.errors import UsageError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.site_folder import require_free, write_folder
from evalmark.validator.io.writing import json_bytes
from evalmark.workbench.static_site.archives import zip_of
from evalmark.workbench.static_site.first_picture import example, picture
from evalmark.workbench.static_site.page_files import INDEX, SERVICE_WORKER, page_files, policy
from evalmark.workbench.static_site.pyodide_package import (
    HOW_TO_GET,
    LOADED,
    USUAL,
    first_archives,
    pyodide_files,
    version_of,
)

#: Parts of evalmark that answer about files; the others run models or draw pages. Of memory tests,
#: the format of an agent's script.
ROOMS = ("schemas", "stats", "validator", "converters", "workbench", "memory")
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
#: Folders of rooms without Python: the page itself, and the demo, which no browser runs.
_NOT_PYTHON = ("page/", "demo_model/", "demo_suite/")
#: Files of libraries that nobody imports.
_LEFT_OUT = (".pyc", ".pyi", ".so", ".pyd", "py.typed")
_TESTS = {"tests", "test", "benchmarks"}
#: Files of a distribution that the page includes: its version and its licence.
_TOLD = ("METADATA", "LICENSE", "COPYING", "NOTICE", "AUTHORS")
#: Metadata of evalmark that the page includes; findings link to the documentation.
_METADATA = ("Metadata-Version", "Name", "Version", "Project-URL")


def python_archive() -> bytes:
    """The archive: the same packages give the same bytes.

    Raises UsageError if a library is not installed as files.
    """
    return zip_of(dict(python_files(ROOMS, LIBRARIES)))


def python_files(rooms: Iterable[str], libraries: Iterable[str]) -> Iterator[tuple[str, bytes]]:
    """Name -> content of an archive that needs no other package; errors as ``python_archive``."""
    library = _folder_of("evalmark")
    for path in sorted(library.glob("*.py")):
        yield f"evalmark/{path.name}", read_whole(path)
    for room in rooms:
        folder = _folder_of(f"evalmark.{room}")
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if path.suffix in OURS and not name.startswith(_NOT_PYTHON):
                yield f"evalmark/{room}/{name}", read_whole(path)
    for name in libraries:
        yield from _library_files(_installed(name))
    yield "rpds.py", read_whole(Path(__file__).with_name("rpds_stand_in.py"))
    number = version("evalmark")
    metadata = distribution("evalmark").metadata
    kept = [f"{key}: {value}\n" for key in _METADATA for value in metadata.get_all(key) or ()]
    yield f"evalmark-{number}.dist-info/METADATA", "".join(kept).encode()


def _folder_of(package: str) -> Path:
    return Path(str(import_module(package).__file__)).parent


def _installed(name: str) -> Distribution:
    try:
        return distribution(name)
    except PackageNotFoundError:
        raise UsageError(f"{name} is not installed: pip install {name}") from None


def _library_files(library: Distribution) -> Iterator[tuple[str, bytes]]:
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
#: The file that the page reads first: it says where its Python is.
SITE = "site.json"
#: The service worker is next to the page, so it controls only this folder.
SERVICE_WORKER_FILE = "service_worker.js"
#: Static hosts cannot set headers: the page itself allows WebAssembly and forbids inline scripts.
POLICY = policy("'self' 'wasm-unsafe-eval'")
#: The manifest with which people install the page as a program; its paths are relative.
WEB_MANIFEST = "site.webmanifest"
_INSTALLED = {
    "name": "evalmark",
    "short_name": "evalmark",
    "description": "Write suites of test sentences for language models, and check them.",
    "start_url": "./",
    "scope": "./",
    "display": "standalone",
    "background_color": "#ffffff",
    "theme_color": "#0060a0",
    "icons": [
        {"src": "page/icon.svg", "sizes": "any", "type": "image/svg+xml", "purpose": purpose}
        for purpose in ("any", "maskable")
    ],
}
#: An import of a module, as our modules write it.
_IMPORT = re.compile(r'^(?:import|export)\b[^;]*?from "(\.[^"]+)"', re.MULTILINE)
#: A line of the page of the server -> what this one has in its place.
_CHARSET = '<meta charset="utf-8">\n'
_HEAD = (
    f'{_CHARSET}<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
    '<meta name="evalmark-engine" content="browser">\n'
    f'<link rel="manifest" href="{WEB_MANIFEST}">\n'
    '<script src="page/browser/first_picture.js"></script>\n'
)
_LOADING = '<p class="faint">Loading …</p>'
_LOADING_HERE = (
    '<p class="faint">Loading … If this line stays, the page was opened as a file: browsers start '
    "it only from a web server, such as <code>python3 -m http.server</code>.</p>"
)


@dataclass(frozen=True, slots=True)
class BuiltSite:
    """The outcome of a build."""

    pyodide: str  # the version of Pyodide
    files: int  # how many files
    size: int  # their bytes


def build(
    out: Path, pyodide: Path | None = None, suites: bytes | None = None, docs: str = ""
) -> BuiltSite:
    """Write the page with all that it needs; the same packages give the same bytes.

    ``out`` is empty, does not exist, or has such a page, which is replaced. ``pyodide`` is the
    unpacked npm package; without it, where npm puts it below the current folder. ``suites`` is the
    archive of suites that the page lists; ``docs`` is the address, relative to the page, of the
    documentation's first page.

    Raises:
        UsageError: Pyodide is not there, or the folder has other files.
        OSError: A file cannot be written.
    """
    package = USUAL if pyodide is None else pyodide
    if pyodide is None and not package.is_dir():
        raise UsageError(f"Pyodide is needed: {HOW_TO_GET}; or name its folder with --pyodide")
    number = version_of(package)
    require_free(out, MANIFEST)
    files = dict(_files(package, number, suites))
    if docs:
        link = f'<link rel="help" href="{docs}">\n</head>'.encode()
        files["index.html"] = files["index.html"].replace(b"</head>", link)
    files[SERVICE_WORKER_FILE] = service_worker(files)
    written, size = write_folder(out, MANIFEST, files.items())
    return BuiltSite(number, len(written) + 1, size)


def _files(package: Path, number: str, suites: bytes | None) -> Iterator[tuple[str, bytes]]:
    parts: dict[str, dict[str, Any]] = {}
    for name, raw in pyodide_files(package):
        path = f"pyodide/{name}"
        if name in LOADED:
            parts[path] = _part_facts(raw)
        yield path, raw
    archives = {"archive": _named_archive("python/evalmark", python_archive())}
    if suites is not None:
        archives["suites"] = _named_archive("suites/suites", suites)
    first: dict[str, tuple[str, bytes]] = {}
    suite = json_bytes(example())
    if compiled := first_archives(package, archives["archive"][1], suite):
        first["archive"] = _named_archive("python/first", compiled[0])
        first["library"] = _named_archive("pyodide/first", compiled[1])
    for path, raw in (*archives.values(), *first.values()):
        parts[path] = _part_facts(raw)
        yield path, raw
    for name, source in page_files().items():
        if name == SERVICE_WORKER:
            continue
        yield f"page/{name}", read_whole(source)
    site = {
        "evalmark": version("evalmark"),
        "pyodide": number,
        **{key: path for key, (path, _) in archives.items()},
        "first": {key: path for key, (path, _) in first.items()} or None,
        "parts": parts,
    }
    yield SITE, json_bytes(site)
    yield WEB_MANIFEST, json_bytes(_INSTALLED)
    yield "index.html", _index()


def service_worker(files: Mapping[str, bytes]) -> bytes:
    """The program that keeps these files in the browser: another file makes another program."""
    kept = {name: _integrity(raw) for name, raw in files.items()}
    source = read_whole(page_files()[SERVICE_WORKER])
    return b"self.siteFiles = %s;\n%s" % (json_bytes(kept).rstrip(), source)


def _named_archive(start: str, raw: bytes) -> tuple[str, bytes]:
    """An archive under a name that another content does not have: no cache gives an earlier one."""
    return f"{start}-{hashlib.sha256(raw).hexdigest()[:16]}.zip", raw


def _part_facts(raw: bytes) -> dict[str, Any]:
    return {"bytes": len(raw), "integrity": _integrity(raw)}


def _integrity(raw: bytes) -> str:
    return f"sha256-{b64encode(hashlib.sha256(raw).digest()).decode()}"


def _index() -> bytes:
    text = read_whole(INDEX).decode()
    shown = f"{picture(example())}{_LOADING_HERE}"
    for old, new in ((_CHARSET, _HEAD), (_LOADING, shown)):
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    # All at once: a browser would find the deepest ones after four rounds, and start Python then.
    links = "".join(f'<link rel="modulepreload" href="page/{name}">\n' for name in _modules())
    return text.replace("</head>", f"{links}</head>").encode()


def _modules() -> list[str]:
    files = page_files()
    found: dict[str, None] = {}
    waiting = ["app.js"]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = None
            imported = _IMPORT.findall(read_whole(files[name]).decode())
            waiting += (normpath(join(dirname(name), path)) for path in imported)
    return sorted(found)
