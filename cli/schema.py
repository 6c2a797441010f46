"""``evalmark schema``."""

from __future__ import annotations

from typing import Annotated

import typer
from evalmark.cli.typed import option
from evalmark.schemas.errors import UnknownNameError
from evalmark.schemas.files import FILES, bundle
from evalmark.validator.edge.escaping import json_text
from evalmark.validator.edge.lines import put

EPILOG = """
Examples:
  evalmark schema
  evalmark schema suite > suite.schema.json
  evalmark schema record-0.2.0
"""


def command(
    name: Annotated[str | None, option("schema_name")] = None,
    output_format: Annotated[str, option("table_format")] = "table",
) -> None:
    """Print a bundled JSON schema (draft-07) as one document, for editors and other tools."""
    if name is not None and name not in FILES:
        raise UnknownNameError("schema", name, tuple(FILES))
    if name is not None:
        put(json_text(bundle(name), indent=2) + "\n")
    elif output_format == "json":
        put(json_text({"version": 1, "schemas": list(FILES)}, indent=2) + "\n")
    else:
        typer.echo("\n".join(FILES))
