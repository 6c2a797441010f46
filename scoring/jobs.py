"""Several models, one after the other or on a Ray cluster; each scores all suites.

Functions of this package are sent by name, together with plain data: every machine of the cluster
needs evalmark installed, and the files under the same paths.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from evalmark.schemas.errors import (
    PLEASE_REPORT,
    ClusterError,
    EvalmarkError,
    ScoringError,
    UnknownNameError,
    failure,
    is_ours,
)
from evalmark.scoring.contest_run import AnyTask, Result
from evalmark.scoring.models.load_models import load_model
from evalmark.scoring.suite_run import ScoringTask
from evalmark.scoring.suite_scores import Scores

Job = TypeVar("Job")

#: How often Ray restarts an actor that is lost.
RETRIES = 3


class _Actor:
    """Does jobs on a machine of the cluster."""

    def __init__(self, make: Callable[[], Any], folder: str) -> None:
        if Path(folder).is_dir():
            os.chdir(folder)  # paths are sent as the user wrote them
        self._doer = make()

    def run(self, job: Any, shared: Any) -> Any:
        return self._doer.run(job, shared)


def on_actors(
    ray: Any, jobs: list[Job], make: Callable[[], Any], shared: Any, *, cpus: float, gpus: float
) -> Iterator[tuple[Job, Any]]:
    """Do jobs on as many actors as the cluster has room for; results in the order of the jobs.

    ``make`` is a class whose method ``run`` does a job with ``shared``, which is sent to each
    machine once. ``cpus`` and ``gpus`` are those of an actor; actors may share a GPU.

    Yields:
        Each job and its result, or the error if it failed or its actor was lost too often.

    Raises:
        ClusterError: There is no room for a single actor.
    """
    has = ray.cluster_resources()
    room = len(jobs)
    for name, need in (("CPU", cpus), ("GPU", gpus)):
        there = has.get(name, 0)
        if there < need:
            raise ClusterError(f"each model needs {need:g} {name}s, but the cluster has {there:g}")
        room = min(room, int(there // need)) if need else room
    actor = ray.remote(_Actor).options(
        num_cpus=cpus, num_gpus=gpus, max_restarts=RETRIES, max_task_retries=RETRIES
    )
    arguments = (make, str(Path.cwd()))
    handle = ray.put(shared)
    free = [actor.remote(*arguments) for _ in range(room)]
    waiting = deque(enumerate(jobs))
    running: dict[Any, tuple[int, Any]] = {}
    results: dict[int, Any] = {}
    next_index = 0
    while next_index < len(jobs):
        while waiting and free:
            index, job = waiting.popleft()
            worker = free.pop()
            running[worker.run.remote(job, handle)] = index, worker
        (ready,), _ = ray.wait(list(running), num_returns=1)
        index, worker = running.pop(ready)
        try:
            results[index] = ray.get(ready)
            free.append(worker)
        except ray.exceptions.RayTaskError as error:
            results[index] = error.cause
            free.append(worker)
        except ray.exceptions.RayError as error:
            results[index] = error
            free.append(actor.remote(*arguments))
        while next_index in results:
            yield jobs[next_index], results.pop(next_index)
            next_index += 1


#: A unit -> a context that gives what to call during the work with what is done, how much there is,
#: and a note; or None.
Counting = Callable[[str], AbstractContextManager[Callable[..., None] | None]]


@dataclass(frozen=True, slots=True)
class ModelJob:
    """One model of a run.

    Attributes:
        model: Its name.
        folder: The folder of its run, if it has one.
    """

    model: str
    folder: Path | None = None


@dataclass(frozen=True, slots=True)
class RayShare:
    """A connected Ray, and what each model gets of it.

    Attributes:
        ray: The module, after ``ray.init``.
        cpus: Processors for each model.
        gpus: GPUs for each model; with 0.5 two models share one.
    """

    ray: Any
    cpus: float = 1
    gpus: float = 0


def _silent(_: str) -> AbstractContextManager[Callable[..., None] | None]:
    return nullcontext()


def score_models(
    jobs: Sequence[ModelJob],
    task: ScoringTask,
    *,
    cluster: RayShare | None = None,
    counting: Counting = _silent,
) -> Iterator[tuple[ModelJob, Scores | EvalmarkError | OSError]]:
    """Score suites with some models; results in the order of the models.

    A model that fails does not stop the others, and neither does a suite: it is in ``unused`` of
    the scores.

    Args:
        jobs: The models.
        task: What each of them does.
        cluster: Where they run; this machine if None.
        counting: Shows progress.

    Raises:
        ClusterError: The cluster has no room for a model.
    """
    yield from run_models(jobs, task, cluster=cluster, counting=counting)


def run_models(
    jobs: Sequence[ModelJob],
    task: AnyTask[Result],
    *,
    cluster: RayShare | None = None,
    counting: Counting = _silent,
) -> Iterator[tuple[ModelJob, Result | EvalmarkError | OSError]]:
    """Do any task with some models; see ``score_models``."""
    if cluster is None:
        for job in jobs:
            yield job, _score(job, task, counting)
        return
    with counting("models") as progress:
        if progress:
            progress(0, len(jobs))
        done = on_actors(
            cluster.ray, list(jobs), _Scorer, task, cpus=cluster.cpus, gpus=cluster.gpus
        )
        for number, (job, result) in enumerate(done, 1):
            if progress:
                progress(number, len(jobs))
            yield job, result


def _score(
    job: ModelJob, task: AnyTask[Result], counting: Counting
) -> Result | EvalmarkError | OSError:
    try:
        with counting("tokens") as progress:
            if progress:
                progress(0, None, f"loading {job.model}")
            return task.score(load_model(job.model, **task.loading), job.folder, progress)
    except (ScoringError, UnknownNameError, OSError) as error:
        return error
    except EvalmarkError:
        raise
    except Exception as error:  # the other models are scored
        return ScoringError(f"model {job.model!r} failed: {_reason(error)}")


def _reason(error: Exception) -> str:
    """The reason why a model failed: its own error, or a bug of ours."""
    if is_ours(error):
        return f"F099 {failure(error)}; {PLEASE_REPORT}"
    first = (str(error).strip().splitlines() or [""])[0]
    return f"{type(error).__name__}: {first}"


class _Scorer:
    """An actor on a cluster. Its machine may not have the folders of the runs."""

    def run(self, job: ModelJob, task: AnyTask[Any]) -> Any:
        """The scores of one model."""
        return _score(ModelJob(job.model), task, _silent)


def folders(models: Sequence[str], out: Path | None) -> list[Path | None]:
    """A folder for each model: ``out`` for one model, a folder inside it for each of several."""
    if out is None or len(models) == 1:
        return [out for _ in models]
    names = [Path(m).name if Path(m).exists() else m.replace("/", "__") for m in models]
    for name in names:
        if names.count(name) > 1:
            raise ScoringError(
                f"two models would be written to {out / name}: score them one by one"
            )
    return [out / name for name in names]
