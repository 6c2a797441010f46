"""Scoring minimal pairs in one page: from files and a model to scores.

files -> contests and texts        ``loading.load_pairs``
texts -> tokens -> surprisals      ``values.TokenizedTexts``, ``values.score_texts``
surprisals -> outcomes             ``judging.Judge``
outcomes -> UIDs -> averages       ``results.by_uid``, ``averages.averages``
scores -> run -> record -> files   ``output.write_pairs``
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalmark.scoring.doubts import Doubts, doubts_of
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.pairs.judging import Judge, JudgedContest
from evalmark.scoring.pairs.loading import LoadedPairs
from evalmark.scoring.pairs.results import PairScores, PairSettings, by_uid
from evalmark.scoring.pairs.values import TokenizedTexts, score_texts
from evalmark.scoring.run import Net
from evalmark.scoring.settings import DEFAULT_COMPUTING, Computing
from evalmark.scoring.surprisals.compute import fitting
from evalmark.scoring.surprisals.prefixes import Progress
from evalmark.scoring.surprisals.rounding import rounding_of
from evalmark.scoring.surprisals.store import NO_STORE, FolderStore, plan_digest


@dataclass(frozen=True, slots=True)
class PairTask:
    """What every model does; see ``jobs.Task``.

    Attributes:
        files: The files to score.
        settings: How texts become numbers.
        loading: Further arguments of ``load_model``.
        computing: How the work is done.
        started: When the run began, as a Unix timestamp.
    """

    files: Sequence[LoadedPairs]
    settings: PairSettings
    loading: Mapping[str, Any] = field(default_factory=dict)
    computing: Computing = DEFAULT_COMPUTING
    started: int = 0

    def score(
        self,
        model: LanguageModel | MaskedLanguageModel,
        folder: Path | None,
        progress: Progress | None,
    ) -> PairScores:
        """The scores of one model."""
        return score_pairs(
            self.files,
            model,
            self.settings,
            computing=self.computing,
            folder=folder,
            started=self.started,
            progress=progress,
            keep_going=True,
        )


def score_pairs(
    files: Sequence[LoadedPairs],
    model: LanguageModel | MaskedLanguageModel,
    settings: PairSettings,
    *,
    computing: Computing = DEFAULT_COMPUTING,
    folder: Path | None = None,
    started: int = 0,
    progress: Progress | None = None,
    keep_going: bool = False,
) -> PairScores:
    """Score minimal pairs with a model; the arguments are those of ``score_suites``.

    Every distinct text is scored once over all files.

    Raises:
        ScoringError: A text is too long for the model, or a value is undefined.
    """
    net, computing = Net(keep_going), fitting(computing, model)
    known = TokenizedTexts()
    files = [file for file, _ in net.kept(files, lambda file: known.add(file, model))]
    if not files:
        return PairScores(model.info, settings, started=started, unused=tuple(net.unused))
    store = NO_STORE
    if folder is not None:
        digest = plan_digest(known.texts(), model, settings.tokens, computing)
        store = FolderStore(folder, digest, started)
        started = store.started
    texts, values, computed = score_texts(known, model, settings.tokens, computing, store, progress)
    rounding = rounding_of(model.info, settings.tokens.boundary)
    judge = Judge(texts, rounding, model.kind == "causal", settings.tokens.undefined)
    doubts: dict[str, Doubts] = {}

    def judged(file: LoadedPairs) -> list[JudgedContest]:
        number = numbers[file.path]
        doubts[file.path] = doubts_of(
            (value for text in file.texts for value in values[text]),
            known.vocabularies[file.path].doubt,
        )
        return judge.of_file(number, file)

    numbers = {file.path: number for number, file in enumerate(files)}
    kept = net.kept(files, judged)
    # Files that are refused keep their numbers.
    found = {file.path: contests for file, contests in kept}
    contests = [found.get(file.path, []) for file in files]
    return PairScores(
        model.info,
        settings,
        tuple(files),
        tuple(by_uid(files, contests, settings)),
        {path: doubt for path, doubt in doubts.items() if path in found},
        computed,
        started,
        rounding,
        tuple(net.unused),
    )
