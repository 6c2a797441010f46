"""The figures of runs of conversations: scores, memory spans, tokens, costs and times."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from evalmark.converters.statistics.proportions import average_interval
from evalmark.pages.conversations.folder import ConversationView, within

Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of each run. A cell is empty where a run does not state it."""

    name: str
    what: str  # how it is computed
    cells: tuple[str, ...]


def figures(views: Sequence[ConversationView]) -> list[Figure]:
    """The figures that at least one of the runs has."""
    found = [
        Figure(name, what, tuple(map(shown, views))) for name, (what, shown) in FIGURES.items()
    ]
    at = next(place for place, figure in enumerate(found) if figure.name == "LTM score")
    found[at:at] = _totals(views)
    return [figure for figure in found if any(figure.cells)]


#: Part of a total -> what it is.
_PARTS = {
    "total": "Of the questions that their history answers.",
    "beside": "Of other questions, which are no part of the total.",
    "recall": "Mean share of the evidence of a question that was retrieved.",
}


def _totals(views: Sequence[ConversationView]) -> Iterator[Figure]:
    """The totals of runs over memory sets, as ``converse`` prints them and records have them."""
    known = {total.name: total.part for view in views for total in view.totals}
    for name, part in known.items():
        cells = [next((t.score for t in view.totals if t.name == name), None) for view in views]
        shown = tuple("" if score is None else f"{score:.3f}" for score in cells)
        yield Figure(name, _PARTS.get(part, ""), shown)


@dataclass(frozen=True, slots=True)
class Headline:
    """The first number of a run; there is none if nothing has a score."""

    share: float | None
    interval: Interval | None
    what: str


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
    tests = [
        (test.tokens, test.score)
        for test in view.tests
        if test.score is not None and test.tokens is not None
    ]
    if not tests:
        return None
    if view.generation < 3:
        return sum(tokens * score for tokens, score in tests)
    passed = [tokens for tokens, score in tests if score == 1]
    return statistics.fmean(passed) if passed else None


def _average(view: ConversationView) -> str:
    share = average_score(view)
    return "" if share is None else f"{100 * share:.1f} %"


def _interval(view: ConversationView) -> str:
    found = average_score_interval(view)
    return f"{100 * found[0]:.1f} to {100 * found[1]:.1f} %" if found else ""


def _ltm(view: ConversationView) -> str:
    found = ltm_score(view)
    return "" if found is None else f"{found:,.0f} (generation {view.generation})"


def _used(view: ConversationView) -> str:
    scored = [test.tokens for test in view.tests if test.score is not None]
    used = [tokens for tokens in scored if tokens is not None]
    if not used:
        return ""
    return f"{min(used):,} / {statistics.fmean(used):,.0f} / {max(used):,} tokens"


def _overruns(view: ConversationView) -> str:
    count = sum(test.overrun for test in view.tests)
    return f"{count} of {_tests(view)}" if view.span else ""


def _tests(view: ConversationView) -> str:
    count = len(view.tests)
    return f"{count} test" if count == 1 else f"{count} tests"


def _without_score(view: ConversationView) -> str:
    states = [test.state for test in view.tests]
    counts = {name: states.count(state) for name, state in
              (("not judged", "not judged"), ("failed", "error"))}  # fmt: skip
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
        return "" if cost is None else f"{cost:,.2f} USD"

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
    "tests": ("Tests that were run.", _tests),
    "without a score": ("Tests that need a judge and had none, and tests that failed.",
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
