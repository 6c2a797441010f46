"""Files of datasets: those in a folder ``data``, and the definitions of a run.

The LTM benchmark has its datasets in ``datasets/`` and their files in ``data/<name>/`` beside it,
and is run from the folder of both.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.paths import is_plain_name


class HasFiles:
    """A dataset with files of its own, such as a menu."""

    name: str  # its name, which is that of its folder

    @property
    def data_path(self) -> Path:
        """The folder of its files: the first of those that are looked through that exists."""
        folders = self._folders()
        return next((folder for folder in folders if folder.is_dir()), folders[-1])

    def _folders(self) -> list[Path]:
        here = Path("data", self.name)
        near = [(home / here, here, home / "data", home) for home in self._homes()]
        return list(dict.fromkeys([*chain.from_iterable(near), here, here.parent, Path()]))

    def _homes(self) -> Iterator[Path]:
        for base in type(self).__mro__:
            if not issubclass(base, HasFiles) or base.__module__.startswith("evalmark."):
                continue
            try:
                yield Path(inspect.getfile(base)).parent
            except (TypeError, OSError):  # a class without a file, as in a notebook
                continue

    def _file(self, path: Path) -> Path:
        places = [path] if path.is_absolute() else [folder / path for folder in self._folders()]
        file = next((place for place in places if place.is_file()), None)
        if file is None:
            tried = ", ".join(map(str, places))
            raise ScoringError(f"the file {path} of {self.name} does not exist: {tried}")
        return file

    def load_file(self, path_or_name: str | Path) -> str:
        """The text of a file, looked for like ``data_path``; ScoringError if there is none."""
        file = self._file(Path(path_or_name))
        try:
            return read_whole(file).decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise ScoringError(f"{file} is not UTF-8") from error

    def load_json(self, path_or_name: str | Path, **options: Any) -> Any:
        """The data of a JSON file; ``options`` are those of ``json.loads``."""
        return json.loads(self.load_file(path_or_name), **options)


def definition_path(run: str | Path, dataset: str, identity: str) -> Path:
    """``<run>/definitions/<dataset>/<id>.def.json``; ScoringError if a name could lead out."""
    for name in (dataset, identity):
        if not is_plain_name(name):
            raise ScoringError(f"the name {name!r} cannot be the name of a file or folder")
    return Path(run, "definitions", dataset, f"{identity}.def.json")
