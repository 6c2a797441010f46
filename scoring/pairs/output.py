"""The files of a run over minimal pairs: ``scores.json``, ``pairs.csv``, record and samples."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

from evalmark.converters.records.run import Model, Producer, Run
from evalmark.converters.records.writer import RECORD_VERSION
from evalmark.scoring.output import (
    SCORES_VERSION,
    WAYS,
    named_after,
    portable,
    run_time,
)
from evalmark.scoring.pairs.averages import SetAverage, averages
from evalmark.scoring.pairs.judging import EXACT_TIE, IMPOSSIBLE, TIES, UNDEFINED
from evalmark.scoring.pairs.loading import LoadedPairs
from evalmark.scoring.pairs.recording import PairSamples, item_hash, results_of
from evalmark.scoring.pairs.results import CHANCE, PairScores, UidResult
from evalmark.scoring.run_files import PAIR_COLUMNS, PAIRS, SCORES, write_run
from evalmark.scoring.table import csv_text
from evalmark.validator.edge.opening import read_whole


def write_pairs(
    scores: PairScores,
    folder: Path,
    *,
    source: Producer,
    collection: str | None = None,
    started: int | None = None,
    version: str = RECORD_VERSION,
) -> list[Path]:
    """Write scores, record and samples of a run, as ``write_output`` does for suites.

    Returns:
        The files: ``scores.json`` first.

    Raises:
        InvalidDocument: The record would not pass our own check.
        OSError: The folder cannot be written.
    """
    run = record_run(scores, source, collection, run_time() if started is None else started)
    table = csv_text(PAIR_COLUMNS, tidy_rows(scores)).encode("utf-8")
    path, values, written = write_run(
        run, folder, pairs_data(scores), PAIRS, table,
        version=version, is_whole=not scores.unused,
    )  # fmt: skip
    others = [*([written.record, written.samples] if written else []), values]
    return [path, *(other for other in others if other.exists())]


def lacking_pairs(folder: Path, files: Iterable[LoadedPairs]) -> list[LoadedPairs]:
    """The files that the scores of a finished run do not have, as they are now."""
    try:
        data = json.loads(read_whole(folder / SCORES))
        there = {file["digest"] for file in data["pair_files"]}
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return list(files)
    return [file for file in files if file.digest not in there]


def record_run(scores: PairScores, source: Producer, collection: str | None, started: int) -> Run:
    """A run as the record writer takes it."""
    info = scores.model
    return Run(
        collection=collection or named_after([uid.label for uid in scores.uids]),
        time=started,
        model=Model(info.id, info.name, info.engine, info.details),
        producer=source,
        results=tuple(results_of(scores)),
        samples=PairSamples(scores),
        settings={
            "evalmark": installed("evalmark"),
            **{key: info.details[key] for key in ("torch", "transformers") if key in info.details},
            **scores.settings.strings(),
            "rounding_margin": scores.rounding.said,
            **computation(scores),
        },
    )


def computation(scores: PairScores) -> dict[str, str]:
    """How the surprisals were computed, as a record has it."""
    computed = scores.computed
    if computed is None:
        return {}
    way = WAYS[computed.way]
    return {"computation": f"{way}: {computed.reason}" if computed.reason else way}


def pairs_data(scores: PairScores) -> dict[str, Any]:
    """``scores.json``; its format is API: fields are added, never renamed or removed."""
    info = scores.model
    return {
        "version": SCORES_VERSION,
        "model": {
            "id": info.id,
            "name": info.name,
            "engine": {"name": info.engine[0], "version": info.engine[1]},
            **info.details,
        },
        "settings": scores.settings.strings(),
        **computation(scores),
        # Bits, to be multiplied by the square root of the number of tokens that are compared.
        "rounding_margin": scores.rounding.token,
        "chance_assumption": CHANCE,
        "suites": [],
        "pair_files": [
            {
                "path": portable(file.path),
                "set": file.set,
                "method": file.method,
                "rows": file.rows,
                "digest": file.digest,
                **(scores.doubts[file.path].details() if file.path in scores.doubts else {}),
            }
            for file in scores.scored_files
        ],
        "uids": [_uid_data(scores, uid) for uid in scores.uids],
        "averages": [_average_data(average) for average in averages(scores)],
    }


def _uid_data(scores: PairScores, uid: UidResult) -> dict[str, Any]:
    counts, counted = uid.counts, [uid.contests[number] for number in uid.counted]
    found: dict[str, Any] = {
        "name": uid.uid,
        "label": uid.label,
        "set": uid.set,
        "method": uid.method,
        "labels": uid.labels,
        "items": counts.items,
        "item_ids": [uid.ids[number] for number in uid.counted],
        "item_hashes": [item_hash(scores.files, contest) for contest in counted],
    }
    if uid.is_correlated:
        return {
            **found,
            "correlation": uid.correlation,
            "interval": uid.correlation_interval,
            "shares": uid.shares,
            "ratios": [contest.source.ratio for contest in counted],
        }
    return {
        **found,
        "right": counts.right,
        "accuracy": counts.share,
        "interval": counts.interval,
        "chance": float(counts.chance_share),
        "chance_fraction": str(counts.chance_share),
        "ties": uid.named(TIES),
        "exact_ties": uid.named((EXACT_TIE,)),
        "impossible": uid.named((IMPOSSIBLE,)),
        "undefined": uid.named((UNDEFINED,)),
        "outcomes": [contest.is_right for contest in counted],
    }


def _average_data(average: SetAverage) -> dict[str, Any]:
    counts = average.counts
    return {
        "set": average.set,
        "label": average.label or None,
        "value": average.value or None,
        "uids": average.uids,
        "items": counts.items,
        "averaged": average.averaged,
        "correlation" if average.is_correlation else "accuracy": average.score,
        "interval": average.interval,
        "chance": float(average.chance),
        "accuracy_of_all_pairs": None if average.is_correlation else counts.share,
        "ties": counts.ties,
        "exact_ties": counts.exact_ties,
        "impossible": counts.impossible,
        "undefined": counts.undefined,
    }


def tidy_rows(scores: PairScores) -> Iterator[tuple[object, ...]]:
    """A row for each text of each contest."""
    for uid in scores.uids:
        for name, contest in zip(uid.ids, uid.contests, strict=True):
            texts = scores.files[contest.file].texts
            for place, side in enumerate(contest.source.sides):
                text, start = texts[side]
                yield (
                    scores.model.id, uid.set, uid.label, name, place, text[:start], text[start:],
                    contest.tokens[place], contest.bits[place], contest.scores[place], uid.method,
                    contest.outcome,
                )  # fmt: skip
