"""Judges on the same answers: what was asked, what they said, and the numbers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from evalmark.conversations.agents.agent import Completer
from evalmark.conversations.evaluation.llm_judge import TEMPERATURE
from evalmark.conversations.judges.asking_judges import Ruling, rulings
from evalmark.conversations.judges.judge_prompt import AsksAbout, ChecklistPrompt
from evalmark.conversations.judges.measuring import (
    JudgedShare,
    JudgePair,
    disagreements,
    judge_pairs,
    judged_shares,
)
from evalmark.conversations.judges.planting import GivenAnswer


@dataclass(frozen=True, slots=True)
class JudgingReport:
    """What judges said about answers.

    Attributes:
        judges: What identifies each judge.
        answers: The answers.
        rulings: The rulings of each judge, in the order of the answers.
        seed: The seed of planted answers; None for those of a run.
        skipped: What was not judged: a name or a reason.
        asks: How they were asked.
    """

    judges: tuple[Mapping[str, str], ...]
    answers: tuple[GivenAnswer, ...]
    rulings: tuple[tuple[Ruling, ...], ...]
    seed: int | None = None
    skipped: tuple[str, ...] = field(default=())
    asks: AsksAbout = field(default_factory=ChecklistPrompt)

    @property
    def shares(self) -> list[list[JudgedShare]]:
        """The lines of each judge: agreement with planted answers, or accepted answers."""
        return [judged_shares(self.answers, ruled) for ruled in self.rulings]

    @property
    def pairs(self) -> list[JudgePair]:
        """The lines of two judges."""
        return judge_pairs(self.answers, *self.rulings) if len(self.rulings) == 2 else []

    @property
    def disagreements(self) -> list[tuple[GivenAnswer, Ruling, Ruling]]:
        """What two judges disagree about."""
        two = len(self.rulings) == 2
        return list(disagreements(self.answers, *self.rulings)) if two else []

    @property
    def no_verdict(self) -> int:
        """Number of verdicts that are missing."""
        return sum(ruling.accepted is None for ruled in self.rulings for ruling in ruled)


def judging_report(
    judges: Sequence[Completer],
    answers: Sequence[GivenAnswer],
    *,
    seed: int | None = None,
    skipped: Sequence[str] = (),
    progress: Callable[[int, int], object] = lambda *_: None,
    asks: AsksAbout | None = None,
) -> JudgingReport:
    """Ask judges about answers, with the prompt for tests of memory or another one.

    Raises:
        ScoringError: A judge does not reply.
    """
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        progress(done, len(judges) * len(answers))

    asks = asks or ChecklistPrompt()
    found = tuple(tuple(rulings(judge, answers, count, asks)) for judge in judges)
    about = tuple(dict(judge.about) for judge in judges)
    return JudgingReport(about, tuple(answers), found, seed, tuple(skipped), asks)


def report_data(report: JudgingReport) -> dict[str, Any]:
    """The report as JSON."""
    return {
        "prompt": report.asks.data(),
        "settings": {"temperature": TEMPERATURE, "max_tokens": report.asks.max_tokens},
        "judges": [dict(about) for about in report.judges],
        "seed": report.seed,
        "skipped": list(report.skipped),
        "shares": [
            {"judge": number, **_share_data(row, planted=report.seed is not None)}
            for number, rows in enumerate(report.shares)
            for row in rows
        ],
        "pairs": [pair_data(row) for row in report.pairs],
        "answers": [
            {
                "type": answer.type,
                "kind": answer.kind or None,
                "question": answer.question,
                "expected": answer.expected,
                "reply": answer.reply,
                "verdicts": [{"accepted": r.accepted, "why": r.why} for r in ruled],
            }
            for answer, *ruled in zip(report.answers, *report.rulings, strict=True)
        ],
    }


def _share_data(row: JudgedShare, *, planted: bool) -> dict[str, Any]:
    return {
        "kind": row.kind or None,
        "type": row.type,
        "answers": row.answers,
        "no_verdict": row.no_verdict,
        "agrees" if planted else "accepted": row.count,
        "share": row.share,
        "interval": row.interval,
    }


def pair_data(row: JudgePair) -> dict[str, Any]:
    """A line of two judges as JSON."""
    return {
        "type": row.type,
        "answers": row.answers,
        "no_verdict": row.no_verdict,
        "both": row.both,
        "only_first": row.only_first,
        "only_second": row.only_second,
        "neither": row.neither,
        "agreement": row.agreement,
        "interval": row.interval,
        "kappa": row.kappa,
        "kappa_interval": row.kappa_interval,
    }
