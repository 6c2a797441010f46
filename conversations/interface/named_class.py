"""Classes of users, named as ``module:Class`` or ``path/to/file.py:Class``."""

from __future__ import annotations

import re
import sys
from difflib import get_close_matches
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from evalmark.conversations.interface.users_code import said_of
from evalmark.schemas.errors import ScoringError

#: Classes that a message names.
LISTED = 5
_MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*:[^\W\d]\w*")


def look_in_current_folder(*targets: str | None) -> None:
    """Let ``module:Class`` on a command line name a module of the current folder.

    Standard and installed modules come first: no file of the folder takes the place of one.
    """
    named = [target for target in targets if target and _MODULE.fullmatch(target)]
    if any(not target.rpartition(":")[0].endswith(".py") for target in named):
        _append(str(Path.cwd()))


def _append(folder: str) -> None:
    """Import from a folder too, after all others."""
    if folder not in sys.path:
        sys.path.append(folder)


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
    except (Exception, SystemExit) as error:  # code of users
        raise ScoringError(f"{target}: {_not_imported(place, error)}") from error
    try:
        return getattr(module, name)
    except AttributeError:
        raise ScoringError(f"{target}: {_lacks(module, place, name)}") from None


def _not_imported(place: str, error: BaseException) -> str:
    """Why there is no module, and what to do about it."""
    missing = error.name or "" if isinstance(error, ModuleNotFoundError) else ""
    if missing and f"{place}.".startswith(f"{missing}."):
        return (
            f"no module {missing} in this folder or in the Python environment of evalmark; "
            "name its file as path/to/file.py:Class, or install it in that environment"
        )
    if missing:
        return (
            f"{place} imports {missing}, which is not in the Python environment of evalmark; "
            "install it there"
        )
    return f"{place} cannot be imported: {said_of(error)}"


def _lacks(module: ModuleType, place: str, name: str) -> str:
    """That a module has no such class, and those it has."""
    classes = {key: value for key, value in vars(module).items() if isinstance(value, type)}
    own = [key for key, value in classes.items() if value.__module__ == module.__name__]
    own = own or list(classes)
    near = get_close_matches(name, own, 1, 0.6)
    listed = ", ".join(own[:LISTED]) + (", …" if len(own) > LISTED else "")
    has = f"its classes are {listed}" if own else "it defines no class"
    return f"{place} has no class {name}; " + (f"did you mean {near[0]}?" if near else has)


def _of_a_file(path: Path) -> ModuleType:
    """The module of a file, which can import the modules beside it."""
    name = f"named_file_{path.stem}"
    spec = spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError(f"{path} is not a module")
    _append(str(path.absolute().parent))
    sys.modules[name] = module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
