"""``evalmark explain``."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer
from evalmark.validator.edge.lines import complain
from evalmark.validator.rules.registry import find_rules

EPILOG = """Examples:

evalmark explain SG204

evalmark explain unknown-condition
"""


def command(
    rule: Annotated[str, typer.Argument(help="Code or name of a rule.")],
) -> None:
    """Say what a rule is about, with a bad and a good example."""
    found = find_rules(rule)
    if not found:
        raise typer.Exit(complain(f"there is no rule {rule!r}; `evalmark rules` lists them"))
    codes = ", ".join(one.code for one in found)
    typer.echo(f"{codes} {found[0].name} ({found[0].severity})\n")
    typer.echo(inspect.cleandoc(found[0].page))
