"""The commands by name; the module of a command is imported when it runs."""

from __future__ import annotations

import inspect
import os
import sys
from collections.abc import Callable, Iterable
from functools import cache
from typing import Annotated, Any, TypeGuard

import typer
from evalmark.cli.command import CommandGroup, new_app, typer_command
from evalmark.schemas.errors import EvalmarkError, UnknownNameError
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.extensions import Added, Extension, Plugin, added, own_plugins
from evalmark.validator.io.terminal import COULD_NOT_RUN, INTERRUPTED, forgiving_streams, guarded
from typer.core import TyperCommand

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

#: Command -> its line in the help: what is done with files and runs.
MAIN = {
    "check": "Check suites, records and conversations.",
    "convert": "Convert files of older or other formats to the current ones.",
    "score": "Score suites or minimal pairs with a model; write a record.",
    "compare": "Compare two runs over the same items.",
    "verify": "Verify a record: from its samples, and by scoring some again.",
    "report": "Write a report of runs: an HTML page.",
}
#: Those that help to use it.
HELP = {
    "init": "Set up a suite repository: hook, settings, README, a first suite.",
    "explain": "Explain a rule or a format; without a name, list them.",
    "schema": "Print a bundled JSON schema.",
}


def declared(name: str) -> Any:
    """A command of evalmark, from its module; no other is imported."""
    match name:
        case "check":
            from evalmark.cli.check import check

            return check
        case "convert":
            from evalmark.cli.convert import convert

            return convert
        case "score":
            from evalmark.cli.score import score

            return score
        case "verify":
            from evalmark.cli.verify import verify

            return verify
        case "compare":
            from evalmark.cli.compare import compare

            return compare
        case "report":
            from evalmark.cli.report import report

            return report
        case "init":
            from evalmark.cli.init import init

            return init
        case "explain":
            from evalmark.cli.reference import explain

            return explain
        case "schema":
            from evalmark.cli.reference import schema

            return schema
        case _:
            return own_commands()[name]()


@cache
def own_commands() -> dict[str, Callable[[], object]]:
    """The commands of our applications, each with what returns it as it is declared."""
    plugins = own_plugins()
    return {name: app for plugin in plugins for name, app in plugin.commands.items()}


@cache
def commands() -> dict[str, str]:
    """Command of evalmark -> its line in the help, in the order of the help."""
    lines = {name: inspect.getdoc(app) or "" for name, app in own_commands().items()}
    return {**MAIN, **lines, **HELP}


def added_commands() -> Added[Callable[[], object]]:
    """The commands of other packages."""
    return added(_commands_of, _is_function, taken=commands())


def _commands_of(plugin: Plugin) -> Iterable[tuple[str, object]]:
    return plugin.commands.items()


def _is_function(value: object) -> TypeGuard[Callable[[], object]]:
    return callable(value)


def _added_app(origin: Extension, function: Callable[[], object]) -> typer.Typer:
    app = origin.call(function)
    if isinstance(app, typer.Typer):
        return app
    raise origin.unfit(f"it is of type {type(app).__name__}, not a typer.Typer")


class LazyCommands(CommandGroup):
    """Commands whose modules are imported when they are run, not when they are listed."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002
        """Names, in the order of the help; those of other packages come last."""
        return [*commands(), *added_commands().usable]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        """An entry in lists of commands: a name, and its line or the package that it is from."""
        if line := commands().get(cmd_name):
            return TyperCommand(cmd_name, short_help=line)
        if origin := added_commands().origins.get(cmd_name):
            line = shown(f"of {origin.package} {origin.version}")
            return TyperCommand(cmd_name, short_help=line)
        return None

    def format_commands(self, ctx: Any, formatter: Any) -> None:
        """Write our commands, then those of other packages and what is not used of these."""
        others = added_commands()
        theirs = [(name, self.get_command(ctx, name).short_help) for name in others.usable]
        more = [(name, line) for name, line in commands().items() if name not in MAIN]
        ours = [("Commands", [*MAIN.items()]), ("More commands", more)]
        for title, rows in (*ours, ("Commands of packages", theirs)):
            if rows:
                with formatter.section(title):
                    formatter.write_dl(rows)
        for line in others.refused:
            formatter.write(f"\n{line}\n")

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that runs, from its module; a package is only looked for if none is ours."""
        name, *rest = args
        if name in MAIN or name in HELP or name in own_commands():
            return name, load(name), rest
        others = added_commands()
        if function := others.usable.get(name):
            ctx.invoked_subcommand = name
            app = _added_app(others.origins[name], function)
            return name, typer.main.get_command(app), rest
        if others.refused and not name.startswith("-"):
            error = UnknownNameError("command", name, self.list_commands(ctx))
            ctx.fail("\n".join([str(error), *others.refused]))
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: Any) -> Any:
        """Run a command; a bug in one of another package is said of that package."""
        try:
            return super().invoke(ctx)
        except (EvalmarkError, OSError, typer.Exit, typer.Abort, USAGE_ERROR.__bases__[0]):
            raise
        except Exception as error:
            if origin := added_commands().origins.get(ctx.invoked_subcommand):
                raise origin.fault(error, "failed") from error
            raise


def load(name: str) -> Any:
    """The command ``name``, ready to run."""
    return typer_command(declared(name))


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
    if words[1:] and words[0] in commands():
        raise USAGE_ERROR(f"help takes one command: `evalmark help {words[0]}`")
    return words


if __name__ == "__main__":
    sys.exit(main())
