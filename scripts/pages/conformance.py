"""The page of conformance: what the formats' own documents state, and the tests that check it.

The statements are in ``tests/*/*.toml``. A test says which it holds, on the function or
on one of its parameters: ``@pytest.mark.conforms("S-12")``. The markers are read from the source,
so that the page can be made without running anything.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import fill

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "tests"
MARKER = "conforms"
#: In the order of the page.
DOCUMENTS = ("suites", "legacy", "datasets", "records")


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a document, in our words."""

    id: str
    section: str
    says: str
    differs: str = ""  # what evalmark does instead, on purpose
    because: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document and its statements."""

    title: str
    letter: str
    about: str
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True, order=True)
class Holder:
    """A test that holds statements."""

    path: str  # below the folder of the tests
    name: str
    is_skippable: bool = False  # it needs files that are not part of the project


def read_document(path: Path) -> Document:
    """A document: some words about it, then a table of statements for each of its sections."""
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    title, letter, about = (data.pop(key) for key in ("title", "letter", "about"))
    return Document(
        title,
        letter,
        about,
        tuple(
            Statement(id_, section, **({"says": entry} if isinstance(entry, str) else entry))
            for section, entries in data.items()
            for id_, entry in entries.items()
        ),
    )


def documents() -> list[Document]:
    """The four documents; where that application is missing, the other three."""
    return [read_document(path) for name in DOCUMENTS for path in TESTS.rglob(f"{name}.toml")]


def markers(source: str) -> Iterator[tuple[str, str, bool]]:
    """Each marker of a module of tests: statement, function, whether the test may be skipped.

    Markers of parameters are found in the decorator, and in what it names at the top of the module.
    """
    tree = ast.parse(source)
    named = {
        target.id: node.value
        for node in tree.body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            is_skippable = any(argument.arg == "shared" for argument in node.args.args)
            for decorator in node.decorator_list:
                for statement in _marked(decorator, named, set()):
                    yield statement, node.name, is_skippable


def _marked(node: ast.AST, named: dict[str, ast.expr], seen: set[str]) -> Iterator[str]:
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and part.id in named and part.id not in seen:
            yield from _marked(named[part.id], named, seen | {part.id})
        elif isinstance(part, ast.Call):
            name = getattr(part.func, "attr", getattr(part.func, "id", ""))
            if name == MARKER:
                yield from (str(ast.literal_eval(argument)) for argument in part.args)


def holders(tests: Path = TESTS) -> dict[str, list[Holder]]:
    """Statement -> the tests that are marked with it."""
    by_statement: dict[str, set[Holder]] = {}
    for path in tests.rglob("test_*.py"):
        place = path.relative_to(tests).as_posix()
        source = path.read_text(encoding="utf-8")
        for statement, name, is_skippable in markers(source) if MARKER in source else ():
            by_statement.setdefault(statement, set()).add(Holder(place, name, is_skippable))
    return {statement: sorted(tests) for statement, tests in by_statement.items()}


def problems(pages: Iterable[Document], held: dict[str, list[Holder]]) -> list[str]:
    """Errors in statements and markers."""
    errors, ids = [], set()
    for page in pages:
        for statement in page.statements:
            tests = held.get(statement.id, [])
            if not statement.id.startswith(f"{page.letter}-"):
                errors.append(f"{statement.id} is not an id of {page.title!r}")
            if statement.id in ids:
                errors.append(f"{statement.id} appears twice")
            if bool(statement.differs) != bool(statement.because):
                errors.append(f"{statement.id} has a difference without a reason, or the reverse")
            if not tests:
                errors.append(f"{statement.id} has no test")
            elif all(test.is_skippable for test in tests):
                errors.append(f"{statement.id} has only tests that need files from elsewhere")
            ids.add(statement.id)
    errors += [
        f"{held[unknown][0].name} is marked with {unknown}, which is not a statement"
        for unknown in sorted(held.keys() - ids)
    ]
    return errors


def conformance_page() -> str:
    """The text of the page.

    Raises:
        ValueError: A statement has no test, or a marker names no statement.
    """
    pages, held = documents(), holders()
    if errors := problems(pages, held):
        raise ValueError("\n".join(errors))
    statements = [statement for page in pages for statement in page.statements]
    tests = {(test.path, test.name) for holding in held.values() for test in holding}
    differing = sum(bool(statement.differs) for statement in statements)
    about = (
        "Four documents describe the formats that evalmark implements. Each of their statements is "
        "listed here in our words, with the tests that check it and, where evalmark differs on "
        f"purpose, the difference and its reason. There are {len(statements)} statements, "
        f"{len(tests)} tests and {differing} differences."
    )
    made = (
        "Generated by `make generate` from `tests/*/*.toml` and the markers of the tests "
        "(`@pytest.mark.conforms`). It fails if a statement has no test, or a marker no statement."
    )
    lines = ["# Conformance", "", fill(about, 100), "", fill(made, 100)]
    for page in pages:
        lines += ["", f"## {page.title}", "", page.about, ""]
        lines += ["| id | statement | tests | difference |", "|---|---|---|---|"]
        section = ""
        for statement in page.statements:
            if statement.section != section:
                section = statement.section
                lines.append(f"| | **{_cell(section)}** | | |")
            lines.append(_row(statement, held[statement.id]))
    return "\n".join(lines) + "\n"


def _row(statement: Statement, tests: list[Holder]) -> str:
    links = "<br>".join(f"[{test.name}](../tests/{test.path})" for test in tests)
    differs = f" {statement.differs} Reason: {statement.because}" if statement.differs else ""
    return f"| {statement.id} | {_cell(statement.says)} | {links} |{_cell(differs)} |"


def _cell(text: str) -> str:
    """A text in a cell: there, `|` has to be escaped even in code."""
    return text.replace("|", "\\|")
