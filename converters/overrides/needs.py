"""Needs of conversions of many records: found in one pass, and written as a file to fill in.

They are grouped by who can state them. The file is YAML, and is read as one of defaults.
"""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice

from evalmark.converters.overrides.defaults import metric_names
from evalmark.converters.overrides.places import (
    BOUNDS,
    LOWER,
    METRIC_KEYS,
    MODEL_KEYS,
    REVIEWED,
    collection_of,
    generalized,
    lacks_owner,
    model_key,
    proposed_samples,
)
from evalmark.converters.overrides.schema_values import words_at
from evalmark.converters.records.run import UNKNOWN, Result, Run
from evalmark.converters.step import Object, Question
from evalmark.converters.yaml_text import plain_yaml
from evalmark.schemas.metrics.known_metrics import known_metric
from evalmark.validator.formats.records.record_fields import (
    fields_in,
    models_in,
    places_of,
    results_in,
)
from evalmark.validator.formats.shared.field_layout import Fields
from evalmark.validator.io.escaping import shown_line
from evalmark.validator.io.redaction import redacted
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.emitter import RoundTripEmitter

#: Keys of a model in a record of another program's results, which may be unknown.
AXES = ("deployment_type", "model_availability")
#: The separator of a test and its metric in the name of an evaluation.
_DASH = " - "
#: Models of a collection that are asked about one by one.
_FEW = 3
#: The name of a data set where a record states none: as the maintainers named them.
_PROPOSED = "@evaluation_name"
#: A missing value -> what may help to find it, and its fields; the first that has it counts.
HINTS = {
    **dict.fromkeys(places_of("library"), ("source_name", ("source_name", "later_source_name"))),
    **dict.fromkeys(places_of("source_type"), ("source_organization_name", ("organization",))),
}
#: A value that one record states for another -> its field.
_STATED = {at: field for field in ("library", "library_version") for at in places_of(field)}


@dataclass(slots=True)
class MissingValue:
    """A value that records lack."""

    value: str | None  # what is written if nobody fills it in
    records: int = 0  # paths of how many records lack it
    #: What records say that may help, and how many of them do.
    hints: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class MissingBounds:
    """Members that scores lack to be interpreted: bounds, or the direction."""

    keys: set[str] = field(default_factory=set)  # which of them
    evaluations: set[str] = field(default_factory=set)  # names of the evaluations
    records: set[str] = field(default_factory=set)  # how many records have such scores
    scores: list[float] = field(default_factory=list)  # all of their scores
    lower: set[bool] = field(default_factory=set)  # whether smaller scores are better


@dataclass(slots=True)
class Needs:
    """Values that records lack; ``add`` takes the records one after the other."""

    records: int = 0  # how many records were looked at, and how many of them lack something
    lacking: int = 0
    #: Name of a collection -> pointer -> what is missing.
    collections: dict[str, dict[str, MissingValue]] = field(default_factory=dict)
    #: Name of a collection -> name or pattern of a metric -> the bounds that are missing.
    metrics: dict[str, dict[str, MissingBounds]] = field(default_factory=dict)
    #: Model -> key of a table of models -> what is missing.
    models: dict[str, dict[str, MissingValue]] = field(default_factory=dict)
    #: Path -> pointer -> a value that would do.
    files: dict[str, dict[str, str]] = field(default_factory=dict)
    #: (group, key) -> what other records state for it.
    stated: dict[tuple[str, str], Counter[str]] = field(default_factory=dict)
    #: Model -> the collections that it is in; "" for the judge of one.
    collections_of: dict[str, set[str]] = field(default_factory=dict)

    def add(self, record: Object, path: str, questions: list[Question]) -> None:
        """Take in a record and what its conversion asked for."""
        self.records += 1
        self.lacking += bool(questions)
        collection = collection_of(record, path)
        fields = fields_in(record)
        holders = [*models_in(record)]
        self._keep_stated(holders, fields, collection)
        places = _places(fields, holders, [*results_in(record)] if questions else [])
        counted: set[tuple[str, str, str]] = set()
        for question in questions:
            place = generalized(question.pointer)
            holder, key = places.get(question.pointer, (fields, ""))
            if key in BOUNDS:
                self._bound(holder, key, path, collection)
            elif place in places_of("samples_path"):
                self.files.setdefault(path, {})[place] = proposed_samples(record, path)
            elif key:
                name = model_key(holder)
                group = self.models.setdefault(name, {})
                self._place(name, "" if holder.pointer else collection)
                missing = group.setdefault(key, MissingValue(question.otherwise))
                self._count(missing, counted, ("model", name, key))
                if engine := _runner(holder):
                    missing.hints[engine] += 1
            else:
                group = self.collections.setdefault(collection, {})
                value = _PROPOSED if place in places_of("dataset", "*") else question.otherwise
                missing = group.setdefault(place, MissingValue(value))
                self._count(missing, counted, ("collection", collection, place))
                hint, names = HINTS.get(place, ("", ()))
                for stated in islice(filter(None, map(fields.get, names)), 1):
                    missing.hints[f"{hint}: {stated}"] += 1

    @property
    def proposes(self) -> bool:
        """True if a value is a guess, which somebody has to read."""
        asked = (missing for values in self.collections.values() for missing in values.values())
        return bool(self.files) or any(missing.value == _PROPOSED for missing in asked)

    def _place(self, model: str, collection: str) -> None:
        self.collections_of.setdefault(model, set()).add(collection)

    @property
    def alike(self) -> dict[str, list[str]]:
        """Collection -> models that are asked about once for all of it: many lack the same."""
        plain = [
            name
            for name, values in self.models.items()
            if values.keys() <= set(AXES) and not any((name, key) in self.stated for key in values)
        ]
        counts = Counter(c for name in plain for c in self.collections_of[name])
        many = {collection for collection, count in counts.items() if count > _FEW and collection}
        found: dict[str, list[str]] = {}
        for name in plain:
            if self.collections_of[name] <= many:
                for collection in self.collections_of[name]:
                    found.setdefault(collection, []).append(name)
        return found

    def _count(
        self, missing: MissingValue, counted: set[tuple[str, str, str]], key: tuple[str, str, str]
    ) -> None:
        """Count a record once, however many of its results lack the value."""
        missing.records += key not in counted
        counted.add(key)

    def _keep_stated(self, holders: list[Fields], fields: Fields, collection: str) -> None:
        """Remember what a record states, which may be true of others as well."""
        for holder in holders:
            for key in AXES:
                self._state(model_key(holder), key, holder.get(MODEL_KEYS[key]))
        for pointer, name in _STATED.items():
            self._state(collection, pointer, fields.get(name))

    def _state(self, group: str, key: str, text: object) -> None:
        if isinstance(text, str) and text != UNKNOWN:
            self.stated.setdefault((group, key), Counter())[text] += 1

    def _bound(self, result: Fields, key: str, path: str, collection: str) -> None:
        name = metric_names(result)[-1] if metric_names(result) else ""
        missing = self.metrics.setdefault(collection, {}).setdefault(name, MissingBounds())
        missing.keys.add(key)
        missing.records.add(path)
        missing.evaluations.add(str(result.get("name")))
        score = result.get("score")
        if isinstance(score, int | float):
            missing.scores.append(score)
        missing.lower.add(bool(result.get("lower_is_better")))

    def add_run(
        self, path: str, run: Run, undirected: Sequence[Result], axes: Mapping[str, str]
    ) -> None:
        """Take in a run of another program, with the axes of its model.

        ``undirected`` are its results that are left out, because they have no direction.
        """
        self.records += 1
        for result in undirected:
            group = self.metrics.setdefault(run.collection, {})
            missing = group.setdefault(result.metric.name or result.name, MissingBounds())
            missing.keys.add(LOWER)
            missing.records.add(path)
            missing.evaluations.add(result.name)
            missing.scores.append(result.score)
        name = run.model.id or run.model.name
        self.lacking += bool(self._add_model(run.collection, name, axes) or undirected)

    def _add_model(self, collection: str, name: str, axes: Mapping[str, str]) -> bool:
        """Take in the model of a run: axes that are unknown, or an id without an owner."""
        keys = [key for key in AXES if axes.get(key) in (None, UNKNOWN)]
        if lacks_owner(name):
            keys.append("id")
        for key in keys:
            value = name if key == "id" else UNKNOWN
            missing = self.models.setdefault(name, {}).setdefault(key, MissingValue(value))
            self._place(name, collection)
            missing.records += 1
        return bool(keys)

    def metrics_of(self, collection: str) -> Iterator[tuple[str, MissingBounds]]:
        """The metrics of a collection; evaluations that end in the same metric are one pattern."""
        metrics = self.metrics.get(collection, {})
        ends = Counter(name.rpartition(_DASH)[2] for name in metrics if _DASH in name)
        merged: dict[str, MissingBounds] = {}
        for name, missing in metrics.items():
            end = name.rpartition(_DASH)[2]
            is_several = _DASH in name and ends[end] > 1 and "*" not in end
            group = merged.setdefault(f"*{_DASH}{end}" if is_several else name, MissingBounds())
            group.keys |= missing.keys
            group.evaluations |= missing.evaluations
            group.records |= missing.records
            group.scores += missing.scores
            group.lower |= missing.lower
        yield from merged.items()

    @property
    def count(self) -> int:
        """The number of values to fill in."""
        bounds = (m for name in self.metrics for _, m in self.metrics_of(name))
        alike = self.alike
        together = {name for names in alike.values() for name in names}
        models = (values for name, values in self.models.items() if name not in together)
        return (
            sum(len(missing) for missing in self.collections.values())
            + sum(len({k for name in names for k in self.models[name]}) for names in alike.values())
            + sum(map(len, models))
            + sum(len(missing) for missing in self.files.values())
            + sum(len(missing.keys) for missing in bounds)
        )


def _places(
    record: Fields, holders: list[Fields], results: list[Fields]
) -> dict[str, tuple[Fields, str]]:
    """Where a record has what is asked of its models and metrics, and the key in their tables."""
    found = {record.at("model_id"): (record, "id")}  # even if it has no model
    for holder in holders:
        found |= {holder.at(field): (holder, key) for key, field in MODEL_KEYS.items()}
    for result in results:
        found |= {result.at(METRIC_KEYS[key]): (result, key) for key in BOUNDS}
    return found


def _runner(holder: Fields) -> str:
    platform = holder.get("platform")
    if platform and platform != UNKNOWN:
        return f"{holder.key('platform')}: {platform}"
    engine = holder.get("inference_engine")
    name = holder.get("engine") if isinstance(engine, dict) else engine
    return f"{holder.key('inference_engine')}: {name}" if name and name != UNKNOWN else ""


#: Hints that a comment shows, and characters of each.
_HINTS, _LONGEST = 3, 60


class _Emitter(RoundTripEmitter):
    """Writes long keys, as paths are, like short ones; YAML allows 1024 characters."""

    MAX_SIMPLE_KEY_LENGTH = 1000


def needs_text(needs: Needs, target: str) -> str:
    """YAML with comments: each value that is missing, with what is written if it is left as is."""
    sections = (("collections", _collections), ("models", _models), ("files", _files))
    top = CommentedMap((name, table) for name, fill in sections if (table := fill(needs)))
    if needs.proposes:
        top.insert(
            0, REVIEWED, False, "true, when you have read the names and paths proposed below"
        )
    return _head(needs, target) + (_dumped(top) if top else "{}\n")


def _collections(needs: Needs) -> CommentedMap:
    section = CommentedMap()
    alike = needs.alike
    for name in sorted({*needs.collections, *needs.metrics, *alike}):
        table = _add(section, name, CommentedMap())
        _add_models(table, needs, alike.get(name, []))
        for pointer, missing in needs.collections.get(name, {}).items():
            remarks = [_hints(missing, needs.stated.get((name, pointer)))]
            if missing.value is None:
                remarks.append(f"required; {', '.join(words_at(pointer)) or 'a string'}")
            _add(table, pointer, missing.value, f"{_records(missing.records)}", *remarks)
        metrics = sorted(needs.metrics_of(name))
        if metrics:
            table["metrics"] = CommentedMap()
        for metric, bounds in metrics:
            notes = (*_about(bounds), *_of_table(metric, bounds))
            keys = [key for key in METRIC_KEYS if key in bounds.keys]
            _add(table["metrics"], metric, _flow(dict.fromkeys(keys)), *notes)
    return section


def _add_models(table: CommentedMap, needs: Needs, names: list[str]) -> None:
    """Ask once for what all of these models lack: one that differs has a line below `models`."""
    for key, of_model in MODEL_KEYS.items():
        lacking = [value for name in names if (value := needs.models[name].get(key))]
        if lacking:
            hints: Counter[str] = sum((missing.hints for missing in lacking), Counter())
            remark = f"{len(lacking)} models; list those that differ below `models:`"
            need = MissingValue(lacking[0].value, hints=hints)
            _add(table, places_of(of_model)[0], need.value, remark, _hints(need, None))


def _models(needs: Needs) -> CommentedMap:
    section = CommentedMap()
    together = {name for names in needs.alike.values() for name in names}
    for name, values in sorted(needs.models.items()):
        if name in together:
            continue
        row = _flow({key: values[key].value for key in MODEL_KEYS if key in values})
        most = max(missing.records for missing in values.values())
        hints = (_hints(missing, needs.stated.get((name, key))) for key, missing in values.items())
        requirement = ""
        if "id" in values:
            requirement = "id is required" if values["id"].value is None else "no owner in the id"
        _add(section, name, row, _records(most), requirement, *dict.fromkeys(hints))
    return section


def _files(needs: Needs) -> CommentedMap:
    section = CommentedMap()
    for path, places in sorted(needs.files.items()):
        table = _add(section, path, CommentedMap())
        for pointer, value in places.items():
            _add(table, pointer, value)
    return section


def _head(needs: Needs, target: str) -> str:
    lines = [
        f"Required by {target}, but missing from {needs.lacking} of {_records(needs.records)}.",
        "Fill in what you know, and convert with --defaults FILE. Leave `unknown` where you do not",
        "know a value. Replace every null; only bounds may stay null.",
    ]
    keys = {
        key
        for metrics in needs.metrics.values()
        for bounds in metrics.values()
        for key in bounds.keys
    }
    if LOWER in keys:
        lines.append("lower_is_better: true or false; a result without it is left out.")
    if not keys.isdisjoint(BOUNDS):
        lines.append(
            'Bounds: a number, "Infinity" or "-Infinity"; null leaves one open, which the format'
        )
        lines.append("allows and Every Eval Ever's validator rejects. A * matches any characters.")
    model_keys = {key for values in needs.models.values() for key in values}
    lines += [
        f"{key}: {', '.join(words)}"
        for key, field in MODEL_KEYS.items()
        if key in model_keys and (words := words_at(places_of(field)[0]))
    ]
    return "".join(f"# {line}\n" for line in lines)


def _about(bounds: MissingBounds) -> Iterable[str]:
    count = len(bounds.evaluations)
    yield f"{count} evaluation{'s' if count > 1 else ''} in {_records(len(bounds.records))}"
    if bounds.scores:
        yield f"scores {min(bounds.scores):g} to {max(bounds.scores):g}"
    if len(bounds.lower) == 1:
        yield f"{'lower' if True in bounds.lower else 'higher'} is better"


def _of_table(name: str, bounds: MissingBounds) -> Iterable[str]:
    entry = known_metric(name.rpartition("- ")[2])
    if entry is None:
        if LOWER in bounds.keys:
            yield "not in the table of metrics"
    elif entry.lower_is_better is None:
        yield "says how far scores are spread"
    elif entry.scales:
        yield f"{entry.id} by the table of metrics: {entry.scale_words}"


def _records(count: int) -> str:
    return f"{count} record{'s' if count != 1 else ''}"


def _hints(missing: MissingValue, stated: Counter[str] | None) -> str:
    parts = [f"{_short(hint)} ({count})" for hint, count in missing.hints.most_common(_HINTS)]
    if more := len(missing.hints) - _HINTS:
        parts += [f"{more} more"] if more > 0 else []
    for value, count in (stated or Counter()).most_common(_HINTS):
        parts.append(f"{_records(count)} state{'s' if count == 1 else ''} {_short(value)}")
    return ", ".join(parts)


def _short(text: str) -> str:
    text = redacted(text)
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _flow(values: dict[str, str | None]) -> CommentedMap:
    table = CommentedMap((key, plain_yaml(value)) for key, value in values.items())
    table.fa.set_flow_style()
    return table


def _add(table: CommentedMap, key: str, value: object, *remarks: str) -> CommentedMap:
    name = plain_yaml(key)
    table[name] = value if isinstance(value, CommentedMap) else plain_yaml(value)
    if remark := "; ".join(filter(None, remarks)):
        table.yaml_add_eol_comment(shown_line(remark), name, column=0)
    added: CommentedMap = table[name]
    return added


def _dumped(top: CommentedMap) -> str:
    yaml = YAML()
    yaml.width = 1_000_000
    yaml.Emitter = _Emitter
    # Without this, null is written as nothing.
    yaml.representer.add_representer(
        type(None), lambda dumper, _: dumper.represent_scalar("tag:yaml.org,2002:null", "null")
    )
    stream = io.StringIO()
    yaml.dump(top, stream)
    return stream.getvalue()
