"""Reference on the terminal: ``evalmark explain`` and ``schema``; each loads what it prints."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from shutil import get_terminal_size
from textwrap import fill
from typing import TYPE_CHECKING, Annotated

from evalmark.cli.options import TableFormatOption
from evalmark.schemas.errors import UnknownNameError
from evalmark.schemas.files import FILES, Schema, with_origin
from evalmark.schemas.versions import current
from evalmark.validator.io.escaping import json_text
from evalmark.validator.io.terminal import print_line, print_note, write_stdout
from evalmark.validator.options.declaration import Argument, command, output_option
from evalmark.validator.settings.check_options import rule_words

if TYPE_CHECKING:
    from evalmark.validator.findings.rule import Rule
    from evalmark.validator.format import Format


@dataclass(frozen=True, kw_only=True)
class ExplainOptions:
    """The options of ``evalmark explain``."""

    name: Annotated[
        str | None,
        Argument(
            metavar="[NAME]",
            autocompletion=rule_words,
            help="Code or name of a rule, or a format; lists all of both if omitted.",
        ),
    ] = None
    output_format: TableFormatOption = "table"


@command(
    ExplainOptions,
    "evalmark explain",
    "evalmark explain SG204",
    "evalmark explain unknown-condition",
    "evalmark explain suite",
)
def explain(options: ExplainOptions) -> None:
    """Explain a rule, with a bad and a good example, or a format; list the rules and formats.

    Formats are those that are checked and converted, with those of packages.
    """
    from evalmark.converters.graph import conversions_of, map_data

    name, as_json = options.name, options.output_format == "json"
    if name is None:
        _list_all(as_json=as_json)
    elif form := _checked_formats().get(name):
        if as_json:
            write_stdout({"formats": [described_format(form)]})
        else:
            codes = ", ".join(_codes_of(form))
            known = "\n".join(conversions_of(name))
            write_stdout(
                "\n\n".join(filter(None, (_line(form, len(name)), f"Rules: {codes}", known))) + "\n"
            )
    elif steps := conversions_of(name):
        if as_json:
            rows = ((key, map_data()[key]) for key in ("formats", "steps", "results"))
            about = {key: [item for item in items if name in item.values()] for key, items in rows}
            write_stdout({"conversions": about})
        else:
            write_stdout("\n".join(steps) + "\n")
    else:
        _explain_rule(name, as_json=as_json)


def _list_all(*, as_json: bool) -> None:
    from evalmark.converters.graph import map_data, map_text
    from evalmark.validator.formats.rule_registry import all_rules

    rules, formats = all_rules().values(), _checked_formats()
    if as_json:
        write_stdout({
            "rules": [described(rule) for rule in rules],
            "formats": [*map(described_format, formats.values())],
            "conversions": map_data(),
        })  # fmt: skip
        return
    _list_rules([*rules])
    print_line("")
    for form in formats.values():
        print_line(_line(form, max(map(len, formats))))
    write_stdout(f"\n{map_text()}")


def _list_rules(every_rule: Sequence[Rule]) -> None:
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
        write_stdout(f"{head}{summary}\n")


def _checked_formats() -> dict[str, Format]:
    from evalmark.validator.formats.builtin import FORMATS
    from evalmark.validator.formats.plugins import other_formats

    others = other_formats()
    for line in others.refused:
        print_note(f"note: {line}")
    return {form.name: form for form in (*FORMATS, *others.named.values())}


def _line(form: Format, width: int) -> str:
    data = described_format(form)
    source = f"  [{data['package']} {data['version']}, {data['origin']}]" if data["origin"] else ""
    return f"{form.name:<{width}}  {form.family:<2}  {form.description}{source}"


def _codes_of(form: Format) -> list[str]:
    from evalmark.validator.formats.rule_registry import all_rules

    return [code for code in all_rules() if code.rstrip("0123456789") == form.family]


def described_format(form: Format) -> dict[str, str | list[str]]:
    """A format as JSON; package, version and origin are empty for ours."""
    origin = form.origin
    return {
        "name": form.name,
        "looks": form.description,
        "family": form.family,
        "codes": _codes_of(form),
        "package": origin.package if origin else "",
        "version": origin.version if origin else "",
        "origin": origin.origin if origin else "",
    }


def _explain_rule(word: str, *, as_json: bool) -> None:
    from evalmark.validator.formats.builtin import rule_with

    known = rule_with(word.upper())
    matches = [known] if known else _rules_matching(word)
    page = inspect.cleandoc(matches[0].page)
    if as_json:
        write_stdout({"rules": [{**described(match), "explanation": page} for match in matches]})
        return
    codes = ", ".join(match.code for match in matches)
    write_stdout(f"{codes} {matches[0].name} ({matches[0].severity})\n\n{page}\n")


def _rules_matching(word: str) -> list[Rule]:
    from evalmark.validator.formats.rule_registry import all_rules, find_rules

    if matches := find_rules(word):
        return matches
    names = dict.fromkeys(name for rule in all_rules().values() for name in (rule.name, rule.code))
    known = (*names, *_checked_formats())
    raise UnknownNameError("rule or format", word, known, "evalmark explain")


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


def vscode_schemas(
    paths: Mapping[str, list[str]], others: Mapping[str, Schema] | None = None
) -> list[dict[str, object]]:
    """Entries of the setting `json.schemas`; each has its schema, so that no file is needed."""
    others = others or {}
    return [
        {"fileMatch": globs, "schema": others[name] if name in others else with_origin(name)}
        for name, globs in paths.items()
    ]


@dataclass(frozen=True, kw_only=True)
class SchemaOptions:
    """The options of ``evalmark schema``."""

    name: Annotated[
        str | None,
        Argument(metavar="[SCHEMA]", help="Name of a schema; lists all schemas if omitted."),
    ] = None
    vscode: Annotated[
        bool,
        output_option("--vscode", help="Print settings of VS Code that assign schemas to paths."),
    ] = False
    output_format: TableFormatOption = "table"


@command(
    SchemaOptions,
    "evalmark schema",
    "evalmark schema suite > suite.schema.json",
    "evalmark schema record-0.2.0",
    "evalmark schema --vscode    # for .vscode/settings.json",
)
def schema(options: SchemaOptions) -> None:
    """Print a bundled JSON schema (draft-07) as one document, for editors and other tools.

    Its constraints are those of the format; its titles and descriptions are evalmark's words.
    """
    name, others = options.name, _schemas_of_formats()
    known = (*FILES, *others)
    if name is not None and name not in known:
        raise UnknownNameError("schema", name, known)
    if options.vscode:
        names = VSCODE_PATHS if name is None else {name: VSCODE_PATHS.get(name, [f"{name}/*.json"])}
        write_stdout(json_text({"json.schemas": vscode_schemas(names, others)}, indent=2) + "\n")
    elif name is not None:
        write_stdout(
            json_text(others[name] if name in others else with_origin(name), indent=2) + "\n"
        )
    elif options.output_format == "json":
        write_stdout({"schemas": list(known)})
    else:
        write_stdout("".join(f"{schema_name}\n" for schema_name in known))


def _schemas_of_formats() -> dict[str, Schema]:
    formats = _checked_formats().items()
    return {name: found for name, form in formats if (found := form.own_schema()) is not None}
