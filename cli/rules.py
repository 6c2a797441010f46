"""``evalmark rules``."""

from __future__ import annotations

from typing import Annotated

import typer
from evalmark.validator.edge.escaping import json_text
from evalmark.validator.edge.lines import put
from evalmark.validator.rules.registry import RULES

EPILOG = """Examples:

evalmark rules

evalmark rules --json
"""


def command(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """List all rules: code, severity, name, what it asks."""
    if as_json:
        rules = [
            {
                "code": rule.code,
                "name": rule.name,
                "severity": str(rule.severity),
                "summary": rule.summary,
                "optional": rule.optional,
            }
            for rule in RULES.values()
        ]
        put(json_text({"version": 1, "rules": rules}, indent=2) + "\n")
        return
    width = max(len(rule.name) for rule in RULES.values())
    for rule in RULES.values():
        typer.echo(f"{rule.code}  {rule.severity:<7}  {rule.name:<{width}}  {rule.summary}")
