"""The name of a run says what tells it from the others, and nothing that they share."""

from dataclasses import replace

import pytest
from evalmark.scoring.comparison.run_comparison import compare
from evalmark.scoring.runs.run_origin import run_names
from evalmark.scoring.runs.run_sources import run_at
from run_data import MODEL, write_outcomes

OURS = {"unit": "bits", "bos": "auto", "first_token": "undefined", "eos": "not scored"}


def run_in(folder, **settings):
    model = MODEL | {"bos": "<s>"}
    write_outcomes(folder, {"a": [[1, 0]]}, model=model, settings=OURS | settings)
    return run_at(folder)


def test_a_rule_that_gives_the_same_token_is_not_in_names(tmp_path):
    pairs = {"tokens_of_a_text": "all"}
    ours = run_in(tmp_path / "one", **pairs)
    lm_eval = run_in(tmp_path / "two", **pairs, bos="bos-or-eos", like="lm-eval")
    found = compare(ours, lm_eval)
    assert found.labels == ("lab/a (settings of evalmark)", "lab/a (settings of lm-eval)")
    assert [each.name for each in found.differences] == ["settings of"]


def test_a_setting_of_pairs_tells_none_of_them_from_a_suite(tmp_path):
    suites = run_in(tmp_path / "suites")
    pairs = [run_in(tmp_path / like, tokens_of_a_text="all", like=like) for like in ("a", "b")]
    assert run_names([suites, pairs[0]]) == ["lab/a (suites)", "lab/a (a)"]
    assert run_names([suites, *pairs])[1:] == ["lab/a (settings of a)", "lab/a (settings of b)"]


def test_another_token_is_in_names(tmp_path):
    runs = [run_in(tmp_path / "one"), run_in(tmp_path / "two", bos="none")]
    assert run_names(runs) == ["lab/a (BOS <s>)", "lab/a (BOS none)"]


def test_runs_with_the_same_settings_are_named_after_the_parts_of_their_paths(tmp_path):
    runs = [run_in(tmp_path / name) for name in ("x/run1", "x/run2", "y/run1")]
    assert run_names(runs) == ["lab/a (x, run1)", "lab/a (x, run2)", "lab/a (y)"]


@pytest.mark.parametrize("folders", [["x/run1"], ["x/run1", "x/run2"]])
def test_a_run_in_memory_leaves_the_others_the_names_of_their_folders(tmp_path, folders):
    runs = [run_in(tmp_path / name) for name in folders]
    names = [f"lab/a ({name[2:]})" for name in folders]
    assert run_names([replace(runs[0], path=None), *runs]) == ["lab/a", *names]


def test_equal_runs_in_memory_are_numbered(tmp_path):
    run = replace(run_in(tmp_path / "r"), path=None)
    assert run_names([run, run]) == ["lab/a (1)", "lab/a (2)"]


def test_recorded_numbers_state_no_setting_that_nobody_knows(tmp_path):
    unknown = dict.fromkeys(OURS, "unknown")
    recorded = run_in(tmp_path / "one", **unknown)
    masked = run_in(tmp_path / "two", masked_method="original")
    (difference,) = [
        each for each in compare(recorded, masked).differences if each.name == "masked tokens"
    ]
    assert difference.first is None
    assert run_names([recorded, masked])[0] == "lab/a (BOS unknown)"
