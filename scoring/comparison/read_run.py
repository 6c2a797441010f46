"""From a path to a run to compare, whichever program wrote it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from evalmark.converters.importers.importer import Importer
from evalmark.converters.importers.registry import (
    import_results,
    importer_of,
    importer_of_folder,
    importer_of_path,
)
from evalmark.converters.step import NOTHING, as_text
from evalmark.converters.syntax import parsed_value
from evalmark.schemas.errors import ConversionError, Rejected, ScoringError
from evalmark.scoring.comparison.compared_run import (
    ALL,
    PAIRS,
    SUITES,
    ComparedRun,
    ComparedSuite,
    ItemScore,
    ScoredItems,
    all_of,
    by_id,
    conjunction,
)
from evalmark.scoring.comparison.record_samples import run_of_imports, run_of_record
from evalmark.scoring.run_files import is_of_pairs
from evalmark.scoring.surprisals.rounding import margin_text
from evalmark.validator.edge.opening import read_whole
from evalmark.validator.formats.known import identify
from evalmark.validator.reading.strict_json import decode

#: Members of ``model`` that are not facts about it.
_NAMES = ("id", "name", "engine")


def is_scores(data: Any) -> bool:
    """Whether parsed data is a ``scores.json``."""
    return isinstance(data, dict) and "suites" in data and "items" not in data


def run_of_scores(path: Path, data: Mapping[str, Any]) -> ComparedRun:
    """The run; early versions wrote less than others."""
    model, facts, settings = known_of(path, data)
    return ComparedRun(
        path,
        model,
        facts,
        tuple(_suite(suite, settings) for suite in data["suites"]),
        words=SUITES,
    )


def known_of(path: Path, data: Mapping[str, Any]) -> tuple[str, dict[str, str], dict[str, str]]:
    """The id of the model, what is known of it, and the settings."""
    model = data.get("model") or {}
    facts = {key: as_text(value) for key, value in model.items() if key not in _NAMES}
    if model.get("engine"):
        facts["engine"] = as_text(model["engine"]["name"])
    settings = {key: as_text(value) for key, value in (data.get("settings") or {}).items()}
    # What the tokenizer had, rather than `auto`.
    if settings.get("bos") == "auto" and "bos" in facts:
        settings["bos"] = facts["bos"]
    if "computation" in data:
        settings["computation"] = as_text(data["computation"])
    if "rounding_margin" in data:  # as records have it
        settings["rounding_margin"] = margin_text(data["rounding_margin"])
    facts.pop("bos", None)
    return str(model.get("id") or path), facts, settings


def _suite(suite: Mapping[str, Any], settings: Mapping[str, str]) -> ComparedSuite:
    name, metric, predictions = str(suite["name"]), suite.get("metric"), suite["predictions"]
    numbers = suite.get("item_numbers")
    count = len(predictions[0]["outcomes"]) if predictions else 0
    ids = [str(number) for number in numbers or range(1, count + 1)]
    texts: Sequence[str | None] = [str(text) for text in suite.get("item_hashes") or ()]
    texts = texts or [None] * count
    rows = [_row(prediction, ids, texts) for prediction in predictions]
    # Where items have no numbers, nothing says which ones rounding decided.
    unplaced = [0 if numbers else len(p.get("ties") or ()) for p in predictions]
    columns = {
        str(place): _column(str(prediction.get("formula", "")), ids, row, ties)
        for place, (prediction, row, ties) in enumerate(
            zip(predictions, rows, unplaced, strict=True), 1
        )
    }
    if len(columns) > 1:
        whole = [conjunction(of_item) for of_item in zip(*rows, strict=True)]
        columns[ALL] = _column(all_of(columns.values()), ids, whole, sum(unplaced))
    return ComparedSuite(
        # Earlier versions wrote no labels.
        str(suite.get("label", name)), name, None if metric is None else as_text(metric), columns,
        settings, str(suite["digest"]),
    )  # fmt: skip


def _row(
    prediction: Mapping[str, Any], ids: Sequence[str], texts: Sequence[str | None]
) -> list[ItemScore]:
    ties = {str(number) for number in prediction.get("ties") or ()}
    return [
        ItemScore(float(bool(outcome)), name in ties, text)
        for name, outcome, text in zip(ids, prediction["outcomes"], texts, strict=True)
    ]


def _column(asks: str, ids: Sequence[str], row: Sequence[ItemScore], unplaced: int) -> ScoredItems:
    items, repeated = by_id(zip(ids, row, strict=True))
    return ScoredItems(asks, items, repeated, unplaced)


#: What a pair asks; the name of the metric in records.
_ASKS = "accuracy"


def run_of_pairs(path: Path, data: Mapping[str, Any]) -> ComparedRun:
    """The run. Correlations are not compared: they have no right and wrong items."""
    model, facts, settings = known_of(path, data)
    found = [uid for uid in data["uids"] if "outcomes" in uid and "correlation" not in uid]
    others = tuple(str(uid["label"]) for uid in data["uids"] if "correlation" in uid)
    return ComparedRun(
        path, model, facts, tuple(_uid(uid, settings) for uid in found), others, PAIRS
    )


def _uid(uid: Mapping[str, Any], settings: Mapping[str, str]) -> ComparedSuite:
    ties = set(uid["ties"])
    rows = zip(uid["item_ids"], uid["outcomes"], uid["item_hashes"], strict=True)
    items, repeated = by_id(
        (name, ItemScore(float(outcome), name in ties, text)) for name, outcome, text in rows
    )
    return ComparedSuite(
        str(uid["label"]),
        str(uid["name"]),
        None,
        {"": ScoredItems(_ASKS, items, repeated)},
        {**settings, "method": str(uid["method"])},
    )


_SCORES = "scores.json"
#: What can be compared, for messages.
_EXPECTED = "a record with its samples, the results of an importer, or the folder of a run"


def read_run(path: Path) -> ComparedRun:
    """A run: a folder, its ``scores.json``, a record, or the results of another program.

    Raises:
        ScoringError: It is none of these, or it has no samples.
        OSError: It cannot be read.
    """
    try:
        return _folder(path) if path.is_dir() else _file(path)
    except (AttributeError, KeyError, IndexError, TypeError, ValueError) as error:
        if isinstance(error, ScoringError):
            raise
        if isinstance(error, ConversionError):
            raise ScoringError(f"{path} cannot be compared: {error}") from error
        what = "a scores.json of evalmark" if path.name == _SCORES else "a run"
        raise ScoringError(f"{path} is not {what}: {error!r}") from error


def _folder(path: Path) -> ComparedRun:
    if (path / _SCORES).exists():
        return read_run(path / _SCORES)
    agents = sorted(p for p in (path / "results").glob("*") if p.is_dir())
    if len(agents) > 1:
        names = ", ".join(str(agent) for agent in agents)
        raise ScoringError(f"{path} has the results of several agents; name one: {names}")
    folder = agents[0] if agents else path
    if found := importer_of_folder(folder):
        return _imported(found, folder, None)
    records = sorted(path.rglob("*.json"))
    if folder.parent.name == "results":  # a run over a memory set, which has no tests
        records = sorted((folder.parents[1] / "records" / folder.name).glob("*.json"))
    if len(records) == 1:
        return _file(records[0])
    raise ScoringError(
        f"{path} is not the folder of a run: there is no scores.json, no agent with results, and "
        f"{'no' if not records else 'more than one'} record"
    )


def _file(path: Path) -> ComparedRun:
    if found := importer_of_path(path):
        return _imported(found, path, None)
    if path.suffix == ".jsonl":
        raise ScoringError(
            f"{path} is not a run: samples are read with their record or their results_*.json; "
            "name that file"
        )
    try:
        data = parsed_value(decode(read_whole(path)), path.name)
    except Rejected as error:
        raise ScoringError(f"{path} is not UTF-8 text") from error
    if is_of_pairs(data):
        return run_of_pairs(path, data)
    if is_scores(data):
        return run_of_scores(path, data)
    if found := importer_of(data, str(path)):
        return _imported(found, path, data)
    if isinstance(data, dict) and identify(data).is_record:
        return run_of_record(path, data)
    if path.name == _SCORES:
        raise ScoringError(f"{path} is not a scores.json of evalmark")
    raise ScoringError(f"{path} is not a run: expected {_EXPECTED}")


def _imported(importer: Importer, path: Path, data: object) -> ComparedRun:
    runs = list(import_results(importer, path, data, NOTHING))
    models = {run.model.id for run in runs}
    if len(models) != 1:
        raise ScoringError(
            f"{path} has the results of {len(models)} models: convert it to records with "
            "`evalmark convert`, and compare two of these"
        )
    if all(next(iter(run.samples), None) is None for run in runs):
        read = f"read as {importer.what}"
        raise ScoringError(f"{path} has no samples, so items cannot be matched ({read})")
    return run_of_imports(path, runs)
