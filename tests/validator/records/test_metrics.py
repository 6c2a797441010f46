"""The metrics that a suite declares have one owner; rules, converters and scoring agree."""

import json

import pytest
from conftest import data_at
from evalmark.converters.convert_document import convert_data
from evalmark.converters.supplied import Supplied
from evalmark.schemas.errors import ConversionError, ScoringError
from evalmark.scoring.suites.suite_loading import load_suites
from evalmark.validator.check import check_data
from evalmark.validator.formats.suites.suite import METRICS, metrics_of
from evalmark.validator.formats.suites.suite_view import SuiteFileView

LEGACY = data_at("legacy/triples.old.json")


def declaring(metric):
    return {**LEGACY, "meta": {**LEGACY["meta"], "metric": metric}}


@pytest.mark.parametrize(
    ("declared", "metrics"),
    [
        ("sum", ["sum"]),
        (["median"], ["median"]),
        (["max", "range"], ["max", "range"]),
        ("all", list(METRICS)),
    ],
)
def test_rules_converters_and_scoring_see_the_same_metrics(declared, metrics, tmp_path):
    data = declaring(declared)
    view = SuiteFileView(data)
    assert list(view.metrics) == metrics
    assert (view.suite.metric in METRICS) is (len(metrics) == 1)
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(data))
    assert [suite.suite.metric for suite in load_suites([str(path)])] == metrics
    for metric in metrics:
        new = convert_data(data, to="suite", supplied=Supplied(metric=metric)).data
        assert new["meta"]["metric"] == metric
    if len(metrics) == 1:
        assert convert_data(data, to="suite").data["meta"]["metric"] == metrics[0]
    else:
        named = "all" if declared == "all" else ", ".join(metrics)
        with pytest.raises(ConversionError, match=named):
            convert_data(data, to="suite")


@pytest.mark.parametrize(
    "declared", [5, None, {}, [], [5], ["sum", "sum"], ["sum", {}], ["sum", ["max"]], "average"]
)
def test_what_is_no_metric_is_a_finding_and_no_bug(declared, tmp_path):
    data = declaring(declared)
    metrics_of(declared)
    found = [f for f in check_data(data).findings if "metric" in f.pointer]
    assert found
    path = tmp_path / "suite.json"
    path.write_text(json.dumps(data))
    with pytest.raises(ScoringError, match=found[0].code):
        load_suites([str(path)])
