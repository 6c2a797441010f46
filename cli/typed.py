"""typer parameters from the table of options, and the help that groups them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from textwrap import TextWrapper
from typing import Any

import typer
from evalmark.cli.one_option import Option
from evalmark.cli.options import OPTIONS
from evalmark.schemas.errors import UnknownNameError
from typer.core import TyperCommand

#: Choices up to this many characters are listed as the placeholder, longer ones in the text.
SHORT = 22
#: Columns of the flags in a help text; longer flags have a line of their own.
FLAGS = 28
#: Bounds of numbers, which errors explain better.
RANGE = re.compile(r"(; )?x>=[\d.]+(?=\])|\[x>=[\d.]+\]")


#: Parts of the table of options that only some commands need: module and name.
PARTS = (
    ("evalmark.cli.judging.conversation_options", "CONVERSATION_OPTIONS"),
    ("evalmark.cli.stores.store_options", "STORE_OPTIONS"),
)


def entry_of(name: str) -> Option:
    """An entry of the table of options, or of the first of its parts that has it."""
    if name in OPTIONS:
        return OPTIONS[name]
    tables = (getattr(import_module(module), table) for module, table in PARTS)
    entry: Option = next(table[name] for table in tables if name in table)
    return entry


def option(name: str) -> Any:
    """The typer parameter of an entry.

    A command writes ``fix: Annotated[bool, option("fix")] = False``.
    """
    entry = entry_of(name)
    known = entry.known()
    listed = "|".join(known)
    text, metavar = entry.help, entry.metavar or listed
    if known and (entry.metavar or len(listed) > SHORT):
        metavar = entry.metavar or name.upper()
        if not all(value in text for value in known):
            text = f"{text} One of: {', '.join(known)}."
    settings: dict[str, Any] = {"help": text, "metavar": metavar or None}
    # A text may name the default itself.
    settings["show_default"] = "default" not in text
    if entry.flags:
        settings["rich_help_panel"] = entry.group
    if entry.least is not None:
        settings["min"] = entry.least
    if known:
        if not entry.is_open:
            settings["parser"] = one_of(name, known)
        settings["autocompletion"] = completing(known)
    if entry.stdout is not None:
        settings["callback"] = _to_stdout if entry.stdout else _to_file
    return typer.Option(*entry.flags, **settings) if entry.flags else typer.Argument(**settings)


def _to_stdout(value: Path | None) -> Path | None:
    """`-` is what a command does that is given no file."""
    return None if str(value) == "-" else value


def _to_file(value: Path | None) -> Path | None:
    """`-` is nowhere the name of a file or a folder that is written."""
    if str(value) == "-":
        raise typer.BadParameter("`-` is not a file name, and this is not written to stdout")
    return value


def one_of(name: str, known: Iterable[str]) -> Callable[[str], str]:
    """What reads a value that must be one of several."""
    names = tuple(known)

    def read(value: str) -> str:
        if value not in names:
            raise typer.BadParameter(str(UnknownNameError(name.replace("_", " "), value, names)))
        return value

    return read


def completing(known: Iterable[str]) -> Callable[[str], list[str]]:
    """What a shell offers for the beginning of a value."""
    names = tuple(known)

    def complete(incomplete: str) -> list[str]:
        return [name for name in names if name.startswith(incomplete)]

    return complete


class GroupedCommand(TyperCommand):
    """A command whose help lists options by group, in plain text."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        """Write the help: usage, text, arguments, options by group, examples."""
        width = formatter.width + 2  # typer leaves a margin
        self.format_usage(ctx, formatter)
        for paragraph in inspect.cleandoc(self.help or "").split("\n\n"):
            formatter.write("\n" + wrapped(paragraph, width))
        groups: dict[str, list[tuple[str, str]]] = {}
        for parameter in self.get_params(ctx):
            if record := parameter.get_help_record(ctx):
                group = getattr(parameter, "rich_help_panel", None)
                if parameter.param_type_name == "argument":
                    group = "Arguments"
                elif group is None:  # --help
                    group = next(reversed(groups))
                term, text = record
                groups.setdefault(group, []).append((term, RANGE.sub("", text).strip()))
        for group, records in groups.items():
            formatter.write(f"\n{group}:\n")
            formatter.write("".join(listed(*record, width) for record in records))
        if self.epilog:
            formatter.write(f"\n{inspect.cleandoc(self.epilog)}\n")


def listed(term: str, text: str, width: int) -> str:
    """A line or more of a list: a term, and what it means."""
    start = f"  {term:<{FLAGS - 4}}  "
    if len(start) > FLAGS:
        return f"{start.rstrip()}\n" + wrapped(text, width, " " * FLAGS)
    return start + wrapped(text, width, " " * FLAGS)[FLAGS:]


def wrapped(text: str, width: int, indent: str = "") -> str:
    """Text in lines; words with hyphens, as names of options are, stay whole."""
    wrapper = TextWrapper(
        width,
        initial_indent=indent,
        subsequent_indent=indent,
        break_on_hyphens=False,
        break_long_words=False,
    )
    return wrapper.fill(" ".join(text.split())) + "\n"
