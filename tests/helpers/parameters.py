"""The commands of the command line and their parameters, as typer has made them."""

from evalmark.cli import main

#: Every command and group by its words.
EVERYTHING = {name: main.load(name) for name in main.commands()}
for name, group in [*EVERYTHING.items()]:
    for word, command in getattr(group, "commands", {}).items():
        EVERYTHING[f"{name} {word}"] = command
GROUPS = [words for words, command in EVERYTHING.items() if hasattr(command, "commands")]
COMMANDS = [words for words in EVERYTHING if words not in GROUPS]


def parameters_of(command):
    """The arguments and options of a command, without ``--help``."""
    return [p for p in EVERYTHING[command].params if p.name != "help"]


def values_of(parameter):
    """The values that an option is completed with; none if it has any others."""
    is_choice = hasattr(parameter.type, "func")  # what reads a value refuses all others
    return [item.value for item in parameter.shell_complete(None, "")] if is_choice else []


def flags_of(parameter):
    """The option as it is typed; nothing for an argument."""
    return [flag for flag in parameter.opts if flag.startswith("-")]


#: Each command with each of its parameters.
PARAMETERS = [(command, parameter) for command in COMMANDS for parameter in parameters_of(command)]
FLAGS = {flag for _, parameter in PARAMETERS for flag in flags_of(parameter)}
