"""Reference on the terminal: ``evalmark formats``, ``rules``, ``explain`` and ``schema``.

Each loads what it prints: all rules take longer to load than a suite to check.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterable, Mapping
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

import typer
from evalmark.cli.command import new_app
from evalmark.cli.options import TableFormatOption, output_option, rule_words
from evalmark.schemas.errors import UnknownNameError
from evalmark.schemas.files import FILES, with_origin
from evalmark.schemas.versions import current
from evalmark.validator.io.escaping import json_text
from evalmark.validator.io.terminal import put, say, tell

if TYPE_CHECKING:
    from evalmark.validator.findings.rule import Rule
    from evalmark.validator.format import Format

app = new_app()


@app.with_examples("evalmark rules", "evalmark rules --format json")
def rules(
    output_format: TableFormatOption = "table",
) -> None:
    """List all rules: code, severity, name, summary."""
    from evalmark.validator.formats.rule_registry import all_rules

    every_rule = all_rules().values()
    if output_format == "json":
        put({"rules": [described(rule) for rule in every_rule]})
        return
    longest = max(len(rule.name) for rule in every_rule)
    heads = [f"{rule.code}  {rule.severity:<7}  {rule.name:<{longest}}" for rule in every_rule]
    summaries = [rule.summary for rule in every_rule]
    columns = get_terminal_size().columns if sys.stdout.isatty() else sys.maxsize
    if len(heads[0]) + 2 + max(map(len, summaries)) > columns:
        indent, heads = " " * 7, [head.rstrip() + "\n" for head in heads]
        summaries = [
            fill(summary, columns, initial_indent=indent, subsequent_indent=indent)
            for summary in summaries
        ]
    else:  # programs read a line for each rule
        heads = [f"{head}  " for head in heads]
    for head, summary in zip(heads, summaries, strict=True):
        typer.echo(head + summary)


@app.with_examples("evalmark formats", "evalmark formats --format json")
def formats(
    output_format: TableFormatOption = "table",
) -> None:
    """List the formats that can be checked and converted, with those of packages."""
    from evalmark.converters.graph import map_data, map_text
    from evalmark.validator.formats.builtin import FORMATS
    from evalmark.validator.formats.plugins import OtherFormat, other_formats

    others = other_formats()
    every_format = (*FORMATS, *others.named.values())
    for line in others.refused:
        say(f"note: {line}")
    if output_format == "json":
        from evalmark.validator.formats.rule_registry import all_rules

        codes = list(all_rules())
        checked = [described_format(form, codes) for form in every_format]
        put({"formats": checked, "conversions": map_data()})
        return
    width = max(len(form.name) for form in every_format)
    for form in every_format:
        extension = form.origin if isinstance(form, OtherFormat) else None
        source = (
            f"  [{extension.package} {extension.version}, {extension.origin}]" if extension else ""
        )
        tell(f"{form.name:<{width}}  {form.family:<2}  {form.looks}{source}")
    put(f"\n{map_text()}")


def described_format(form: Format, codes: Iterable[str]) -> dict[str, str | list[str]]:
    """A format as JSON; package, version and origin are empty for ours."""
    from evalmark.validator.formats.plugins import OtherFormat

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


@app.with_examples("evalmark explain SG204", "evalmark explain unknown-condition")
def explain(
    rule: Annotated[
        str,
        typer.Argument(metavar="RULE", autocompletion=rule_words, help="Code or name of a rule."),
    ],
    output_format: TableFormatOption = "table",
) -> None:
    """Explain a rule, with a bad and a good example."""
    from evalmark.validator.formats.builtin import rule_with

    known = rule_with(rule.upper())
    matches = [known] if known else _found(rule)
    page = inspect.cleandoc(matches[0].page)
    if output_format == "json":
        explained = [{**described(match), "explanation": page} for match in matches]
        put({"rules": explained})
        return
    codes = ", ".join(match.code for match in matches)
    typer.echo(f"{codes} {matches[0].name} ({matches[0].severity})\n\n{page}")


def _found(word: str) -> list[Rule]:
    from evalmark.validator.formats.rule_registry import all_rules, find_rules

    if matches := find_rules(word):
        return matches
    names = dict.fromkeys(name for rule in all_rules().values() for name in (rule.name, rule.code))
    raise UnknownNameError("rule", word, tuple(names))


def described(rule: Rule) -> dict[str, str | bool]:
    """A rule as JSON."""
    return {
        "code": rule.code,
        "name": rule.name,
        "severity": str(rule.severity),
        "summary": rule.summary,
        "optional": rule.optional,
    }


#: Schema -> the paths where its files usually are.
VSCODE_PATHS = {
    "suite": ["suites/**/*.json"],
    f"record-{current('record').name}": ["data/*/*/*/*.json"],
    "ltm-definition": ["*.def.json"],
}


def vscode_schemas(paths: Mapping[str, list[str]]) -> list[dict[str, object]]:
    """Entries of the setting `json.schemas`; each has its schema, so that no file is needed."""
    return [{"fileMatch": globs, "schema": with_origin(name)} for name, globs in paths.items()]


@app.with_examples(
    "evalmark schema",
    "evalmark schema suite > suite.schema.json",
    "evalmark schema record-0.2.0",
    "evalmark schema --vscode    # for .vscode/settings.json",
)
def schema(
    name: Annotated[
        str | None,
        typer.Argument(metavar="[SCHEMA]", help="Name of a schema; lists all schemas if omitted."),
    ] = None,
    vscode: Annotated[
        bool,
        output_option("--vscode", help="Print settings of VS Code that assign schemas to paths."),
    ] = False,
    output_format: TableFormatOption = "table",
) -> None:
    """Print a bundled JSON schema (draft-07) as one document, for editors and other tools.

    Its constraints are those of the format; its titles and descriptions are evalmark's words.
    """
    if name is not None and name not in FILES:
        raise UnknownNameError("schema", name, tuple(FILES))
    if vscode:
        names = VSCODE_PATHS if name is None else {name: VSCODE_PATHS.get(name, [f"{name}/*.json"])}
        put(json_text({"json.schemas": vscode_schemas(names)}, indent=2) + "\n")
    elif name is not None:
        put(json_text(with_origin(name), indent=2) + "\n")
    elif output_format == "json":
        put({"schemas": list(FILES)})
    else:
        typer.echo("\n".join(FILES))
