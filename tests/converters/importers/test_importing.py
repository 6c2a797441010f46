"""What every importer must do: lose nothing without a word, and say where a file is damaged."""

import re
import shutil

import pytest
from counting_leaves import (
    CsvFile,
    JsonFile,
    ParquetFile,
    ZipMember,
    copied,
    count_leaves,
    damage,
    json_of,
    written,
)
from evalmark.converters.convert_files import convert_files
from evalmark.converters.records.run import SampleStream
from evalmark.converters.records.writer import build_record
from evalmark.converters.sources.archive import open_archive
from evalmark.converters.supplied import Supplied
from evalmark.validator.check import check_file
from imported_runs import read_results
from looping import one_of
from test_results import RESULTS, SOURCES, supplied_for

HELM = SOURCES["helm"]
EVAL = SOURCES["inspect_eval"]
HELM_FILES = [
    "run_spec.json", "scenario.json", "scenario_state.json", "stats.json",
    "per_instance_stats.json",
]  # fmt: skip


def members(path):
    with open_archive(path) as archive:
        return archive.names


#: Results -> the files in them, how many of their values are tried, and what opens them.
COUNTED = {
    "inspect": (["log.json"], 1, JsonFile),
    "inspect_eval": (None, 7, ZipMember),
    "helm": (HELM_FILES, 1, JsonFile),
    "lighteval": (["results_2026-11-22T09-02-37.325536.json"], 1, JsonFile),
    "scores": (["scores.csv"], 1, CsvFile),
}


@one_of(5)
@pytest.mark.parametrize("name", COUNTED)
def test_each_value_is_carried_or_listed_as_not_carried(name, every, tmp_path):
    """A value is carried if another one in its place changes what is written."""
    names, step, document = COUNTED[name]
    source = SOURCES[name]
    supplied = supplied_for(name)
    names = members(source) if names is None else names
    counts = count_leaves(source, names, supplied, tmp_path, every=every * step, document=document)
    assert counts.lost == []
    assert counts.values == counts.carried + counts.listed
    assert counts.carried > 0


@one_of(61 * 7, of_all=61 * 3)
@pytest.mark.parametrize("place", ["helm", "inspect"])
def test_each_value_of_real_results_is_carried_or_listed(place, every, shared, tmp_path):
    for source in sorted((shared / "data/results" / place).iterdir()):
        names = [p.name for p in sorted(source.iterdir())] if source.is_dir() else [source.name]
        counts = count_leaves(source, names, Supplied(), tmp_path, every=every)
        assert (source.name, counts.lost) == (source.name, [])


def refusal(source, name, tmp_path):
    supplied = supplied_for(name)
    outcomes = list(convert_files([source], output=tmp_path / "out", supplied=supplied))
    assert not (tmp_path / "out").exists()
    (outcome,) = outcomes
    assert outcome.failed is None
    return outcome.refused.reason


def files_of(name):
    source = SOURCES[name]
    names = COUNTED[name][0] or ()
    return [(name, file) for file in names] if source.is_dir() else [(name, source.name)]


@pytest.mark.parametrize(
    ("name", "file"),
    [p for name in COUNTED if name != "inspect_eval" for p in files_of(name)],
)
def test_a_damaged_file_is_refused_with_its_place(name, file, tmp_path):
    for part in (2, 3):
        copy = copied(SOURCES[name], tmp_path)
        path = copy / file if copy.is_dir() else copy
        text = path.read_text("utf-8")
        path.write_text(text[: len(text) * (part - 1) // part], "utf-8")
        assert re.search(r":\d+(:\d+)?: |at \d+:\d+", refusal(copy, name, tmp_path))


@one_of(3)
@pytest.mark.parametrize("name", [name for name in COUNTED if name != "scores"])
def test_values_of_other_types_are_read_or_refused(name, every, tmp_path):
    names, step, document = COUNTED[name]
    source = SOURCES[name]
    names = members(source) if names is None else names
    tried = damage(
        source, names, supplied_for(name), tmp_path, every=2 * every * step, document=document
    )  # fmt: skip
    assert tried > 3 // every


# LM evaluation harness


LM_EVAL = RESULTS / "lm_eval"
LM_EVAL_FILES = sorted(path.name for path in LM_EVAL.iterdir() if "cot" not in path.name)


@one_of(5)
def test_each_value_of_tasks_and_of_their_samples_is_carried_or_listed(every, tmp_path):
    counts = count_leaves(
        LM_EVAL, LM_EVAL_FILES, Supplied(), tmp_path, every=every, document=json_of
    )  # fmt: skip
    assert counts.lost == []
    assert counts.values == counts.carried + counts.listed


def test_each_value_of_real_tasks_is_carried_or_listed(shared, tmp_path):
    folder = shared / "data/results/lm_eval"
    names = sorted(path.name for path in folder.iterdir())
    counts = count_leaves(folder, names, Supplied(), tmp_path, every=23, document=json_of)
    assert counts.lost == []


def test_values_of_other_types_in_tasks_are_read_or_refused(tmp_path):
    assert damage(LM_EVAL, LM_EVAL_FILES, Supplied(), tmp_path, every=2, document=json_of) > 50


@pytest.mark.slow
def test_values_of_all_types_in_tasks_are_read_or_refused(tmp_path):
    tried = damage(
        LM_EVAL, LM_EVAL_FILES, Supplied(), tmp_path, every=3, document=json_of, of_all_types=True
    )  # fmt: skip
    assert tried > 400


@pytest.mark.slow
@pytest.mark.parametrize(("name", "every"), [("inspect", 2), ("helm", 12)])
def test_values_of_all_types_are_read_or_refused(name, every, tmp_path):
    names, _, document = COUNTED[name]
    tried = damage(
        SOURCES[name], names, supplied_for(name), tmp_path, every=every, document=document,
        of_all_types=True,
    )  # fmt: skip
    assert tried > 250


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("samples_colours_2026*", '"arguments": {', '"arguments": {"x": 1, ',
         r"samples_colours_.*:1:\d+ /0/arguments/x: expected an object, found 1"),
        ("samples_colours_2026*", '"metrics": [', '"metrics": [3, ',
         r"samples_colours_.*:1:\d+ /0/metrics/0: expected a string, found 3"),
        ("samples_colours_2026*", '"resps": [', '"resps": {"a": 1}, "b": [',
         r"samples_colours_.*:1:\d+ /0/resps: expected a list, found "),
        ("results_2026-01-02*", '"metric": "acc"', '"metric": ["acc"]',
         r"results_.* /configs/colours/metric_list/0/metric: expected a string, found "),
    ],
)  # fmt: skip
def test_a_value_of_another_type_in_tasks_is_refused_with_its_place(
    file, old, new, reason, tmp_path
):
    copy = copied(LM_EVAL, tmp_path)
    (path,) = copy.glob(file)
    change(copy, path.name, old, new)
    (results,) = copy.glob("results_*.json")
    refused = [
        o.refused.reason for o in convert_files([results], output=tmp_path / "out") if o.refused
    ]
    assert any(re.match(reason, text) for text in refused), refused


def test_a_damaged_file_of_samples_is_refused_with_its_place(tmp_path):
    copy = copied(LM_EVAL, tmp_path)
    (samples,) = copy.glob("samples_sums_*.jsonl")
    samples.write_text(samples.read_text("utf-8")[:-30], "utf-8")
    (results,) = copy.glob("results_*.json")
    colours, sums, group = convert_files([results], output=tmp_path / "out")
    assert f"{samples.name}:3:" in sums.refused.reason
    # Each task is a record: the others do not depend on it.
    assert colours.target.is_file()
    assert group.target.is_file()
    assert len(list((tmp_path / "out").rglob("*.json"))) == 2


def test_numbers_that_json_does_not_have_are_no_scores(tmp_path):
    copy = copied(LM_EVAL, tmp_path)
    (samples,) = copy.glob("samples_sums_*.jsonl")
    text = samples.read_text("utf-8").replace('"exact_match": 0.0', '"exact_match": NaN')
    samples.write_text(text, "utf-8")
    runs = {run.collection: run for run in read_results(copy)}
    assert [s.id for s in runs["sums"].samples] == ["0"]


def test_a_task_with_a_file_of_samples_is_read_row_by_row():
    runs = {run.collection: run for run in read_results(LM_EVAL)}
    assert isinstance(runs["colours"].samples, SampleStream)
    samples = iter(runs["colours"].samples)
    assert next(samples).id == "0"


# HELM


def change(copy, file, old, new):
    path = copy / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), "utf-8")


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("stats.json", '"mean": 0.5', '"mean": "half"',
         'stats.json:49:11 /3/mean: expected a number, found half'),
        ("scenario_state.json", '"id": "id2"', '"name": "id2"',
         "scenario_state.json:103:4 /request_states/1/instance: `id` is missing"),
        ("run_spec.json", '"model": "lab/tiny"', '"model": 3',
         "run_spec.json:17:12 /adapter_spec/model: expected a string, found 3"),
        ("per_instance_stats.json", '"stats": [', '"stats": {"a": 1}, "b": [',
         "per_instance_stats.json:5:12 /0/stats: expected a list, found "),
        ("scenario_state.json", '"request_states"', '"requests"',
         "`request_states` is missing"),
        ("stats.json", '"mean": 0.5', '"mean": NaN', "stats.json:49:11: F006 NaN is not JSON"),
    ],
)  # fmt: skip
def test_a_run_of_helm_that_is_not_as_helm_writes_it(file, old, new, reason, tmp_path):
    copy = copied(HELM, tmp_path)
    change(copy, file, old, new)
    assert reason in refusal(copy, "helm", tmp_path)


@pytest.mark.parametrize(
    ("file", "reason"),
    [("stats.json", "no stats.json"), ("scenario.json", "no scenario.json, which names its data")],
)
def test_a_run_of_helm_needs_its_scores_and_its_scenario(file, reason, tmp_path):
    copy = copied(HELM, tmp_path)
    (copy / file).unlink()
    assert reason in refusal(copy, "helm", tmp_path)


def test_a_run_of_helm_without_samples_needs_a_time(tmp_path):
    copy = copied(HELM, tmp_path)
    (copy / "scenario_state.json").unlink()
    assert "do not say when they were computed" in refusal(copy, "helm", tmp_path)
    (run,) = read_results(copy, Supplied(values={"/evaluation_timestamp": "1767225600"}))
    assert (list(run.samples), run.time) == ([], 1767225600)
    assert list(run.left_out) == ["per_instance_stats.json /*: no request in scenario_state.json"]


# lighteval


@pytest.fixture
def lighteval(tmp_path):
    """A folder as lighteval writes it: the details are in Parquet files named after their task."""
    results = SOURCES["lighteval"]
    date = results.stem.removeprefix("results_")
    place = tmp_path / "run/results/example/tiny" / results.name
    place.parent.mkdir(parents=True)
    shutil.copy(results, place)
    details = tmp_path / "run/details/example/tiny" / date / f"details_colours|0_{date}.parquet"
    details.parent.mkdir(parents=True)
    try:
        shutil.copy(RESULTS / "lighteval/details_colours.parquet", details)
    except OSError:  # Windows has no such names, and neither has lighteval there
        pytest.skip("this file system has no | in names")
    return place, details


def test_details_of_lighteval_are_the_samples(lighteval, tmp_path):
    (run,) = read_results(lighteval[0])
    assert [(s.id, s.result, s.score, run.is_correct(s)) for s in run.samples] == [
        ("0", "colours|0/em", 1, True), ("1", "colours|0/em", 0, False),
    ]  # fmt: skip
    first = next(iter(run.samples))
    assert (first.reference, first.choices, first.output) == (("blue",), ("blue", "red"), ("blue",))
    record = build_record(run, tmp_path, version="0.3.0").write().record
    assert check_file(record, profile="eee").findings == ()


def test_each_value_of_details_is_carried(lighteval, tmp_path):
    place, details = lighteval
    file = ParquetFile(details.parent, details.name)
    *_, proved = convert_files([place], output=tmp_path / "store", write=False)
    accounted = {leaf.source for leaf in proved.proof.leaves}
    assert accounted >= {f"{details.name}{pointer}" for pointer, _ in file.leaves()}
    before = written(place, Supplied())
    lost = []
    for pointer, _ in file.leaves():
        file.write(details.parent, pointer)
        if written(place, Supplied()) == before:
            lost.append(pointer)
    assert lost == []


def test_without_pyarrow_details_are_listed_as_not_carried(lighteval, monkeypatch):
    monkeypatch.setattr("evalmark.converters.importers.lighteval.find_spec", lambda _: None)
    (run,) = read_results(lighteval[0])
    assert list(run.samples) == []
    assert any(place.startswith("details_*.parquet : pyarrow is not") for place in run.left_out)


def test_damaged_details_are_refused(lighteval, tmp_path):
    place, details = lighteval
    details.write_bytes(details.read_bytes()[:4000])
    assert "damaged Parquet file" in refusal(place, "lighteval", tmp_path)


def test_results_of_lighteval_take_their_time_from_the_name_of_the_file(tmp_path):
    path = tmp_path / "results.json"
    shutil.copy(SOURCES["lighteval"], path)
    assert "do not say when they were computed" in refusal(path, "lighteval", tmp_path)


# Every Eval Ever's flat index


def test_an_index_of_records_is_refused_with_what_to_convert(shared, tmp_path):
    (path,) = (shared / "data/results/eee-flat").glob("*.jsonl")
    (outcome,) = convert_files([path], output=tmp_path / "out")
    assert str(outcome.refused) == (
        "an index of Every Eval Ever's flat store lists records and holds none of their values; "
        "convert the records that object_path names"
    )
