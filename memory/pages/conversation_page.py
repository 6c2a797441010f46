"""The page of runs of conversations: scores, memory spans, distances, tokens, costs and times."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evalmark.memory.evaluation.texts import NOT_MEASURED, dollars
from evalmark.memory.pages.conversation_folder import ConversationView, told_apart, within
from evalmark.reports.charts import INTERVAL, Bar, BarChart, BarGroup, bar_chart
from evalmark.reports.render import link, render
from evalmark.reports.suites.run_page import LONGEST, difference, page_title
from evalmark.stats.proportions import average_interval
from evalmark.validator.formats.shared.fields import mapping, number

#: The steps of a memory system, as a run names them -> what one of them is.
STEPS = {"ingest": "session", "search": "question", "answer": "question"}
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of each run. A cell is empty where a run does not state it."""

    name: str
    definition: str  # how it is computed
    cells: tuple[str, ...]


def figures(views: Sequence[ConversationView]) -> list[Figure]:
    """The figures that at least one of the runs has."""
    rows = [
        Figure(name, definition, tuple(map(shown, views)))
        for name, (definition, shown) in FIGURES.items()
    ]
    at = next(place for place, figure in enumerate(rows) if figure.name == "LTM score")
    rows[at:at] = _totals(views)
    rows += [Figure(name, definition, cells) for name, definition, cells in _cost_rows(views)]
    return [figure for figure in rows if any(figure.cells)]


#: Part of a total -> what it is.
_PARTS = {
    "total": "Of the questions that their history answers.",
    "beside": "Other questions, which are not part of the total.",
    "recall": "Mean share of the evidence of a question that was retrieved.",
}


def _totals(views: Sequence[ConversationView]) -> Iterator[Figure]:
    """The totals of runs over memory sets, as ``memory run`` prints them and records have them."""
    parts = {total.name: total.part for view in views for total in view.totals}
    for name, part in parts.items():
        cells = [next((t.score for t in view.totals if t.name == name), None) for view in views]
        shown = tuple("" if score is None else f"{score:.3f}" for score in cells)
        yield Figure(name, _PARTS.get(part, ""), shown)


@dataclass(frozen=True, slots=True)
class Headline:
    """The first number of a run; there is none if nothing has a score."""

    share: float | None
    interval: Interval | None
    title: str


def headline(view: ConversationView) -> Headline:
    """The average score of its datasets; of memory sets, the total."""
    if view.totals:
        first = view.totals[0]
        return Headline(first.score, first.interval, first.name)
    datasets = "1 dataset" if len(view.scored) == 1 else f"{len(view.scored)} datasets"
    return Headline(
        average_score(view), average_score_interval(view), f"average score of {datasets}"
    )


def average_score(view: ConversationView) -> float | None:
    """The mean of the scores of all datasets; None without scores, and of a memory set."""
    return view.total / len(view.scored) if view.scored and not view.totals else None


def average_score_interval(view: ConversationView) -> Interval | None:
    """The 95 % interval of that mean, from Wilson's intervals of the datasets."""
    if average_score(view) is None:
        return None
    means = [within(dataset.mean or 0.0) for dataset in view.scored]
    return average_interval(means, [len(dataset.scores) for dataset in view.scored])


def ltm_score(view: ConversationView) -> float | None:
    """The LTM score of the benchmark's generation that a run is of."""
    if not view.placed:
        return None
    if view.tests[0].generation < 3:
        return sum(tokens * score for tokens, score in view.placed)
    passed = [tokens for tokens, score in view.placed if score == 1]
    return statistics.fmean(passed) if passed else None


def _average(view: ConversationView) -> str:
    share = average_score(view)
    return "" if share is None else f"{100 * share:.1f} %"


def _interval(view: ConversationView) -> str:
    interval = average_score_interval(view)
    return f"{100 * interval[0]:.1f} to {100 * interval[1]:.1f} %" if interval else ""


def _ltm(view: ConversationView) -> str:
    score = ltm_score(view)
    return "" if score is None else f"{score:,.0f} (generation {view.tests[0].generation})"


def _used(view: ConversationView) -> str:
    used = [tokens for tokens, _ in view.placed]
    if not used:
        return ""
    return f"{min(used):,} / {statistics.fmean(used):,.0f} / {max(used):,} tokens"


def _overruns(view: ConversationView) -> str:
    if not view.span:
        return ""
    return f"{sum((test.tokens or 0) > view.span for test in view.tests)} of {_tests(view)}"


def _tests(view: ConversationView) -> str:
    count, name = len(view.tests), "question" if view.totals else "test"
    return f"{count} {name}{'s'[: count != 1]}"


def _without_score(view: ConversationView) -> str:
    states = [test.state for test in view.tests]
    counts = {
        name: states.count(state)
        for name, state in (("not judged", "not judged"), ("failed", "error"))
    }
    return ", ".join(f"{count} {name}" for name, count in counts.items() if count)


def _by_hand(view: ConversationView) -> str:
    count = sum(test.automatic is not None for test in view.tests)
    return f"{count} of {_tests(view)}"


def _number(view: ConversationView, key: str) -> float | None:
    value = view.stats.get(key)
    return value if isinstance(value, int | float) and not isinstance(value, bool) else None


def _tokens(key: str) -> Callable[[ConversationView], str]:
    def shown(view: ConversationView) -> str:
        count = _number(view, key)
        return "" if count is None else f"{count:,.0f} tokens"

    return shown


def _dollars(key: str) -> Callable[[ConversationView], str]:
    def shown(view: ConversationView) -> str:
        cost = _number(view, key)
        if cost is None:
            return NOT_MEASURED if key in view.stats else ""
        return dollars(cost)

    return shown


def _speed(view: ConversationView) -> str:
    stated = _number(view, "tokens_per_second")  # of earlier generations
    tokens, seconds = _number(view, "agent_tokens"), _number(view, "duration")
    if stated is None and tokens is not None and seconds:
        stated = tokens / seconds
    return "" if stated is None else f"{stated:,.1f} tokens/s"


def _duration(view: ConversationView) -> str:
    seconds = _number(view, "duration")
    if seconds is None:
        return ""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    parts = [f"{hours} h"] * bool(hours) + [f"{minutes} min"] * bool(hours or minutes)
    return " ".join([*parts, f"{rest} s"]) if hours or minutes else f"{seconds:.3g} s"


#: Name -> how a figure is computed, and what it is for a run.
FIGURES: dict[str, tuple[str, Callable[[ConversationView], str]]] = {
    "run": ("The name in its configuration, or its folder.", lambda view: view.run),
    "tests or questions": ("Tests, or questions of sets.", _tests),
    "without a score": ("Those that need a judge and had none, and those that failed.",
                        _without_score),
    "score": ("The sum of the means of all datasets, and its maximum.",
              lambda view: "" if average_score(view) is None
              else f"{view.total:.3f} of {len(view.scored)}"),
    "average score": ("The mean of the means of all datasets.", _average),
    "95 % interval": ("Of the average score. Wilson's intervals of the datasets, combined (MOVER). "
                      "It takes the tests of a dataset for a sample of all such tests.", _interval),
    "LTM score": ("The benchmark's own: in generation 3 the mean distance of the tests with full "
                  "score, before that the sum over tests of distance times score.", _ltm),
    "memory span": ("The distance that tests were to have.",
                    lambda view: f"{view.span:,} tokens" if view.span else ""),
    "memory span used": ("Minimum, mean and maximum of the distances that tests had.", _used),
    "overruns": ("Tests whose distance is longer than the memory span.", _overruns),
    "changed by hand": ("Tests whose score was edited after it was computed.", _by_hand),
    "conversation": ("All messages and replies.", _tokens("total_tokens")),
    "verbosity": ("What the agent wrote.", _tokens("agent_tokens")),
    "speed": ("Tokens that the agent wrote in a second.", _speed),
    "duration": ("The time that replies took.", _duration),
    "cost of the agent": ("As the run states it.", _dollars("agent_costs_usd")),
    "cost of judging": ("Of the judge, and of models that write tests.",
                        _dollars("managing_costs_usd")),
}  # fmt: skip


def _cost_rows(views: Sequence[ConversationView]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Name, definition and cells of each cost that a run over memory sets states."""
    for step, unit in STEPS.items():
        for name, what, shown in (
            ("seconds_p50", f"Median of the seconds of a {unit}.", "{:.3g} s"),
            ("seconds_p95", f"95th percentile of the seconds of a {unit}.", "{:.3g} s"),
            ("calls", "Requests to models.", "{:,.0f}"),
            ("read", "Tokens that the models read.", "{:,.0f} tokens"),
            ("written", "Tokens that they wrote.", "{:,.0f} tokens"),
            ("dollars", "Their price.", ""),
        ):
            steps = [mapping(view.costs.get(step)) for view in views]
            if any(number(costs.get(name)) != 0 for costs in steps if name in costs):
                cells = tuple(_cost(costs, name, shown) for costs in steps)
                yield f"{step}: {name.replace('_', ' ')}", what, cells
    contexts = [number(view.costs.get("context_tokens")) for view in views]
    if any(contexts):
        cells = tuple("" if value is None else f"{value:,.0f} tokens" for value in contexts)
        yield "context of a question", "Mean tokens of memories that an answer read.", cells


def _cost(costs: Mapping[str, object], name: str, shown: str) -> str:
    value = number(costs.get(name))
    if value is None:
        return NOT_MEASURED if name in costs else ""
    return shown.format(value) if shown else dollars(value)


def conversation_page(views: Sequence[ConversationView], *, page: Path | None = None) -> str:
    """HTML with the figures of runs, the scores of datasets, and the conversation of each test.

    ``page`` is where it will be, for links to the records.
    """
    runs = told_apart(views)
    origins = [view.origin for view in runs]
    names = dict.fromkeys(d.name for view in runs for d in view.datasets)
    described = {d.name: d.description for view in runs for d in view.datasets if d.description}
    return render(
        "conversation.html.j2",
        title=page_title([view.model for view in runs], origins, "conversations"),
        failing={d.name for view in runs for d in view.datasets if not d.holds},
        runs=runs,
        links=[link(origin.record, page) for origin in origins],
        headlines=list(map(headline, runs)),
        difference=difference(*runs) if len(runs) == 2 else None,
        figures=figures(runs),
        chart=bar_chart(score_chart(runs)),
        ids={name: f"dataset-{index}" for index, name in enumerate(names, 1)},
        described=described,
        longest=LONGEST,
    )


def score_chart(views: Sequence[ConversationView]) -> BarChart:
    """The mean score of each dataset, with a bar for each run."""
    groups: dict[str, list[Bar]] = {}
    for index, view in enumerate(views):
        for dataset in view.datasets:
            bars = groups.setdefault(dataset.name, [])
            if dataset.mean is not None and dataset.interval is not None:
                bars.append(Bar(index, dataset.mean, *dataset.interval))
    return BarChart(
        "Mean score by dataset",
        "score",
        INTERVAL,
        tuple(view.model for view in views),
        tuple(BarGroup(name, (("", tuple(bars)),)) for name, bars in groups.items()),
    )
