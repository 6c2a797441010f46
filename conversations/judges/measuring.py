"""Judges in numbers: agreement with planted answers, and of two judges with each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evalmark.conversations.judges.asking_judges import Ruling
from evalmark.conversations.judges.planting import PLANTED, GivenAnswer
from evalmark.converters.statistics.agreement import cohens_kappa, kappa_interval
from evalmark.converters.statistics.proportions import wilson_interval

#: In place of a type: all types together.
ALL = "all"


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """How often a judge is right about planted answers, or accepts those of an agent.

    Attributes:
        kind: Kind of the planted answers; empty for those of an agent.
        type: Type of the questions, or ``all``.
        answers: Number of answers with a verdict.
        no_verdict: Number of answers without one; they are in no share.
        count: Number of right verdicts; of accepted answers for those of an agent.
    """

    kind: str
    type: str
    answers: int
    no_verdict: int
    count: int

    @property
    def share(self) -> float | None:
        """Count divided by answers; None without answers."""
        return self.count / self.answers if self.answers else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the share."""
        return wilson_interval(self.count / self.answers, self.answers) if self.answers else None


@dataclass(frozen=True, slots=True)
class JudgePair:
    """How far two judges agree about the same answers.

    Attributes:
        type: Type of the questions, or ``all``.
        no_verdict: Number of answers about which at least one gave no verdict; they are in no
            other number.
        both: Number of answers that both accept.
        only_first: Number of answers that only the first accepts.
        only_second: Number of answers that only the second accepts.
        neither: Number of answers that neither accepts.
    """

    type: str
    no_verdict: int
    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def counts(self) -> tuple[int, int, int, int]:
        """The table of the verdicts."""
        return self.both, self.only_first, self.only_second, self.neither

    @property
    def answers(self) -> int:
        """Number of answers with two verdicts."""
        return sum(self.counts)

    @property
    def agreement(self) -> float | None:
        """Share of answers with equal verdicts; None without answers."""
        return (self.both + self.neither) / self.answers if self.answers else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's 95 % interval of the agreement."""
        agreement = self.agreement
        return None if agreement is None else wilson_interval(agreement, self.answers)

    @property
    def kappa(self) -> float | None:
        """Cohen's kappa; None where it is not defined."""
        return cohens_kappa(*self.counts) if self.answers else None

    @property
    def kappa_interval(self) -> tuple[float, float] | None:
        """Its 95 % interval."""
        return kappa_interval(*self.counts) if self.answers else None


def judged_shares(answers: Sequence[GivenAnswer], ruled: Sequence[Ruling]) -> list[JudgedShare]:
    """A line for each kind of answer and type of question, and one for all types of a kind."""
    found = []
    for kind in (*PLANTED, ""):
        own = [pair for pair in zip(answers, ruled, strict=True) if pair[0].kind == kind]
        for type_ in _types([answer for answer, _ in own]):
            of_type = [pair for pair in own if type_ in (ALL, pair[0].type)]
            verdicts = [(answer, r.accepted) for answer, r in of_type if r.accepted is not None]
            count = sum(
                accepted == (answer.should_be_accepted if kind else True)
                for answer, accepted in verdicts
            )
            missing = len(of_type) - len(verdicts)
            found.append(JudgedShare(kind, type_, len(verdicts), missing, count))
    return found


def judge_pairs(
    answers: Sequence[GivenAnswer], first: Sequence[Ruling], second: Sequence[Ruling]
) -> list[JudgePair]:
    """A line for each type of question, and one for all."""
    rows = list(zip(answers, first, second, strict=True))
    found = []
    for type_ in _types(answers):
        own = [(a.accepted, b.accepted) for of, a, b in rows if type_ in (ALL, of.type)]
        pairs = [pair for pair in own if None not in pair]
        cells = ((True, True), (True, False), (False, True), (False, False))
        counts = (pairs.count(cell) for cell in cells)
        found.append(JudgePair(type_, len(own) - len(pairs), *counts))
    return found


def disagreements(
    answers: Sequence[GivenAnswer], first: Sequence[Ruling], second: Sequence[Ruling]
) -> Iterator[tuple[GivenAnswer, Ruling, Ruling]]:
    """The answers about which both judges gave a verdict, and not the same one."""
    for answer, one, other in zip(answers, first, second, strict=True):
        if None not in (one.accepted, other.accepted) and one.accepted != other.accepted:
            yield answer, one, other


def _types(answers: Sequence[GivenAnswer]) -> list[str]:
    types = sorted({answer.type for answer in answers})
    return [*types, ALL] if types else []
