"""SyntaxGym's older page on suites, statement by statement."""

import csv
import json
import re

import pytest
from conftest import data_at
from evalmark.converters.conversion_formats import Syntax
from evalmark.converters.convert_document import convert_data, convert_document, convert_text
from evalmark.converters.supplied import Supplied
from evalmark.converters.syntax import ParsedText
from evalmark.schemas.errors import ConversionError
from evalmark.scoring.suites.prediction_results import judge
from evalmark.scoring.suites.regions import assign_tokens, region_surprisals, region_value
from evalmark.scoring.suites.suite_loading import prepare
from evalmark.validator.check import check_data
from evalmark.validator.formats.builtin import detect
from found import codes_of
from pointers import put, value_at
from suites import suite_of

case, conforms = pytest.param, pytest.mark.conforms

SENTENCES = {"fits": ["The old boat", "sinks", "."], "clashes": ["The old boat", "sink", "."]}
TRIPLE = {
    "region_number": 2,
    "l_operand": "clashes",
    "relation": "greaterthan",
    "r_operand": "fits",
}
SUITE = {
    **suite_of([SENTENCES], []),
    "meta": {
        "name": "boats",
        "author": "A. Writer",
        "reference": "Writer, A. (1999). On boats.",
        "metric": "all",
    },
    "region_meta": {"1": "subject", "2": "verb", "3": "end"},
    "predictions": [TRIPLE],
}
#: The same with one metric, which can be converted as it is.
SCORED_BY_SUM = {**SUITE, "meta": {"name": "boats", "metric": "sum"}}
SENTENCE = "/items/0/conditions/0"
#: Token surprisals of the two sentences, three regions each.
FITS, CLASHES = [[1.0, 2.0], [3.0], [4.0]], [[1.0, 2.0], [5.0, 0.5], [4.0]]


def changed(pointer, value=...):
    """The suite with another value at a pointer, or without it."""
    return put(SUITE, pointer, value)


def errors(data):
    found = check_data(data, kind="suite-legacy").findings
    return [(one.code, one.pointer) for one in found if one.severity == "error"]


def holds(relation, region=2, fits=FITS, clashes=CLASHES, metric="sum"):
    """Whether the prediction holds after conversion, with these surprisals."""
    data = changed("/predictions/0", {**TRIPLE, "relation": relation, "region_number": region})
    parsed = ParsedText("", "suite.json", Syntax.JSON, data, "suite-legacy")
    supplied = Supplied(metric=metric)
    # Both sentences begin with one text, which no model tells apart: an error, but of the suite.
    current = convert_document(parsed, to="suite", supplied=supplied).data
    suite = prepare(current, "suite.json", "core")
    return judge(suite.suite, suite.trees, [[fits, clashes]]).predictions[0].outcomes == (True,)


@pytest.mark.parametrize("value", ["all", [2], "some", 5, ["x"]])
def test_regions_without_a_space_are_all_or_numbers(value):
    found = errors(changed("/meta/no_space_before", value))
    assert bool(found) is (value not in ("all", [2]))


@conforms("L-2", "L-19", "L-25", "L-44", "L-57")
@conforms("L-1", "L-3", "L-20", "L-17")
def test_a_suite_of_the_shape_of_the_examples():
    assert detect(SUITE) == "suite-legacy"
    assert errors(SUITE) == []
    assert codes_of(SUITE) == ["SG221"], "a warning"


@conforms("L-19", "L-25", "L-44", "L-57")
def test_the_examples_of_the_page_are_one_suite(shared):
    text = (shared / "seeds/1-syntaxgym-legacy-suites.txt").read_text(encoding="utf-8")
    suite, decoder = {}, json.JSONDecoder()
    for key in ("meta", "region_meta", "predictions", "items"):
        start = text.index("{", text.rindex("\n{", 0, text.index(f'    "{key}": ')))
        suite |= decoder.raw_decode(text[start:])[0]
    assert list(suite) == ["meta", "region_meta", "predictions", "items"]
    assert errors(suite) == []


REQUIRED = [
    case("/meta", marks=conforms("L-2")),
    case("/region_meta", marks=conforms("L-2", "L-21")),
    case("/predictions", marks=conforms("L-2", "L-31")),
    case("/items", marks=conforms("L-2")),
    case("/meta/name", marks=conforms("L-4")),
    case("/meta/metric", marks=conforms("L-7")),
    case("/predictions/0/region_number", marks=conforms("L-33")),
    case("/predictions/0/l_operand", marks=conforms("L-34")),
    case("/predictions/0/relation", marks=conforms("L-35")),
    case("/predictions/0/r_operand", marks=conforms("L-36")),
    case("/items/0/item_number", marks=conforms("L-47")),
    case("/items/0/conditions", marks=conforms("L-48")),
    case(f"{SENTENCE}/condition_name", marks=conforms("L-50")),
    case(f"{SENTENCE}/regions", marks=conforms("L-51")),
    case(f"{SENTENCE}/regions/1/region_number", marks=conforms("L-52")),
    case(f"{SENTENCE}/regions/1/content", marks=conforms("L-53")),
]


@pytest.mark.parametrize("pointer", REQUIRED)
def test_a_required_key(pointer):
    parent, _, key = pointer.rpartition("/")
    assert ("SG101", parent) in errors(changed(pointer))
    report = check_data(changed(pointer), kind="suite-legacy")
    assert f"`{key}`" in report.findings[0].message


WRONG = [
    case("/meta", ["boats"], marks=conforms("L-2")),
    case(f"{SENTENCE}/regions/1", "sinks", marks=conforms("L-52", "L-53")),
    case("/meta/name", 1, marks=conforms("L-4")),
    case("/meta/author", ["A. Writer"], marks=conforms("L-5")),
    case("/meta/reference", 1999, marks=conforms("L-6")),
    case("/meta/metric", "mode", marks=conforms("L-14")),
    case("/meta/metric", 1, marks=conforms("L-15")),
    case("/meta/metric", ["sum", "mode"], marks=conforms("L-14")),
    case("/meta/metric", [], marks=conforms("L-7")),
    case("/meta/metric", ["sum", "sum"], marks=conforms("L-16")),
    case("/region_meta", ["subject"], marks=conforms("L-23")),
    case("/predictions", {}, marks=conforms("L-30")),
    case("/predictions/0", "2", marks=conforms("L-30")),
    case("/predictions/0/region_number", "2", marks=conforms("L-33")),
    case("/predictions/0/region_number", [2, 3], marks=conforms("L-33")),
    case("/predictions/0/l_operand", 1, marks=conforms("L-34")),
    case("/predictions/0/r_operand", None, marks=conforms("L-36")),
    *(
        case("/predictions/0/relation", word, marks=conforms("L-37"))
        for word in (">", "greater", "LessThan", "notequals", 1)
    ),
    case("/items", {}, marks=conforms("L-46")),
    case("/items/0", 1, marks=conforms("L-46")),
    case("/items/0/item_number", "one", marks=conforms("L-47")),
    case("/items/0/conditions", {}, marks=conforms("L-48")),
    case(SENTENCE, "The old boat sinks.", marks=conforms("L-49")),
    case(f"{SENTENCE}/condition_name", 1, marks=conforms("L-50")),
    case(f"{SENTENCE}/regions", {}, marks=conforms("L-51")),
    case(f"{SENTENCE}/regions/1/region_number", "2", marks=conforms("L-52")),
    case(f"{SENTENCE}/regions/1/content", 2, marks=conforms("L-53")),
]


@pytest.mark.parametrize(("pointer", "wrong"), WRONG)
def test_the_type_of_a_value(pointer, wrong):
    found = errors(changed(pointer, wrong))
    assert len(found) == 1
    assert found[0][0] < "SG2", "the schema decides"
    assert found[0][1].startswith(pointer)


ACCEPTED = [
    *(
        case("/meta/metric", metric, marks=conforms("L-15"))
        for metric in ("sum", "mean", "median", "range", "max", "min")
    ),
    case("/meta/metric", ["range"], marks=conforms("L-16")),
    case("/meta/metric", ["sum", "mean"], marks=conforms("L-16")),
    case("/meta/metric", "all", marks=conforms("L-17")),
    *(
        case("/predictions/0/relation", word, marks=conforms("L-37"))
        for word in ("lessthan", "equals", "greaterthan")
    ),
]


@pytest.mark.parametrize(("pointer", "value"), ACCEPTED)
def test_what_is_accepted(pointer, value):
    assert check_data(changed(pointer, value), kind="suite-legacy").ok


@conforms("L-2")
@pytest.mark.parametrize("data", [[], [SUITE], "boats", None])
def test_a_suite_is_an_object(data):
    assert errors(data)


@conforms("L-3", "L-32", "L-43")
def test_an_empty_list_says_that_nothing_is_predicted():
    data = changed("/predictions", [])
    assert detect(data) == "suite-legacy", "by its metrics"
    assert detect({**SCORED_BY_SUM, "predictions": []}) == "suite"
    assert check_data(data).ok
    assert convert_data(data, supplied=Supplied(metric="sum")).data["predictions"] == []


@conforms("L-5", "L-6")
@pytest.mark.parametrize("key", ["author", "reference"])
def test_author_and_reference_may_be_missing(key):
    assert errors(changed(f"/meta/{key}")) == []


@conforms("L-8", "L-9", "L-10", "L-11", "L-12", "L-13", "L-7", "L-26", "L-27")
@pytest.mark.parametrize(
    ("metric", "value"),
    [("sum", 12), ("mean", 3), ("median", 2.0), ("range", 6), ("max", 7), ("min", 1)],
)
def test_a_metric_makes_one_value_of_the_tokens_of_a_region(metric, value):
    assert region_value([7.0, 1.0, 3.0, 1.0], metric) == value


MEANINGS = [
    # region 1 is 3 in both sentences, region 2 is 3 where it fits and 5.5 where it clashes
    case("greaterthan", 2, True, marks=conforms("L-40", "L-44")),
    case("greaterthan", 1, False, marks=conforms("L-40")),
    case("lessthan", 2, False, marks=conforms("L-38")),
    case("lessthan", 1, False, marks=conforms("L-38")),
    case("equals", 2, False, marks=conforms("L-39")),
    case("equals", 1, True, marks=conforms("L-39")),
]


@pytest.mark.parametrize(("relation", "region", "expected"), MEANINGS)
def test_what_a_relation_means(relation, region, expected):
    assert holds(relation, region) is expected
    if region == 2:
        other = holds(relation, region, fits=CLASHES, clashes=FITS)
        assert other is (relation == "lessthan"), "the left operand is the left side"


@conforms("L-39")
@pytest.mark.parametrize(("value", "expected"), [(3.001, True), (3.0011, False)])
def test_values_are_equal_within_a_tolerance(value, expected):
    clashes = [CLASHES[0], [value], CLASHES[2]]
    assert holds("equals", clashes=clashes) is expected


@conforms("L-27", "L-7")
def test_a_prediction_compares_by_the_metric():
    assert holds("greaterthan", metric="sum")  # 5.5 and 3
    assert not holds("greaterthan", metric="mean")  # 2.75 and 3


@conforms("L-45")
def test_each_item_has_its_own_verdict():
    item = SUITE["items"][0]
    data = changed("/items", [item, {**item, "item_number": 2}])
    current = convert_data(data, to="suite", supplied=Supplied(metric="sum")).data
    suite = prepare(current, "suite.json", "core")
    result = judge(suite.suite, suite.trees, [[FITS, CLASHES], [CLASHES, FITS]])
    assert result.predictions[0].outcomes == (True, False)


@conforms("L-28")
def test_conditions_are_those_of_the_items():
    data = json.loads(json.dumps(SUITE).replace("clashes", "other"))
    assert errors(data) == []
    assert "conditions" not in data
    assert "conditions" not in data["meta"]


UNKNOWN = [
    case("/predictions/0/l_operand", "crashes", marks=conforms("L-41")),
    case("/predictions/0/r_operand", "crashes", marks=conforms("L-41")),
    case("/predictions/0/region_number", 4, marks=conforms("L-42", "L-24")),
    case(f"{SENTENCE}/regions/1/region_number", 4, marks=conforms("L-24", "L-52")),
]


@pytest.mark.parametrize(("pointer", "value"), UNKNOWN)
def test_what_is_used_is_declared(pointer, value):
    assert check_data(convert_data(SCORED_BY_SUM).data).findings == ()
    data = {**changed(pointer, value), "meta": SCORED_BY_SUM["meta"]}
    assert [place for _, place in errors(data)] == [pointer]
    assert re.search(r"stays: SG(203|204|402)", "\n".join(convert_data(data).notes))


@conforms("L-18")
def test_a_file_of_several_metrics_becomes_one_of_the_metric_that_is_chosen():
    with pytest.raises(ConversionError, match="choose"):
        convert_data(SUITE, to="suite")
    for metric in ("sum", "range"):
        new = convert_data(SUITE, to="suite", supplied=Supplied(metric=metric)).data
        assert new["meta"]["metric"] == metric
    only = convert_data(changed("/meta/metric", ["range"])).data
    assert only["meta"]["metric"] == "range"


@conforms("L-54", "L-49", "L-55")
def test_sentences_are_text_that_each_model_tokenizes():
    suite = prepare(convert_data(SUITE, supplied=Supplied(metric="sum")).data, "x", "core")
    (row,) = suite.sentences
    assert [sentence.text for sentence in row] == ["The old boat sinks .", "The old boat sink ."]
    words = [(0, 3), (3, 7), (7, 12), (12, 18), (18, 20)]
    pieces = [(0, 3), (3, 5), (5, 7), (7, 12), (12, 16), (16, 18), (18, 20)]
    for spans, counts in ((words, [3, 1, 1]), (pieces, [4, 2, 1])):
        assigned = assign_tokens(spans, row[0])
        regions = region_surprisals([1.0] * len(spans), assigned, 3)
        assert [len(tokens) for tokens in regions] == counts


@conforms("L-56")
def test_a_table_has_a_row_for_each_region_and_comes_back():
    text = convert_text(json.dumps(SCORED_BY_SUM), to="table").text
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["content"] for row in rows] == [*SENTENCES["fits"], *SENTENCES["clashes"]]
    supplied = Supplied(name="boats", metric="sum", predictions=())
    back = json.loads(convert_text(text, path="boats.csv", supplied=supplied).text)
    assert back["items"] == SUITE["items"]


@conforms("L-29")
def test_a_table_is_a_way_to_begin_a_suite():
    header = "item_number,condition_name,region_number,region_name,content"
    rows = ["1,fits,1,subject,Boats", "1,fits,2,verb,sink", "1,clashes,1,subject,Boats",
            "1,clashes,2,verb,sinks"]  # fmt: skip
    supplied = Supplied(name="boats", metric="sum", predictions=["(2;%clashes%) > (2;%fits%)"])
    text = convert_text("\n".join([header, *rows]) + "\n", path="x.csv", supplied=supplied).text
    assert check_data(json.loads(text)).findings == ()


@conforms("L-1", "L-3")
@pytest.mark.parametrize("name", ["string_predictions", "bare_strings", "brackets", "triples"])
def test_every_form_becomes_the_current_one(name):
    old = data_at(f"legacy/{name}.old.json")
    assert (detect(old) == "suite-legacy") is (name == "triples")
    new = convert_data(old).data
    assert check_data(new).ok
    assert [list(prediction) for prediction in new["predictions"]] == [["type", "formula"]] * len(
        new["predictions"]
    )


@conforms("L-22")
@pytest.mark.parametrize("sentence", [0, 1])
def test_a_sentence_without_a_region_that_is_compared_is_an_error(sentence):
    place = f"/items/0/conditions/{sentence}/regions"
    regions = value_at(SUITE, place)
    data = {**changed(place, [regions[0], regions[2]]), "meta": SCORED_BY_SUM["meta"]}
    assert [code for code, _ in errors(data)] == ["SG412"]
    assert any("SG412 region-missing: region 2" in note for note in convert_data(data).notes)
