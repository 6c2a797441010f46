"""Runs over minimal pairs, of ours and of the LM evaluation harness, item by item."""

from __future__ import annotations

import json
from pathlib import Path

from conftest import FIXTURES
from evalmark.converters.importers.registry import import_results
from evalmark.converters.records.parts import sample_hash
from evalmark.converters.records.writer import write_record
from evalmark.converters.step import NOTHING
from evalmark.scoring.comparison.compare import compare

HARNESS = FIXTURES / "results/lm_eval_pairs"


def of_harness(name: str) -> Path:
    (path,) = (HARNESS / name).glob("results_*.json")
    return path


def ours(folder: Path, outcomes: list[bool], ties: tuple[str, ...] = ()) -> Path:
    """The scores of a run over the same pairs."""
    (samples,) = (HARNESS / "one").glob("samples_*.jsonl")
    docs = [json.loads(line)["doc"] for line in samples.read_text("utf-8").splitlines()]
    texts = [(doc["sentence_good"], doc["sentence_bad"]) for doc in docs]
    uid = {
        "name": "demo_agreement",
        "label": "demo_agreement",
        "set": "blimp",
        "method": "sum",
        "ties": list(ties),
        "item_ids": [doc["pairID"] for doc in docs],
        "item_hashes": [sample_hash("\n".join(pair), pair[:1]) for pair in texts],
        "outcomes": outcomes,
    }
    data = {"version": 1, "model": {"id": "example/ours"}, "suites": [], "uids": [uid]}
    path = folder / "scores.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_a_tie_that_the_harness_counts_as_right_is_none():
    (row,) = compare(of_harness("one"), of_harness("two")).predictions
    assert (row.items, row.ties, row.recorded.first) == (4, 3, 0.0)
    # Read for the first run, the ties would make it better; the identical pair never does.
    assert next(r for r in row.readings if r.ties == "for first").first == 0.75


def test_a_record_of_the_harness_says_what_its_results_say(tmp_path):
    path = of_harness("one")
    data = json.loads(path.read_text(encoding="utf-8"))
    (run,) = import_results("lm-eval", path, data, NOTHING)
    written = write_record(run, tmp_path, version="0.3.0")
    (row,) = compare(written.record, path).predictions
    assert (row.items, row.recorded.first, row.recorded.second, row.other_texts) == (4, 0, 0, 0)
    assert (row.only_first, row.only_second) == (0, 0)


def test_a_run_of_ours_is_compared_with_one_of_the_harness(tmp_path):
    found = compare(ours(tmp_path, [True, True, False, False], ("2",)), of_harness("two"))
    (row,) = found.predictions
    assert (row.suite, row.items, row.other_texts) == ("demo_agreement", 4, 0)
    assert (row.recorded.first, row.recorded.second, row.ties) == (0.5, 0.0, 1)
    assert not any(difference.name == "method" for difference in found.differences)


def test_another_method_is_said_first(tmp_path):
    path = ours(tmp_path, [True, True, False, False])
    data = json.loads(path.read_text(encoding="utf-8"))
    data["uids"][0]["method"] = "mean"
    path.write_text(json.dumps(data), encoding="utf-8")
    found = compare(path, of_harness("two"))
    assert ("method", "mean", "sum") in found.differences


def test_what_is_correlated_with_ratios_is_compared_by_its_shares(tmp_path):
    data = {"version": 1, "model": {"id": "example/ours"}, "suites": [], "uids": [
        {"name": "wug", "label": "wug", "set": "wug", "method": "sum", "ties": [],
         "item_ids": ["0", "1"], "item_hashes": ["a", "b"], "outcomes": [False, False],
         "shares": [0.25, 0.5]},
    ]}  # fmt: skip
    for name, share in (("one", 0.25), ("two", 0.75)):
        data["uids"][0]["shares"][0] = share
        (tmp_path / name).mkdir()
        (tmp_path / name / "scores.json").write_text(json.dumps(data), encoding="utf-8")
    (row,) = compare(tmp_path / "one", tmp_path / "two").predictions
    assert (row.suite, row.recorded.first, row.recorded.second) == ("wug/share", 0.375, 0.625)
