"""Scoring in one call, for notebooks: files and a model to a run with its tables."""

from __future__ import annotations

import weakref
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, overload

from evalmark.converters.records.run import Producer
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.contest_run import AnyTask, ContestTask
from evalmark.scoring.demo_files import with_demo_suite
from evalmark.scoring.jobs import ModelJob, folders, run_models
from evalmark.scoring.pairs.load_pairs import load_pairs, pair_paths
from evalmark.scoring.pairs.pair_output import PAIR_FILES, with_tokens
from evalmark.scoring.pairs.pair_results import PairSettings
from evalmark.scoring.pairs.pair_run import PairContests
from evalmark.scoring.runs.finished_run import FinishedRun, read_run
from evalmark.scoring.runs.run_files import ResultFiles, write_results
from evalmark.scoring.runs.run_output import SUITE_FILES, own_folder, run_time
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suites.suite_loading import load_suites
from evalmark.scoring.suites.suite_run import SuiteContests
from evalmark.validator.io.terminal import counting
from evalmark.validator.settings.config import Config, load_config

#: Files and folders.
Files: TypeAlias = str | Path | Iterable[str | Path]


@overload
def score(files: Files, model: str | Path, **options: Any) -> FinishedRun: ...
@overload
def score(files: Files, model: Iterable[str | Path], **options: Any) -> list[FinishedRun]: ...
def score(
    files: Files,
    model: str | Path | Iterable[str | Path],
    *,
    out: str | Path | None = None,
    overwrite: bool = False,
    settings: Settings | None = None,
    method: str | None = None,
    limit: int | None = None,
    progress: bool = True,
    **loading: Any,
) -> FinishedRun | list[FinishedRun]:
    """Score suites or minimal pairs with a model, or with each model of a list.

    The settings of the current folder hold, as in ``evalmark score``.

    Args:
        files: Files and folders: suites, or minimal pairs; or ``demo``, a suite of evalmark.
        model: A folder, a name on the Hugging Face Hub or ``demo``; or a list of them.
        out: The folder of the run; for a list of models, one with a folder for each. Without it,
            the files are deleted with the run.
        overwrite: Whether that folder may have content.
        settings: How sentences become numbers.
        method: How the texts of minimal pairs are compared; each set has its own by default.
        limit: The number of items to take from each file; None for all.
        progress: Whether a bar is drawn where there is a terminal or a notebook.
        loading: Further arguments of ``load_model``, such as ``dtype="bfloat16"``.

    Returns:
        The run, whose tables are frames: ``run.regions``, ``run.tokens``, ``run.effects``,
        ``run.to_frame()``. For a list of models, a list of runs.

    Raises:
        EvalmarkError: A file or a model cannot be used.
        OSError: A file cannot be read or written.
    """
    config = load_config()
    models = [str(model)] if isinstance(model, str | Path) else list(map(str, model))
    paths = [files] if isinstance(files, str | Path) else files
    settings = settings or Settings(join=config.join)
    content, task = _task(
        with_demo_suite(map(str, paths)),
        config,
        settings,
        method,
        limit,
        {"bos": settings.bos, **loading},
    )
    places = folders(models, Path(out) if out is not None else None)
    runs: list[FinishedRun] = []
    with ExitStack() as locks:
        for place in filter(None, places):
            locks.enter_context(own_folder(place, overwrite=overwrite))
        jobs = list(map(ModelJob, models, places))
        counted = partial(counting, "scoring", enabled=progress, patience=0)
        for job, scores in run_models(jobs, task, counting=counted):
            if isinstance(scores, Exception):
                raise scores
            if scores.unused:
                raise scores.unused[0].error
            runs.append(_written(scores, content, job.folder, config))
    return runs[0] if isinstance(model, str | Path) else runs


def _task(
    paths: list[str],
    config: Config,
    settings: Settings,
    method: str | None,
    limit: int | None,
    loading: dict[str, Any],
) -> tuple[ResultFiles[Any], AnyTask[Any]]:
    """The content of the files of a run, and the work of each model."""
    rest = loading, Computing(**config.score), run_time()
    if found := pair_paths(paths, config.pairs):
        pairs = load_pairs(found, method=method, limit=limit, tables=config.pairs)
        content = replace(PAIR_FILES, tables=with_tokens)
        return content, ContestTask(PairContests, pairs, PairSettings(settings, method), *rest)
    if method is not None:
        raise ScoringError("method does not apply to suites")
    suites = load_suites(paths, join=settings.join, limit=limit)
    return SUITE_FILES, ContestTask(SuiteContests, suites, settings, *rest)


def _written(
    scores: Any, content: ResultFiles[Any], folder: Path | None, config: Config
) -> FinishedRun:
    """A run with its files; without a folder of their own they go with it."""
    source = Producer(config.organization, config.relationship)
    with ExitStack() as kept:
        place = folder or Path(kept.enter_context(TemporaryDirectory(prefix="evalmark-")))
        write_results(
            scores, content, place, source=source, collection=config.collection,
            started=scores.started,
        )  # fmt: skip
        run = read_run(place)
        weakref.finalize(run, kept.pop_all().close)
    return run
