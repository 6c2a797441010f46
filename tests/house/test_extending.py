"""The recipes of docs/extending.md name files that exist, and their code can be pasted."""

from __future__ import annotations

import ast
import re
import textwrap

import pytest
from conftest import ROOT

TEXT = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
RECIPES = {
    part.partition("\n")[0]: part.partition("\n")[2]
    for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
}
#: Files that the recipes make.
MADE = {"board/board.json", "converters/records/v0_4_0.py", "fixtures/versions/record-0.4.0.json"}
PROSE = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
#: Words with a slash in code spans; a word in capitals stands for a name to choose.
NAMED = sorted(
    {
        word
        for span in re.findall(r"`([^`]+)`", PROSE)
        for word in re.findall(r"(?<!\S)[\w.-]+/[\w./-]*", span)
        if not re.search(r"[A-Z]{4}", word)
    }
    - MADE
)
SKELETONS = [
    pytest.param(textwrap.dedent(code), id=f"{recipe}-{number}")
    for recipe, text in RECIPES.items()
    for number, code in enumerate(re.findall(r"```python\n(.*?)```", text, re.DOTALL), 1)
]


def test_there_is_a_recipe_for_each_kind_of_extension():
    assert list(RECIPES) == [
        "A rule", "A record version", "An importer", "A metric", "An output format", "A page",
    ]  # fmt: skip
    for recipe, text in RECIPES.items():
        steps = re.findall(r"^(\d+)\. ", text, re.MULTILINE)
        assert steps == [str(number) for number in range(1, len(steps) + 1)], recipe
        assert "By hand: " in text, recipe


@pytest.mark.parametrize("path", NAMED)
def test_every_named_file_exists(path):
    assert (ROOT / path).exists()


@pytest.mark.parametrize("code", SKELETONS)
def test_skeletons_are_python(code):
    try:
        ast.parse(code)
    except SyntaxError:
        ast.parse(f"{{{code}}}")  # an entry of a table: key and value


@pytest.mark.parametrize("code", SKELETONS)
def test_skeletons_import_what_exists(code):
    """A module that a skeleton imports from has the name, unless the recipe makes it."""
    if not re.search(r"^from ", code, re.MULTILINE):
        pytest.skip("no imports")
    for module, names in re.findall(r"^from (evalmark[\w.]+) import (.+)$", code, re.MULTILINE):
        source = ROOT / module.removeprefix("evalmark.").replace(".", "/")
        for name in names.split(", "):
            text = source.with_suffix(".py")
            known = text.exists() and re.search(rf"\b{name}\b", text.read_text(encoding="utf-8"))
            assert known or (source / f"{name}.py").exists(), f"{module}: {name}"
