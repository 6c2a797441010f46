"""Community evals of the Hugging Face Hub, which become records."""

import json
import re
import shutil
from pathlib import Path

import pytest
from conftest import FIXTURES, file_at
from evalmark.converters.convert_files import convert_files
from evalmark.converters.step import Supplied
from evalmark.schemas.errors import ConversionError
from evalmark.schemas.hub_benchmarks import DEFAULT, KNOWN, Benchmark, times
from evalmark.validator.check import check_file
from evalmark.validator.formats.hub import result_dates as dates
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

RESULTS = FIXTURES / "results/eval_results/lab/tiny/.eval_results"
SAID = {"/model_info/id": "lab/tiny", "/evaluation_timestamp": "1768521600"}
ABOVE = "/evaluation_results/*/metric_config"


def data_of(text):
    return YAML(typ="safe", pure=True).load(text)


def records_of(path, tmp_path, to=None, **values):
    supplied = Supplied(values={**SAID, **values})
    outcomes = list(convert_files([path], to=to, output=tmp_path / "store", supplied=supplied))
    for outcome in outcomes:
        if outcome.refused:
            raise outcome.refused
        assert outcome.failed is None
    return [outcome.target for outcome in outcomes]


# Import


def test_all_that_is_missing_is_asked_for_at_once(tmp_path):
    path = file_at(
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
    path = file_at(tmp_path / "gpqa.yaml", text)
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
        records_of(file_at(tmp_path / "gpqa.yaml", text), tmp_path)


@pytest.mark.parametrize("date", ["0001-01-01T00:00+23:59", "9999-12-31T23:59-23:59", "soon"])
def test_a_date_that_no_record_can_have_is_refused(date, tmp_path):
    text = f'- dataset: {{id: cais/hle, task_id: hle}}\n  value: 3\n  date: "{date}"\n'
    with pytest.raises(ConversionError, match=r"x\.yaml:3:9 /0/date: expected a"):
        records_of(file_at(tmp_path / "x.yaml", text), tmp_path)


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
    path = file_at(tmp_path / "x.yaml", text)
    (outcome,) = convert_files([path], output=tmp_path / "out")
    assert re.search(reason, str(outcome.refused)), outcome.refused


def test_one_bad_file_of_a_folder_leaves_nothing_behind(tmp_path):
    folder = tmp_path / ".eval_results"
    shutil.copytree(RESULTS, folder)
    file_at(folder / "zzz.yaml", "- dataset: {id: cais/hle}\n  value: 3\n")
    with pytest.raises(ConversionError, match=r"zzz\.yaml:1:12 /0/dataset: `task_id` is missing"):
        records_of(folder, tmp_path)
    assert not (tmp_path / "store").exists()


def test_a_model_in_the_cache_of_the_hub_is_known(tmp_path):
    path = tmp_path / "models--lab--tiny/snapshots/0123abc/.eval_results/hle.yaml"
    path.parent.mkdir(parents=True)
    shutil.copy(RESULTS / "hle.yaml", path)
    (outcome,) = convert_files([path], output=tmp_path / "out")
    assert json.loads(outcome.target.read_text("utf-8"))["model_info"]["id"] == "lab/tiny"


def test_benchmarks_of_a_repository_count(here, run):
    file_at(
        here / "evalmark.toml",
        '[benchmarks."lab/colours"]\nmetric = "error rate"\nmin = 0\nmax = 1\n'
        'lower-is-better = true\ntasks = ["sky"]\n',
    )
    path = file_at(
        here / "lab/tiny/.eval_results/x.yaml",
        '- dataset: {id: lab/colours, task_id: sky}\n  value: 0.25\n  date: "2026-01-16"\n',
    )
    done = run("evalmark", "convert", path, "-o", "store", "--set", "/model_info/id=lab/tiny")
    assert done.code == 0, done.err
    (result,) = json.loads(Path(done.out.strip()).read_text("utf-8"))["evaluation_results"]
    assert result["metric_config"]["lower_is_better"] is True
    assert result["metric_config"]["max_score"] == 1
    run("evalmark", "check", path, code=0)


# The table, and numbers and dates


def test_each_benchmark_says_where_it_is_documented():
    for benchmark in KNOWN:
        assert benchmark.documented
        assert benchmark.low < benchmark.high
        assert DEFAULT[benchmark.dataset.lower()] is benchmark


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("2025/01/15", "2025-01-15"), ("15.01.2025", "2025-01-15"),
        ("January 15, 2025", "2025-01-15"), ("01/15/2025", "2025-01-15"),
        ("15/01/2025", "2025-01-15"), ("1760000000", "2025-10-09T08:53:20Z"),
        ("01/02/2025", None), ("soon", None),
    ],
)  # fmt: skip
def test_a_date_in_another_form_has_one_meaning_or_none(text, meant):
    assert dates.read(text) is None
    assert dates.meant(text) == meant


@given(st.integers(946_684_800, 4_000_000_000))
def test_a_time_that_is_written_reads_back(seconds):
    assert int(dates.read(dates.written(seconds)).timestamp()) == seconds


def test_percentages_are_written_as_people_write_them():
    assert [times(value, 100) for value in (0.657, 0.1, 1.0)] == [65.7, 10, 100]
    assert Benchmark("a/b", "b", "m", 0, 1).scale == "from 0 to 1"


def test_fixtures_of_the_client_check_clean():
    for path in sorted(Path(RESULTS).iterdir()):
        assert check_file(path).findings == ()
