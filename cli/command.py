"""Commands as typer makes them, from what they declare, with options under headings of the help."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import MISSING, fields
from functools import wraps
from inspect import Parameter, Signature
from textwrap import fill
from typing import Annotated, Any, TypeVar, get_args, get_origin

import typer
from evalmark.schemas.errors import EvalmarkError, UnknownNameError
from evalmark.validator.options.declaration import Argument, Command, Option
from typer.core import TyperCommand, TyperGroup

T = TypeVar("T")


class PanelCommand(TyperCommand):
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


def new_app(**settings: Any) -> typer.Typer:
    """An app whose help is plain text; ``settings`` are those of ``typer.Typer``."""
    plain = {
        "cls": CommandGroup,
        "add_completion": False,
        "rich_markup_mode": None,
        "context_settings": {"help_option_names": ["-h", "--help"]},
    }
    return typer.Typer(**{**plain, **settings})


def typer_command(command: Command[T]) -> TyperCommand:
    """A declared command, as typer runs it."""
    app = new_app()
    app.command(cls=PanelCommand, epilog=_epilog(command))(typed_function(command))
    made = typer.main.get_command(app)
    assert isinstance(made, TyperCommand)
    return made


def _epilog(command: Command[T]) -> str:
    """Examples, then notes, in lines that typer does not join."""
    notes = "\n".join(command.notes)
    if len(command.examples) == 1:
        return f"\n\b\nExample: {command.examples[0]}\n{notes}\n"
    shown = "".join(f"\n  {example}" for example in command.examples)
    return f"\n\b\nExamples:{shown}\n\n{notes}\n"


def typed_function(command: Command[T]) -> Callable[..., None]:
    """The function of a command with a parameter for each option, whose signature typer reads."""
    defaults = {option.name: option.default for option in fields(command.options)}  # type: ignore[arg-type]
    parameters = [
        _parameter(name, kind, option, defaults[name])
        for name, (kind, option) in command.declared().items()
    ]

    def run(**values: Any) -> None:
        chosen = {name: value for name, value in values.items() if value is not None}
        raise typer.Exit(command.function(command.options(**chosen)) or 0)

    run.__name__, run.__doc__ = command.function.__name__, command.function.__doc__
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    vars(run)["__signature__"] = Signature(parameters)
    return run


def _parameter(name: str, kind: Any, option: Option, default: Any) -> Parameter:
    keywords: dict[str, Any] = {**option.keywords}
    for key in keywords.keys() & {"parser", "callback"}:
        keywords[key] = as_wrong_call(keywords[key])
    make: Any = typer.Argument if isinstance(option, Argument) else typer.Option
    if get_origin(kind) in (Sequence, Collection):  # typer has lists, whose default is None
        kind = list[get_args(kind)]  # type: ignore[misc]
        kind, default = (kind, default) if default is MISSING else (kind | None, None)
    return Parameter(
        name,
        Parameter.KEYWORD_ONLY,
        annotation=Annotated[kind, make(*option.names, **keywords)],
        default=Parameter.empty if default is MISSING else default,
    )


def as_wrong_call(read: Callable[..., T]) -> Callable[..., T]:
    """A function that reads a value; an error of it is shown with the option."""

    @wraps(read)
    def read_value(*value: Any, **named: Any) -> T:  # typer names the value of a callback
        try:
            return read(*value, **named)
        except EvalmarkError as error:
            raise typer.BadParameter(str(error)) from None

    return read_value
