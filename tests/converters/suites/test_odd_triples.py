"""Legacy suites with odd predictions: what `convert` writes, and what it refuses."""

import copy

import pytest
from conftest import data_at
from evalmark.converters.convert_document import convert_data
from evalmark.schemas.errors import ConversionError

SUITE = data_at("legacy/triples.old.json")
TRIPLE = SUITE["predictions"][0]


def suite(*, metric="mean", **values):
    data = copy.deepcopy(SUITE)
    data["meta"]["metric"] = metric
    data["predictions"] = [{k: v for k, v in {**TRIPLE, **values}.items() if v is not ...}]
    return data


def converted(data):
    return convert_data(data, to="suite").data["predictions"]


@pytest.mark.parametrize("region", [2, 2.0])
def test_a_region_is_a_whole_number(region):
    assert converted(suite(region_number=region))[0]["formula"] == "(2;%mismatch%) > (2;%match%)"


@pytest.mark.parametrize(
    "values",
    [
        {"region_number": 2.5}, {"region_number": "2"}, {"region_number": True},
        {"region_number": [1, 2]}, {"region_number": "Verb"}, {"region_number": "*"},
        {"region_number": None}, {"relation": "<"}, {"relation": "notequals"}, {"l_operand": ...},
        {"r_operand": 0}, {"l_operand": "(2;%match%)"}, {"l_operand": "%match%"},
        {"relation": ...}, {"metric": []}, {"metric": ["sum", "mean"]},
    ],
)  # fmt: skip
def test_what_has_no_exact_meaning_is_refused(values):
    with pytest.raises(ConversionError):
        converted(suite(**values))


def test_other_keys_of_a_prediction_are_kept():
    (new,) = converted(suite(comment="agreement"))
    assert new == {
        "type": "formula",
        "formula": "(2;%mismatch%) > (2;%match%)",
        "comment": "agreement",
    }


def test_a_name_that_no_item_has_is_not_to_be_renamed():
    with pytest.raises(ConversionError, match="which no item has") as error:
        converted(suite(l_operand="(2;%match%)"))
    assert error.value.needs != "renames"


def test_formulas_among_triples_are_refused():
    data = suite()
    data["predictions"].append({"type": "formula", "formula": "(2;%match%) > 1"})
    with pytest.raises(ConversionError):
        converted(data)
