"""The files of a run: ``scores.json``, ``regions.csv``, the record and its samples."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from evalmark.converters.records.builders import sample_hash
from evalmark.converters.records.run import Model, Producer, Result, Run, Sample
from evalmark.converters.records.uncertainty import accuracy
from evalmark.converters.records.writer import RECORD_VERSION
from evalmark.schemas.errors import ScoringError, UsageError
from evalmark.scoring.chance import ASSUMPTION
from evalmark.scoring.comparison.compared_run import ROUNDED, ItemScore, conjunction
from evalmark.scoring.regions import conditions_not_run
from evalmark.scoring.run_files import REGIONS, write_run
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suite_loading import LoadedSuite
from evalmark.scoring.suite_scores import ScoredSuite, Scores, groups, tidy_csv, unique_names
from evalmark.scoring.surprisals.pack_store import PARTIAL
from evalmark.validator.formats.suites.suite import Sentence
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import LOCK, only_writer

SCORES_VERSION = 1
#: Suites that the id of a record names.
NAMED = 3

#: How surprisals were computed -> the words of a record.
WAYS = {
    "packed": "packs of prefixes",
    "padded": "padded batches",
    "masked": "pseudo-log-likelihood of a masked model, within words from left to right",
}


@dataclass(frozen=True, slots=True)
class Output:
    """The files of a run."""

    scores: Path
    regions: Path
    record: Path | None  # None if no suite has predictions: there is nothing to record
    samples: Path | None


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
    """Whether a folder holds the scores of a finished run."""
    return (folder / "scores.json").exists()


def lacking(folder: Path, suites: Iterable[LoadedSuite]) -> list[LoadedSuite]:
    """The suites that the scores of a finished run do not have, as they are now."""
    try:
        data = json.loads(read_whole(folder / "scores.json"))
        there = {suite["digest"] for suite in data["suites"]}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return list(suites)
    return [suite for suite in suites if suite.digest not in there]


def run_time() -> int:
    """When a run begins: now, or SOURCE_DATE_EPOCH for reproducible output."""
    epoch = os.environ.get("SOURCE_DATE_EPOCH")
    if epoch and not epoch.isdecimal():
        raise UsageError(f"SOURCE_DATE_EPOCH is {epoch!r}: expected a number of seconds")
    return int(epoch) if epoch else int(time.time())


def write_output(
    scores: Scores,
    folder: Path,
    *,
    source: Producer,
    collection: str | None = None,
    started: int | None = None,
    version: str = RECORD_VERSION,
) -> Output:
    """Write scores, record and samples of a run.

    ``scores.json`` lists the other files. Those that an earlier ``scores.json`` lists are deleted
    after the new ones are written; no other file is. ``collection`` is the first part of the
    record's ``evaluation_id``, which says what was evaluated: the names of the suites if None.

    Raises:
        InvalidDocument: The record would not pass our own check.
        OSError: The folder cannot be written.
    """
    run = record_run(scores, source, collection, run_time() if started is None else started)
    regions = tidy_csv(scores).encode("utf-8")
    path, table, written = write_run(
        run, folder, scores_data(scores), REGIONS, regions,
        version=version, is_whole=not scores.unused,
    )  # fmt: skip
    if written is None:
        return Output(path, table, None, None)
    return Output(path, table, written.record, written.samples)


def scores_data(scores: Scores) -> dict[str, Any]:
    """``scores.json``; its format is API: fields are added, never renamed or removed."""
    info = scores.model
    names = unique_names(scores)
    return {
        "version": SCORES_VERSION,
        "model": {
            "id": info.id,
            "name": info.name,
            "engine": {"name": info.engine[0], "version": info.engine[1]},
            **info.details,
        },
        "settings": scores.choices,
        "computation": computation(scores).get("computation", "recorded values"),
        # Bits, to be multiplied by the square root of the number of tokens that are compared.
        "rounding_margin": scores.rounding.token,
        "chance_assumption": ASSUMPTION,
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


def portable(path: str) -> str:
    """A path as others can use it: relative to the current folder, or the name alone."""
    whole = Path(path).absolute()
    below = whole.is_relative_to(Path.cwd())
    return whole.relative_to(Path.cwd()).as_posix() if below else whole.name


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


def computation(scores: Scores) -> dict[str, str]:
    """How the surprisals were computed, as a record has it."""
    computed = scores.computed
    if computed is None:
        return {}
    way = WAYS[computed.way]
    return {"computation": f"{way}: {computed.reason}" if computed.reason else way}


def named_after(suites: Sequence[str]) -> str:
    """What a record calls the evaluation of some suites."""
    first, *others = suites
    return "+".join(suites) if len(suites) <= NAMED else f"{first}+{len(others)}"


def record_run(scores: Scores, source: Producer, collection: str | None, started: int) -> Run:
    """A run as the record writer takes it."""
    info = scores.model
    named = zip(unique_names(scores), scores.suites, strict=True)
    judged = [(name, scored) for name, scored in named if scored.result.predictions]
    return Run(
        collection=collection or named_after(unique_names(scores)),
        time=started,
        model=Model(info.id, info.name, info.engine, info.details),
        producer=source,
        results=tuple(
            result for name, scored in judged for result in _results(name, scored, scores.settings)
        ),
        samples=tuple(sample for name, scored in judged for sample in _samples(name, scored)),
        settings={
            "evalmark": installed("evalmark"),
            **{key: info.details[key] for key in ("torch", "transformers") if key in info.details},
            **scores.choices,
            "rounding_margin": scores.rounding.said,
            **computation(scores),
        },
    )


def _results(name: str, scored: ScoredSuite, settings: Settings) -> Iterator[Result]:
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
    """Where recorded values and predictions are from, what was not computed, what is doubtful."""
    given, idle = scored.source.predictions_from, conditions_not_run(scored.source, settings)
    from_file = {"predictions_from": given} if given else {}
    not_run = {"conditions_not_computed": json.dumps(idle)} if idle else {}
    named_by = {"metric_from": metric} if (metric := scored.source.metric_from) else {}
    return {**scored.recorded_in, **from_file, **named_by, **not_run, **scored.doubts.details()}


def _samples(name: str, scored: ScoredSuite) -> Iterator[Sample]:
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
