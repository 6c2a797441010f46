"""Commands of other packages: entry points of the group ``evalmark.commands``.

Each names a ``typer.Typer``. They are read for a word that is no command of ours, and for lists of
commands; a package is imported when its command runs.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeGuard

import typer
from evalmark.validator.io.environment import may_add, trusted_path
from evalmark.validator.io.escaping import shown

if TYPE_CHECKING:
    from evalmark.validator.io.extensions import Extension

GROUP = "evalmark.commands"


class AddedCommands(NamedTuple):
    """The commands of other packages.

    Attributes:
        origins: Name -> where it is from.
        refused: A line for each that is not used.
    """

    origins: Mapping[str, Extension]
    refused: list[str]

    def package_of(self, name: str) -> str:
        """The package that a command is of, in words."""
        return shown(f"of {self.origins[name].package} {self.origins[name].version}")


def added_commands(ours: Collection[str]) -> AddedCommands:
    """The commands of other packages; none has a name of ours."""
    if not may_add(GROUP, trusted_path("")):
        return AddedCommands({}, [])
    from evalmark.validator.io.extensions import installed, named

    return AddedCommands(*named(installed(GROUP), ours))


def load_added(extension: Extension) -> Any:
    """The command of another package, ready to run.

    Raises:
        ExtensionError: It cannot be imported, or has no commands.
    """
    app = extension.load(_is_app)
    try:
        return typer.main.get_command(app)
    except Exception as error:  # an app without commands, parameters of unknown types
        raise extension.fault(error, "cannot be loaded") from error


def _is_app(value: object) -> TypeGuard[typer.Typer]:
    return isinstance(value, typer.Typer)
