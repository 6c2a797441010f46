"""Two models: paired over samples where there are some; nothing is claimed where there are none."""

import json
from functools import partial
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark import leaderboard
from evalmark.leaderboard import compare_models
from evalmark.leaderboard.questions.model_comparison import UNPAIRED
from evalmark.leaderboard.questions.query import notes_of
from evalmark.schemas.errors import UsageError
from evalmark.scoring.comparison.run_comparison import compare
from stores import store_of

#: The records of these tests have errors that do not matter here.
add_records = partial(leaderboard.add_records, include_errors=True)
FIRST = [1.0] * 14 + [0.0] * 6
SECOND = [1.0] * 2 + [0.0] * 12 + [1.0] * 1 + [0.0] * 5


def write(folder: Path, model: str, scores: list[float], **metric: object) -> Path:
    """A record with samples of these scores."""
    folder.mkdir(exist_ok=True)
    good = FIXTURES / "good"
    data = json.loads((good / "with_samples.json").read_text(encoding="utf-8"))
    line = json.loads((good / "with_samples_samples.jsonl").read_text("utf-8").split("\n")[0])
    data["evaluation_id"] = f"agreement-samples/example/{model}/1760000000"
    data["model_info"] = {"name": model, "id": f"example/{model}"}
    (result,) = data["evaluation_results"]
    result["score_details"]["score"] = sum(scores) / len(scores)
    result["metric_config"] |= metric
    link = data["detailed_evaluation_results"]
    link["file_path"], link["total_rows"] = f"{model}_samples.jsonl", len(scores)
    del link["checksum"], link["hash_algorithm"]
    rows = [
        {**line, "evaluation_id": data["evaluation_id"], "model_id": f"example/{model}",
         "sample_id": str(number), "evaluation": {"score": score, "is_correct": score > 0.5}}
        for number, score in enumerate(scores)
    ]  # fmt: skip
    path = folder / f"{model}.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    text = "".join(f"{json.dumps(row)}\n" for row in rows)
    (folder / f"{model}_samples.jsonl").write_text(text, encoding="utf-8")
    return path


def stored(folder: Path, one: list[float], other: list[float], **metric: object) -> Path:
    """A store of two models, with their samples."""
    for name, scores in (("a", one), ("b", other)):
        write(folder / "data", name, scores, **metric)
    return add_records([folder / "data"], folder / "store", samples=True).store


@pytest.mark.parametrize(
    ("one", "other"), [(FIRST, SECOND), (FIRST, FIRST), ([x / 2 + 0.1 for x in FIRST], SECOND)]
)
def test_samples_are_compared_as_compare_does(tmp_path, one, other):
    store = stored(tmp_path, one, other)
    (row,) = compare_models(store, "example/a", "example/b").to_pylist()
    (expected,) = compare(tmp_path / "data/a.json", tmp_path / "data/b.json").predictions
    assert row["items"] == expected.items == 20
    counts = expected.recorded
    assert (row["first"], row["second"]) == (counts.first, counts.second)
    assert (row["only_first"], row["only_second"]) == (counts.only_first, counts.only_second)
    assert (row["p"], row["p_holm"]) == (counts.p_value, counts.p_holm)
    assert (row["lower"], row["upper"]) == (expected.interval or (None, None))
    assert row["test"] == expected.test
    assert row["better"] == (expected.better and f"example/{'ab'[expected.better == 'second']}")
    assert notes_of(compare_models(store, "example/a", "example/b")) == []


def test_without_samples_nothing_is_claimed(tmp_path):
    for name, scores in (("a", FIRST), ("b", SECOND)):
        write(tmp_path / "data", name, scores)
    store = add_records([tmp_path / "data"], tmp_path / "store").store
    found = compare_models(store, "example/a", "example/b")
    (row,) = found.to_pylist()
    assert (row["first"], row["second"], row["test"]) == (0.7, 0.15, UNPAIRED)
    assert row["difference"] == pytest.approx(-0.55)
    for name in ("better", "p", "p_holm", "lower", "upper", "items", "claim"):
        assert row[name] is None, name
    assert "not paired, and no test can say" in notes_of(found)[0]


def test_records_of_one_id_keep_their_own_samples(tmp_path):
    for name, scores in (("a", FIRST), ("b", SECOND)):
        write(tmp_path / "data", name, scores)
    write(tmp_path / "again", "a", [0.0] * 20)
    paths = [tmp_path / name for name in ("data", "again")]
    store = add_records(paths, tmp_path / "store", samples=True).store
    (row,) = compare_models(store, "example/a", "example/b").to_pylist()
    assert (row["items"], row["first"], row["first_results"]) == (20, 0.0, 2)


def test_a_sample_without_a_finite_score_is_left_out(tmp_path):
    write(tmp_path / "data", "a", FIRST)
    write(tmp_path / "data", "b", SECOND)
    path = tmp_path / "data/b_samples.jsonl"
    first, rest = path.read_text().split("\n", 1)
    path.write_text(first.replace(": 1.0", ': "Infinity"') + "\n" + rest)
    store = add_records([tmp_path / "data"], tmp_path / "store", samples=True).store
    (row,) = compare_models(store, "example/a", "example/b").to_pylist()
    assert (row["items"], row["second"]) == (19, 2 / 19)


def test_no_model_is_better_where_the_direction_is_unknown(tmp_path):
    store = stored(tmp_path, FIRST, SECOND, lower_is_better=None)
    found = compare_models(store, "example/a", "example/b")
    (row,) = found.to_pylist()
    assert (row["better"], row["items"]) == (None, 20)
    assert row["claim"].endswith("a run does not say whether a lower score is better")
    assert "no record says whether a lower score is better in 1 benchmark" in notes_of(found)[0]


def test_unlike_scales_have_nothing_in_common(tmp_path):
    write(tmp_path / "data", "a", FIRST)
    write(tmp_path / "data", "b", SECOND, max_score=100)
    store = add_records([tmp_path / "data"], tmp_path / "store", samples=True).store
    with pytest.raises(UsageError, match="no benchmark in common"):
        compare_models(store, "example/a", "example/b")


def test_results_with_the_most_alike_settings_are_compared(tmp_path):
    store = store_of(
        tmp_path,
        {"score": 0.9, "settings": '{"generation":{"shots":5}}'},
        {"score": 0.8, "settings": '{"generation":{"shots":0}}'},
        {"score": 0.7, "model": "lab/two", "settings": '{"generation":{"shots":0}}'},
        {"score": 70.0, "model": "lab/two", "settings": '{"generation":{"shots":5}}'},
    )
    found = compare_models(store, "lab/one", "lab/two")
    (row,) = found.to_pylist()
    assert (row["first"], row["second"], row["differs"]) == (0.8, 0.7, "")
    assert (row["first_results"], row["second_results"]) == (2, 2)
    assert "several results of a model" in notes_of(found)[1]
