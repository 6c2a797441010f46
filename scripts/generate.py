"""Write the files that are derived from others: ``python -m scripts.generate [--check]``.

schemas/compiled/*.py        from schemas/*.schema.json, by fastjsonschema
.pre-commit-hooks.yaml       from scripts/hook_table.py
docs/rules.md                from the docstrings of the rules
docs/commands.md             from the help of the commands
docs/definitions.md          from docstrings and the tables of columns and settings
docs/metrics.md              from schemas/metric_table.py
docs/api.md, __init__.pyi    from the tables of public names
docs/conformance.md          from tests/conformance/*.toml and the markers of the tests
docs/running-a-leaderboard.md  its columns, from leaderboard/columns.py
docs/checking-a-suite-repository.md  its settings, from validator/config.py
docs/workbench.md            its routes, from their docstrings
docs/*.md                    the tables of scripts/reference_tables.py
docs/SECURITY.md             its table of trust, from validator/trust.py
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

import fastjsonschema
from evalmark.schemas.files import FILES, bundle
from evalmark.validator.rule_registry import rules_page

from scripts.column_tables import PAGE as STORES_PAGE
from scripts.column_tables import columns_page
from scripts.commands_page import commands_page
from scripts.conformance import conformance_page
from scripts.definitions_page import definitions_page
from scripts.hook_table import hooks_yaml
from scripts.metrics_page import metrics_page
from scripts.public_names import FACES, api_page, stub
from scripts.reference_tables import TABLES, with_tables
from scripts.routes_page import PAGE as ROUTES_PAGE
from scripts.routes_page import routes_page
from scripts.settings_table import PAGE as SETTINGS_PAGE
from scripts.settings_table import settings_page
from scripts.trust_table import PAGE as SECURITY_PAGE
from scripts.trust_table import security_page

ROOT = Path(__file__).resolve().parent.parent

HEADER = '''"""Generated from {source} by scripts/generate.py with fastjsonschema: do not edit."""

import re


class Invalid(Exception):
    """The data does not fit the schema."""


'''


class _Trim(ast.NodeTransformer):
    """Keep what decides, drop what builds messages: explaining is done elsewhere.

    The one change to the generated code, because it pays: over 504 valid files, accepting takes
    83 ms instead of 238 ms, and ``check_bytes`` as a whole 0.96 s instead of 1.40 s. It also frees
    the code from importing fastjsonschema. Removing repeated type tests saved 1 % and is not done.
    """

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return ast.copy_location(ast.Raise(exc=ast.Name("Invalid", ast.Load())), node)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        name = "Invalid" if node.id == "JsonSchemaValueException" else _short(node.id)
        return ast.copy_location(ast.Name(name, node.ctx), node)

    def visit_Tuple(self, node: ast.Tuple) -> ast.AST:
        unused = ("Decimal", "JsonSchemaValuesException")
        node.elts = [e for e in node.elts if not (isinstance(e, ast.Name) and e.id in unused)]
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if isinstance(node.func, ast.Name) and node.func.id.startswith("validate_"):
            node.args, node.keywords = node.args[:1], []
        return self.generic_visit(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = _short(node.name)
        node.args.args, node.args.defaults = node.args.args[:1], []
        return self.generic_visit(node)


def _short(name: str) -> str:
    """``validate`` for the whole schema, ``validate_region`` for a definition of it."""
    if not name.startswith(("validate_urn_", "validate___")):
        return name
    _, _, definition = name.partition("__definitions_")
    return f"validate_{definition}" if definition else "validate"


def compiled(name: str) -> str:
    """The validating module of one schema."""
    code: str = fastjsonschema.compile_to_code(bundle(name), use_default=False)
    tree = ast.parse(code)
    tree.body = [
        node
        for node in tree.body
        if not isinstance(node, ast.Import | ast.ImportFrom)
        and not (isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "VERSION")
    ]
    tree = _Trim().visit(tree)
    text = ast.unparse(ast.fix_missing_locations(tree))
    header = HEADER.format(source=f"schemas/{FILES[name]}")
    if "re." not in text and "REGEX_PATTERNS[" not in text:
        header = header.replace("import re\n\n\n", "\n")
        text = text.replace("REGEX_PATTERNS = {}\n", "")
    return header + text.strip() + "\n"


def derived() -> dict[Path, str]:
    """Every derived file with the text it must have."""
    files = {
        ROOT / "schemas" / "compiled" / f"{name.replace('-', '_').replace('.', '_')}.py": compiled(
            name
        )
        for name in FILES
    }
    files[ROOT / "schemas" / "compiled" / "__init__.py"] = (
        '"""Generated accept functions, one module for each schema."""\n'
    )
    files[ROOT / ".pre-commit-hooks.yaml"] = hooks_yaml()
    files[ROOT / "docs" / "rules.md"] = rules_page()
    files[ROOT / "docs" / "commands.md"] = commands_page()
    files[ROOT / "docs" / "definitions.md"] = definitions_page()
    files[ROOT / "docs" / "metrics.md"] = metrics_page()
    files[ROOT / "docs" / "api.md"] = api_page()
    files[ROOT / "docs" / "conformance.md"] = conformance_page()
    files[SECURITY_PAGE] = security_page(SECURITY_PAGE.read_text(encoding="utf-8"))
    files[SETTINGS_PAGE] = settings_page(SETTINGS_PAGE.read_text(encoding="utf-8"))
    files[STORES_PAGE] = columns_page(STORES_PAGE.read_text(encoding="utf-8"))
    files[ROUTES_PAGE] = routes_page(ROUTES_PAGE.read_text(encoding="utf-8"))
    for name in TABLES:
        path = ROOT / name
        files[path] = with_tables(name, files.get(path) or path.read_text(encoding="utf-8"))
    files |= {ROOT / folder / "__init__.pyi": stub(package) for package, folder in FACES.items()}
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only report what is out of date")
    options = parser.parse_args()
    try:
        files = derived()
    except ValueError as error:
        sys.exit(str(error))
    stale = [
        path
        for path, text in files.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        print(f"{'out of date' if options.check else 'wrote'}: {path.relative_to(ROOT)}")
        if not options.check:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
    return int(bool(stale) and options.check)


if __name__ == "__main__":
    sys.exit(main())
