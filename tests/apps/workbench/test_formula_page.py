"""The references that the page finds in the text of a formula: those that Python reads."""

from unicodedata import normalize

import pytest
from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.formats.suites.formula.formula_syntax import (
    read_formula,
    references,
    unparse,
)
from hypothesis import given
from hypothesis import strategies as st
from node import page_functions
from strategies import NAMES_OF_ANY_SCRIPT, arithmetic, examples, formulas
from strategies import references as references_of

#: What people write into formulas, rightly or wrongly.
SLIPS = [
    "", " ", "(", ")", "[", "]", "<", ">", "=", "&", "|", "+", "-", "*", "%", ";", ">=", "and",
    "-1", ".5", "1e", "(2;%a%)", "(*;%a%)", "(2; %a%)", "(2;% a %)", "( 2 ;%a% )", "(2;%a b%)",
    "(2;%ä%)", "(02;%a%)", "2;%a%", "(2;a)", "(2;%a%", "\n", "\t", "\N{NO-BREAK SPACE}", "é", "𝒜",
    "(2;%x.y z%)", "(2;%a:%)", "(2;%𝒜%)",
]  # fmt: skip


@pytest.fixture(scope="module")
def ask():
    with page_functions() as function:
        yield function


def units(text, span):
    """A span in UTF-16 code units, as JavaScript counts."""
    return [len(text[:offset].encode("utf-16-le", "surrogatepass")) // 2 for offset in span]


def expected(text):
    """The references that Python reads; None if it cannot read the formula."""
    try:
        tree = read_formula(text).tree
    except FormulaSyntaxError:
        return None
    return [
        {
            "region": reference.region,
            "condition": reference.condition,
            "regionSpan": units(text, reference.region_span),
            "conditionSpan": units(text, reference.condition_span),
        }
        for reference in references(tree)
    ]


def same(ask, text):
    ours = expected(text)
    assert ask("references", text, ours is not None) == ours, text


@examples(150)
@given(st.one_of(formulas(), arithmetic()).map(unparse))
def test_references_are_those_that_python_reads(ask, text):
    same(ask, text)


@examples(150)
@given(formulas(references_of(NAMES_OF_ANY_SCRIPT)), st.sampled_from(["NFC", "NFD"]))
def test_names_of_letters_of_any_script_are_those_that_python_reads(ask, tree, form):
    same(ask, normalize(form, unparse(tree)))


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
def test_a_formula_with_slips_has_the_same_references_or_none(ask, text):
    same(ask, text)


@pytest.mark.parametrize(
    "text",
    [
        "[(2;%x.y z%) < (02;% a-b %)]", "[( 2 \t;%é:%\n) < 1]", "[(*;%𝒜%) < (2;%𝒜%)]",
        "((1;%a%)) < (((2;%b%)))",
    ],
)  # fmt: skip
def test_the_references_of_the_old_dialect(ask, text):
    assert expected(text)
    same(ask, text)
