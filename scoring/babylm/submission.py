"""A model and the data of BabyLM's strict track -> prediction files, and a line for each task."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import partial
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from evalmark.converters.babylm.layout import SETTINGS
from evalmark.converters.babylm.strict_track import (
    ACQUISITION,
    FINAL,
    PAIR_TASKS,
    READING,
    TrackTask,
    data_of,
    read_acquisition,
    words_seen,
    write_acquisition,
)
from evalmark.schemas.errors import EvalmarkError, ScoringError
from evalmark.scoring.babylm.track_run import (
    KINDS,
    AnyScored,
    Checkpoint,
    TaskOutcome,
    TrackChoices,
    run_acquisition,
    run_pairs,
    run_reading,
)
from evalmark.scoring.models.load_models import DEMO, kind_of_model, load_model
from evalmark.scoring.models.model_files import hub_branches

#: What became of a task.
WRITTEN, FINISHED, MISSING, FAILED, LEFT_OUT = (
    "written", "finished", "missing", "failed", "left out",
)  # fmt: skip
_TUNING = "evalmark does not fine-tune: eval_finetuning.sh of the pipeline writes it"


class TaskLine(NamedTuple):
    """A task under a checkpoint.

    Attributes:
        revision: The checkpoint.
        task: The name of the task.
        dataset: Its data.
        outcome: ``written``, ``finished`` by an earlier call, ``missing`` data, ``failed``, or
            ``left out``: evalmark does not do it.
        detail: What was found, or why not.
        path: The prediction file.
    """

    revision: str
    task: str
    dataset: str
    outcome: str
    detail: str
    path: Path | None = None

    @property
    def is_done(self) -> bool:
        """False if the user has to do something about it."""
        return self.outcome not in (MISSING, FAILED)


@dataclass(frozen=True, slots=True)
class Submission:
    """A model with the data of the strict track.

    Attributes:
        model: A folder, a name on the hub, or ``demo``.
        data: The folder ``evaluation_data``.
        results: The folder of all results.
        revisions: Globs or names of checkpoints, besides the final model.
        loading: Further arguments of ``load_model``.
        choices: How runs are made.
        backend: What the pipeline calls models of its kind; empty for what its configuration says.
    """

    model: str
    data: Path
    results: Path
    revisions: Sequence[str]
    loading: Mapping[str, Any]
    choices: TrackChoices
    backend: str = ""

    def with_backend(self) -> Submission:
        """The same with its backend; a model that cannot be read fails when it is loaded.

        Raises:
            ScoringError: The backend is one that evalmark does not do.
        """
        if self.backend in KINDS:
            return self
        if self.backend:
            raise ScoringError(
                f"evalmark does not score {self.backend} models; write their predictions with "
                "eval_zero_shot.sh of the pipeline, and check them here"
            )
        backends = {kind: backend for backend, kind in KINDS.items()}
        return replace(self, backend=backends[self._kind()])

    def _kind(self) -> str:
        """The kind of the first revision that has a configuration, as ``load_model`` calls it."""
        trusted = bool(self.loading.get("trust_remote_code"))
        is_folder = self.model != DEMO and Path(self.model).is_dir()
        for revision in self.revision_names():
            is_inside = is_folder and revision != FINAL
            source = str(Path(self.model) / revision) if is_inside else self.model
            branch = None if is_folder or revision == FINAL else revision
            try:
                return kind_of_model(source, revision=branch, trust_remote_code=trusted)
            except ScoringError:
                continue
        return "causal"

    @property
    def name(self) -> str:
        """The name of the model in paths: the pipeline's, without what follows the last dot."""
        is_folder = self.model != DEMO and Path(self.model).is_dir()
        return (Path(self.model).absolute() if is_folder else PurePath(self.model)).stem

    def checkpoint(self, revision: str) -> Checkpoint:
        """A checkpoint, or the final model (``main``)."""
        folder = Path(self.model)
        is_folder = self.model != DEMO and folder.is_dir()
        is_final = revision == FINAL
        arguments: dict[str, Any] = {"model_id": self.model}
        if self.model == DEMO:
            arguments = {"model_id": "evalmark/demo"}
        elif is_folder:
            label = folder.absolute().name
            arguments = {"model_id": f"local/{label if is_final else f'{label}-{revision}'}"}
        elif not is_final:
            arguments["revision"] = revision
        source = str(folder / revision) if is_folder and not is_final else self.model
        kind = KINDS[self.backend]
        loading = {**self.loading, "bos": SETTINGS["bos"], "kind": kind, **arguments}
        place = self.results / self.name / revision
        loader = _Loader(source, loading)
        return Checkpoint(revision, arguments["model_id"], place, self.backend, loader)

    def revision_names(self) -> list[str]:
        """The final model and the checkpoints that the patterns match, in the order of training.

        Raises:
            ScoringError: A pattern matches nothing, or the hub cannot be asked.
        """
        found: dict[str, None] = {FINAL: None}
        for pattern in self.revisions:
            if not re.search(r"[*?\[]", pattern):
                found[pattern] = None
                continue
            matching = [name for name in self._all_revisions() if fnmatchcase(name, pattern)]
            if not matching:
                raise ScoringError(f"{self.model} has no revisions that match {pattern!r}")
            found |= dict.fromkeys(matching)
        return list(found)

    def _all_revisions(self) -> list[str]:
        folder = Path(self.model)
        if self.model == DEMO or folder.is_dir():
            below = folder.iterdir() if folder.is_dir() else ()
            names = [path.name for path in below if (path / "config.json").is_file()]
        else:
            names = hub_branches(self.model)
        return sorted(names, key=_by_number)


def _by_number(name: str) -> list[tuple[int, str]]:
    """A key by which ``chck_2M`` precedes ``chck_10M``."""
    return [(int(part or 0), text) for text, part in re.findall(r"(\D*)(\d*)", name)]


class _Loader:
    """Loads a model when it is first asked for, and fails each time if it fails once."""

    def __init__(self, source: str, arguments: Mapping[str, Any]) -> None:
        self._source = source
        self._arguments = arguments
        self._loaded: AnyScored | EvalmarkError | None = None

    def __call__(self) -> AnyScored:
        if self._loaded is None:
            try:
                self._loaded = load_model(self._source, **self._arguments)
            except EvalmarkError as error:
                self._loaded = error
        if isinstance(self._loaded, EvalmarkError):
            raise self._loaded
        return self._loaded


def task_lines(submission: Submission) -> Iterator[TaskLine]:
    """Do every task of the strict track, and name those that are not done.

    A task that fails does not stop the others.

    Raises:
        ScoringError: There are no such checkpoints, or evalmark does not do the backend.
    """
    submission = submission.with_backend()
    revisions = submission.revision_names()
    values: dict[str, list[float | None]] = {}
    for revision in revisions:
        # Only one at a time: each has its model in memory.
        checkpoint = submission.checkpoint(revision)
        is_final = revision == FINAL
        for task in PAIR_TASKS:
            if is_final or task.fast:
                yield _line(submission, checkpoint, task, partial(run_pairs, task))
        yield _line(submission, checkpoint, READING, run_reading)
        if is_final:
            yield TaskLine(FINAL, "finetune", "GLUE", LEFT_OUT, _TUNING)
        elif words_seen(revision) is not None:
            line = _line(submission, checkpoint, ACQUISITION, partial(run_acquisition, values))
            if line.outcome != MISSING:  # it is said once, of the final model
                yield line
    yield _acquisition(submission, revisions, values)


def _line(
    submission: Submission,
    checkpoint: Checkpoint,
    task: TrackTask,
    work: Callable[[Path, Checkpoint, TrackChoices], TaskOutcome],
) -> TaskLine:
    data = data_of(task, submission.data, checkpoint.revision)
    facts = checkpoint.revision, task.name, data.stem
    if not data.exists():
        return TaskLine(*facts, MISSING, "; ".join(filter(None, (f"no {data}", task.hint))))
    try:
        outcome = work(data, checkpoint, submission.choices)
    except (EvalmarkError, OSError) as error:
        return TaskLine(*facts, FAILED, str(error))
    state = FINISHED if outcome.was_finished else WRITTEN
    return TaskLine(*facts, state, outcome.detail, outcome.path)


def _acquisition(
    submission: Submission,
    revisions: Iterable[str],
    values: Mapping[str, Sequence[float | None]],
) -> TaskLine:
    """The age of acquisition: the one file of all checkpoints."""
    data = data_of(ACQUISITION, submission.data, FINAL)
    facts = FINAL, ACQUISITION.name, data.stem
    steps = [revision for revision in revisions if words_seen(revision) is not None]
    if not data.exists():
        return TaskLine(*facts, MISSING, f"no {data}")
    if not steps:
        return TaskLine(*facts, MISSING, "it needs the checkpoints: revisions such as 'chck_*'")
    if lost := [step for step in steps if step not in values]:
        return TaskLine(*facts, FAILED, f"no surprisals of {', '.join(lost)}")
    place = submission.checkpoint(FINAL).place
    path = write_acquisition(place, submission.model, read_acquisition(data), values)
    count = len(next(iter(values.values())))
    detail = f"{len(steps)} checkpoints, {count:,} contexts each"
    return TaskLine(*facts, WRITTEN, detail, path)
