"""Formulas are read alike in the page and in Python: trees, texts, errors and their places."""

from __future__ import annotations

import pytest
from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Number,
    Reference,
    read,
    unparse,
)
from evalmark.validator.formats.suites.formula.meaning import type_problems
from hypothesis import given
from hypothesis import strategies as st
from node import page_functions
from strategies import arithmetic, examples, formulas

#: What people write into formulas, rightly or wrongly.
SLIPS = [
    "", " ", "(", ")", "[", "]", "<", ">", "=", "&", "|", "+", "-", "*", "/", "!", "~", ",", ";",
    "%", ">=", "=>", "==", "!=", "<>", "&&", "||", "and", "or", "OR ", "not ", "abs", "max", "MIN",
    "mın", "surp(", "s (", "inf", "INF", "ınf", "nan1", "1e400", "-1", ".5", "5.", "1e", "(2;%a%)",
    "(*;%a%)", "(2; %a%)", "(2;% a %)", "(2;%a b%)", "(2;%ä%)", "(02;%a%)", "2;%a%", "(2;a)",
    "(99999999999999999999;%a%)", "(2;%a%", "\n", "\t", "\N{NO-BREAK SPACE}", "\ufeff", "é", "andé",
    "𝒜", "\x1f", "\x85", "ſ(", "²", "(2;%x.y z%)",
]  # fmt: skip


@pytest.fixture(scope="module")
def ask():
    with page_functions() as found:
        yield found


def units(text, offset):
    """An offset in UTF-16 code units, as JavaScript counts."""
    return len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2


def spanned(text, span):
    return [units(text, offset) for offset in span]


def as_page(text, node):
    """A tree as the page has it."""
    found = {"span": spanned(text, node.span)}
    match node:
        case Number():
            return found | {"kind": "number", "value": node.value}
        case Reference():
            return found | {
                "kind": "reference",
                "region": node.region if (node.region or 0) < 10**15 else float(node.region),
                "digits": "*" if node.region is None else str(node.region),
                "condition": node.condition,
                "conditionSpan": spanned(text, node.condition_span),
                "regionSpan": spanned(text, node.region_span),
            }
        case Comparison():
            sides = {"left": as_page(text, node.left), "right": as_page(text, node.right)}
            return found | {"kind": "comparison", "operator": node.operator} | sides
    rest = [[operator, as_page(text, part)] for operator, part in node.rest]
    kind = type(node).__name__.lower()
    return found | {"kind": kind, "first": as_page(text, node.first), "rest": rest}


def expected(text):
    try:
        tree = read(text).tree
    except FormulaSyntaxError as error:
        span = spanned(text, error.span)
        # A place behind the end is the end: nobody can mark more.
        return {"message": error.message, "span": span, "help": error.help}
    problems = [
        {"message": one.message, "span": spanned(text, one.node.span), "help": one.help}
        for one in type_problems(tree)
    ]
    return {"tree": as_page(text, tree), "text": unparse(tree), "problems": problems}


def same(ask, text):
    ours, theirs = expected(text), ask("read", text)
    for one in (ours, theirs):
        if "span" in one:
            one["span"] = [min(offset, units(text, len(text))) for offset in one["span"]]
    assert theirs == ours, text


@examples(150)
@given(st.one_of(formulas(), arithmetic()).map(unparse))
def test_trees_and_texts_are_the_same(ask, text):
    same(ask, text)


@st.composite
def mistaken(draw):
    """A formula with one to three slips at any place."""
    text = unparse(draw(st.one_of(formulas(), arithmetic())))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 2)))
        text = text[:start] + draw(st.sampled_from(SLIPS)) + text[end:]
    return text


@examples(400)
@given(st.one_of(mistaken(), st.lists(st.sampled_from(SLIPS), max_size=6).map("".join)))
def test_errors_are_the_same_and_at_the_same_place(ask, text):
    same(ask, text)


@pytest.mark.parametrize("text", ["(" * 64 + "1" + ")" * 64, "(" * 65 + "1", " + ".join("1" * 999)])
def test_deep_and_long_formulas_are_read_alike(ask, text):
    same(ask, text)
