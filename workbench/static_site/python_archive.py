"""The Python that a browser runs: evalmark and the libraries of a check, as one zip archive."""

from __future__ import annotations

import io
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import Distribution, PackageNotFoundError, distribution, version
from pathlib import Path, PurePosixPath
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from evalmark.schemas.errors import UsageError
from evalmark.validator.edge.opening import read_whole

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
    files = dict(_files())
    buffer = io.BytesIO()
    with ZipFile(buffer, "w", ZIP_DEFLATED, compresslevel=9) as archive:
        for name in sorted(files):
            entry = ZipInfo(name, _TIME)
            entry.compress_type = ZIP_DEFLATED
            entry.create_system, entry.external_attr = 3, 0o644 << 16
            archive.writestr(entry, files[name])
    return buffer.getvalue()


def _files() -> Iterator[tuple[str, bytes]]:
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
    told = f"Metadata-Version: 2.1\nName: evalmark\nVersion: {number}\n"
    yield f"evalmark-{number}.dist-info/METADATA", told.encode()


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
