"""Parts of a record 0.2.0: sources, metrics, judges, evaluation by agents, choices and samples."""

import copy
import json
import shutil

import pytest
from conftest import FIXTURES, data_at
from evalmark.converters.convert_document import convert_data
from evalmark.converters.supplied import Supplied
from evalmark.schemas.backend import accepts
from evalmark.validator.check import check_data, check_file
from found import codes_of, places_of
from full_record import ARGS, CONTINUOUS, FULL, JURY, LEVELS, OTHER, changed, without
from pointers import value_at
from test_record_document import SCHEMA, case, conforms, is_refused


@conforms("R-45", "R-46")
@pytest.mark.parametrize("result", [LEVELS, CONTINUOUS, OTHER])
def test_source_type_chooses_one_of_three_forms(result):
    place = f"{result}/source_data"
    assert is_refused(without(f"{place}/source_type"), place)
    for wrong in ("file", "URL", 1, None):
        assert is_refused(changed({f"{place}/source_type": wrong}), f"{place}/source_type")
    # The keys of another form are further keys; those of its own are required.
    source = {"dataset_name": "d", "source_type": "url"}
    assert is_refused(changed({place: source}), place)
    for name in ("hf_dataset", "other"):
        assert accepts(SCHEMA, changed({place: {**source, "source_type": name, "url": 1}}))


METRICS = [
    ("levels", ["level_names", "has_unknown_level"], "EE131"),
    ("continuous", ["min_score", "max_score"], "EE132"),
    ("binary", [], ""),
]
VALUES = {"level_names": ["no", "yes"], "has_unknown_level": False, "min_score": 0, "max_score": 1}


@conforms("R-59", "R-60", "R-61", "R-62", "R-63",
          "R-64")  # fmt: skip
@pytest.mark.parametrize(("score_type", "required", "code"), METRICS)
def test_a_type_of_score_requires_its_keys(score_type, required, code):
    place = f"{OTHER}/metric_config"
    config = {"lower_is_better": False, "score_type": score_type}
    whole = {**config, **{key: VALUES[key] for key in required}}
    assert accepts(SCHEMA, changed({place: whole}))
    for key in required:
        data = changed({place: {name: value for name, value in whole.items() if name != key}})
        assert not accepts(SCHEMA, data)
        assert places_of(data) == [(code, place)]
        assert key in check_data(data).findings[0].message
    assert is_refused(changed({f"{place}/score_type": score_type.title()}), f"{place}/score_type")


@conforms("R-65", "R-59")
def test_without_a_type_of_score_level_names_are_required():
    place = f"{OTHER}/metric_config"
    config = {"lower_is_better": False}
    bounds = {"min_score": 0, "max_score": 1}
    levels = {"level_names": ["no", "yes"], "has_unknown_level": False}
    assert accepts(SCHEMA, changed({place: {**config, **levels}}))
    for some in (config, {**config, **bounds}, {**config, "level_names": ["no", "yes"]}):
        data = changed({place: some})
        assert not accepts(SCHEMA, data)
        assert places_of(data) == [("EE131", place)]
    assert "score_type" in check_data(changed({place: config})).findings[0].message


@conforms("R-78")
def test_one_judge_and_several():
    judges = f"{JURY}/judges"
    first, *_ = value_at(FULL, judges)
    assert accepts(SCHEMA, changed({judges: [first]}))
    assert accepts(SCHEMA, changed({judges: [first] * 5}))


@conforms("R-86")
def test_how_the_scores_of_a_jury_become_one():
    place = f"{JURY}/aggregation_method"
    for value in ("majority_vote", "average", "weighted_average", "median"):
        assert accepts(SCHEMA, changed({place: value}))
    assert accepts(SCHEMA, without(place))
    for value in ("mean", 1, None):
        assert is_refused(changed({place: value}), place)


@conforms("R-126")
@pytest.mark.parametrize("step", ["react", None, 1, [], {"solver": 1, "parameters": "none"}])
def test_a_step_of_a_plan_is_anything(step):
    data = changed({f"{ARGS}/eval_plan/steps": [step]})
    assert accepts(SCHEMA, data)
    assert places_of(data) == []


@conforms("R-133")
def test_the_default_of_attempts_is_not_filled_in():
    data = without(f"{ARGS}/max_attempts", f"{ARGS}/eval_plan", "/detailed_evaluation_results")
    assert places_of(data) == []
    before = copy.deepcopy(data)
    later = convert_data(data, to="record-0.2.1", supplied=Supplied()).data
    assert data == before
    assert "max_attempts" not in value_at(later, ARGS)


@conforms("R-20")
@pytest.mark.parametrize("value", [None, 1, "samples.jsonl", [], {}])
def test_detailed_results_are_anything(value):
    data = changed({"/detailed_evaluation_results": value})
    assert accepts(SCHEMA, data)
    assert places_of(data) == []
    assert accepts(SCHEMA, without("/detailed_evaluation_results"))


CHOICES = [
    case("format", ["jsonl", "json"], marks=conforms("R-135")),
    case("hash_algorithm", ["sha256", "md5"], marks=conforms("R-138")),
]


@pytest.mark.parametrize(("key", "values"), CHOICES)
def test_an_optional_field_of_some_words(key, values):
    place = f"/detailed_evaluation_results/{key}"
    assert accepts(SCHEMA, without(place))
    for value in values:
        assert accepts(SCHEMA, changed({place: value}))
    for value in ("csv", 1, None):
        assert is_refused(changed({place: value}), place)


@conforms("R-135")
@pytest.mark.parametrize("format_", ["json", "jsonl"])
def test_samples_are_checked_if_they_are_json_lines(tmp_path, format_):
    record = data_at("good/with_samples.json")
    shutil.copy(FIXTURES / "good/with_samples_samples.jsonl", tmp_path / "rows")
    link = {"format": format_, "file_path": "rows", "checksum": "0" * 64, "total_rows": 5}
    path = tmp_path / "record.json"
    path.write_text(json.dumps({**record, "detailed_evaluation_results": link}), encoding="utf-8")
    report = check_file(path)
    is_opened = format_ == "jsonl"
    assert set(codes_of(report)) == ({"EE312", "EE313"} if is_opened else set())
    assert bool(report.companions) is is_opened


SAMPLES = [
    case("EE305_sample_hash", marks=conforms("R-139")),
    case("EE311_row_version", marks=conforms("R-136")),
    case("EE314_row_evaluation_id", marks=conforms("R-136")),
    case("EE315_row_model_id", marks=conforms("R-136")),
    case("EE316_row_result", marks=conforms("R-136")),
    case("EE321_samples_path", marks=conforms("R-137")),
    case("EE312_row_count", marks=conforms("R-143")),
    case("EE313_checksum", marks=conforms("R-141", "R-139")),
    case("EE319_samples_missing", marks=conforms("R-137")),
]


@pytest.mark.parametrize("name", SAMPLES)
def test_a_record_agrees_with_its_samples(name):
    assert check_file(FIXTURES / "good/with_samples.json").findings == ()
    bad = FIXTURES / f"bad/{name}.json"
    assert accepts(SCHEMA, json.loads(bad.read_text(encoding="utf-8")))
    assert name[:5] in codes_of(bad)
