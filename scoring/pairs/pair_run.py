"""Scoring minimal pairs: their texts, the surprisals of both sides, and the preferred one."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from itertools import chain

from evalmark.scoring.contest_run import Contests, RunFacts, TooLong, tokens_of
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.pairs.load_pairs import CountedText, LoadedPairs
from evalmark.scoring.pairs.pair_results import Judge, JudgedPairs, PairScores, PairSettings, by_uid
from evalmark.scoring.pairs.text_scores import ScoredText, TextTokens
from evalmark.scoring.quality import Vocabulary, doubts_of, vocabulary_of
from evalmark.scoring.suites.regions import Texts
from evalmark.scoring.surprisals.rounding import Rounding
from evalmark.scoring.surprisals.sentence_surprisals import TextSurprisals

#: Texts that are tokenized together.
TOGETHER = 1000


class PairContests(Contests[LoadedPairs, JudgedPairs, PairScores]):
    """Minimal pairs under a model: a contest is a pair, and the lower score decides it."""

    def __init__(self, model: LanguageModel | MaskedLanguageModel, settings: PairSettings) -> None:
        super().__init__(model, settings.tokens)
        self._choices = settings
        #: Whole text -> its tokens, without the characters that each covers.
        self._tokens: dict[str, Tokenized] = {}
        #: Whole text -> where its tokens begin and end.
        self._spans: dict[str, array[int]] = {}
        #: Text -> the first of its tokens that counts.
        self._first: dict[CountedText, int] = {}
        #: File -> how much of its texts the vocabulary of the model knows.
        self._vocabularies: dict[str, Vocabulary] = {}

    def add(self, file: LoadedPairs) -> Sequence[TooLong]:
        """Tokenize the texts of a file, unless one is too long: it is returned."""
        model = self.model
        added = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
        limit = math.inf if model.max_tokens is None else model.max_tokens - added
        tokens: dict[str, Tokenized] = {}
        spans: dict[str, array[int]] = {}
        first: dict[CountedText, int] = {}
        vocabulary = Vocabulary(0, 0, 0, 0, 0)
        for start in range(0, len(file.texts), TOGETHER):
            part = file.texts[start : start + TOGETHER]
            tokens_of_part = tokens_of([text.text for text in part], model)
            for whole, of in tokens_of_part.items():
                if model.max_tokens is not None and len(of.ids) > limit:
                    place, count = f"{file.path}: a text", len(of.ids) + added
                    return (TooLong(place, count, model.max_tokens, whole),)
                tokens[whole] = Tokenized(of.ids, (), of.words)
                spans[whole] = array("I", chain.from_iterable(of.spans))
            vocabulary = _together(vocabulary, vocabulary_of(tokens_of_part))
            for text in part:
                first[text] = first_that_counts(tokens_of_part[text.text], text.start)
        self._tokens = {**tokens, **self._tokens}
        self._spans |= spans
        self._first |= first
        self._vocabularies[file.path] = vocabulary
        return ()

    def texts(self) -> Texts:
        """The texts, and their tokens that count in some contest: from the first one on."""
        begins: dict[str, int] = {}
        for text, first in self._first.items():
            begins[text.text] = min(first, begins.get(text.text, first))
        places = {text: range(first, len(self._tokens[text].ids)) for text, first in begins.items()}
        ordered = {text: self._tokens[text] for text in sorted(self._tokens)}
        return Texts(ordered, places, complete=not any(begins.values()))

    def judge(
        self, file: LoadedPairs, surprisals: TextSurprisals, rounding: Rounding
    ) -> JudgedPairs:
        """The outcomes of the contests of a file."""
        first = {text: self._counted_from(text) for text in file.texts}
        values = [surprisals.of(text.text)[first[text] :] for text in file.texts]
        scored = [
            ScoredText(
                _sum(bits),
                first[text],
                self._tokens[text.text].ids,
                len(text.text) - text.start,
            )
            for text, bits in zip(file.texts, values, strict=True)
        ]
        shares, settings = self.model.kind == "causal", self._choices
        judge = Judge(rounding, shares, self.settings.undefined, settings.ties)
        every = (value for bits in values for value in bits)
        doubts = doubts_of(every, self._vocabularies[file.path].doubt)
        tokens = list(map(self._text_tokens, file.texts, values))
        return JudgedPairs(file, judge.contests_of(file, scored), doubts, tokens)

    def _text_tokens(self, text: CountedText, bits: Sequence[float | None]) -> TextTokens:
        """The tokens of a text; those that do not count have no surprisal."""
        ids = self._tokens[text.text].ids
        values = array("d", [math.nan]) * (len(ids) - len(bits))
        values.extend(math.nan if value is None else value for value in bits)
        return TextTokens(ids, self._spans[text.text], values)

    def _counted_from(self, text: CountedText) -> int:
        first = self._first[text]
        lacks_bos = self.model.kind == "causal" and not self.model.bos
        return max(first, 1) if lacks_bos and self.settings.first_token == "excluded" else first

    def scores(self, judged: Sequence[JudgedPairs], facts: RunFacts) -> PairScores:
        """The scores of the files that could be judged."""
        files = tuple(pairs.file for pairs in judged)
        uids = by_uid((contest for pairs in judged for contest in pairs.contests), files)
        doubts = {pairs.file.path: pairs.doubts for pairs in judged}
        tokens = {pairs.file.path: pairs.tokens for pairs in judged}
        return PairScores(
            self.model.info, self._choices, files, tuple(uids), doubts, *facts, tokens=tokens
        )


def first_that_counts(tokens: Tokenized, start: int) -> int:
    """The first token that has a character of the text from ``start`` on.

    A token that has characters on both sides counts: without it, part of the text would not.
    """
    if not start:
        return 0
    ends = (index for index, (_, end) in enumerate(tokens.spans) if end > start)
    return next(ends, len(tokens.ids))


def _together(first: Vocabulary, second: Vocabulary) -> Vocabulary:
    words, characters, tokens, unknown, _ = (a + b for a, b in zip(first, second, strict=True))
    return Vocabulary(words, characters, tokens, unknown, max(first.longest, second.longest))


def _sum(values: Sequence[float | None]) -> float | None:
    """The sum of all values; None without any, or if one is undefined, NaN or infinite."""
    finite = [value for value in values if value is not None and math.isfinite(value)]
    return math.fsum(finite) if finite and len(finite) == len(values) else None
