"""Scoring minimal pairs in one page: from files and a model to surprisals and scores.

files -> contests and texts        ``load_pairs.load_pairs``
texts -> tokens -> surprisals      ``TokenizedTexts``, ``score_texts``
surprisals -> outcomes             ``pair_results.Judge``
outcomes -> UIDs -> averages       ``pair_results.by_uid``, ``averages``
scores -> run -> record -> files   ``pair_output.write_pairs``
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.pairs.load_pairs import CountedText, LoadedPairs
from evalmark.scoring.pairs.pair_results import (
    Judge,
    JudgedContest,
    PairScores,
    PairSettings,
    by_uid,
)
from evalmark.scoring.pairs.text_scores import ScoredText
from evalmark.scoring.quality import Doubts, Vocabulary, doubts_of, vocabulary_of
from evalmark.scoring.regions import Texts
from evalmark.scoring.score_settings import DEFAULT_COMPUTING, Computing, Settings
from evalmark.scoring.suite_run import Net, RunPlan, tokens_of
from evalmark.scoring.surprisals.compute import Computed, compute, fitting
from evalmark.scoring.surprisals.pack_store import NO_STORE, FolderStore, PackStore, plan_digest
from evalmark.scoring.surprisals.prefix_packs import Ids, PrefixTree, Progress, packs, plan
from evalmark.scoring.surprisals.pseudo_likelihood import pseudo_surprisals
from evalmark.scoring.surprisals.rounding import rounding_of
from evalmark.scoring.surprisals.sentence_surprisals import prefix_tree, token_values

#: Texts that are tokenized together.
TOGETHER = 1000
#: Text -> the surprisals of its tokens that count.
Values = Mapping[CountedText, Sequence[float | None]]


@dataclass(slots=True)
class TokenizedTexts:
    """The tokens of the texts of a run.

    Attributes:
        tokens: Whole text -> its tokens, without the characters that each covers.
        first: Text -> the first of its tokens that counts.
        vocabularies: File -> how much of its texts the vocabulary of the model knows.
    """

    tokens: dict[str, Tokenized] = field(default_factory=dict)
    first: dict[CountedText, int] = field(default_factory=dict)
    vocabularies: dict[str, Vocabulary] = field(default_factory=dict)

    def add(self, file: LoadedPairs, model: LanguageModel | MaskedLanguageModel) -> None:
        """Tokenize the texts of a file.

        Raises:
            ScoringError: A text is too long for the model; nothing is added.
        """
        added = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
        tokens: dict[str, Tokenized] = {}
        first: dict[CountedText, int] = {}
        found = Vocabulary(0, 0, 0, 0, 0)
        for start in range(0, len(file.texts), TOGETHER):
            part = file.texts[start : start + TOGETHER]
            known = tokens_of([text.text for text in part], model)
            for whole, of in known.items():
                _require_short(file.path, whole, len(of.ids) + added, model.max_tokens)
            found = _together(found, vocabulary_of(known))
            for text in part:
                first[text] = first_that_counts(known[text.text], text.start)
            tokens |= {whole: Tokenized(of.ids, (), of.words) for whole, of in known.items()}
        self.tokens = {**tokens, **self.tokens}
        self.first |= first
        self.vocabularies[file.path] = found

    def texts(self) -> Texts:
        """The texts with the tokens whose surprisals are wanted: from the first that counts on."""
        begins: dict[str, int] = {}
        for text, first in self.first.items():
            begins[text.text] = min(first, begins.get(text.text, first))
        wanted = {text: range(first, len(self.tokens[text].ids)) for text, first in begins.items()}
        ordered = {text: self.tokens[text] for text in sorted(self.tokens)}
        return Texts(ordered, wanted, complete=not any(begins.values()))


def first_that_counts(tokens: Tokenized, start: int) -> int:
    """The first token that has a character of the text from ``start`` on.

    A token that has characters on both sides counts: without it, part of the text would not.
    """
    if not start:
        return 0
    ends = (index for index, (_, end) in enumerate(tokens.spans) if end > start)
    return next(ends, len(tokens.ids))


def _require_short(path: str, text: str, count: int, limit: int | None) -> None:
    if limit is not None and count > limit:
        raise ScoringError(
            f"{path}: a text has {count} tokens, the model reads at most {limit}: {text[:80]!r}"
        )


def _together(one: Vocabulary, other: Vocabulary) -> Vocabulary:
    words, characters, tokens, unknown, _ = (a + b for a, b in zip(one, other, strict=True))
    return Vocabulary(words, characters, tokens, unknown, max(one.longest, other.longest))


def planned(
    files: Sequence[LoadedPairs],
    model: LanguageModel | MaskedLanguageModel,
    computing: Computing,
    net: Net,
) -> RunPlan:
    """How much a model would read; files with a text that is too long do not count."""
    known = TokenizedTexts()
    net.kept(files, lambda file: known.add(file, model))
    texts = known.texts()
    if model.kind == "masked":
        return RunPlan(None, sum(map(len, texts.wanted.values())), ())
    tree = prefix_tree(texts, model.bos)
    rows = [model.bos + texts.row(text) for text in texts.tokens]
    sizes = plan(tree, rows, list(packs(tree, fitting(computing, model).pack_size)))
    return RunPlan(sizes, sizes.logits, ())


def score_texts(
    known: TokenizedTexts,
    model: LanguageModel | MaskedLanguageModel,
    settings: Settings,
    computing: Computing,
    store: PackStore,
    progress: Progress | None,
) -> tuple[dict[CountedText, ScoredText], Values, Computed]:
    """Every text under a model, each once, with the surprisals of its tokens that count."""
    texts = known.texts()
    if model.kind == "masked":
        bits = pseudo_surprisals(
            texts, model, batch_tokens=computing.batch_tokens, store=store, progress=progress
        )
        values: Values = {text: bits[text.text][first:] for text, first in known.first.items()}
        return _scored(known, values), values, Computed("masked")
    tree = prefix_tree(texts, model.bos)
    computed = compute(tree, model, computing, store=store, progress=progress)
    values = {
        text: _counted(tree, model.bos, known.tokens[text.text].ids, first, settings)
        for text, first in known.first.items()
    }
    return _scored(known, values), values, computed


def _counted(
    tree: PrefixTree, bos: Ids, ids: Ids, first: int, settings: Settings
) -> Sequence[float | None]:
    """The surprisals of the tokens that count; a text of which none does may not be in the tree."""
    return token_values(tree, bos, ids, settings)[first:] if first < len(ids) else ()


def _scored(known: TokenizedTexts, values: Values) -> dict[CountedText, ScoredText]:
    return {
        text: ScoredText(
            _sum(own), known.first[text], known.tokens[text.text].ids, len(text.text) - text.start
        )
        for text, own in values.items()
    }


def _sum(values: Sequence[float | None]) -> float | None:
    """The sum of all values; None without any, or if one is undefined, NaN or infinite."""
    finite = [value for value in values if value is not None and math.isfinite(value)]
    return math.fsum(finite) if finite and len(finite) == len(values) else None


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
