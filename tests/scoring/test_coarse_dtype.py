"""A run in bfloat16 or float16 says what the dtype costs."""

import pytest
from conftest import FIXTURES, ROOT
from evalmark.cli import score_run
from evalmark.cli.score_run import cost_of
from evalmark.scoring.contest_run import ContestTask
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.suite_loading import load_suites
from evalmark.scoring.suites.suite_run import SuiteContests

MODEL = ROOT / "scoring/demo_model"
#: What is scored -> the outcomes of its first items.
SCORED = {"good/suite.json": 2, "good/pairs/agreement.jsonl": 3}


@pytest.mark.parametrize(("path", "outcomes"), SCORED.items(), ids=list(SCORED))
def test_a_run_in_a_coarse_dtype_says_how_many_outcomes_differ(run, path, outcomes):
    for dtype in ("bfloat16", "float32"):
        done = run("evalmark", "score", FIXTURES / path, "--model", MODEL, "--dtype", dtype, "-q")
        said = [line for line in done.err.splitlines() if "compared with float32" in line]
        assert done.code == 0
        assert len(said) == (dtype != "float32")
        for line in said:
            start = f"note: {dtype} compared with float32 on at most 100 items: "
            assert line.startswith(start), line
            assert f" of {outcomes} outcomes differ" in line


@pytest.fixture
def task():
    return ContestTask(SuiteContests, load_suites([str(FIXTURES / "good/suite.json")]), Settings())


def test_outcomes_are_those_of_both_dtypes(task):
    seen = []

    def outcomes(scores):
        seen.append(scores.model.details["dtype"])
        return {"same": 1, "other": seen[-1]}

    said = cost_of("float16", str(MODEL), task, outcomes)
    assert said.startswith(
        "float16 compared with float32 on at most 100 items: 1 of 2 outcomes differ"
    )
    assert seen == ["float16", "float32"]


def test_a_run_stands_where_memory_is_too_short_for_float32(task, monkeypatch):
    load = score_run.load_model

    def loading(name, *, dtype, **others):
        if dtype == "float32":
            raise RuntimeError("out of memory\nand more")
        return load(name, dtype=dtype, **others)

    monkeypatch.setattr(score_run, "load_model", loading)
    said = cost_of("float16", str(MODEL), task, lambda _: {})
    assert said == "float16 cannot be compared with float32 here: RuntimeError: out of memory"
