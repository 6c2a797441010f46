"""Records and their samples, read as runs: the same for every version, whoever wrote them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache, partial
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO

from evalmark.converters.records.run import (
    Answer,
    Dataset,
    Metric,
    Model,
    Producer,
    Result,
    Run,
    Sample,
    SampleStream,
    Turn,
)
from evalmark.converters.step import as_text
from evalmark.schemas.backend import Backend, backend_for
from evalmark.schemas.errors import ScoringError
from evalmark.validator.checker import Checker
from evalmark.validator.format import Document
from evalmark.validator.formats.builtin import identify
from evalmark.validator.formats.records.record_fields import (
    CALL_FIELDS,
    JUDGE_FIELDS,
    RESULT_FIELDS,
    SampleLayout,
    sample_layout,
)
from evalmark.validator.formats.records.record_view import RecordResult, RecordView, view_of
from evalmark.validator.formats.records.samples.companions import Companion, companion
from evalmark.validator.formats.shared.field_layout import (
    Fields,
    Layout,
    reader,
    relaid,
    replaced,
)
from evalmark.validator.formats.shared.json_values import mapping, number, timestamp
from evalmark.validator.reading.reading import read

Object = Mapping[str, Any]
#: Errors of a member that is missing, or that has another kind of value than it should.
MALFORMED = (AttributeError, LookupError, TypeError, ValueError, ArithmeticError, RecursionError)


def run_of_record(path: Path, data: Object) -> Run:
    """The run of a parsed record; its samples are read from their file when they are asked for.

    Raises:
        ScoringError: It is not a valid record; the samples raise it if a line is not a sample.
    """
    document = identify(data, "record")
    try:
        return _run(path, document)
    except MALFORMED as error:
        if Checker().file(path).ok:
            raise  # a bug of ours
        raise ScoringError(f"{path} is not a valid record: `evalmark check` says why") from error


def rows_of(samples: Companion, checksum: str = "") -> Iterator[dict[str, Any]]:
    """The rows of a sample file; raises ScoringError if a line is not a sample.

    A file with the ``checksum`` (SHA-256) that its record states is as it was written, so that its
    rows are parsed without a second look.
    """
    with samples.opened() as file:
        backend = backend_for([file.seek(0, 2)])
        file.seek(0)
        loads = json_parser(backend) if checksum and _digest(file) == checksum else None
        file.seek(0)
        for number, line in enumerate(file, 1):
            if stripped := line.strip():
                try:
                    row = loads(stripped) if loads else read(stripped, "row.json", backend).data
                except ValueError:  # the checksum of a file that never was whole
                    row = None
                if type(row) is not dict:
                    raise ScoringError(f"{samples.path}, line {number}: not a sample")
                yield row


def _digest(file: BinaryIO) -> str:
    digest = sha256()
    while piece := file.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()


def json_parser(backend: Backend) -> Callable[[bytes | str], Any]:
    """The fastest parser of JSON for a backend."""
    if backend is Backend.NATIVE:
        import orjson  # an extra

        return orjson.loads
    return json.loads


def _run(path: Path, document: Document) -> Run:
    data, view = document.data, view_of(document)
    _require_objects([view], but=view.layout.get("urls", ()))
    _require_objects(view.results)
    samples = companion(data, str(path))
    lacks = "it names no sample file that can be read" if samples is None else ""
    if samples is not None and samples.problem is not None:
        lacks = samples.problem.message
    results = tuple(_result(result, view.judge_layout) for result in view.results)
    names = frozenset(result.name for result in results)
    return Run(
        collection=str(view.evaluation_id or "").partition("/")[0],
        time=int(timestamp(view.retrieved) or 0),
        model=Model(
            id=str(view.model_id or path),
            name=str(view.model_name or view.model_id or path),
            engine=_name_and_version(view.engine, view.get("engine_version")),
            details=_texts(view.get("about_model")),
            developer=view.developer,
            platform=view.platform,
        ),
        producer=Producer(
            organization=view.organization,
            relationship=view.relationship,
            name=view.source_name or "",
            library=_name_and_version(view.library, view.library_version),
            details=_texts(view.get("about_source")),
        ),
        results=results,
        samples=()
        if samples is None or lacks
        else SampleStream(partial(_samples, samples, _checksum(view), document.version, names)),
        path=path,
        lacks=lacks,
    )


def _require_objects(parts: Sequence[Fields], but: Collection[str] = ()) -> None:
    """Refuse a record whose parts are not objects; before 0.2.0 ``source_data`` may be a list."""
    layout = parts[0].layout if parts else {}
    keys = {path[0] for path in layout.values() if len(path) > 1} - {*but}
    for part in parts:
        for key in keys:
            if not isinstance(part.data.get(key), dict | None):
                raise TypeError(f"{part.pointer}/{key} is not an object")


def _checksum(record: RecordView) -> str:
    is_sha256 = record.get("samples_algorithm") == "sha256"
    return str(record.get("samples_checksum") or "") if is_sha256 else ""


def _name_and_version(program: str | None, version: object) -> tuple[str, str] | None:
    return None if program is None else (program, as_text(version or ""))


def _texts(details: object) -> dict[str, str]:
    return {key: as_text(value) for key, value in mapping(details).items()}


def _as_in_runs(result: RecordResult, judge: Layout) -> Fields:
    """A result with its fields where runs have them: these hold some of its objects as they are."""
    found = Fields(relaid(result.data, result.layout, RESULT_FIELDS), "", RESULT_FIELDS)
    if judge is JUDGE_FIELDS or not found.entries("judges"):
        return found
    judges = [relaid(mapping(each), judge, JUDGE_FIELDS) for each in found.entries("judges")]
    return Fields(replaced(found.data, RESULT_FIELDS["judges"], judges), "", RESULT_FIELDS)


def _result(result: RecordResult, judge: Layout) -> Result:
    name, identity, direction = str(result.name), result.identity, result.lower_is_better
    in_runs = _as_in_runs(result, judge)
    return Result(
        name=str(identity or name),
        dataset=Dataset(
            name=result.dataset or "",
            repo=result.hf_repo,
            split=result.hf_split,
            size=result.get("samples_number"),
            details=_texts(result.get("about_data")),
        ),
        metric=Metric(
            str(result.description or ""),
            result.metric_name,
            result.get("kind"),
            result.unit,
            lower_is_better=direction if isinstance(direction, bool) else None,
            bounds=_bounds(result),
            judging=in_runs.get("judging"),
            details=_texts(result.get("about_metric")),
            id=result.metric_id,
        ),
        score=_score(result),
        uncertainty=in_runs.get("uncertainty"),
        details=_texts(result.get("details")),
        arguments=mapping(in_runs.get("arguments")),
        settings=_texts(result.get("more_settings")),
        evaluation=name,
        key=str(identity or ""),
    )


def _bounds(result: RecordResult) -> tuple[float, float] | None:
    return None if result.low is None or result.high is None else (result.low, result.high)


def _score(result: RecordResult) -> float:
    if result.score is None:
        raise ValueError("a result has no score")
    return result.score


#: The fields of a row that a run has.
_OF_ROW = (
    "identity", "evaluation_name", "sample_id", "evaluation", "score", "is_correct", "raw",
    "reference", "choices", "output", "turns", "attributions", "metadata", "error",
)  # fmt: skip


@cache
def _row_reader(version: str | None) -> Callable[[Object], tuple[Any, ...]]:
    return reader(sample_layout(version).row, dict.fromkeys(_OF_ROW, "Any"))


def _samples(
    samples: Companion, checksum: str, version: str | None, names: frozenset[str]
) -> Iterator[Sample]:
    read_row, layouts = _row_reader(version), sample_layout(version)
    for line, data in enumerate(rows_of(samples, checksum), 1):
        try:
            sample = _sample(names, read_row(data), layouts)
        except MALFORMED as error:
            raise ScoringError(
                f"{samples.path} is not a valid sample file (sample {line}): `evalmark check` "
                "says why"
            ) from error
        if sample is not None:
            yield sample


def _sample(names: frozenset[str], row: tuple[Any, ...], layouts: SampleLayout) -> Sample | None:
    """The sample of a row; None if it has no score, or is of a result that the run lacks."""
    (
        identity, evaluation_name, sample_id, evaluation, score, is_correct, raw,
        reference, choices, output, turns, attributions, metadata, error,
    ) = row  # fmt: skip
    name = identity if identity in names else evaluation_name
    if name not in names:
        return None
    if type(evaluation) is not dict:
        raise TypeError("a sample without an evaluation")
    if type(score) is not float:
        score = number(score)
    if score is None or math.isnan(score):
        return None
    if raw is None or sample_id is None:
        raise LookupError("a sample without an input or an id")
    sample = Sample(
        str(name),
        str(sample_id),
        raw,
        tuple(reference) if type(reference) is list else (),
        tuple(output) if type(output) is list else (),
        is_correct if type(is_correct) is bool else None,
        metadata or {},
        score,
        choices=tuple(choices) if choices else (),
        error=error,
    )
    if turns and output is None:
        sample.turns = tuple(_turn(Fields(turn, "", layouts.turn), layouts.call) for turn in turns)
        sample.answers = tuple(_answers(attributions or (), layouts.attribution))
    return sample


def _turn(turn: Fields, call: Layout) -> Turn:
    if not turn.has("role"):
        raise LookupError("a turn without a role")
    calls = tuple(relaid(each, call, CALL_FIELDS) for each in turn.entries("calls"))
    return Turn(str(turn.get("role")), turn.get("content"), calls)


def _answers(answers: Sequence[Any], layout: Layout) -> Iterator[Answer]:
    for answer in (Fields(data, "", layout) for data in answers):
        yield Answer(
            int(answer.number("turn") or 0),
            str(answer.get("source")),
            as_text(answer.get("value")),
            str(answer.get("method")),
            bool(answer.get("is_terminal")),
        )
