"""Scoring in one call, for notebooks: files and a model to a run with its tables."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from contextlib import ExitStack
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, TypedDict, Unpack, overload

from evalmark.converters.records.run import Producer
from evalmark.schemas.errors import ScoringError, missing_is_ours
from evalmark.scoring.contest_run import AnyTask, ContestTask
from evalmark.scoring.demo_files import with_demo_suite
from evalmark.scoring.jobs import ModelJob, folders, run_models
from evalmark.scoring.models.load_models import given_model
from evalmark.scoring.models.protocols import (
    ForeignModel,
    LanguageModel,
    MaskedLanguageModel,
)
from evalmark.scoring.pairs.load_pairs import load_pairs, pair_paths
from evalmark.scoring.pairs.pair_output import PAIR_RUN_WITH_TOKENS
from evalmark.scoring.pairs.pair_run import PairContests, PairSettings
from evalmark.scoring.runs.finished_run import FinishedRun, finished
from evalmark.scoring.runs.run_files import ResultFiles, own_folder, run_of, run_time, write_run
from evalmark.scoring.score_settings import (
    Chosen,
    Computing,
    Settings,
    SettingsChoice,
    choice_of,
    settings_of,
)
from evalmark.scoring.suites.suite_loading import load_suites
from evalmark.scoring.suites.suite_output import SUITE_RUN
from evalmark.scoring.suites.suite_run import SuiteContests
from evalmark.validator.io.terminal import counting
from evalmark.validator.io.writing import write_atomically
from evalmark.validator.settings.config import Config, load_config

#: Files and folders; or minimal pairs, as a frame or as rows.
Files: TypeAlias = str | Path | Iterable[str | Path] | Iterable[Mapping[str, object]]
#: A name, a model that evalmark has loaded, or one of ``transformers``.
Model: TypeAlias = str | Path | LanguageModel | MaskedLanguageModel | ForeignModel
#: The method by which each library of frames gives rows.
_ROWS = ("to_dict", "records"), ("to_dicts",), ("to_pylist",)


class ScoreArguments(TypedDict, total=False):
    """The arguments of ``score``: the options of ``evalmark score``; None is not given."""

    tokenizer: object  # the tokenizer of a model of transformers
    #: The folder to write; for a list of models, one with a folder for each. Without it, nothing is
    #: written.
    out: str | Path | None
    overwrite: bool  # whether that folder may have content
    limit: int | None  # the number of items to take from each file; None for all
    #: Whether a bar is drawn where there is a terminal or a notebook; it is by default.
    progress: bool
    settings: Settings | None  # how sentences become numbers, in place of the options for that
    #: The settings of another program, for minimal pairs: ``babylm``, ``lm-eval`` or ``minicons``.
    #: Options that are given as well override them.
    like: str | None
    #: How the texts of minimal pairs are compared; each set has its own by default.
    method: str | None
    bos: str | None  # see ``Settings``, as for the next options
    #: For a first token without BOS: ``undefined``, ``zero`` or ``excluded``.
    first_token: str | None
    leading_space: bool | None  # whether a space is put before texts of minimal pairs
    masked_method: str | None  # for masked models: ``within-word`` or ``original``
    join: str | None  # how the regions of suites become sentences
    undefined: str | None  # for undefined values: ``refuse`` or ``false``
    boundary: str | None  # for suites: ``none`` or ``corrected``
    regions: str | None  # for suites: ``all`` or ``predicted``
    metric: str | None  # the metric of a suite that names none, or several
    predictions: str | Path | None  # a file of predictions for suites that have none
    model_id: str | None  # the id of the model in the record
    revision: str | None  # branch, tag or commit on the hub, or a checkpoint in a folder
    dtype: str | None  # see ``load_model``, as for the next options
    device: str | None  # ``cpu``, ``cuda``, ``mps`` or ``auto``
    kind: str | None  # ``causal``, ``masked``, ``mntp`` or ``auto``
    allow_pickle: bool | None  # whether pickled weights are accepted: they can execute code
    trust_remote_code: bool | None  # whether the code that comes with a model is run
    device_map: str | None  # how a model is shared among devices


#: Options that ``load_model`` takes, and those of texts, of suites and of minimal pairs alone.
_LOADING = (
    "model_id", "revision", "dtype", "device", "kind", "allow_pickle", "trust_remote_code",
    "device_map",
)  # fmt: skip
_CHOSEN = ("bos", "first_token", "leading_space", "method", "masked_method")
_TEXTS = ("like", *_CHOSEN, "join", "undefined", "boundary", "regions")
_OF_SUITES = ("join", "boundary", "regions", "metric", "predictions")
_OF_PAIRS = ("like", "method", "leading_space")


@overload
def score(files: Files, model: Model, **options: Unpack[ScoreArguments]) -> FinishedRun: ...
@overload
def score(
    files: Files, model: list[Model] | tuple[Model, ...], **options: Unpack[ScoreArguments]
) -> list[FinishedRun]: ...
def score(
    files: Any, model: Any, **options: Unpack[ScoreArguments]
) -> FinishedRun | list[FinishedRun]:
    """Score suites or minimal pairs with a model, or with each model of a list.

    The settings of the current folder hold, as in ``evalmark score``.

    Args:
        files: Files and folders: suites, or minimal pairs; or ``demo``, a suite of evalmark.
            Minimal pairs may be a frame of pandas, polars or pyarrow too, or dictionaries: its
            columns are the keys of a set, such as ``sentence_good``, ``sentence_bad`` and ``UID``.
        model: A folder, a name on the Hugging Face Hub or ``demo``; a model of ``load_model`` or,
            with its ``tokenizer``, of transformers; or a list of these.
        options: ``out``, ``limit``, ``like``, ``dtype`` and others: see ``ScoreArguments``.

    Returns:
        The run, whose tables are frames: ``run.regions``, ``run.tokens``, ``run.effects``,
        ``run.to_frame()``; ``print(run)`` is its table. For a list of models, a list of runs.

    Raises:
        TypeError: There is no such option; the message names those that there are.
        EvalmarkError: A file or a model cannot be used, or does not exist.
        OSError: A file cannot be read or written.
    """
    for name in options.keys() - ScoreArguments.__annotations__:
        raise TypeError(_no_such_option(name))
    given = {name: value for name, value in options.items() if value is not None}
    config = load_config()
    several = not isinstance(model, str | Path) and isinstance(model, Iterable)
    settings, choice = _settings(given, config)
    loading = _some(given, _LOADING)
    loaded = [
        _loaded(each, given, settings.bos, loading) for each in (model if several else [model])
    ]
    models = [each if isinstance(each, str) else each.info.id for each in loaded]
    with ExitStack() as kept, missing_is_ours():
        rest = {"bos": settings.bos, **loading}, Computing(**config.score), run_time()
        paths = with_demo_suite(map(str, _paths(files, kept)))
        content, task = _task(paths, config, settings, choice, given, rest)
    out = options.get("out")
    places = folders(models, None if out is None else Path(out))
    runs: list[FinishedRun] = []
    with ExitStack() as locks:
        for place in filter(None, places):
            locks.enter_context(own_folder(place, overwrite=options.get("overwrite", False)))
        jobs = [
            ModelJob(name, place, None if isinstance(each, str) else each)
            for name, place, each in zip(models, places, loaded, strict=True)
        ]
        enabled = options.get("progress", True)
        counted = partial(counting, "scoring", enabled=enabled, patience=0)
        for job, scores in run_models(jobs, task, counting=counted):
            if isinstance(scores, Exception):
                raise scores
            if scores.unused:
                raise scores.unused[0].error
            runs.append(_finished(scores, content, job.folder, config))
    return runs if several else runs[0]


def _settings(given: Mapping[str, Any], config: Config) -> tuple[Settings, SettingsChoice]:
    """How texts become numbers, and what a name decides of it."""
    settings: Settings | None = given.get("settings")
    texts = _some(given, _TEXTS)
    if settings is not None and (also := texts.keys() - {"method"}):
        raise ScoringError(f"settings and {min(also)} exclude each other")
    choice = choice_of(given.get("like"), Chosen(**_some(given, _CHOSEN)))
    if settings is None:
        rest = _some(given, ("undefined", "boundary", "regions"))
        settings = settings_of(choice, given.get("join", config.join), **rest)
    return settings, choice


def _task(
    paths: list[str],
    config: Config,
    settings: Settings,
    choice: SettingsChoice,
    given: Mapping[str, Any],
    rest: tuple[Any, ...],
) -> tuple[ResultFiles[Any], AnyTask[Any]]:
    """The content of the files of a run, and the work of each model."""
    limit = given.get("limit")
    if found := pair_paths(paths, config.pairs):
        _require_none(_some(given, _OF_SUITES), "minimal pairs")
        pairs = load_pairs(
            found, method=choice.chosen.method, limit=limit, tables=config.pairs,
            reading=choice.reading, like=choice.like,
        )  # fmt: skip
        chosen = PairSettings(settings, choice.chosen.method, choice.ties, choice.reading)
        return PAIR_RUN_WITH_TOKENS, ContestTask(PairContests, pairs, chosen, *rest)
    _require_none(_some(given, _OF_PAIRS), "suites")
    stated = given.get("predictions")
    suites = load_suites(
        paths, join=settings.join, metric=given.get("metric"), limit=limit,
        predictions=None if stated is None else Path(stated),
    )  # fmt: skip
    return SUITE_RUN, ContestTask(SuiteContests, suites, settings, *rest)


def _some(given: Mapping[str, Any], names: Iterable[str]) -> dict[str, Any]:
    """Those of the options that were given."""
    return {name: given[name] for name in names if name in given}


def _require_none(options: Mapping[str, object], what: str) -> None:
    for name in options:
        raise ScoringError(f"{name} does not apply to {what}")


def _no_such_option(name: str) -> str:
    known = ["files", "model", *ScoreArguments.__annotations__]
    (close, *_) = (*get_close_matches(name, known, n=1), "")
    meant = f"; did you mean {close!r}?" if close else "."
    return f"score() has no argument {name!r}{meant} It has: {', '.join(known)}"


def _loaded(
    model: Any, given: Mapping[str, Any], bos: str, loading: Mapping[str, Any]
) -> str | LanguageModel | MaskedLanguageModel:
    """A name as it is, or a model that the caller has loaded."""
    tokenizer = _some(given, ["tokenizer"])
    if isinstance(model, str | Path):
        if tokenizer:
            raise ScoringError("tokenizer is of a loaded model; a name has its own")
        return str(model)
    if hasattr(model, "tokenize") and hasattr(model, "info"):
        _require_none({**loading, **_some(given, ["bos"]), **tokenizer}, "a model of load_model")
        loaded: LanguageModel | MaskedLanguageModel = model
        return loaded
    used = _some(loading, ("kind", "model_id"))
    _require_none({name: of for name, of in loading.items() if name not in used}, "a loaded model")
    return given_model(model, given.get("tokenizer"), bos=bos, **used)


def _paths(files: Any, kept: ExitStack) -> Iterable[str | Path]:
    """The files of a call; rows of pairs become one, which is deleted when the call ends."""
    if isinstance(files, str | Path):
        return [files]
    for name, *how in _ROWS:
        if hasattr(files, name):
            rows = getattr(files, name)(*how)
            break
    else:
        rows = list(files)
    if not rows or not isinstance(rows[0], Mapping):
        return [*rows]
    path = Path(kept.enter_context(TemporaryDirectory(prefix="evalmark-"))) / "pairs.jsonl"
    lines = (json.dumps(dict(row), default=_plain, allow_nan=False) for row in map(_present, rows))
    write_atomically(path, "".join(f"{line}\n" for line in lines).encode())
    return [path]


def _present(row: Mapping[str, object]) -> dict[str, object]:
    """A row without the cells that are missing: NaN is not equal to itself."""
    return {str(key): cell for key, cell in row.items() if cell is not None and cell == cell}


def _plain(cell: Any) -> Any:
    """A number of numpy as one of Python."""
    if not hasattr(cell, "item"):
        raise ScoringError(f"a cell is a text or a number, not {type(cell).__name__}")
    return cell.item()


def _finished(
    scores: Any, content: ResultFiles[Any], folder: Path | None, config: Config
) -> FinishedRun:
    """A run, which is written if it has a folder."""
    source = Producer(config.organization, config.relationship)
    run = run_of(scores, content, source, config.collection)
    return finished(run if folder is None else write_run(run, folder).run)
