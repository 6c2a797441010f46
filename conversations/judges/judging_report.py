"""Judges of the same answers: asked, measured against planted answers and each other, reported."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from evalmark.conversations.agents.agent import Completer
from evalmark.conversations.evaluation.llm_judge import TEMPERATURE
from evalmark.conversations.judges.judge_prompt import AsksAbout, ChecklistPrompt
from evalmark.conversations.judges.synthetic_answers import PLANTED, GivenAnswer
from evalmark.converters.statistics.agreement import cohens_kappa, kappa_interval
from evalmark.converters.statistics.proportions import wilson_interval
from evalmark.schemas.errors import AgentError, NotJudged, ScoringError

#: After so many answers without a single reply, a judge is not asked again.
ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Ruling:
    """A judge's ruling on an answer."""

    accepted: bool | None  # None: it gave no verdict
    why: str  # its reason, or why there is no verdict


def rulings(
    judge: Completer,
    answers: Sequence[GivenAnswer],
    progress: Callable[[], object],
    asks: AsksAbout,
) -> list[Ruling]:
    """The rulings of a judge on answers, in order. Equal answers are judged once.

    Raises:
        ScoringError: The judge does not reply.
    """
    rulings_by_prompt: dict[str, Ruling] = {}
    replied, failed = False, 0
    in_order = []
    for answer in answers:
        try:
            prompt = asks.text(
                answer.type,
                answer.question,
                answer.expected,
                answer.reply,
                has_none=answer.unanswerable,
            )
        except NotJudged as error:  # no prompt is about this type
            in_order.append(Ruling(None, str(error)))
            progress()
            continue
        if prompt not in rulings_by_prompt:
            try:
                rulings_by_prompt[prompt] = _ruling(judge, prompt, asks)
                replied = True
            except AgentError as error:
                failed += 1
                if not replied and failed == ATTEMPTS:
                    raise ScoringError(f"the judge does not reply: {error}") from error
                rulings_by_prompt[prompt] = Ruling(None, f"no reply: {error}")
        in_order.append(rulings_by_prompt[prompt])
        progress()
    return in_order


def _ruling(judge: Completer, prompt: str, asks: AsksAbout) -> Ruling:
    messages = [{"role": "user", "content": prompt}]
    reply = judge.complete(messages, temperature=TEMPERATURE, max_tokens=asks.max_tokens)
    try:
        return Ruling(*asks.verdict(reply.text))
    except NotJudged as error:
        return Ruling(None, str(error))


#: In place of a type: all types together.
ALL = "all"


@dataclass(frozen=True, slots=True)
class JudgedShare:
    """The share of planted answers that a judge is right about, or of an agent's that it accepts.

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
    """The agreement of two judges about the same answers.

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
    shares = []
    for kind in (*PLANTED, ""):
        members = [pair for pair in zip(answers, ruled, strict=True) if pair[0].kind == kind]
        for type_ in _types([answer for answer, _ in members]):
            of_type = [pair for pair in members if type_ in (ALL, pair[0].type)]
            verdicts = [(answer, r.accepted) for answer, r in of_type if r.accepted is not None]
            count = sum(
                accepted == (answer.should_be_accepted if kind else True)
                for answer, accepted in verdicts
            )
            missing = len(of_type) - len(verdicts)
            shares.append(JudgedShare(kind, type_, len(verdicts), missing, count))
    return shares


def judge_pairs(
    answers: Sequence[GivenAnswer], first: Sequence[Ruling], second: Sequence[Ruling]
) -> list[JudgePair]:
    """A line for each type of question, and one for all."""
    rows = list(zip(answers, first, second, strict=True))
    by_type = []
    for type_ in _types(answers):
        verdicts = [(a.accepted, b.accepted) for of, a, b in rows if type_ in (ALL, of.type)]
        pairs = [pair for pair in verdicts if None not in pair]
        cells = ((True, True), (True, False), (False, True), (False, False))
        counts = (pairs.count(cell) for cell in cells)
        by_type.append(JudgePair(type_, len(verdicts) - len(pairs), *counts))
    return by_type


def disagreements(
    answers: Sequence[GivenAnswer], first: Sequence[Ruling], second: Sequence[Ruling]
) -> Iterator[tuple[GivenAnswer, Ruling, Ruling]]:
    """The answers about which both judges gave a verdict, and not the same one."""
    for answer, first_ruling, second_ruling in zip(answers, first, second, strict=True):
        if (
            None not in (first_ruling.accepted, second_ruling.accepted)
            and first_ruling.accepted != second_ruling.accepted
        ):
            yield answer, first_ruling, second_ruling


def _types(answers: Sequence[GivenAnswer]) -> list[str]:
    types = sorted({answer.type for answer in answers})
    return [*types, ALL] if types else []


@dataclass(frozen=True, slots=True)
class JudgingReport:
    """The rulings of judges on answers.

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
        """The answers that two judges disagree about."""
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
    judge_rulings = tuple(tuple(rulings(judge, answers, count, asks)) for judge in judges)
    about = tuple(dict(judge.about) for judge in judges)
    return JudgingReport(about, tuple(answers), judge_rulings, seed, tuple(skipped), asks)


def report_data(report: JudgingReport) -> dict[str, object]:
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


def _share_data(row: JudgedShare, *, planted: bool) -> dict[str, object]:
    return {
        "kind": row.kind or None,
        "type": row.type,
        "answers": row.answers,
        "no_verdict": row.no_verdict,
        "agrees" if planted else "accepted": row.count,
        "share": row.share,
        "interval": row.interval,
    }


def pair_data(row: JudgePair) -> dict[str, object]:
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
