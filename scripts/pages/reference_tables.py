"""Tables that are made from the code, also in hand-written pages: ``<!-- NAME: generated -->``."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from evalmark.converters.overrides.table_mapping import FACTS
from evalmark.converters.tables.any_table.words import ROLE_WORDS
from evalmark.validator.settings.trust import TRUST
from ruamel.yaml import YAML

if TYPE_CHECKING:
    from evalmark.leaderboard.result_columns import TableColumn

ROOT = Path(__file__).resolve().parents[2]
END = "<!-- end -->\n"
#: The folders of the rooms: the core, lowest first, then what is built on it.
ROOMS = (
    "schemas", "stats", "validator", "converters", "scoring", "cli", "library",
    "apps/leaderboard", "apps/memory", "apps/workbench", "apps/lsp",
)  # fmt: skip
Rows = Iterable[tuple[str, ...]]


def fact_rows() -> Rows:
    yield "fact", "what it is"
    yield from ((f"`{name}`", meaning) for name, meaning in FACTS.items())


def _roles() -> Rows:
    yield "role", "what the column has"
    yield from ((f"`{role}`", words) for role, words in ROLE_WORDS.items())


def _inputs() -> Rows:
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    yield "input", "default", "meaning"
    for name, value in YAML(typ="safe", pure=True).load(text)["inputs"].items():
        default = f"`{value['default']}`" if value["default"] else ""
        yield f"`{name}`", default, value["description"]


def _rooms() -> Rows:
    yield "folder", "installed as", "what it is"
    for room in ROOMS:
        tree = ast.parse((ROOT / room / "__init__.py").read_text(encoding="utf-8"))
        first = (ast.get_docstring(tree) or "").partition("\n")[0].replace("``", "`")
        name = room.removeprefix("apps/")
        yield f"`{room}/`", f"`evalmark{'' if name == 'library' else f'.{name}'}`", first


def output_rows() -> Rows:
    lines = (ROOT / "tests/house/promises.txt").read_text(encoding="utf-8").splitlines()
    keys: dict[str, dict[str, list[str]]] = {}
    for line in lines:
        command, separator, field = line.removeprefix("json ").partition(": .")
        if line.startswith("json ") and separator and field != "version":
            first, _, second = field.replace("[]", "").partition(".")
            inner = keys.setdefault(command, {}).setdefault(first, [])
            inner += {second.partition(".")[0]} - {"", *inner}
    yield "command", "fields"
    for command, fields in keys.items():
        texts = (
            f"`{f}` ({', '.join(inner)})" if inner else f"`{f}`" for f, inner in fields.items()
        )
        yield f"`{command}`", ", ".join(texts)


def trust_rows() -> Rows:
    yield "value", "risk", "rule", "give it with"
    source = ""
    for entry in TRUST:
        if entry.source != source:
            source = entry.source
            yield f"**{source}**", "", "", ""
        ways = [f"`{way}`" for way in (entry.option, *entry.variables) if way]
        yield (
            ", ".join(f"`{n}`" if " " not in n else n for n in entry.names),
            ", ".join(sink.value for sink in entry.sinks) or "none",
            entry.rule.value,
            ", ".join([*ways, *(["config.toml"] if entry.of_user else [])]),
        )


def column_rows(columns: Mapping[str, TableColumn]) -> Rows:
    yield "column", "type", "what it holds"
    yield from ((f"`{name}`", one.sql, one.meaning) for name, one in columns.items())


#: Page -> its tables.
TABLES: dict[str, dict[str, Callable[[], Rows]]] = {
    "docs/architecture.md": {"rooms": _rooms},
    "docs/checking-a-submission.md": {"inputs": _inputs},
    "docs/converting.md": {"roles": _roles},
}


def with_tables(name: str, page: str) -> str:
    """The text of a page with its tables as they are now."""
    for mark, rows in TABLES[name].items():
        before, begin, rest = page.partition(f"<!-- {mark}: generated -->\n")
        if not begin:
            raise ValueError(f"{name} has no place for the table {mark}")
        page = f"{before}{begin}{table(rows())}{END}{rest.partition(END)[2]}"
    return page


def table(rows: Rows) -> str:
    head, *body = ([cell.replace("|", r"\|") for cell in row] for row in rows)
    return "".join(f"| {' | '.join(row)} |\n" for row in (head, ["---"] * len(head), *body))
