"""Models one after the other, or on a Ray cluster: each scores all suites, as one plan."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.cli.progress import counting
from evalmark.cli.ray_cluster import cluster, on_actors
from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.loading import load_model
from evalmark.scoring.run import Scores, score_suites
from evalmark.scoring.settings import Settings
from evalmark.scoring.suites import LoadedSuite


class Job(NamedTuple):
    """What one model is to do.

    Attributes:
        model: Its name.
        folder: Where its run goes, if anywhere.
        settings: How values are made.
        loading: Further arguments of ``load_model``.
        how: Further arguments of ``score_suites``.
    """

    model: str
    folder: Path | None
    settings: Settings
    loading: dict[str, Any]
    how: dict[str, Any]


class Engine(NamedTuple):
    """Where models run.

    Attributes:
        name: ``local`` or ``ray``.
        address: Of the Ray cluster; None for one of this machine.
        cpus: Processors for each model.
        gpus: GPUs for each model; several may share one.
    """

    name: str = "local"
    address: str | None = None
    cpus: float = 1
    gpus: float = 0


class Scorer:
    """An actor: it keeps its model as long as jobs ask for that one."""

    def __init__(self) -> None:
        self._loaded: tuple[Any, Any] | None = None

    def run(self, job: Job, suites: Sequence[LoadedSuite]) -> Scores | Exception:
        """The scores of a job, or why there are none."""
        key = (job.model, job.loading)
        try:
            if self._loaded is None or self._loaded[0] != key:
                self._loaded = None  # its memory is needed
                self._loaded = key, load_model(job.model, **job.loading)
            return score_suites(suites, self._loaded[1], job.settings, **job.how)
        except (ScoringError, OSError) as error:
            return error


def run_jobs(
    jobs: list[Job], suites: Sequence[LoadedSuite], engine: Engine
) -> Iterator[tuple[Job, Scores | Exception]]:
    """Score suites with some models; results in the order of the models.

    Raises:
        ClusterError: There is no such cluster.
        ScoringError: The only model cannot score the suites.
    """
    if engine.name == "ray":
        with cluster(engine.address) as ray, counting("scoring", "models") as progress:
            done = on_actors(ray, jobs, Scorer, suites, cpus=engine.cpus, gpus=engine.gpus)
            for number, (job, result) in enumerate(done, 1):
                if progress:
                    progress(number, len(jobs))
                yield job, result
        return
    for job in jobs:
        try:
            yield job, _score(job, suites)
        except (ScoringError, OSError) as error:
            if len(jobs) == 1:
                raise
            yield job, error


def _score(job: Job, suites: Sequence[LoadedSuite]) -> Scores:
    loaded = load_model(job.model, **job.loading)
    unit = "tokens" if loaded.kind == "masked" else "prefixes"
    with counting("scoring", unit) as progress:
        return score_suites(
            suites, loaded, job.settings, folder=job.folder, progress=progress, **job.how
        )


def folders(models: Sequence[str], out: Path | None) -> list[Path | None]:
    """A folder for each model: the one that was named, or below it one for each of several.

    Raises:
        ScoringError: Two models would have the same.
    """
    if out is None or len(models) == 1:
        return [out for _ in models]
    names = [Path(m).name if Path(m).exists() else m.replace("/", "__") for m in models]
    for name in names:
        if names.count(name) > 1:
            raise ScoringError(f"two models would be written to {out / name}: score them apart")
    return [out / name for name in names]
