"""Runs over minimal pairs, of ours and of the LM evaluation harness, item by item."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark.converters.importers.registry import import_results, importer_named
from evalmark.converters.records.run import Dataset, Metric, Model, Producer, Result, Run, Sample
from evalmark.converters.records.writer import write_record
from evalmark.converters.step import NOTHING
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.run_comparison import compare

HARNESS = FIXTURES / "results/lm_eval_pairs"


def of_harness(name: str) -> Path:
    (path,) = (HARNESS / name).glob("results_*.json")
    return path


def ours(
    folder: Path, outcomes: list[bool], ties: tuple[str, ...] = (), method: str = "sum"
) -> Path:
    """The record of a run of ours over the same pairs."""
    (path,) = (HARNESS / "one").glob("samples_*.jsonl")
    docs = [json.loads(line)["doc"] for line in path.read_text("utf-8").splitlines()]
    uid = "demo_agreement"
    samples = [
        Sample(
            uid,
            f"{uid}/{doc['pairID']}",
            f"{doc['sentence_good']}\n{doc['sentence_bad']}",
            (doc["sentence_good"],),
            (),
            outcome,
            {"decided_by_rounding": json.dumps(doc["pairID"] in ties)},
        )
        for doc, outcome in zip(docs, outcomes, strict=True)
    ]
    metric = Metric.share("share of pairs", "accuracy")
    score = sum(outcomes) / len(outcomes)
    result = Result(uid, Dataset(uid), metric, score, settings={"method": method})
    model, who = Model("example/ours", "ours"), Producer("lab", "first_party")
    run = Run("pairs", 1767323045, model, who, (result,), tuple(samples))
    return write_record(run, folder, version="0.3.0").record


def test_a_tie_that_the_harness_counts_as_right_is_none():
    (row,) = compare(of_harness("one"), of_harness("two")).predictions
    assert (row.items, row.ties, row.recorded.first) == (4, 3, 0.0)
    # Read for the first run, the ties would make it better; the identical pair never does.
    assert next(r for r in row.readings if r.ties == "for first").first == 0.75


def test_a_record_of_the_harness_says_what_its_results_say(tmp_path):
    path = of_harness("one")
    data = json.loads(path.read_text(encoding="utf-8"))
    (run,) = import_results(importer_named("lm-eval"), path, data, NOTHING)
    written = write_record(run, tmp_path, version="0.3.0")
    (row,) = compare(written.record, path).predictions
    assert (row.items, row.recorded.first, row.recorded.second, row.other_texts) == (4, 0, 0, 0)
    assert (row.only_first, row.only_second) == (0, 0)


def test_a_run_of_ours_is_compared_with_one_of_the_harness(tmp_path):
    found = compare(ours(tmp_path, [True, True, False, False], ("2",)), of_harness("two"))
    (row,) = found.predictions
    assert (row.suite, row.items, row.other_texts) == ("demo_agreement", 4, 4)
    of = "4 of 4 samples of demo_agreement have another one: a leading space"
    assert ("text of samples", of, of) in found.differences
    assert (row.recorded.first, row.recorded.second, row.ties) == (0.5, 0.0, 1)
    assert not any(difference.name == "method" for difference in found.differences)


def test_another_method_is_said_first(tmp_path):
    found = compare(ours(tmp_path, [True, True, False, False], method="mean"), of_harness("two"))
    assert ("method", "mean", "sum") in found.differences


def test_samples_alone_are_no_run():
    (samples,) = (HARNESS / "one").glob("samples_*.jsonl")
    with pytest.raises(ScoringError, match=r"read with their record or their results_\*\.json"):
        compare(samples, of_harness("two"))


def test_pairs_are_matched_by_their_texts(tmp_path):
    """The harness numbers rows from 0, whatever their ids are; texts are the same."""
    path = ours(tmp_path / "a", [True, False, True, False])
    moved = ours(tmp_path / "b", [True, False, True, False])
    record = json.loads(moved.read_text(encoding="utf-8"))
    rows = moved.with_name(f"{moved.stem}_samples.jsonl")
    text = rows.read_text(encoding="utf-8")
    for number, name in enumerate("cdab"):
        text = text.replace(f'"demo_agreement/{number}"', f'"demo_agreement/{name}"')
    for number, name in enumerate("abcd"):
        text = text.replace(f'"demo_agreement/{name}"', f'"demo_agreement/{number}"')
    rows.write_text(text, encoding="utf-8")
    record["detailed_evaluation_results"].pop("checksum", None)
    moved.write_text(json.dumps(record), encoding="utf-8")
    (row,) = compare(path, moved).predictions
    assert (row.items, row.other_texts, row.only_first, row.only_second) == (4, 0, 0, 0)
