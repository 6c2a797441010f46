"""A store of many records: what adding costs beside checking, its size, and that it is right.

The records are made from those in the folders that are given, or from the project's fixtures, and
laid out as a datastore: each has an id, a model, scores and times of its own. Printed are

- ``store add`` beside ``check -q``, each in one process, in turns: CPU and wall time, memory;
- flattening and writing alone, in records a second of CPU;
- the size of the table;
- each question, as the commands ask it on a terminal (at most 50 rows): the median of five times,
  with opening the store but without the start of a process;
- a second ``store add`` without changes, and one after 100 records have changed, beside a check of
  these 100;
- how many values of the table differ from those that plain loops find in the JSON files: none.
"""

from __future__ import annotations

import argparse
import gc
import json
import random
import shlex
import shutil
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from evalmark import leaderboard
from evalmark.leaderboard import Store
from evalmark.leaderboard.ingest.flatten import flatten
from evalmark.leaderboard.ingest.ingest_file import Taken
from evalmark.leaderboard.ingest.manifest import Found, known_file
from evalmark.leaderboard.ingest.results_table import NewRows, write_results
from evalmark.schemas.backend import Backend
from evalmark.validator.batch.check_files import no_collection
from evalmark.validator.formats.builtin import identify
from evalmark.validator.reading.reading import read

from benchmarks._measure import Took, measured, once
from benchmarks.plain_rows import COLUMNS, plain_rows

FIXTURES = Path(__file__).parent.parent / "fixtures/versions"
EVALMARK = [sys.executable, "-m", "evalmark.cli.main"]
#: So many that each has ten records: few results are there twice.
MODELS = 5_000
#: Records that are flattened at a time, and those that change.
PART, CHANGED = 500, 100


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", type=Path, nargs="*", default=[FIXTURES], help="real records")
    parser.add_argument("--records", type=int, default=50_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--home", type=Path, help="where the records go; a gigabyte")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(dir=options.home) as home:
        data, store = Path(home) / "data", Path(home) / "store"
        files = list(written(data, options.folders, options.records))
        size = sum(path.stat().st_size for path in files)
        print(f"{len(files):,} records, {size / 1e6:.0f} MB")
        add_beside_check(data, store, options.rounds)
        with no_collection():  # as `add` does
            flatten_and_write(sorted(files), Path(home) / "flat.parquet")
        rows = compare(files, store)
        table = Store(store).results.stat().st_size
        print(f"results.parquet: {rows:,} rows, {table / 1e6:.1f} MB, {table / rows:.1f} B a row")
        ask(Store(store))
        add_again(data, store, files)
        compare(files, store)
    return 0


def written(data: Path, folders: list[Path], count: int) -> Iterator[Path]:
    """Records that differ in ids, models, scores and times."""
    sources = sorted(path for folder in folders for path in folder.rglob("*.json"))
    shapes = [json.loads(path.read_text(encoding="utf-8")) for path in sources]
    shapes = [shape for shape in shapes if "evaluation_results" in shape]
    some = random.Random(0)
    for number in range(count):
        record = json.loads(json.dumps(shapes[number % len(shapes)]))
        collection = record["evaluation_id"].partition("/")[0].replace(":", "_")
        developer, model = f"developer-{number % MODELS % 60}", f"model-{number % MODELS}"
        moment = 1_700_000_000 + number
        record["evaluation_id"] = f"{collection}/{developer}/{model}/{moment}"
        record["retrieved_timestamp"] = str(moment)
        record["model_info"] |= {
            "id": f"{developer}/{model}", "name": model, "developer": developer
        }  # fmt: skip
        record.pop("detailed_evaluation_results", None)
        for result in record["evaluation_results"]:
            score = result["score_details"].get("score")
            if isinstance(score, float):
                result["score_details"]["score"] = round(score * some.random(), 4)
        name = uuid.UUID(int=some.getrandbits(128), version=4)
        path = data / collection / developer / model / f"{name}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(record, indent=2), encoding="utf-8")
        yield path


def add_beside_check(data: Path, store: Path, rounds: int) -> None:
    add = [*EVALMARK, "store", "add", str(store), str(data), "-q", "--jobs", "1"]
    commands = {
        "check": [*EVALMARK, "check", "-q", "--jobs", "1", str(data)],
        "store add": ["sh", "-c", f"rm -rf {shlex.quote(str(store))}; exec {shlex.join(add)}"],
    }
    found = measured(commands, rounds)
    for name, took in found.items():
        show(name, took)
    check, added = found["check"], found["store add"]
    print(f"add / check: {added.cpu / check.cpu:.2f} of CPU, {added.wall / check.wall:.2f} of wall")


def show(name: str, took: Took) -> None:
    print(f"{name:32} {took.cpu:8.2f} s CPU {took.wall:8.2f} s wall {took.memory:6.0f} MB")


def flatten_and_write(files: list[Path], to: Path) -> None:
    """Only what ``add`` does besides reading and checking; parsing is not counted."""
    new, rows, took = NewRows(), [], 0.0
    for at in range(0, len(files), PART):
        names = map(str, files[at : at + PART])
        parsed = [read(Path(name).read_bytes(), name, Backend.NATIVE) for name in names]
        documents = [(identify(reading.data), reading) for reading in parsed]
        start = time.process_time()
        for document, reading in documents:
            flat = flatten(document, reading)
            taken = Taken("record", None, "clean", (), None, flat=flat)
            rows.append(known_file(reading.path, None, reading.path, taken, ""))
            new.add(flat, reading.path, "0" * 64)
        took += time.process_time() - start
    start = time.process_time()
    write_results(to, Found({}, None), rows, {row.file for row in rows}, new, {})
    took += time.process_time() - start
    print(f"flatten and write: {len(files) / took:,.0f} records a second")


def add_again(data: Path, store: Path, files: list[Path]) -> None:
    """Add twice: nothing has changed, and then 100 records have; and what differs."""
    add = [*EVALMARK, "store", "add", str(store), str(data), "-q", "--jobs", "1"]
    show("add, nothing changed", once(add))
    before = store.with_name("before")
    shutil.copytree(store, before)
    changed = files[:: max(1, len(files) // CHANGED)][:CHANGED]
    for path in changed:
        record: Any = json.loads(path.read_text(encoding="utf-8"))
        record["evaluation_results"][0]["score_details"]["score"] = 0.125
        path.write_text(json.dumps(record, indent=2), encoding="utf-8")
    check = once([*EVALMARK, "check", "-q", "--jobs", "1", *map(str, changed)])
    show(f"check, {len(changed)} records", check)
    added = once(add)
    show(f"add, {len(changed)} changed", added)
    print(f"more than their check: {added.wall - check.wall:.2f} s wall")
    query = leaderboard.named_queries()["differences"]
    took = seconds(lambda: leaderboard.sql(Store(store), query, before=Store(before)))
    print(f"differences of both {took:.2f} s")


def ask(store: Store) -> None:
    rows = leaderboard.sql(store, _BUSIEST).to_pylist()
    first, other = (row["model_key"] for row in rows[:2])
    gc.collect()
    gc.freeze()  # a command has no objects of a benchmark to look at
    benchmark = rows[0]["benchmark_key"]
    questions: dict[str, Callable[[], object]] = {
        "sql": lambda: leaderboard.sql(store, "SELECT avg(score) FROM results"),
        "top": lambda: leaderboard.top(store, benchmark),
        "show": lambda: leaderboard.show(store, first),
        "compare": lambda: leaderboard.compare_models(store, first, other),
        "conflicts": lambda: leaderboard.conflicts(store),
        "aliases": lambda: leaderboard.alias_report(store),
    }
    for name, query in leaderboard.named_queries().items():
        if name != "differences":
            questions[name] = partial(leaderboard.sql, store, query)
    for name, question in questions.items():
        print(f"{name:12} {seconds(question):.2f} s")
    gc.unfreeze()


def seconds(question: Callable[[], object]) -> float:
    """The median of five times."""
    times = []
    for _ in range(5):
        start = time.perf_counter()
        question()
        times.append(time.perf_counter() - start)
    return statistics.median(times)


#: The models with most results, and the benchmark that most models have.
_BUSIEST = """
SELECT model_key, (SELECT benchmark_key FROM results GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1)
    AS benchmark_key
FROM results GROUP BY model_key ORDER BY count(*) DESC, 1 LIMIT 2
"""


def compare(files: list[Path], store: Path) -> int:
    """Count the values that differ from those of plain loops; the number of rows."""
    with Store(store).connect() as connection:
        found = connection.execute(f"SELECT {', '.join(COLUMNS)} FROM results")
        rows: dict[tuple[str, str], tuple[Any, ...]] = {}
        at = COLUMNS.index("file"), COLUMNS.index("pointer")
        while part := found.fetchmany(10_000):
            rows.update({(row[at[0]], row[at[1]]): row for row in part})
    count = different = 0
    for path in files:
        for plain in plain_rows(str(path), path.read_bytes()):
            count += 1
            row = rows.get((plain["file"], plain["pointer"]))
            different += row is None or row != tuple(plain[name] for name in COLUMNS)
    print(f"rows that differ from plain loops: {different:,} of {count:,} in the files")
    assert not different
    assert count == len(rows)
    return count


if __name__ == "__main__":
    sys.exit(main())
