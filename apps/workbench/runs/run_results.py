"""Finished runs as pages show them: accuracies, items that fail, charts, comparisons."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar

from evalmark.schemas.errors import EvalmarkError, RequestRefused
from evalmark.scoring.comparison.run_comparison import compare
from evalmark.scoring.reports.charts import accuracies, bar_chart
from evalmark.scoring.reports.comparison.comparison_table import comparison_data
from evalmark.scoring.reports.pairs.pair_folder import is_pair_run, read_pairs
from evalmark.scoring.reports.pairs.pair_page import pairs_chart, pairs_data
from evalmark.scoring.reports.suites.item_table import Compared, failures
from evalmark.scoring.reports.suites.item_table import compared as compared_parts
from evalmark.scoring.reports.suites.run_page import (
    other_texts,
    overlaid_curves,
    suite_curves,
    told_apart,
)
from evalmark.scoring.reports.suites.suite_run_folder import (
    ItemView,
    PredictionView,
    RunView,
    SuiteView,
    read_run,
)
from evalmark.scoring.runs.run_files import SCORES, any_scores_of, is_of_pairs, reading_folder
from evalmark.validator.formats.suites.formula.formula_syntax import references
from evalmark.workbench.served_folder import ServedFolder

Read = TypeVar("Read")
#: Failing items of a prediction that are listed with their sentences.
LISTED = 20


def run_row(folder: Path, name: str) -> dict[str, Any]:
    """The entry of a run in the list of runs, by its folder.

    Args:
        folder: The folder.
        name: The path of its ``scores.json``, as pages call it.

    Raises:
        ScoringError: It is not one.
        OSError: Its scores cannot be read.
    """
    with reading_folder(folder):
        data = any_scores_of(folder)
        groups = [group for group in data.get("groups", ()) if group["tag"] is None]
        return {
            "path": name.rpartition("/")[0] or ".",
            "model": str(data["model"]["id"]),
            "when": _time_of(folder),
            "suites": 0 if is_of_pairs(data) else len(data["suites"]),
            "accuracy": _finite(groups[0]["accuracy"]) if groups else None,
            "chance": _finite(groups[0]["chance"]) if groups else None,
            "of_pairs": is_of_pairs(data),
        }


def _finite(value: Any) -> float:
    number = float(value)
    if not math.isfinite(number):
        raise ValueError(f"{number} is not an accuracy")
    return number


def _time_of(folder: Path) -> str:
    """The time at which the scores of a run were written: ISO 8601, UTC."""
    seconds = (folder / SCORES).stat().st_mtime
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")


def result(folder: ServedFolder, name: str) -> dict[str, Any]:
    """The result of a run: each suite with its predictions, the items that fail, and its chart.

    Raises:
        RequestRefused: It is not the folder of a run.
    """
    place = folder.whole(name)
    if is_pair_run(place):
        pairs = _read(read_pairs, place)
        data = pairs_data(pairs)
        head = {"model": pairs.model, "notes": list(pairs.notes), "suites": []}
        return {**head, "chart": data.pop("chart"), "pairs": data}
    run = _read(read_run, place)
    suites = [
        {**_suite(run, suite), "path": path}
        for suite, path in zip(run.suites, _suite_paths(folder, name), strict=True)
    ]
    head = {"model": run.model, "notes": list(run.notes)}
    return {**head, "suites": suites, "chart": bar_chart(accuracies([run]))}


def _suite_paths(folder: ServedFolder, name: str) -> Iterator[str]:
    """The files of the suites of a run, as pages call them; empty for one that is not there."""
    for suite in any_scores_of(folder.whole(name))["suites"]:
        try:
            path = folder.path(suite.get("path"))
        except RequestRefused:  # the run may come from elsewhere
            yield ""
        else:
            yield folder.name(path) if path.is_file() else ""


def compared(folder: ServedFolder, first: str, second: str) -> dict[str, Any]:
    """Two runs: their differences with intervals and p values, and their charts.

    Raises:
        RequestRefused: One is not a run, or they have nothing in common.
    """
    places = folder.whole(first), folder.whole(second)
    if all(map(is_pair_run, places)):
        comparison = _comparison(places)
        chart = pairs_chart(told_apart([_read(read_pairs, place) for place in places]))
        return {
            **comparison_data(comparison),
            "other_texts": other_texts(comparison),
            "chart": chart,
            "suites": [],
        }
    runs = told_apart([_read(read_run, place) for place in places])
    comparison = _comparison(places)
    suites = {suite.name: suite for suite in runs[1].suites}
    shared = [(suite, suites[suite.name]) for suite in runs[0].suites if suite.name in suites]
    return {
        **comparison_data(comparison),
        "other_texts": other_texts(comparison),
        "chart": bar_chart(accuracies(runs)),
        "suites": [
            {"name": left.name, "chart": overlaid_curves([(runs[0], left), (runs[1], two)])}
            for left, two in shared
        ],
    }


def _comparison(places: tuple[Path, Path]) -> Any:
    try:
        return compare(*places)
    except (EvalmarkError, OSError) as error:
        raise RequestRefused(f"the runs cannot be compared: {error}", status=422) from error


def _read(reader: Callable[[Path], Read], path: Path) -> Read:
    try:
        return reader(path)
    except RequestRefused:
        raise
    except (EvalmarkError, OSError) as error:
        raise RequestRefused(str(error), status=404) from error


def _suite(run: RunView, suite: SuiteView) -> dict[str, Any]:
    predictions = list(_predictions(suite))
    whole = predictions.pop() if predictions else None
    return {
        "name": suite.name,
        "items": len(suite.items),
        "notes": list(suite.notes),
        "predictions": predictions,
        "conjunction": whole,
        "chart": suite_curves(run, suite),
    }


def _predictions(suite: SuiteView) -> Iterator[dict[str, Any]]:
    parts = compared_parts(suite)
    for place, prediction in enumerate(suite.predictions):
        is_whole = prediction.label == "all"
        fails = [
            item for item in suite.items if not (all(item.holds) if is_whole else item.holds[place])
        ]
        listed = [] if is_whole else [_failure(item, place, parts) for item in fails[:LISTED]]
        yield _prediction(prediction, [item.number for item in fails], listed)


def _failure(item: ItemView, place: int, parts: Compared) -> dict[str, Any]:
    """An item in which a prediction fails: the sentences that it compares, and by how much."""
    tree = parts.trees[place]
    conditions = {part.condition for part in references(tree)} if tree is not None else set()
    found = [one for one in failures(item, parts.trees) if one.prediction == str(place + 1)]
    bits = max((one.bits for one in found), default=math.nan)
    return {
        "item": item.number,
        "bits": bits if math.isfinite(bits) else None,
        "sentences": [
            {"condition": name, "text": " ".join(cell.text for cell in cells.values() if cell.text)}
            for name, cells in item.sentences
            if name in conditions
        ],
    }


def _prediction(
    prediction: PredictionView, fails: Sequence[int], failures: Sequence[dict[str, Any]]
) -> dict[str, Any]:
    low, high = prediction.interval
    return {
        "label": prediction.label,
        "formula": prediction.formula,
        "accuracy": prediction.accuracy,
        "chance": prediction.chance,
        "low": low,
        "high": high,
        "fails": list(fails),
        "failures": list(failures),
        "verdict": prediction.verdict,
    }
