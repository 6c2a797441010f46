"""The figures of the code base, on a small one in which they can be counted by hand."""

from __future__ import annotations

import subprocess

import pytest

from benchmarks.house_table import Checkout, habits, sizes, structure

FILES = {
    "pyproject.toml": """
[tool.setuptools.package-dir]
evalmark = "library"
"evalmark.validator" = "validator"
""",
    "library/__init__.py": "",
    "validator/__init__.py": "",
    "validator/table.py": 'RULES = "rules.suites:RULES"\nNOTHING = "rules.suites:NONE"\n',
    "validator/rules/__init__.py": "from evalmark.validator.rules.suites import RULES\n",
    "validator/rules/suites.py": (
        '"""What a suite obeys."""\n'
        "from typing import Any\n"
        "from evalmark.validator.rules.names import known\n"
        "RULES: Any = known\n"
    ),
    "validator/rules/names.py": (
        "def known(a):\n"
        '    """True of a name."""\n'
        "    return a or a and [b for b in a if b or b]\n"
        "def wide(a):\n"
        f"    return {' or '.join('a' * 11)}\n"
    ),
    "validator/check.py": "from evalmark.validator.circle import b\na = b\n",
    "validator/circle.py": "from evalmark.validator.check import a\nb = a\n",
    "tests/test_a.py": "def test_a():\n    assert True\n",
    "docs/a.py": "a = 1\n",
    "validator/page.js": "1;\n2;\n",
}


@pytest.fixture
def checkout(tmp_path):
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    for words in (("init", "-q"), ("add", ".")):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    return Checkout(tmp_path)


def test_sizes(checkout):
    table = dict(sizes(checkout))
    assert table["product: lines of Python"] == "16"
    assert table["product: lines of JavaScript"] == "2"
    assert table["tests: statements"] == "2"
    assert table["other: lines of Python"] == "0"
    assert table["modules of the product"] == "8"


def test_structure(checkout):
    table = dict(structure(checkout))
    assert table["validator: rooms (folders, modules)"] == "4 (1, 3)"
    assert table["validator: arrows"] == "2"
    assert table["validator: floors"] == "circle"
    assert table["circles of modules"] == "1"
    assert table["strings that name code"] == "1"
    # check and circle use each other, suites uses names; kinds names suites, from another folder.
    assert table["modules with one client, in their own folder"] == "3"


def test_habits(checkout):
    table = dict(habits(checkout))
    assert table["functions of complexity above 10"] == "1 (50.0%)"
    assert table["`Any`, per 1,000 lines"] == "125.00 (2)"
    assert table["participles and pronouns as names, per 1,000 lines"] == "187.50 (3)"
    assert table["docstrings that open with a relative clause, per 1,000 lines"] == "62.50 (1)"
