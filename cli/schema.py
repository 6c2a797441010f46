"""``evalmark schema``."""

from __future__ import annotations

import json
from typing import Annotated

import typer
from evalmark.schemas.files import FILES, bundle
from evalmark.validator.edge.lines import complain, put

EPILOG = """Examples:

evalmark schema suite > suite.schema.json

evalmark schema record-0.2.0
"""


def command(
    name: Annotated[str | None, typer.Argument(help="Schema; without one, list them.")] = None,
) -> None:
    """Print a bundled JSON schema (draft-07) as one document, for editors and other tools."""
    if name is None:
        typer.echo("\n".join(FILES))
        return
    if name not in FILES:
        raise typer.Exit(complain(f"there is no schema {name!r}; known: {', '.join(FILES)}"))
    put(json.dumps(bundle(name), indent=2, ensure_ascii=False) + "\n")
