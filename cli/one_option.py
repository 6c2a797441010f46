"""What an entry of the table of options is."""

from __future__ import annotations

from importlib import import_module
from typing import NamedTuple

#: Heading of the help under which most options appear.
SHOWING = "Output"


class Option(NamedTuple):
    """One option, or one argument if it has no flags.

    Attributes:
        help: What it does, in one sentence if possible.
        group: Heading of the help under which it appears.
        flags: As typed; empty for an argument.
        metavar: Placeholder for the value; an option without metavar and choices is a switch.
        choices: Allowed values. ``module:TABLE`` means the keys of that table.
        least: Smallest allowed number.
        stdout: Of what is written: whether `-` is standard output, as without the option; else it
            is refused. None for all others.
        is_open: Whether other packages add values to the choices; the command refuses the others.
    """

    help: str
    group: str = SHOWING
    flags: tuple[str, ...] = ()
    metavar: str = ""
    choices: tuple[str, ...] = ()
    least: float | None = None
    stdout: bool | None = None
    is_open: bool = False

    @property
    def is_switch(self) -> bool:
        """Whether it takes no value."""
        return bool(self.flags) and not (self.metavar or self.choices)

    def known(self) -> tuple[str, ...]:
        """The allowed values; empty if any value is allowed."""
        found: list[str] = []
        for choice in self.choices:
            module, _, table = choice.partition(":")
            found += getattr(import_module(module), table) if table else [choice]
        return tuple(found)
