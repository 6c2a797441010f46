"""Classes of users, named as ``module:Class`` or ``path/to/file.py:Class``."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from evalmark.schemas.errors import ScoringError


def named_class(target: str) -> Any:
    """What a target names; its module is run.

    Raises:
        ScoringError: There is no such thing, or its module fails.
    """
    place, _, name = target.rpartition(":")
    if not (place and name.isidentifier()):
        raise ScoringError(f"{target!r} is not module:Class or path/to/file.py:Class")
    if place.endswith(".py") and not Path(place).is_file():
        raise ScoringError(f"{target}: there is no file {place}")
    try:
        module = _of_a_file(Path(place)) if place.endswith(".py") else import_module(place)
        return getattr(module, name)
    except (Exception, SystemExit) as error:  # code of users
        raise ScoringError(f"{target}: {type(error).__name__}: {error}") from error


def _of_a_file(path: Path) -> ModuleType:
    """The module of a file, which can import the modules beside it."""
    name = f"named_file_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a module")
    sys.path.insert(0, str(path.absolute().parent))
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
