"""Files of datasets: those in a folder ``data`` beside the module, and the definitions of a run."""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.paths import is_plain_name
from evalmark.validator.io.writing import json_bytes, write_atomically


def data_folder(kind: type, name: str) -> Path:
    """The folder of a dataset's files: the first one that exists."""
    folders = list(_folders(kind, name))
    return next((folder for folder in folders if folder.is_dir()), folders[-1])


def data_path(kind: type, name: str, path: Path) -> Path:
    """The path of a file of a dataset.

    Args:
        kind: The class of the dataset.
        name: Its name.
        path: Absolute, or relative to one of its folders.

    Raises:
        ScoringError: It is in none of them.
    """
    places = [path] if path.is_absolute() else [f / path for f in _folders(kind, name)]
    file = next((place for place in places if place.is_file()), None)
    if file is None:
        tried = ", ".join(map(str, places))
        raise ScoringError(f"the file {path} of {name} does not exist: {tried}")
    return file


def data_text(kind: type, name: str, path: Path) -> str:
    """The text of a file of a dataset; see ``data_path``."""
    file = data_path(kind, name, path)
    try:
        return read_whole(file).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ScoringError(f"{file} is not UTF-8") from error


def _folders(kind: type, name: str) -> Iterator[Path]:
    for base in kind.__mro__:
        if not issubclass(base, HasFiles) or base.__module__.startswith("evalmark."):
            continue
        try:
            home = Path(inspect.getfile(base)).parent
        except (TypeError, OSError):  # a class without a file, as in a notebook
            continue
        yield from (home / "data" / name, home / "data", home)
    yield Path()  # the current folder


class HasFiles:
    """A dataset with files of its own, such as a menu.

    Attributes:
        name: Its name, which is that of its folder.
    """

    name: str

    @property
    def data_path(self) -> Path:
        """The folder of its files: ``data/<name>`` next to its module, ``data``, or its own."""
        return data_folder(type(self), self.name)

    def load_file(self, path_or_name: str | Path) -> str:
        """The text of a file. A relative path is looked for like ``data_path``.

        Raises:
            ScoringError: There is no such file.
        """
        return data_text(type(self), self.name, Path(path_or_name))

    def load_json(self, path_or_name: str | Path, **options: Any) -> Any:
        """The data of a JSON file; ``options`` are those of ``json.loads``."""
        return json.loads(self.load_file(path_or_name), **options)


def definition_path(run: str | Path, dataset: str, identity: str) -> Path:
    """``<run>/definitions/<dataset>/<id>.def.json``.

    Raises:
        ScoringError: A name could lead elsewhere.
    """
    for name in (dataset, identity):
        if not is_plain_name(name):
            raise ScoringError(f"the name {name!r} cannot be the name of a file or folder")
    return Path(run, "definitions", dataset, f"{identity}.def.json")


def write_definition(path: Path, definition: Mapping[str, Any], *, exist_ok: bool) -> None:
    """Write a definition.

    Raises:
        ScoringError: The file exists, unless that is ``exist_ok``.
    """
    if path.exists() and not exist_ok:
        raise ScoringError(f"{path} exists; give exist_ok=True to replace it")
    path.parent.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json_bytes(definition))
