"""The queries that have names: `evalmark store sql --name NAME`."""

import re

import pytest
from evalmark.leaderboard import named_queries, sql
from stores import store_of

QUERIES = named_queries()


def answer(store, name, **more):
    """The rows of an answer; a benchmark is its data set."""
    rows = sql(store, QUERIES[name], **more).to_pylist()
    for row in rows:
        row["benchmark"] = row["benchmark"] and row["benchmark"].split()[0].removeprefix("board/")
    return rows


def told(rows, *names):
    return [tuple(row[name] for name in names) for row in rows]


def test_each_has_a_line_that_describes_it_and_the_help_names_it(run):
    text = run("evalmark", "store", "sql", "--help").out
    assert list(QUERIES) == ["bounds", "differences", "duplicates", "missing"]
    for name, query in QUERIES.items():
        assert re.match(r"-- [A-Z][^\n]+\.\n", query), name
        assert text.count(name) >= 2, name
        assert 10 <= len(query.splitlines()) <= 30, name


def test_bounds_are_those_of_the_scale(tmp_path):
    plain = {"score_type": "binary", "min_score": None, "max_score": None}
    level = {"settings": '{"metric":{"has_unknown_level":true}}'}
    store = store_of(
        tmp_path,
        {"score": 0.0}, {"score": 1.0}, {"score": None}, {"score": -1.0, **level},
        {"score": 64.0, "dataset": "a"}, {"score": 640.0, "dataset": "b"},
        {"score": -1.0, "dataset": "c"}, {"score": float("nan"), "dataset": "d"},
        {"score": float("inf"), "dataset": "e", "max_score": None},
        {"score": 5.0, "dataset": "f", "min_score": 9.0},
        {"score": 2.0, "dataset": "g", **plain},
        {"score": 9.0, "min_score": None, "max_score": None},
    )  # fmt: skip
    assert told(answer(store, "bounds"), "benchmark", "low", "high", "problem") == [
        ("a", 0, 1, "above max_score: a percentage?"), ("b", 0, 1, "above max_score"),
        ("c", 0, 1, "below min_score"), ("d", 0, 1, "not a finite number"),
        ("e", 0, None, "not a finite number"), ("f", 9, 1, "min_score is above max_score"),
        ("g", 0, 1, "above max_score: a percentage?"),
    ]  # fmt: skip


def test_duplicates_are_files_records_and_results(tmp_path):
    twice = {"record": "r1", "digest": "d1", "dataset": "a"}
    other = {"record": "r2", "dataset": "b"}
    store = store_of(
        tmp_path,
        {**twice, "file": "1.json"}, {**twice, "file": "copy of 1.json"},
        {**other, "file": "2.json", "digest": "d2"},
        {**other, "file": "3.json", "digest": "d3", "settings": '{"shots":5}'},
        {"file": "4.json", "record": "r4"}, {"file": "5.json", "record": "r5"},
        {"file": "6.json", "record": "r6", "dataset": "c"},
        {"file": "6.json", "record": "r6", "dataset": "c"},
        {"file": "7.json", "score": 0.25}, {"file": "8.json", "model": "lab/two"},
    )  # fmt: skip
    assert told(answer(store, "duplicates"), "kind", "what", "benchmark", "score", "files") == [
        ("content", "d1", None, None, ["1.json", "copy of 1.json"]),
        ("record id", "r2", None, None, ["2.json", "3.json"]),
        ("result", "lab/one", "c", 0.5, ["6.json", "6.json"]),
        ("result", "lab/one", "mmlu", 0.5, ["4.json", "5.json"]),
    ]


def test_missing_cells_of_full_benchmarks_are_first(tmp_path):
    store = store_of(
        tmp_path,
        {"dataset": "a"}, {"dataset": "b"}, {"dataset": "b", "score": 0.75},
        {"dataset": "a", "model": "lab/two"}, {"dataset": "c", "model": "lab/three"},
        {"dataset": "b", "model": "lab/three", "score": None},
    )  # fmt: skip
    rows = answer(store, "missing")
    assert told(rows, "model", "benchmark", "model_has", "benchmark_has") == [
        ("lab/three", "a", 1, 2), ("lab/three", "b", 1, 1), ("lab/two", "b", 1, 1),
        ("lab/one", "c", 2, 1), ("lab/two", "c", 1, 1),
    ]  # fmt: skip


def test_differences_pair_results_of_one_model_and_benchmark(tmp_path):
    same = {"dataset": "same", "score": 0.25}
    nan = {"dataset": "nan", "score": float("nan")}
    before = store_of(
        tmp_path / "before",
        same, same, nan, {"dataset": "a"}, {"dataset": "b"}, {"dataset": "b"},
        {"dataset": "c", "settings": '{"shots":0}'},
    )  # fmt: skip
    after = store_of(
        tmp_path / "after",
        same, same, nan, {"dataset": "a", "score": 0.75}, {"dataset": "b"},
        {"dataset": "c", "settings": '{"shots":5}'}, {"model": "lab/two"}, {"model": "lab/two"},
    )  # fmt: skip
    rows = answer(after, "differences", before=before)
    assert told(rows, "change", "model", "benchmark", "before", "after", "settings") == [
        ("changed", "lab/one", "a", 0.5, 0.75, "{}"),
        ("removed", "lab/one", "b", 0.5, None, "{}"),
        ("changed", "lab/one", "c", 0.5, 0.5, '{"shots":5}'),
        ("added", "lab/two", "mmlu", None, 0.5, "{}"),
        ("added", "lab/two", "mmlu", None, 0.5, "{}"),
    ]
    assert answer(after, "differences", before=after) == []


def test_aliases_count_in_both_stores(tmp_path):
    before, after = (
        store_of(tmp_path / name, {"model": name}) for name in ("lab/one-v1", "lab/one")
    )
    assert len(answer(after, "differences", before=before)) == 2
    (before.folder / "aliases.toml").write_text('[models]\n"lab/one-v1" = "lab/one"\n')
    assert answer(after, "differences", before=before) == []


def test_a_query_sees_no_file_of_the_other_store(tmp_path):
    before, after = (store_of(tmp_path / name, {}) for name in ("before", "after"))
    assert sql(after, "FROM before", before=before).num_rows == 1
    with pytest.raises(Exception, match="disabled by configuration"):
        sql(after, f"FROM '{before.results}'", before=before)
