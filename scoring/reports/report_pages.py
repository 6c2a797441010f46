"""The page of some runs: that of suites, of minimal pairs, of samples, or one table of many."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from evalmark.converters.records.run import Run, Sample
from evalmark.scoring.comparison.run_items import result_name
from evalmark.scoring.reports.comparison.base_comparison import compared_with_first
from evalmark.scoring.reports.comparison.model_scores import (
    notes_of_table,
    scores_of,
    with_unique_names,
)
from evalmark.scoring.reports.comparison.models_page import models_page
from evalmark.scoring.reports.pair_page import pairs_page
from evalmark.scoring.reports.run_page import Contents, SampledRun, rows_of_table, run_page
from evalmark.scoring.reports.suite_page import suites_page
from evalmark.scoring.runs.pair_views import PairRunView, is_of_pairs
from evalmark.scoring.runs.run_origin import facts_of, origin_of
from evalmark.scoring.runs.run_tables import view_of_run
from evalmark.scoring.runs.suite_views import RunView, is_of_suite

#: More runs than this have one table, and no charts and items of each.
MANY = 8


#: A run as its page has it; a run of samples, or one without any, as it is.
PageView: TypeAlias = RunView | PairRunView | Run


def page_view(run: Run, *, is_table: bool) -> PageView:
    """A run as its page has it; in a table of many, as it is.

    Raises ScoringError if its samples lack what such a run has.
    """
    if is_table or run.lacks:
        return run
    is_ours = any(is_of_suite(result) or is_of_pairs(result) for result in run.results)
    return view_of_run(run) if is_ours else run


def report_page(
    views: Sequence[PageView],
    page: Path | None,
    *,
    items: int,
    is_table: bool,
    is_series: bool,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """The HTML of a page of runs.

    Runs of several kinds and runs without samples have one table of their results. ``page`` is
    where it will be, for links to the records; ``items`` is how many are shown of each suite, UID
    or result. With ``is_table`` there are too many runs to show more; with ``is_series`` they are
    in an order, so that curves are drawn over them. ``progress`` is told how many suites are drawn.
    """
    runs = [view if isinstance(view, Run) else view.run for view in views]
    suites = [view for view in views if isinstance(view, RunView)]
    pairs = [view for view in views if isinstance(view, PairRunView)]
    if len(pairs) == len(views):
        return pairs_page(pairs, items=items, page=page)
    if len(suites) == len(views):
        return suites_page(suites, items=items, page=page, progress=progress)
    if is_table or suites or pairs or any(run.lacks for run in runs):
        return models_page(list(map(scores_of, runs)), is_series=is_series, page=page)
    return samples_page(runs, items=items, page=page)


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


#: The samples of a result under a run: its name, those that are shown, the worst first, and how
#: many there are.
ShownSamples: TypeAlias = tuple[str, list[Answered], int]


def samples_page(runs: Sequence[Run], *, items: int, page: Path | None = None) -> str:
    """HTML with the results of runs and, of each, the samples with the lowest scores first.

    It shows at most ``items`` samples of each; ``page`` is where it will be, for links to the
    records.
    """
    scores = with_unique_names([scores_of(run) for run in runs])
    names = [of_run.name for of_run in scores]
    results = list(dict.fromkeys(result for of_run in scores for result in of_run.parts))
    views = [
        SampledRun(name, origin_of(run, (), ()), facts_of(run))
        for name, run in zip(names, runs, strict=True)
    ]
    sections: dict[str, list[ShownSamples]] = {result: [] for result in results}
    for name, run in zip(names, runs, strict=True):
        for result, samples in _answers(name, run, items):
            sections[result].append(samples)
    contents = Contents(
        kind="results",
        template="samples.html.j2",
        counts=[f"{len(m.parts)} result{'s'[: len(m.parts) != 1]}" for m in scores],
        cards=(),
        averages=(),
        averaged=("", "", ""),
        rows=rows_of_table(scores),
        heads=("result",),
        items="samples",
        tags=(),
        sections={name: section for name, section in sections.items() if section},
        chart="",
        about=(),
        unit="score",
        notes=list(notes_of_table(scores)),
    )
    return run_page(views, contents, page, compared_with_first(runs, names))


def _answers(model: str, run: Run, items: int) -> Iterator[tuple[str, ShownSamples]]:
    grouped: dict[str, list[Answered]] = {}
    for sample in run.samples:
        grouped.setdefault(sample.result, []).append(_answered(run, sample))
    for result in run.results:
        if answered := grouped.get(result.name):
            sign = -1 if result.metric.lower_is_better else 1
            worst = sorted(answered, key=lambda answer, sign=sign: sign * answer.score)  # type: ignore[misc]
            yield result_name(result), (model, worst[:items], len(answered))


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
    half = LONGEST // 2
    return text if len(text) <= LONGEST else f"{text[:half]} … {text[-half:]}"
