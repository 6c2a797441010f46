"""Scoring in one call, for notebooks: files and a model to a run with its tables."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Any, TypeAlias, overload

from evalmark.converters.records.run import Producer
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.contest_run import AnyTask, ContestTask
from evalmark.scoring.jobs import ModelJob, folders, run_models
from evalmark.scoring.pairs.load_pairs import load_pairs, pair_paths
from evalmark.scoring.pairs.pair_output import PAIR_RUN_WITH_TOKENS
from evalmark.scoring.pairs.pair_results import PairSettings
from evalmark.scoring.pairs.pair_run import PairContests
from evalmark.scoring.runs.finished_run import FinishedRun, finished
from evalmark.scoring.runs.run_files import ResultFiles, own_folder, run_of, run_time, write_run
from evalmark.scoring.score_settings import Computing, Settings
from evalmark.scoring.suites.suite_loading import load_suites
from evalmark.scoring.suites.suite_output import SUITE_RUN
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
        files: Files and folders: suites, or minimal pairs.
        model: A folder, a name on the Hugging Face Hub or ``demo``; or a list of them.
        out: The folder to write; for a list of models, one with a folder for each. Without it,
            nothing is written.
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
        list(map(str, paths)), config, settings, method, limit, {"bos": settings.bos, **loading}
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
            runs.append(_finished(scores, content, job.folder, config))
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
        return PAIR_RUN_WITH_TOKENS, ContestTask(
            PairContests, pairs, PairSettings(settings, method), *rest
        )
    if method is not None:
        raise ScoringError("method does not apply to suites")
    suites = load_suites(paths, join=settings.join, limit=limit)
    return SUITE_RUN, ContestTask(SuiteContests, suites, settings, *rest)


def _finished(
    scores: Any, content: ResultFiles[Any], folder: Path | None, config: Config
) -> FinishedRun:
    """A run, which is written if it has a folder."""
    source = Producer(config.organization, config.relationship)
    run = run_of(scores, content, source, config.collection)
    return finished(run if folder is None else write_run(run, folder).run)
