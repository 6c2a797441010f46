"""Figures of the code base: ``python -m benchmarks.house_table [CHECKOUT …]``, as Markdown.

A column for each checkout (this one by default), all counted by the same rules, over the tracked
Python and JavaScript files without ``docs/``. What a command enters is traced with the checkout's
own ``.venv`` if there is one, else with this Python, and must come from the checkout.
"""

from __future__ import annotations

import argparse
import ast
import io
import json
import re
import subprocess
import sys
import tempfile
import tokenize
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GENERATED = "schemas/compiled/"
NAMES_CODE = re.compile(r"[a-z0-9_.]+:[A-Za-z0-9_]+")
#: Names that say nothing: participles and pronouns instead of nouns of the field.
VAGUE = {
    "asked", "found", "given", "how", "known", "needed", "one", "other", "own", "said", "spooled",
    "taking", "told", "wanted", "what",
}  # fmt: skip
CLAUSES = {"How", "What", "When", "Where", "Whether", "Which", "Who", "Whose", "Why"}
DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
BRANCHES = (
    ast.If, ast.IfExp, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.match_case,
    ast.comprehension,
)  # fmt: skip
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

#: Run in a subprocess: the files of the package whose functions and classes a command runs.
TRACE = """
import json, sys
root, words = sys.argv[1], json.loads(sys.argv[2])
files = set()
def note(frame, event, _):
    code = frame.f_code
    ours = code.co_filename.startswith(root) and "/.venv/" not in code.co_filename
    if ours and event == "call" and code.co_name != "<module>":
        files.add(code.co_filename)
sys.setprofile(note)
try:
    from evalmark.cli.main import main
    main(words)
finally:
    sys.setprofile(None)
    assert sys.modules["evalmark"].__file__.startswith(root)
    loaded = [m for n, m in sys.modules.items() if n.partition(".")[0] == "evalmark"]
    print(json.dumps([len(files), len(loaded)]), file=sys.__stderr__)
"""


@dataclass(frozen=True)
class Source:
    """A Python file: its text, tree, and its name if it is installed."""

    path: str
    module: str
    text: str

    @cached_property
    def tree(self) -> ast.Module:
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @property
    def lines(self) -> int:
        return self.text.count("\n")

    @property
    def package(self) -> str:
        return self.module if self.path.endswith("__init__.py") else self.module.rpartition(".")[0]


class Checkout:
    """The tracked files of a checkout, in four parts."""

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        listed = self.run("git", "ls-files", "*.py", "*.js").splitlines()
        self.files = [
            p for p in listed if not p.startswith(("docs/", "typings/")) and (root / p).is_file()
        ]
        project = tomllib.loads((root / "pyproject.toml").read_text())
        folders = project["tool"]["setuptools"]["package-dir"]
        self.homes = {f"{folder}/": name for name, folder in folders.items()}
        self.sources = {p: self._source(p) for p in self.files if p.endswith(".py")}
        self.product = [
            s for s in self.sources.values() if s.module and not s.path.startswith(GENERATED)
        ]
        self.tests = [s for s in self.sources.values() if s.path.startswith("tests/")]
        self.by_name = {s.module: s for s in self.product}

    def run(self, *command: str) -> str:
        return subprocess.run(
            command, cwd=self.root, capture_output=True, text=True, check=False
        ).stdout

    def _source(self, path: str) -> Source:
        text = (self.root / path).read_text(encoding="utf-8")
        for home, name in self.homes.items():
            if path.startswith(home):
                parts = path.removeprefix(home).removesuffix(".py").split("/")
                module = ".".join((name, *(part for part in parts if part != "__init__")))
                return Source(path, module, text)
        return Source(path, "", text)

    def part(self, path: str) -> str:
        """Which column of sizes a file is counted in."""
        if path.startswith(GENERATED):
            return "generated"
        if path.startswith(tuple(self.homes)):
            return "product"
        return "tests" if path.startswith("tests/") else "other"

    @cached_property
    def script_lines(self) -> Counter[str]:
        """Lines of JavaScript by part."""
        counts: Counter[str] = Counter()
        for path in self.files:
            if path.endswith(".js"):
                counts[self.part(path)] += (self.root / path).read_text().count("\n")
        return counts

    @cached_property
    def imports(self) -> dict[str, set[str]]:
        """Module -> modules that it imports, wherever the statement is."""
        return {s.module: set(self._imported(s).values()) - {s.module} for s in self.product}

    def _imported(self, source: Source) -> dict[str, str]:
        """Local name -> the module of ours that it comes from."""
        names: dict[str, str] = {}
        for node in source.nodes:
            if isinstance(node, ast.ImportFrom) and node.module:
                for alias in node.names:
                    whole = f"{node.module}.{alias.name}"
                    home = whole if whole in self.by_name else node.module
                    if home in self.by_name:
                        names[alias.asname or alias.name] = home
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name in self.by_name:
                        names[alias.asname or alias.name.partition(".")[0]] = alias.name
        return names

    def named_code(self, source: Source) -> Iterator[str]:
        """Modules that strings of a module name: ``module:name``, absolute or from a package."""
        packages = ["", *(f"{p}." for p in ancestors(source.package))]
        for node in source.nodes:
            text = node.value if isinstance(node, ast.Constant) else None
            if not isinstance(text, str) or not NAMES_CODE.fullmatch(text):
                continue
            module, _, name = text.partition(":")
            homes = [h for p in packages if (h := self.by_name.get(p + module))]
            if homes and name in top_level(homes[0]):
                yield homes[0].module

    def clients(self) -> dict[str, set[str]]:
        """Module -> modules that use a name of it, or load it by a string."""
        found: dict[str, set[str]] = defaultdict(set)
        for source in self.product:
            names = self._imported(source)
            used = {n.id for n in source.nodes if isinstance(n, ast.Name)}
            used |= words_in_annotations(source)
            for name, module in names.items():
                if name in used:
                    found[module].add(source.module)
            for module in self.named_code(source):
                found[module].add(source.module)
        return found


def ancestors(package: str) -> list[str]:
    parts = package.split(".")
    return [".".join(parts[:n]) for n in range(len(parts), 0, -1)]


def top_level(source: Source) -> set[str]:
    """Names that the statements of a module define."""
    found: set[str] = set()
    for node in source.tree.body:
        if isinstance(node, DEFINITIONS):
            found.add(node.name)
        elif isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            found |= {t.id for t in targets if isinstance(t, ast.Name)}
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def words_in_annotations(source: Source) -> set[str]:
    """Names in annotations that are strings."""
    found: set[str] = set()
    for node in source.nodes:
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
                found |= set(re.findall(r"\w+", annotation.value))
    return found


def tokens(source: Source) -> Iterator[tokenize.TokenInfo]:
    yield from tokenize.generate_tokens(io.StringIO(source.text).readline)


def identifiers(source: Source) -> Iterator[str]:
    """Every occurrence of a name: variables, parameters, attributes, keywords, definitions."""
    for node in source.nodes:
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.arg | ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, DEFINITIONS):
            yield node.name
        elif isinstance(node, ast.alias):
            yield from (node.asname or node.name).split(".")[-1:]


def circles(graph: dict[str, set[str]]) -> int:
    """Groups of nodes that reach each other (Tarjan's components of more than one)."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    count = 0

    def visit(node: str) -> None:
        nonlocal count
        index[node] = low[node] = len(index)
        stack.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in stack:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            size = len(stack) - stack.index(node)
            del stack[stack.index(node) :]
            count += size > 1

    for start in sorted(graph):
        if start not in index:
            visit(start)
    return count


def rooms(checkout: Checkout, inside: str) -> dict[str, set[str]]:
    """Room -> rooms that it imports: the packages and modules directly in a package."""

    def room(module: str) -> str:
        return ".".join(module.split(".")[: inside.count(".") + 2])

    graph: dict[str, set[str]] = {}
    for module, imports in checkout.imports.items():
        if module.startswith(f"{inside}."):
            seen = {room(name) for name in imports if name.startswith(f"{inside}.")}
            graph.setdefault(room(module), set()).update(seen - {room(module)})
    return graph


def floors(graph: dict[str, set[str]]) -> int:
    """The longest way down, counted in rooms; 0 if there is a circle."""
    if circles(graph):
        return 0
    height: dict[str, int] = {}
    for node in TopologicalSorter(graph).static_order():
        height[node] = 1 + max((height[other] for other in graph.get(node, ())), default=0)
    return max(height.values(), default=0)


def complexity(function: ast.AST) -> int:
    """1, and 1 for each branch, loop, handler, case, ``and``, ``or`` and comprehension."""
    count = 1
    for node in ast.iter_child_nodes(function):
        if isinstance(node, BRANCHES):
            count += 1
        elif isinstance(node, ast.BoolOp):
            count += len(node.values) - 1
        if not isinstance(node, (*DEFINITIONS, ast.Lambda)):
            count += complexity(node) - 1
    return count


def sizes(checkout: Checkout) -> Iterator[tuple[str, str]]:
    for part in ("product", "generated", "tests", "other"):
        sources = [s for s in checkout.sources.values() if checkout.part(s.path) == part]
        lines = sum(s.lines for s in sources)
        statements = sum(isinstance(n, ast.stmt) for s in sources for n in s.nodes)
        nodes = sum(len(s.nodes) for s in sources)
        yield f"{part}: lines of Python", f"{lines:,}"
        yield f"{part}: statements", f"{statements:,}"
        yield f"{part}: AST nodes", f"{nodes:,}"
        yield f"{part}: lines of JavaScript", f"{checkout.script_lines[part]:,}"
    yield "modules of the product", str(len(checkout.product))


def structure(checkout: Checkout) -> Iterator[tuple[str, str]]:
    graph = rooms(checkout, "evalmark.validator")
    folders = sum(any(m.startswith(f"{r}.") for m in checkout.by_name) for r in graph)
    arrows = sum(len(imports) for imports in graph.values())
    yield "validator: rooms (folders, modules)", f"{len(graph)} ({folders}, {len(graph) - folders})"
    yield "validator: floors", str(floors(graph) or "circle")
    yield "validator: arrows", str(arrows)
    yield "circles of rooms in the validator", str(circles(graph))
    yield "circles of modules", str(circles(checkout.imports))
    named = [m for s in checkout.product for m in checkout.named_code(s)]
    yield "strings that name code", str(len(named))
    late = sum(
        isinstance(n, ast.Call)
        and getattr(n.func, "id", getattr(n.func, "attr", "")) in ("import_module", "__import__")
        for s in checkout.product for n in s.nodes
    )  # fmt: skip
    yield "calls of `import_module`", str(late)
    alone = sum(
        len(users) == 1 and folder(next(iter(users))) == folder(module)
        for module, users in checkout.clients().items()
    )
    yield "modules with one client, in their own folder", str(alone)
    homes: dict[str, set[str]] = defaultdict(set)
    for source in checkout.product:
        if not source.path.endswith(("__init__.py", "__main__.py")):
            homes[Path(source.path).name].add(folder(source.module))
    yield "module names in two folders", str(sum(len(found) > 1 for found in homes.values()))


def folder(module: str) -> str:
    return module.rpartition(".")[0]


def habits(checkout: Checkout) -> Iterator[tuple[str, str]]:
    lines = sum(s.lines for s in checkout.product)
    functions = [n for s in checkout.product for n in s.nodes if isinstance(n, FUNCTIONS)]
    found = sum(complexity(f) > 10 for f in functions)
    yield "functions", f"{len(functions):,}"
    yield "functions of complexity above 10", f"{found} ({found / len(functions):.1%})"

    def rate(name: str, count: int) -> tuple[str, str]:
        return f"{name}, per 1,000 lines", f"{1000 * count / lines:.2f} ({count:,})"

    words = Counter(name for s in checkout.product for name in identifiers(s))
    texts = [s.text for s in checkout.product]
    yield rate("`Any`", sum(t.string == "Any" for s in checkout.product for t in tokens(s)))
    yield rate("`cast(`", sum(len(re.findall(r"\bcast\(", text)) for text in texts))
    yield rate("`type: ignore`", sum(text.count("type: ignore") for text in texts))
    yield rate("participles and pronouns as names", sum(words[w] for w in VAGUE))
    documents = [
        ast.get_docstring(n) or ""
        for s in checkout.product for n in s.nodes
        if isinstance(n, (ast.Module, *DEFINITIONS))
    ]  # fmt: skip
    opening = sum(d.split()[0].rstrip(",:") in CLAUSES for d in documents if d.split())
    yield rate("docstrings that open with a relative clause", opening)
    formats = sum(len(re.findall(r"# fmt: (?:skip|off)", text)) for text in texts)
    yield "`# fmt: skip` and `off`", str(formats)


def entered(checkout: Checkout) -> Iterator[tuple[str, str]]:
    own = checkout.root / ".venv/bin/python"
    python = str(own) if own.exists() else sys.executable
    with tempfile.TemporaryDirectory() as temporary:
        fixtures, store = f"{checkout.root}/fixtures", f"{temporary}/store"
        add = [python, "-P", "-m", "evalmark", "store", "add", f"{fixtures}/trees/datastore"]
        subprocess.run([*add, "--to", store], cwd=temporary, check=False, capture_output=True)
        for name, words in {
            "check` of a suite": ["check", f"{fixtures}/suites/agreement_attractor.json"],
            "check` of a record": ["check", f"{fixtures}/versions/record-0.2.0.json"],
            "convert` of a legacy suite": [
                "convert", f"{fixtures}/legacy/triples.old.json", "-o", f"{temporary}/new.json",
            ],
            "store top`": ["store", "top", store, "agreement"],
        }.items():  # fmt: skip
            done = subprocess.run(
                [python, "-P", "-c", TRACE, str(checkout.root), json.dumps(words)],
                cwd=temporary, capture_output=True, text=True, check=False,
            )  # fmt: skip
            try:
                files, modules = json.loads(done.stderr.splitlines()[-1])
                figure = f"{files} ({modules})"
            except (ValueError, IndexError):
                figure = "not run"
            yield f"files entered (modules loaded) by `{name}", figure


def tests(checkout: Checkout, cases: bool) -> Iterator[tuple[str, str]]:
    functions = sum(
        isinstance(n, FUNCTIONS) and n.name.startswith("test_")
        for s in checkout.tests for n in s.nodes
    )  # fmt: skip
    yield "test functions", f"{functions:,}"
    if cases:
        own = checkout.root / ".venv/bin/python"
        python = str(own) if own.exists() else sys.executable
        out = checkout.run(python, "-m", "pytest", "--collect-only", "-q", "-n0", "tests")
        counted = re.search(r"(\d+)(?:/\d+)? tests? collected", out)
        yield "test cases", f"{int(counted[1]):,}" if counted else "not collected"


def rows(checkout: Checkout, cases: bool) -> Iterable[tuple[str, str]]:
    yield from sizes(checkout)
    yield from tests(checkout, cases)
    yield from structure(checkout)
    yield from entered(checkout)
    yield from habits(checkout)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("checkouts", nargs="*", type=Path, default=[ROOT])
    parser.add_argument("--no-cases", action="store_true", help="do not let pytest count cases")
    options = parser.parse_args()
    columns = [dict(rows(Checkout(root), not options.no_cases)) for root in options.checkouts]
    names = [root.resolve().name for root in options.checkouts]
    print(f"| | {' | '.join(names)} |\n|---|{'---|' * len(names)}")
    for name in dict.fromkeys(name for column in columns for name in column):
        print(f"| {name} | {' | '.join(column.get(name, '–') for column in columns)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
