"""How a command declares its options: a plain record beside the type of each field of a class.

    @dataclass(frozen=True, kw_only=True)
    class ReportOptions:
        runs: Annotated[Sequence[Path], Argument(metavar="RUN...", help="Folders of runs.")]
        series: Annotated[bool, Option("--series", help="The runs are steps, in order.")] = False

    @command(ReportOptions, "evalmark report results/")
    def report(options: ReportOptions) -> int: ...

``cli.command`` makes a command of typer of it. Nothing else loads typer: neither a hook nor Python,
which use the same classes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, Generic, NamedTuple, TypedDict, TypeVar, Unpack, get_type_hints

from evalmark.schemas.errors import UnknownNameError, UsageError

T = TypeVar("T")


class Keywords(TypedDict, total=False):
    """The keywords of ``typer.Option`` that commands use."""

    metavar: str
    help: str
    rich_help_panel: str  # the heading of the help under which the option is listed
    min: float
    max: float
    show_default: bool
    parser: Callable[[str], Any]  # an EvalmarkError of it is a wrong call
    callback: Callable[[Any], Any]  # so is one of this
    autocompletion: Callable[[str], list[Any]]


class Option:
    """An option: its names, and the keywords of ``typer.Option``."""

    def __init__(self, *names: str, details: str = "", **keywords: Unpack[Keywords]) -> None:
        """Declare an option; only the page of the command shows its ``details``."""
        self.names = names
        self.details = details
        self.keywords = keywords


class Argument(Option):
    """An argument, which has no name on the command line."""


# Options by the heading of the help under which they are listed.
selection_option = partial(Option, rich_help_panel="File selection")
fix_option = partial(Option, rich_help_panel="Fixing")
run_option = partial(Option, rich_help_panel="Running")
model_option = partial(Option, rich_help_panel="Model")
tests_option = partial(Option, rich_help_panel="Tests")
scoring_option = partial(Option, rich_help_panel="Scoring")
file_option = partial(Option, rich_help_panel="Files")
output_option = partial(Option, rich_help_panel="Output")


class Command(NamedTuple, Generic[T]):
    """A command: a function, which returns the exit code, and the class of its options."""

    function: Callable[[T], int | None]
    options: type[T]
    examples: Sequence[str]
    notes: Sequence[str]  # lines below the examples: exit codes, settings

    def declared(self) -> dict[str, tuple[Any, Option]]:
        """Field of the class -> its type and its record; without the fields of Python alone."""
        return declared_in(self.options)


def declared_in(options: type) -> dict[str, tuple[Any, Option]]:
    """Field of a class of options -> its type and its record."""
    return {
        name: (hint.__origin__, metadata)
        for name, hint in get_type_hints(options, include_extras=True).items()
        for metadata in getattr(hint, "__metadata__", ())
        if isinstance(metadata, Option)
    }


def command(
    options: type[T],
    *examples: str,
    exit_code: str = "0 done, 2 something failed",
    settings: str = "",
) -> Callable[[Callable[[T], int | None]], Command[T]]:
    """Declare a command, with the class of its options.

    ``examples`` are shown below its help, ``exit_code`` says what its codes mean, and ``settings``
    has the tables of settings that it reads.
    """
    notes = [f"Exit code: {exit_code}."]
    if settings:
        notes.append(f"Settings: {settings}.")
    return lambda function: Command(function, options, examples, notes)


def choice_of(name: str, values: Iterable[str] | Callable[[], Iterable[str]]) -> Keywords:
    """The keywords of an option with a few values; an unknown one gets a suggestion.

    ``values`` may be a function that imports them when one is read.
    """

    def allowed() -> tuple[str, ...]:
        return tuple(values() if callable(values) else values)

    def read(value: str) -> str:
        if value not in allowed():
            raise UnknownNameError(name, value, allowed())
        return value

    def complete(incomplete: str) -> list[str]:
        return [value for value in allowed() if value.startswith(incomplete)]

    return {"parser": read, "autocompletion": complete}


def refuse_dash(path: T) -> T:
    """`-` is nowhere the name of a file or a folder that is written."""
    if str(path) == "-":
        raise UsageError("`-` is not a file name, and this is not written to stdout")
    return path
