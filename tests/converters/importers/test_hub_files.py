"""Community evals of the Hugging Face Hub, to records and back."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from decimal import Decimal
from importlib.util import find_spec
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark.converters.convert_document import convert_data
from evalmark.converters.convert_files import convert_file, convert_files
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.hub_benchmarks import DEFAULT, KNOWN, Benchmark, times
from evalmark.schemas.versions import RECORDS
from evalmark.validator.check import check_file
from evalmark.validator.checker import Checker
from evalmark.validator.formats.hub import result_dates as dates
from evalmark.validator.settings.config import Config
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

RESULTS = FIXTURES / "results/eval_results/lab/tiny/.eval_results"
SAID = {"/model_info/id": "lab/tiny", "/evaluation_timestamp": "1768521600"}
ABOVE = "/evaluation_results/*/metric_config"


def data_of(text):
    return YAML(typ="safe", pure=True).load(text)


def written(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def records_of(path, tmp_path, to=None, **values):
    supplied = Supplied(values={**SAID, **values})
    outcomes = list(convert_files([path], to=to, output=tmp_path / "store", supplied=supplied))
    for outcome in outcomes:
        if outcome.refused:
            raise outcome.refused
        assert outcome.failed is None
    return [outcome.target for outcome in outcomes]


def record(tmp_path, *results, **members):
    """A record of version 0.3.0 with these results."""
    data = json.loads((FIXTURES / "versions/record-0.3.0.json").read_text("utf-8"))
    data |= {"evaluation_timestamp": "1760000000", "evaluation_results": list(results), **members}
    return written(tmp_path / "record.json", json.dumps(data))


def result(name="gpqa/diamond", score=0.657, repo="Idavidrein/gpqa", task=None, **metric):
    details = {"additional_details": {"task_id": task}} if task else {}
    return {
        "evaluation_name": name,
        "evaluation_result_id": name,
        "source_data": {
            "dataset_name": "GPQA", "source_type": "hf_dataset", "hf_repo": repo, **details,
        },
        "metric_config": {
            "lower_is_better": False, "score_type": "continuous", "min_score": 0, "max_score": 1,
            **metric,
        },
        "score_details": {"score": score},
    }  # fmt: skip


def entries_of(path, **values):
    return convert_file(path, to="eval-results", supplied=Supplied(values=values))


# Both ways


@pytest.mark.parametrize("to", ["record-0.3.0", "record-0.2.0"])
def test_results_that_become_a_record_and_results_again_have_lost_nothing(to, tmp_path):
    for path, record in zip(
        sorted(RESULTS.iterdir()), records_of(RESULTS, tmp_path, to), strict=True
    ):
        before, after = data_of(path.read_text("utf-8")), data_of(entries_of(record).text)
        for entry in before:
            # The record has a time for each result: the caller has said it.
            entry.setdefault("date", "2026-01-16")
        assert after == before


def test_a_record_that_becomes_results_and_a_record_again_says_what_it_has_lost(tmp_path):
    source = record(
        tmp_path,
        result(metric_kind="accuracy")
        | {"generation_config": {"additional_details": {"num_fewshot": "5"}}},
        result("sky", 0.5, "lab/colours"),
    )
    outcome = entries_of(source)
    lost, left_out = outcome.notes[-1], outcome.notes[0]
    assert left_out == 'left out: "sky": not the value of a known benchmark'
    assert lost.startswith("not carried: /schema_version, /evaluation_id")
    assert "/evaluation_results/*/generation_config" in lost
    assert "no link to where it comes from" in outcome.notes[1]
    place = written(tmp_path / "lab/tiny/.eval_results/gpqa.yaml", outcome.text)
    (again,) = records_of(place, tmp_path)
    (one,) = json.loads(again.read_text("utf-8"))["evaluation_results"]
    assert one["score_details"]["score"] == 65.7
    assert (one["metric_config"]["min_score"], one["metric_config"]["max_score"]) == (0, 100)
    assert one["evaluation_timestamp"] == "1760000000"
    assert "generation_config" not in one
    assert check_file(again).findings == ()


# Import


def test_all_that_is_missing_is_asked_for_at_once(tmp_path):
    path = written(
        tmp_path / "lab/tiny/.eval_results/x.yaml",
        "- dataset: {id: lab/colours, task_id: sky}\n  value: 0.5\n",
    )
    outcome = next(convert_files([path], output=tmp_path / "out"))
    assert outcome.refused.needs == "values"
    assert outcome.refused.subject.split("=VALUE --set ") == [
        *(f"{ABOVE}/{key}" for key in ("min_score", "max_score", "lower_is_better", "metric_name")),
        "/evaluation_timestamp",
        "/model_info/id",
    ]
    assert "the folder of its repository is lab/tiny" in outcome.refused.reason
    values = {"min_score": 0, "max_score": 1, "lower_is_better": False, "metric_name": "accuracy"}
    (record,) = records_of(path, tmp_path, **{f"{ABOVE}/{k}": v for k, v in values.items()})
    assert check_file(record, profile="eee").findings == ()


@pytest.mark.parametrize("value", [0.657, 1])
def test_a_share_on_a_scale_in_percent_is_not_guessed(value, tmp_path):
    text = f"- dataset: {{id: Idavidrein/gpqa, task_id: diamond}}\n  value: {value}\n"
    path = written(tmp_path / "gpqa.yaml", text)
    with pytest.raises(ConversionError, match=rf"{value} on the scale of GPQA.*100 or 1"):
        records_of(path, tmp_path)
    for most in (1, 100):
        pointer = "/evaluation_results/0/metric_config/max_score"
        (record,) = records_of(path, tmp_path, **{pointer: most})
        (result,) = json.loads(record.read_text("utf-8"))["evaluation_results"]
        assert result["metric_config"]["max_score"] == most
        assert ("metric_unit" in result["metric_config"]) is (most == 100)


def test_a_value_off_its_scale_is_refused(tmp_path):
    text = "- dataset: {id: Idavidrein/gpqa, task_id: diamond}\n  value: 657\n"
    with pytest.raises(ConversionError, match="657"):
        records_of(written(tmp_path / "gpqa.yaml", text), tmp_path)


@pytest.mark.parametrize("date", ["0001-01-01T00:00+23:59", "9999-12-31T23:59-23:59", "soon"])
def test_a_date_that_no_record_can_have_is_refused(date, tmp_path):
    text = f'- dataset: {{id: cais/hle, task_id: hle}}\n  value: 3\n  date: "{date}"\n'
    with pytest.raises(ConversionError, match=r"x\.yaml:3:9 /0/date: expected a"):
        records_of(written(tmp_path / "x.yaml", text), tmp_path)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("- dataset: {id: cais/hle\n  value: 3\n", r"F014 `\{` is not closed.* at 1:12"),
        ("- dataset: {id: cais/hle, task_id: hle}\n  value: .nan\n", "F006 .* at 2:10"),
        ("- dataset: {id: cais/hle, task_id: hle}\n", r"x\.yaml:1:3 /0: `value` is missing"),
        ("- dataset: hle\n  value: 3\n", "not recognized|not a format|unrecognized"),
    ],
)
def test_a_damaged_file_is_refused_with_its_place(text, reason, tmp_path):
    path = written(tmp_path / "x.yaml", text)
    (outcome,) = convert_files([path], output=tmp_path / "out")
    assert re.search(reason, str(outcome.refused)), outcome.refused


def test_one_bad_file_of_a_folder_leaves_nothing_behind(tmp_path):
    folder = tmp_path / ".eval_results"
    shutil.copytree(RESULTS, folder)
    written(folder / "zzz.yaml", "- dataset: {id: cais/hle}\n  value: 3\n")
    with pytest.raises(ConversionError, match=r"zzz\.yaml:1:12 /0/dataset: `task_id` is missing"):
        records_of(folder, tmp_path)
    assert not (tmp_path / "store").exists()


def test_a_model_in_the_cache_of_the_hub_is_known(tmp_path):
    path = tmp_path / "models--lab--tiny/snapshots/0123abc/.eval_results/hle.yaml"
    path.parent.mkdir(parents=True)
    shutil.copy(RESULTS / "hle.yaml", path)
    (outcome,) = convert_files([path], output=tmp_path / "out")
    assert json.loads(outcome.target.read_text("utf-8"))["model_info"]["id"] == "lab/tiny"


# Export


@pytest.mark.parametrize("version", [v.schema for v in RECORDS if v.name >= "0.2.0"])
def test_every_version_of_records_that_names_a_data_set_becomes_results(version, tmp_path):
    data = json.loads((FIXTURES / f"versions/{version}.json").read_text("utf-8"))
    result = data["evaluation_results"][0]
    result["evaluation_name"] = "mmlu_pro"
    result["source_data"] = {
        "dataset_name": "MMLU-Pro", "source_type": "hf_dataset", "hf_repo": "TIGER-Lab/MMLU-Pro",
    }  # fmt: skip
    result["metric_config"] = {
        "lower_is_better": False, "score_type": "continuous", "min_score": 0, "max_score": 1,
    }  # fmt: skip
    result["score_details"] = {"score": 0.25}
    path = written(tmp_path / "record.json", json.dumps({**data, "evaluation_results": [result]}))
    (entry,) = data_of(entries_of(path).text)
    assert entry["dataset"] == {"id": "TIGER-Lab/MMLU-Pro", "task_id": "mmlu_pro"}
    assert entry["value"] == 25


def test_a_link_to_the_record_is_supplied(tmp_path):
    url = "https://huggingface.co/datasets/evaleval/EEE_datastore/blob/main/x.json"
    pointer = "/evaluation_results/*/score_details/details/source.url"
    outcome = entries_of(record(tmp_path, result()), **{pointer: url})
    (entry,) = data_of(outcome.text)
    assert entry == {
        "dataset": {"id": "Idavidrein/gpqa", "task_id": "diamond"},
        "value": 65.7,
        "date": "2025-10-09T08:53:20Z",
        "source": {"url": url},
    }


def test_the_folder_of_results_is_made(tmp_path, run):
    path, place = record(tmp_path, result()), tmp_path / ".eval_results/gpqa.yaml"
    done = run("evalmark", "convert", path, "--to", "eval-results", "-o", place)
    assert done.code == 0, done.err
    assert check_file(place).findings == ()
    done = run("evalmark", "convert", path, "--to", "eval-results", "-o", tmp_path / "a/b/x.yaml")
    assert (done.code, (tmp_path / "a").exists()) == (2, False)


@pytest.mark.parametrize(
    ("results", "reason"),
    [
        ([result(repo="lab/colours")], "no result is on a data set whose scale is known"),
        ([result("GPQA")], "does not name the task of Idavidrein/gpqa"),
        ([result(max_score="Infinity")], 'the scale of "gpqa/diamond" is open'),
        ([result(lower_is_better=True)], "GPQA has greater values for better models"),
        ([result("gpqa/diamond"), result("x/diamond")], "2 results could be that of"),
        ([result(score=None)], "`score` must be a number, got null"),
        ([result(min_score=1)], "is not less than the greatest"),
    ],
)
def test_what_is_not_exact_is_refused(results, reason, tmp_path):
    with pytest.raises(ConversionError, match=reason):
        entries_of(record(tmp_path, *results))


def test_of_two_metrics_the_one_of_the_benchmark_counts(tmp_path):
    both = (
        result("gpqa/diamond", 0.3, metric_kind="accuracy"),
        result("gpqa/diamond", 0.4, metric_kind="f1"),
    )
    (entry,) = data_of(entries_of(record(tmp_path, *both)).text)
    assert entry["value"] == 30


def test_parts_of_a_benchmark_are_not_taken_for_the_whole(tmp_path):
    repo = "TIGER-Lab/MMLU-Pro"
    parts = [result(f"mmlu_pro_{part}", 0.3, repo) for part in ("law", "biology")]
    with pytest.raises(ConversionError, match="2 results could be that of TIGER-Lab/MMLU-Pro"):
        entries_of(record(tmp_path, *parts))
    (entry,) = data_of(entries_of(record(tmp_path, *parts, result("mmlu_pro", 0.5, repo))).text)
    assert entry["value"] == 50


def test_benchmarks_of_a_repository_count_in_both_directions(tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    written(
        tmp_path / "evalmark.toml",
        '[benchmarks."lab/colours"]\nmetric = "error rate"\nmin = 0\nmax = 1\n'
        'lower-is-better = true\ntasks = ["sky"]\n',
    )
    path = written(
        tmp_path / "lab/tiny/.eval_results/x.yaml",
        '- dataset: {id: lab/colours, task_id: sky}\n  value: 0.25\n  date: "2026-01-16"\n',
    )
    done = run("evalmark", "convert", path, "-o", "store", "--set", "/model_info/id=lab/tiny")
    assert done.code == 0, done.err
    again = run("evalmark", "convert", done.out.strip(), "--to", "eval-results")
    assert data_of(again.out) == data_of(path.read_text("utf-8"))
    checked = run("evalmark", "check", path)
    assert checked.code == 0, checked.out


def test_what_is_written_is_checked_by_the_benchmarks_of_the_repository(tmp_path):
    benchmarks = {"idavidrein/gpqa": Benchmark("Idavidrein/gpqa", "GPQA", "points", 0, 198)}
    supplied = Supplied(
        values={"/evaluation_results/0/source_data/additional_details/task_id": "diamond"},
        checker=Checker(Config(benchmarks=benchmarks)),
    )
    outcome = convert_file(record(tmp_path, result(score=1)), to="eval-results", supplied=supplied)
    assert data_of(outcome.text)[0]["value"] == 198


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("benchmarks = 3", "must be a table of data sets"),
        ('[benchmarks.colours]\nmin = 0\nmax = 1\nmetric = "a"', "is not the id of a data set"),
        ('[benchmarks."a/b"]\nmin = 0', "needs `min`, `max` and `metric`"),
        ('[benchmarks."a/b"]\nmin = 1\nmax = 1\nmetric = "a"', "`min` the smaller"),
        ('[benchmarks."a/b"]\nmin = 0\nmax = 1\nmetric = "a"\nrange = 3', "unknown setting"),
    ],
)
def test_settings_that_are_wrong_are_named(text, reason, tmp_path, monkeypatch, run):
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "evalmark.toml", text)
    path = written(tmp_path / "x.yaml", "- dataset: {id: cais/hle, task_id: hle}\n  value: 3\n")
    done = run("evalmark", "check", path)
    assert done.code == 2
    assert reason in done.err


# The table, and numbers and dates


def test_each_benchmark_says_where_it_is_documented():
    for benchmark in KNOWN:
        assert benchmark.documented
        assert benchmark.low < benchmark.high
        assert DEFAULT[benchmark.dataset.lower()] is benchmark


@given(st.integers(0, 10**9))
def test_a_score_goes_to_another_scale_and_back_exactly(digits):
    data = json.loads((FIXTURES / "versions/record-0.3.0.json").read_text("utf-8"))
    score = digits / 10**9
    (entry,) = convert_data(
        {**data, "evaluation_results": [result(score=score)]}, to="eval-results"
    ).data
    assert float(Decimal(repr(entry["value"])) / 100) == score


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2025/01/15", "2025-01-15"),
        ("15.01.2025", "2025-01-15"),
        ("January 15, 2025", "2025-01-15"),
        ("01/15/2025", "2025-01-15"),
        ("15/01/2025", "2025-01-15"),
        ("1760000000", "2025-10-09T08:53:20Z"),
        ("01/02/2025", None),
        ("soon", None),
    ],
)
def test_a_date_in_another_form_has_one_meaning_or_none(text, meant):
    assert dates.read(text) is None
    assert dates.meant(text) == meant


@given(st.integers(946_684_800, 4_000_000_000))
def test_a_time_that_is_written_reads_back(seconds):
    assert int(dates.read(dates.written(seconds)).timestamp()) == seconds


def test_percentages_are_written_as_people_write_them():
    assert [times(value, 100) for value in (0.657, 0.1, 1.0)] == [65.7, 10, 100]
    assert Benchmark("a/b", "b", "m", 0, 1).scale == "from 0 to 1"


@pytest.mark.skipif(not find_spec("huggingface_hub"), reason="huggingface_hub is not installed")
def test_the_client_of_the_hub_reads_what_is_written(tmp_path):
    text = entries_of(record(tmp_path, result())).text
    path = written(tmp_path / "gpqa.yaml", text)
    code = (
        "import sys, json; from huggingface_hub import parse_eval_result_entries as parse\n"
        "print([(e.dataset_id, e.task_id, e.value, e.date) for e in "
        "parse(json.load(sys.stdin))])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(data_of(path.read_text("utf-8"))),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "ImportError" in done.stderr:
        pytest.skip("this huggingface_hub is older than the format")
    expected = [("Idavidrein/gpqa", "diamond", 65.7, "2025-10-09T08:53:20Z")]
    assert done.stdout.strip() == str(expected), done.stderr


def test_fixtures_of_the_client_check_clean():
    for path in sorted(Path(RESULTS).iterdir()):
        assert check_file(path).findings == ()
