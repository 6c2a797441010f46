"""A field that a version moves is found there by all that read records, not by rules alone."""

import json
import math
from dataclasses import replace
from inspect import signature

import pytest
from evalmark.converters.overrides.defaults import Defaults, Facts
from evalmark.converters.overrides.needs import Needs
from evalmark.converters.overrides.schema_values import problem_of
from evalmark.converters.records.open_bounds import with_bounds
from evalmark.converters.records.record_run import run_of_record
from evalmark.converters.supplied import Question, Supplied
from evalmark.leaderboard.flatten import RecordFile, flatten
from evalmark.leaderboard.names import MergedNames
from evalmark.leaderboard.result_columns import RESULTS
from evalmark.schemas.versions import RECORDS
from evalmark.scoring.comparison.run_items import _judging
from evalmark.scoring.runs.scores import score_of
from evalmark.scoring.verification import _claim, _intervals, _metadata, _texts
from evalmark.validator.batch.changes.changed_files import ChangedFile
from evalmark.validator.batch.changes.check_changed import traits_of
from evalmark.validator.batch.changes.result_differences import ResultDifferences
from evalmark.validator.findings.finding import At, Mistake
from evalmark.validator.format import SchemaMistake, as_document
from evalmark.validator.formats.builtin import KINDS
from evalmark.validator.formats.records import record_fields
from evalmark.validator.formats.records.compared_records import compared_results
from evalmark.validator.formats.records.record_advice import with_cures
from evalmark.validator.formats.records.record_fields import (
    RECORD_FIELDS,
    RecordLayout,
    SampleLayout,
    fields_in,
    models_in,
    places_of,
    results_in,
)
from evalmark.validator.formats.records.record_view import view_of
from evalmark.validator.formats.records.samples.sample_rules import ROW_RULES, sample_view
from evalmark.validator.formats.shared.field_layout import with_fields
from evalmark.validator.reading.reading import read
from evalmark.workbench.folder_listing import _describe_record

#: A version that moves every field, and the key by which records are recognized.
MOVED, KNOWN_BY = "9.9.9", "evaluation_results"
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
    "details": {"i": "j"}, "about_judging": {"k": "l"},
    "aggregation": "majority_vote", "prompt": "Rate it.",
}  # fmt: skip
OF_JUDGE = {"weight": 1, "temperature": 9, "model_id": "lab/judge", "model_name": "Judge"}
OF_ROW = {
    "evaluation_id": "board/lab/model-1/1760000000", "evaluation_name": "task",
    "identity": "task/1", "model_id": "lab/model-1", "sample_id": "1",
    "interaction_type": "multi_turn", "score": 1.0, "is_correct": False, "num_turns": 3,
    "raw": "Is it?", "reference": ["yes"], "choices": ["no"], "metadata": {"m": "n"},
    "error": "none", "input_tokens": 1, "output_tokens": 1, "total_tokens": 3,
}  # fmt: skip
OF_TURN = {"role": "robot", "index": 4, "content": "yes", "answers": ["call_2"]}
OF_ANSWER = {"turn": 7, "source": "output.raw", "value": "no", "method": "regex"}


def moved(layout):
    return {
        name: tuple(key if key == KNOWN_BY else f"{key}_moved" for key in path)
        for name, path in layout.items()
    }


@pytest.fixture(autouse=True)
def elsewhere(monkeypatch):
    layouts = RecordLayout(*map(moved, record_fields.record_layout("0.3.0")))
    monkeypatch.setitem(record_fields._RECORD_LAYOUTS, MOVED, layouts)
    rows = SampleLayout(*map(moved, record_fields.sample_layout("0.3.0")))
    monkeypatch.setitem(record_fields._SAMPLE_LAYOUTS, MOVED, rows)


def record(version, **changes):
    """The same record in a version; changes are of its result."""
    layouts = record_fields.record_layout(version)
    judges = [with_fields(layouts.judge, **OF_JUDGE)]
    result = with_fields(layouts.result, **{"judges": judges} | OF_RESULT | changes)
    about = with_fields(layouts.record, **OF_RECORD, results=[result])
    return {"schema_version": version, **about}


def row(version):
    """The same row of samples."""
    layouts = record_fields.sample_layout(version)
    turn = with_fields(layouts.turn, **OF_TURN, calls=[with_fields(layouts.call, id="call_1")])
    answer = with_fields(layouts.attribution, **OF_ANSWER)
    lists = {"turns": [turn], "attributions": [answer]}
    return {"schema_version": version, **with_fields(layouts.row, **OF_ROW, **lists)}


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
    return as_before((found.identity, found.scores, found.samples))


def needs(data):
    found = Needs()
    (result,), (_, judge) = results_in(data), models_in(data)
    asked = result.at("high"), judge.at("deployment"), "/eval_library/name"
    found.add(data, "a.json", [Question(pointer) for pointer in asked])
    assert found.metrics["board"]["Accuracy"].scores == [0.75]
    assert found.models.keys() == {"lab/judge"}
    return as_before(found)


def supplied(data):
    facts = Facts(metrics={"Accuracy": {"max_score": 1}}, models={"lab/judge": {"id": "a/b"}})
    values = Defaults(facts).values_for(data)
    assert list(values.values()) == [1, "a/b"] or list(values.values()) == ["a/b", 1]
    return as_before(values)


def bounds(data):
    data = record(data["schema_version"], high=None)
    asked = []
    found = with_bounds(data, Supplied(ask=asked.append), RECORDS[-1]).data
    assert len(asked) == 1
    return as_before([asked, {**found, "schema_version": None}])


def as_run(data, folder):
    rows = folder / "samples.jsonl"
    rows.write_text(json.dumps(row(data["schema_version"])) + "\n")
    run = run_of_record(folder / "a.json", data)
    (sample,) = run.samples
    assert sample.turns
    assert sample.answers
    return [replace(run, samples=()), sample]


def as_score(data, folder):
    """The interval that pages and comparisons show."""
    return [score_of(result) for result in run_of_record(folder / "a.json", data).results]


def as_claimed(data, folder):
    """What verify scores again."""
    text = f"{json.dumps(row(data['schema_version']))}\n"
    (folder / "samples.jsonl").write_text(text)
    (claimed,) = _claim(folder / "a.json", data).rows
    return _texts(claimed, {}), _metadata(claimed)


def as_verified(data, folder):
    """The interval of a confidence level that verify does not compute again."""
    data = record(data["schema_version"], level=0.9)
    (result,) = view_of(as_document(data, KINDS["record"])).results
    return _intervals(result, [1.0, 0.0, 1.0], 1.0)


def compared_as_run(data, folder):
    """Whether another judge is seen."""
    return [_judging(result) for result in run_of_record(folder / "a.json", data).results]


def findings_of_rules(data):
    view = view_of(as_document(data, KINDS["record"]))
    found = [
        mistake
        for rule in KINDS["record"].checks.rules()
        if rule.check
        for mistake in rule.check(view)
    ]
    assert any("temperature" in mistake.message for mistake in found)  # of the judge
    return sorted(map(as_before, found))


def findings_of_rows(data):
    view = sample_view(row(data["schema_version"]), data["schema_version"])
    found = [mistake for rule in ROW_RULES for mistake in rule.check(view)]
    assert len(found) > 4
    return sorted(map(as_before, found))


def differences(data):
    found = ResultDifferences()
    changed = record(data["schema_version"], metric_name="Other")
    found.compare(ChangedFile("a.json", "a.json", True), "a.json", "m", data, changed)
    return as_before(found.listed)


def cures(data):
    (result,) = results_in(data)
    lacks_id = Mistake("lacks", At(""), subject=(fields_in(data).key("evaluation_id"),))
    at = result.at("lower_is_better").rpartition("/")[0]
    lacks_direction = Mistake("lacks", At(at), subject=(result.key("lower_is_better"),))
    violations = [SchemaMistake("missing-key", lacks) for lacks in (lacks_id, lacks_direction)]
    cured = with_cures(as_document(data, KINDS["record"]), violations)
    assert all(violation.mistake.changes for violation in cured)
    return as_before(cured)


def on_a_page(data):
    return _describe_record(data)


@pytest.mark.parametrize(
    "read_by",
    [seen_by_rules, findings_of_rules, findings_of_rows, rows, compared, traits, needs, supplied,
     bounds, as_run, as_score, as_claimed, as_verified,
     compared_as_run, differences, cures, on_a_page],
    ids=lambda read_by: read_by.__name__,
)  # fmt: skip
def test_every_reader_finds_every_field_where_a_version_has_it(read_by, tmp_path):
    takes = (tmp_path,) if "folder" in signature(read_by).parameters else ()
    assert read_by(record(MOVED), *takes) == read_by(record("0.3.0"), *takes)


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


def test_a_value_can_be_supplied_at_each_place_of_a_field():
    places = [place for field in RECORD_FIELDS for place in places_of(field)]
    assert [place for place in places if problem_of(place, "@x")] == []
