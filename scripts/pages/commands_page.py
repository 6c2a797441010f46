"""The pages of the commands, from their help.

The help of a command fits a screen. What else there is to say of an option is in the ``details`` of
its record, and of a command in its docstring after a form feed (``\\f``): only pages have it.
"""

from __future__ import annotations

import html
import inspect
import re
from collections.abc import Iterator
from typing import Any

import typer
from evalmark.cli.main import commands, declared, load

HEAD = """# Commands

<!-- Generated from the help of the commands by scripts/generate.py: do not edit. -->

Each command has a page with its arguments and options; `evalmark COMMAND --help` prints them.
Options may come before or after arguments. `evalmark --version` prints the version, and
`evalmark --install-completion` sets up completion for your shell.

| command | what it does |
|---|---|
"""
#: Lines of an epilog that are commands.
_EXAMPLE = re.compile(r"^(?:Example: | {2,})(.*)", re.MULTILINE)


def commands_pages() -> dict[str, str]:
    """Path -> text of the page of all commands, and of that of each."""
    rows, pages = [], {}
    for name, line in commands().items():
        pages[f"commands/{name}.md"] = _page(name)
        rows.append(f"| [`{name}`](commands/{name}.md) | {line} |\n")
    return {"commands.md": "".join([HEAD, *rows]), **pages}


def _page(name: str) -> str:
    """Heading, synopsis, description, options by the headings of the help, and examples."""
    command: Any = load(name)
    context = typer.Context(command, info_name=f"evalmark {name}")
    parameters = [p for p in command.get_params(context) if p.name != "help"]
    words = [p.metavar for p in parameters if p.param_type_name == "argument"]
    options = ["[OPTIONS]"] if len(words) < len(parameters) else []
    text, _, notes = inspect.cleandoc(command.callback.__doc__).partition("\f")
    details = {field: option.details for field, (_, option) in declared(name).declared().items()}
    parts = [
        f"# `evalmark {name}`",
        "```text\n" + " ".join(["evalmark", name, *options, *words]) + "\n```",
        text,
        *_tables(parameters, context, details),
        notes,
        *_epilog(command.epilog or ""),
    ]
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def _tables(parameters: list[Any], context: Any, details: dict[str, str]) -> Iterator[str]:
    """A table for each heading of the help."""
    panels: dict[str, list[str]] = {}
    for parameter in parameters:
        is_argument = parameter.param_type_name == "argument"
        panel = "Arguments" if is_argument else getattr(parameter, "rich_help_panel", None)
        if record := parameter.get_help_record(context):
            term, text = record
            row = _row(term, text, details.get(parameter.name, ""))
            panels.setdefault(panel or "Options", []).append(row)
    for panel, rows in panels.items():
        yield "\n".join([f"| {panel} | meaning |", "|---|---|", *rows])


def _row(term: str, text: str, details: str) -> str:
    code = f"`{term}`"
    if "|" in term:  # in code, GitHub wants it escaped, and the site does not
        code = f"<code>{html.escape(term)}</code>".replace("|", "&#124;")
    help_ = text.replace("\b", "").replace("<", "&lt;")
    words = " ".join(f"{help_} {details}".split()).replace("|", r"\|")
    return f"| {code} | {words} |"


def _epilog(epilog: str) -> Iterator[str]:
    """The examples as a block, then the other lines."""
    text = epilog.replace("\b", "")
    if examples := _EXAMPLE.findall(text):
        yield "\n".join(["```sh", *examples, "```"])
    rest = _EXAMPLE.sub("", text).replace("Examples:", "").splitlines()
    yield "  \n".join(line for line in rest if line)
