"""Changes to suites are made on the trees of formulas: they mean the same, or they are refused."""

import json

import pytest
from conftest import data_at
from evalmark.converters.convert_document import convert_data
from evalmark.converters.proof.suites import same_suite
from evalmark.converters.suites.edits import split_conjunctions, strip_results
from evalmark.converters.supplied import NOTHING, Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.validator.formats.suites.formula.formula_syntax import parse_formula, unparse
from hypothesis import given
from strategies import examples, formulas
from suites import formulas_in, suite_of

SUITE = suite_of(
    [{"a": ["The", "cat", "sleeps"], "b": ["A", "dog", "barks"]}],
    ["((1;%a%) < (2;%b%)) & ((2;%a%) > 1) & ((*;%a%) < (*;%b%))", "(3;%a%) - (2;%b%) > 0"],
)


def test_a_chain_of_conjunctions_becomes_predictions():
    split = split_conjunctions(SUITE)
    assert formulas_in(split.data) == [
        "(1;%a%) < (2;%b%)", "(2;%a%) > 1", "(*;%a%) < (*;%b%)", "(3;%a%) - (2;%b%) > 0",
    ]  # fmt: skip
    assert "prediction 1 is now 3" in split.notes[0]
    assert split_conjunctions(split.data).data is split.data


def test_a_mixed_level_is_not_split():
    data = suite_of(
        [{"a": ["x", "y"], "b": ["x", "y"]}], ["(1;%a%) > 1 & (2;%a%) > 2 | (1;%b%) > 3"]
    )
    assert split_conjunctions(data).data is data


@given(formulas())
@examples(150)
def test_parts_hold_together_when_the_whole_holds(tree):
    data = {**SUITE, "predictions": [{"type": "formula", "formula": unparse(tree)}]}
    parts = split_conjunctions(data).data
    numbers, left_out = same_suite(data, parts, NOTHING, (split_conjunctions,))
    assert (numbers["predictions"], left_out) == (1, ())


def test_names_can_be_swapped_also_where_older_formulas_are_chains():
    data = suite_of([{"a": ["x"], "b": ["y"]}], ["(1;%a%) < (1;%b%) & (1;%b%) > 1"])
    new = convert_data(data, supplied=Supplied(renames={"a": "b", "b": "a"})).data
    assert formulas_in(new) == ["(1;%b%) < (1;%a%) & (1;%a%) > 1"]


def test_a_chain_of_an_older_formula_is_split_too():
    data = suite_of([{"a": ["x"], "b": ["y"]}], ["[(1;%a%) < (1;%b%) < 3]"])
    new = convert_data(data, edits=(split_conjunctions,)).data
    assert formulas_in(new) == ["(1;%a%) < (1;%b%)", "(1;%b%) < 3"]


@given(formulas())
@examples(150)
def test_printing_and_reading_are_inverse(tree):
    assert parse_formula(unparse(tree)).tree == tree


def test_what_a_model_has_left_is_taken_out():
    data = data_at("legacy/evaluated.new.json")
    data["meta"]["model"] = "grnn"
    stripped = strip_results(data)
    assert "metric_value" not in json.dumps(stripped.data)
    assert "model" not in stripped.data["meta"]
    assert "13 results" in stripped.notes[0]
    assert strip_results(stripped.data).notes == ()


# formulas → legacy triples


@pytest.mark.parametrize(
    ("formula", "triple"),
    [
        ("(2;%a%) < (2;%b%)", (2, "a", "lessthan", "b")),
        ("((1;%b%)) > (1;%a%)", (1, "b", "greaterthan", "a")),
        ("(1;%a%) = (1;%b%)", (1, "a", "equals", "b")),
    ],
)
def test_a_plain_comparison_is_a_triple(formula, triple):
    data = suite_of([{"a": ["x", "y"], "b": ["v", "w"]}], [formula])
    (prediction,) = convert_data(data, to="suite-legacy").data["predictions"]
    assert (
        tuple(prediction[k] for k in ("region_number", "l_operand", "relation", "r_operand"))
        == triple
    )
    (back,) = convert_data({**data, "predictions": [prediction]}).data["predictions"]
    assert parse_formula(back["formula"]).tree == parse_formula(formula).tree


@pytest.mark.parametrize(
    ("formula", "part"),
    [
        ("(1;%a%) < (2;%b%)", "in one region"),
        ("(1;%a%) < 3", "cannot express `3`"),
        ("(*;%a%) < (*;%b%)", "cannot express"),
        ("(1;%a%) - (1;%b%) > (2;%a%)", r"cannot express `\(1;%a%\) - \(1;%b%\)`"),
        ("((1;%a%) < (1;%b%)) & ((2;%a%) < (2;%b%))", "split conjunctions first"),
    ],
)
def test_a_formula_without_a_triple_is_refused_with_its_part(formula, part):
    data = suite_of([{"a": ["x", "y"], "b": ["x", "y"]}], [formula])
    with pytest.raises(ConversionError, match=part):
        convert_data(data, to="suite-legacy")


def test_splitting_first_makes_triples_of_a_conjunction():
    data = suite_of(
        [{"a": ["x", "y"], "b": ["v", "w"]}], ["((1;%a%) < (1;%b%)) & ((2;%a%) < (2;%b%))"]
    )
    conversion = convert_data(data, to="suite-legacy", edits=(split_conjunctions,))
    assert [p["region_number"] for p in conversion.data["predictions"]] == [1, 2]


def test_edits_come_between_an_old_form_and_the_table():
    old = data_at("legacy/evaluated.old.json")
    with pytest.raises(ConversionError, match=r"a wide table cannot hold .*metric_value"):
        convert_data(old, to="wide-table")
    assert convert_data(old, to="wide-table", edits=(strip_results,)).data.items


def test_edits_are_for_suites():
    record = data_at("good/record.json")
    with pytest.raises(ConversionError, match="only a suite can be edited"):
        convert_data(record, edits=(strip_results,))


def test_a_rename_in_what_is_no_formula_is_refused():
    data = {**SUITE, "meta": {**SUITE["meta"], "string_predictions": ["[(1;%a%) > 2]", 7]}}
    with pytest.raises(ConversionError, match="neither text nor object: 7"):
        convert_data({**data, "predictions": []}, supplied=Supplied(renames={"a": "c"}))
