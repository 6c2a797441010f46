"""Which side of a contest a model prefers. A tie is never a success."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from evalmark.schemas.errors import UndefinedValue
from evalmark.scoring.pairs.loading import CountedText, LoadedContest, LoadedPairs
from evalmark.scoring.pairs.methods import ScoredText, error_in_tokens, score_of
from evalmark.scoring.surprisals.rounding import Rounding

RIGHT, WRONG = "right", "wrong"
#: Scores that are equal, and scores that rounding cannot tell apart.
EXACT_TIE, TIE = "exact tie", "tie"
#: A wrong text is the same as the right one.
IMPOSSIBLE = "impossible"
#: A surprisal is undefined.
UNDEFINED = "undefined"
TIES = (EXACT_TIE, TIE)


class JudgedContest(NamedTuple):
    """A contest under a model.

    Attributes:
        file: Number of its file in the run.
        source: What was compared.
        outcome: ``right``, ``wrong``, ``tie``, ``exact tie``, ``impossible`` or ``undefined``.
        scores: Of each side, in the unit of the method; less is better.
        bits: Surprisal of each side.
        tokens: How many tokens of each side count.
    """

    file: int
    source: LoadedContest
    outcome: str
    scores: tuple[float | None, ...]
    bits: tuple[float | None, ...]
    tokens: tuple[int, ...]

    @property
    def is_right(self) -> bool:
        """Whether the right text is better than all others by more than rounding."""
        return self.outcome == RIGHT

    @property
    def is_tie(self) -> bool:
        """Whether no text is wrong by more than rounding, and the right one is not better."""
        return self.outcome in TIES


class Judge(NamedTuple):
    """What decides contests.

    Attributes:
        texts: Every text under the model.
        rounding: By how much values can be off.
        shares: Whether equal beginnings have the same values, as with causal models.
        undefined: ``refuse`` a file with undefined values, or count them as ``false``.
    """

    texts: Mapping[CountedText, ScoredText]
    rounding: Rounding
    shares: bool
    undefined: str

    def of_file(self, number: int, file: LoadedPairs) -> list[JudgedContest]:
        """The contests of a file.

        Raises:
            UndefinedValue: A surprisal is undefined, and that is refused.
        """
        scored = [self.texts[text] for text in file.texts]
        return [self._judged(number, file, contest, scored) for contest in file.contests]

    def _judged(
        self, number: int, file: LoadedPairs, contest: LoadedContest, scored: Sequence[ScoredText]
    ) -> JudgedContest:
        sides = [scored[side] for side in contest.sides]
        scores = tuple(score_of(side, file.method) for side in sides)
        outcome = self._outcome(file, contest, sides, scores)
        if outcome == UNDEFINED and self.undefined == "refuse":
            raise UndefinedValue(
                f"{file.path}: the surprisal of a text of item {contest.item} is undefined: it has "
                "no tokens, a value that is NaN or infinite, or the first token of a text that "
                "begins without BOS",
                argument="undefined",
            )
        return JudgedContest(
            number, contest, outcome, scores,
            tuple(side.bits for side in sides), tuple(side.tokens for side in sides),
        )  # fmt: skip

    def _outcome(
        self,
        file: LoadedPairs,
        contest: LoadedContest,
        sides: Sequence[ScoredText],
        scores: Sequence[float | None],
    ) -> str:
        if contest.is_impossible:
            return IMPOSSIBLE
        known = [score for score in scores if score is not None]
        if len(known) < len(scores):
            return UNDEFINED
        outcomes = {RIGHT}
        for side, score in zip(sides[1:], known[1:], strict=True):
            error = error_in_tokens(sides[0], side, file.method, shares=self.shares)
            better = score - known[0]
            if abs(better) <= self.rounding.of([error]):
                outcomes.add(TIE if better else EXACT_TIE)
            elif better < 0:
                return WRONG
        return next(outcome for outcome in (TIE, EXACT_TIE, RIGHT) if outcome in outcomes)
