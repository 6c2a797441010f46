"""Write the files that are derived from others: ``python -m scripts.generate [--check]``.

schemas/compiled/*.py        from schemas/*.schema.json, by fastjsonschema
.pre-commit-hooks.yaml       from scripts/hook_table.py
docs/rules.md                from the docstrings of the rules
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path
from typing import Any

import fastjsonschema
from evalmark.schemas.files import FILES, bundle
from evalmark.validator.rules.manual import rules_page

from scripts.hook_table import hooks_yaml

ROOT = Path(__file__).resolve().parent.parent

HEADER = '''"""Generated from {source} by scripts/generate.py with fastjsonschema: do not edit."""

import re


class Invalid(Exception):
    """The data does not fit the schema."""


'''


class _Trim(ast.NodeTransformer):
    """Keep what decides, drop what explains: messages are the explaining path's work."""

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


class _Flatten(ast.NodeTransformer):
    """Take out what is asked twice, and lists of keys that nobody looks at in the end.

    A type that has just been demanded need not be asked for again. Which keys are left over is kept
    for ``additionalProperties``; where nothing reads it, a key is looked for in the data itself.
    """

    def __init__(self) -> None:
        self.needed: set[str] | None = None

    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        if self.needed is not None:
            return self._statements(node)  # a function within a function
        plain = [n for n in ast.walk(node) if _is_lookup(n) or _is_removal(n)]
        names = [name for n in plain for name in ast.walk(n) if isinstance(name, ast.Name)]
        harmless = {id(name) for name in names}
        self.needed = {
            n.id
            for n in ast.walk(node)
            if isinstance(n, ast.Name) and _is_load(n) and id(n) not in harmless
        }
        made = self._statements(node)
        self.needed = None
        read = {n.id for n in ast.walk(made) if isinstance(n, ast.Name) and _is_load(n)}
        return _Unread(read).visit(made)

    def generic_visit(self, node: ast.AST) -> Any:
        return self._statements(node) if hasattr(node, "body") else super().generic_visit(node)

    def _statements(self, node: Any) -> Any:
        super().generic_visit(node)
        for field in ("body", "orelse"):
            if isinstance(getattr(node, field, None), list):
                setattr(node, field, self._flat(getattr(node, field)))
        return node

    def _flat(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        kept: list[ast.stmt] = []
        known: set[str] = set()  # types that hold from here on, as text
        names: dict[str, str] = {}  # variable → the question it answers
        for statement in statements:
            match statement:
                case ast.If(test=ast.UnaryOp(op=ast.Not(), operand=question), body=[ast.Raise()]):
                    known.add(ast.unparse(question))
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    if ast.unparse(value) in known:
                        names[name] = ast.unparse(value)
                    if name.endswith("_keys") and not self._is_read(name):
                        continue
                case ast.Expr() if _is_removal(statement):
                    keys = statement.value.func.value.id  # type: ignore[attr-defined]
                    if not self._is_read(keys):
                        continue
                case ast.If(test=ast.Name(id=name), body=body, orelse=[]) if name in names:
                    kept += body
                    continue
            kept.append(statement)
        return kept

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        if _is_lookup(node):
            keys = node.comparators[0].id  # type: ignore[attr-defined]
            if not self._is_read(keys):
                node.comparators = [ast.Name(keys.removesuffix("_keys"), ast.Load())]
        return node

    def _is_read(self, keys: str) -> bool:
        return self.needed is None or keys in self.needed


class _Unread(ast.NodeTransformer):
    """Take out answers that nobody reads."""

    def __init__(self, read: set[str]) -> None:
        self.read = read

    def visit_Assign(self, node: ast.Assign) -> ast.AST | None:
        match node:
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.Call(func=ast.Name("isinstance"))
            ):
                return node if name in self.read else None
        return node


def _is_load(name: ast.Name) -> bool:
    return isinstance(name.ctx, ast.Load)


def _is_lookup(node: ast.AST) -> bool:
    """Whether this is ``'key' in data_keys``."""
    match node:
        case ast.Compare(ops=[ast.In()], left=ast.Constant(), comparators=[ast.Name(id=keys)]):
            return keys.endswith("_keys")
    return False


def _is_removal(node: ast.AST) -> bool:
    """Whether this is ``data_keys.remove('key')``."""
    match node:
        case ast.Expr(
            value=ast.Call(func=ast.Attribute(value=ast.Name(id=keys), attr="remove"), args=[_])
        ):
            return keys.endswith("_keys")
    return False


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
    tree = _Flatten().visit(_Trim().visit(tree))
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
    return files


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only say what is out of date")
    options = parser.parse_args()
    files = derived()
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
