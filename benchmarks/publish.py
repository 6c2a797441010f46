"""The static site of a store: how long it takes, how large it is, how fast it is in Chromium.

Random results of so many models on 60 benchmarks, each model on half of them on average. Times of
publishing are those of the whole call, from the store to files on the disk. In Chromium, from a
disk: until the table has its first rows, then a sort by a column, a filter by a word, and a
benchmark added as a column, each until its rows are drawn.
"""

from __future__ import annotations

import argparse
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evalmark.leaderboard.columns import arrow_schema
from evalmark.leaderboard.identity import DECIDES, NAMES, NUMBERS, NumberedNames
from evalmark.leaderboard.open_store import Store
from evalmark.pages.site.write_site import publish

BENCHMARKS = 60
REPEATS = 5
DRAWN = "new Promise((done) => requestAnimationFrame(() => setTimeout(done)))"
#: What a person does -> script that does it and waits until it is drawn.
ACTIONS = {
    "sort": "document.querySelector('#matrix thead th:nth-child(2) button').click()",
    "filter": (
        "const q = document.getElementById('query'); q.value = q.value ? '' : 'model-77';"
        "q.dispatchEvent(new Event('input'))"
    ),
    "next page": "document.getElementById('forth').click()",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("models", nargs="*", type=int, default=[1000, 10000])
    for models in parser.parse_args().models:
        with tempfile.TemporaryDirectory() as folder:
            measure(models, Path(folder))
    return 0


def measure(models: int, folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    store = Store(folder)
    rows = list(results(models))
    names = NumberedNames()
    for row in rows:
        for what, columns in DECIDES.items():
            row[NUMBERS[what]] = names.number(what, tuple(row.get(column) for column in columns))
    schema = arrow_schema().with_metadata({NAMES: names.as_text()})
    pq.write_table(pa.Table.from_pylist(rows, schema=schema), store.results)
    count = len(rows)
    del rows
    start = time.perf_counter()
    found = publish(store, folder / "site", record_url="https://example.org/{file}")
    seconds = time.perf_counter() - start
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"{models} models, {count} results: {seconds:.1f} s, {peak:.0f} MB at most")
    print(f"  {found.files} files, {found.size / 1e6:.0f} MB, {found.conflicts} conflicts")
    for name in (
        "index.html",
        "table.html",
        "models/index.html",
        "conflicts.html",
        "data/models.js",
    ):
        print(f"  {name}: {(folder / 'site' / name).stat().st_size / 1e3:.0f} kB")
    in_chromium(folder / "site" / "table.html")


def in_chromium(page_file: Path) -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path="/usr/bin/chromium", args=["--no-sandbox"]
        )
        page = browser.new_page()
        start = time.perf_counter()
        page.goto(page_file.as_uri())
        page.wait_for_selector("#pager:not([hidden])")
        print(f"  open: {1000 * (time.perf_counter() - start):.0f} ms")
        for name, action in ACTIONS.items():
            timed = f"{action}; await {DRAWN}; return performance.now() - start"
            script = f"async () => {{ const start = performance.now(); {timed} }}"
            times = [page.evaluate(script) for _ in range(REPEATS)]
            print(f"  {name}: {statistics.median(times):.0f} ms, at most {max(times):.0f} ms")
        browser.close()


def results(models: int) -> Iterator[dict[str, Any]]:
    """Random rows, the same for the same number."""
    rng = random.Random(1)
    kinds = [
        {
            "collection": f"collection-{b % 7}",
            "dataset": f"Dataset {b // 3}",
            "subset": f"task {b % 3}",
            "split": "test",
            "metric": rng.choice(["accuracy", "f1", "perplexity"]),
            "min_score": 0.0,
            "max_score": rng.choice([1.0, 100.0, None]),
        }
        for b in range(BENCHMARKS)
    ]
    for model in range(models):
        developer = f"lab-{model % 50}"
        for number in rng.sample(range(BENCHMARKS), rng.randint(1, BENCHMARKS)):
            kind = kinds[number]
            for again in range(2 if rng.random() < 0.02 else 1):
                score = rng.random() * (kind["max_score"] or 40)
                file = f"data/{developer}/model-{model}/{number}-{again}.json"
                yield {
                    **kind,
                    "lower_is_better": kind["max_score"] is None,
                    "record": file,
                    "version": "0.2.2",
                    "model": f"{developer}/model-{model}",
                    "developer": developer,
                    "score": round(score, 4),
                    "lower": score * 0.98,
                    "upper": score * 1.02,
                    "samples": rng.randint(100, 9000),
                    "evaluated_at": 1.7e9 + rng.randint(0, 10**7),
                    "source": rng.choice(["Stanford", "a lab", "us"]),
                    "relationship": "third_party",
                    "url": "https://example.org/data",
                    "settings": f'{{"shots": "{rng.choice([0, 5])}", "temperature": "0"}}',
                    "file": file,
                    "digest": f"{model:032d}{number:030d}{again:02d}",
                    "pointer": "/evaluation_results/0",
                    "verdict": "clean",
                    "codes": [],
                }


if __name__ == "__main__":
    sys.exit(main())
