"""Needs of records as a YAML file to fill in, which is read again as a file of defaults."""

from __future__ import annotations

import io
from collections import Counter
from collections.abc import Iterable

from evalmark.converters.overrides.defaults import MODEL_KEYS
from evalmark.converters.overrides.needs import MissingBounds, MissingValue, Needs
from evalmark.converters.overrides.places import BOUNDS, LOWER, METRIC_KEYS, REVIEWED
from evalmark.converters.overrides.schema_values import words_at
from evalmark.converters.yaml_text import plain_yaml
from evalmark.schemas.metrics.known_metrics import known_metric
from evalmark.validator.io.escaping import shown_line
from evalmark.validator.io.redaction import redacted
from ruamel.yaml import YAML
from ruamel.yaml.comments import CommentedMap
from ruamel.yaml.emitter import RoundTripEmitter

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
    for key, end in MODEL_KEYS.items():
        lacking = [value for name in names if (value := needs.models[name].get(key))]
        if lacking:
            hints: Counter[str] = sum((missing.hints for missing in lacking), Counter())
            remark = f"{len(lacking)} models; list those that differ below `models:`"
            one = MissingValue(lacking[0].value, hints=hints)
            _add(table, f"/model_info/{end}", one.value, remark, _hints(one, None))


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
        for key, end in MODEL_KEYS.items()
        if key in model_keys and (words := words_at(f"/model_info/{end}"))
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
    """A remark on a metric's entry in the table of metrics, or on its absence."""
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
