"""Values that no file of a tool has: their checks end, and in time."""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest
from evalmark.validator.check import check_data

RESULT = "fixtures/trees/run/results/Example agent/Colours/0_0.json"
ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("score", [float("nan"), float("inf"), 1e308, 10**400])
@pytest.mark.parametrize("dataset", ["Colours", "Restaurant", "Spy Meeting"])
def test_a_score_that_is_no_number_is_not_an_exception(score, dataset):
    result = json.loads((ROOT / RESULT).read_text(encoding="utf-8"))
    result["score"] = score
    codes = {f.code for f in check_data(result, path=RESULT.replace("Colours", dataset)).findings}
    assert "F099" not in codes


def suite(conditions, region_meta, formula):
    return {
        "meta": {"name": "large", "metric": "sum"},
        "region_meta": region_meta,
        "predictions": [{"type": "formula", "formula": formula}],
        "items": [{"item_number": 1, "conditions": conditions}],
    }


def condition(name, contents):
    regions = [{"region_number": i, "content": text} for i, text in enumerate(contents, 1)]
    return {"condition_name": name, "regions": regions}


COUNT = 8000
LARGE = {
    "SG402": suite(
        [condition("a", ["w"] * COUNT), condition("b", ["w"] * COUNT)],
        {"1": "Word"},
        "(1;%a%) < (1;%b%)",
    ),
    "SG212": suite(
        [condition(f"a{i}", ["The", f"cat{i}"]) for i in range(COUNT)],
        {"1": "Article", "2": "Noun"},
        "(2;%a0%) < (2;%a1%)",
    ),
}


@pytest.mark.parametrize("code", LARGE)
def test_thousands_of_findings_take_no_longer_each(code):
    begin = time.process_time()
    findings = [f for f in check_data(LARGE[code]).findings if f.code == code]
    assert len(findings) in (COUNT - 1, COUNT - 2)
    assert time.process_time() - begin < 3
