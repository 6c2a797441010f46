"""What scoring suites and scoring minimal pairs have in common, stage by stage.

    files -> contests and texts        ``suite_loading.load_suites``, ``load_pairs.load_pairs``
    texts -> tokens                    ``Contests.add``
    tokens -> surprisals               ``sentence_surprisals.surprisals_of``
    surprisals -> outcomes             ``Contests.judge``
    outcomes -> scores                 ``Contests.scores``
    scores -> run -> record -> files   ``score_call.ScoreCall.write``

Suites (``suite_run.SuiteContests``) and minimal pairs (``pair_run.PairContests``) differ in how
texts are joined, in what decides a contest, and in what is averaged. ``model_jobs.run_models``
scores with several models, ``recorded_scores`` with numbers that were computed elsewhere.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from evalmark.schemas.errors import EvalmarkError, ModelFailed, ScoringError, is_ours
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.score_settings import DEFAULT_COMPUTING, Computing, Settings
from evalmark.scoring.suites.regions import Texts
from evalmark.scoring.surprisals.prefix_packs import PackPlan, Progress, packs, plan
from evalmark.scoring.surprisals.rounding import Rounding, rounding_of
from evalmark.scoring.surprisals.sentence_surprisals import (
    TextSurprisals,
    prefix_tree,
    surprisals_of,
)
from evalmark.scoring.surprisals.surprisal_computation import (
    NO_STORE,
    Computed,
    FolderStore,
    fitting,
    plan_digest,
)
from evalmark.validator.findings.unusable import Unused, broken_by


class ContestFile(Protocol):
    """A loaded file of contests."""

    @property
    def path(self) -> str:
        """The file."""

    @property
    def digest(self) -> str:
        """A digest of what is compared."""


File = TypeVar("File", bound=ContestFile)
Judged = TypeVar("Judged")
ScoresT = TypeVar("ScoresT", covariant=True)


class TooLong(NamedTuple):
    """A text that is too long for a model."""

    place: str  # its file, and what it is
    tokens: int  # how many tokens it has, with those put around it
    limit: int  # how many the model reads
    text: str  # the text

    @property
    def error(self) -> ScoringError:
        """The reason why its file cannot be scored."""
        return ScoringError(
            f"{self.place} has {self.tokens} tokens, the model reads at most {self.limit}: "
            f"{self.text[:80]!r}"
        )


class RunFacts(NamedTuple):
    """The circumstances of a run, whatever was scored."""

    computed: Computed | None  # how the surprisals were computed; None if nothing was
    started: int  # when the run began, as a Unix timestamp
    rounding: Rounding  # by how much values can be off
    unused: tuple[Unused, ...]  # the files that could not be scored, and why


class Contests(ABC, Generic[File, Judged, ScoresT]):
    """Contests of one kind under one model: the part that differs between suites and pairs."""

    def __init__(self, model: LanguageModel | MaskedLanguageModel, settings: Settings) -> None:
        self.model = model
        self.settings = settings

    def require_scorable(self, file: File) -> None:
        """Refuse a file that the settings do not allow: a ScoringError."""

    @abstractmethod
    def add(self, file: File) -> Sequence[TooLong]:
        """Tokenize the texts of a file, unless some are too long: these are returned."""

    @abstractmethod
    def texts(self) -> Texts:
        """The texts of the files that have been added, and their tokens that count."""

    def word_ends(self) -> Mapping[str, Collection[int]]:
        """Text -> the numbers of tokens after which the probability of a word's end counts.

        Raises:
            ScoringError: The model cannot give it.
        """
        return {}

    @abstractmethod
    def judge(self, file: File, surprisals: TextSurprisals, rounding: Rounding) -> Judged:
        """The outcomes of the contests of a file.

        Raises:
            UndefinedValue: A surprisal is undefined, and that is refused.
        """

    @abstractmethod
    def scores(self, judged: Sequence[Judged], facts: RunFacts) -> ScoresT:
        """The scores of the files that could be judged."""


@dataclass(slots=True)
class Net:
    """Keeps an error of one file from the others, if the run is to go on."""

    keeps_going: bool  # whether it is
    unused: list[Unused] = field(default_factory=list)  # the files with an error

    def kept(
        self, files: Sequence[File], work: Callable[[File], Judged]
    ) -> list[tuple[File, Judged]]:
        """The files for which some work can be done, with its results."""
        results = []
        for file in files:
            try:
                results.append((file, work(file)))
            except Exception as error:
                ours = isinstance(error, EvalmarkError | OSError) or is_ours(error)
                if not ours or isinstance(error, ModelFailed):
                    raise  # an error of the model
                reason = broken_by(error, file.path)
                if not self.keeps_going:
                    raise reason from error
                self.unused.append(Unused(file.path, reason))
        return results


def score_contests(
    contests: Contests[File, Any, ScoresT],
    files: Sequence[File],
    *,
    computing: Computing = DEFAULT_COMPUTING,
    folder: Path | None = None,
    started: int = 0,
    progress: Progress | None = None,
    keep_going: bool = False,
) -> ScoresT:
    """Score files of contests with a model; arguments and errors are those of ``score_suites``.

    Equal token prefixes share one value over all files.
    """
    model, settings = contests.model, contests.settings
    net, computing = Net(keep_going), fitting(computing, model)

    def prepare(file: File) -> None:
        contests.require_scorable(file)
        if by_text := {place.text: place.error for place in contests.add(file)}:
            first, more = next(iter(by_text.values())), len(by_text) - 1
            raise ScoringError(f"{first} (and {more} more)") if more else first

    files = [file for file, _ in net.kept(files, prepare)]
    rounding = rounding_of(model.info, settings.boundary)
    if not files:
        return contests.scores((), RunFacts(None, started, rounding, tuple(net.unused)))
    texts = contests.texts()
    store = NO_STORE
    if folder is not None:
        store = FolderStore(folder, plan_digest(texts, model, settings, computing), started)
        started = store.started
    ends = contests.word_ends()
    surprisals, computed = surprisals_of(
        texts, model, settings, computing=computing, store=store, progress=progress, word_ends=ends
    )
    judged = net.kept(files, lambda file: contests.judge(file, surprisals, rounding))
    facts = RunFacts(computed, started, rounding, tuple(net.unused))
    return contests.scores([outcomes for _, outcomes in judged], facts)


class RunPlan(NamedTuple):
    """The work of a run, and the files that it cannot score."""

    packs: PackPlan | None  # the packs of a causal model; None for a masked one, which reads none
    rows: int  # how many rows of logits there are
    unused: tuple[Unused, ...]  # the files that have a text that is too long: for each such text


def plan_run(
    contests: Contests[File, Any, Any],
    files: Sequence[File],
    computing: Computing = DEFAULT_COMPUTING,
) -> RunPlan:
    """The work of a run. Files with a text that is too long do not count."""
    model = contests.model
    net = Net(keeps_going=True)
    too_long = net.kept(files, contests.add)
    unused = [Unused(file.path, text.error) for file, texts in too_long for text in texts]
    texts = contests.texts()
    every = (*net.unused, *unused)
    if model.kind == "masked":
        return RunPlan(None, sum(map(len, texts.places.values())), every)
    tree = prefix_tree(texts, model.bos)
    rows = [model.bos + row for text in texts.tokens if (row := texts.row(text))]
    sizes = plan(tree, rows, list(packs(tree, fitting(computing, model).pack_size)))
    return RunPlan(sizes, sizes.logits, every)


@dataclass(frozen=True, slots=True)
class ContestTask(Generic[ScoresT]):
    """The work of every model of a run, whatever is scored."""

    #: The class of the contests.
    contests: Callable[[LanguageModel | MaskedLanguageModel, Settings], Contests[Any, Any, ScoresT]]
    files: Sequence[Any]  # suites, or files of minimal pairs
    settings: Settings  # how their texts become numbers
    loading: Mapping[str, Any] = field(default_factory=dict)  # further arguments of ``load_model``
    computing: Computing = DEFAULT_COMPUTING  # how the work is done
    started: int = 0  # when the run began, as a Unix timestamp

    def score(
        self,
        model: LanguageModel | MaskedLanguageModel,
        folder: Path | None,
        progress: Progress | None,
    ) -> ScoresT:
        """The scores of one model."""
        return score_contests(
            self.contests(model, self.settings),
            self.files,
            computing=self.computing,
            folder=folder,
            started=self.started,
            progress=progress,
            keep_going=True,
        )

    def plan(self, model: LanguageModel | MaskedLanguageModel) -> RunPlan:
        """The work of one model."""
        return plan_run(self.contests(model, self.settings), self.files, self.computing)


def tokens_of(
    texts: Iterable[str], model: LanguageModel | MaskedLanguageModel
) -> dict[str, Tokenized]:
    """The tokens of distinct texts, of all at once if the model can."""
    distinct = list(dict.fromkeys(texts))
    together = getattr(model, "tokenize_all", None)
    tokens = together(distinct) if together else map(model.tokenize, distinct)
    return dict(zip(distinct, tokens, strict=True))
