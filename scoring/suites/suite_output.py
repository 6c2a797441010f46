"""The record of a run over suites: its results, and its samples with the regions of each item."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from evalmark.converters.records.run import Dataset, Metric, Producer, Result, Sample
from evalmark.converters.records.uncertainty import accuracy
from evalmark.converters.records.writer import RECORD_VERSION
from evalmark.scoring.comparison.compared_run import NOT_COMPARED, ROUNDED, ItemScore, conjunction
from evalmark.scoring.models.protocols import Tokenized
from evalmark.scoring.runs.run_files import Output, ResultFiles, portable, write_results
from evalmark.scoring.runs.scores import SCORED, scored_part
from evalmark.scoring.runs.suite_views import REGIONS, SUITE_DIGEST, SURPRISALS, labels_of
from evalmark.scoring.score_settings import Settings
from evalmark.scoring.suites.chance import ASSUMPTION
from evalmark.scoring.suites.prediction_results import ItemSurprisals
from evalmark.scoring.suites.regions import assign_tokens, conditions_not_run
from evalmark.scoring.suites.suite_run import ScoredSuite, Scores, unique_names
from evalmark.validator.formats.suites.suite import NO_SPACE_BEFORE, Item, Sentence


def _results(scores: Scores) -> Iterator[Result]:
    for name, scored in zip(unique_names(scores), scores.suites, strict=True):
        yield from _suite_results(name, scored, scores.settings)


def _samples(scores: Scores) -> Sequence[Sample]:
    return [
        sample
        for name, scored in zip(unique_names(scores), scores.suites, strict=True)
        for sample in _suite_samples(name, scored)
    ]


def _suite_results(name: str, scored: ScoredSuite, settings: Settings) -> Iterator[Result]:
    suite, result = scored.source.suite, scored.result
    details = {"metric": suite.metric, SUITE_DIGEST: scored.source.digest}
    details |= _details(scored, settings)
    dataset = Dataset(suite.name, details={"path": portable(scored.source.path)})
    count = len(suite.items)
    if not result.predictions:
        yield _defined(name, dataset, scored, details)
        return
    columns = [(p.formula, p.correct, p.ties) for p in result.predictions]
    if len(columns) > 1:
        whole = "every prediction of the item holds"
        columns.append((whole, sum(result.conjunction), result.ties))
    for label, (description, correct, ties), chance in zip(
        labels_of(len(result.predictions)), columns, scored.chances, strict=False
    ):
        yield accuracy(
            name=f"{name}/{label}",
            description=description,
            dataset=dataset,
            correct=correct,
            items=count,
            details={**chance.details(), "ties": str(len(ties)), **details},
        )


def _defined(name: str, dataset: Dataset, scored: ScoredSuite, details: dict[str, str]) -> Result:
    """The result of a suite without predictions: in how many items all surprisals are defined."""
    items = len(scored.surprisals)
    return Result(
        f"{name}/{SURPRISALS}",
        dataset,
        Metric.share("share of items whose surprisals are all defined", "defined items"),
        sum(map(_is_defined, scored.surprisals)) / items,
        details={
            "items": str(items),
            NOT_COMPARED: "the suite has no predictions",
            **details,
        },
    )


def _is_defined(surprisals: ItemSurprisals) -> bool:
    return all(None not in (region or ()) for regions in surprisals for region in regions)


def item_text(sentences: Sequence[Sentence]) -> str:
    """An item as its samples have it: a sentence on each line."""
    return "\n".join(sentence.text for sentence in sentences)


def _details(scored: ScoredSuite, settings: Settings) -> dict[str, str]:
    source = scored.source
    file, idle = source.predictions_from, conditions_not_run(source, settings)
    tags = {"tags": json.dumps(source.suite.tags)} if source.suite.tags else {}
    from_file = {"predictions_from": file} if file else {}
    not_run = {"conditions_not_computed": json.dumps(idle)} if idle else {}
    named_by = {"metric_from": metric} if (metric := source.metric_from) else {}
    joined = source.suite.joined_regions
    spaces = {NO_SPACE_BEFORE: json.dumps(joined)} if joined else {}
    part = scored_part(len(source.suite.items), len(source.left_out), "items")
    of_all = {SCORED: part} if part else {}
    chosen = {**tags, **of_all, **from_file, **named_by, **spaces, **not_run}
    return {**scored.recorded_in, **chosen, **scored.doubts.details()}


def _suite_samples(name: str, scored: ScoredSuite) -> Iterator[Sample]:
    source, result = scored.source, scored.result
    formulas = tuple(prediction.formula for prediction in result.predictions)
    references: list[tuple[str, ...]] = [(formula,) for formula in formulas]
    references += [formulas] if len(formulas) > 1 else []
    names = {int(key): str(region) for key, region in source.suite.region_meta.items()}
    encodings: Sequence[Sequence[Tokenized | None]] = scored.tokens or [
        [None] * len(sentences) for sentences in source.sentences
    ]
    rows = zip(source.suite.items, source.sentences, scored.surprisals, encodings, strict=True)
    for index, (item, sentences, surprisals, tokens) in enumerate(rows):
        text = item_text(sentences)
        metadata = {REGIONS: _regions(item, sentences, surprisals, tokens, names)}
        held = [
            ItemScore(float(prediction.outcomes[index]), item.number in prediction.ties)
            for prediction in result.predictions
        ]
        if not held:
            is_defined = _is_defined(surprisals)
            yield Sample(
                f"{name}/{SURPRISALS}", f"{name}/{item.number}", text, (),
                (str(is_defined).lower(),), is_defined, metadata,
            )  # fmt: skip
        every = [*held, conjunction(held)] if len(held) > 1 else held
        for label, reference, score in zip(labels_of(len(held)), references, every, strict=True):
            holds = bool(score.score)
            yield Sample(
                result=f"{name}/{label}",
                id=f"{name}/{item.number}",
                raw=text,
                reference=reference,
                output=(str(holds).lower(),),
                correct=holds,
                metadata={**metadata, ROUNDED: json.dumps(score.is_tie)},
            )
            metadata = {}  # the row of the first result has it


def _regions(
    item: Item,
    sentences: Sequence[Sentence],
    surprisals: ItemSurprisals,
    encodings: Sequence[Tokenized | None],
    names: dict[int, str],
) -> str:
    data: dict[str, dict[str, Any]] = {}
    parts = zip(item.conditions, sentences, surprisals, encodings, strict=True)
    for condition, sentence, regions, encoding in parts:
        data[condition.name] = {
            "numbers": [region.number for region in condition.regions],
            "names": [names.get(region.number, "") for region in condition.regions],
            "texts": [region.content for region in condition.regions],
            SURPRISALS: regions,
            **({} if encoding is None else _tokens(encoding, sentence)),
        }
    return json.dumps(data, ensure_ascii=False, separators=(",", ":"))


def _tokens(encoding: Tokenized, sentence: Sentence) -> dict[str, list[list[Any]]]:
    texts: list[list[Any]] = [[] for _ in sentence.spans]
    ids: list[list[Any]] = [[] for _ in sentence.spans]
    for place, region in enumerate(assign_tokens(encoding.spans, sentence)):
        start, end = encoding.spans[place]
        texts[region].append(sentence.text[start:end])
        ids[region] += encoding.ids[place : place + 1]
    return {"tokens": texts, **({"ids": ids} if encoding.ids else {})}


SUITE_RUN: ResultFiles[Scores] = ResultFiles(
    names=unique_names, results=_results, samples=_samples, chance=ASSUMPTION
)


def write_output(
    scores: Scores,
    folder: Path,
    *,
    source: Producer,
    collection: str | None = None,
    started: int | None = None,
    version: str = RECORD_VERSION,
    also: Collection[str] = (),
) -> Output:
    """Write the record and the samples of a run over suites, and tables of it.

    Args:
        scores: The scores.
        folder: The folder of the run.
        source: Who publishes the record.
        collection: The first part of the record's ``evaluation_id``, which says what was evaluated:
            the names of the suites if None.
        started: When the run began, as a Unix timestamp; used if the scores do not state it.
            None means now.
        version: The version of the record.
        also: The tables to export (``regions``, ``effects``, ``tokens``), and ``parquet``,
            which writes these as Parquet too; alone, it exports all tables.

    Raises:
        InvalidDocument: The record would not pass our own check.
        NotInstalledError: ``parquet``, and pyarrow is not installed.
        OSError: The folder cannot be written.
    """
    return write_results(
        scores, SUITE_RUN, folder, source=source, collection=collection, started=started,
        version=version, also=also,
    )  # fmt: skip
