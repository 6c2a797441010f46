"""The results that a model card reports: ``model-index`` in the front matter of its README.md."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace

from evalmark.converters.importers.imported import Header, ImportSource, with_own_names
from evalmark.converters.records.run import Dataset, Metric, Model, Result, Run
from evalmark.converters.sources.documents import parsed
from evalmark.converters.sources.node import Node, is_number
from evalmark.converters.sources.supplied import (
    texts,
)
from evalmark.schemas.errors import ConversionError
from evalmark.validator.findings.finding import Finding
from evalmark.validator.io.opening import read_whole
from evalmark.validator.reading.reading import read

_FRONT = re.compile(rb"\A---[ \t]*\r?\n(.*?)^---[ \t]*\r?$", re.DOTALL | re.MULTILINE)
#: A number that only some parsers of YAML take for one.
_NUMBER = re.compile(r"[-+]?(\.\d+|(0|[1-9]\d*)(\.\d*)?)([eE][-+]?\d+)?")
_HUB = re.compile(r"[A-Za-z0-9][\w.-]*/[\w.-]+")


def read_model_index(source: ImportSource) -> Iterator[Run]:
    """A run for each model of the index; mostly there is one. A card does not say when."""
    path, left_out = source.path, source.left_out
    raw = read_whole(path)
    front = _FRONT.match(raw)
    if front is None:
        raise ConversionError(f"{path.name}:1:1: no front matter: it begins and ends with ---")
    card = parsed(_plain(front[1]), path.name, left_out, syntax="yaml", line=2)
    if not isinstance(card.value, dict) or not card.has("model-index"):
        raise ConversionError(f"{path.name}: the front matter has no model-index")
    models = list(card.each("model-index"))
    about = card.rest("card.")
    if raw[front.end() :].strip():
        left_out[f"{path.name} : the text below the front matter"] += 1
    for model in models:
        name = model.text("name")
        results = with_own_names([r for entry in model.each("results") for r in _results(entry)])
        if not results:
            model.fail("no result with a number")
        details = {**about, **model.rest("model-index.")}
        header = Header(
            "model-index",
            None,
            Model(name, name, details=details),
            "model card",
            is_run=False,
        )
        yield source.run(header, results, of_many=len(models) > 1)


def _plain(raw: bytes) -> bytes:
    """YAML in which what its parsers differ on has one meaning: a number, or else a text.

    Cards are not ours to correct: ``language: no`` and ``date: 2024-05-01`` are texts here.
    """
    findings = read(raw, "x.yaml").findings
    if not findings or any(f.code != "F015" or f.span is None for f in findings):
        return raw
    lines = raw.decode("utf-8").split("\n")
    for finding in sorted(findings, key=_place, reverse=True):
        line, column, _, end = finding.span or (1, 1, 1, 1)
        text = lines[line - 1]
        word = text[column - 1 : end - 1]
        plain = repr(float(word)) if _NUMBER.fullmatch(word) else json.dumps(word)
        lines[line - 1] = text[: column - 1] + plain + text[end - 1 :]
    return "\n".join(lines).encode("utf-8")


def _place(finding: Finding) -> tuple[int, ...]:
    return tuple(finding.span or ())


def _results(entry: Node) -> Iterator[Result]:
    """Each metric of a task and data set."""
    task, source = entry.at("task", {}), entry.at("source", {})
    data = entry.at("dataset")
    place, name = data.text("type"), data.text("name", None)
    config, split = data.plain("config"), data.plain("split")
    about = {
        **texts(config=config, split=split),
        **data.rest(),
        **{f"task.{key}": value for key, value in task.rest().items()},
    }
    metrics = list(entry.each("metrics"))
    shared = {**source.rest("source."), **entry.rest()}
    for metric in metrics:
        kind = metric.text("type")
        value = metric.fields.get("value")
        if not is_number(value):
            metric.skip_all(why="its value is not a number")
            continue
        metric.plain("value")
        title = metric.text("name", None)
        parts = [name or place, *(str(part) for part in (config, split) if part), title or kind]
        yield Result(
            name="/".join(part.replace("/", "_") for part in parts),
            dataset=Dataset(
                name or place,
                repo=place if _HUB.fullmatch(place) else None,
                split=split if isinstance(split, str) else None,
                details={**about, "type": place},
            ),
            metric=_metric(kind, title, name or place),
            score=float(value),
            details={**shared, **metric.rest("metric.")},
        )


def _metric(kind: str, title: str | None, data: str) -> Metric:
    """A metric, which is known by its type or by its name if they do not contradict."""
    name = title or kind
    metric = Metric.of_table(f"{name} on {data}", kind, title)
    return replace(metric, name=name).with_details({} if metric.bounds else {"bounds": "unknown"})
