"""Extensions of other installed packages: entry points, read only when they are asked for.

Packages are those of the environment. Nothing is read or imported from the current folder, nor from
a folder that holds the file in question, even if it is on ``sys.path``: such a folder is data.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from typing import Generic, NamedTuple, TypeGuard, TypeVar

from evalmark.schemas.errors import ExtensionError
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.opening import read_whole

T = TypeVar("T")
#: The ends of names of folders that describe a package.
_DESCRIBED = (".dist-info", ".egg-info")


class Extension(NamedTuple):
    """An entry point of an installed package.

    Attributes:
        group: The group that it adds to, for example ``evalmark.importers``.
        name: Its name, which is that of the format.
        package: The package that has it.
        version: The version of the package.
        origin: The folder that the package is installed in.
        target: ``module:attribute``.
        path: Folders that modules are imported from.
    """

    group: str
    name: str
    package: str
    version: str
    origin: str
    target: str
    path: tuple[str, ...]

    @property
    def title(self) -> str:
        """Name, package, version and origin, in one line."""
        return f"{shown(self.name)} of {self.provider}"

    @property
    def provider(self) -> str:
        """Package, version and origin, in one line."""
        return shown(f"{self.package} {self.version} ({self.origin})")

    def load(self, is_one: Callable[[object], TypeGuard[T]]) -> T:
        """The object that the entry point names, which has to be what the group is for.

        Raises:
            ExtensionError: It cannot be imported, or is something else.
        """
        from importlib.metadata import EntryPoint

        try:
            with _importing_from(self.path):
                value = EntryPoint(self.name, self.target, self.group).load()
        except (Exception, SystemExit) as error:  # code of others raises anything
            raise self.fault(error, "cannot be loaded") from error
        if is_one(value):
            return value
        raise ExtensionError(
            f"{self.title} is not used: {shown(self.target)} is of type "
            f"{type(value).__name__}, which is not what {self.group} is for"
        )

    def fault(self, error: BaseException, fails: str) -> ExtensionError:
        """The failure of code of the package, in one line; ``fails`` says at what."""
        if isinstance(error, ExtensionError):
            return error
        reason = (str(error).strip() or "no reason given").splitlines()[0]
        return ExtensionError(f"{self.title} {fails}: {type(error).__name__}: {shown(reason)}")


class Extensions(NamedTuple, Generic[T]):
    """The extensions of a group of entry points.

    Attributes:
        usable: Name -> what was loaded.
        origins: Name -> where that is from.
        refused: A line for each entry point that is not used.
    """

    usable: Mapping[str, T]
    origins: Mapping[str, Extension]
    refused: tuple[str, ...]


def installed(group: str, *, file: str = "") -> tuple[Extension, ...]:
    """The entry points of a group, sorted by name; nothing is imported.

    Args:
        group: For example ``evalmark.importers``.
        file: The file or folder in question: packages of folders that hold it do not count.
    """
    return _installed(group, _trusted_path(file))


def named(
    extensions: Collection[Extension], taken: Collection[str]
) -> tuple[dict[str, Extension], list[str]]:
    """Extensions by name, and a line for each whose name evalmark or another package has."""
    counts = Counter(extension.name for extension in extensions)
    usable: dict[str, Extension] = {}
    refused: list[str] = []
    for extension in extensions:
        if extension.name in taken:
            refused.append(f"{extension.title} is not used: evalmark has this name itself")
        elif counts[extension.name] > 1:
            refused.append(f"{extension.title} is not used: another package has this name too")
        else:
            usable[extension.name] = extension
    return usable, refused


def load_installed(
    group: str,
    is_one: Callable[[object], TypeGuard[T]],
    *,
    taken: Collection[str],
    file: str = "",
) -> Extensions[T]:
    """The objects that the entry points of a group name, loaded once in a process.

    Args:
        group: For example ``evalmark.importers``.
        is_one: Whether an object is what the group is for.
        taken: Names that evalmark has; others may not have them.
        file: As in ``installed``.
    """
    return _loaded(installed(group, file=file), is_one, frozenset(taken))


@lru_cache(maxsize=16)
def _installed(group: str, path: tuple[str, ...]) -> tuple[Extension, ...]:
    if not any(_may_have(group, folder) for folder in path):
        return ()
    from importlib.metadata import distributions  # takes longer than the check of a file

    extensions: dict[tuple[str, str], Extension] = {}
    for package in distributions(path=list(path)):
        try:
            points = package.entry_points.select(group=group)
        except (TypeError, ValueError):  # no package at all, or one that is damaged
            continue
        for point in points:
            origin, name = str(package.locate_file("")), str(package.name)
            key = name, point.name  # as in imports, the first folder that has a package counts
            extensions.setdefault(
                key,
                Extension(group, point.name, name, str(package.version), origin, point.value, path),
            )
    return tuple(extensions[key] for key in sorted(extensions, key=lambda key: key[::-1]))


@lru_cache(maxsize=16)
def _loaded(
    extensions: tuple[Extension, ...],
    is_one: Callable[[object], TypeGuard[T]],
    taken: frozenset[str],
) -> Extensions[T]:
    origins, refused = named(extensions, taken)
    usable: dict[str, T] = {}
    for name, extension in origins.items():
        try:
            usable[name] = extension.load(is_one)
        except ExtensionError as error:
            refused.append(str(error))
    return Extensions(usable, {name: origins[name] for name in usable}, tuple(refused))


def _trusted_path(file: str) -> tuple[str, ...]:
    """The folders of ``sys.path`` that are not data: neither the current one, nor one of a file."""
    current = os.path.realpath(os.curdir)
    about = os.path.realpath(file) if file else None

    def is_data(entry: str) -> bool:
        real = os.path.realpath(entry)
        return real == current or (
            about is not None and f"{about}{os.sep}".startswith(f"{real}{os.sep}")
        )

    return tuple(e for e in sys.path if os.path.isabs(e) and not is_data(e))


def _may_have(group: str, folder: str) -> bool:
    """True if a package in a folder, or in an archive, may have entry points of a group."""
    try:
        names = os.listdir(folder)
    except NotADirectoryError:
        return True
    except OSError:
        return False
    for name in names:
        if name.endswith(_DESCRIBED):
            try:
                raw = read_whole(os.path.join(folder, name, "entry_points.txt"))
            except OSError:
                continue
            if f"[{group}]".encode() in raw:
                return True
    return any(name.endswith(".egg") for name in names)


@contextmanager
def _importing_from(path: tuple[str, ...]) -> Iterator[None]:
    """Import modules from these folders alone."""
    before = list(sys.path)
    sys.path[:] = path
    try:
        yield
    finally:
        sys.path[:] = before
