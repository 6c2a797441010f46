"""Scoring in one call, for notebooks: files and a model to a run with its tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import fields, replace
from difflib import get_close_matches
from functools import partial
from inspect import Parameter, Signature, signature
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, get_args, get_origin, overload

from evalmark.schemas.errors import ScoringError, UsageError, missing_is_ours
from evalmark.scoring.model_jobs import ModelJob, folders, run_models
from evalmark.scoring.models.checkpoints import with_checkpoints
from evalmark.scoring.models.load_models import given_model
from evalmark.scoring.models.protocols import (
    ForeignModel,
    LanguageModel,
    MaskedLanguageModel,
)
from evalmark.scoring.pairs.pair_output import PAIR_RUN_WITH_TOKENS
from evalmark.scoring.runs.finished_run import FinishedRun, finished
from evalmark.scoring.runs.run_files import own_folder
from evalmark.scoring.score_call import OF_NAMES, ScoreCall
from evalmark.scoring.score_options import ScoreOptions
from evalmark.validator.findings.phrasing import listed
from evalmark.validator.io.terminal import counting
from evalmark.validator.io.writing import write_atomically
from evalmark.validator.options.declaration import declared_in
from evalmark.validator.settings.config import load_config

#: Files and folders; or minimal pairs, as a frame or as rows.
Files: TypeAlias = str | Path | Iterable[str | Path] | Iterable[Mapping[str, object]]
#: A name, a model that evalmark has loaded, or one of ``transformers``.
AnyModel: TypeAlias = str | Path | LanguageModel | MaskedLanguageModel | ForeignModel
#: The method by which each library of frames gives rows.
_ROWS = ("to_dict", "records"), ("to_dicts",), ("to_pylist",)


#: The options of ``evalmark score``, but for what is scored, and with what.
_OPTIONS = {
    name: how for name, how in declared_in(ScoreOptions).items() if name not in ("paths", "model")
}


@overload
def score(
    files: Files, model: AnyModel | None = None, *, tokenizer: object = None, progress: bool = True,
    **options: Any,
) -> FinishedRun: ...  # fmt: skip
@overload
def score(
    files: Files, model: list[AnyModel] | tuple[AnyModel, ...], *, tokenizer: object = None,
    progress: bool = True, **options: Any,
) -> list[FinishedRun]: ...  # fmt: skip
def score(
    files: Any, model: Any = None, *, tokenizer: object = None, progress: bool = True,
    **options: Any,
) -> FinishedRun | list[FinishedRun]:  # fmt: skip
    """Score suites or minimal pairs with a model, or with each model of a list.

    The settings of the current folder hold, as in ``evalmark score``.

    Args:
        files: Files and folders: suites, or minimal pairs; or ``demo``, a suite of evalmark.
            Minimal pairs may be a frame of pandas, polars or pyarrow too, or dictionaries: its
            columns are the keys of a set, such as ``sentence_good``, ``sentence_bad`` and ``UID``.
        model: A folder, a name on the Hugging Face Hub or ``demo``; a model of ``load_model`` or,
            with its ``tokenizer``, of transformers; or a list of these. None for ``surprisals``.
        tokenizer: The tokenizer of a model of transformers.
        progress: Whether a bar is drawn where there is a terminal or a notebook.
        options: The options of ``evalmark score`` by their names, with ``_`` for ``-``: ``out``,
            ``limit``, ``like``, ``dtype`` and others; None is not given. Without ``out``, nothing
            is written.

    Returns:
        The run, whose tables are frames: ``run.regions``, ``run.tokens``, ``run.effects``,
        ``run.to_frame()``; ``print(run)`` is its table. For a list of models, a list of runs.

    Raises:
        TypeError: There is no such option; the message names those that there are.
        EvalmarkError: A file or a model cannot be used, or does not exist.
        OSError: A file cannot be read or written.
    """
    for name in options.keys() - _OPTIONS.keys():
        raise TypeError(_no_such_option(name))
    chosen = {name: _option(name, value) for name, value in options.items() if value is not None}
    several = not isinstance(model, str | Path) and isinstance(model, Iterable)
    models: list[Any] = [*model] if several else [] if model is None else [model]
    with ExitStack() as kept:
        with missing_is_ours():
            given = _given(files)
            rows = [row for row in given if isinstance(row, Mapping)]
            paths = _file_of(rows, kept) if rows else [*map(str, given)]
            wanted = ScoreOptions(paths=paths, model=[*map(_name, models)], **chosen)
            call = ScoreCall.of(wanted, load_config())
            if rows and not call.pairs:
                raise ScoringError(_not_pairs(rows[0]))
            jobs = [job for entry in models for job in _jobs(entry, call, chosen, tokenizer)]
            if len(jobs) > 1 and not several:
                raise ScoringError(f"{model} is {len(jobs)} checkpoints: give it in a list")
            places = folders([job.model for job in jobs], wanted.out)
            jobs = [replace(job, folder=out) for job, out in zip(jobs, places, strict=True)]
            files = call.load()
        for place in filter(None, places or [wanted.out]):
            kept.enter_context(own_folder(place, overwrite=wanted.overwrite))
        runs = [_finish(scores, call, job) for job, scores in _scores(call, files, jobs, progress)]
    return runs if several else runs[0]


# Notebooks complete the options, and `help` lists them.
_USUAL = {each.name: each.default for each in fields(ScoreOptions)}
_OWN = [each for each in signature(score).parameters.values() if each.kind is not each.VAR_KEYWORD]
vars(score)["__signature__"] = Signature(
    [*_OWN, *(Parameter(name, Parameter.KEYWORD_ONLY, default=_USUAL[name], annotation=kind)
              for name, (kind, _) in _OPTIONS.items())]
)  # fmt: skip


def _scores(
    call: ScoreCall, files: Sequence[Any], jobs: Sequence[ModelJob], progress: bool
) -> Iterator[tuple[ModelJob, Any]]:
    counted = partial(counting, "scoring", enabled=progress, patience=0)
    done: Iterable[tuple[ModelJob, Any]] = run_models(jobs, call.task(files), counting=counted)
    if not jobs:
        done = [(ModelJob("", call.options.out), call.recorded(files))]
    for job, scores in done:
        if isinstance(scores, Exception):
            raise scores
        if scores.unused:
            raise scores.unused[0].error
        yield job, scores


def _option(name: str, value: Any) -> Any:
    if name == "leading_space" and isinstance(value, bool):
        value = "yes" if value else "no"
    kind, option = _OPTIONS[name]
    repeated = get_origin(kind) is Sequence
    values = [*value] if repeated and not isinstance(value, str | Path) else [value]
    if Path in get_args(kind):
        values = [*map(Path, values)]
    if parser := option.keywords.get("parser"):
        values = [*map(parser, values)]
    if int in (kind, *get_args(kind)):
        least = option.keywords.get("min", 0)
        for number in values:
            if type(number) is not int or number < least:
                raise UsageError(f"{name} is {number!r}; expected a whole number from {least} on")
    return tuple(values) if repeated else values[0]


def _name(model: object) -> str:
    return str(model) if isinstance(model, str | Path) else type(model).__name__


def _jobs(
    model: Any, call: ScoreCall, chosen: Mapping[str, Any], tokenizer: object
) -> list[ModelJob]:
    """A model by name, with its checkpoints, or one that the caller has loaded."""
    if isinstance(model, str | Path):
        if tokenizer is not None:
            raise ScoringError("tokenizer is of a loaded model; a name has its own")
        names = with_checkpoints([str(model)], call.options.revision)
        return [ModelJob(name) for name in names]
    of_names = {name for name in OF_NAMES if name in chosen}
    if hasattr(model, "tokenize") and hasattr(model, "info"):
        more = {"bos"} & chosen.keys() | ({"tokenizer"} if tokenizer is not None else set())
        _require_none(of_names | more, "a model of load_model")
        return [ModelJob(model.info.id, loaded=model)]
    _require_none(of_names - {"kind", "model_id"}, "a loaded model")
    bos, options = call.settings.bos, call.options
    loaded = given_model(model, tokenizer, bos=bos, kind=options.kind, model_id=options.model_id)
    return [ModelJob(loaded.info.id, loaded=loaded)]


def _require_none(options: Iterable[str], noun: str) -> None:
    for name in options:
        raise ScoringError(f"{name} does not apply to {noun}")


def _no_such_option(name: str) -> str:
    known = ["files", "model", "tokenizer", "progress", *_OPTIONS]
    (close, *_) = (*get_close_matches(name, known, n=1), "")
    meant = f"; did you mean {close!r}?" if close else "."
    return f"score() has no argument {name!r}{meant} It has: {', '.join(known)}"


def _given(files: Any) -> list[Any]:
    """The files of a call, or the rows of a frame."""
    if isinstance(files, str | Path):
        return [files]
    for name, *how in _ROWS:
        if hasattr(files, name):
            if rows := list(getattr(files, name)(*how)):
                return rows
            raise ScoringError("the frame has no rows")
    return list(files)


def _file_of(rows: Iterable[Mapping[str, object]], kept: ExitStack) -> list[str]:
    """Rows of pairs as a file, which is deleted when the call ends."""
    path = Path(kept.enter_context(TemporaryDirectory(prefix="evalmark-"))) / "pairs.jsonl"
    try:
        lines = [json.dumps(_present(row), default=_plain, allow_nan=False) for row in rows]
    except ValueError as error:
        raise ScoringError("a cell is infinite, or holds itself") from error
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode())
    return [str(path)]


def _not_pairs(row: Mapping[str, object]) -> str:
    return (
        f"rows with the columns {listed(row)} are not minimal pairs: expected those of a set, such "
        "as sentence_good and sentence_bad, or pairs=['good=COLUMN', 'bad=COLUMN']"
    )


def _present(row: Mapping[str, object]) -> dict[str, object]:
    """A row without the cells that are missing: NaN is not equal to itself."""
    return {str(key): cell for key, cell in row.items() if cell is not None and cell == cell}


def _plain(cell: Any) -> Any:
    if not hasattr(cell, "item"):
        raise ScoringError(f"a cell is a text or a number, not {type(cell).__name__}")
    return cell.item()


def _finish(scores: Any, call: ScoreCall, job: ModelJob) -> FinishedRun:
    run = call.run_of(scores, PAIR_RUN_WITH_TOKENS if call.pairs else call.content)
    if job.folder is not None:
        run = call.write(run, job.folder, weights=job.weights).run
    return finished(run)
