"""The package's own metadata, and public names that load when they are first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from typing import Any

#: Where the project lives on the web. Until that is known, texts refer to a clone: nobody must be
#: led to install from an address that somebody else could take.
ADDRESS: str | None = None

#: What stands for a clone in texts and in the files that ``evalmark init`` writes.
CLONE = "/path/to/evalmark"


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """``__getattr__`` and ``__dir__`` of a package whose names live in other modules.

    Args:
        package: The ``__name__`` of the package.
        homes: Public name -> the module that defines it.
    """

    def get(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        return getattr(import_module(homes[name]), name)

    def names() -> list[str]:
        return sorted(homes)

    return get, names
