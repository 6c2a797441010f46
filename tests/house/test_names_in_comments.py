"""What docstrings and comments name exists: identifiers in double backticks, and modules."""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from conftest import ROOT
from test_house import ALL, tops_of

#: Examples of names, and names of other libraries, which nothing of ours has.
ELSEWHERE = {
    "ValidationError", "boundaries", "chck_10M", "favicon", "ndcg_at_10", "option_1", "option_2",
    "patch", "pyz", "that_gap", "that_nogap", "validate_region", "what_gap", "what_nogap", "PRESET",
}  # fmt: skip
#: Paths that users would write.
EXAMPLES = {"file.py", "path/to/file.py"}


@cache
def tokens(path: Path) -> list[tokenize.TokenInfo]:
    source = path.read_text(encoding="utf-8")
    return list(tokenize.generate_tokens(io.StringIO(source).readline))


def remarks(path: Path) -> Iterator[str]:
    """The comments and docstrings of a module."""
    for token in tokens(path):
        if token.type == tokenize.COMMENT or token.string.lstrip("rR").startswith('"""'):
            yield token.string


def named_in(path: Path) -> set[str]:
    """The identifiers that code has, and the words of texts that are keys, paths or options."""
    names = set()
    for token in tokens(path):
        is_key = token.type == tokenize.STRING and " " not in token.string
        if token.type == tokenize.NAME or is_key:
            names |= set(re.findall(r"\w+", token.string))
    return names


@pytest.fixture(scope="module")
def known():
    files = [*(ROOT / "schemas").glob("*.json"), *(ROOT / "apps").rglob("*.js")]
    words = {word for file in files for word in re.findall(r"\w+", file.read_text("utf-8"))}
    parts = {part for name in ALL for part in name.split(".")}
    return words.union(parts, sys.stdlib_module_names, *map(named_in, ALL.values()))


def test_names_in_double_backticks_exist(known):
    unknown = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in ALL.values()
        for remark in remarks(path)
        for name in re.findall(r"``([A-Za-z_]\w*(?:\.\w+)*)(?:\(\))?``", remark)
        if not set(name.split(".")) <= known | ELSEWHERE
    }
    assert unknown == set()


def test_what_a_module_is_said_to_have_is_in_it():
    homes: dict[str, set[str]] = {}
    for name, path in ALL.items():
        *_, package, module = name.split(".")
        homes.setdefault(module, {"py"}).update(tops_of(path))
        homes.setdefault(package, {"py"}).add(module)
    attributes = {
        node.attr if isinstance(node, ast.Attribute) else node.arg
        for path in ALL.values()
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute | ast.arg)
    }
    unknown = {
        (path.relative_to(ROOT).as_posix(), f"{module}.{name}")
        for path in ALL.values()
        for remark in remarks(path)
        for module, name in re.findall(r"``(\w+)\.(\w+)(?:\(\))?``", remark)
        if module in homes.keys() - attributes - {"evalmark"} and name not in homes[module]
    }
    assert unknown == {("converters/importers/imported.py", "helm.logprob"),  # ids of metrics
                       ("schemas/metrics/known_metrics.py", "helm.logprob")}  # fmt: skip


def test_modules_that_are_named_exist():
    paths = {f"/{path.relative_to(ROOT).as_posix()}" for path in ROOT.rglob("*.py")}
    unknown = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in ALL.values()
        for remark in remarks(path)
        for name in set(re.findall(r"[\w/]+\.py\b", remark)) - EXAMPLES
        if not any(one.endswith(f"/{name}") for one in paths)
    }
    assert unknown == set()
