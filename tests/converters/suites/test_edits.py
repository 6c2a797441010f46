"""Changes to suites are made on the trees of formulas: they mean the same, or they are refused."""

import json
from functools import partial

import pytest
from conftest import FIXTURES
from evalmark.converters.convert_document import convert_data
from evalmark.converters.proof.suites import same_verdicts
from evalmark.converters.step import NOTHING, Supplied
from evalmark.converters.suites.edits import (
    canonical,
    insert_region,
    renumber,
    split_conjunctions,
    strip_results,
)
from evalmark.schemas.errors import ConversionError
from evalmark.validator.check import check_data
from evalmark.validator.formats.suites.formula.formula_syntax import parse, unparse
from hypothesis import given
from strategies import examples, formulas, suite_of

SUITE = suite_of(
    [{"a": ["The", "cat", "sleeps"], "b": ["A", "dog", "barks"]}],
    ["((1;%a%) < (2;%b%)) & ((2;%a%) > 1) & ((*;%a%) < (*;%b%))", "(3;%a%) - (2;%b%) > 0"],
)


def texts(data):
    return [prediction["formula"] for prediction in data["predictions"]]


def test_a_chain_of_conjunctions_becomes_predictions():
    split = split_conjunctions(SUITE)
    assert texts(split.data) == [
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
    assert same_verdicts(data, parts, NOTHING, (split_conjunctions,))["predictions"] == 1


def test_inserting_a_region_moves_the_rest_and_no_number():
    data = insert_region(SUITE, 2, "new").data
    assert data["region_meta"] == {"1": "", "2": "new", "3": "", "4": ""}
    regions = data["items"][0]["conditions"][0]["regions"]
    assert [r["region_number"] for r in regions] == [1, 2, 3, 4]
    assert [r["content"] for r in regions] == ["The", "", "cat", "sleeps"]
    # `> 1` and `> 0` are numbers, not regions.
    assert texts(data) == [
        "((1;%a%) < (3;%b%)) & ((3;%a%) > 1) & ((*;%a%) < (*;%b%))",
        "(4;%a%) - (3;%b%) > 0",
    ]
    assert check_data(data).ok


@pytest.mark.parametrize("number", [1, 4])
def test_a_region_may_be_inserted_at_the_ends(number):
    data = insert_region(SUITE, number, "edge").data
    assert data["region_meta"][str(number)] == "edge"
    assert check_data(data).ok


@pytest.mark.parametrize("number", [0, 5])
def test_a_region_is_not_inserted_elsewhere(number):
    with pytest.raises(ConversionError, match="the suite has 3 regions"):
        insert_region(SUITE, number, "x")


def test_regions_without_a_name_move_too():
    """An error that stays: a formula or an item has a region that `region_meta` does not list."""
    odd = json.loads(json.dumps(SUITE).replace('"region_number": 3', '"region_number": 7'))
    odd["predictions"].append({"type": "formula", "formula": "(9;%a%) > 1"})
    data = insert_region(odd, 1, "new").data
    regions = data["items"][0]["conditions"][0]["regions"]
    assert [r["region_number"] for r in regions] == [1, 2, 3, 8]
    assert texts(data)[-1] == "(10;%a%) > 1"


def test_a_region_is_not_inserted_where_the_value_of_a_sentence_would_be_undefined():
    mean = {**SUITE, "meta": {**SUITE["meta"], "metric": "mean"}}
    with pytest.raises(ConversionError, match=r"`\*` would add its mean, which is undefined"):
        insert_region(mean, 1, "new")
    insert_region({**mean, "predictions": mean["predictions"][1:]}, 1, "new")


def test_names_can_be_swapped_also_where_older_formulas_are_chains():
    data = suite_of([{"a": ["x"], "b": ["y"]}], ["(1;%a%) < (1;%b%) & (1;%b%) > 1"])
    new = convert_data(data, supplied=Supplied(renames={"a": "b", "b": "a"})).data
    assert texts(new) == ["(1;%b%) < (1;%a%) & (1;%a%) > 1"]


def test_a_chain_of_an_older_formula_is_split_too():
    data = suite_of([{"a": ["x"], "b": ["y"]}], ["[(1;%a%) < (1;%b%) < 3]"])
    new = convert_data(data, edits=(split_conjunctions,)).data
    assert texts(new) == ["(1;%a%) < (1;%b%)", "(1;%b%) < 3"]


def test_keys_of_region_meta_that_are_no_numbers_are_kept():
    odd = {**SUITE, "region_meta": {**SUITE["region_meta"], "note": "x"}}
    assert renumber(odd, {3: 4}).data["region_meta"] == {"1": "", "2": "", "4": "", "note": "x"}


def test_regions_can_be_swapped_but_not_merged():
    data = renumber(SUITE, {1: 2, 2: 1}).data
    assert texts(data)[1] == "(3;%a%) - (1;%b%) > 0"
    with pytest.raises(ConversionError, match="two regions would have one number"):
        renumber(SUITE, {1: 2})
    with pytest.raises(ConversionError, match="there is no region 9"):
        renumber(SUITE, {9: 1})


def test_canonical_printing():
    data = suite_of([{"a": ["x", "y"], "b": ["x", "y"]}], ["( (1;%a%)<( 2;%b% ) )"])
    (text,) = texts(canonical(data).data)
    assert text == "(1;%a%) < (2;%b%)"
    assert canonical(canonical(data).data).data["predictions"] == [
        {"type": "formula", "formula": text}
    ]


@given(formulas())
@examples(150)
def test_printing_and_reading_are_inverse(tree):
    assert parse(unparse(tree)).tree == tree


def test_what_a_model_has_left_is_taken_out():
    data = json.loads((FIXTURES / "legacy/evaluated.new.json").read_text(encoding="utf-8"))
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
    assert parse(back["formula"]).tree == parse(formula).tree


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
    old = json.loads((FIXTURES / "legacy/brackets.old.json").read_text(encoding="utf-8"))
    edit = partial(insert_region, number=1, name="Start")
    rows = convert_data(old, to="table", edits=(edit,)).data
    assert rows[0]["region_name"] == "Start"


def test_edits_are_for_suites():
    record = json.loads((FIXTURES / "good/record.json").read_text(encoding="utf-8"))
    with pytest.raises(ConversionError, match="only a suite can be edited"):
        convert_data(record, edits=(canonical,))
