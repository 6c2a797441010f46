"""The commands by name; a command's module is imported only when it runs."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from importlib import import_module
from typing import Annotated, Any, NamedTuple

import typer
from evalmark.cli.typed import GroupedCommand, listed, wrapped
from evalmark.schemas.errors import UnknownNameError
from evalmark.validator.edge.escaping import shown
from evalmark.validator.edge.lines import (
    COULD_NOT_RUN,
    INTERRUPTED,
    forgiving_streams,
    guarded,
)
from typer.core import TyperCommand, TyperGroup

#: Command → its line in the help. Its function is ``command`` in the module of the same name,
#: unless ``HOMES`` says otherwise.
COMMANDS: dict[str, str] = {
    "check": "Check suites, records and conversations.",
    "convert": "Convert files of older or other formats to the current ones.",
    "score": "Score suites or minimal pairs with a model; write a record.",
    "compare": "Compare two runs over the same items.",
    "converse": "Run conversational memory tests and write a record.",
    "rescore": "Score the results of conversations again and show differences.",
    "judge": "Measure a judge, or compare two, on the same answers.",
    "babylm": "Check or write prediction files of the BabyLM Challenge.",
    "report": "Write a report of runs: an HTML page or a picture.",
    "store": "Read records into a table, and ask it questions.",
    "publish": "Write a static site of a store.",
    "serve": "Open a page where suites are written, checked and scored.",
    "site": "Write the page as static files: suites and records are checked in the browser.",
    "explain": "Explain a rule, with a bad and a good example.",
    "rules": "List all rules.",
    "formats": "List the formats that are checked.",
    "schema": "Print a bundled JSON schema.",
    "init": "Set up a suite repository: hook, settings, a first suite.",
}
HOMES = {
    "judge": ("judging.judge", "command", "EPILOG"),
    "publish": ("stores.publish", "command", "EPILOG"),
    "babylm": ("converting.babylm", "command", "EPILOG"),
    "serve": ("serving.serve", "command", "EPILOG"),
    "site": ("serving.site", "command", "EPILOG"),
    **{
        name: ("reference", name, f"{name.upper()}_EPILOG")
        for name in ("explain", "rules", "formats", "schema")
    },
}

HELP = "Check, convert and score the files of language-model evaluation."
EPILOG = """
Examples:
  evalmark check suites/
  evalmark convert --in-place old-suite.json
  evalmark score suites/*.json --model gpt2 --out results/

Exit code: 0 clean or done, 1 findings or refusals, 2 something failed.
"""
SETTINGS: dict[str, Any] = {
    "pretty_exceptions_enable": False,
    "rich_markup_mode": None,
    "context_settings": {"help_option_names": ["-h", "--help"]},
}
#: What typer raises for a wrong command line; where its class lives depends on typer's version.
USAGE_ERROR: Any = typer.BadParameter.__bases__[0]


class CommandTable(NamedTuple):
    """The commands of a program, or of a group in it.

    Attributes:
        commands: Command -> its line in the help.
        homes: See ``HOMES``.
        room: What the names of the modules of other commands begin with.
        help: The first line of the help.
        epilog: Its end.
    """

    commands: Mapping[str, str]
    homes: Mapping[str, tuple[str, str, str]]
    room: str
    help: str
    epilog: str


#: Command with commands of its own -> the module of their table.
GROUPS = {"store": "stores.commands"}


class LazyCommands(TyperGroup):
    """Commands whose modules are loaded when they are run, not when they are listed."""

    table = CommandTable(COMMANDS, HOMES, "", HELP, EPILOG)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Names, in the order of the help."""
        return list(self.table.commands)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """What the list of commands shows: a name and its line."""
        if cmd_name not in self.table.commands:
            return None
        return TyperCommand(cmd_name, help=self.table.commands[cmd_name])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that runs, from its module."""
        if args[0] not in self.table.commands and not args[0].startswith("-"):
            ctx.fail(str(UnknownNameError("command", args[0], self.table.commands)))
        name, _, rest = super().resolve_command(ctx, args)
        return name, load(args[0], self.table), rest

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help: usage, commands, options, examples."""
        width = formatter.width + 2  # typer leaves a margin
        self.format_usage(ctx, formatter)
        formatter.write("\n" + wrapped(self.table.help, width) + "\nCommands:\n")
        formatter.write("".join(listed(*line, width) for line in self.table.commands.items()))
        records = [p.get_help_record(ctx) for p in self.get_params(ctx)]
        formatter.write("\nOptions:\n")
        formatter.write("".join(listed(*record, width) for record in records if record))
        formatter.write(self.table.epilog)


def load(name: str, table: CommandTable = LazyCommands.table) -> Any:
    """The command ``name``, ready to run."""
    if table is LazyCommands.table and name in GROUPS:
        return _group(GROUPS[name])
    home, function, epilog = table.homes.get(name, (table.room + name, "command", "EPILOG"))
    module = import_module(f"evalmark.cli.{home}")
    app = typer.Typer(add_completion=False, **SETTINGS)
    app.command(name, cls=GroupedCommand, epilog=getattr(module, epilog))(getattr(module, function))
    return typer.main.get_command(app)


def _group(home: str) -> Any:
    """The commands of a group."""
    module = import_module(f"evalmark.cli.{home}")
    room = f"{home.rpartition('.')[0]}."
    homes = getattr(module, "HOMES", {})
    table = CommandTable(module.COMMANDS, homes, room, module.HELP, module.EPILOG)
    group = type("LazyGroup", (LazyCommands,), {"table": table})
    app = typer.Typer(cls=group, no_args_is_help=True, add_completion=False, **SETTINGS)
    app.callback()(_nothing)
    return typer.main.get_command(app)


def _nothing() -> None:
    pass


app = typer.Typer(cls=LazyCommands, no_args_is_help=True, **SETTINGS)


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
        return int(app(arguments, prog_name="evalmark", standalone_mode=False) or 0)
    except USAGE_ERROR as error:
        if close := getattr(error, "possibilities", None):
            error.message = str(UnknownNameError("option", error.option_name, close))
            error.possibilities = None
        error.message = "\n".join(map(shown, error.message.split("\n")))
        error.show()
        return COULD_NOT_RUN
    except typer.Abort:
        return INTERRUPTED


if __name__ == "__main__":
    sys.exit(main())
