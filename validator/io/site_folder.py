"""The folder of a site: files of an earlier site are replaced, other files stay.

A new site is written next to the old one, into the folder ``STAGED`` of its own folder, with the
manifest last. Only then are its files moved into their places: new ones first, then those that
replace others, so that no page links to a file that is not there; then what is left of the old site
is deleted, and the manifest is moved. Until the staged manifest exists, the old site is untouched;
from then on, whoever writes to the folder next completes what an interruption left.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath

from evalmark.schemas.errors import UsageError
from evalmark.validator.io.writing import (
    LOCK,
    json_bytes,
    listed_files,
    lock_folder,
    move_file,
    remove_listed,
    remove_tree,
    require_replaceable,
    write_atomically,
)

#: Where a site is until it is complete: it is moved out of there, and the folder is deleted.
STAGED = ".evalmark-site"
#: Names of a site's files: those of records, and those of the page in the browser.
_NAMES = re.compile(
    r"(index|conflicts|table|compare)\.html|results\.(csv|parquet)|site\.css|(site|matrix|ranking|search|compare|conflicts)\.js"
    r"|(models|benchmarks|collections|datasets)/[a-z0-9._-]+\.html"
    r"|data/((columns|cells)/)?[a-z0-9._-]+\.js"
    r"|records/[0-9a-f]{16}\.json"
    r"|site\.(json|webmanifest)|service_worker\.js|(python/(evalmark|first|workbooks)|suites/suites)-[0-9a-f]{16}\.zip"
    r"|pyodide/[\w.-]+|page/([\w-]+/)*[\w-]+\.(html|js|css|svg)",
    re.ASCII,
)


def require_free(out: Path, manifest: str) -> None:
    """Refuse a folder that has files, but not those of a site with this manifest: a UsageError."""
    if not out.exists() or (out / manifest).is_file() or (out / STAGED / manifest).is_file():
        return
    if any(path.name not in (STAGED, LOCK) for path in out.iterdir()):
        raise UsageError(f"{out} has files, but not those of a site: choose an empty folder")


def write_folder(
    out: Path, manifest: str, files: Iterable[tuple[str, bytes]]
) -> tuple[dict[str, str], int]:
    """Write a site, and its manifest, by which it is known again.

    ``out`` is empty, does not exist, or has a site; ``files`` has pages last. The SHA-256 of each
    file comes back, and how many bytes they are together.

    Raises:
        OSError: A file cannot be written.
        UsageError: A file that is not of the earlier site is in the way.
        FolderInUse: Another process writes to the folder.
    """
    out.mkdir(parents=True, exist_ok=True)
    with lock_folder(out), _staging(out, manifest) as staged:
        written: dict[str, str] = {}
        size = 0
        earlier = listed_files(out / manifest)
        for name, raw in files:
            written[name] = hashlib.sha256(raw).hexdigest()
            size += len(raw)
            path = out / name
            _require_ours(out, name, is_ours=name in earlier)
            if earlier.get(name) != written[name] or not path.is_file():
                (staged / name).parent.mkdir(parents=True, exist_ok=True)
                write_atomically(staged / name, raw)
        write_atomically(staged / manifest, json_bytes({"files": written}))
        _publish(out, manifest)
    return written, size


@contextmanager
def _staging(out: Path, manifest: str) -> Iterator[Path]:
    """The empty folder for a new site, after an interrupted one was completed or given up."""
    staged = out / STAGED
    if staged.is_symlink():
        raise UsageError(f"{staged} is a symbolic link: delete it")
    if (staged / manifest).is_file():
        _publish(out, manifest)
    if staged.exists():
        remove_tree(staged)
    staged.mkdir()
    try:
        yield staged
    finally:
        # A site with a manifest is complete, and is moved by the next call.
        if not (staged / manifest).exists():
            remove_tree(staged)


def _publish(out: Path, manifest: str) -> None:
    """Move a complete site into its place; whatever was moved already stays there."""
    staged = out / STAGED
    files = [name for name in listed_files(staged / manifest) if _is_of_a_site(name)]
    waiting = [name for name in files if (staged / name).is_file()]
    for name in sorted(waiting, key=lambda name: (out / name).exists()):  # the rest as listed
        _require_ours(out, name, is_ours=True)
        (out / name).parent.mkdir(parents=True, exist_ok=True)
        move_file(staged / name, out / name)
    earlier = reversed(listed_files(out / manifest).items())  # pages before what they load
    gone = {name: digest for name, digest in earlier if _is_of_a_site(name)}
    remove_listed(out, gone, keep=dict.fromkeys(files, ""), names=_NAMES)
    move_file(staged / manifest, out / manifest)


def _is_of_a_site(name: str) -> bool:
    """True if a manifest, which anyone may have written, can name such a file: never `.git/x`."""
    return _NAMES.fullmatch(name) is not None


def _require_ours(out: Path, name: str, *, is_ours: bool) -> None:
    """Refuse to replace what is not of a site, and to write to where a link leads."""
    path = out / name
    if not path.parent.resolve().is_relative_to(out.resolve()):
        raise UsageError(f"{path.parent} is a symbolic link out of {out}: delete it")
    for above in (out / parent for parent in PurePosixPath(name).parents):
        if above.exists() and not above.is_dir():
            raise UsageError(f"{above} is in the way and not of the last site: move it away")
    if os.path.lexists(path):
        if not is_ours or path.is_symlink() or not path.is_file():
            raise UsageError(f"{path} is in the way and not of the last site: move it away")
        require_replaceable(path, path.stat())
