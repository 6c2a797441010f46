"""The commands by name; the module of a command is imported when it runs."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, Annotated, Any, TypeGuard

import typer
from evalmark.cli.command import CommandGroup, new_app
from evalmark.memory import register
from evalmark.schemas.errors import EvalmarkError
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.terminal import COULD_NOT_RUN, INTERRUPTED, forgiving_streams, guarded
from typer.core import TyperCommand, TyperGroup

if TYPE_CHECKING:
    from evalmark.validator.io.extensions import Extension

EPILOG = """
\b
Examples:
  evalmark check suites/
  evalmark convert --in-place old-suite.json
  evalmark score suites/*.json --model gpt2 --out results/

Exit code: 0 clean or done, 1 findings or refusals, 2 something failed.
"""
#: Shown if no command is given.
BEGINNING = """\
evalmark checks, converts and scores the files of language-model evaluation.

What to do next:
  evalmark serve             write a suite on a page that has three examples
  evalmark init my-suites    begin a folder of suites, with a first suite in it
  evalmark check FILES       check files; `evalmark explain CODE` explains a finding
  evalmark convert FILES     bring older or other formats to the current ones
  evalmark score demo --model demo --out results
                             run a model on a suite, here those of evalmark;
                             `evalmark report results` makes a page of it

`evalmark --help` lists all commands, `evalmark help COMMAND` explains one."""
#: Set by shells that ask for completions; they give no arguments either.
COMPLETION = "_EVALMARK_COMPLETE"
#: typer raises it for a wrong command line; its module depends on typer's version.
USAGE_ERROR: Any = typer.BadParameter.__bases__[0]

#: Entry points of other packages, each of which names the ``typer.Typer`` of a command: read for a
#: word that is not a command of ours, and for lists. A package is imported when its command runs.
GROUP = "evalmark.commands"
#: Command -> its line in the help: what is done with files and runs.
MAIN = {
    "check": "Check suites, records and conversations.",
    "convert": "Convert files of older or other formats to the current ones.",
    "score": "Score suites or minimal pairs with a model; write a record.",
    "compare": "Compare two runs over the same items.",
    "verify": "Verify a record: from its samples, and by scoring some again.",
    "report": "Write a report of runs: an HTML page.",
}
#: The others; the docstring of what imports the app of a room says that of it.
MORE = {
    "table": "Write a table of records, with a row for each result.",
    "publish": "Publish records as a website.",
    **{name: app.__doc__ or "" for name, app in register.commands().items()},
    "serve": "Open a page where suites are written, checked and scored, or write it as a site.",
    "lsp": "Check files in an editor, while they are written: a language server.",
    "init": "Set up a suite repository: hook, settings, README, a first suite.",
    "explain": "Explain a rule or a format; without a name, list them.",
    "schema": "Print a bundled JSON schema.",
}
COMMANDS = {**MAIN, **MORE}


def _app(name: str) -> typer.Typer:
    """The app of the module that a command is in; no other is imported."""
    if name in register.commands():
        return register.commands()[name]()
    match name:
        case "check":
            from evalmark.cli.check import app
        case "convert":
            from evalmark.cli.convert import app
        case "score":
            from evalmark.cli.score import app
        case "verify":
            from evalmark.cli.verify import app
        case "compare":
            from evalmark.cli.compare import app
        case "report":
            from evalmark.cli.report import app
        case "table" | "publish":
            from evalmark.cli.table import app
        case "serve" | "lsp":
            from evalmark.cli.serve import app
        case "init":
            from evalmark.cli.init import app
        case _:
            from evalmark.cli.reference import app
    return app


def added_commands() -> tuple[dict[str, Extension], list[str]]:
    """Name -> where a command of another package is from; a line for each that is not used."""
    from evalmark.validator.io.extensions import installed, named  # few calls look for packages

    return named(installed(GROUP), COMMANDS)


def _is_app(value: object) -> TypeGuard[typer.Typer]:
    return isinstance(value, typer.Typer)


class LazyCommands(CommandGroup):
    """Commands whose modules are imported when they are run, not when they are listed."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Names, in the order of the help; those of other packages come last."""
        return [*COMMANDS, *added_commands()[0]]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """An entry in lists of commands: a name, and its line or the package that it is from."""
        if cmd_name in COMMANDS:
            return TyperCommand(cmd_name, short_help=COMMANDS[cmd_name])
        if origin := added_commands()[0].get(cmd_name):
            line = shown(f"of {origin.package} {origin.version}")
            return TyperCommand(cmd_name, short_help=line)
        return None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write our commands, then those of other packages and what is not used of these."""
        origins, refused = added_commands()
        theirs = [(name, self.get_command(ctx, name).short_help) for name in origins]
        ours = [("Commands", [*MAIN.items()]), ("More commands", [*MORE.items()])]
        for title, rows in (*ours, ("Commands of packages", theirs)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
        for line in refused:
            formatter.write(f"\n{line}\n")

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that runs, from its module; a package is only looked for if none is ours."""
        name, *rest = args
        if name in COMMANDS:
            return name, load(name), rest
        if origin := added_commands()[0].get(name):
            ctx.invoked_subcommand = name
            return name, typer.main.get_command(origin.load(_is_app)), rest
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; a bug in one of another package is said of that package."""
        try:
            return super().invoke(ctx)
        except (EvalmarkError, OSError, typer.Exit, typer.Abort, USAGE_ERROR.__bases__[0]):
            raise
        except Exception as error:
            if origin := added_commands()[0].get(ctx.invoked_subcommand):
                raise origin.fault(error, "failed") from error
            raise


def load(name: str) -> Any:
    """The command ``name``, ready to run; its module may have others."""
    command = typer.main.get_command(_app(name))
    return command.commands.get(name, command) if isinstance(command, TyperGroup) else command


app = new_app(
    cls=LazyCommands, add_completion=True, no_args_is_help=True, pretty_exceptions_enable=False
)


def _version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"evalmark {version('evalmark')}")
        raise typer.Exit


@app.callback(epilog=EPILOG)
def evalmark(
    _: Annotated[
        bool,
        typer.Option(
            "--version", "-V", callback=_version, is_eager=True, help="Print the version."
        ),
    ] = False,
) -> None:
    """Check, convert and score the files of language-model evaluation."""


def main(arguments: list[str] | None = None) -> int:
    """Run ``evalmark``; its exit code."""
    forgiving_streams()
    return guarded(lambda: _run(arguments))


def _run(arguments: list[str] | None) -> int:
    words = sys.argv[1:] if arguments is None else arguments
    if (not words and COMPLETION not in os.environ) or words == ["help"]:
        typer.echo(BEGINNING)
        return 0 if words else COULD_NOT_RUN
    try:
        if words[:1] == ["help"]:
            arguments = [*_command_of(words[1:]), "--help"]
        return int(app(arguments, prog_name="evalmark", standalone_mode=False) or 0)
    except USAGE_ERROR as error:
        if close := getattr(error, "possibilities", None):
            error.message = f"unknown option {error.option_name!r}; did you mean {close[0]!r}?"
            error.possibilities = None
        error.message = "\n".join(map(shown, error.message.split("\n")))
        error.show()
        return COULD_NOT_RUN
    except typer.Abort:
        return INTERRUPTED


def _command_of(words: list[str]) -> list[str]:
    """The command that help is wanted for; only those of packages have commands in them."""
    if words[1:] and words[0] in COMMANDS:
        raise USAGE_ERROR(f"help takes one command: `evalmark help {words[0]}`")
    return words


if __name__ == "__main__":
    sys.exit(main())
