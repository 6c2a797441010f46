"""SyntaxGym's page on suites in JSON, statement by statement."""

import json

import pytest
from evalmark.converters.convert_document import convert_data, convert_text
from evalmark.scoring.models.protocols import ModelInfo
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.prediction_results import judge
from evalmark.scoring.suites.regions import assign_tokens
from evalmark.scoring.suites.suite_loading import prepare
from evalmark.scoring.suites.suite_run import Scores, judge_suite, unique_names
from evalmark.validator.check import check_data, check_text
from evalmark.validator.checker import check_files
from found import codes_of, places_of
from pointers import put
from suites import suite_of

case, conforms = pytest.param, pytest.mark.conforms
F0 = "/predictions/0/formula"

#: One item, two conditions, three regions, one prediction.
SUITE = suite_of(
    [{"good": ["The old boat", "sinks", "at night"], "bad": ["The old boat", "sink", "at night"]}],
    ["(2;%bad%) > (2;%good%)"],
)
REGION = "/items/0/conditions/0/regions/1"
REGIONS = SUITE["items"][0]["conditions"][0]["regions"]
#: Token surprisals of the two conditions, three regions each.
GOOD, BAD = [[1.0, 2.0], [3.0], [4.0]], [[1.0, 2.0], [5.0, 0.5], [4.0]]


def with_(pointer, value):
    return put(SUITE, pointer, value)


def findings(data):
    return places_of(data, kind="suite")


def codes(data):
    return [code for code, _ in findings(data)]


def formula(text):
    return with_("/predictions/0/formula", text)


def verdicts(data, *items):
    """For each item, whether the first prediction holds with these surprisals."""
    suite = prepare(data, "suite.json", "core")
    return judge(suite.suite, suite.trees, items).predictions[0].outcomes


def holds(text, good=GOOD, bad=BAD, metric="sum"):
    data = formula(text)
    data["meta"]["metric"] = metric
    return verdicts(data, [good, bad]) == (True,)


@conforms("S-1", "S-26", "S-45", "S-42")
@pytest.mark.parametrize(
    "text",
    [
        "(2;%bad%) > (2;%good%)",
        "(2;%bad%) - (2;%good%) > 0",
        "(2;%bad%) > (2;%good%) & (2;%good%) < (2;%bad%)",
    ],
)
def test_a_suite_of_the_shape_of_the_example(text):
    assert findings(formula(text)) == []
    assert holds(text)


REQUIRED = [
    case("/meta", marks=conforms("S-3")),
    case("/region_meta", marks=conforms("S-3")),
    case("/predictions", marks=conforms("S-3", "S-21")),
    case("/items", marks=conforms("S-3")),
    case("/meta/name", marks=conforms("S-5")),
    case("/meta/metric", marks=conforms("S-8")),
    case("/predictions/0/type", marks=conforms("S-23")),
    case("/predictions/0/formula", marks=conforms("S-24")),
    case("/items/0/item_number", marks=conforms("S-51")),
    case("/items/0/conditions", marks=conforms("S-53")),
    case("/items/0/conditions/0/condition_name", marks=conforms("S-56")),
    case("/items/0/conditions/0/regions", marks=conforms("S-57")),
    case(f"{REGION}/region_number", marks=conforms("S-59")),
    case(f"{REGION}/content", marks=conforms("S-61")),
]


@pytest.mark.parametrize("pointer", REQUIRED)
def test_a_required_key(pointer):
    parent, _, key = pointer.rpartition("/")
    data = with_(pointer, ...)
    assert ("SG101", parent) in findings(data)
    assert f"`{key}`" in check_data(data, kind="suite").findings[0].message


TYPES = [
    case("/meta", [], marks=conforms("S-4")),
    case("/meta/name", 1, marks=conforms("S-6")),
    case("/meta/metric", 1, marks=conforms("S-9")),
    case("/meta/metric", "mode", marks=conforms("S-11")),
    case("/meta/metric", ["sum"], marks=conforms("S-9")),
    case("/meta/reference", 1956, marks=conforms("S-12")),
    case("/meta/comment", ["none"], marks=conforms("S-13")),
    case("/region_meta", ["Subject"], marks=conforms("S-14")),
    case("/predictions", {}, marks=conforms("S-20")),
    case("/predictions/0", 1, marks=conforms("S-22")),
    case("/predictions/0/type", 1, marks=conforms("S-23")),
    case("/predictions/0/type", "surprisal", marks=conforms("S-23")),
    case("/predictions/0/formula", ["1 > 0"], marks=conforms("S-24")),
    case("/items", {}, marks=conforms("S-49")),
    case("/items/0", [], marks=conforms("S-50")),
    case("/items/0/item_number", "1", marks=conforms("S-51")),
    case("/items/0/conditions", {}, marks=conforms("S-53")),
    case("/items/0/conditions/0", "good", marks=conforms("S-55")),
    case("/items/0/conditions/0/condition_name", 1, marks=conforms("S-56")),
    case("/items/0/conditions/0/regions", {}, marks=conforms("S-57")),
    case(REGION, "sinks", marks=conforms("S-58")),
    case(f"{REGION}/region_number", "2", marks=conforms("S-59")),
    case(f"{REGION}/region_number", 2.5, marks=conforms("S-59")),
    case(f"{REGION}/content", None, marks=conforms("S-61")),
]


@pytest.mark.parametrize(("pointer", "wrong"), TYPES)
def test_the_type_of_a_value(pointer, wrong):
    ((code, place),) = findings(with_(pointer, wrong))
    assert place == pointer
    assert code < "SG2", "the schema decides"


@conforms("S-2")
@pytest.mark.parametrize("data", [[], "suite", None, [SUITE]])
def test_a_suite_is_an_object(data):
    assert findings(data)


@pytest.mark.parametrize("value", ["all", [2], "some", 5, ["x"]])
def test_regions_without_a_space_are_all_or_numbers(value):
    assert check_data(with_("/meta/no_space_before", value)).ok is (value in ("all", [2]))


@conforms("S-2")
def test_a_suite_can_be_yaml_and_has_one_meaning():
    text = json.dumps(SUITE)
    in_yaml = convert_text(text, to="yaml").text
    assert in_yaml.startswith("meta:\n  name: s\n")
    assert check_text(in_yaml, path="suite.yaml").findings == ()
    twice = text.replace('"name": "s"', '"name": "s", "name": "t"')
    nan = text.replace('"item_number": 1', '"item_number": NaN')
    for changed, code in ((twice, "F005"), (nan, "F006")):
        assert code in codes_of(changed, path="s.json")


ACCEPTED = [
    case("/predictions", [], marks=conforms("S-21")),
    case("/meta/reference", "Somebody (1999)", marks=conforms("S-12")),
    case("/meta/comment", "", marks=conforms("S-13")),
    case("/region_meta", {"1": "", "2": "", "3": ""}, marks=conforms("S-17")),
    case("/region_meta", {"1": "x", "2": "x", "3": "%(;"}, marks=conforms("S-17")),
    case(f"{REGION}/content", "", marks=conforms("S-64")),
    *(
        case("/meta/metric", metric, marks=conforms("S-11"))
        for metric in ("mean", "median", "range", "max", "min")
    ),
]


@pytest.mark.parametrize(("pointer", "value"), ACCEPTED)
def test_what_is_accepted(pointer, value):
    assert [code for code in codes(with_(pointer, value)) if code < "SG2"] == []
    assert check_data(with_(pointer, value)).ok


@conforms("S-19")
@pytest.mark.parametrize("count", [1, 40])
def test_any_number_of_regions(count):
    words = [f"word{number}" for number in range(count)]
    data = suite_of([{"a": words, "b": ["x", *words[1:]]}], ["(1;%a%) > (*;%b%)"])
    assert len(data["region_meta"]) == count
    assert check_data(data).ok


FOUND = [
    case("/region_meta", {"0": "", "1": "", "2": "", "3": ""}, "SG401",
         marks=conforms("S-16", "S-67")),
    case("/region_meta", {"1": "", "2": "", "end": ""}, "SG401", marks=conforms("S-15")),
    case(f"{REGION}/region_number", 7, "SG402", marks=conforms("S-60", "S-67")),
    case(f"{REGION}/content", "sinks ", "SG301", marks=conforms("S-65")),
    case(f"{REGION}/content", " sinks", "SG302", marks=conforms("S-65")),
    case(F0, "(4;%bad%) > (2;%good%)", "SG203", marks=conforms("S-30", "S-67")),
    case(F0, "(2;%bat%) > (2;%good%)", "SG204", marks=conforms("S-32", "S-66", "S-67")),
    case("/predictions/0/formula", "(verb;%bad%) > (2;%good%)", "SG201",
         marks=conforms("S-18", "S-29", "S-67")),
    case("/predictions/0/formula", "(2.0;%bad%) > (2;%good%)", "SG201",
         marks=conforms("S-29")),
    case("/predictions/0/formula", "2;%bad% > 2;%good%", "SG201", marks=conforms("S-28")),
    case("/predictions/0/formula", "(2,%bad%) > (2;%good%)", "SG201",
         marks=conforms("S-26")),
    case("/predictions/0/formula", "(2;bad) > (2;good)", "SG201",
         marks=conforms("S-26")),
    case("/predictions/0/formula", "(2;%bad one%) > (2;%good%)", "SG201",
         marks=conforms("S-33")),
    case("/items/0/conditions/1/condition_name", "a bad", "SG204", marks=conforms("S-66")),
    case("/meta/name", "", "SG416", marks=conforms("S-6")),
    case("/region_meta", {"1": None, "2": "", "3": ""}, "SG417", marks=conforms("S-15")),
    case("/region_meta", {"1": "Unnamed: 7", "2": "", "3": ""}, "SG409",
         marks=conforms("S-17")),
    case("/items", [], "SG415", marks=conforms("S-49")),
    case("/items/0/conditions/0/regions", [{"region_number": n, "content": ""} for n in (1, 2, 3)],
         "SG414", marks=conforms("S-64")),
    case("/items/0/conditions", SUITE["items"][0]["conditions"] * 2, "SG405",
         marks=conforms("S-68")),
    case("/items/0/conditions/0/regions", REGIONS[:1] + REGIONS, "SG406", marks=conforms("S-68")),
    case("/items/0/conditions/0/regions", REGIONS[::-1], "SG411", marks=conforms("S-68")),
    case("/items/0/conditions/0/regions", REGIONS[:2], "SG412", marks=conforms("S-68")),
    case("/predictions/0/formula", "(1;%bad%) < (2;%bad%) < (2;%good%)", "SG201",
         marks=conforms("S-38")),
    case("/predictions/0/formula", "(2;%bad%) - (2;%good%)", "SG202",
         marks=conforms("S-47", "S-67")),
    case("/predictions/0/formula", "((2;%bad%) > (2;%good%)) + 1 > 0", "SG202",
         marks=conforms("S-47")),
    case("/predictions/0/formula", "[(2;%bad%) > (2;%good%)]", "SG208",
         marks=conforms("S-48")),
    case("/predictions/0/formula", "(2;%bad%) > 1 | (2;%bad%) > 3 & (2;%good%) < 2", "SG205",
         marks=conforms("S-45")),
    *(
        case("/predictions/0/formula", f"(2;%bad%) {sign} (2;%good%)", "SG201",
             marks=conforms("S-46"))
        for sign in (">=", "<=", "==", "!=", "~", "and", "<>")
    ),
    *(
        case("/predictions/0/formula", f"(2;%bad%) {sign} 2 > 0", "SG201",
             marks=conforms("S-46"))
        for sign in ("*", "/", "^", "%", "**")
    ),
]  # fmt: skip


@pytest.mark.parametrize(("pointer", "value", "code"), FOUND)
def test_what_the_schema_cannot_say_is_found(pointer, value, code):
    assert codes(SUITE) == []
    assert code in codes(with_(pointer, value))


@conforms("S-16", "S-15")
def test_region_numbers_have_no_gap():
    data = json.loads(json.dumps(SUITE).replace('"region_number": 3', '"region_number": 4'))
    data["region_meta"] = {"1": "", "2": "", "4": ""}
    ((code, place),) = findings(data)
    assert (code, place) == ("SG401", "/region_meta/4")


@conforms("S-52", "S-67")
def test_item_numbers_are_unique():
    item = SUITE["items"][0]
    assert "SG404" in codes(with_("/items", [item, item]))
    assert "SG404" not in codes(with_("/items", [item, {**item, "item_number": 2}]))


@conforms("S-54", "S-66", "S-67")
def test_items_have_the_same_conditions():
    one, two = (suite_of([{a: ["x y"], b: ["z"]}], [])["items"][0] for a, b in ("ab", "ac"))
    swapped = {**one, "item_number": 2, "conditions": one["conditions"][::-1]}
    data = suite_of([{"a": ["x y"], "b": ["z"]}], ["(1;%a%) > (1;%b%)"])
    for item, found in ((swapped, False), ({**two, "item_number": 2}, True)):
        assert ("SG403" in codes({**data, "items": [one, item]})) is found


@conforms("S-62")
def test_a_region_that_begins_with_punctuation_is_found_if_its_rule_is_selected():
    data = with_(f"{REGION}/content", ".")
    (found,) = check_data(data, select=["SG304"]).findings
    assert found.pointer == f"{REGION}/content"
    assert "SG304" not in codes(data)
    assert codes(with_(f"{REGION}/content", "sinks.")) == []


@conforms("S-63", "S-64")
def test_a_sentence_is_its_regions_and_a_model_tokenizes_it():
    data = with_(f"{REGION}/content", "")
    (row,) = prepare(data, "x", "core").sentences
    texts = [sentence.text for sentence in row]
    assert texts == ["The old boat at night", "The old boat sink at night"]
    # Whatever the tokens are, each belongs to the region where its text is.
    assert assign_tokens([(0, 3), (3, 10), (10, 12), (12, 21)], row[0]) == [0, 0, 0, 2]


@conforms("S-7")
def test_suites_of_one_name_are_told_apart_in_results():
    suite = prepare(SUITE, "suite.json", "core")
    scored = judge_suite(suite, ([GOOD, BAD],), Settings())
    scores = Scores(ModelInfo("local/m", "m", ("m", "1"), {}), Settings(), (scored, scored))
    assert unique_names(scores) == ["s", "s#2"]


@conforms("S-7")
def test_a_suite_of_the_same_name_is_a_warning(tmp_path):
    for name in ("a.json", "b.json"):
        (tmp_path / name).write_text(json.dumps(SUITE), encoding="utf-8")
    (found,) = check_files([tmp_path]).findings
    assert (found.code, found.severity) == ("SG418", "warning")


@conforms("S-69")
def test_a_prediction_that_no_model_fulfils_is_an_error():
    never = formula("(1;%bad%) > (1;%good%)")
    assert [(found.code, found.severity) for found in check_data(never).findings] == [
        ("SG206", "error")
    ]
    assert check_data(never, models="any").ok, "a masked model sees what follows"
    assert "SG206" in codes_of(formula("1 > 2"), models="any")


@conforms("S-70")
def test_formulas_are_in_predictions():
    data = with_("/meta/string_predictions", ["(2;%bad%) > (2;%good%)"])
    old = {**data, "predictions": []}
    assert [(found.code, found.severity) for found in check_data(old).findings] == [
        ("SG209", "error")
    ]
    assert convert_data(old).data["predictions"] == SUITE["predictions"]


@conforms("S-71")
@pytest.mark.parametrize(
    "place", ["", "/meta", "/predictions/0", "/items/0", "/items/0/conditions/0", REGION]
)
def test_further_keys_are_allowed(place):
    assert findings(with_(f"{place}/further", {"key": None})) == []


@conforms("S-48")
def test_brackets_are_read_as_their_tools_read_them():
    mixed = "(2;%bad%) > 1 | (2;%bad%) > 3 & (2;%good%) > 9"
    assert not holds(mixed), "from left to right"
    assert holds("[(2;%bad%) > 1] | [(2;%bad%) > 3] & [(2;%good%) > 9]")


VALUES = [
    # region 2 is 3 in good and 5.5 in bad
    case("(2;%bad%) > (2;%good%)", True, marks=conforms("S-34", "S-27")),
    case("(2;%good%) > (2;%bad%)", False, marks=conforms("S-34", "S-27")),
    case("(2;%bad%) = 5.5", True, marks=conforms("S-10", "S-27")),
    case("(1;%good%) = 3", True, marks=conforms("S-10")),
    case("(*;%bad%) = 12.5", True, marks=conforms("S-31")),
    case("(*;%good%) = 10", True, marks=conforms("S-31")),
    case("(*;%good%) = (1;%good%) + (2;%good%) + (3;%good%)", True, marks=conforms("S-31")),
    case("(1;%bad%) > (1;%good%)", False, marks=conforms("S-36")),
    case("(1;%bad%) < (1;%good%)", False, marks=conforms("S-35")),
    case("(2;%good%) < (2;%bad%)", True, marks=conforms("S-35")),
    case("(2;%bad%) > 5.4999", True, marks=conforms("S-36")),
    case("3 = 3.00102", True, marks=conforms("S-37")),
    case("3 = 3.00105", False, marks=conforms("S-37")),
    case("3 < 3.0005", True, marks=conforms("S-35")),
    case("(1;%bad%) + (2;%good%) = 6", True, marks=conforms("S-39")),
    case("(2;%bad%) - (2;%good%) = 2.5", True, marks=conforms("S-40", "S-41")),
    case("10 - 4 - 3 = 3", True, marks=conforms("S-41")),
    case("(2;%bad%) - (2;%good%) > 0", True, marks=conforms("S-42")),
    *(
        case(f"{1 - left} < {left} & {1 - right} < {right}", bool(left and right),
             marks=conforms("S-43"))
        for left in (0, 1) for right in (0, 1)
    ),
    *(
        case(f"{1 - left} < {left} | {1 - right} < {right}", bool(left or right),
             marks=conforms("S-44"))
        for left in (0, 1) for right in (0, 1)
    ),
    case("1 > 0 | 1 < 0 & 1 < 0", False, marks=conforms("S-45")),
    case("[(2;%bad%) > (2;%good%)]", True, marks=conforms("S-48")),
]  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), VALUES)
def test_what_a_formula_means(text, expected):
    assert holds(text) is expected


@conforms("S-25")
def test_each_item_has_its_own_verdict():
    data = with_("/items", [SUITE["items"][0], {**SUITE["items"][0], "item_number": 2}])
    assert verdicts(data, [GOOD, BAD], [BAD, GOOD]) == (True, False)


@conforms("S-31")
def test_a_star_adds_the_values_of_regions():
    assert holds("(*;%bad%) = 12.5", metric="sum")
    assert holds("(*;%bad%) = 1.5 + 2.75 + 4", metric="mean")


@conforms("S-11")
@pytest.mark.parametrize(
    ("metric", "value"),
    [("mean", 2.75), ("median", 2.75), ("range", 4.5), ("max", 5), ("min", 0.5)],
)
def test_other_metrics_are_computed(metric, value):
    assert holds(f"(2;%bad%) = {value}", metric=metric)
