"""``evalmark rules``."""

from __future__ import annotations

import json
from typing import Annotated

import typer
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
        typer.echo(json.dumps({"version": 1, "rules": rules}, indent=2, ensure_ascii=False))
        return
    width = max(len(rule.name) for rule in RULES.values())
    for rule in RULES.values():
        typer.echo(f"{rule.code}  {rule.severity:<7}  {rule.name:<{width}}  {rule.summary}")
