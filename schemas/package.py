"""The project's address, and public names that load when they are first used."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

#: Stands for a clone in texts and in the files that ``evalmark init`` writes, while the project has
#: no address: nobody must be led to install from one that somebody else could take.
CLONE = "/path/to/evalmark"


@cache
def address(label: str = "Repository") -> str | None:
    """A URL of ``[project.urls]``, by default of the repository; None while that is not set.

    The metadata of the installed package has it. Reading that takes longer than checking a file, so
    only outputs that need it ask.
    """
    from importlib.metadata import metadata

    for line in metadata("evalmark").get_all("Project-URL") or ():
        name, _, url = line.partition(",")
        if name.strip().casefold() == label.casefold():
            return str(url).strip().rstrip("/")
    return None


def clone() -> Path | None:
    """The clone that this evalmark runs from; None if it was installed elsewhere."""
    from pathlib import Path  # checks do without

    root = Path(__file__).resolve().parent.parent
    return root if (root / ".git").exists() and (root / ".pre-commit-hooks.yaml").exists() else None


def requirement(extra: str) -> str:
    """The argument of ``pip install`` for this version of evalmark with an extra."""
    from importlib.metadata import version

    if home := address():
        return f"evalmark[{extra}] @ git+{home}@v{version('evalmark')}"
    return f"{clone() or CLONE}[{extra}]"


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
