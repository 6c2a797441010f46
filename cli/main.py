"""The commands by name; a command's module is imported only when it runs."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any

import typer
from evalmark.cli.typed import GroupedCommand
from evalmark.schemas.errors import UnknownNameError
from evalmark.validator.edge.escaping import shown
from evalmark.validator.edge.lines import (
    COULD_NOT_RUN,
    INTERRUPTED,
    forgiving_streams,
    guarded,
)
from typer.core import TyperCommand, TyperGroup

#: Command → its line in the help. The module of the same name has its function ``command``.
COMMANDS: dict[str, str] = {
    "check": "Check suites, records and conversations; say what is wrong, and what to write.",
    "convert": "Write a file of an older or other form in the current one.",
    "score": "Score suites with a language model and write a record.",
    "compare": "Compare two runs over the same items.",
    "converse": "Run tests of conversational memory with a model and write a record.",
    "rescore": "Score the results of conversations again, and show what differs.",
    "report": "Draw what runs found: a page of one file, or a picture.",
    "explain": "Say what a rule is about, with a bad and a good example.",
    "rules": "List all rules.",
    "schema": "Print a bundled JSON schema.",
    "init": "Set up a suite repository: hook, settings, a first suite.",
}

EPILOG = """Examples:

evalmark check suites/

evalmark convert --in-place old-suite.json

evalmark score suites/*.json --model gpt2 --out results/
"""


#: What typer raises for a wrong command line; where its class lives depends on typer's version.
USAGE_ERROR: Any = typer.BadParameter.__bases__[0]


class LazyCommands(TyperGroup):
    """Commands whose modules are loaded when they are run, not when they are listed."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Names, in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """What the list of commands shows: a name and its line."""
        if cmd_name not in COMMANDS:
            return None
        return TyperCommand(cmd_name, help=COMMANDS[cmd_name])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that runs, from its module."""
        if args[0] not in COMMANDS and not args[0].startswith("-"):
            ctx.fail(str(UnknownNameError("command", args[0], COMMANDS)))
        name, _, rest = super().resolve_command(ctx, args)
        return name, load(args[0]), rest


def load(name: str) -> Any:
    """The command ``name``, ready to run."""
    module = import_module(f"evalmark.cli.{name}")
    app = typer.Typer(
        add_completion=False,
        pretty_exceptions_enable=False,
        rich_markup_mode=None,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.command(name, cls=GroupedCommand, epilog=module.EPILOG)(module.command)
    return typer.main.get_command(app)


app = typer.Typer(
    cls=LazyCommands,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Check, convert and score the files that language-model evaluation lives on.",
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"evalmark {version('evalmark')}")
        raise typer.Exit


@app.callback()
def _root(
    _: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    pass


def main(arguments: list[str] | None = None) -> int:
    """Run ``evalmark``; its exit code."""
    forgiving_streams()
    return guarded(lambda: _run(arguments))


def _run(arguments: list[str] | None) -> int:
    try:
        return int(app(arguments, standalone_mode=False) or 0)
    except USAGE_ERROR as error:
        error.message = shown(error.message)  # it may hold words from the command line
        error.show()
        return COULD_NOT_RUN
    except typer.Abort:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
