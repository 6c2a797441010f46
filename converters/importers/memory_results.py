"""Results of memory systems: of mem0's evaluation of LoCoMo, and of memorybench.

mem0 (https://github.com/mem0ai/mem0, ``evaluation``) writes an object of conversations, each with
a list of answers with ``llm_score``. memorybench (https://github.com/supermemoryai/memorybench)
writes ``report.json``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from evalmark.converters.importers.imported import Header, ImportSource, ReadSamples
from evalmark.converters.records.run import (
    UNKNOWN,
    Answer,
    Dataset,
    Metric,
    Model,
    Result,
    Run,
    Sample,
)
from evalmark.converters.records.uncertainty import mean_uncertainty, proportion_uncertainty
from evalmark.converters.sources.node import Node
from evalmark.converters.sources.supplied import texts
from evalmark.schemas.errors import ConversionError

#: Score of an answer -> what it is; the judge's is 0 or 1.
_SCORES = {
    "llm_score": ("accuracy", "share of answers that the judge accepts"),
    "f1_score": ("f1", "F1 of the words of an answer"),
    "bleu_score": ("bleu", "BLEU-1 of an answer"),
}
_ALL = "all"


def read_mem0(source: ImportSource) -> Iterator[Run]:
    """The run of a file. It does not say what was tested; ``--set /model_info/id`` does."""
    document = source.document()
    answers = [
        (f"{name}/{number}", answer)
        for name, listed in document.members()
        for number, answer in enumerate(listed.entries(), 1)
    ]
    rows = [_Scored.of_mem0(name, answer) for name, answer in answers]
    name = source.path.stem
    model = Model(id=UNKNOWN, name=name, details={})
    header = Header("mem0", None, model, "mem0", "mem0", UNKNOWN, {})
    yield source.run(header, list(_results(rows, "LoCoMo")), _samples_of(rows))


def _samples_of(rows: Sequence[_Scored]) -> ReadSamples:
    return lambda _: (row.sample() for row in rows)


def _time(report: Node) -> int | None:
    """When a report was written, in UTC unless it says otherwise: a Unix timestamp."""
    stated = report.text("timestamp", None)
    if stated is None:
        return None
    try:
        moment = datetime.fromisoformat(stated)
    except ValueError:
        report.fail(f"`timestamp` is not a date: {stated!r}")
    return int((moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp())


class _Scored:
    """An answer, its type, and its scores by name."""

    def __init__(self, name: str, kind: str, scores: dict[str, float]) -> None:
        self.id = name
        self.type = kind
        self.scores = scores
        self.question = self.reference = self.reply = ""
        self.metadata: dict[str, str] = {}

    @classmethod
    def of_mem0(cls, name: str, answer: Node) -> _Scored:
        """An answer of mem0."""
        kind = f"category {answer.plain('category')}"
        scores = {
            key: float(answer.number(key))
            for key in _SCORES
            if key == "llm_score" or key in answer.fields
        }
        scored = cls(name, kind, scores)
        scored.question = answer.text("question")
        scored.reference = str(answer.plain("answer"))
        scored.reply = str(answer.plain("response"))
        scored.metadata = texts(answer.rest())
        return scored

    @classmethod
    def of_memorybench(cls, answer: Node) -> _Scored:
        """An answer of memorybench; what was retrieved for it is not carried."""
        answer.skip("searchResults", why="what was retrieved is kept in the report only")
        kind = answer.text("questionType")
        scored = cls(answer.text("questionId"), kind, {"llm_score": float(answer.number("score"))})
        scored.question = answer.text("question")
        scored.reference = answer.text("groundTruth")
        scored.reply = answer.text("hypothesis")
        scored.metadata = texts(answer.rest())
        return scored

    def sample(self) -> Sample:
        """Its row of samples, by the judge."""
        score = self.scores["llm_score"]
        return Sample(
            result=_name("llm_score", self.type),
            id=self.id,
            raw=self.question,
            reference=(self.reference,),
            output=(self.reply,),
            correct=score == 1,
            score=score,
            answers=(Answer(0, "output.raw", self.reply, "whole output"),),
            metadata=self.metadata,
        )


def _name(score: str, kind: str) -> str:
    return f"{_SCORES[score][0]}/{kind}"


def _results(rows: Sequence[_Scored], title: str) -> Iterator[Result]:
    """A result for each score and type of question, and one for all."""
    if not rows:
        raise ConversionError("no answers")
    kinds = sorted({row.type for row in rows})
    for score in _SCORES:
        for kind in (*kinds, _ALL):
            values = [
                row.scores[score]
                for row in rows
                if kind in (_ALL, row.type) and score in row.scores
            ]
            if not values:
                continue
            metric, description = _SCORES[score]
            is_share = set(values) <= {0.0, 1.0} and score == "llm_score"
            right = round(sum(values))
            yield Result(
                name=_name(score, kind),
                dataset=Dataset(title, details=texts(questions=len(values), type=kind)),
                metric=Metric.share(f"{description}: {kind}", name=metric, kind=metric),
                score=sum(values) / len(values),
                uncertainty=proportion_uncertainty(right, len(values))
                if is_share
                else mean_uncertainty(values),
            )


def read_memorybench(source: ImportSource) -> Iterator[Run]:
    """The run of a report: the accuracy by its judge, of each type of question."""
    report = source.document()
    provider, benchmark = report.text("provider"), report.text("benchmark")
    run, judge = report.text("runId"), report.text("judge", UNKNOWN)
    answering = report.text("answeringModel", UNKNOWN)
    rows = [_Scored.of_memorybench(answer) for answer in report.each("evaluations")]
    for key in ("summary", "byQuestionType", "questionTypeRegistry"):
        report.skip(key, why="it is computed from the answers")
    model = Model(id=provider, name=provider, details=texts(answering_model=answering))
    header = Header(
        run,
        _time(report),
        model,
        "memorybench",
        "memorybench",
        UNKNOWN,
        texts(judge=judge, **report.rest()),
    )
    yield source.run(header, list(_results(rows, benchmark)), _samples_of(rows))
