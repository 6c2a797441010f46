"""The prediction language: what is read, what it means, how it is printed."""

import time
from unicodedata import normalize

import pytest
from conftest import data_at
from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.check import check_data
from evalmark.validator.formats.suites.formula.formula_syntax import (
    MAX_DEPTH,
    Dialect,
    Logic,
    Number,
    Reference,
    Sum,
    number_text,
    parse_formula,
    read_formula,
    unparse,
)
from evalmark.validator.formats.suites.formula.formula_syntax import references as tree_references
from evalmark.validator.formats.suites.formula.meaning import (
    evaluate,
    is_close,
    meaning_of,
    type_problems,
)
from found import codes_of
from hypothesis import given
from hypothesis import strategies as st
from looping import loops_over
from strategies import NAMES_OF_ANY_SCRIPT, arithmetic, examples, formulas, numbers, references
from suites import suite_of

#: Formulas, the values of regions, and what the reference implementation gives.
CORPUS = data_at("corpus/formulas.json")
VALUES = CORPUS["values"]


def value_of(reference: Reference) -> float:
    values = VALUES[reference.condition]
    return sum(values) if reference.region is None else values[reference.region - 1]


def outcome(source: str) -> bool | str:
    try:
        tree = read_formula(source).tree
    except FormulaSyntaxError:
        return "rejected"
    if any(type_problems(tree)):
        return "mistyped"
    for each in tree_references(tree):
        if (each.region or 1) > len(VALUES.get(each.condition, ())):
            return "unresolved"
    return evaluate(tree, value_of)


@pytest.mark.conforms("S-26", "S-46")
@pytest.mark.conforms(
    "S-28", "S-29", "S-31", "S-35", "S-36", "S-37", "S-39", "S-40", "S-41", "S-43", "S-44"
)
@loops_over("case", [case for case in CORPUS["formulas"] if "reference" not in case])
def test_as_the_reference_implementation(case):
    assert outcome(case["formula"]) == case["result"]


@pytest.mark.conforms("S-38", "S-47", "S-48")
@loops_over("case", [case for case in CORPUS["formulas"] if "reference" in case])
def test_deliberate_differences(case):
    assert outcome(case["formula"]) == case["result"] != case["reference"]
    assert case["why"]


@pytest.mark.conforms("S-30", "S-32")
@pytest.mark.parametrize(
    ("row", "formula", "code"),
    [
        (11, "(*;%nosuch%) = 0", "SG204"),  # the reference: true
        (12, "(9;%match%) > 0", "SG203"),  # the reference: KeyError when evaluated
        (13, "(2;%nosuch%) > 0", "SG204"),
        (45, "1 > 0 | (9;%match%) > 0", "SG203"),
    ],
)
def test_references_are_checked_before_anything_is_evaluated(row, formula, code):
    data = suite_of([{"match": ["A", "b"]}], [formula])
    assert codes_of(data) == [code]


def test_every_operand_is_evaluated():
    seen = []

    def spy(reference):
        seen.append(reference.region)
        return 1.0

    evaluate(read_formula("(1;%a%) > 0 | (2;%a%) > 0 & (3;%a%) > 0").tree, spy)
    assert seen == [1, 2, 3]


@given(formulas())
@examples(300)
def test_parse_reads_back_what_is_printed(tree):
    assert parse_formula(unparse(tree)).tree == tree


@given(formulas(references(NAMES_OF_ANY_SCRIPT)))
@examples(300)
def test_names_of_letters_of_any_script_are_read_back(tree):
    text = unparse(tree)
    assert parse_formula(text).tree == tree
    assert parse_formula(normalize("NFD", text)).tree == tree
    assert parse_formula(text, Dialect.PYTHON).tree is not None


@pytest.mark.parametrize(
    "name", ["a b", "a%b", "a;b", "(a)", "[a]", "½", "a.b", "a\u200cb", "a+b", "…", "，"]
)
def test_other_characters_in_names_are_errors(name):
    with pytest.raises(FormulaSyntaxError):
        parse_formula(f"(2;%{name}%) > (2;%b%)")


@pytest.mark.parametrize("dialect", Dialect)
def test_a_long_blank_in_place_of_a_name_takes_no_time(dialect):
    start = time.process_time()
    with pytest.raises(FormulaSyntaxError):
        parse_formula("(2;%" + " " * 400_000, dialect)
    assert time.process_time() - start < 20  # a hundredth of a second; minutes with backtracking


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_literal_reads_back_to_the_same_number(value):
    tree = parse_formula(f"{number_text(value)} > 0").tree
    assert repr(tree.left.value) == repr(value)


@given(arithmetic())
def test_an_arithmetic_formula_is_no_prediction(tree):
    assert any(type_problems(tree))


@given(formulas())
def test_a_well_typed_formula_has_no_type_problem(tree):
    assert not list(type_problems(tree))


@given(formulas(numbers(allow_large=False) | references()), st.integers(-3, 3))
def test_what_is_not_close_stays_as_it_is(tree, shift):
    def value(reference):
        return (7.0 * (reference.region or 0) + len(reference.condition)) % 5

    def moved(reference):
        return value(reference) + (shift if reference.region == 1 else 0)

    count = sum(1 for _ in tree_references(tree))
    if not is_close(tree, value, lambda _: 3.01 * count):
        assert evaluate(tree, moved) is evaluate(tree, value)
    assert not is_close(tree, value, lambda _: 0)
    assert is_close(tree, value, lambda _: float("inf"))


@pytest.mark.parametrize(
    ("text", "close"),
    [
        ("(1;%a%) > (2;%a%)", True),  # 1 and 2, each off by less than 1
        ("(1;%a%) > (3;%a%)", False),
        ("((1;%a%) > (2;%a%)) & ((1;%a%) > (3;%a%))", False),  # false in any case
        ("((1;%a%) > (2;%a%)) | ((1;%a%) < (3;%a%))", False),  # true in any case
        ("((1;%a%) > (2;%a%)) & ((1;%a%) < (3;%a%))", True),
        ("(1;%a%) = (2;%a%)", True),
        ("(1;%a%) = (1;%a%)", True),
        ("(1;%a%) = (3;%a%)", False),
    ],
)
def test_close_is_what_could_be_otherwise(text, close):
    tree = parse_formula(text).tree
    assert is_close(tree, lambda reference: float(reference.region), lambda _: 1.5) is close


@given(st.text(st.sampled_from("()[]%;&|<>=+-*0123456789.ea b\t\u00e9"), max_size=30))
@examples(500)
def test_any_text_is_read_or_refused_with_a_place(text):
    for dialect in Dialect:
        try:
            formula = parse_formula(text, dialect)
        except FormulaSyntaxError as error:
            refusal = error
        else:
            assert formula.source == text
            continue
        start, end = refusal.span
        assert 0 <= start <= end <= len(text)
        assert str(refusal)


@pytest.mark.conforms("S-45")
def test_mixed_operators_share_one_level():
    tree = parse_formula("1 > 0 | 1 < 0 & 1 < 0").tree
    assert isinstance(tree, Logic)
    assert tree.mixed
    assert [operator for operator, _ in tree.rest] == ["|", "&"]


def test_spans_point_into_the_source():
    source = " ( 2;% b %) >  1"
    tree = parse_formula(source).tree
    assert source[slice(*tree.left.span)] == "( 2;% b %)"
    assert source[slice(*tree.left.condition_span)] == "b"
    assert source[slice(*tree.left.region_span)] == "2"
    assert source[slice(*tree.span)] == "( 2;% b %) >  1"


def test_brackets_are_read_with_the_old_precedence():
    source = "[1 > 0] | [1 < 0] & [1 < 0]"
    assert evaluate(read_formula(source).tree, value_of) is True
    assert meaning_of(read_formula(source).tree) != meaning_of(parse_formula(source).tree)


def test_deep_and_long_formulas_end_in_a_result_or_an_error():
    deep = "(" * (MAX_DEPTH + 1) + "1 > 0" + ")" * (MAX_DEPTH + 1)
    with pytest.raises(FormulaSyntaxError, match="nested"):
        parse_formula(deep)
    with pytest.raises(FormulaSyntaxError, match="nested"):
        parse_formula("(" * 100_000)
    long = " & ".join(["(2;%a%) > (2;%b%)"] * 5000)
    started = time.process_time()
    assert evaluate(parse_formula(long).tree, value_of) is True
    assert time.process_time() - started < 30  # a hang would be hours
    with pytest.raises(FormulaSyntaxError, match="too large"):
        parse_formula(f"({'9' * 5000};%a%) > 0")


def test_numbers_differ_by_sign_of_zero():
    assert number_text(-0.0) == "-0"
    assert Number(1.0) == parse_formula("1 > 0").tree.left


def test_a_sum_is_no_logic_and_a_report_no_tuple():
    one, other = Number(1.0), Number(2.0)
    assert Sum(one, (("+", other),)) != Logic(one, (("+", other),))
    assert not hasattr(check_data({}), "__len__")
