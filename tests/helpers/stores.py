"""Small stores for the tests of questions, written as tables."""

import hashlib
from pathlib import Path
from typing import Any

import pytest
from evalmark.leaderboard.columns import RESULTS, arrow_schema
from evalmark.leaderboard.identity import DECIDES, NAMES, NUMBERS, NumberedNames
from evalmark.leaderboard.open_store import Store

pa = pytest.importorskip("pyarrow")
parquet = pytest.importorskip("pyarrow.parquet")

#: A result, as far as tests do not say otherwise.
USUAL: dict[str, Any] = {
    "version": "0.2.0",
    "model": "lab/one",
    "model_name": "One",
    "developer": "lab",
    "collection": "board",
    "dataset": "mmlu",
    "subset": "algebra",
    "split": "test",
    "metric": "accuracy",
    "lower_is_better": False,
    "score_type": "continuous",
    "min_score": 0.0,
    "max_score": 1.0,
    "score": 0.5,
    "source": "Lab",
    "relationship": "third_party",
    "settings": "{}",
    "verdict": "clean",
    "codes": [],
}


def result(model="lab/a", dataset="Facts", score=0.5, **given: Any) -> dict[str, Any]:
    """What tests of pages say of a result: the rest is usual."""
    file = given.get("file", f"data/{model}-{dataset}-{score}.json")
    return {
        "record": file, "version": "0.2.2", "model": model, "collection": "c", "dataset": dataset,
        "subset": "all", "score": score, "samples": 100, "evaluated_at": 1.75e9,
        "retrieved_at": 1.75e9, "source": "us", "file": file,
        "digest": hashlib.sha256(file.encode()).hexdigest(),
    } | given  # fmt: skip


def rows_of_tests(*rows: dict[str, Any]) -> list[dict[str, Any]]:
    """Complete rows: what is not given is usual, and each is a record of its own."""
    found = []
    for number, row in enumerate(rows):
        own = {
            "record": f"record-{number}",
            "file": f"{row.get('record', f'record-{number}')}.json",
            "pointer": "/evaluation_results/0",
            "line": 1,
            **USUAL,
            **row,
        }
        own.setdefault("digest", f"digest of {own['file']} with {sorted(row.items())}")
        found.append({name: own.get(name) for name in RESULTS})
    return found


def numbered(rows: list[dict[str, Any]]) -> NumberedNames:
    """Give rows the numbers of their models and benchmarks; what these mean."""
    names = NumberedNames()
    for row in rows:
        for what, columns in DECIDES.items():
            row[NUMBERS[what]] = names.number(what, tuple(row[column] for column in columns))
    return names


def store_of(folder: Path, *rows: dict[str, Any]) -> Store:
    """A store of some rows."""
    folder.mkdir(parents=True, exist_ok=True)
    complete = rows_of_tests(*rows)
    names = numbered(complete)
    schema = arrow_schema().with_metadata({NAMES: names.as_text()})
    table = pa.Table.from_pylist(complete, schema=schema)
    parquet.write_table(table, folder / "results.parquet")
    return Store(folder)


def contents(store: Store) -> dict[str, bytes]:
    """The bytes of the tables that do not depend on when files were read."""
    files = [store.results, *sorted((store.folder / "samples").glob("*"))]
    return {path.name: path.read_bytes() for path in files}
