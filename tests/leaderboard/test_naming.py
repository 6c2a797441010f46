"""Names of models and benchmarks: what they mean, and what is never merged."""

import json

import pytest
from evalmark.leaderboard.questions.conflicts import conflicts
from evalmark.leaderboard.questions.query import notes_of
from evalmark.leaderboard.questions.ranking import show, top
from evalmark.schemas.errors import AmbiguousNameError
from stores import store_of

HIGHER = "board/mmlu | algebra | test | accuracy | higher | 0 to 1"


@pytest.mark.parametrize(
    "name",
    [HIGHER, "mmlu", "MMLU", "board/mmlu", "mmlu/algebra", "mmlu/algebra/test/accuracy", "algebra",
     "gebra", "mmlu | alg"],
)  # fmt: skip
def test_a_benchmark_has_many_names(tmp_path, name):
    store = store_of(tmp_path, {}, {"dataset": "gsm", "subset": "main", "score": 0.9})
    assert top(store, name).column("benchmark").to_pylist() == [HIGHER]


@pytest.mark.parametrize("name", ["lab/one", "One", "LAB/ONE", "lab/on"])
def test_a_model_has_many_names(tmp_path, name):
    store = store_of(tmp_path, {}, {"model": "lab/two", "model_name": "Two"})
    assert show(store, name).column("model").to_pylist() == ["lab/one"]


@pytest.mark.parametrize(
    "other",
    [{"max_score": 100.0, "score": 50.0}, {"lower_is_better": True}, {"metric": "f1"},
     {"split": "validation"}, {"subset": "geometry"}, {"metric_parameters": '{"k":5}'},
     {"collection": "another"}, {"split": None}, {"max_score": None}, {"lower_is_better": None}],
    ids=str,
)  # fmt: skip
def test_unlike_benchmarks_are_never_mixed(tmp_path, other):
    store = store_of(
        tmp_path, {}, {"model": "lab/two", "score": 0.4, **other}, {"score": 0.5, **other}
    )
    with pytest.raises(AmbiguousNameError) as raised:
        top(store, "mmlu")
    assert len(raised.value.candidates) == 2
    ranked = [top(store, name) for name in raised.value.candidates]
    assert HIGHER in [table.column("benchmark").to_pylist()[0] for table in ranked]
    assert {table.column("benchmark_name").to_pylist()[0] for table in ranked} == {
        *raised.value.candidates
    }
    for table in ranked:
        assert len(set(table.column("benchmark").to_pylist())) == 1
    assert conflicts(store).num_rows == 0


def test_an_alias_is_one_model_and_one_benchmark(tmp_path):
    store = store_of(
        tmp_path,
        {"score": 0.7},
        {"model": "Lab/One-v1", "score": 0.3, "dataset": "hendrycks", "settings": '{"n":5}'},
    )
    assert conflicts(store).num_rows == 0
    (tmp_path / "aliases.toml").write_text(
        '[models]\n"Lab/One-v1" = "lab/one"\n[benchmarks]\n"board/hendrycks" = "board/mmlu"\n'
    )
    assert [(row["score"], row["model_id"]) for row in conflicts(store).to_pylist()] == [
        (0.3, "Lab/One-v1"),
        (0.7, "lab/one"),
    ]
    assert show(store, "Lab/One-v1").num_rows == 2
    ranked = top(store, "mmlu").to_pylist()
    assert [(row["model"], row["results"], row["worst"]) for row in ranked] == [("lab/one", 2, 0.3)]


def test_direction_bounds_and_ties_decide_the_rank(tmp_path):
    perplexity = {
        "metric": "perplexity",
        "lower_is_better": True,
        "min_score": 1.0,
        "max_score": None,
    }
    rows = (("one", 3.0), ("two", 2.0), ("three", 3.0), ("four", 0.5), ("five", 9.0))
    store = store_of(
        tmp_path, *({"model": f"lab/{name}", "score": score, **perplexity} for name, score in rows)
    )
    found = top(store, "perplexity")
    assert [(row["rank"], row["model"]) for row in found.to_pylist()] == [
        (1, "lab/two"), (2, "lab/one"), (2, "lab/three"), (4, "lab/five"), (None, "lab/four"),
    ]  # fmt: skip
    assert notes_of(found) == [
        "1 score has no rank: out of bounds (see `evalmark store sql --name bounds`) or of an "
        "unknown level"
    ]


def test_an_interval_is_recorded_or_from_the_standard_error(tmp_path):
    store = store_of(
        tmp_path,
        {
            "model": "lab/a",
            "score": 0.5,
            "lower": 0.4,
            "upper": 0.7,
            "standard_error": 0.1,
            "confidence_level": 0.9,
        },
        {"model": "lab/b", "score": 0.4, "standard_error": 0.1},
        {"model": "lab/c", "score": 0.3},
    )
    found = [
        (row["interval"], row["lower"], row["upper"]) for row in top(store, "mmlu").to_pylist()
    ]
    assert found[0] == ("recorded", 0.4, 0.7)
    assert found[1][0] == "standard error"
    assert found[1][1:] == pytest.approx((0.4 - 0.196, 0.4 + 0.196), abs=1e-4)
    assert found[2] == (None, None, None)
    levels = [row["confidence_level"] for row in top(store, "mmlu").to_pylist()]
    assert levels == [0.9, 0.95, None]


def test_an_interval_from_a_standard_error_ends_where_the_scale_does(tmp_path):
    rows = [
        {"model": "lab/high", "score": 0.95, "standard_error": 0.1},
        {"model": "lab/low", "score": 0.05, "standard_error": 0.1},
        {"model": "lab/wrong", "score": 2, "standard_error": 0.1},
    ]
    found = [
        (row["lower"], row["upper"]) for row in top(store_of(tmp_path, *rows), "mmlu").to_pylist()
    ]
    assert found == [
        (pytest.approx(0.95 - 0.196, abs=1e-4), 1),
        (0, pytest.approx(0.05 + 0.196, abs=1e-4)),
        (pytest.approx(2 - 0.196, abs=1e-4), pytest.approx(2 + 0.196, abs=1e-4)),
    ]


@pytest.mark.parametrize(
    ("scores", "is_conflict"),
    [((0.637, 0.488), True), ((0.64, 0.637), False), ((0.64, 0.6351), False), ((0.64, 0.634), True),
     ((1.0, 0.6), True), ((1.0, 0.996), False), ((0.5, 0.506), True), ((0.1 + 0.2, 0.3), False),
     ((0.64, 0.637, 0.643), True), ((0.64, 0.638, 0.638), False)],
    ids=str,
)  # fmt: skip
def test_rounding_is_no_conflict(tmp_path, scores, is_conflict):
    store = store_of(tmp_path, *({"score": score} for score in scores))
    assert conflicts(store).num_rows == (len(scores) if is_conflict else 0)


def test_a_percentage_is_rounded_to_its_own_digits(tmp_path):
    percent = {"max_score": 100.0}
    store = store_of(tmp_path, {"score": 64.0, **percent}, {"score": 63.7, **percent})
    assert conflicts(store).num_rows == 0


def test_conflicts_show_the_settings_that_differ(tmp_path):
    inner = (
        '{"generation":{"generation_args":{"temperature":%s},"additional_details":{"shots":"5"}}}'
    )
    store = store_of(
        tmp_path,
        {"score": 0.637, "settings": inner % "0", "harness": "lm-eval 0.4"},
        {"score": 0.488, "settings": inner % "1", "source": "Other"},
    )
    assert [(row["score"], row["differs"]) for row in conflicts(store).to_pylist()] == [
        (0.488, "temperature=1, source=Other, harness=not stated"),
        (0.637, "temperature=0, source=Lab, harness=lm-eval 0.4"),
    ]


@pytest.mark.parametrize(
    ("one", "other", "kind"),
    [
        ({}, {}, "contradiction"),
        ({"source": "Lab"}, {"source": "Other", "evaluated_at": 1.7e9}, "contradiction"),
        ({"hal_rank": "3", "total_cost_usd": "1.5"}, {"hal_rank": "4"}, "contradiction"),
        ({"precision": "bfloat16"}, {"precision": "float16"}, "several settings"),
        ({"reasoning_effort": "high"}, {}, "contradiction"),
        ({"harness": "lm-eval 0.4"}, {"harness": "lm-eval 0.3"}, "several settings"),
    ],
)
def test_only_numbers_under_the_same_settings_contradict_each_other(tmp_path, one, other, kind):
    columns = {"source", "evaluated_at", "harness"}
    rows = [
        {
            "score": score,
            "settings": json.dumps({k: v for k, v in own.items() if k not in columns}),
            **{k: v for k, v in own.items() if k in columns},
        }
        for score, own in ((0.6, one), (0.5, other))
    ]
    found = conflicts(store_of(tmp_path, *rows))
    assert found.column("kind").to_pylist() == [kind, kind]


def test_contradictions_are_first_and_rounding_is_none_among_several_settings(tmp_path):
    settings = ['{"shots":"0"}', '{"shots":"5"}', '{"shots":"5"}']
    rows = [
        {"model": model, "score": score, "settings": own}
        for model, scores in (("lab/wide", (0.1, 0.9, 0.9004)), ("lab/near", (0.5, 0.6, 0.62)))
        for score, own in zip(scores, settings, strict=True)
    ]
    found = conflicts(store_of(tmp_path, *rows))
    kinds = dict.fromkeys(zip(found["model"].to_pylist(), found["kind"].to_pylist(), strict=True))
    assert list(kinds) == [("lab/near", "contradiction"), ("lab/wide", "several settings")]


def test_an_unknown_level_has_no_rank(tmp_path):
    level = {"score_type": "levels", "min_score": None, "max_score": None}
    level["settings"] = '{"metric":{"has_unknown_level":true}}'
    rows = [{**level, "model": f"lab/{score}", "score": score} for score in (-1.0, 2.0)]
    lower = [{**row, "lower_is_better": True, "metric": "errors"} for row in rows]
    store = store_of(tmp_path, *rows, *lower)
    for metric in ("accuracy", "errors"):
        found = [(row["model"], row["rank"]) for row in top(store, metric).to_pylist()]
        assert found == [("lab/2.0", 1), ("lab/-1.0", None)]
