"""Several models, one after the other, in processes or on a Ray cluster; each scores all suites.

Functions of this package are sent by name, together with plain data: every machine of the cluster
needs evalmark installed, and the files under the same paths.
"""

from __future__ import annotations

import gc
from collections import OrderedDict
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic

from evalmark.schemas.errors import (
    PLEASE_REPORT,
    ClusterError,
    EvalmarkError,
    ScoringError,
    UnknownNameError,
    brief,
    failure,
    is_ours,
)
from evalmark.scoring.contest_run import ContestTask, ScoresT
from evalmark.scoring.models.checkpoints import AT, is_checkpoint
from evalmark.scoring.models.load_models import load_model, require_models
from evalmark.scoring.models.model_files import weights_mark
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.validator.batch.workers import in_processes, in_ray
from evalmark.validator.io.paths import without_links
from evalmark.validator.io.portable_names import portable_name

#: Models whose scores are kept for others of equal weights: checkpoints of these are neighbours.
KEPT = 2


#: A unit -> a context that gives what to call during the work with what is done, how much there is,
#: and a note; or None.
Counting = Callable[[str], AbstractContextManager[Callable[..., None] | None]]


@dataclass(frozen=True, slots=True)
class ModelJob:
    """One model of a run."""

    model: str  # its name
    folder: Path | None = None  # the folder of its run, if it has one
    #: The model, if the caller has loaded it.
    loaded: LanguageModel | MaskedLanguageModel | None = None

    @property
    def weights(self) -> str:
        """The mark of its weights, if it is a folder here: other folders may have its name."""
        return "" if self.loaded or not self.model else weights_mark(Path(self.model))


@dataclass(frozen=True, slots=True)
class RayShare:
    """A connected Ray, and what each model gets of it."""

    ray: Any  # the module, after ``ray.init``
    cpus: float = 1  # processors for each model
    gpus: float = 0  # GPUs for each model; with 0.5 two models share one

    def require_room(self) -> None:
        """Refuse a cluster that has no room for a model; a ClusterError."""
        has = self.ray.cluster_resources()
        for name, need in (("CPU", self.cpus), ("GPU", self.gpus)):
            if (there := has.get(name, 0)) < need:
                needs = f"each model needs {need:g} {name}s"
                raise ClusterError(f"{needs}, but the cluster has {there:g}")


def _silent(_: str) -> AbstractContextManager[Callable[..., None] | None]:
    return nullcontext()


def run_models(
    jobs: Sequence[ModelJob],
    task: ContestTask[ScoresT],
    *,
    cluster: RayShare | None = None,
    processes: int = 1,
    counting: Counting = _silent,
) -> Generator[tuple[ModelJob, ScoresT | EvalmarkError | OSError]]:
    """Score suites, or minimal pairs, with some models; results in the order of the models.

    Every model is found before the first is computed; on a cluster, each machine finds its own. A
    model that fails then does not stop the others, and neither does a file: it is in ``unused`` of
    the scores. ``processes`` is how many models are scored at a time on this machine; with several,
    each worker process has its share of the threads, and one that dies is replaced, and its model
    tried once more, alone.

    Raises:
        ClusterError: The cluster has no room for a model.
        ScoringError: Some of several models cannot be found.
    """
    names = [job.model for job in jobs if job.loaded is None]
    if cluster is None and len(names) > 1:
        require_models(names, task.loading)
    if cluster is None and (processes == 1 or len(jobs) < 2):
        scorer = Scorer(task)
        for job in jobs:
            yield job, scorer.score(job, counting)
        return
    with counting("models") as progress:
        if progress:
            progress(0, len(jobs))
        done: Generator[tuple[ModelJob, Any]]
        if cluster is None:
            work = Scorer(task).run
            done = in_processes(jobs, work, _lost, min(processes, len(jobs)), batch=1, is_new=True)
        else:
            cluster.require_room()
            work = partial(_scored_elsewhere, task)
            share = {"cpus": cluster.cpus, "gpus": cluster.gpus}
            done = in_ray(cluster.ray, jobs, work, _lost, batch=1, **share)
        with closing(done):  # an interruption ends the workers
            for number, (job, result) in enumerate(done, 1):
                if progress:
                    progress(number, len(jobs))
                yield job, result


def _lost(job: ModelJob, cause: str) -> EvalmarkError:
    return ScoringError(
        f"model {job.model!r} failed: its worker process died ({cause}); memory may have been short"
    )


@dataclass(slots=True)
class Scorer(Generic[ScoresT]):
    """Scores models one after the other; of two that compute the same, only the first computes."""

    task: ContestTask[ScoresT]  # the task of each of them
    #: The last scores, by what decides them.
    recent: OrderedDict[str, ScoresT] = field(default_factory=OrderedDict)

    def run(self, job: ModelJob) -> ScoresT | EvalmarkError | OSError:
        """The scores of a model, or why there are none; for a process that cannot raise."""
        try:
            return self.score(job, _silent)
        except EvalmarkError as error:
            return error

    def score(self, job: ModelJob, counting: Counting) -> ScoresT | EvalmarkError | OSError:
        """The scores of a model, or why there are none; progress is shown."""
        try:
            with counting("tokens") as progress:
                if progress:
                    progress(0, None, f"loading {job.model}")
                model = job.loaded or load_model(job.model, **self.task.loading)
                return self._scores(model, job, progress)
        except (ScoringError, UnknownNameError, OSError) as error:
            return error
        except EvalmarkError:
            raise
        except Exception as error:  # the other models are scored
            return ScoringError(f"model {job.model!r} failed: {_reason(error)}")

    def _scores(
        self,
        model: LanguageModel | MaskedLanguageModel,
        job: ModelJob,
        progress: Callable[..., None] | None,
    ) -> ScoresT:
        # Checkpoints have equal weights where a revision was uploaded twice.
        digest = getattr(model, "equality_digest", "") if "revision" in model.info.details else ""
        if digest in self.recent:
            self.recent.move_to_end(digest)
            scores: Any = self.recent[digest]
            result: ScoresT = replace(scores, model=model.info)
            return result
        result = self.task.score(model, job.folder, progress)
        if digest:
            self.recent[digest] = result
            while len(self.recent) > KEPT:
                self.recent.popitem(last=False)
        return result


def _reason(error: Exception) -> str:
    if is_ours(error):
        return f"F099 {failure(error)}; {PLEASE_REPORT}"
    return brief(error)


def _scored_elsewhere(task: ContestTask[Any], job: ModelJob) -> Any:
    """The scores of a model, on a machine that may not have the folder of its run."""
    gc.enable()  # of checks it is off; a model may be in a cycle
    return Scorer(task).run(replace(job, folder=None))


def folders(models: Sequence[str], out: Path | None) -> list[Path | None]:
    """A folder for each model: ``out`` for one model, a folder inside it for each of several."""
    if out is None or len(models) == 1:
        return [out for _ in models]
    names = [_folder_name(model) for model in models]
    folded = [name.casefold() for name in names]  # Windows and macOS have one folder for both
    for name in names:
        if folded.count(name.casefold()) > 1:
            raise ScoringError(
                f"two models would be written to {out / name}: score them one by one"
            )
    return [out / name for name in names]


def _folder_name(model: str) -> str:
    """The name of the folder of a run: ``model@revision`` for a checkpoint."""
    path = Path(model)
    if not path.exists():
        return portable_name(model.replace("/", "__"))
    return f"{without_links(path).parent.name}{AT}{path.name}" if is_checkpoint(path) else path.name
