"""The commands of the command line and their parameters, as typer has made them."""

from __future__ import annotations

import typer
from evalmark.cli.main import app


def _commands(group, words=()):
    for name in group.list_commands(None):
        command = group.get_command(None, name)
        yield " ".join((*words, name)), command
        if hasattr(command, "list_commands"):
            yield from _commands(command, (*words, name))


#: Every command and group by its words.
EVERYTHING = dict(_commands(typer.main.get_command(app)))
GROUPS = [words for words, command in EVERYTHING.items() if hasattr(command, "list_commands")]
COMMANDS = [words for words in EVERYTHING if words not in GROUPS]


def parameters_of(command):
    """The arguments and options of a command, without ``--help``."""
    return [p for p in EVERYTHING[command].params if p.name != "help"]


def values_of(parameter):
    """The values that an option is completed with; none if it has any others."""
    return [item.value for item in parameter.shell_complete(None, "")]


def flags_of(parameter):
    """The option as it is typed; nothing for an argument."""
    return [flag for flag in parameter.opts if flag.startswith("-")]


#: Each command with each of its parameters.
PARAMETERS = [(command, parameter) for command in COMMANDS for parameter in parameters_of(command)]
FLAGS = {flag for _, parameter in PARAMETERS for flag in flags_of(parameter)}
