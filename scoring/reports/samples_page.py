"""The page of runs of conversations and of other programs: results, questions, answers, scores."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from evalmark.converters.records.run import Run, Sample
from evalmark.scoring.comparison.run_items import result_name
from evalmark.scoring.reports.comparison.base_comparison import base_differences
from evalmark.scoring.reports.comparison.model_scores import (
    notes_of_table,
    score_table,
    scores_of,
    told_apart,
)
from evalmark.scoring.reports.render import link, render
from evalmark.scoring.runs.run_origin import origin_of

#: Characters shown of a text.
LONGEST = 400


@dataclass(frozen=True, slots=True)
class Answered:
    """A sample: what was asked, what was answered, what was expected, and the score."""

    name: str
    question: str
    answer: str
    expected: str
    score: float
    is_right: bool


@dataclass(frozen=True, slots=True)
class ResultSection:
    """The samples of a result under one run."""

    model: str
    result: str
    samples: tuple[Answered, ...]  # those that are shown, the worst first
    count: int  # how many there are


def samples_page(runs: Sequence[Run], *, items: int, page: Path | None = None) -> str:
    """HTML with the results of runs and, of each, the samples with the lowest scores first.

    Args:
        runs: The runs; the first is the base.
        items: How many samples are shown of each result.
        page: Where the page will be, for links to the records.
    """
    scores = told_apart([scores_of(run) for run in runs])
    table = score_table(scores)
    if len(table.columns) > len(table.rows):
        table = table.turned("result")
    names = [each.name for each in scores]
    return render(
        "samples.html.j2",
        title=", ".join(names),
        runs=scores,
        origins=[origin_of(run, (), ()) for run in runs],
        links=[link(run.path, page) for run in runs],
        table=table,
        notes=list(notes_of_table(scores)),
        sections=[s for n, run in zip(names, runs, strict=True) for s in _sections(n, run, items)],
        compared=base_differences(names, runs),
    )


def _sections(model: str, run: Run, items: int) -> Iterator[ResultSection]:
    grouped: dict[str, list[Answered]] = {}
    for sample in run.samples:
        grouped.setdefault(sample.result, []).append(_answered(run, sample))
    for result in run.results:
        if answered := grouped.get(result.name):
            sign = -1 if result.metric.lower_is_better else 1
            worst = sorted(answered, key=lambda one, sign=sign: sign * one.score)  # type: ignore[misc]
            shown = tuple(islice(worst, items))
            yield ResultSection(model, result_name(result), shown, len(answered))


def _answered(run: Run, sample: Sample) -> Answered:
    turns = [turn.content or "" for turn in sample.turns if turn.role == "assistant"]
    terminal = [answer.value for answer in sample.answers if answer.terminal]
    answers = terminal or sample.output or turns[-1:]
    return Answered(
        sample.id,
        _cut(sample.raw),
        _cut("\n".join(answers)),
        _cut("\n".join(sample.reference)),
        run.score_of(sample),
        run.is_correct(sample),
    )


def _cut(text: str) -> str:
    """A text that may be long: its beginning and its end."""
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} … {text[-half:]}"
