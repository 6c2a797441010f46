"""The schema of records 0.2.0, field by field, and what its descriptions say."""

import json
import re

import pytest
from conftest import FIXTURES, record_at
from evalmark.converters.convert_document import convert_text
from evalmark.schemas.backend import accepts
from evalmark.schemas.files import bundle
from evalmark.validator.check import check_data, check_file, check_text
from evalmark.validator.findings.finding import Severity
from evalmark.validator.formats.builtin import KINDS
from found import codes_of, places_of
from full_record import (
    AGENTIC,
    ARGS,
    CONTINUOUS,
    FULL,
    JURY,
    LEVELS,
    METRIC,
    OTHER,
    UNCERTAINTY,
    changed,
    without,
)
from pointers import objects, value_at

case, conforms = pytest.param, pytest.mark.conforms
SCHEMA = "record-0.2.0"

#: A field that is required, and values of wrong types.
REQUIRED = [
    case("/schema_version", [0.2], marks=conforms("R-10")),
    case("/evaluation_id", [17], marks=conforms("R-11")),
    case("/retrieved_timestamp", [1760000000], marks=conforms("R-15")),
    case("/source_metadata", ["Example Lab", []], marks=conforms("R-17")),
    case("/model_info", ["example/model-1"], marks=conforms("R-18")),
    case("/evaluation_results", [{}, "none"], marks=conforms("R-19")),
    case("/source_metadata/source_type", [1], marks=conforms("R-22")),
    case("/source_metadata/source_organization_name", [1], marks=conforms("R-24")),
    case("/source_metadata/evaluator_relationship", [1], marks=conforms("R-28")),
    case("/model_info/name", [1], marks=conforms("R-30")),
    case("/model_info/id", [1], marks=conforms("R-31")),
    case(f"{LEVELS}/evaluation_name", [1], marks=conforms("R-39")),
    case(f"{LEVELS}/source_data", ["tone"], marks=conforms("R-40")),
    case(METRIC, ["accuracy"], marks=conforms("R-42")),
    case(f"{LEVELS}/score_details", [0.5], marks=conforms("R-43")),
    case(f"{LEVELS}/source_data/dataset_name", [1], marks=conforms("R-47")),
    case(f"{CONTINUOUS}/source_data/dataset_name", [1], marks=conforms("R-47")),
    case(f"{OTHER}/source_data/dataset_name", [1], marks=conforms("R-47")),
    case(f"{LEVELS}/source_data/url", ["https://lab.example/tone.json"], marks=conforms("R-48")),
    case(f"{METRIC}/lower_is_better", ["no", 0], marks=conforms("R-58")),
    case(f"{JURY}/judges", ["gpt"], marks=conforms("R-76")),
    case(f"{JURY}/judges/0/model_info", ["gpt"], marks=conforms("R-80")),
    case(f"{JURY}/judges/0/model_info/name", [1], marks=conforms("R-81")),
    case(f"{JURY}/judges/0/model_info/id", [1], marks=conforms("R-81")),
    case(f"{JURY}/input_prompt", [["Judge."]], marks=conforms("R-85")),
    case(f"{CONTINUOUS}/score_details/score", ["0.75", True], marks=conforms("R-89")),
    case(f"{UNCERTAINTY}/standard_error/value", ["0.02"], marks=conforms("R-93")),
    case(f"{UNCERTAINTY}/confidence_interval/lower", ["0.7"], marks=conforms("R-97")),
    case(f"{UNCERTAINTY}/confidence_interval/upper", ["0.8"], marks=conforms("R-98")),
]

#: A field that may be left out, and values of wrong types.
OPTIONAL = [
    case("/evaluation_timestamp", [1750000000], marks=conforms("R-14")),
    case("/source_metadata/source_name", [1], marks=conforms("R-21")),
    case(
        "/source_metadata/source_organization_url",
        [1, ["https://lab.example"]],
        marks=conforms("R-25"),
    ),
    case("/source_metadata/source_organization_logo_url", [1], marks=conforms("R-26")),
    case("/model_info/developer", [1], marks=conforms("R-32")),
    case("/model_info/inference_platform", [1], marks=conforms("R-33")),
    case("/model_info/inference_engine", ["vLLM 0.9"], marks=conforms("R-34")),
    case("/model_info/inference_engine/name", [1], marks=conforms("R-35")),
    case("/model_info/inference_engine/version", [1.2], marks=conforms("R-36")),
    case("/model_info/additional_details", ["MIT"], marks=conforms("R-37")),
    case(f"{LEVELS}/evaluation_timestamp", [1750000000], marks=conforms("R-41")),
    case(f"{CONTINUOUS}/generation_config", ["greedy"], marks=conforms("R-44")),
    case(f"{CONTINUOUS}/source_data/hf_repo", [1], marks=conforms("R-51")),
    case(f"{CONTINUOUS}/source_data/hf_split", [1], marks=conforms("R-52")),
    case(f"{CONTINUOUS}/source_data/samples_number", ["400", 400.5], marks=conforms("R-53")),
    case(f"{CONTINUOUS}/source_data/sample_ids", ["1, two"], marks=conforms("R-54")),
    case(f"{LEVELS}/source_data/additional_details", ["MIT"], marks=conforms("R-56")),
    case(f"{CONTINUOUS}/source_data/additional_details", ["MIT"], marks=conforms("R-56")),
    case(f"{OTHER}/source_data/additional_details", ["MIT"], marks=conforms("R-56")),
    case(f"{METRIC}/evaluation_description", [1], marks=conforms("R-57")),
    case(f"{METRIC}/level_metadata", ["insults"], marks=conforms("R-68")),
    case(JURY, ["gpt"], marks=conforms("R-75")),
    case(f"{JURY}/judges/0/temperature", ["0.5"], marks=conforms("R-82")),
    case(f"{JURY}/expert_baseline", ["1.8"], marks=conforms("R-87")),
    case(f"{JURY}/additional_details", ["two rounds"], marks=conforms("R-88")),
    case(f"{CONTINUOUS}/score_details/details", [300], marks=conforms("R-90")),
    case(UNCERTAINTY, [0.02], marks=conforms("R-91")),
    case(f"{UNCERTAINTY}/standard_error", [0.02], marks=conforms("R-92")),
    case(f"{UNCERTAINTY}/standard_error/method", [1], marks=conforms("R-94")),
    case(f"{UNCERTAINTY}/confidence_interval", [[0.7, 0.8]], marks=conforms("R-96")),
    case(f"{UNCERTAINTY}/confidence_interval/confidence_level", ["95 %"], marks=conforms("R-100")),
    case(f"{UNCERTAINTY}/confidence_interval/method", [1], marks=conforms("R-102")),
    case(f"{UNCERTAINTY}/standard_deviation", ["0.4"], marks=conforms("R-103")),
    case(f"{UNCERTAINTY}/num_samples", ["400", 400.5], marks=conforms("R-104")),
    case(f"{UNCERTAINTY}/num_bootstrap_samples", ["1000", 0.5], marks=conforms("R-105")),
    case(f"{CONTINUOUS}/generation_config/additional_details", ["one"], marks=conforms("R-106")),
    case(ARGS, ["greedy"], marks=conforms("R-107")),
    case(f"{ARGS}/max_tokens", ["256", 2.5], marks=conforms("R-112")),
    case(f"{ARGS}/execution_command", [["run"]], marks=conforms("R-114")),
    case(f"{ARGS}/reasoning", ["yes", 1], marks=conforms("R-115")),
    case(f"{ARGS}/prompt_template", [["Q"]], marks=conforms("R-116")),
    case(AGENTIC, ["bash"], marks=conforms("R-117")),
    case(f"{AGENTIC}/available_tools", ["bash"], marks=conforms("R-118")),
    case(f"{AGENTIC}/available_tools/0/name", [1], marks=conforms("R-120")),
    case(f"{AGENTIC}/available_tools/0/description", [1], marks=conforms("R-120")),
    case(f"{AGENTIC}/available_tools/0/parameters", ["timeout 5"], marks=conforms("R-121")),
    case(f"{AGENTIC}/additional_details", ["none"], marks=conforms("R-122")),
    case(f"{ARGS}/eval_plan", ["react"], marks=conforms("R-123")),
    case(f"{ARGS}/eval_plan/name", [1], marks=conforms("R-124")),
    case(f"{ARGS}/eval_plan/steps", ["react"], marks=conforms("R-125")),
    case(f"{ARGS}/eval_plan/config", ["one epoch"], marks=conforms("R-127")),
    case(f"{ARGS}/eval_limits", [60], marks=conforms("R-128")),
    case(f"{ARGS}/eval_limits/time_limit", ["10", 1.5], marks=conforms("R-129")),
    case(f"{ARGS}/eval_limits/message_limit", ["10", 1.5], marks=conforms("R-129")),
    case(f"{ARGS}/eval_limits/token_limit", ["10", 1.5], marks=conforms("R-129")),
    case(f"{ARGS}/sandbox", ["docker"], marks=conforms("R-130")),
    case(f"{ARGS}/sandbox/type", [1], marks=conforms("R-131")),
    case(f"{ARGS}/sandbox/config", [1], marks=conforms("R-131")),
    case(f"{ARGS}/max_attempts", ["2", 1.5], marks=conforms("R-132")),
    case(f"{ARGS}/incorrect_attempt_feedback", [["no"]], marks=conforms("R-134")),
    case("/detailed_evaluation_results/file_path", [1], marks=conforms("R-136")),
    case("/detailed_evaluation_results/checksum", [1], marks=conforms("R-140")),
    case("/detailed_evaluation_results/total_rows", ["400", 1.5], marks=conforms("R-142")),
]

#: A value, and others that it cannot be.
TYPES = [
    case(LEVELS, ["tone", 1], marks=conforms("R-38")),
    case(f"{LEVELS}/source_data/url", [[]], marks=conforms("R-49")),
    case(f"{LEVELS}/source_data/url/0", [1], marks=conforms("R-50")),
    case(f"{CONTINUOUS}/source_data/sample_ids/0", [1.5, True, []], marks=conforms("R-55")),
    case(f"{METRIC}/level_names", ["rude, plain"], marks=conforms("R-66")),
    case(f"{METRIC}/level_names/0", [1], marks=conforms("R-67")),
    case(f"{METRIC}/level_metadata/0", [1], marks=conforms("R-69")),
    case(f"{METRIC}/has_unknown_level", ["yes"], marks=conforms("R-71")),
    case(f"{CONTINUOUS}/metric_config/min_score", ["0", True], marks=conforms("R-73")),
    case(f"{CONTINUOUS}/metric_config/max_score", ["0", True], marks=conforms("R-73")),
    case(f"{JURY}/judges", [[]], marks=conforms("R-77")),
    case(f"{JURY}/judges/0", ["gpt"], marks=conforms("R-79")),
    case(f"{JURY}/judges/0/weight", ["2"], marks=conforms("R-83")),
    case(
        f"{UNCERTAINTY}/confidence_interval/confidence_level",
        [-0.1, 1.1, 95],
        marks=conforms("R-101"),
    ),
    case(f"{ARGS}/max_tokens", [0, -1], marks=conforms("R-113")),
    case(f"{AGENTIC}/available_tools/0", ["bash"], marks=conforms("R-119")),
]

#: A value, and all that it can be.
WORDS = [
    case(
        "/source_metadata/source_type", ["documentation", "evaluation_run"], marks=conforms("R-23")
    ),
    case(
        "/source_metadata/evaluator_relationship",
        ["first_party", "third_party", "collaborative", "other"],
        marks=conforms("R-29"),
    ),
]

#: Where a value is a number or null.
OR_NULL = [
    case(f"{ARGS}/temperature", ["0.7"], marks=conforms("R-109")),
    case(f"{ARGS}/top_p", ["0.9"], marks=conforms("R-110")),
    case(f"{ARGS}/top_k", ["40"], marks=conforms("R-111")),
]


def fields(schema, definitions, pointer=""):
    """The pointers of all properties of a schema, with a star for an index."""
    if "$ref" in schema:
        schema = definitions[schema["$ref"].rpartition("/")[2]]
    for branch in schema.get("oneOf", ()):
        yield from fields(branch, definitions, pointer)
    if isinstance(schema.get("items"), dict):
        yield from fields(schema["items"], definitions, f"{pointer}/*")
    for key, inner in schema.get("properties", {}).items():
        yield f"{pointer}/{key}"
        yield from fields(inner, definitions, f"{pointer}/{key}")


def has(data, path):
    """Whether some value is at a path with stars."""
    if not path:
        return True
    if path[0] == "*":
        return any(has(inner, path[1:]) for inner in data)
    return isinstance(data, dict) and path[0] in data and has(data[path[0]], path[1:])


#: The fields that are not in the tables above: they have tests of their own below.
BY_HAND = {
    "/detailed_evaluation_results",
    "/detailed_evaluation_results/format",
    "/detailed_evaluation_results/hash_algorithm",
    "/evaluation_results/*/source_data/source_type",
    "/evaluation_results/*/metric_config/score_type",
    "/evaluation_results/*/metric_config/llm_scoring/aggregation_method",
}


def test_every_field_of_the_schema_is_in_the_full_record_and_in_a_table():
    schema = bundle(SCHEMA)
    found = set(fields(schema, schema["definitions"]))
    assert len(found) > 90
    for pointer in found:
        assert has(FULL, pointer.split("/")[1:]), pointer
    tables = (REQUIRED, OPTIONAL, OR_NULL, TYPES, WORDS)
    rows = {re.sub(r"/\d+(?=/|$)", "/*", row.values[0]) for table in tables for row in table}
    judges = "/evaluation_results/*/metric_config/llm_scoring/judges/*"
    of_judges = {f"{judges}{pointer}" for pointer in rows if pointer.startswith("/model_info")}
    assert found - rows - of_judges == BY_HAND
    assert places_of(FULL) == []


def is_refused(data, pointer):
    """Whether the schema refuses the data, and the check for one reason, at a place."""
    found = places_of(data)
    return not accepts(SCHEMA, data) and [place for _, place in found] == [pointer]


def assert_types(pointer, wrong):
    for value in wrong:
        data = changed({pointer: value})
        assert is_refused(data, pointer), (value, places_of(data))


@pytest.mark.parametrize(("pointer", "wrong"), REQUIRED)
def test_a_required_field(pointer, wrong):
    data = without(pointer)
    parent, _, key = pointer.rpartition("/")
    assert is_refused(data, parent)
    assert key in check_data(data).findings[0].message
    assert_types(pointer, [*wrong, None])


@pytest.mark.parametrize(("pointer", "wrong"), OPTIONAL)
def test_an_optional_field(pointer, wrong):
    assert accepts(SCHEMA, FULL)
    assert accepts(SCHEMA, without(pointer))
    assert not [code for code, _ in places_of(without(pointer)) if code < "EE2"]
    assert_types(pointer, [*wrong, None])


@pytest.mark.parametrize(("pointer", "wrong"), OR_NULL)
def test_an_optional_field_that_may_be_null(pointer, wrong):
    for data in (FULL, without(pointer), changed({pointer: None})):
        assert accepts(SCHEMA, data)
        assert places_of(data) == []
    assert_types(pointer, wrong)


@pytest.mark.parametrize(("pointer", "wrong"), TYPES)
def test_the_type_and_range_of_a_value(pointer, wrong):
    assert accepts(SCHEMA, FULL)
    assert_types(pointer, wrong)


@pytest.mark.parametrize(("pointer", "values"), WORDS)
def test_a_value_is_one_of_some_words(pointer, values):
    for value in values:
        assert accepts(SCHEMA, changed({pointer: value})), value
    for value in ("none of them", values[0].upper(), "", None):
        assert is_refused(changed({pointer: value}), pointer), value


#: Changes that the schema accepts, and the rule that finds what the descriptions say otherwise.
DESCRIBED = [
    case({"/evaluation_id": "run-17"}, "EE222", marks=conforms("R-12")),
    case({"/retrieved_timestamp": "yesterday"}, "EE223", marks=conforms("R-16")),
    case({"/retrieved_timestamp": "99999999999"}, "EE224", marks=conforms("R-16")),
    case({"/evaluation_timestamp": "yesterday"}, "EE223", marks=conforms("R-14")),
    case({"/evaluation_timestamp": "1770000000"}, "EE225", marks=conforms("R-14")),
    case({f"{LEVELS}/evaluation_timestamp": "yesterday"}, "EE223", marks=conforms("R-41")),
    case({"/evaluation_id": "agreement/other/model-2/1760000000"}, "EE233", marks=conforms("R-12")),
    case({"/evaluation_results": []}, "EE232", marks=conforms("R-19")),
    case({"/evaluation_results": [value_at(FULL, LEVELS)] * 2}, "EE226", marks=conforms("R-19")),
    case({"/model_info/id": " "}, "EE221", marks=conforms("R-31")),
    case({f"{OTHER}/metric_config/evaluation_description": "WER",
          f"{OTHER}/metric_config/lower_is_better": False},
         "EE211", marks=conforms("R-58")),
    case({"/source_metadata/source_organization_url": "lab.example"}, "EE227",
         marks=conforms("R-27")),
    case({"/source_metadata/source_organization_logo_url": "logo.png"}, "EE227",
         marks=conforms("R-27")),
    case({f"{LEVELS}/source_data/url": ["lab.example"]}, "EE227", marks=conforms("R-27")),
    case({f"{METRIC}/level_metadata": ["one"]}, "EE205",
         marks=conforms("R-70")),
    case({f"{LEVELS}/score_details/score": -1, f"{METRIC}/has_unknown_level": False},
         "EE204", marks=conforms("R-72")),
    case({f"{CONTINUOUS}/metric_config/max_score": 0.7}, "EE201", marks=conforms("R-74")),
    case({f"{CONTINUOUS}/metric_config/min_score": 0.8}, "EE201", marks=conforms("R-74")),
    case({f"{CONTINUOUS}/metric_config/max_score": 0.7,
          f"{CONTINUOUS}/metric_config/score_type": "binary"}, "EE201", marks=conforms("R-74")),
    case({f"{CONTINUOUS}/metric_config/min_score": 7}, "EE202", marks=conforms("R-74")),
    *(
        case({f"{LEVELS}/score_details/score": score}, "EE203", marks=conforms("R-89"))
        for score in (3, 0.5, -2)
    ),
    case({f"{JURY}/aggregation_method": "average"}, "EE210",
         marks=conforms("R-84")),
    case({f"{JURY}/judges": [{"model_info": {"name": "j", "id": "a/j"}}]}, "EE210",
         marks=conforms("R-84")),
    case({f"{UNCERTAINTY}/num_samples": 100}, "EE209",
         marks=conforms("R-95")),
    case({f"{UNCERTAINTY}/confidence_interval/lower": 0.8}, "EE206",
         marks=conforms("R-99")),
]  # fmt: skip


@pytest.mark.parametrize(("changes", "code"), DESCRIBED)
def test_what_the_descriptions_say_is_a_finding_where_the_schema_accepts_anything(changes, code):
    assert places_of(FULL) == []
    data = changed(changes)
    assert accepts(SCHEMA, data)
    assert code in [found for found, _ in places_of(data)]


ALLOWED = [
    case({"/evaluation_timestamp": "2025-06-15T15:06:40Z"}, marks=conforms("R-14")),
    case({"/evaluation_timestamp": "2025-06-15"}, marks=conforms("R-14")),
    case({"/evaluation_id": "agreement/example/model-1/1750000000"}, marks=conforms("R-12")),
    case({"/source_metadata/source_organization_logo_url": ""}, marks=conforms("R-27")),
    case({"/model_info/id": "gpt2", "/evaluation_id": "a/gpt2/1760000000"},
         marks=conforms("R-31")),
    # 2 % are allowed, n - 1, and whatever a bootstrap or a jackknife finds.
    case({f"{UNCERTAINTY}/standard_error/value": 0.0220}, marks=conforms("R-95")),
    case({f"{UNCERTAINTY}/num_samples": 4, f"{UNCERTAINTY}/standard_error/value": 0.25,
          f"{UNCERTAINTY}/confidence_interval/lower": 0.3,
          f"{UNCERTAINTY}/confidence_interval/upper": 0.95}, marks=conforms("R-95")),
    *(
        case({f"{UNCERTAINTY}/num_samples": 100, f"{UNCERTAINTY}/standard_error/method": method},
             marks=conforms("R-95"))
        for method in ("bootstrap", "jackknife")
    ),
]  # fmt: skip


@pytest.mark.parametrize("changes", ALLOWED)
def test_what_the_descriptions_leave_open_is_no_finding(changes):
    assert accepts(SCHEMA, changed(changes))
    assert places_of(changed(changes)) == []


RULES = KINDS["record"].checks.rules()
ERRORS = [rule.code for rule in RULES if rule.severity is Severity.ERROR]


@conforms("R-3")
@pytest.mark.parametrize("code", ERRORS)
def test_what_no_reader_could_use_is_an_error_though_the_schema_accepts_it(code):
    (path, *_) = sorted((FIXTURES / "bad").glob(f"{code}_*.json"))
    assert accepts(SCHEMA, json.loads(path.read_text(encoding="utf-8")))
    found = check_file(path).findings
    assert (code, Severity.ERROR) in [(finding.code, finding.severity) for finding in found]


@conforms("R-3", "R-10")
@pytest.mark.parametrize(
    ("version", "code"),
    [("0.2.9", "F013"), ("banana", "F013"), ("", "F013"), ("0.3.0", "EE102"), ("0.2.1", "EE102")],
)
def test_a_version_is_that_of_the_record(version, code):
    data = changed({"/schema_version": version})
    assert accepts(SCHEMA, data)
    assert places_of(data) == [(code, "/schema_version")]


@conforms("R-2")
def test_0_2_3_has_the_constraints_of_0_3_0():
    data = record_at("0.3.0")
    report = check_data({**data, "schema_version": "0.2.3"})
    assert (report.version, report.findings) == ("0.3.0", ())


@conforms("R-72")
def test_minus_one_is_an_unknown_level():
    assert places_of(changed({f"{LEVELS}/score_details/score": -1})) == []


@conforms("R-4")
@pytest.mark.parametrize("data", [[], [FULL], "record", 1, None])
def test_a_record_is_an_object(data):
    assert not accepts(SCHEMA, data)
    assert check_data(data, kind="record").findings


@conforms("R-4")
def test_a_record_can_be_yaml_and_has_one_meaning():
    data = without("/detailed_evaluation_results")
    text = json.dumps(data)
    in_yaml = convert_text(text, to="yaml").text
    assert in_yaml.startswith("schema_version: ")
    assert check_text(in_yaml, path="record.yaml").findings == ()
    twice = text.replace('"schema_version"', '"schema_version": "0.2.0", "schema_version"', 1)
    nan = text.replace('"score": 0.75', '"score": NaN')
    for damaged, code in ((twice, "F005"), (nan, "F006")):
        assert code in codes_of(damaged, path="r.json")


@conforms("R-1")
def test_the_bundled_schema_says_which_draft_it_is():
    assert bundle(SCHEMA)["$schema"] == "http://json-schema.org/draft-07/schema#"


@conforms("R-5")
def test_a_record_has_no_other_keys():
    data = {**FULL, "notes": "none"}
    assert not accepts(SCHEMA, data)
    assert places_of(data) == [("EE114", "/notes")]


@conforms("R-6", "R-108")
def test_every_object_inside_takes_further_keys():
    places = [place for place in objects(FULL) if place]
    assert f"{ARGS}/sandbox" in places
    for place in places:
        data = changed({f"{place}/further": {"key": None}})
        assert accepts(SCHEMA, data), place
        assert places_of(data) == [], place


FREE = [
    place for place in objects(FULL)
    if place.endswith(("/details", "additional_details", "/parameters", "plan/config"))
]  # fmt: skip


@conforms("R-7", "R-8")
@pytest.mark.parametrize("place", FREE)
def test_a_free_object_holds_anything(place):
    for value in ({}, {"a": None, "b": [1, {"c": "d"}], "": 0.5}):
        assert accepts(SCHEMA, changed({place: value}))
    if "/steps/" not in place:  # see below: steps are free altogether
        assert_types(place, [[], "text", 1])


@conforms("R-9")
def test_null_is_accepted_in_few_places():
    def taken(node, pointer=""):
        pairs = node.items() if isinstance(node, dict) else enumerate(node)
        for key, value in pairs:
            place = f"{pointer}/{key}"
            if accepts(SCHEMA, changed({place: None})):
                yield place
            elif isinstance(value, dict | list) and place not in FREE:
                yield from taken(value, place)

    free = {f"{place}/{key}" for place in FREE for key in value_at(FULL, place)}
    assert set(taken(FULL)) - free == {
        f"{ARGS}/temperature", f"{ARGS}/top_p", f"{ARGS}/top_k", f"{ARGS}/eval_plan/steps/0",
        "/detailed_evaluation_results",
    }  # fmt: skip
