"""The runs of the tasks of BabyLM's strict track under one checkpoint, and their predictions."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from evalmark.converters.babylm.layout import MASKED_SETTINGS, SETTINGS, TASKS, read_data
from evalmark.converters.babylm.of_run import other_settings, read_pairs_run
from evalmark.converters.babylm.strict_track import (
    ACQUISITION,
    READING,
    TrackTask,
    WordInContext,
    read_acquisition,
    read_reading,
    write_reading,
)
from evalmark.converters.babylm.write_predictions import write_predictions
from evalmark.converters.records.run import Producer
from evalmark.schemas.errors import ConversionError, ScoringError
from evalmark.scoring.babylm.word_surprisals import MASKS, of_acquisition, of_reading
from evalmark.scoring.contest_run import score_contests
from evalmark.scoring.jobs import Counting
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.named_settings import NAMED
from evalmark.scoring.output import is_finished, lacking, own_folder, run_time
from evalmark.scoring.pairs.load_pairs import LoadedPairs, load_pairs
from evalmark.scoring.pairs.pair_output import PAIR_FILES
from evalmark.scoring.pairs.pair_results import PairSettings
from evalmark.scoring.pairs.pair_run import PairContests
from evalmark.scoring.run_files import SCORES, reading_folder, write_results
from evalmark.scoring.score_settings import ORIGINAL, WITHIN_WORD, Computing, Settings
from evalmark.scoring.surprisals.prefix_packs import Progress
from evalmark.validator.batch.walking import expand
from evalmark.validator.io.opening import read_whole
from evalmark.validator.io.writing import json_bytes, write_atomically

#: What the pipeline calls a kind of model -> what ``load_model`` calls it.
KINDS = {"causal": "causal", "mlm": "masked", "mntp": "mntp"}
_LIKE = NAMED["babylm"]
#: How texts become surprisals.
_TOKENS = {
    backend: Settings(
        **SETTINGS, like=_LIKE.name, masked_method=WITHIN_WORD if backend == "causal" else ORIGINAL
    )
    for backend in KINDS
}
#: Task -> its method for minimal pairs.
_METHODS = {task.name: task.method for task in TASKS.values()}
AnyScored = LanguageModel | MaskedLanguageModel
_AGAIN = "overwriting it scores it again"


@dataclass(frozen=True, slots=True)
class TrackChoices:
    """The choices for all runs of a submission.

    Attributes:
        computing: How the work is done.
        source: Who is responsible for the records.
        collection: The first part of the ids of records, if it is stated.
        version: The version of records.
        overwrite: Whether finished tasks are scored again.
        counting: Shows progress.
    """

    computing: Computing
    source: Producer
    collection: str | None
    version: str
    overwrite: bool
    counting: Counting


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A model as it was at one time of its training.

    Attributes:
        revision: Its name; ``main`` for the final model.
        model_id: The id of the model in records.
        results: Its folder of results.
        backend: What the pipeline calls models of its kind.
        load: Loads it, once for all its tasks.
    """

    revision: str
    model_id: str
    results: Path
    backend: str
    load: Callable[[], AnyScored]

    @property
    def place(self) -> Path:
        """The folder below which prediction files are."""
        return self.results / "zero_shot" / self.backend

    def run_of(self, dataset: str) -> Path:
        """The folder of the run over some data. The pipeline ignores it."""
        kind = () if self.backend == "causal" else (self.backend,)
        return self.results.joinpath("evalmark", *kind, dataset)

    @property
    def tokens(self) -> Settings:
        """How texts become surprisals."""
        return _TOKENS[self.backend]


class TaskOutcome(NamedTuple):
    """A task that has been done.

    Attributes:
        path: Its prediction file; None for a part of one.
        detail: What was found, in words.
        was_finished: Whether an earlier call has done it.
    """

    path: Path | None
    detail: str
    was_finished: bool


def run_pairs(
    task: TrackTask, data: Path, checkpoint: Checkpoint, choices: TrackChoices
) -> TaskOutcome:
    """Score a task with minimal pairs, unless that is done, and write its predictions.

    Raises:
        EvalmarkError: It cannot be done; the message says why.
        OSError: A file cannot be read or written.
    """
    paths = [candidate.path for candidate in expand([str(data)], (".jsonl",))]
    if not paths:
        raise ConversionError(f"{data} has no files of minimal pairs (.jsonl)")
    folders = read_data(paths)
    if {folder.task for folder in folders} != {task.name}:
        raise ConversionError(f"{data} has data of {folders[0].task}, expected {task.name}")
    files = load_pairs(paths, method=_METHODS.get(task.name), reading=_LIKE.reading)
    run, path = checkpoint.run_of(data.name), checkpoint.place / folders[0].place
    # The folder is ours: what an interrupted run has left there may be replaced.
    with own_folder(run, overwrite=True):
        was_finished = is_finished(run) and not choices.overwrite
        if was_finished:
            _require_same(run, files, checkpoint)
        else:
            _score(files, run, checkpoint, choices)
        details = [f"{sum(file.rows for file in files):,} rows", *_scores(run)]
        # Again after an interruption, too: what is there may be of an earlier run.
        for written in write_predictions(checkpoint.place, folders, read_pairs_run(run).choices):
            if written.ties:
                details.append(f"{written.ties:,} ties written as wrong")
            if written.impossible:
                details.append(f"{written.impossible:,} of identical texts")
    return TaskOutcome(path, ", ".join(details), was_finished)


def _score(
    files: Sequence[LoadedPairs], run: Path, checkpoint: Checkpoint, choices: TrackChoices
) -> None:
    model, started = checkpoint.load(), run_time()
    settings = PairSettings(checkpoint.tokens, files[0].method, False, _LIKE.ties, _LIKE.reading)
    with choices.counting("tokens") as progress:
        scores = score_contests(
            PairContests(model, settings), files, computing=choices.computing, folder=run,
            started=started, progress=progress,
        )  # fmt: skip
    write_results(
        scores, PAIR_FILES, run, source=choices.source, collection=choices.collection,
        started=scores.started or started, version=choices.version,
    )  # fmt: skip


def _scores(run: Path) -> Iterator[str]:
    """The score of each set of a finished run, in words."""
    for average in _read(run)["averages"]:
        if average["label"] is None:
            for name in ("accuracy", "correlation"):
                if average.get(name) is not None:
                    yield f"{name} {average[name]:.3f}"


def _read(run: Path) -> dict[str, Any]:
    """The scores of a finished run."""
    with reading_folder(run):
        scores: dict[str, Any] = json.loads(read_whole(run / SCORES))
        if scores["model"]["id"] and scores["averages"] is not None:
            return scores
    raise ScoringError(f"{run} is damaged; {_AGAIN}")


def _require_same(run: Path, files: Sequence[LoadedPairs], checkpoint: Checkpoint) -> None:
    """Refuse a finished run of another model, with other settings or over other data."""
    scores = _read(run)
    model = scores["model"]["id"]
    if model != checkpoint.model_id:
        raise ScoringError(f"{run} is of the model {model}; {_AGAIN}")
    if others := other_settings(scores):
        raise ScoringError(f"{run} was made with {', '.join(others)}; {_AGAIN}")
    if changed := lacking(run, files):
        raise ScoringError(f"{changed[0]} is not as it was in {run}; {_AGAIN}")


def run_reading(data: Path, checkpoint: Checkpoint, choices: TrackChoices) -> TaskOutcome:
    """The surprisals of read words and of those before them; raises what ``run_pairs`` does."""
    rows = read_reading(data)
    previous = [row.previous for row in rows if row.previous is not None]
    words: list[WordInContext] = [*(row.word for row in rows), *previous]

    def compute(model: AnyScored, progress: Progress | None) -> list[float | None]:
        return of_reading(words, model, checkpoint.tokens, choices.computing, progress)

    values, was_finished = _word_values(READING.name, data, checkpoint, choices, compute)
    if None in values:
        raise ScoringError(f"{data}: a word has no surprisal: {words[values.index(None)].word!r}")
    finite = [value for value in values if value is not None]
    of_previous = iter(finite[len(rows) :])
    pairs = [
        (value, None if row.previous is None else next(of_previous))
        for row, value in zip(rows, finite, strict=False)
    ]
    path = write_reading(checkpoint.place, pairs)
    return TaskOutcome(path, f"{len(rows):,} words", was_finished)


def run_acquisition(
    by_revision: dict[str, list[float | None]],
    data: Path,
    checkpoint: Checkpoint,
    choices: TrackChoices,
) -> TaskOutcome:
    """The surprisals of words in contexts, added to those of other checkpoints.

    All checkpoints have one file. Raises what ``run_pairs`` does.
    """
    words = read_acquisition(data)

    def compute(model: AnyScored, progress: Progress | None) -> list[float | None]:
        return of_acquisition(words, model, checkpoint.tokens, choices.computing, progress)

    values, was_finished = _word_values(ACQUISITION.name, data, checkpoint, choices, compute)
    by_revision[checkpoint.revision] = values
    return TaskOutcome(None, f"{len(values):,} contexts", was_finished)


def _word_values(
    name: str,
    data: Path,
    checkpoint: Checkpoint,
    choices: TrackChoices,
    compute: Callable[[AnyScored, Progress | None], list[float | None]],
) -> tuple[list[float | None], bool]:
    """Surprisals in bits, computed or as an earlier call has stored them; and which it was."""
    run = checkpoint.run_of(name)
    path = run / "surprisals.json"
    facts = {
        "model": checkpoint.model_id,
        "settings": {"unit": "bits", **SETTINGS, **_masked_settings(checkpoint)},
        "data": hashlib.sha256(read_whole(data)).hexdigest(),
    }
    with own_folder(run, overwrite=True):
        if path.exists() and not choices.overwrite:
            stored = _stored(path)
            if {key: stored.get(key) for key in facts} != facts:
                raise ScoringError(f"{run} is of another model, setting or file; {_AGAIN}")
            return stored["surprisals"], True
        model = checkpoint.load()
        with choices.counting("tokens") as progress:
            values = compute(model, progress)
        write_atomically(path, json_bytes({**facts, "surprisals": values}))
    return values, False


def _masked_settings(checkpoint: Checkpoint) -> dict[str, str]:
    """Settings of a masked model that those of a causal one lack."""
    return {} if checkpoint.backend == "causal" else {**MASKED_SETTINGS, "masks": str(MASKS)}


def _stored(path: Path) -> Mapping[str, Any]:
    try:
        data = json.loads(read_whole(path))
    except ValueError as error:
        raise ScoringError(f"{path} is damaged; {_AGAIN}") from error
    return data if isinstance(data, dict) else {}
