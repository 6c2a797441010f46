"""The size of the project: ``python -m benchmarks.sizes [CHECKOUT …]``, a column for each.

Files are those of ``git ls-files``. Product is the Python of the installed rooms, without what is
generated. Statements are those of the syntax tree, docstrings among them.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GENERATED = "schemas/compiled/"
#: Pages that `make generate` wrote into docs/ before they were built with the site.
BUILT = {"api.md", "commands.md", "conformance.md", "definitions.md", "metrics.md", "rules.md"}

#: Run with the rooms of a checkout: the sizes of its surface.
SURFACE = """
import json, typer
from evalmark.cli import main
import sys
load = main.load
from evalmark import find_rules
RULES = sys.modules[find_rules.__module__].RULES

def options(command):
    parameters = command.get_params(typer.Context(command))
    return [p.opts[0] for p in parameters
            if p.param_type_name == "option" and p.name != "help"]

names = []
COMMANDS = main.commands() if hasattr(main, "commands") else main.COMMANDS
for name in COMMANDS:
    command = load(name)
    for each in (command, *getattr(command, "commands", {}).values()):
        names += options(each)
print(json.dumps({"commands": len(COMMANDS), "options": len(names),
                  "names of options": len(set(names)), "rules": len(RULES)}))
"""


def sizes(root: Path) -> dict[str, int]:
    """Name of a size -> its number."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    texts = {
        path: (root / path).read_text(encoding="utf-8")
        for path in listed
        if path.endswith((".py", ".js", ".md")) and (root / path).is_file()
    }
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    rooms = tuple(f"{folder}/" for folder in project["tool"]["setuptools"]["package-dir"].values())

    def lines(chosen: Callable[[str], bool], ending: str = ".py") -> int:
        return sum(t.count("\n") for p, t in texts.items() if p.endswith(ending) and chosen(p))

    def words(chosen: Callable[[Path], bool]) -> int:
        pages = ((Path(p), t) for p, t in texts.items() if p.startswith("docs/") and p[-2:] == "md")
        return sum(len(text.split()) for path, text in pages if chosen(path))

    def is_product(path: str) -> bool:
        return path.startswith(rooms) and not path.startswith(GENERATED)

    product = [t for p, t in texts.items() if p.endswith(".py") and is_product(p)]
    tests = [t for p, t in texts.items() if p.endswith(".py") and p.startswith("tests/")]
    return {
        "product: lines of Python": lines(is_product),
        "product: statements": sum(
            isinstance(node, ast.stmt) for text in product for node in ast.walk(ast.parse(text))
        ),
        "product: modules": len(product),
        "product: lines of JavaScript": lines(is_product, ".js"),
        "tests: lines": lines(lambda path: path.startswith("tests/")),
        "tests: functions": sum(
            node.name.startswith("test_")
            for text in tests
            for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        ),
        "benchmarks: lines": lines(lambda path: path.startswith("benchmarks/")),
        "scripts: lines": lines(lambda path: path.startswith("scripts/")),
        "generated: lines": lines(lambda path: path.startswith(GENERATED)),
        "all Python in git: lines": lines(lambda _: True),
        "files in git": len(listed),
        "words of docs/, hand-written": words(lambda path: path.name not in BUILT),
        "words of docs/, generated": words(lambda path: path.name in BUILT),
        "extras": len(project["project"]["optional-dependencies"]),
        **surface(root),
    }


def surface(root: Path) -> dict[str, int]:
    """What the commands of a checkout tell of themselves."""
    with tempfile.TemporaryDirectory() as folder:
        linking = [sys.executable, "scripts/link_rooms.py", folder]
        subprocess.run(linking, cwd=root, check=True)
        done = subprocess.run(
            [sys.executable, "-c", SURFACE], cwd=folder, check=True, capture_output=True, text=True,
            env=os.environ | {"PYTHONPATH": folder},
        )  # fmt: skip
    found: dict[str, int] = json.loads(done.stdout)
    return found


def main() -> None:
    roots = [Path(word).resolve() for word in sys.argv[1:]] or [ROOT]
    columns = [sizes(root) for root in roots]
    print("| |", " | ".join(root.name for root in roots), "|\n|---|" + "---|" * len(roots))
    for name in columns[0]:
        print(f"| {name} |", " | ".join(f"{column[name]:,}" for column in columns), "|")


if __name__ == "__main__":
    main()
