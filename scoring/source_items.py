"""Compare the items of a scored file with the samples of its record.

Numbers that follow from samples, and samples that follow from a model, say nothing of items that
were left out, exchanged or copied, nor of formulas that were turned round. The file says it: items
are compared by result and id, in their texts (apart from spaces before them), their formulas and
their conditions with the texts of their regions; the metric by the digest of the suite.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from evalmark.scoring.comparison.compared_run import ALL
from evalmark.scoring.pairs.load_pairs import LoadedPairs, load_pairs, pair_paths
from evalmark.scoring.pairs.pair_averages import UNDEFINED
from evalmark.scoring.pairs.pair_output import texts_of_contest
from evalmark.scoring.pairs.pair_run import JudgedContest, by_uid
from evalmark.scoring.runs.pair_views import SHARES
from evalmark.scoring.runs.scores import SCORED
from evalmark.scoring.runs.suite_views import REGIONS
from evalmark.scoring.score_settings import OUR_OWN, Settings
from evalmark.scoring.suites.suite_loading import LoadedSuite, load_suites
from evalmark.scoring.suites.suite_output import item_text
from evalmark.validator.formats.records.record_view import RecordResult
from evalmark.validator.formats.records.samples.sample_rules import SampleView
from evalmark.validator.formats.shared.json_values import mapping
from evalmark.validator.reading.pair_columns import NO_TABLES, PairTables


class _Item(NamedTuple):
    """An item: the lines of its texts, what decides it, and its conditions with their regions.

    What nothing says is empty.
    """

    lines: tuple[str, ...]
    reference: tuple[str, ...] = ()
    conditions: tuple[tuple[str, ...], ...] = ()


#: Result and id of a sample -> its item.
_Items = dict[tuple[str, str], _Item]


@dataclass(frozen=True, slots=True)
class SourceItems:
    """The comparison of a record with the file that was scored."""

    items: int  # how many items the file has for the results of the record
    missing: tuple[str, ...] = ()  # ids of items that the samples lack
    more: tuple[str, ...] = ()  # ids of samples that the file has no item for
    other: tuple[str, ...] = ()  # ids of items with another text, formula or order of conditions
    #: Suites that have the same items, but other regions or another metric.
    digests: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool:
        """True if the record has the items of the file, and no others."""
        return not (self.missing or self.more or self.other or self.digests)


def compare_with_source(
    results: Mapping[str, RecordResult],
    rows: Sequence[SampleView],
    paths: Iterable[str],
    tables: PairTables = NO_TABLES,
) -> SourceItems:
    """Compare the items of a record with those of the files that were scored.

    ``results`` has the results by what rows call them; ``tables`` are columns declared for tables
    of pairs.

    Raises:
        ScoringError: A file has neither suites nor minimal pairs.
        OSError: A file cannot be read.
    """
    found: _Items = {}
    for row in rows:
        if (result := results.get(str(row.result[1]))) is not None:
            found[str(result.name), str(row.get("sample_id"))] = _item_of(row)
    known = {str(result.name): result for result in results.values()}
    expected, digests = _expected(known, [*paths], tables)
    missing, more = expected.keys() - found.keys(), found.keys() - expected.keys()
    other = [
        key
        for key in expected.keys() & found.keys()
        if any(a and b and a != b for a, b in zip(expected[key], found[key], strict=True))
    ]
    wrong = {name.rpartition("/")[0] for name, _ in (*missing, *more, *other)}
    return SourceItems(
        len({name for _, name in expected}),
        _ids(missing), _ids(more), _ids(other),
        tuple(name for name in digests if name not in wrong),
    )  # fmt: skip


def _ids(keys: Iterable[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(sorted({name for _, name in keys}, key=lambda name: (len(name), name)))


def _item_of(row: SampleView) -> _Item:
    try:
        regions = json.loads(str(mapping(row.get("metadata")).get(REGIONS, "{}")))
    except (ValueError, RecursionError):
        return _Item(("",))
    return _Item(
        _lines(str(row.get("raw"))),
        tuple(text.lstrip(" ") for text in map(str, row.entries("reference"))),
        tuple(
            (name, *map(str, mapping(texts).get("texts") or ()))
            for name, texts in mapping(regions).items()
        ),
    )


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line.lstrip(" ") for line in text.split("\n"))


def _expected(
    results: Mapping[str, RecordResult], paths: list[str], tables: PairTables
) -> tuple[_Items, list[str]]:
    stated = next(map(_settings, results.values()), {})
    # A run of the first items says "5 of 48 items".
    parts = [str(_details(entry).get(SCORED, "")).partition(" ")[0] for entry in results.values()]
    limit = max((int(part) for part in parts if part.isdecimal()), default=None)
    if found := pair_paths(paths, tables):
        reading = Settings(like=str(stated.get("like", OUR_OWN))).reading
        methods = {str(s["method"]) for s in map(_scoring, results.values()) if "method" in s}
        method = methods.pop() if len(methods) == 1 else None
        files = load_pairs(found, method=method, limit=limit, tables=tables, reading=reading)
        return dict(_pairs(results, files)), []
    every = map(_details, results.values())
    # What a call chose for suites that name no metric, or several.
    metric = next((of.get("metric") for of in every if of.get("metric_from") == "caller"), None)
    join = str(stated.get("join", "core"))
    suites = load_suites(paths, join=join, metric=metric, limit=limit)
    return _suites(results, suites)


def _details(result: RecordResult) -> Mapping[str, Any]:
    return mapping(result.get("details"))


def _settings(result: RecordResult) -> Mapping[str, Any]:
    return mapping(result.get("more_settings"))


def _scoring(result: RecordResult) -> Mapping[str, Any]:
    return mapping(result.get("about_metric"))


def _pairs(
    results: Mapping[str, RecordResult], files: Sequence[LoadedPairs]
) -> Iterator[tuple[tuple[str, str], _Item]]:
    """The contests of the UIDs of a record; of all UIDs of a set that it averages."""
    contests = (
        JudgedContest(file, source, UNDEFINED, (), (), ())
        for file in files
        for source in file.contests
    )
    for uid in by_uid(contests):
        name = f"{uid.label}/{SHARES}" if uid.is_correlated else uid.label
        if name not in results and f"{uid.set}/average" not in results:
            continue
        for item, contest in zip(uid.ids, uid.contests, strict=True):
            texts = texts_of_contest(contest)
            reference = (texts[0].lstrip(" "),)
            yield (name, f"{uid.label}/{item}"), _Item(_lines("\n".join(texts)), reference)


def _suites(
    results: Mapping[str, RecordResult], suites: Sequence[LoadedSuite]
) -> tuple[_Items, list[str]]:
    items: _Items = {}
    digests: list[str] = []
    for label in dict.fromkeys(name.rpartition("/")[0] for name in results):
        result = next(entry for name, entry in results.items() if name.rpartition("/")[0] == label)
        stated = _details(result)
        dataset = result.get("dataset")
        fitting = [
            suite
            for suite in suites
            if (suite.suite.name, suite.suite.metric) == (dataset, stated.get("metric"))
        ]
        # Two suites of a run may have one name.
        fitting.sort(key=lambda suite: suite.digest != stated.get("suite_digest"))
        for suite in fitting[:1]:
            items |= _suite_items(label, suite, [n for n in results if n.startswith(f"{label}/")])
            if suite.trees and suite.digest != stated.get("suite_digest"):
                digests.append(label)
    return items, digests


def _suite_items(label: str, suite: LoadedSuite, names: Sequence[str]) -> _Items:
    formulas = suite.suite.formulas
    asked: dict[str, tuple[str, ...]]
    asked = {f"{label}/{place}": (formula,) for place, formula in enumerate(formulas, 1)}
    asked[f"{label}/{ALL}"] = tuple(formulas)
    if len(formulas) == 1:  # as many results as the record has of it
        asked = {name: formula for name, formula in asked.items() if name in names} or asked
    if not formulas:  # they are in another file
        asked = dict.fromkeys(names, ())
    return {
        (name, f"{label}/{item.number}"): _Item(
            _lines(item_text(sentences)),
            formula,
            tuple((condition.name, *condition.contents) for condition in item.conditions),
        )
        for name, formula in asked.items()
        for item, sentences in zip(suite.suite.items, suite.sentences, strict=True)
    }
