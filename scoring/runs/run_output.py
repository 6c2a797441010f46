"""The files of a run: ``scores.json``, its tables, the record and its samples."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

from evalmark.converters.records.builders import sample_hash
from evalmark.converters.records.run import Producer, Result, Sample
from evalmark.converters.records.uncertainty import accuracy
from evalmark.converters.records.writer import RECORD_VERSION
from evalmark.schemas.errors import ScoringError, UsageError
from evalmark.scoring.comparison.compared_run import ROUNDED, ItemScore, conjunction
from evalmark.scoring.contest_run import ContestFile
from evalmark.scoring.runs.run_files import (
    LEFT_OUT,
    SCORED,
    SCORES,
    Output,
    ResultFiles,
    scored_part,
    write_results,
)
from evalmark.scoring.runs.run_tables import (
    EFFECT_COLUMNS,
    EFFECTS,
    REGION_COLUMNS,
    REGIONS,
    TOKEN_COLUMNS,
    TOKENS,
    RunTable,
)
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.chance import ASSUMPTION
from evalmark.scoring.suites.effects import effect_rows
from evalmark.scoring.suites.regions import conditions_not_run
from evalmark.scoring.suites.suite_scores import (
    ScoredSuite,
    Scores,
    groups,
    tidy_rows,
    token_rows,
    unique_names,
)
from evalmark.scoring.surprisals.pack_store import PARTIAL
from evalmark.validator.formats.suites.suite import NO_SPACE_BEFORE, Sentence
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import LOCK, only_writer

#: The lists of files that ``scores.json`` has, each with its digest.
_FILES = ("suites", "pair_files")


def prepare_folder(folder: Path, *, overwrite: bool = False) -> None:
    """Create the folder of a run.

    Raises:
        ScoringError: It is a file, or it is not empty and may not be overwritten.
        OSError: It cannot be created.
    """
    if folder.exists() and not folder.is_dir():
        raise ScoringError(f"{folder} is a file")
    ours = (PARTIAL, LOCK)
    others = [p for p in folder.iterdir() if p.name not in ours] if folder.is_dir() else []
    if others and not overwrite:
        raise ScoringError(f"{folder} is not empty", argument="overwrite")
    folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def own_folder(folder: Path, *, overwrite: bool = False) -> Iterator[None]:
    """``prepare_folder``, and no other run writes to it meanwhile.

    Raises:
        FolderInUse: Another run writes to it.
    """
    prepare_folder(folder, overwrite=overwrite)
    with only_writer(folder):
        yield


def is_finished(folder: Path) -> bool:
    """True if a folder holds the scores of a finished run."""
    return (folder / SCORES).exists()


def lacking(folder: Path, files: Iterable[ContestFile]) -> list[str]:
    """The files that the scores of a finished run do not have, as they are now."""
    try:
        data = json.loads(read_whole(folder / SCORES))
        digests = {file["digest"] for key in _FILES for file in data.get(key, ())}
    except (OSError, ValueError, LookupError, TypeError, AttributeError, RecursionError):
        digests = set()
    return [file.path for file in files if file.digest not in digests]


def run_time() -> int:
    """The time when a run begins: now, or SOURCE_DATE_EPOCH for reproducible output."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch and not epoch.isdecimal():
        raise UsageError(f"SOURCE_DATE_EPOCH is {epoch!r}: expected a number of seconds")
    return int(epoch) if epoch else int(time.time())


def portable(path: str) -> str:
    """A path as others can use it: relative to the current folder, or the name alone."""
    whole = Path(path).absolute()
    below = whole.is_relative_to(Path.cwd())
    return whole.relative_to(Path.cwd()).as_posix() if below else whole.name


def write_output(
    scores: Scores,
    folder: Path,
    *,
    source: Producer,
    collection: str | None = None,
    started: int | None = None,
    version: str = RECORD_VERSION,
    parquet: bool = False,
) -> Output:
    """Write scores, record and samples of a run.

    ``scores.json`` lists the other files. Those that an earlier ``scores.json`` lists are deleted
    after the new ones are written; no other file is. ``collection`` is the first part of the
    record's ``evaluation_id``, which says what was evaluated: the names of the suites if None.
    With ``parquet``, tables are written as CSV and as Parquet.

    Raises:
        InvalidDocument: The record would not pass our own check.
        NotInstalledError: ``parquet``, and pyarrow is not installed.
        OSError: The folder cannot be written.
    """
    return write_results(
        scores,
        SUITE_FILES,
        folder,
        source=source,
        collection=collection,
        started=run_time() if started is None else started,
        version=version,
        parquet=parquet,
    )


def _data(scores: Scores) -> dict[str, Any]:
    """The part of ``scores.json`` that only runs over suites have."""
    names = unique_names(scores)
    return {
        "suites": [
            _suite_data(name, scored, scores.settings)
            for name, scored in zip(names, scores.suites, strict=True)
        ],
        # A tag of null means all suites, a metric of null that no suite has several.
        "groups": [
            {
                "tag": group.tag,
                "metric": group.metric,
                "suites": [names[i] for i in group.suites],
                "accuracy": group.accuracy,
                **group.chance.data(),
            }
            for group in groups(scores)
        ],
    }


def _suite_data(label: str, scored: ScoredSuite, settings: Settings) -> dict[str, Any]:
    source, result = scored.source, scored.result
    items = len(source.suite.items)
    return {
        "name": source.suite.name,
        "label": label,  # unique in the run
        "path": portable(source.path),
        "digest": source.digest,
        "metric": source.suite.metric,
        "tags": list(source.suite.tags),
        "items": items,
        **({LEFT_OUT: len(source.left_out)} if source.left_out else {}),
        "item_numbers": [item.number for item in source.suite.items],
        "item_hashes": [sample_hash(_text(sentences), ()) for sentences in source.sentences],
        "predictions": [
            {
                "formula": prediction.formula,
                "correct": prediction.correct,
                "items": items,
                **chance.data(),
                "ties": list(prediction.ties),
                "outcomes": list(prediction.outcomes),
            }
            for prediction, chance in zip(result.predictions, scored.chances[:-1], strict=True)
        ],
        "conjunction": _conjunction(scored),
        "details": _details(scored, settings),
    }


def _conjunction(scored: ScoredSuite) -> dict[str, Any] | None:
    """For how many items all predictions hold; None if there are none."""
    if not scored.result.predictions:
        return None
    outcomes = scored.result.conjunction
    return {"correct": sum(outcomes), "items": len(outcomes), **scored.chances[-1].data()}


def _named(scores: Scores) -> Iterator[tuple[str, ScoredSuite]]:
    for name, scored in zip(unique_names(scores), scores.suites, strict=True):
        if scored.result.predictions:
            yield name, scored


def _results(scores: Scores) -> Iterator[Result]:
    for name, scored in _named(scores):
        yield from _suite_results(name, scored, scores.settings)


def _samples(scores: Scores) -> tuple[Sample, ...]:
    return tuple(
        sample for name, scored in _named(scores) for sample in _suite_samples(name, scored)
    )


def _suite_results(name: str, scored: ScoredSuite, settings: Settings) -> Iterator[Result]:
    suite, result = scored.source.suite, scored.result
    columns = [
        (f"{name}/{i}", prediction.formula, prediction.correct, prediction.ties)
        for i, prediction in enumerate(result.predictions, 1)
    ]
    whole = ("every prediction of the item holds", sum(result.conjunction), result.ties)
    columns.append((f"{name}/all", *whole))
    for (label, description, correct, ties), chance in zip(columns, scored.chances, strict=True):
        yield accuracy(
            name=label,
            description=description,
            dataset=suite.name,
            correct=correct,
            items=len(suite.items),
            details={
                **chance.details(),
                "metric": suite.metric,
                "ties": str(len(ties)),
                "suite_digest": scored.source.digest,
                **_details(scored, settings),
            },
        )


def _text(sentences: Sequence[Sentence]) -> str:
    """An item as its samples have it: a sentence on each line."""
    return "\n".join(sentence.text for sentence in sentences)


def _details(scored: ScoredSuite, settings: Settings) -> dict[str, str]:
    """The part that was scored, sources of values and predictions, omissions, and doubts."""
    file, idle = scored.source.predictions_from, conditions_not_run(scored.source, settings)
    from_file = {"predictions_from": file} if file else {}
    not_run = {"conditions_not_computed": json.dumps(idle)} if idle else {}
    named_by = {"metric_from": metric} if (metric := scored.source.metric_from) else {}
    joined = scored.source.suite.joined_regions
    spaces = {NO_SPACE_BEFORE: json.dumps(joined)} if joined else {}
    part = scored_part(len(scored.source.suite.items), len(scored.source.left_out), "items")
    of_all = {SCORED: part} if part else {}
    chosen = {**of_all, **from_file, **named_by, **spaces, **not_run}
    return {**scored.recorded_in, **chosen, **scored.doubts.details()}


def _suite_samples(name: str, scored: ScoredSuite) -> Iterator[Sample]:
    source, result = scored.source, scored.result
    formulas = [prediction.formula for prediction in result.predictions]
    rows = zip(source.suite.items, source.sentences, scored.surprisals, strict=True)
    for index, (item, sentences, surprisals) in enumerate(rows):
        raw = _text(sentences)
        regions = {
            condition.name: {
                str(region.number): values
                for region, values in zip(condition.regions, tokens, strict=True)
                if values is not None
            }
            for condition, tokens in zip(item.conditions, surprisals, strict=True)
            if any(values is not None for values in tokens)
        }
        metadata = {
            "conditions": json.dumps([condition.name for condition in item.conditions]),
            "token_surprisals_by_region": json.dumps(regions),
        }
        held = [
            ItemScore(float(prediction.outcomes[index]), item.number in prediction.ties)
            for prediction in result.predictions
        ]
        columns: list[tuple[str, tuple[str, ...], ItemScore]] = [
            (f"{name}/{i}", (formula,), score)
            for i, (formula, score) in enumerate(zip(formulas, held, strict=True), 1)
        ]
        columns.append((f"{name}/all", tuple(formulas), conjunction(held)))
        for label, reference, score in columns:
            holds = bool(score.score)
            yield Sample(
                result=label,
                id=f"{name}/{item.number}",
                raw=raw,
                reference=reference,
                output=("true" if holds else "false",),
                correct=holds,
                metadata={**metadata, ROUNDED: json.dumps(score.is_tie)},
            )


def _tables(scores: Scores) -> list[RunTable]:
    """The tables of regions, of effects and, if the tokens are known, of tokens."""
    tables = [
        RunTable(REGIONS, REGION_COLUMNS, partial(tidy_rows, scores)),
        RunTable(EFFECTS, EFFECT_COLUMNS, partial(effect_rows, scores)),
    ]
    if any(scored.tokens for scored in scores.suites):  # not the values of regions alone
        tables.append(RunTable(TOKENS, TOKEN_COLUMNS, partial(token_rows, scores)))
    return tables


SUITE_FILES: ResultFiles[Scores] = ResultFiles(
    tables=_tables,
    names=unique_names,
    results=_results,
    samples=_samples,
    data=_data,
    chance=ASSUMPTION,
)
