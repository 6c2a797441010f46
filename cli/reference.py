"""What evalmark knows: ``evalmark formats``, ``rules``, ``explain`` and ``schema``."""

from __future__ import annotations

import inspect
from collections.abc import Iterable
from typing import Annotated

import typer
from evalmark.cli.command import Command, new_app
from evalmark.cli.options import TableFormatOption
from evalmark.schemas.errors import UnknownNameError
from evalmark.schemas.files import FILES, with_origin
from evalmark.validator.edge.escaping import json_text
from evalmark.validator.edge.terminal import put, put_json, say, tell
from evalmark.validator.findings.rule import Rule
from evalmark.validator.format import Format
from evalmark.validator.formats.builtin import FORMATS
from evalmark.validator.formats.plugins import OtherFormat, other_formats
from evalmark.validator.rule_registry import all_rules, find_rules

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

FORMATS_EPILOG = """
\b
Examples:
  evalmark formats
  evalmark formats --format json

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
    known = all_rules().values()
    if output_format == "json":
        put_json({"rules": [described(rule) for rule in known]})
        return
    width = max(len(rule.name) for rule in known)
    for rule in known:
        typer.echo(f"{rule.code}  {rule.severity:<7}  {rule.name:<{width}}  {rule.summary}")


@app.command(cls=Command, epilog=FORMATS_EPILOG)
def formats(
    output_format: TableFormatOption = "table",
) -> None:
    """List the formats that are checked: ours, and those that installed packages add."""
    others = other_formats()
    known = (*FORMATS, *others.named.values())
    for line in others.refused:
        say(f"note: {line}")
    if output_format == "json":
        codes = list(all_rules())
        put_json({"formats": [described_format(form, codes) for form in known]})
        return
    width = max(len(form.name) for form in known)
    for form in known:
        one = form.origin if isinstance(form, OtherFormat) else None
        source = f"  [{one.package} {one.version}, {one.origin}]" if one else ""
        tell(f"{form.name:<{width}}  {form.family:<2}  {form.looks}{source}")


def described_format(form: Format, codes: Iterable[str]) -> dict[str, str | list[str]]:
    """What a program learns about a format; package, version and origin are empty for ours."""
    origin = form.origin if isinstance(form, OtherFormat) else None
    return {
        "name": form.name,
        "looks": form.looks,
        "family": form.family,
        "codes": [code for code in codes if code.rstrip("0123456789") == form.family],
        "package": origin.package if origin else "",
        "version": origin.version if origin else "",
        "origin": origin.origin if origin else "",
    }


@app.command(cls=Command, epilog=EXPLAIN_EPILOG)
def explain(
    rule: Annotated[str, typer.Argument(metavar="RULE", help="Code or name of a rule.")],
    output_format: TableFormatOption = "table",
) -> None:
    """Explain a rule, with a bad and a good example."""
    found = find_rules(rule)
    if not found:
        every = all_rules().values()
        known = dict.fromkeys(name for one in every for name in (one.name, one.code))
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
