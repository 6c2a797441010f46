"""Tables of scores of many models, with a mapping that says what the columns are."""

from __future__ import annotations

import json
import math
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from difflib import get_close_matches
from functools import partial
from typing import Any, NoReturn

from evalmark.converters.importers.imported import Header, ImportSource
from evalmark.converters.notes import ConversionNotes
from evalmark.converters.overrides.table_keys import UNKNOWN
from evalmark.converters.overrides.table_mapping import FACTS, TableMapping
from evalmark.converters.records.run import Dataset, Metric, Model, Result, Run, Sample
from evalmark.converters.records.uncertainty import mean_uncertainty, proportion_uncertainty
from evalmark.converters.sources.placed_values import Account
from evalmark.converters.sources.run_facts import texts
from evalmark.converters.sources.table_rows import table_rows
from evalmark.converters.step import as_text
from evalmark.schemas.errors import ConversionError
from evalmark.validator.io.escaping import shown
from evalmark.validator.io.writing import Spool

#: The place of each row of a model, and its cells, from the first row each time.
_ReadRows = Callable[[], Iterator[tuple[str, dict[str, Any]]]]
_REQUIRED = ("model", "benchmark", "metric", "score")
#: Words that say whether an answer is right, which is then a share; a flag can be a digit as well.
_TRUTHS = {"true": True, "false": False, "yes": True, "no": False}
_FLAGS = {**_TRUTHS, "1": True, "0": False}
_SHARE = (0.0, 1.0)


def read_scores(source: ImportSource) -> Iterator[Run]:
    """A run for each model, in the order in which the table names them.

    The time of a run is that of its newest score. The rows are kept on disk, so that those of a
    model may be anywhere in the table.
    """
    path, mapping = source.path, source.supplied.mapping
    source.supplied.use("mapping")
    if mapping is None:
        raise ConversionError(ConversionNotes.NO_MAPPING(), needs="mapping")
    table = _Table(mapping)
    rows = Spool()
    places: dict[str, array[int]] = {}
    for place, cells in table_rows(path):
        table.require_columns(cells, place)
        model = table.fact("model", cells, {})
        if model is None:
            table.lack(place, "model")
        line = json.dumps([place, cells], default=str).encode() + b"\n"
        places.setdefault(str(model), array("Q")).extend((rows.size, len(line)))
        rows.add(line)
        if source.left_out.pieces.room >= 0:
            source.left_out.pieces.keep(place, json.loads(line)[1], len(line))
    if not places:
        raise ConversionError(f"{path.name}: the table has no rows")
    for model, model_places in places.items():
        yield _run(model, partial(_rows, rows, model_places), table, source)


def _rows(rows: Spool, places: array[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    for start, size in zip(places[::2], places[1::2], strict=True):
        place, cells = json.loads(rows.read(start, size))
        yield place, cells


def _run(model: str, rows: _ReadRows, table: _Table, source: ImportSource) -> Run:
    mapping, path = table.mapping, source.path
    left_out = Account(source.left_out.pieces)
    by_name: dict[str, tuple[str, Result]] = {}
    items = _ItemScores(model)
    about: dict[str, Any] = {}
    for place, cells in rows():
        table.add_model_facts(model, place, cells, about)
        scores = list(table.scores(place, cells))
        if mapping.is_of_items:
            for facts in scores:
                facts.add_to(items)
        else:
            rest = table.rest(cells)
            table.add_results(model, place, [facts.result(rest) for facts in scores], by_name)
        if not scores:
            left_out.pieces.leave(place, "the row has no score")
            left_out[f"{path.name} : rows without a score"] += sum(map(bool, cells.values()))
    listed = [result for _, result in by_name.values()] or items.results()
    if not listed:
        raise ConversionError(f"{path.name}: no score of {model}")
    times = [result.time for result in listed if result.time is not None]
    header = Header(
        mapping.collection or path.stem,
        max(times, default=None),
        Model(
            id=model,
            name=str(about.get("model_name") or model.rpartition("/")[2]),
            developer=about.get("developer"),
            deployment=about.get("deployment_type") or UNKNOWN,
            availability=about.get("model_availability") or UNKNOWN,
        ),
        mapping.source or path.stem,
        is_run=False,
    )
    samples = partial(_samples, rows, table) if mapping.is_of_items else None
    run = source.run(header, listed, samples, left_out=left_out, of_many=True)
    stated = run.producer
    return replace(
        run,
        producer=replace(
            stated,
            organization=stated.organization or mapping.organization,
            relationship=stated.relationship or mapping.relationship,
        ),
    )


def _samples(rows: _ReadRows, table: _Table) -> Iterator[Sample]:
    for place, cells in rows():
        rest = table.rest(cells)
        for facts in table.scores(place, cells):
            yield facts.sample(rest)


class _Table:
    def __init__(self, mapping: TableMapping) -> None:
        self.mapping = mapping
        self._named = {*mapping.columns.values(), *mapping.scores}
        stated = {*mapping.columns, *mapping.constants}
        for fact in _REQUIRED:
            is_stated = fact in stated or (fact == "score" and bool(mapping.scores))
            parts = mapping.scores.values()
            if not is_stated and not (parts and all(fact in facts for facts in parts)):
                raise ConversionError(
                    f"the mapping does not say what `{fact}` is ({FACTS[fact]})",
                    f"name its column under `columns` of {mapping.name}, or its value under "
                    "`constants`",
                )

    def require_columns(self, cells: Mapping[str, Any], place: str) -> None:
        for column in self._named - cells.keys():
            close = get_close_matches(column, cells, n=1)
            names = ", ".join(shown(name) for name in cells)
            hint = f'did you mean "{shown(close[0])}"?' if close else f"it has {names}"
            file = place.partition(":")[0]
            raise ConversionError(f'{file} has no column "{shown(column)}"; {hint}')

    def refuse(self, place: str, message: str) -> NoReturn:
        raise ConversionError(f"{place}: {message}")

    def lack(self, place: str, fact: str) -> NoReturn:
        column = self.mapping.columns.get(fact)
        where = f'column "{column}" is empty' if column else "the mapping does not say it"
        self.refuse(place, f"no {fact}: {where}")

    def fact(self, fact: str, cells: Mapping[str, Any], score_facts: Mapping[str, Any]) -> Any:
        column = self.mapping.columns.get(fact)
        value = score_facts.get(fact)
        if value is None and column is not None:
            value = cells[column]
            value = self.mapping.values.get(fact, {}).get(str(value), value)
        if value is None or value == "" or value in self.mapping.missing:
            value = self.mapping.constants.get(fact)
        return value

    def add_model_facts(
        self, model: str, place: str, cells: Mapping[str, Any], about: dict[str, Any]
    ) -> None:
        for key in ("model_name", "developer", "deployment_type", "model_availability"):
            value = self.fact(key, cells, {})
            if value is not None and about.setdefault(key, value) != value:
                before = as_text(about[key])
                self.refuse(place, f"{key} of {model} is {as_text(value)}, and was {before} before")

    def add_results(
        self,
        model: str,
        place: str,
        results: Iterable[Result],
        by_name: dict[str, tuple[str, Result]],
    ) -> None:
        """Add the results of a row; each name is that of one score of the model."""
        for result in results:
            before, first = by_name.setdefault(result.name, (place, result))
            if first is not result:
                self.refuse(
                    place,
                    f'a second score of {model} for "{shown(result.name)}", as in {before}: '
                    "map what differs to `split` or `name`",
                )

    def rest(self, cells: Mapping[str, Any]) -> dict[str, str]:
        return {
            f"column.{name}": as_text(cell)
            for name, cell in cells.items()
            if name not in self._named and cell not in (None, "")
        }

    def scores(self, place: str, cells: dict[str, Any]) -> Iterator[_Facts]:
        columns: list[tuple[str | None, Mapping[str, Any]]] = [*self.mapping.scores.items()]
        for column, score_facts in columns or [(None, {})]:
            facts = self._facts(place, cells, score_facts, column)
            if facts is not None:
                yield facts

    def _facts(
        self, place: str, cells: dict[str, Any], score_facts: Mapping[str, Any], column: str | None
    ) -> _Facts | None:
        """The facts of a score; None if its cell is empty."""
        facts = {fact: self.fact(fact, cells, score_facts) for fact in FACTS}
        if column is not None:
            cell = cells[column]
            facts["score"] = None if cell in self.mapping.missing else cell
        if facts["score"] in (None, ""):
            return None
        for fact in _REQUIRED:
            if facts[fact] is None:
                self.lack(place, fact)
        return _Facts(facts, place, column or self.mapping.columns.get("score", ""), self)


class _Facts:
    """The facts of one score, as values of their types."""

    def __init__(self, facts: Mapping[str, Any], place: str, column: str, table: _Table) -> None:
        self._facts = facts
        self._place = place
        self._column = column
        self._table = table
        score = facts["score"]
        is_word = isinstance(score, bool) or str(score).lower() in _TRUTHS
        # of an item, and says only if the answer is right
        self.is_truth = table.mapping.is_of_items and is_word

    @property
    def name(self) -> str:
        parts = [self._facts[fact] for fact in ("benchmark", "split", "metric")]
        return self.text("name") or "/".join(str(part) for part in parts if part)

    def score(self) -> float:
        if self.is_truth:
            return float(_TRUTHS[str(self._facts["score"]).lower()])
        score = self.number("score")
        if score is None or not math.isfinite(score):
            self.wrong("score", "a number")
        return score

    def add_to(self, items: _ItemScores) -> None:
        item = self.text("sample_id")
        if item is None:
            self._table.lack(self._place, "sample_id")
        items.add(self._place, item, self.result({}), is_truth=self.is_truth)

    def sample(self, details: Mapping[str, str]) -> Sample:
        score = self.score()
        return Sample(
            self.name,
            str(self.text("sample_id")),
            self.text("input") or "",
            tuple(filter(None, [self.text("reference")])),
            tuple(filter(None, [self.text("output")])),
            bool(score) if self.is_truth else None,
            details,
            None if self.is_truth else score,
        )

    def result(self, details: dict[str, str]) -> Result:
        return Result(
            name=self.name,
            score=self.score(),
            metric=self.metric(self.bounds()),
            dataset=self.dataset(),
            uncertainty=self.uncertainty(),
            details=details,
            time=self.time(),
        )

    def bounds(self) -> tuple[float, float] | None:
        low, high = self.number("min_score"), self.number("max_score")
        if low is not None and high is not None:
            return low, high
        if low is not None or high is not None:
            self._table.lack(self._place, "min_score" if low is None else "max_score")
        return None

    def dataset(self) -> Dataset:
        name, repo = str(self._facts["benchmark"]), self.text("hf_repo")
        split, url = self.text("split"), self.text("url")
        if repo:
            details = texts(url=url)
            return Dataset(
                name, repo=repo, split=split, size=self.whole("samples"), details=details
            )
        return Dataset(name, details=texts(split=split), urls=(url,) if url else ())

    def wrong(self, fact: str, expected: str) -> NoReturn:
        column = f' in column "{shown(self._column)}"' if fact == "score" and self._column else ""
        text = shown(as_text(self._facts[fact]))
        raise ConversionError(f'{self._place}: {fact}{column}: expected {expected}, found "{text}"')

    def text(self, fact: str) -> str | None:
        value = self._facts[fact]
        return None if value in (None, "") else as_text(value)

    def number(self, fact: str) -> float | None:
        value = self._facts[fact]
        if value in (None, ""):
            return None
        try:
            number = float(value) if not isinstance(value, bool) else math.nan
        except (TypeError, ValueError):
            number = math.nan
        if math.isnan(number):
            self.wrong(fact, "a number")
        return number

    def whole(self, fact: str) -> int | None:
        number = self.number(fact)
        if number is not None and number != number // 1:
            self.wrong(fact, "an integer")
        return None if number is None else int(number)

    def metric(self, bounds: tuple[float, float] | None) -> Metric:
        """The metric: what the mapping says of it comes before what is known of its names."""
        name, identity = str(self._facts["metric"]), self.text("metric_id")
        metric = Metric.of_table(
            f"{name} on {self._facts['benchmark']}",
            name,
            identity,
            stated=self.truth("lower_is_better"),
            id=identity,
        )
        metric = replace(
            metric,
            bounds=bounds or metric.bounds,
            kind=self.text("metric_kind") or metric.kind,
            unit=self.text("unit") or (None if bounds else metric.unit),
        )
        return metric if metric.bounds else metric.with_details({"bounds": "unknown"})

    def truth(self, fact: str) -> bool | None:
        value = self._facts[fact]
        if value in (None, ""):
            return None
        truth = value if isinstance(value, bool) else _FLAGS.get(str(value).lower())
        if truth is None:
            self.wrong(fact, "true or false")
        return truth

    def uncertainty(self) -> dict[str, Any] | None:
        uncertainty: dict[str, Any] = {}
        error, count = self.number("standard_error"), self.whole("samples")
        lower, upper = self.number("lower"), self.number("upper")
        level = self.number("confidence_level")
        if error is not None:
            uncertainty["standard_error"] = {"value": error}
        if lower is not None and upper is not None:
            uncertainty["confidence_interval"] = {"lower": lower, "upper": upper}
            if level is not None:
                uncertainty["confidence_interval"]["confidence_level"] = level
        elif lower is not None or upper is not None:
            self.wrong("lower" if lower is None else "upper", "both ends of the interval")
        if count is not None:
            uncertainty["num_samples"] = count
        return uncertainty or None

    def time(self) -> int | None:
        text = self.text("time")
        if text is None or text.isdecimal():
            return None if text is None else int(text)
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            self.wrong("time", "a date or a Unix timestamp")
        return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


@dataclass(slots=True)
class _Items:
    first: Result  # the row of its first item, as a result
    #: Of each item, on the metric's own scale.
    scores: array[float] = field(default_factory=lambda: array("d"))
    places: dict[str, str] = field(default_factory=dict)  # id of each item -> its row
    are_truths: bool = True  # whether all of them say only right or wrong
    time: int | None = None  # the newest time of an item: a Unix timestamp


class _ItemScores:
    def __init__(self, model: str) -> None:
        self._model = model
        self._by_name: dict[str, _Items] = {}

    def add(self, place: str, item: str, result: Result, *, is_truth: bool) -> None:
        """Add the row of an item; ``result`` is what it says, as if its score were that of all."""
        plain = replace(result, score=0.0, time=None)
        items = self._by_name.setdefault(result.name, _Items(plain))
        before = items.places.setdefault(item, place)
        if before is not place:
            raise ConversionError(
                f'{place}: a second score of {self._model} for item "{shown(item)}" of '
                f'"{shown(result.name)}", as in {before}: map what differs to `split` or `name`'
            )
        if plain != items.first:
            raise ConversionError(
                f'{place}: not the same data, metric or bounds of "{shown(result.name)}" as in '
                f"{next(iter(items.places.values()))}: map what differs to `split` or `name`"
            )
        items.scores.append(result.score)
        items.are_truths = items.are_truths and is_truth
        items.time = max(filter(None, (items.time, result.time)), default=None)

    def results(self) -> list[Result]:
        return [_mean(items) for items in self._by_name.values()]


def _mean(items: _Items) -> Result:
    scores = items.scores
    metric = items.first.metric
    if items.are_truths and metric.bounds in (None, _SHARE):
        metric = replace(
            metric,
            bounds=_SHARE,
            details={name: text for name, text in metric.details.items() if name != "bounds"},
        )
    is_share = metric.bounds == _SHARE and set(scores) <= set(_SHARE)
    error = proportion_uncertainty(int(sum(scores)), len(scores)) if is_share else None
    return replace(
        items.first,
        metric=metric,
        score=sum(scores) / len(scores),
        uncertainty=error or mean_uncertainty(scores),
        time=items.time,
    )
