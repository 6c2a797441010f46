"""Formulas of older dialects as current ones with the same meaning.

The older tools handed a formula to Python: ``&`` bound tighter than ``|``, both tighter than
comparisons, and chains of comparisons were real. Most formulas read the same either way; then only
the brackets change. Where the readings differ, the tree is printed with the parentheses it needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from evalmark.schemas.errors import ConversionError, FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Dialect,
    Node,
    parse,
    unparse,
    walk,
)
from evalmark.validator.formats.suites.formula.meaning import same_meaning, type_problems

_ROUND = str.maketrans("[]", "()")


@dataclass(frozen=True, slots=True)
class CurrentFormula:
    """A current formula, and what a reader should know about the change."""

    text: str
    notes: tuple[str, ...]


def current_formula(source: str) -> CurrentFormula:
    """The current formula with the meaning of one in an older dialect."""
    try:
        old = parse(source, Dialect.PYTHON).tree
    except FormulaSyntaxError as error:
        reason = f"formula `{source}` cannot be read: {error.message}"
        raise ConversionError(reason, error.help) from error
    problem = next(type_problems(old), None)
    if problem is not None:
        raise ConversionError(
            f"formula `{source}` has no meaning in its dialect: {problem.message}",
            "there `&` and `|` bind tighter than comparisons; put brackets around comparisons",
        )
    return CurrentFormula(_written(source, old), tuple(_notes(old)))


def stated_formula(source: str) -> CurrentFormula:
    """The current formula for one of unknown dialect; square brackets mean an older one.

    Raises:
        ConversionError: It cannot be read, or has no meaning.
    """
    if "[" in source or "]" in source:
        return current_formula(source)
    try:
        parse(source)
    except FormulaSyntaxError as error:
        reason = f"formula `{source}` cannot be read: {error.message}"
        raise ConversionError(reason, error.help) from error
    return CurrentFormula(source, ())


def _written(source: str, old: Node) -> str:
    plain = source.translate(_ROUND)
    try:
        if same_meaning(parse(plain).tree, old):
            return plain
    except FormulaSyntaxError:
        pass  # a chain, or a condition name that must be renamed first
    return unparse(old)


def _notes(old: Node) -> Iterator[str]:
    if any(isinstance(node, Comparison) and node.operator == "=" for node in walk(old)):
        yield "`=` was exact in the old dialect; it now holds within 1e-3 + 1e-5 * |right side|"
