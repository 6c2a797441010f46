"""Every number of a question against a plain count over the same rows."""

import math
from collections import Counter, defaultdict
from itertools import combinations

import pytest
from evalmark.leaderboard.questions.conflicts import conflicts
from evalmark.leaderboard.questions.query import sql
from evalmark.leaderboard.questions.ranking import show, top
from hypothesis import given
from hypothesis import strategies as st
from stores import store_of
from strategies import examples

pytest.importorskip("duckdb")

#: Every example writes a store and opens it.
FEW = examples(8)
SCORES = (
    0.0, 0.5, 0.637, 0.64, 0.6370001, 0.4, 1.0, 1e-05, 63.7, 64.0, -1.0, math.nan, math.inf, None,
)  # fmt: skip
SCALES = ((0.0, 1.0), (0.0, 100.0), (None, None), (0.0, None), (1.0, 5.0))
RESULT = st.fixed_dictionaries(
    {
        "dataset": st.sampled_from(["mmlu", "gsm"]),
        "metric": st.sampled_from(["accuracy", "loss"]),
        "lower_is_better": st.sampled_from([False, True, None]),
        "scale": st.sampled_from(SCALES),
        "score": st.sampled_from(SCORES),
        "settings": st.sampled_from(["{}", '{"generation":{"temperature":0}}']),
    }
)
#: A record: its model, its id, its results, and whether there is a copy of its file.
RECORD = st.tuples(
    st.sampled_from(["lab/one", "lab/two", "lab/three"]),
    st.sampled_from(["r1", "r2", "r3"]),
    st.lists(RESULT, max_size=4),
    st.booleans(),
)
RECORDS = st.lists(RECORD, max_size=5)


def planted(records):
    """Rows of drawn records: a file holds one of them, and equal records have the same bytes."""
    rows = []
    for number, (model, record, results, is_twice) in enumerate(records):
        digest = str((model, record, results))
        for file in (f"{number}.json", f"copy of {number}.json")[: 1 + is_twice]:
            for place, result in enumerate(results):
                low, high = result["scale"]
                own = {name: value for name, value in result.items() if name != "scale"}
                own |= {"model": model, "record": record, "min_score": low, "max_score": high}
                own |= {"file": file, "digest": digest, "line": len(rows)}
                rows.append({**own, "pointer": f"/evaluation_results/{place}"})
    return rows


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("stores")


@pytest.fixture(scope="module")
def rows_in():
    return lambda store: sql(store, "SELECT * FROM results ORDER BY line").to_pylist()


def pairs_of(rows):
    found = defaultdict(list)
    for row in rows:
        found[row["model_key"], row["benchmark_key"]].append(row)
    return found


def is_ranked(row):
    score, low, high = row["score"], row["min_score"], row["max_score"]
    return (
        row["lower_is_better"] is not None
        and math.isfinite(score)
        and (low is None or score >= low)
        and (high is None or score <= high)
    )


@FEW
@given(RECORDS)
def test_top_ranks_what_a_plain_count_ranks(folder, rows_in, drawn):
    store = store_of(folder, *planted(drawn))
    rows = rows_in(store)
    for key in {row["benchmark_key"] for row in rows}:
        own = [row for row in rows if row["benchmark_key"] == key and row["score"] is not None]
        found = top(store, key).to_pylist()
        assert {row["model"] for row in found} == {row["model_key"] for row in own}
        assert len(found) == len({row["model_key"] for row in own})
        sign = {(row["lower_is_better"]): -1 if row["lower_is_better"] else 1 for row in own}
        best = {}
        for model in {row["model_key"] for row in own}:
            scores = [row["score"] for row in own if row["model_key"] == model and is_ranked(row)]
            best[model] = sorted(scores, key=lambda x: x * next(iter(sign.values())))
        order = [scores[-1] * next(iter(sign.values())) for scores in best.values() if scores]
        for row in found:
            scores = best[row["model"]]
            assert row["results"] == sum(other["model_key"] == row["model"] for other in own)
            assert row["benchmark"] == key
            if not scores:
                assert (row["rank"], row["worst"]) == (None, None)
                continue
            goodness = scores[-1] * next(iter(sign.values()))
            assert row["rank"] == 1 + sum(other > goodness for other in order)
            assert (row["score"], row["worst"]) == (scores[-1], scores[0])
        ranks = [row["rank"] for row in found]
        assert ranks == sorted(ranks, key=lambda rank: (rank is None, rank))
        everything = top(store, key, every_result=True)
        assert Counter(map(repr, everything.column("score").to_pylist())) == Counter(
            repr(row["score"]) for row in own
        )


@FEW
@given(RECORDS)
def test_show_has_every_result_of_a_model(folder, rows_in, drawn):
    store = store_of(folder, *planted(drawn))
    rows = rows_in(store)
    for model in {row["model_key"] for row in rows}:
        found = show(store, model).to_pylist()
        assert Counter((r["benchmark"], repr(r["score"]), r["line"]) for r in found) == Counter(
            (r["benchmark_key"], repr(r["score"]), r["line"])
            for r in rows
            if r["model_key"] == model
        )


def decimals(score):
    digits, _, exponent = repr(score).partition("e")
    return len(digits.partition(".")[2].rstrip("0")) - int(exponent or 0)


def disagree(one, other, width):
    """Whether the longer of two numbers, rounded as the shorter one is, is another."""
    scale = width or 10 ** math.ceil(math.log10(max(abs(one), abs(other))))
    places = max(min(decimals(one), decimals(other)), 0, math.ceil(2 - math.log10(scale)))
    return abs(one - other) > 0.5000001 * 10 ** -min(places, 12)


@FEW
@given(RECORDS)
def test_conflicts_are_the_pairs_that_disagree(folder, rows_in, drawn):
    store = store_of(folder, *planted(drawn))
    expected = {}
    for key, rows in pairs_of(rows_in(store)).items():
        own = [row for row in rows if row["score"] is not None and math.isfinite(row["score"])]
        bounds = (own[0]["min_score"], own[0]["max_score"]) if own else (None, None)
        width = None if None in bounds else bounds[1] - bounds[0]
        scores = {row["score"] for row in own}
        if width is None and scores:  # the scale of the whole group
            width = 10 ** math.ceil(math.log10(max(abs(x) for x in scores) or 1))
        if any(disagree(a, b, width) for a, b in combinations(scores, 2)):
            expected[key] = Counter(row["line"] for row in own)
    found = defaultdict(Counter)
    for row in conflicts(store).to_pylist():
        found[row["model"], row["benchmark"]][row["line"]] += 1
    assert found == expected


def test_a_binary_score_without_bounds_is_from_0_to_1_as_its_key_says(tmp_path):
    plain = {"score_type": "binary", "min_score": None, "max_score": None}
    rows = [{**plain, "model": f"lab/{score}", "score": score} for score in (0.5, 80.0)]
    store = store_of(tmp_path, *rows)
    ranks = {row["model"]: row["rank"] for row in top(store, "algebra").to_pylist()}
    assert ranks == {"lab/0.5": 1, "lab/80.0": None}
