"""Runs over minimal pairs, of ours and of the LM evaluation harness, item by item."""

import json
import re
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark.converters.importers.registry import import_results, importer_named
from evalmark.converters.records.run import Dataset, Metric, Model, Producer, Result, Run, Sample
from evalmark.converters.records.writer import write_record
from evalmark.converters.supplied import NOTHING
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.run_comparison import compare
from run_data import write_pair_outcomes

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
    assert (row.recorded.only_first, row.recorded.only_second) == (0, 0)


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
    assert (row.items, row.other_texts) == (4, 0)
    assert (row.recorded.only_first, row.recorded.only_second) == (0, 0)


# means over UIDs


def two_runs(folder: Path, sets: dict[str, tuple[int, ...]], worse: str):
    """Runs with a UID for each size: the second has a fifth fewer of one set right."""
    sizes = {(of, f"{of}{n}"): size for of, many in sets.items() for n, size in enumerate(many)}
    first = {key: [True] * size for key, size in sizes.items()}
    second = {
        key: [key[0] != worse or number % 5 > 0 for number in range(size)]
        for key, size in sizes.items()
    }
    return write_pair_outcomes(folder / "a", first), write_pair_outcomes(folder / "b", second)


def test_each_set_has_a_mean_and_sets_of_one_language_have_one_over_all(tmp_path, run):
    base, other = two_runs(tmp_path, {"blimp": (50,) * 8, "ewok": (50,) * 6}, worse="blimp")
    found = compare(base, other)
    assert [(row.group, row.items) for row in found.means] == [("blimp", 8), ("ewok", 6)]
    assert [row.better for row in found.means] == ["first", None]
    assert found.headline.items == 14
    said = run("evalmark", "compare", base, other)
    assert "mean (8 UIDs of blimp)" in said.out
    assert "mean over 8 UIDs of blimp: a is better" in said.out
    data = json.loads(run("evalmark", "compare", base, other, "--format", "json").out)
    assert [row["group"] for row in data["means"]] == ["blimp", "ewok"]


def test_there_is_no_mean_over_languages(tmp_path, run):
    base, other = two_runs(tmp_path, {"blimp": (50,) * 8, "rublimp": (50,) * 7}, worse="rublimp")
    found = compare(base, other)
    assert (found.headline, found.pooled) == (None, None)
    assert [row.group for row in found.wholes] == ["blimp", "rublimp"]
    third = write_pair_outcomes(
        tmp_path / "c", {("blimp", f"blimp{n}"): [True] * 50 for n in range(8)}
    )
    for runs in ((base, other), (base, other, third)):
        said = run("evalmark", "compare", *runs, "--fail-if-worse", code=1)
        assert "mean over 7 UIDs of rublimp" in said.err
        assert "mean over 15 UIDs" not in said.out
    assert "b, rublimp" in said.out


def test_of_languages_with_a_uid_each_every_one_is_a_whole(tmp_path, run):
    """No mean includes them, and no set is known to be in the language of another."""
    sizes = {"blimp": (50,), "rublimp": (50,), "pairs": (50,) * 7, "pairs-cjk": (50,)}
    base, other = two_runs(tmp_path, sizes, worse="blimp")
    found = compare(base, other)
    shown = [(row.group, row.suite) for row in found.wholes]
    assert shown[:2] == [("pairs", "mean"), ("blimp", "blimp0")]
    assert shown[2:] == [("rublimp", "rublimp0"), ("pairs-cjk", "pairs-cjk0")]
    table = run("evalmark", "compare", base, other, base).out
    assert re.findall("^b, (.*?)  ", table, re.MULTILINE) == [group for group, _ in shown]
    unknown = two_runs(tmp_path / "c", {"clams": (50,) * 4, "pairs": (50,) * 4}, worse="clams")
    assert compare(*unknown).headline is None


def test_rows_that_say_their_language_are_averaged_by_it(tmp_path):
    uids = [("multiblimp", f"{of} {n}", of) for of in ("deu", "tur") for n in range(3)]
    runs = (
        write_pair_outcomes(tmp_path / name, {uid: [True] * 30 for uid in uids}) for name in "ab"
    )
    found = compare(*runs)
    assert [row.group for row in found.means] == ["multiblimp (deu)", "multiblimp (tur)"]
    assert found.headline is None


def test_a_uid_of_one_pair_weighs_less_than_one_of_sixty(tmp_path):
    right = {("blimp", f"u{n}"): [True] * 60 for n in range(7)}
    lost = {**right, ("blimp", "tiny"): [False]}
    found = compare(
        write_pair_outcomes(tmp_path / "a", {**right, ("blimp", "tiny"): [True]}),
        write_pair_outcomes(tmp_path / "b", lost),
    )
    assert found.headline.recorded.first == 1
    assert found.headline.recorded.second == pytest.approx(7 / (7 + 1 / 20))
    equal = compare(
        write_pair_outcomes(
            tmp_path / "c", {("blimp", str(n)): [True] * (20 + n) for n in range(8)}
        ),
        write_pair_outcomes(
            tmp_path / "d",
            {("blimp", str(n)): [bool(n)] * (20 + n) for n in range(8)},
        ),
    )
    assert equal.headline.recorded.second == pytest.approx(7 / 8)  # as `score` has it
