"""`evalmark compare`: records with samples that differ, are damaged or have no scale."""

import pytest
from conftest import FIXTURES, edited
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison import run_items
from evalmark.scoring.comparison.run_comparison import compare
from records import sampled


def with_rows(tmp_path, name, change):
    def changed(_, rows):
        rows[:] = change(rows)

    return sampled(tmp_path / name, changed, sums=False)


def test_samples_of_other_texts_duplicates_and_other_results(tmp_path):
    def change(rows):
        rows[0]["input"]["raw"] = "What is 1 + 2?"
        rows[1]["evaluation_name"] = "another result"
        return [*rows, rows[2]]

    record = with_rows(tmp_path, "b", change)
    found = compare(FIXTURES / "good/with_samples.json", record)
    (row,) = found.predictions
    assert (row.items, row.alone, row.repeated) == (2, (1, 0), (0, 1))
    (difference,) = found.differences
    assert (difference.name, difference.first) == ("text of samples", "1 of 2 samples of agreement")


def other_sample(row):
    """A sample of another id and another text."""
    name = f"x{row['sample_id']}"
    return {**row, "sample_id": name, "input": {**row["input"], "raw": f"{name}?"}}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda rows: [], "has no predictions, or no samples"),
        (lambda rows: [*rows, *rows], "b/with_samples.json, several samples have each id"),
        (lambda rows: [b"{\n"], "line 1: not a sample"),
        (lambda rows: [[]], "line 1: not a sample"),
        (lambda rows: [other_sample(row) for row in rows], "in common"),
        (lambda rows: [{**row, "evaluation": {}} for row in rows], "no samples"),
    ],
)
def test_samples_that_cannot_be_compared(refused, tmp_path, change, message):
    record = with_rows(tmp_path, "b", change)
    assert message in refused("evalmark", "compare", FIXTURES / "good/with_samples.json", record)


def test_a_metric_of_another_direction_is_another_question(tmp_path):
    record = with_rows(tmp_path, "b", list)
    with edited(record) as data:
        data["evaluation_results"][0]["metric_config"]["lower_is_better"] = True
    with pytest.raises(ScoringError, match="in common"):
        compare(FIXTURES / "good/with_samples.json", record)
    (row,) = compare(record, record).predictions
    assert row.better is None


def test_where_less_is_better_less_is_better(tmp_path):
    def many(score):
        return lambda rows: [
            {**rows[0], "sample_id": str(k), "evaluation": {"score": score, "is_correct": True}}
            for k in range(12)
        ]

    paths = [with_rows(tmp_path, name, many(score)) for name, score in (("a", 0.0), ("b", 1.0))]
    for path in paths:
        with edited(path) as data:
            data["evaluation_results"][0]["metric_config"]["lower_is_better"] = True
    (row,) = compare(*paths).predictions
    assert row.claim.startswith("agreement: example/model-1 (a) is better, 0.000 against 1.000")
    for path in paths:
        with edited(path) as data:
            del data["evaluation_results"][0]["metric_config"]["lower_is_better"]
    (row,) = compare(*paths).predictions
    assert (row.better, "does not say whether a lower score is better" in row.claim) == (None, True)


@pytest.fixture
def record(tmp_path):
    """A record of samples, which `check` accepts."""
    return sampled(tmp_path)


def test_a_bug_is_not_taken_for_a_damaged_record(record, monkeypatch):
    def bug(*_):
        raise AttributeError("a bug")

    assert run_items.compared_run(record).suites
    monkeypatch.setattr(run_items, "_column", bug)
    with pytest.raises(AttributeError, match="a bug"):
        run_items.compared_run(record)


@pytest.mark.parametrize("pointer", [("model_info",), ("evaluation_results", 0, "metric_config")])
def test_a_damaged_record_is_not_a_run(record, pointer):
    with edited(record) as data:
        *path, last = pointer
        parent = data
        for step in path:
            parent = parent[step]
        parent[last] = "x"
    with pytest.raises(ScoringError, match="is not a valid record: `evalmark check` says why"):
        run_items.compared_run(record)
