"""Pages of runs over suites: each is one file that needs nothing else."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.comparison.compared_run import PAIRS, SUITES
from evalmark.scoring.comparison.paired_statistics import PairedComparison
from evalmark.scoring.comparison.run_comparison import (
    RunComparison,
    compare,
    of_texts,
    shown_difference,
)
from evalmark.scoring.reports.charts import (
    accuracies,
    bar_chart,
    curve_chart,
    overlaid_charts,
    span_of,
)
from evalmark.scoring.reports.comparison.base_comparison import BaseDifferences, base_differences
from evalmark.scoring.reports.render import link, render
from evalmark.scoring.reports.run_names import names_apart
from evalmark.scoring.reports.suites.effect_table import effect_table
from evalmark.scoring.reports.suites.item_ranking import item_ranking
from evalmark.scoring.reports.suites.item_table import (
    all_regions,
    compared,
    formula_code,
    have_same_items,
    item_table,
    mean_table,
)
from evalmark.scoring.runs.pair_views import PairRunView, Score
from evalmark.scoring.runs.run_origin import Origin
from evalmark.scoring.runs.suite_views import (
    GroupView,
    PredictionView,
    RunView,
    SuiteView,
    part_of,
)
from evalmark.scoring.suites.chance import IGNORANCE
from evalmark.stats.proportions import WILSON, average_interval


@dataclass(frozen=True, slots=True)
class Average:
    """The mean accuracy of a run over some suites."""

    run: RunView
    suites: int
    accuracy: float
    interval: tuple[float, float]  # 95 %, over items
    chance: float
    verdict: str  # how its suites compare with chance, in words
    part: str  # the part of the items that was scored, if a limit left some out
    has_failures = False  # the rows of its suites say so

    @property
    def is_below_chance(self) -> bool:
        """True if its interval is below chance."""
        return self.interval[1] < self.chance


#: A score under one run.
AnyCell = TypeVar("AnyCell", Average, PredictionView, Score)
AnyRun = TypeVar("AnyRun", RunView, PairRunView)


@dataclass(frozen=True, slots=True)
class CellRow(Generic[AnyCell]):
    """Scores under all runs: of a prediction, of a UID, or an average."""

    cells: tuple[AnyCell | None, ...]  # for each run

    @property
    def present(self) -> list[AnyCell]:
        """The scores of the runs that have it."""
        return [cell for cell in self.cells if cell]

    def common(self, field: Callable[[AnyCell], object]) -> str:
        """A field that runs have in common; several values if they differ."""
        return " or ".join(dict.fromkeys(str(field(cell)) for cell in self.present))

    @property
    def chances(self) -> str:
        """The chance accuracy."""
        return self.common(lambda cell: f"{cell.chance:.3f}")

    @property
    def kind(self) -> str:
        """The classes of the row: what the views of the page show."""
        below = any(cell.is_below_chance for cell in self.present)
        failed = any(cell.has_failures for cell in self.present)
        return " ".join(["below"] * below + ["failed"] * failed)


@dataclass(frozen=True, slots=True)
class AverageRow(CellRow[Average]):
    """The averages of all runs over the same choice of suites."""

    tag: str | None  # the tag that they share; None for all suites
    metric: str | None

    @property
    def shown(self) -> str:
        """The suites in words."""
        words = "all suites" if self.tag is None else self.tag
        return f"{words}, {self.metric}" if self.metric else words


@dataclass(frozen=True, slots=True)
class HeadlineDifference:
    """The difference of the second of two runs from the first.

    Attributes:
        whole: The mean over the suites they share, or a single suite; None if not compared.
        over: What it is the difference of, in words.
        rows: Suite and prediction -> how they differ.
        claims: What may be claimed of the mean, and of all items pooled, each with its test.
        texts: Why the runs did not read the same texts; empty if they did. If that is true of most
            items, the runs are not compared.
        why_not: Why the runs cannot be compared.
    """

    whole: PairedComparison | None
    over: str
    rows: Mapping[tuple[str, str], PairedComparison]
    claims: tuple[tuple[str, str], ...] = ()
    texts: str = ""
    why_not: str = ""


@dataclass(frozen=True, slots=True)
class PredictionRow(CellRow[PredictionView]):
    """A prediction of a suite under all runs."""

    suite: str
    tags: tuple[str, ...]
    label: str
    compared: PairedComparison | None

    @property
    def items(self) -> int:
        """The number of items."""
        return max(cell.items for cell in self.present)


def told_apart(runs: Sequence[AnyRun]) -> list[AnyRun]:
    """The runs, with what tells equal models apart after their names."""
    names = names_apart(
        [run.model for run in runs],
        [run.details for run in runs],
        [run.origin.folder for run in runs],
    )
    return [replace(run, model=name) for run, name in zip(runs, names, strict=True)]


def average_rows(runs: Sequence[RunView]) -> list[AverageRow]:
    """The averages over all suites, and then over those of each tag."""
    by_key: dict[tuple[str | None, str | None], list[Average | None]] = {}
    for index, run in enumerate(runs):
        for group in run.groups:
            key = group.tag, group.metric
            by_key.setdefault(key, [None] * len(runs))[index] = _average(run, group)
    rows = [AverageRow(tuple(averages), *key) for key, averages in by_key.items()]
    return sorted(rows, key=lambda row: (row.tag is not None, row.tag or "", row.metric or ""))


def difference(first: RunView | PairRunView, second: RunView | PairRunView) -> HeadlineDifference:
    """The difference of two runs."""
    try:
        comparison = compare(first.run, second.run)
    except (ScoringError, OSError, ValueError) as error:
        return HeadlineDifference(None, "", {}, why_not=str(error))
    if texts := other_texts(comparison):
        return HeadlineDifference(None, "", {}, texts=texts)
    whole, words, predictions = comparison.wholes[0], comparison.words, comparison.predictions
    over = (
        f"mean over {whole.averaged(words)}"
        if whole.suite == "mean"
        else f"over {whole.items} {words.item if whole.items == 1 else words.items}"
        + (f" of {whole.suite}" if len(comparison.wholes) > 1 else "")
    )
    return HeadlineDifference(
        whole,
        over,
        {(row.suite, row.prediction): row for row in predictions},
        tuple(
            # Of a single suite, the claim begins with its name.
            (row.claim if row in predictions else row.claim[:1].upper() + row.claim[1:], row.test)
            for row in dict.fromkeys((*comparison.wholes, comparison.pooled))
            if row
        ),
        _texts(comparison),
    )


def other_texts(comparison: RunComparison) -> str:
    """Why most items have another text in either run, as under another joining rule.

    Empty if they have not, and for conversations: their texts are the replies of agents.
    """
    rows = comparison.predictions if comparison.words in (SUITES, PAIRS) else ()
    others, items = sum(row.other_texts for row in rows), sum(row.items for row in rows)
    return _texts(comparison) if 2 * others > items else ""


def _texts(comparison: RunComparison) -> str:
    return "; ".join(map(shown_difference, of_texts(comparison.differences)))


def of_several(runs: Sequence[RunView | PairRunView]) -> BaseDifferences | None:
    """The differences of more than two runs from the first; two have a headline instead."""
    if len(runs) < 3:
        return None
    return base_differences([run.model for run in runs], [run.run for run in runs])


def rows(runs: Sequence[RunView], headline: HeadlineDifference | None) -> list[PredictionRow]:
    """A row for each prediction of each suite, in the order of the runs."""
    cells: dict[tuple[str, str], list[PredictionView | None]] = {}
    tags: dict[str, dict[str, None]] = {}
    for index, run in enumerate(runs):
        for suite in run.suites:
            tags.setdefault(suite.name, {}).update(dict.fromkeys(suite.tags))
            for prediction in suite.shown:
                key = suite.name, prediction.label
                cells.setdefault(key, [None] * len(runs))[index] = prediction
    order = {name: place for place, name in enumerate(tags)}
    compared = headline.rows if headline else {}
    return [
        PredictionRow(
            tuple(predictions),
            name,
            tuple(tags[name]),
            label,
            compared.get((name, label)) or compared.get((name, "")),  # of the only prediction
        )
        for (name, label), predictions in sorted(cells.items(), key=lambda pair: order[pair[0][0]])
    ]


def _average(run: RunView, group: GroupView) -> Average:
    whole = [suite.whole for suite in group.suites if suite.whole is not None]
    shares = [prediction.accuracy for prediction in whole]
    interval = average_interval(shares, [prediction.items for prediction in whole])
    part, verdict = part_of(group.suites), _verdict(whole)
    return Average(run, len(whole), group.accuracy, interval, group.chance, verdict, part)


def _verdict(whole: Sequence[PredictionView]) -> str:
    verdicts = [prediction.verdict for prediction in whole]
    better, even, worse = (verdicts.count(one) for one in ("better", "", "worse"))
    if len(whole) == 1:
        word = verdicts[0]
        return f"{word} than chance" if word else "not distinguishable from chance"
    return (
        f"better than chance in {better} of {len(whole)} suites, "
        f"not distinguishable from it in {even}, worse in {worse}"
    )


#: Items shown of a suite.
ITEMS = 200
#: Characters shown of a message.
LONGEST = 4000
#: Bars of a chart.
BARS = 24
#: Characters of the name of a model in the cells of a table.
SHORT = 16
#: Suites whose charts have all details: bars of each prediction, and points that tell numbers.
DETAILED = 12


@dataclass(frozen=True, slots=True)
class SuitePart:
    """A suite under one run, as the page shows it. Charts and tables are HTML."""

    run: RunView
    suite: SuiteView
    chart: str  # its region curves
    means: str  # their numbers, as a table
    effects: str  # the size of each effect, as a table; empty without predictions


@dataclass(frozen=True, slots=True)
class ItemList:
    """The items of a suite under one run, or under several that have the same items."""

    table: str  # HTML
    failing: tuple[tuple[str, int], ...]  # for each run its name and how many items fail
    shown: int  # how many items the table has
    items: int  # how many there are
    ranking: str = ""  # HTML: the items that several runs speak against


@dataclass(frozen=True, slots=True)
class SuiteSection:
    """A suite under all runs that have it."""

    overlay: str  # the curves of the runs on one scale; empty for a single run
    parts: tuple[SuitePart, ...]
    lists: tuple[ItemList, ...]

    @property
    def kind(self) -> str:
        """The classes of the section: what the views of the page show."""
        below = any(p.is_below_chance for part in self.parts for p in part.suite.shown)
        failed = any(count for items in self.lists for _, count in items.failing)
        return " ".join(["below"] * below + ["failed"] * failed)


def run_page(
    runs: Sequence[RunView],
    *,
    items: int = ITEMS,
    page: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> str:
    """HTML with accuracies, region curves, and items that open on a click.

    It shows at most ``items`` of each suite, failing ones first, and says when there are more.
    ``page`` is where it will be, for links to the records.
    """
    runs = told_apart(runs)
    views_by_name: dict[str, list[tuple[RunView, SuiteView]]] = {}
    for run in runs:
        for suite in run.suites:
            views_by_name.setdefault(suite.name, []).append((run, suite))
    detailed = len(views_by_name) <= DETAILED
    sections: dict[str, SuiteSection] = {}
    for done, (name, shared) in enumerate(views_by_name.items(), 1):
        sections[name] = _section(shared, items, tells=detailed and len(runs) == 1)
        if progress:
            progress(done, len(views_by_name))
    headline = difference(*runs) if len(runs) == 2 else None
    chart = accuracies(runs, detailed=detailed)
    return render(
        "run.html.j2",
        title=page_title([run.model for run in runs], [run.origin for run in runs], "suites"),
        runs=runs,
        ignorance=IGNORANCE,
        intervals=WILSON,
        links=[link(run.origin.record, page) for run in runs],
        averages=average_rows(runs),
        difference=headline,
        code=formula_code,
        compared=of_several(runs),
        rows=rows(runs, headline),
        tags=sorted({tag for run in runs for suite in run.suites for tag in suite.tags}),
        sections=sections,
        accuracies="".join(map(bar_chart, chart.parts(BARS))),
        ids={name: f"suite-{index}" for index, name in enumerate(sections, 1)},
    )


def page_title(names: Sequence[str], origins: Sequence[Origin], kind: str) -> str:
    """Model, data, date and version; what is not known is left out."""
    data = ", ".join(dict.fromkeys(origin.data for origin in origins if origin.data))
    written = dict.fromkeys(origin.written for origin in origins if origin.written)
    return ", ".join([f"{', '.join(names)}: {data or kind}", *written])


def _section(
    shared: Sequence[tuple[RunView, SuiteView]], items: int, *, tells: bool
) -> SuiteSection:
    suites = [suite for _, suite in shared]
    overlay = overlaid_curves(shared)
    one_scale = _span(suites) if overlay else None
    parts = tuple(_part(run, suite, one_scale, tells) for run, suite in shared)
    groups = [shared] if have_same_items(suites) else [[pair] for pair in shared]
    names = _short_names([run.model for run, _ in shared])
    lists = (_items(group, names, items) for group in groups)
    return SuiteSection(overlay, parts, tuple(lists))


def _span(suites: Sequence[SuiteView]) -> tuple[float, float]:
    return span_of(curve for suite in suites for curve in suite.curves)


def overlaid_curves(shared: Sequence[tuple[RunView, SuiteView]]) -> str:
    """The region curves of a suite under several runs on one scale; empty if there is none.

    Curves of different metrics have nothing to do with each other. A run may lack regions.
    """
    suites = [suite for _, suite in shared]
    regions = all_regions(suites)
    together = (
        len(shared) > 1
        and len({suite.metric for suite in suites}) == 1
        and len(regions) == len({region for suite in suites for region in suite.regions})
    )
    if not together:
        return ""
    return overlaid_charts(
        f"Surprisal by region: {suites[0].name}",
        _axis(suites[0]),
        regions,
        [(run.model, suite.curves) for run, suite in shared],
        compared(suites[0]).regions,
        _span(suites),
        is_partial=all(suite.is_partial for suite in suites),
    )


def _part(
    run: RunView, suite: SuiteView, span: tuple[float, float] | None, tells: bool
) -> SuitePart:
    caption = f"Mean surprisal (bits) and half its 95 % interval: {suite.name}, {run.model}"
    chart = suite_curves(run, suite, span, tells=tells)
    margins = f"Mean margin (bits) of each comparison over items: {suite.name}, {run.model}"
    effects = effect_table(suite, margins)
    return SuitePart(run, suite, chart, mean_table(suite, caption), effects)


def _short_names(models: Sequence[str]) -> dict[str, str]:
    last = [model.rpartition("/")[2] for model in models]
    if len(set(last)) == len(models) and all(len(name) <= SHORT for name in last):
        return dict(zip(models, last, strict=True))
    return {model: f"model {number}" for number, model in enumerate(models, 1)}


def _items(
    shared: Sequence[tuple[RunView, SuiteView]], names: Mapping[str, str], most: int
) -> ItemList:
    suite = shared[0][1]
    places = range(len(suite.items))
    fails = [
        {at for at in places if not all(failing_places.items[at].holds)}
        for _, failing_places in shared
    ]
    failing = set().union(*fails)
    shown = sorted(sorted(places, key=lambda at: (at not in failing, at))[:most])
    parts = compared(suite)
    models = ", ".join(run.model for run, _ in shared)
    caption = f"Items and their surprisals (bits), {suite.metric}: {suite.name}, {models}"
    if parts.cells:
        caption += ". What predictions compare has a frame"
    if any(failing_places.is_partial for _, failing_places in shared):
        caption += ". Other regions were not computed (--regions predicted)"
    table = item_table(
        [(names[run.model], failing_places) for run, failing_places in shared],
        shown,
        parts,
        caption,
    )
    counts = (
        (run.model, len(failing_places))
        for (run, _), failing_places in zip(shared, fails, strict=True)
    )
    against = f"Items that agree least with the rest of the suite: {suite.name}, {models}"
    ranking = item_ranking([failing_places for _, failing_places in shared], against)
    return ItemList(table, tuple(counts), len(shown), len(places), ranking)


def _axis(suite: SuiteView) -> str:
    return f"surprisal, {suite.metric} (bits)"


def suite_curves(
    run: RunView,
    suite: SuiteView,
    span: tuple[float, float] | None = None,
    *,
    tells: bool = True,
) -> str:
    """The region curves of a suite under one run, on a scale that spans some values."""
    return curve_chart(
        f"Surprisal by region: {suite.name}, {run.model}",
        f"Mean surprisal over {len(suite.items)} items with its 95 % interval, "
        f"for {len(suite.curves)} conditions in {len(suite.regions)} regions. "
        "The table below has the numbers.",
        _axis(suite),
        suite.regions,
        suite.curves,
        compared=compared(suite).regions,
        span=span,
        tells=tells,
        is_partial=suite.is_partial,
    )
