"""The address and source of the package, and public names that load when they are first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

#: The name of the installed distribution.
NAME = "evalmark"


@cache
def address(label: str = "Repository") -> str | None:
    """A URL of ``[project.urls]``, by default of the repository; None while that is not set.

    Reading the metadata takes longer than checking a file: only outputs that need it ask.
    """
    from importlib.metadata import metadata

    for line in metadata(NAME).get_all("Project-URL") or ():
        name, _, url = line.partition(",")
        if name.strip().casefold() == label.casefold():
            return str(url).strip().rstrip("/")
    return None


class InstallSource(NamedTuple):
    """Where evalmark was installed from."""

    place: str  # a folder or a wheel on this machine, else the URL of a repository or an archive
    commit: str = ""  # the commit of a repository; empty otherwise

    @property
    def is_local(self) -> bool:
        """True if the place is a path."""
        return "://" not in self.place

    def requirement(self, extra: str = "") -> str:
        """The argument of ``pip install`` for this source with an extra."""
        extras = f"[{extra}]" if extra else ""
        if self.is_local:
            return f"{self.place}{extras}"
        return (
            f"{NAME}{extras} @ {f'git+{self.place}@{self.commit}' if self.commit else self.place}"
        )


def source() -> InstallSource | None:
    """Where evalmark was installed from (PEP 610); None if pip took it from an index by name."""
    import json
    from importlib.metadata import distributions

    # A build leaves an .egg-info in a clone, which says nothing about the installation.
    installed = (dist for dist in distributions(name=NAME) if dist.read_text("METADATA"))
    text = next((dist.read_text("direct_url.json") for dist in installed), None)
    written = json.loads(text or "{}")
    url = written.get("url", "")
    if url.startswith("file://") and "vcs_info" not in written:
        from urllib.parse import unquote, urlsplit

        path = unquote(urlsplit(url).path)
        return InstallSource(path[1:] if path[2:3] == ":" else path)  # /C:/evalmark
    return InstallSource(url, written.get("vcs_info", {}).get("commit_id", "")) if url else None


def requirement(extra: str) -> str:
    """The argument of ``pip install`` that adds an extra to this evalmark."""
    place = source()
    return place.requirement(extra) if place else f"{NAME}[{extra}]"


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package; ``homes`` has the module of each name."""

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    def names() -> list[str]:
        return sorted(homes)

    return get, names
