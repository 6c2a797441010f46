"""A field that a version moves is found there by all that read records, not by rules alone."""

import json
import math
from pathlib import Path

import pytest
from evalmark.converters.overrides.defaults import Defaults, Facts
from evalmark.converters.overrides.needs import Needs
from evalmark.converters.records.record_run import run_of_record
from evalmark.converters.step import Question
from evalmark.leaderboard.flatten import RecordFile, flatten
from evalmark.leaderboard.names import MergedNames
from evalmark.leaderboard.result_columns import RESULTS
from evalmark.validator.batch.changes.changed_files import ChangedFile
from evalmark.validator.batch.changes.check_changed import traits_of
from evalmark.validator.batch.changes.result_differences import ResultDifferences
from evalmark.validator.format import as_document
from evalmark.validator.formats.builtin import KINDS
from evalmark.validator.formats.records import record_fields
from evalmark.validator.formats.records.compared_records import compared_results
from evalmark.validator.formats.records.record_fields import (
    RECORD_FIELDS,
    RESULT_FIELDS,
    RecordLayout,
    fields_in,
    results_in,
)
from evalmark.validator.formats.records.record_view import view_of
from evalmark.validator.reading.reading import read

#: A version that moves every field but those that a record and its models are known by.
MOVED = "9.9.9"
KNOWN_BY = ("evaluation_id", "evaluation_results", "model_info", "id", "name")
OF_RECORD = {
    "evaluation_id": "board/lab/model-1/1760000000", "model_id": "lab/model-1",
    "model_name": "Model 1", "developer": "lab", "retrieved": "1760000000",
    "evaluated": "1750000000", "source_name": "Board", "organization": "A Lab",
    "source_type": "evaluation_run", "relationship": "third_party", "platform": "cloud",
    "engine": "vllm", "engine_version": "1", "library": "lm-eval", "library_version": "0.4",
    "about_source": {"a": "b"}, "organization_url": "https://lab.example",
    "samples_path": "samples.jsonl",
}  # fmt: skip
OF_RESULT = {
    "name": "task", "identity": "task/1", "evaluated": "1750000001", "score": 0.75, "low": 0,
    "high": 1, "lower_is_better": False, "metric_id": "accuracy", "metric_name": "Accuracy",
    "description": "A share.", "score_type": "continuous", "kind": "share", "unit": "share",
    "parameters": {"k": 1}, "lower": 0.7, "upper": 0.8, "level": 0.95, "standard_error": 0.02,
    "num_samples": 400, "dataset": "Data", "hf_repo": "lab/data", "hf_split": "test",
    "urls": ["https://lab.example/data"], "samples_number": 400, "about_data": {"c": "d"},
    "about_metric": {"e": "f"}, "max_tokens": 16, "more_settings": {"g": "h"},
    "details": {"i": "j"},
}  # fmt: skip


def moved(layout):
    return {
        name: tuple(key if key in KNOWN_BY else f"{key}_moved" for key in path)
        for name, path in layout.items()
    }


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch):
    layouts = RecordLayout(moved(RECORD_FIELDS), moved(RESULT_FIELDS))
    monkeypatch.setitem(record_fields._RECORD_LAYOUTS, MOVED, layouts)


def record(version, **changes):
    """The same record in a version; changes are of its result."""
    layouts = record_fields.record_layout(version)
    data = {"schema_version": version, "evaluation_results": [{}]}
    put(data, layouts.record, OF_RECORD)
    put(data["evaluation_results"][0], layouts.result, OF_RESULT | changes)
    return data


def put(data, layout, values):
    for name, value in values.items():
        node = data
        *above, key = layout[name]
        for each in above:
            node = node.setdefault(each, {})
        node[key] = value


def as_before(found):
    """What was found, in words of versions that move nothing: settings are kept as they are."""
    return repr(found).replace("_moved", "")


def rows(data):
    text = json.dumps(data, indent=2)
    document = as_document(data, KINDS["record"])
    file = RecordFile("a.json", None, "clean", None)
    (row,) = flatten(document, read(text.encode(), "a.json"), file, MergedNames())
    settings = json.loads(row.settings.replace("_moved", ""))
    return row._replace(settings=settings, version=None)


def seen_by_rules(data):
    view = view_of(as_document(data, KINDS["record"]))
    (result,) = view.results
    fields = (view.source_name, view.library, view.evaluated, view.developer, result.urls)
    return fields, result.numbers, result.name, result.details, len(view.times)


def compared(data):
    (result,) = compared_results(data)
    return as_before(result._replace(layout=None))


def traits(data):
    found = traits_of(json.dumps(data).encode(), "a.json")
    return found.identity, found.scores, found.samples


def needs(data):
    found = Needs()
    bound = Question("/evaluation_results/0/metric_config/max_score")
    found.add(data, "a.json", [bound, Question("/eval_library/name")])
    assert found.metrics["board"]["Accuracy"].scores == [0.75]
    return as_before(found)


def supplied(data):
    facts = Facts(metrics={"Accuracy": {"max_score": 1}})
    return Defaults(facts).values_for(data)


def as_run(data):
    return as_before(run_of_record(Path("a.json"), data))


@pytest.mark.parametrize(
    "read_by", [seen_by_rules, rows, compared, traits, needs, supplied, as_run],
    ids=lambda read_by: read_by.__name__,
)  # fmt: skip
def test_every_reader_finds_every_field_where_a_version_has_it(read_by):
    assert read_by(record(MOVED)) == read_by(record("0.3.0"))


def test_a_table_has_a_value_from_each_of_these_fields():
    row = rows(record(MOVED))
    empty = {name for name in RESULTS if getattr(row, name) is None}
    assert empty == {"version", "conflict", "differs", "digest", "codes"}


def test_a_comparison_with_the_base_names_the_places_of_the_version():
    data = record(MOVED)
    (result,) = compared_results(data)
    assert result.at("high") == "/evaluation_results/0/metric_config_moved/max_score_moved"
    differences = ResultDifferences()
    differences.compare(ChangedFile("a.json", "a.json", True), "a.json", "m", data,
                        record(MOVED, score=0.5))  # fmt: skip
    assert [one.kind for one in differences.listed] == ["changed"]


def test_the_first_version_has_its_data_and_its_source_elsewhere():
    result = {"evaluation_name": "a", "score_details": {"score": 1}}
    data = {"schema_version": "0.0.1", "source_data": {"dataset_name": "Data"},
            "evaluation_source": {"evaluation_source_name": "Board"},
            "evaluation_results": [result, 7]}  # fmt: skip
    assert fields_in(data).text("source_name") == "Board"
    assert [result.text("name") for result in results_in(data)] == ["a"]
    (result,) = compared_results(data)
    assert result.benchmark.dataset == "Data"
    assert not math.isnan(result.score)
