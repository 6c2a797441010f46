"""Finished runs as pages show them: accuracies, items that fail, charts, comparisons."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalmark.converters.importers.registry import importer_of_folder
from evalmark.converters.records.run import Run
from evalmark.schemas.errors import EvalmarkError, RequestRefused, ScoringError
from evalmark.scoring.comparison.run_comparison import RunComparison, compare
from evalmark.scoring.reports.comparison.comparison_table import comparison_data
from evalmark.scoring.reports.comparison.model_scores import scores_of
from evalmark.scoring.reports.pair_page import pairs_charts, pairs_data
from evalmark.scoring.reports.run_page import other_texts, with_names
from evalmark.scoring.reports.suite_page import (
    Compared,
    failures,
    overlaid_curves,
    suite_charts,
    suite_curves,
    suite_rows,
)
from evalmark.scoring.reports.suite_page import compared as compared_parts
from evalmark.scoring.runs.pair_views import PairRunView
from evalmark.scoring.runs.run_files import MANIFEST, record_in
from evalmark.scoring.runs.run_sources import run_at
from evalmark.scoring.runs.run_tables import AnyView, view_of_run
from evalmark.scoring.runs.suite_views import ItemView, PredictionView, RunView, SuiteView
from evalmark.validator.formats.suites.formula.formula_syntax import references
from evalmark.workbench.served_folder import ServedFolder

#: Failing items of a prediction that are listed with their sentences.
LISTED = 20


def run_row(folder: Path, name: str) -> dict[str, Any]:
    """The entry of a run in the list of runs, by its folder; empty for one of conversations.

    ``name`` is the path of its ``run.json``, as pages call it. A ScoringError if it is not one.
    """
    if importer_of_folder(folder):
        return {}
    record = record_in(folder)
    if record is None:
        raise ScoringError(f"{folder} is not the folder of a run: {MANIFEST} lists no record in it")
    scores = scores_of(run_at(record))
    if not scores.kind:
        raise ScoringError(f"{folder} is not the folder of a run over suites or minimal pairs")
    parts = [part for part in scores.parts.values() if part.score is not None]
    is_of_suites = scores.kind == "suites"
    shares = [part.score or 0.0 for part in parts] if is_of_suites else []
    chances = [part.chance or 0.0 for part in parts] if is_of_suites else []
    return {
        "path": name.rpartition("/")[0] or ".",
        "model": scores.name,
        "when": _time_of(folder),
        "suites": len(scores.parts) if is_of_suites else 0,
        "accuracy": sum(shares) / len(shares) if shares else None,
        "chance": sum(chances) / len(chances) if chances else None,
        "of_pairs": scores.is_of_pairs,
    }


def _time_of(folder: Path) -> str:
    seconds = (folder / MANIFEST).stat().st_mtime
    return datetime.fromtimestamp(seconds, tz=UTC).isoformat(timespec="seconds")


def result(folder: ServedFolder, name: str) -> dict[str, Any]:
    """The result of a run: each suite with its predictions, the items that fail, and its chart."""
    run = _view(folder.whole(name))
    head = {"model": run.model, "notes": list(run.notes)}
    if isinstance(run, PairRunView):
        data = pairs_data(run)
        return {**head, "suites": [], "chart": data.pop("chart"), "pairs": data}
    suites = [{**_suite(run, suite), "path": _suite_path(folder, suite)} for suite in run.suites]
    return {**head, "suites": suites, "chart": _chart([run])}


def _suite_path(folder: ServedFolder, suite: SuiteView) -> str:
    try:
        path = folder.path(suite.path)
    except RequestRefused:  # the run may come from elsewhere
        return ""
    return folder.name(path) if path.is_file() else ""


def compared(folder: ServedFolder, first: str, second: str) -> dict[str, Any]:
    """Two runs: their differences with intervals and p values, and their charts."""
    views = [_view(folder.whole(name)) for name in (first, second)]
    comparison = _comparison(views[0].run, views[1].run)
    common = {**comparison_data(comparison), "other_texts": other_texts(comparison)}
    pairs = [view for view in views if isinstance(view, PairRunView)]
    if len(pairs) == len(views):
        return {**common, "chart": "".join(pairs_charts(with_names(pairs))), "suites": []}
    runs = with_names([view for view in views if isinstance(view, RunView)])
    suites = {suite.name: suite for suite in runs[-1].suites}
    shared = [(suite, suites[suite.name]) for suite in runs[0].suites if suite.name in suites]
    return {
        **common,
        "chart": _chart(runs),
        "suites": [
            {"name": left.name, "chart": overlaid_curves([(runs[0], left), (runs[-1], two)])}
            for left, two in shared
        ],
    }


def _chart(runs: Sequence[RunView]) -> str:
    return "".join(suite_charts([run.model for run in runs], suite_rows(runs)))


def _comparison(first: Run, second: Run) -> RunComparison:
    try:
        return compare(first, second)
    except (EvalmarkError, OSError) as error:
        raise RequestRefused(f"the runs cannot be compared: {error}", status=422) from error


def _view(path: Path) -> AnyView:
    try:
        return view_of_run(run_at(path))
    except RequestRefused:
        raise
    except (EvalmarkError, OSError) as error:
        raise RequestRefused(str(error), status=404) from error


def _suite(run: RunView, suite: SuiteView) -> dict[str, Any]:
    predictions = list(_predictions(suite))
    whole = predictions[-1] if predictions else None
    predictions = predictions[: len(suite.predictions)]
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
    for place, prediction in enumerate(suite.shown):
        is_whole = place == len(suite.predictions)
        outcomes = zip(suite.items, prediction.outcomes, strict=True)
        fails = [item for item, holds in outcomes if not holds]
        listed = [] if is_whole else [_failure(item, place, parts) for item in fails[:LISTED]]
        yield _prediction(prediction, [item.number for item in fails], listed)


def _failure(item: ItemView, place: int, parts: Compared) -> dict[str, Any]:
    tree = parts.trees[place]
    conditions = {part.condition for part in references(tree)} if tree is not None else set()
    found = [fail for fail in failures(item, parts.trees) if fail.prediction == str(place + 1)]
    bits = max((fail.bits for fail in found), default=math.nan)
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
