"""Commands and groups as typer makes them, with options listed under the headings of the help."""

from __future__ import annotations

from collections.abc import Callable
from textwrap import fill
from typing import Any, TypeVar

import typer
from evalmark.schemas.errors import UnknownNameError
from typer.core import TyperCommand, TyperGroup


class Details(str):
    """Text about an option beyond its help, in ``Annotated``: the page of commands shows it too."""


class Command(TyperCommand):
    """A command that lists its options by ``rich_help_panel`` in plain text, too."""

    def format_options(self, ctx: Any, formatter: Any) -> None:
        """Write arguments and options; ``--help`` is the last of them."""
        panels: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            is_argument = parameter.param_type_name == "argument"
            panel = "Arguments" if is_argument else getattr(parameter, "rich_help_panel", None)
            if record := parameter.get_help_record(ctx):
                panels.setdefault(panel or next(reversed(panels), "Options"), []).append(record)
        for panel, records in panels.items():
            width = formatter.width - min(max(len(term) for term, _ in records), 30) - 4
            with formatter.section(panel):
                formatter.write_dl([(term, _lines(text, width)) for term, text in records])


def _lines(text: str, width: int) -> str:
    """Lines that are not wrapped again: names with hyphens stay whole."""
    return "\b\n" + fill(text, width, break_on_hyphens=False, break_long_words=False)


class CommandGroup(TyperGroup):
    """A group that suggests a command for an unknown one."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command that runs, its name and its arguments."""
        names = self.list_commands(ctx)
        if args[0] not in names and not args[0].startswith("-"):
            ctx.fail(str(UnknownNameError("command", args[0], names)))
        return super().resolve_command(ctx, args)


Function = TypeVar("Function", bound=Callable[..., None])


class App(typer.Typer):
    """The commands of a module."""

    def with_examples(
        self,
        *examples: str,
        exit_code: str = "0 done, 2 something failed",
    ) -> Callable[[Function], Function]:
        """Register a command; examples of it and its exit codes are shown below its help."""
        shown = "".join(f"\n  {example}" for example in examples)
        epilog = f"\n\b\nExamples:{shown}\n\nExit code: {exit_code}.\n"
        return self.command(cls=Command, epilog=epilog)


def new_app(**settings: Any) -> App:
    """The app of a module, whose help is plain text; ``settings`` are those of ``typer.Typer``."""
    plain = {
        "cls": CommandGroup,
        "add_completion": False,
        "rich_markup_mode": None,
        "context_settings": {"help_option_names": ["-h", "--help"]},
    }
    return App(**{**plain, **settings})
