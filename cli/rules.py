"""``evalmark rules`` and ``evalmark explain``."""

from __future__ import annotations

import inspect
from typing import Annotated

import typer
from evalmark.cli.typed import option
from evalmark.schemas.errors import UnknownNameError
from evalmark.validator.edge.escaping import json_text
from evalmark.validator.edge.lines import put
from evalmark.validator.rules.registry import RULES, find_rules
from evalmark.validator.rules.rule import Rule

EPILOG = """
Examples:
  evalmark rules
  evalmark rules --format json
"""

EXPLAIN_EPILOG = """
Examples:
  evalmark explain SG204
  evalmark explain unknown-condition
"""


def command(output_format: Annotated[str, option("table_format")] = "table") -> None:
    """List all rules: code, severity, name, summary."""
    if output_format == "json":
        put(json_text({"version": 1, "rules": list(map(described, RULES.values()))}, indent=2))
        put("\n")
        return
    width = max(len(rule.name) for rule in RULES.values())
    for rule in RULES.values():
        typer.echo(f"{rule.code}  {rule.severity:<7}  {rule.name:<{width}}  {rule.summary}")


def explain(
    rule: Annotated[str, option("rule")],
    output_format: Annotated[str, option("table_format")] = "table",
) -> None:
    """Explain a rule, with a bad and a good example."""
    found = find_rules(rule)
    if not found:
        known = dict.fromkeys(name for one in RULES.values() for name in (one.name, one.code))
        raise UnknownNameError("rule", rule, tuple(known))
    page = inspect.cleandoc(found[0].page)
    if output_format == "json":
        rules = [{**described(one), "explanation": page} for one in found]
        put(json_text({"version": 1, "rules": rules}, indent=2) + "\n")
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
