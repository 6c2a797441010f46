"""What to write for a formula with a slip: each suggestion is applied, and gives what was meant."""

import json
import time

import pytest
from applying import applied
from conftest import data_at
from evalmark.schemas.errors import FormulaSyntaxError
from evalmark.validator.check import check_data, check_text
from evalmark.validator.formats.suites.formula.formula_fixes import mended, parenthesized
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Dialect,
    Logic,
    nodes_of,
    parse_formula,
    read_formula,
    references,
    unparse,
)
from evalmark.validator.formats.suites.formula.meaning import meaning_of, type_problems
from found import codes_of, findings_of
from hypothesis import given
from hypothesis import strategies as st
from strategies import examples, formulas
from suites import suite_of

#: A formula with slips, and what is meant.
MEANT = {
    # a reference
    "(3,%a%) > (3;%b%)": "(3;%a%) > (3;%b%)",
    "(3,%a%) > (3,%b%)": "(3;%a%) > (3;%b%)",
    "(*,%a%) > (*;%b%)": "(*;%a%) > (*;%b%)",
    "(2:%a%) > (2;%b%)": "(2;%a%) > (2;%b%)",
    "(2; %a%) > (2;%b%)": "(2;%a%) > (2;%b%)",
    "(2;;%a%) > (2;%b%)": "(2;%a%) > (2;%b%)",
    "(2;%%a%%) > (2;%b%)": "(2;%a%) > (2;%b%)",
    "(2;a) > (2;%b%)": "(2;%a%) > (2;%b%)",
    "(2;%a) > (2;%b%)": "(2;%a%) > (2;%b%)",
    "(2;%a% > (2;%b%)": "(2;%a%) > (2;%b%)",
    "2;%a% > 2;%b%": "(2;%a%) > (2;%b%)",
    "(%a%;2) > (2;%b%)": "(2;%a%) > (2;%b%)",
    "(2；%a%) ＞ (2;%b%)": "(2;%a%) > (2;%b%)",
    # a number
    "(2;%a%) - (2;%b%) > 0,5": "(2;%a%) - (2;%b%) > 0.5",
    "(2;%a%) - (2;%b%) > 1.000,5": "(2;%a%) - (2;%b%) > 1000.5",
    "(2;%a%) - (2;%b%) > 1,000.5": "(2;%a%) - (2;%b%) > 1000.5",
    "(2;%a%) - (2;%b%) > 0,500": "(2;%a%) - (2;%b%) > 0.500",
    "(2;%a%) × 2 > (2;%b%)": "(2;%a%) + (2;%a%) > (2;%b%)",
    "(2;%a%) - (2;%b%) > 12,345,678": "(2;%a%) - (2;%b%) > 12345678",
    "(2;%a%) - (2;%b%) > 1/2": "(2;%a%) - (2;%b%) > 0.5",
    # a product
    "2*(3;%a%) > (3;%b%)": "(3;%a%) + (3;%a%) > (3;%b%)",
    "(3;%b%) > (3;%a%) * 2": "(3;%b%) > (3;%a%) + (3;%a%)",
    "(3;%b%) - 2 * (3;%a%) > 0": "(3;%b%) - ((3;%a%) + (3;%a%)) > 0",
    "2*(3,%a%) > (3;%b%)": "(3;%a%) + (3;%a%) > (3;%b%)",
    # an operator
    "(2;%a%) >= (2;%b%)": "(2;%a%) > (2;%b%)",
    "(2;%a%) =< (2;%b%)": "(2;%a%) < (2;%b%)",
    "(2;%a%) == (2;%b%)": "(2;%a%) = (2;%b%)",
    "(2;%a%) ≥ (2;%b%)": "(2;%a%) > (2;%b%)",
    "(2;%a%) > (2;%b%) and (3;%a%) > (3;%b%)": "(2;%a%) > (2;%b%) & (3;%a%) > (3;%b%)",
    "(2;%a%) > (2;%b%) || (3;%a%) > (3;%b%)": "(2;%a%) > (2;%b%) | (3;%a%) > (3;%b%)",
    "not (2;%a%) > (2;%b%)": "(2;%a%) < (2;%b%)",
    "!((2;%a%) > (2;%b%))": "((2;%a%) < (2;%b%))",
    "-(2;%a%) < -(2;%b%)": "0 - (2;%a%) < 0 - (2;%b%)",
    "(2;%a%) - -(2;%b%) > 1": "(2;%a%) - (0 - (2;%b%)) > 1",
    "1 < (2;%a%) - (2;%b%) < 20": "(1 < (2;%a%) - (2;%b%)) & ((2;%a%) - (2;%b%) < 20)",
    "(2;%a%) > (2;%b%) | 1 < (3;%a%) < (3;%b%)":
        "(2;%a%) > (2;%b%) | ((1 < (3;%a%)) & ((3;%a%) < (3;%b%)))",
    "(2;%a%) > (2;%b%) & > (3;%b%)": "(2;%a%) > (2;%b%) & (2;%a%) > (3;%b%)",
    "(2;%a%) > (2;%b%) and not (3;%a%) > (3;%b%)": "(2;%a%) > (2;%b%) & (3;%a%) < (3;%b%)",
    # what is around it
    "(2;%a%) > (2;%b%).": "(2;%a%) > (2;%b%)",
    "(2;%a%) > (2;%b%);": "(2;%a%) > (2;%b%)",
    "'(2;%a%) > (2;%b%)'": "(2;%a%) > (2;%b%)",
    "surprisal(2;%a%) > surprisal(2;%b%)": "(2;%a%) > (2;%b%)",
    "S(2;a) > S(2;b)": "(2;%a%) > (2;%b%)",
    # parentheses
    "{(2;%a%) > (2;%b%)}": "((2;%a%) > (2;%b%))",
    "((2;%a%) - (2;%b%)) > ((3;%a%) - (3;%b%)": "((2;%a%) - (2;%b%)) > ((3;%a%) - (3;%b%))",
    "(2;%a%)+(3;%a%) < (2;%b%)+(3;%b%))": "(2;%a%)+(3;%a%) < (2;%b%)+(3;%b%)",
    "((2;%a%) > (2;%b%)": "((2;%a%) > (2;%b%))",
    "(2;%a%) > (2;%b%))": "(2;%a%) > (2;%b%)",
    "[(2;%a%) > (2;%b%)) & [(3;%a%) > (3;%b%)]": "[(2;%a%) > (2;%b%)] & [(3;%a%) > (3;%b%)]",
    "(2;%a%) > (2;%b%) | (3;%a%) > 0) & (3;%b%) > 1":
        "(((2;%a%) > (2;%b%)) | ((3;%a%) > 0)) & ((3;%b%) > 1)",
    "[((2;%a%) > (2;%b%)] & [(3;%a%) > 1]": "[((2;%a%) > (2;%b%))] & [(3;%a%) > 1]",
    "[2;%a%] > [2;%b%]": "(2;%a%) > (2;%b%)",
    "+(2;%a%) > (2;%b%)": "(2;%a%) > (2;%b%)",
    # as in the languages that have these operators, `and` is before `or`
    "(2;%a%) > 1 || (2;%b%) > 2 && (3;%a%) > 3":
        "((2;%a%) > 1) | (((2;%b%) > 2) & ((3;%a%) > 3))",
    "(2;%a%) > 1 and (2;%b%) > 2 or (3;%a%) > 3":
        "(((2;%a%) > 1) & ((2;%b%) > 2)) | ((3;%a%) > 3)",
    # numbers and truth values
    "((2;%a%) > (2;%b%)) = 1": "(2;%a%) > (2;%b%)",
    "((2;%a%) > (2;%b%)) + ((3;%a%) > (3;%b%)) = 2": "((2;%a%) > (2;%b%)) & ((3;%a%) > (3;%b%))",
    "((2;%a%) > (2;%b%)) + ((3;%a%) > (3;%b%)) > 0": "((2;%a%) > (2;%b%)) | ((3;%a%) > (3;%b%))",
    "(2;%a%) > (2;%b%) &": "(2;%a%) > (2;%b%)",
    "((2;%a%) < (2;%b%))+1": "(2;%a%) < (2;%b%) + 1",
}  # fmt: skip

#: Formulas that would say something else if the slip were mended where the parser stops.
UNKNOWN = (
    "(1-3;%a%) > (1-3;%b%)",  # a range of regions, not 1 less a region
    "(1+2;%a%) > (2;%b%)",
    "(-1;%a%) > (2;%b%)",
    "2*(2;%b%)*2 > (2;%a%)",  # four times the region, not three times
    "(2;%b%)*2*2 > (2;%a%)",
    "(2;%a%) > (2;%b%) = 1",
    "(2;%a%) > 1,000,00",
    "(2;%a%) & (3;%a%) > (2;%b%) & (3;%b%)",  # in pairs, or all with each other
    "(2;%a%) > (2;%b%) => (3;%a%) > (3;%b%)",  # if the one, then the other
    "(2;%a%) > (2;%b%) (3;%a%) > (3;%b%)",
    "(2,3;%a%) > (2,3;%b%)",
    "(2;%a%) > (2;%b%) or 5",
    "(2;%a%) > 2(2;%b%)",
    "%a%2 > %b%2",
    "((2;%a%) > (2;%b%)) = 0",  # its opposite
    "((2;%a%) > (2;%b%)) < 1",
    "1 - ((2;%a%) > (2;%b%)) = 1",
    "((2;%a%) > (2;%b%)) + 1 > 0",  # true whatever the model
    "((2;%a%) > (2;%b%)) + ((3;%a%) > (3;%b%)) = 1",  # one of the two, and not both
)

ITEM = {"a": ["The boys", "the dog saw", "run"], "b": ["The boy", "the dogs see", "runs"]}
#: Formulas for which nobody can say what is meant: advice, and no text to write.
ADVISED = {
    "(2;%a%) - (2;%b%) > 1,500": "",
    "(2;%a%) > (2;%b%), (3;%a%) > (3;%b%)": "",
    "(2;%a%) > (2;%b%) + (3;%a%) > (3;%b%)": "",
    "(2;%a%) - (2;%b%) + (3;%a%)) > (3;%b%)": "",
    "(2;%a%) - (2;%b%)": "compare it",
    "abs((2;%a%)) > 3": "compare twice",
    "|(2;%a%) - (2;%b%)| < 0.5": "compare twice",
    "max((2;%a%), (3;%a%)) < (2;%b%)": "compare each",
    "(2-3;%a%) < (2-3;%b%)": "a reference has one region; several are added, as in `(2;%a%) + (3;",
    "(2,3;%a%) < (2,3;%b%)": "a reference has one region; several are added, as in `(2;%a%) + (3;",
    "(2;%a%) != (2;%b%)": "compare twice",
    "(2;%a%) / 2 > (2;%b%)": "multiply the other side",
    "0.5 * (2;%a%) > (2;%b%)": "add the region several times",
    "(2;%a%) & (2;%b%)": "compare it",
    "((2;%a%) > (2;%b%)) = ((3;%a%) > (3;%b%))": "join truth values",
}


@pytest.mark.parametrize("formula", MEANT)
def test_written_in_its_place_it_gives_what_is_meant(formula):
    text = json.dumps(suite_of([ITEM], [formula]), ensure_ascii=False)
    finding = next(f for f in check_text(text).findings if f.code in ("SG201", "SG202"))
    (new,) = applied(text, finding)
    assert json.loads(new)["predictions"][0]["formula"] == MEANT[formula]
    assert not set(codes_of(new)) & {"SG201", "SG202", "SG205"}


@pytest.mark.parametrize("formula", ADVISED)
def test_where_nobody_knows_what_is_meant_there_is_advice(formula):
    finding = findings_of(suite_of([ITEM], [formula]))[0]
    assert "".join(finding.helps).startswith(ADVISED[formula])
    assert not any(text.startswith("write ") for text in finding.helps)


@pytest.mark.parametrize("formula", UNKNOWN)
def test_a_formula_is_not_given_another_meaning(formula):
    findings = [f for f in findings_of(suite_of([ITEM], [formula])) if f.code in ("SG201", "SG202")]
    assert findings
    assert not any(text.startswith("write ") for f in findings for text in f.helps)


def test_the_number_of_a_region_is_not_multiplied():
    finding = findings_of(suite_of([ITEM], ["2*3;%a% > (2;%b%)"]))[0]
    assert "(6;" not in finding.helps[0]


SLIPS = {
    ";%": ",%", "%)": "%", "(": "((", " & ": " && ", " | ": " or ", " > ": " >= ",
    " < ": " ≤ ", " = ": " == ", ";": "; ",
}  # fmt: skip


@examples(80)
@given(formulas(), st.sampled_from(sorted(SLIPS)), st.randoms())
def test_a_slip_is_mended_or_left_alone(tree, slip, random):
    """What is suggested can be read, and has every region of the formula."""
    formula = unparse(tree)
    places = [i for i in range(len(formula)) if formula.startswith(slip, i)]
    if not places:
        return
    at = random.choice(places)
    broken = formula[:at] + SLIPS[slip] + formula[at + len(slip) :]
    try:
        parse_formula(broken)
    except FormulaSyntaxError as error:
        if better := mended(error):
            (start, end), new_text = better
            new = broken[:start] + new_text + broken[end:]
            meant = parse_formula(new).tree
            assert not list(type_problems(meant))
            assert list(references(meant)) == list(references(tree))


@examples(200)
@given(st.text(alphabet="(2;%a%)>&|<=[],.*/- 5bnot!“”≥", max_size=60))
def test_no_text_is_an_exception(text):
    for dialect in Dialect:
        try:
            tree = parse_formula(text, dialect).tree
        except FormulaSyntaxError as error:
            if better := mended(error):
                (start, end), new_text = better
                new = text[:start] + new_text + text[end:]
                assert not list(type_problems(read_formula(new).tree))
        else:
            assert tree


@pytest.mark.parametrize(
    "formula", ["(" * 900, "(2,%a%) > " * 90, "not " * 240, "1 < " * 240, "2*" * 480, "%a" * 480]
)
def test_a_long_broken_formula_takes_no_time(formula):
    begin = time.process_time()
    with pytest.raises(FormulaSyntaxError) as error:
        read_formula(formula)
    mended(error.value)
    assert time.process_time() - begin < 20  # a hundredth of a second; a hang would be minutes


@examples(100)
@given(formulas())
def test_parentheses_make_a_mixed_formula_clear_and_keep_its_meaning(tree):
    clear = parse_formula(unparse(parenthesized(tree))).tree
    assert not any(isinstance(node, Logic) and node.mixed for node in nodes_of(clear))
    assert meaning_of(clear) == meaning_of(tree)


def surrounded(before, after):
    """A formula, and what is suggested where a text is around it."""
    data = data_at("good/suite.json")
    formula = data["predictions"][0]["formula"]
    data["predictions"][0]["formula"] = f"{before}{formula}{after}"
    (finding,) = check_data(data).findings
    return formula, finding.helps


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", "  # agreement"),
        ("P1: ", ""),
        ('"', '"'),
        ("", " (agreement)"),
        ("= ", ""),
        ("", " & // x 3"),
    ],
)
def test_what_is_no_part_of_a_formula_is_said_and_not_written(before, after):
    formula, helps = surrounded(before, after)
    assert helps == (f"write `{formula}`",)


@pytest.mark.parametrize(
    ("before", "after"), [("not ", ""), ("", " if x"), ("", " / 2"), ("2 * (", ")")]
)
def test_what_may_change_a_formula_is_not_taken_away(before, after):
    formula, helps = surrounded(before, after)
    assert f"write `{formula}`" not in helps
