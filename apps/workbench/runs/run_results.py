"""Finished runs as pages show them: their row in a list, items that fail, and reports."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from evalmark.converters.importers.registry import importer_of_folder
from evalmark.schemas.errors import EvalmarkError, RequestRefused, ScoringError
from evalmark.scoring.reports import ITEMS
from evalmark.scoring.reports.comparison.model_scores import scores_of
from evalmark.scoring.reports.report_pages import page_view, report_page
from evalmark.scoring.reports.suite_page import Compared, compared_parts, failures, suite_curves
from evalmark.scoring.runs.run_files import MANIFEST, record_in
from evalmark.scoring.runs.run_sources import run_at
from evalmark.scoring.runs.run_tables import view_of_run
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


def report(folder: ServedFolder, names: Sequence[str]) -> str:
    """The page that ``evalmark report`` writes of some runs."""
    with _refusing():
        views = [page_view(run_at(folder.whole(name)), is_table=False) for name in names]
        return report_page(views, None, items=ITEMS, is_table=False, is_series=False)


def result(folder: ServedFolder, name: str) -> dict[str, Any]:
    """The suites of a run, each with its predictions, the items that fail, and its chart."""
    with _refusing():
        view = view_of_run(run_at(folder.whole(name)))
    suites = view.suites if isinstance(view, RunView) else ()
    return {"model": view.model, "suites": [_suite(view.model, suite) for suite in suites]}


@contextmanager
def _refusing() -> Iterator[None]:
    """Say why a run cannot be shown."""
    try:
        yield
    except RequestRefused:
        raise
    except (EvalmarkError, OSError) as error:
        raise RequestRefused(str(error), status=404) from error


def _suite(model: str, suite: SuiteView) -> dict[str, Any]:
    return {
        "name": suite.name,
        "items": len(suite.items),
        "notes": list(suite.notes),
        "predictions": list(_predictions(suite)),
        "chart": suite_curves(model, suite),
    }


def _predictions(suite: SuiteView) -> Iterator[dict[str, Any]]:
    parts = compared_parts(suite)
    for place, prediction in enumerate(suite.predictions):
        outcomes = zip(suite.items, prediction.outcomes, strict=True)
        fails = [item for item, holds in outcomes if not holds]
        listed = [_failure(item, place, parts) for item in fails[:LISTED]]
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
    score = prediction.score
    low, high = score.interval or (None, None)
    return {
        "label": prediction.label,
        "formula": prediction.formula,
        "accuracy": score.score,
        "chance": score.chance,
        "low": low,
        "high": high,
        "fails": list(fails),
        "failures": list(failures),
        "verdict": score.verdict,
    }
