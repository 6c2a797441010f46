"""Names are nouns of the field, and docstrings begin with a noun or a verb.

Counted as `python -m benchmarks.house_table` counts them. A few such words are the right ones, so
the limits are not 0. The message names the rooms with the most.
"""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path

import pytest
from conftest import ROOT

try:
    from benchmarks.house_table import CLAUSES, VAGUE, Checkout, identifiers
except ModuleNotFoundError:
    pytest.skip("benchmarks are not part of a package", allow_module_level=True)

PRODUCT = Checkout(ROOT).product
LINES = sum(source.lines for source in PRODUCT)


def by_room(counts: Counter[str]) -> str:
    rooms: Counter[str] = Counter()
    for path, count in counts.items():
        rooms[Path(path).parts[0]] += count
    return ", ".join(f"{room} {count}" for room, count in rooms.most_common())


def test_names_are_nouns():
    """``asked``, ``found``, ``what``, … say nothing of what they hold."""
    vague = Counter({s.path: sum(name in VAGUE for name in identifiers(s)) for s in PRODUCT})
    assert vague.total() <= 20 * LINES / 1000, by_room(vague)


def test_docstrings_begin_with_a_noun_or_a_verb():
    """Not with a relative clause: ``What is left``, ``Whether it holds``."""
    clauses = Counter(
        {
            source.path: sum(
                (ast.get_docstring(node) or " .").split()[0].rstrip(",:") in CLAUSES
                for node in source.nodes
                if isinstance(
                    node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
                )
            )
            for source in PRODUCT
        }
    )
    assert clauses.total() <= 3 * LINES / 1000, by_room(clauses)
