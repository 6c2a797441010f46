"""Plug-ins: the commands, importers and formats that applications and other packages add.

Ours are a tuple of names, written as entry points are, so that they also work in the one file and
in the browser; a folder that is missing is skipped. Other packages name theirs by entry points of
the group ``evalmark.plugins``, which are read only when they are needed: for a word that is not a
command of evalmark, for a file that is none of its formats, and for lists.

Packages are those of the environment. Nothing is read or imported from the current folder, nor from
a folder that holds the file in question, even if it is on ``sys.path``: such a folder is data.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, lru_cache, partial
from importlib import import_module
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeGuard, TypeVar

from evalmark.schemas.errors import ExtensionError
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.opening import read_whole

T = TypeVar("T")
#: Entry points of other packages, each of which names a ``Plugin``.
GROUP = "evalmark.plugins"
#: Our applications. Nothing else in the core names one.
OURS = (
    "evalmark.leaderboard.plugin:PLUGIN",
    "evalmark.memory.plugin:PLUGIN",
    "evalmark.workbench.plugin:PLUGIN",
    "evalmark.lsp.plugin:PLUGIN",
)
#: The ends of names of folders that describe a package.
_DESCRIBED = (".dist-info", ".egg-info")


class Plugin(NamedTuple):
    """What an application or a package adds.

    Its functions import what they return, so that a call imports only what it uses.
    """

    #: Command -> a function that returns its ``typer.Typer``; the first line of its docstring is
    #: the command's line in ``evalmark --help``.
    commands: Mapping[str, Callable[[], object]] = MappingProxyType({})
    #: Returns each ``Importer``.
    importers: Callable[[], Iterable[object]] = tuple
    #: Returns each ``Format``.
    formats: Callable[[], Iterable[object]] = tuple


@cache
def own_plugins() -> tuple[Plugin, ...]:
    """Our plug-ins whose folders are there."""
    plugins: list[Plugin] = []
    for target in OURS:
        module, _, name = target.partition(":")
        try:
            plugins.append(getattr(import_module(module), name))
        except ModuleNotFoundError as error:
            if error.name not in (module, module.rpartition(".")[0]):
                raise
    return tuple(plugins)


class Extension(NamedTuple):
    """An entry point of an installed package, or one thing that its plug-in adds."""

    name: str  # of the entry point, or of a command, an importer or a format
    package: str
    version: str
    origin: str  # the folder that the package is installed in
    target: str  # module:attribute
    path: tuple[str, ...]  # folders that modules are imported from

    @property
    def title(self) -> str:
        """Name, package, version and origin, in one line."""
        return f"{shown(self.name)} of {shown(self.provider)}"

    @property
    def provider(self) -> str:
        """Package, version and origin."""
        return f"{self.package} {self.version} ({self.origin})"

    def plugin(self) -> Plugin:
        """The plug-in that the entry point names; raises ExtensionError if it is not one."""
        from importlib.metadata import EntryPoint

        value = self.call(EntryPoint(self.name, self.target, GROUP).load)
        if isinstance(value, Plugin):
            return value
        raise self.unfit(f"{shown(self.target)} is of type {type(value).__name__}, not a Plugin")

    def call(self, function: Callable[[], T]) -> T:
        """The result of a function of the package; raises ExtensionError if it fails."""
        try:
            with _importing_from(self.path):
                return function()
        except (Exception, SystemExit) as error:  # code of others raises anything
            raise self.fault(error, "cannot be loaded") from error

    def unfit(self, reason: str) -> ExtensionError:
        """The error that says why this is not used."""
        return ExtensionError(f"{self.title} is not used: {reason}")

    def fault(self, error: BaseException, fails: str) -> ExtensionError:
        """The failure of code of the package, in one line; ``fails`` says at what."""
        if isinstance(error, ExtensionError):
            return error
        reason = (str(error).strip() or "no reason given").splitlines()[0]
        return ExtensionError(f"{self.title} {fails}: {type(error).__name__}: {shown(reason)}")


class Added(NamedTuple, Generic[T]):
    """The commands, importers or formats of other packages."""

    usable: Mapping[str, T]
    origins: Mapping[str, Extension]  # name -> what it is from
    refused: tuple[str, ...]  # a line for each that is not used


def installed(*, file: str = "") -> tuple[Extension, ...]:
    """The entry points of other packages, sorted by name; nothing is imported.

    Packages in folders that hold ``file`` do not count.
    """
    return _installed(_trusted_path(file))


def added(
    part: Callable[[Plugin], Iterable[tuple[str, object]]],
    is_one: Callable[[object], TypeGuard[T]],
    *,
    taken: Collection[str],
    file: str = "",
) -> Added[T]:
    """A part of what plug-ins of other packages add; they are loaded once in a process.

    ``taken`` has names of evalmark: others may not have them.
    """
    return _added(installed(file=file), part, is_one, frozenset(taken))


@lru_cache(maxsize=16)
def _installed(path: tuple[str, ...]) -> tuple[Extension, ...]:
    if not any(_may_have_plugins(folder) for folder in path):
        return ()
    from importlib.metadata import distributions  # takes longer than the check of a file

    extensions: dict[tuple[str, str], Extension] = {}
    for package in distributions(path=list(path)):
        try:
            points = package.entry_points.select(group=GROUP)
        except (TypeError, ValueError):  # no package at all, or one that is damaged
            continue
        for point in points:
            origin, name = str(package.locate_file("")), str(package.name)
            key = name, point.name  # as in imports, the first folder that has a package counts
            extensions.setdefault(
                key, Extension(point.name, name, str(package.version), origin, point.value, path)
            )
    return tuple(extensions[key] for key in sorted(extensions, key=lambda key: key[::-1]))


@lru_cache(maxsize=64)
def _loaded(extension: Extension) -> Plugin | ExtensionError:
    try:
        return extension.plugin()
    except ExtensionError as error:
        return error


def _parts(
    part: Callable[[Plugin], Iterable[tuple[str, object]]], plugin: Plugin
) -> tuple[tuple[str, object], ...]:
    return tuple(part(plugin))


@lru_cache(maxsize=16)
def _added(
    extensions: tuple[Extension, ...],
    part: Callable[[Plugin], Iterable[tuple[str, object]]],
    is_one: Callable[[object], TypeGuard[T]],
    taken: frozenset[str],
) -> Added[T]:
    found: list[tuple[Extension, T]] = []
    refused: list[str] = []
    for extension in extensions:
        plugin = _loaded(extension)
        if isinstance(plugin, ExtensionError):
            refused.append(str(plugin))
            continue
        try:
            parts = extension.call(partial(_parts, part, plugin))
        except ExtensionError as error:
            refused.append(str(error))
            continue
        for name, value in parts:
            origin = extension._replace(name=str(name))
            if is_one(value):
                found.append((origin, value))
            else:
                refused.append(str(origin.unfit(f"it is of type {type(value).__name__}")))
    counts = Counter(origin.name for origin, _ in found)
    usable: dict[str, T] = {}
    origins: dict[str, Extension] = {}
    for origin, value in found:
        if origin.name in taken:
            refused.append(str(origin.unfit("evalmark has this name itself")))
        elif counts[origin.name] > 1:
            refused.append(str(origin.unfit("another package has this name too")))
        else:
            usable[origin.name], origins[origin.name] = value, origin
    return Added(usable, origins, tuple(refused))


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


def _may_have_plugins(folder: str) -> bool:
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
            if f"[{GROUP}]".encode() in raw:
                return True
    return any(name.endswith(".egg") for name in names)


@contextmanager
def _importing_from(path: tuple[str, ...]) -> Iterator[None]:
    before = list(sys.path)
    sys.path[:] = path
    try:
        yield
    finally:
        sys.path[:] = before
