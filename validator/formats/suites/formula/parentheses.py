"""Where a parenthesis that is missing belongs, or which one is too many."""

from __future__ import annotations

import re
from typing import Any

from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.formula.meaning import type_problems
from evalmark.validator.formats.suites.formula.parser import read
from evalmark.validator.formats.suites.formula.retyping import Draft
from evalmark.validator.formats.suites.formula.tree import Comparison, Logic, Node, Sum, terms

#: A longer formula is mended only where it does not matter where a parenthesis is.
MAX_TRIED = 300

_OPERAND = re.compile(r"\((?:[0-9]+|\*);%[^%()]*%\)|[0-9]+(?:\.[0-9]+)?|[()]")


def parenthesis(text: str, at: int) -> str | list[Draft] | None:
    """One that is open is closed, and one that closes nothing goes or gets an opening one.

    Every place is tried. If all give the same meaning, it is closed at the end, or goes.
    """
    opened = text.count("(") - text.count(")")
    if text[at : at + 1] == "]" and opened > 0:
        return text[:at] + ")" + text[at:]
    if text[at : at + 1] in tuple(")]") and text.count("[") != text.count("]"):
        return text[:at] + ("]" if text[at] == ")" else ")") + text[at + 1 :]
    if text[at : at + 1] == ")" and opened < 0:
        simplest = text[:at] + text[at + 1 :]
    elif opened > 0 and text[at : at + 1] == "(" and "[" not in text:
        simplest = text.rstrip() + ")" * opened
    else:
        return None
    if abs(opened) > 1 or "[" in text or len(text) > MAX_TRIED:
        return simplest if _says_the_same_anywhere(text) else None
    meanings: dict[Any, str] = {}
    for new in [simplest, *_with_one_more(text, opened)]:
        if is_prediction(new):
            meanings.setdefault(_meaning(read(new).tree), new)
    if not meanings:  # there are other slips
        return simplest if _says_the_same_anywhere(text) else None
    if len(meanings) == 1:
        return next(iter(meanings.values()))
    return [Draft(new) for new in meanings.values()]


def is_prediction(text: str) -> bool:
    """Whether a formula can be read, and is true or false."""
    try:
        return next(type_problems(read(text).tree), None) is None
    except FormulaSyntaxError:
        return False


def _says_the_same_anywhere(text: str) -> bool:
    # With brackets the parser stops where the group in which it is missing ends.
    return "-" not in text and ("[" in text or not {"&", "|"} <= set(text))


def _with_one_more(text: str, opened: int) -> list[str]:
    """The formula with one parenthesis at every place where it can be."""
    if opened > 0:
        ends = [match.end() for match in _OPERAND.finditer(text) if match.group() != "("]
        return [f"{text[:end]}){text[end:]}" for end in ends]
    starts = [match.start() for match in _OPERAND.finditer(text) if match.group() != ")"]
    return [f"{text[:start]}({text[start:]}" for start in starts]


def _meaning(node: Node) -> Any:
    """Equal for formulas that hold for the same values, whatever their parentheses."""
    if isinstance(node, Comparison):
        left, right = (node.right, node.left) if node.operator == ">" else (node.left, node.right)
        total = terms(Sum(left, (("-", right),)))
        return node.operator.replace(">", "<"), frozenset(total.items())
    assert isinstance(node, Logic)
    meaning = _meaning(node.first)
    for operator, part in node.rest:
        both = (meaning, _meaning(part))
        flat = [set(one[1]) if one[0] == operator else {one} for one in both]
        meaning = operator, frozenset(set.union(*flat))
    return meaning
