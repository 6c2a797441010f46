"""Questions to a store, beside what people write without one: pandas, DuckDB's read_json, SQLite.

Records are made (``--records``, of 12 results each; 2 % of them with planted conflicts, copies of
ids and scores out of bounds), and read once into a store and into an SQLite file with two indexes.
Then each contestant answers each question in a process of its own, as a user would start it; all
must give the same count. Pandas and DuckDB read the JSON files each time. Printed are medians of
whole processes, and ratios to the store.

``--pandas PYTHON`` is an interpreter that has pandas.
"""

from __future__ import annotations

import argparse
import json
import random
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

QUESTIONS = ("top", "show", "conflicts", "ids", "bounds")
CONTESTANTS = ("store", "sqlite", "read_json", "pandas")
RESULTS = 12
BENCHMARK, MODEL = "dataset-3", "lab-1/model-1"
COLUMNS = "record TEXT, file TEXT, model TEXT, dataset TEXT, score REAL, low REAL, high REAL"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=1000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--pandas", help="an interpreter that has pandas")
    parser.add_argument("--home", type=Path, help="where the records go")
    parser.add_argument("--ask", nargs=3, metavar=("CONTESTANT", "QUESTION", "FOLDER"))
    options = parser.parse_args()
    if options.ask:
        contestant, question, folder = options.ask
        print(ANSWERS[contestant](question, Path(folder)))
        return 0
    with TemporaryDirectory(dir=options.home) as home:
        return compare(Path(home), options)


def compare(home: Path, options: argparse.Namespace) -> int:
    from benchmarks._measure import measured

    write(home / "data", options.records)
    for name, make in (("store", make_store), ("sqlite", make_sqlite)):
        started = time.perf_counter()
        make(home)
        print(f"made {name}: {time.perf_counter() - started:.1f} s")
    pythons = dict.fromkeys(CONTESTANTS, sys.executable) | {"pandas": options.pandas}
    for question in QUESTIONS:
        commands, answers = {}, {}
        for contestant, python in pythons.items():
            if python is not None:
                words = [python, __file__, "--ask", contestant, question, str(home)]
                commands[contestant] = words
                answers[contestant] = answer_of(words)
        if len(set(answers.values())) > 1:
            print(f"{question}: answers differ: {answers}")
            return 1
        took = measured(commands, options.rounds)
        parts = [
            f"{name} {one.wall:.2f} s, {one.memory:.0f} MB ({one.wall / took['store'].wall:.1f}×)"
            for name, one in took.items()
        ]
        print(f"{question} ({answers['store']}): {'; '.join(parts)}")
    return 0


def answer_of(words: list[str]) -> int:
    import subprocess

    done = subprocess.run(words, capture_output=True, text=True, check=True)
    return int(done.stdout)


def write(folder: Path, count: int) -> None:
    """The records: 100 to a folder, one for each model apart from what is planted."""
    chance = random.Random(1)
    for number in range(count):
        lab, model = f"lab-{number % 40}", f"model-{number}"
        is_planted = number % 100 > 97 and number > 200
        if is_planted:  # results that an earlier record has too
            earlier = number - 150
            lab, model = f"lab-{earlier % 40}", f"model-{earlier}"
        results = [
            {
                "evaluation_name": f"dataset-{place}",
                "source_data": {
                    "dataset_name": f"dataset-{place}", "source_type": "url",
                    "url": ["https://example.org/data"],
                },
                "metric_config": {
                    "lower_is_better": False, "score_type": "continuous",
                    "min_score": 0, "max_score": 1,
                },
                "score_details": {"score": 63.7 if chance.random() < 0.002 else
                                  (place + 1) / 20 + (0.25 if is_planted and place % 2 else 0)},
            }
            for place in range(RESULTS)
        ]  # fmt: skip
        time_of = 1_760_000_000 + number - (number % 100 == 1)  # every hundredth repeats an id
        named = f"{lab}/{model}" if number % 100 > 1 else "lab-0/model-0"
        record = {
            "schema_version": "0.2.0",
            "evaluation_id": f"board/{named}/{time_of}",
            "retrieved_timestamp": str(time_of),
            "source_metadata": {
                "source_name": "Board", "source_type": "evaluation_run",
                "source_organization_name": "Lab", "evaluator_relationship": "third_party",
            },
            "model_info": {"name": model, "id": f"{lab}/{model}"},
            "evaluation_results": results,
        }  # fmt: skip
        path = folder / f"board/{number // 100}/{number}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record, indent=2), encoding="utf-8")


def make_store(home: Path) -> None:
    from evalmark.leaderboard import add_records

    add_records([home / "data"], home / "store")


def flat(home: Path) -> Iterator[tuple[Any, ...]]:
    """What a user's loop over the files makes of them."""
    for path in sorted((home / "data").rglob("*.json")):
        record = json.loads(path.read_text(encoding="utf-8"))
        for result in record["evaluation_results"]:
            metric = result["metric_config"]
            yield (
                record["evaluation_id"], str(path), record["model_info"]["id"],
                result["source_data"]["dataset_name"], result["score_details"]["score"],
                metric["min_score"], metric["max_score"],
            )  # fmt: skip


def make_sqlite(home: Path) -> None:
    with sqlite3.connect(home / "results.db") as database:
        database.execute(f"CREATE TABLE results ({COLUMNS})")
        database.executemany("INSERT INTO results VALUES (?, ?, ?, ?, ?, ?, ?)", flat(home))
        database.execute("CREATE INDEX by_model ON results (model)")
        database.execute("CREATE INDEX by_dataset ON results (dataset)")


#: The questions in SQL, which counts what is found.
QUERIES = {
    "top": f"SELECT count(*) FROM (SELECT model, max(score) best FROM results "
    f"WHERE dataset = '{BENCHMARK}' GROUP BY model ORDER BY best DESC) x",
    "show": f"SELECT count(*) FROM results WHERE model = '{MODEL}'",
    "conflicts": "SELECT count(*) FROM (SELECT model, dataset FROM results "
    "GROUP BY model, dataset HAVING max(score) - min(score) > 0.05) x",
    "ids": "SELECT count(*) FROM (SELECT record FROM results GROUP BY record "
    "HAVING count(DISTINCT file) > 1) x",
    "bounds": "SELECT count(*) FROM results WHERE score < low OR score > high",
}


def of_store(question: str, home: Path) -> int:
    from evalmark.leaderboard import Store, conflicts, named_queries, show, sql, top

    store = Store(home / "store")
    if question == "top":
        return int(top(store, BENCHMARK).num_rows)
    if question == "show":
        return int(show(store, MODEL).num_rows)
    if question == "bounds":
        return int(sql(store, named_queries()["bounds"]).num_rows)
    if question == "conflicts":
        rows = conflicts(store).to_pylist()
        return len({(row["model"], row["benchmark"]) for row in rows})
    kinds = sql(store, named_queries()["duplicates"]).column("kind").to_pylist()
    return kinds.count("record id")


def of_sqlite(question: str, home: Path) -> int:
    with sqlite3.connect(home / "results.db") as database:
        return int(database.execute(QUERIES[question]).fetchone()[0])


def of_read_json(question: str, home: Path) -> int:
    import duckdb

    result = (
        "STRUCT(source_data STRUCT(dataset_name VARCHAR), score_details STRUCT(score DOUBLE), "
        "metric_config STRUCT(min_score DOUBLE, max_score DOUBLE))"
    )
    columns = (
        "evaluation_id: 'VARCHAR', model_info: 'STRUCT(id VARCHAR)', "
        f"evaluation_results: '{result}[]'"
    )
    files = f"read_json('{home}/data/**/*.json', filename = true, columns = {{{columns}}})"
    rows = (
        "WITH results AS (SELECT evaluation_id AS record, filename AS file, "
        "model_info.id AS model, x.source_data.dataset_name AS dataset, "
        "x.score_details.score AS score, "
        "x.metric_config.min_score AS low, x.metric_config.max_score AS high "
        f"FROM (SELECT *, unnest(evaluation_results) AS x FROM {files}))"
    )
    return int(duckdb.execute(f"{rows} {QUERIES[question]}").fetchone()[0])


def of_pandas(question: str, home: Path) -> int:
    import pandas as pd  # type: ignore[import-not-found]

    names = [column.split()[0] for column in COLUMNS.split(", ")]
    rows = pd.DataFrame(flat(home), columns=names)
    if question == "top":
        return len(rows[rows.dataset == BENCHMARK].groupby("model").score.max().sort_values())
    if question == "show":
        return int((rows.model == MODEL).sum())
    if question == "bounds":
        return int(((rows.score < rows.low) | (rows.score > rows.high)).sum())
    if question == "ids":
        return int((rows.groupby("record").file.nunique() > 1).sum())
    scores = rows.groupby(["model", "dataset"]).score
    return int((scores.max() - scores.min() > 0.05).sum())


ANSWERS = {
    "store": of_store,
    "sqlite": of_sqlite,
    "read_json": of_read_json,
    "pandas": of_pandas,
}

if __name__ == "__main__":
    raise SystemExit(main())
