"""What evalmark knows: ``evalmark rules``, ``evalmark explain`` and ``evalmark schema``."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import TableFormatOption
from evalmark.schemas.errors import UnknownNameError
from evalmark.schemas.files import FILES, with_origin
from evalmark.validator.edge.escaping import json_text
from evalmark.validator.edge.lines import put, put_json
from evalmark.validator.rule_registry import RULES, find_rules
from evalmark.validator.rules.rule import Rule

app = new_app()

RULES_EPILOG = """
\b
Examples:
  evalmark rules
  evalmark rules --format json

Exit code: 0 done, 2 something failed.
"""

EXPLAIN_EPILOG = """
\b
Examples:
  evalmark explain SG204
  evalmark explain unknown-condition

Exit code: 0 done, 2 something failed.
"""

SCHEMA_EPILOG = """
\b
Examples:
  evalmark schema
  evalmark schema suite > suite.schema.json
  evalmark schema record-0.2.0

Exit code: 0 done, 2 something failed.
"""


@app.command(cls=Command, epilog=RULES_EPILOG)
def rules(
    output_format: TableFormatOption = "table",
) -> None:
    """List all rules: code, severity, name, summary."""
    if output_format == "json":
        known = [described(rule) for rule in RULES.values()]
        put_json({"rules": known})
        return
    width = max(len(rule.name) for rule in RULES.values())
    for rule in RULES.values():
        typer.echo(f"{rule.code}  {rule.severity:<7}  {rule.name:<{width}}  {rule.summary}")


@app.command(cls=Command, epilog=EXPLAIN_EPILOG)
def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Code or name of a rule.")],
    output_format: TableFormatOption = "table",
) -> None:
    """Explain a rule, with a bad and a good example."""
    found = find_rules(rule)
    if not found:
        known = dict.fromkeys(name for one in RULES.values() for name in (one.name, one.code))
        raise UnknownNameError("rule", rule, tuple(known))
    page = inspect.cleandoc(found[0].page)
    if output_format == "json":
        explained = [{**described(one), "explanation": page} for one in found]
        put_json({"rules": explained})
        return
    codes = ", ".join(one.code for one in found)
    typer.echo(f"{codes} {found[0].name} ({found[0].severity})\n\n{page}")


def described(rule: Rule) -> dict[str, str | bool]:
    """What a program learns about a rule."""
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": str(rule.severity),
        "summary": rule.summary,
        "optional": rule.optional,
    }


@app.command(cls=Command, epilog=SCHEMA_EPILOG)
def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[SCHEMA]", help="Name of a schema; lists all schemas if omitted."),
    ] = None,
    output_format: TableFormatOption = "table",
) -> None:
    """Print a bundled JSON schema (draft-07) as one document, for editors and other tools.

    Its constraints are those of the format; its titles and descriptions are evalmark's words.
    """
    if name is not None and name not in FILES:
        raise UnknownNameError("schema", name, tuple(FILES))
    if name is not None:
        put(json_text(with_origin(name), indent=2) + "\n")
    elif output_format == "json":
        put_json({"schemas": list(FILES)})
    else:
        typer.echo("\n".join(FILES))
