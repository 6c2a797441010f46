"""What docstrings and comments name exists: identifiers in double backticks, and modules."""

import ast
import io
import re
import sys
import tokenize
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from conftest import ROOT
from test_house import ALL, tops_of, tree_of

pytestmark = pytest.mark.usefixtures("trees_are_forgotten")

#: Examples of names, and names of other libraries, which nothing of ours has.
ELSEWHERE = {
    "ValidationError", "boundaries", "chck_10M", "favicon", "ndcg_at_10", "option_1", "option_2",
    "patch", "pyz", "that_gap", "that_nogap", "validate_region", "what_gap", "what_nogap", "PRESET",
}  # fmt: skip
#: Paths that users would write.
EXAMPLES = {"file.py", "path/to/file.py"}


class Words(NamedTuple):
    """What a module says."""

    remarks: tuple[str, ...]  # comments and docstrings
    names: frozenset[str]  # identifiers of code, and words of texts that are keys, paths or options


@cache
def words_of(path: Path) -> Words:
    remarks, names = [], set()
    for token in tokenize.generate_tokens(io.StringIO(path.read_text("utf-8")).readline):
        is_text = token.type == tokenize.STRING
        if token.type == tokenize.COMMENT or (is_text and token.string.lstrip("rR")[:3] == '"""'):
            remarks.append(token.string)
        if token.type == tokenize.NAME or (is_text and " " not in token.string):
            names.update(re.findall(r"\w+", token.string))
    return Words(tuple(remarks), frozenset(names))


@pytest.fixture(scope="module")
def known():
    files = [*(ROOT / "schemas").glob("*.json"), *(ROOT / "apps").rglob("*.js")]
    words = {word for file in files for word in re.findall(r"\w+", file.read_text("utf-8"))}
    parts = {part for name in ALL for part in name.split(".")}
    return words.union(
        parts, sys.stdlib_module_names, *(words_of(path).names for path in ALL.values())
    )


def test_names_in_double_backticks_exist(known):
    unknown = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in ALL.values()
        for remark in words_of(path).remarks
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
        for node in ast.walk(tree_of(path))
        if isinstance(node, ast.Attribute | ast.arg)
    }
    unknown = {
        (path.relative_to(ROOT).as_posix(), f"{module}.{name}")
        for path in ALL.values()
        for remark in words_of(path).remarks
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
        for remark in words_of(path).remarks
        for name in set(re.findall(r"[\w/]+\.py\b", remark)) - EXAMPLES
        if not any(one.endswith(f"/{name}") for one in paths)
    }
    assert unknown == set()
