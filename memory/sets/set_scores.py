"""Scores of memory sets: scores of types of questions, their totals, and recall.

The total is that of the questions that their history answers. The others, for which it is right to
say so, are listed apart and never added: an agent that says "not mentioned" to everything
has all of them. Only where the program of a set itself adds them is there a row of all questions.

- LoCoMo F1: F1 of its paper and program, of stems of words without articles and punctuation.
  Category 1: the mean over the parts of the answer, split at commas, of the best part of the reply.
  Category 3: the answer up to its first semicolon. Category 5: 1 if the reply has "not mentioned"
  or "no information available", otherwise 0.
- word F1 (LongMemEval and the general form): the rule of LoCoMo's categories 2 and 4. Abstention
  questions and preferences, whose answers are descriptions, have none.
- exact match: 1 if the reply has the same words in the same order.
- answer match (the general form): 1 if the reply chooses the right option, by letter or text, or
  has a right answer and no wrong one among its words.
- accuracy: the share of answers that a judge accepts.
- answerable: the total, over questions that have a reply.
- all (LongMemEval): these and the abstention questions, as its own program counts.
- average of types (LongMemEval): the mean over types of questions, which it calls task-averaged.
- recall @k: the share of the evidence of a question that is among the first k ids that were
  retrieved. A retrieved turn counts for its session. Evidence that does not exist is ignored;
  questions without evidence, or without an answer in the history, do not count. ``with_all`` and
  ``with_any`` are the shares of questions with all and some of their evidence.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from evalmark.memory.sets.set_files import LoadedSet
from evalmark.memory.sets.set_kinds import PosedQuestion, SetKind
from evalmark.memory.sets.token_f1 import exact_match
from evalmark.scoring.comparison.gates import ALL as EVERYTHING
from evalmark.scoring.comparison.gates import Measured, measured_mean


@dataclass(frozen=True, slots=True)
class Answered:
    """The outcome of a question.

    Attributes:
        kind: The kind of its set.
        question: The question.
        reply: The answer; None if there is none.
        error: Why there is none; empty otherwise.
        accepted: Whether a judge accepts the answer; None if none says so.
        why: The judge's words, or why there are none.
        retrieved: The ids of what the answer was made from, best first; None if not known.
        session_of: Id of each turn and session of its history -> id of the session.
        tokens: Tokens read and written for the answer.
        seconds: How long it took.
    """

    kind: SetKind
    question: PosedQuestion
    reply: str | None
    error: str = ""
    accepted: bool | None = None
    why: str = ""
    retrieved: tuple[str, ...] | None = None
    session_of: dict[str, str] | None = None
    tokens: tuple[int, int] = (0, 0)
    seconds: float = 0.0

    @property
    def f1(self) -> float | None:
        """F1 of its words; None if the set has no answer to compare with."""
        score = self.kind.score(self.question)
        if self.reply is None or score is None:
            return None
        if self.question.expected is None and not self.question.has_none:
            return None
        return score(self.reply, self.question.expected or "")

    @property
    def exact(self) -> float | None:
        """1 if its words are those of the expected answer, or as the set scores; None if none."""
        if self.kind.matches is not None:
            return None if self.reply is None else self.kind.matches(self.question, self.reply)
        if self.reply is None or self.question.has_none or self.question.expected is None:
            return None
        if self.kind.score(self.question) is None:
            return None
        return exact_match(self.reply, self.question.expected)


#: Numbers of retrieved sessions or turns that recall is computed for.
CUTOFFS = (1, 3, 5, 10, 30, 50)
SESSIONS, TURNS = "sessions", "turns"


@dataclass(frozen=True, slots=True)
class Recall:
    """Recall at a cutoff.

    Attributes:
        of: ``sessions`` or ``turns``.
        cutoff: How many of the retrieved ones are looked at.
        values: For each question the share of its evidence that is among them.
    """

    of: str
    cutoff: int
    values: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over questions."""
        return statistics.fmean(self.values)

    @property
    def all(self) -> float:
        """The share of questions with all evidence."""
        return sum(value == 1 for value in self.values) / len(self.values)

    @property
    def any(self) -> float:
        """The share of questions with some evidence."""
        return sum(value > 0 for value in self.values) / len(self.values)


def retrieved_of(answer: Answered, of: str) -> list[str]:
    """The sessions or turns that were retrieved for an answer, each once, best first.

    A turn counts for its session. Ids of sessions are not turns; ids that nothing has were not
    told, but take a place.
    """
    home = answer.session_of or {}
    named = answer.retrieved or ()
    if of == SESSIONS:
        return list(dict.fromkeys(home.get(name, name) for name in named))
    return list(dict.fromkeys(name for name in named if home.get(name) != name))


def recall_at(answer: Answered, of: str, cutoff: int) -> float | None:
    """The share of the evidence of a question that was retrieved; None if it does not count.

    Questions that their history does not answer have no evidence, and some others name none that
    exists.
    """
    evidence = answer.question.sessions if of == SESSIONS else answer.question.turns
    if answer.question.has_none or not evidence or answer.retrieved is None:
        return None
    retrieved = set(retrieved_of(answer, of)[:cutoff])
    return sum(name in retrieved for name in evidence) / len(evidence)


def recalls(answers: Sequence[Answered]) -> list[Recall]:
    """Recall of sessions and of turns at each cutoff, up to how many were retrieved."""
    rows = []
    for of in (SESSIONS, TURNS):
        most = max((len(retrieved_of(answer, of)) for answer in answers), default=0)
        if not most:
            continue
        # A cutoff beyond what was retrieved says the same as the last one.
        last = next((cutoff for cutoff in CUTOFFS if cutoff >= most), CUTOFFS[-1])
        for cutoff in CUTOFFS:
            values = [recall_at(answer, of, cutoff) for answer in answers]
            shares = tuple(value for value in values if value is not None)
            if shares and cutoff <= last:
                rows.append(Recall(of, cutoff, shares))
    return rows


def unknown_ids(answers: Sequence[Answered]) -> list[str]:
    """Retrieved ids that no turn or session has that was told."""
    return [
        name
        for answer in answers
        for name in answer.retrieved or ()
        if name not in (answer.session_of or {})
    ]


#: Of the questions that their history answers; of those that it does not answer; of all.
ANSWERABLE, NOT_ANSWERABLE, ALL = "answerable", "abstention", "all"
#: The kinds of rows: a type of questions, the total, or questions listed apart from it.
TYPE, TOTAL, BESIDE = "type", "total", "beside"
#: The mean of the types.
AVERAGED = "average of types"


@dataclass(frozen=True, slots=True)
class TypeScores:
    """The scores of some questions. Questions without an answer are in no mean.

    Attributes:
        name: Their type, or which of all questions they are.
        answers: The outcomes of these questions.
        types: The types that they are of.
        part: ``TYPE``, ``TOTAL`` or ``BESIDE``.
    """

    name: str
    answers: tuple[Answered, ...]
    types: tuple[str, ...]
    part: str = TYPE

    @property
    def f1s(self) -> list[float]:
        """F1 of each that has one."""
        return [answer.f1 for answer in self.answers if answer.f1 is not None]

    @property
    def exacts(self) -> list[float]:
        """Exact match of each that has one."""
        return [answer.exact for answer in self.answers if answer.exact is not None]

    @property
    def labels(self) -> list[float]:
        """1 for each answer that a judge accepts, 0 for each that it rejects."""
        return [float(answer.accepted) for answer in self.answers if answer.accepted is not None]

    @property
    def errors(self) -> int:
        """The number of questions without an answer."""
        return sum(answer.reply is None for answer in self.answers)

    @property
    def not_judged(self) -> int:
        """The number of answers without a verdict of a judge."""
        return sum(a.reply is not None and a.accepted is None for a in self.answers)


#: Takes the values of a row that are averaged.
Values = Callable[[TypeScores], list[float]]


@dataclass(frozen=True, slots=True)
class SetScores:
    """The scores of answers to the sets of one kind.

    Attributes:
        kind: The kind of the sets.
        names: The names of their files.
        answers: The answers.
        types: A row for each type of question that counts towards the total.
        totals: The total, and the scores beside it: see above.
    """

    kind: SetKind
    names: tuple[str, ...]
    answers: tuple[Answered, ...]
    types: tuple[TypeScores, ...]
    totals: tuple[TypeScores, ...]

    @property
    def rows(self) -> tuple[TypeScores, ...]:
        """All rows, as a table shows them."""
        return (*self.types, *self.totals)

    @property
    def is_judged(self) -> bool:
        """True if a judge has accepted or rejected an answer."""
        return any(answer.accepted is not None for answer in self.answers)

    def averaged(self, values: Values) -> float | None:
        """The mean of the means of types; None without values, or if the set has no such mean."""
        if self.kind.numbered or len(self.types) < 2:
            return None
        means = [statistics.fmean(row_values) for row in self.types if (row_values := values(row))]
        return statistics.fmean(means) if means else None


def set_scores(kind: SetKind, names: Sequence[str], answers: Sequence[Answered]) -> SetScores:
    """The scores of answers to the sets of one kind."""

    def row(name: str, members: Sequence[Answered]) -> TypeScores:
        types = kind.in_order([answer.question.type for answer in members])
        return TypeScores(name, tuple(members), tuple(types))

    types = kind.in_order([answer.question.type for answer in answers])
    by_type = [
        row(kind.label(name), [a for a in answers if a.question.type == name]) for name in types
    ]
    answerable = [answer for answer in answers if not answer.question.has_none]
    others = [answer for answer in answers if answer.question.has_none]
    totals = []
    if answerable:
        total = row(ANSWERABLE, answerable)
        # Published means differ in the categories that they are over.
        of = f" ({kind.numbered} {', '.join(total.types)})" if kind.numbered else ""
        totals.append(replace(total, name=ANSWERABLE + of, part=TOTAL))
    beside = [replace(each, part=BESIDE) for each in by_type if each.types == (kind.none_type,)]
    if any(answer.question.type != kind.none_type for answer in others):
        beside.append(replace(row(NOT_ANSWERABLE, others), part=BESIDE))
    if others and answerable and not kind.none_type:
        beside.append(replace(row(ALL, answers), part=BESIDE))
    answerable_types = [each for each in by_type if each.types != (kind.none_type,)]
    return SetScores(
        kind, tuple(names), tuple(answers), tuple(answerable_types), (*totals, *beside)
    )


def scores_of(sets: Sequence[LoadedSet], answers: Sequence[Answered]) -> tuple[SetScores, ...]:
    """The scores of answers, for each kind of set."""
    kinds = {memory_set.kind.title: memory_set.kind for memory_set in sets}
    return tuple(
        set_scores(
            kind,
            [memory_set.name for memory_set in sets if memory_set.kind.title == kind.title],
            [answer for answer in answers if answer.kind.title == kind.title],
        )
        for kind in kinds.values()
    )


def measured(every: Sequence[SetScores]) -> list[Measured]:
    """The scores that can have a floor: accuracy, if there was a judge, or else answer match or F1.

    ``all`` is the total, of the questions that their history answers.
    """
    rows = []
    for scores in every:
        kind = scores.kind
        for row in scores.rows:
            is_type = row.name == kind.label(row.types[0])  # not the row of all, or of abstention
            names = kind.names_of(row.types[0]) if is_type else (row.name,)
            if row.part == TOTAL:
                names = (EVERYTHING,)
            name, values = kind.f1, row.f1s
            if scores.is_judged:
                name, values = "accuracy", row.labels
            elif kind.matches is not None:
                name, values = kind.match, row.exacts
            if row.name != ALL:
                rows.append(measured_mean(names, f"{kind.title}: {name} of {row.name}", values))
    return rows


def scores_data(scores: SetScores) -> dict[str, object]:
    """The scores as JSON."""
    return {
        "set": scores.kind.title,
        "files": list(scores.names),
        "f1": scores.kind.f1,
        "rows": [
            {
                "name": row.name,
                "part": row.part,
                "types": list(row.types),
                "questions": len(row.answers),
                "errors": row.errors,
                "f1": _mean(row.f1s),
                "exact_match": _mean(row.exacts),
                "accuracy": _mean(row.labels),
                "judged": len(row.labels),
            }
            for row in scores.rows
        ],
        "average_of_types": {
            "f1": scores.averaged(lambda row: row.f1s),
            "accuracy": scores.averaged(lambda row: row.labels),
        },
        "recall": [
            {
                "of": recall.of,
                "cutoff": recall.cutoff,
                "questions": len(recall.values),
                "mean": recall.mean,
                "all": recall.all,
                "any": recall.any,
            }
            for recall in recalls(scores.answers)
        ],
        "unknown_ids": len(unknown_ids(scores.answers)),
        "questions": [
            {
                "id": answer.question.id,
                "type": answer.question.type,
                "answer": answer.reply,
                "error": answer.error or None,
                "f1": answer.f1,
                "exact_match": answer.exact,
                "accepted": answer.accepted,
                "why": answer.why or None,
                "retrieved": None if answer.retrieved is None else list(answer.retrieved),
            }
            for answer in scores.answers
        ],
    }


def _mean(values: Sequence[float]) -> float | None:
    return statistics.fmean(values) if values else None
