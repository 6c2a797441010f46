"""The page of runs over suites: accuracies, region curves, sizes of effects, and items.

HTML allows the end tags of cells, rows and bodies to be left out. A line feed in a cell is shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from pathlib import Path

from evalmark.scoring.comparison.compared_run import ALL
from evalmark.scoring.reports import ITEMS
from evalmark.scoring.reports.charts import curve_chart, overlaid_charts, span_of
from evalmark.scoring.reports.comparison.base_comparison import compared_with_first
from evalmark.scoring.reports.comparison.model_scores import TAGS, scores_of
from evalmark.scoring.reports.run_page import (
    Card,
    Contents,
    ScoreRow,
    rows_of_table,
    run_page,
    score_charts,
    with_names,
)
from evalmark.scoring.runs.scores import Score
from evalmark.scoring.runs.suite_views import (
    EffectView,
    ItemView,
    RegionCell,
    RunView,
    SuiteView,
)
from evalmark.scoring.suites.chance import IGNORANCE
from evalmark.scoring.suites.effects import EQUALITY, INTERACTION, tree_of
from evalmark.scoring.suites.item_evidence import Margins, rank_items
from evalmark.stats.effect_sizes import EffectSize
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Logic,
    Node,
    Reference,
    children,
    references,
    unparse,
)
from evalmark.validator.formats.suites.formula.meaning import ValueOf, evaluate, value_of_sum

#: Characters of the name of a model in the cells of a table.
SHORT = 16
#: Suites whose chart of bars has each prediction; of more, it has all predictions of a suite.
DETAILED = 12


@dataclass(frozen=True, slots=True)
class SuitePart:
    """A suite under one run, as the page shows it. Charts and tables are HTML."""

    run: RunView
    suite: SuiteView
    chart: str  # its region curves
    means: str  # their numbers, as a table
    effects: str  # the size of each effect, as a table; empty without predictions
    formulas: tuple[str, ...]  # of its predictions


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
        below = any(p.score.is_below_chance for part in self.parts for p in part.suite.shown)
        failed = any(count for items in self.lists for _, count in items.failing)
        return " ".join(["below"] * below + ["failed"] * failed)


#: What scores are, and the sizes of effects.
ABOUT = (
    "Surprisals are in bits. Accuracy is the share of items for which a prediction holds. The "
    "average takes the share of items for which all predictions of a suite hold, with the same "
    "weight for each suite; its interval combines those of its suites (MOVER).",
    f"{IGNORANCE}.",
)
ABOUT_EFFECTS = (
    "The size of an effect is the mean margin: by how many bits a comparison holds, negative where "
    "it fails. Its tests are over items, against a mean of 0, and not corrected for many "
    "comparisons."
)


def suites_page(
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
    runs = with_names(runs)
    views_by_name: dict[str, list[tuple[RunView, SuiteView]]] = {}
    for run in runs:
        for suite in run.suites:
            views_by_name.setdefault(suite.name, []).append((run, suite))
    sections: dict[str, SuiteSection] = {}
    for done, (name, shared) in enumerate(views_by_name.items(), 1):
        sections[name] = _section(shared, items)
        if progress:
            progress(done, len(views_by_name))
    rows, models = rows_of_table([scores_of(run.run) for run in runs]), [run.model for run in runs]
    is_detailed = len(sections) <= DETAILED
    bars = [row for row in rows if is_detailed or row.names[-1] == ALL]
    title = f"Accuracy by suite{' and prediction' * is_detailed}"
    contents = Contents(
        kind="suites",
        template="suite.html.j2",
        counts=[f"{len(run.suites)} suite{'s'[: len(run.suites) != 1]}" for run in runs],
        cards=list(_cards(runs)),
        averages=average_rows(runs) if len(sections) > 1 else (),
        averaged=("Average accuracy by tag; each suite has the same weight", "tag", "suites"),
        rows=rows,
        heads=("suite", "prediction"),
        items="items",
        tags=(TAGS,) if any(row.tags[TAGS] for row in rows) else (),
        sections=sections,
        chart=score_charts(title, models, bars),
        about=ABOUT,
        about_sections=ABOUT_EFFECTS,
    )
    compared = compared_with_first([run.run for run in runs], models)
    return run_page(runs, contents, page, compared)


def average_rows(runs: Sequence[RunView]) -> list[ScoreRow]:
    """The averages over all suites, and then over those of each tag; none if these are all."""
    names = [
        {(group.tag or "", group.metric or ""): group.score for group in run.groups} for run in runs
    ]
    keys = sorted({key for of_run in names for key in of_run})
    rows = [
        ScoreRow(
            (", ".join(filter(None, (tag or "all suites", metric))),),
            tuple(of_run.get((tag, metric)) for of_run in names),
        )
        for tag, metric in keys
    ]
    return rows if len(rows) > 1 else []


def _cards(runs: Sequence[RunView]) -> Iterator[list[Card]]:
    """The average of all suites of each run; of each metric, if a suite has several."""
    by_metric: dict[str | None, list[Card]] = {}
    for index, run in enumerate(runs):
        for group in run.groups:
            if group.tag is None:
                many = len(group.scores) > 1
                words = f"average accuracy of {len(group.scores)} suites" if many else "accuracy"
                words += f", {group.metric}" if group.metric else ""
                card = Card(index, group.score, words, _verdict(group.scores))
                by_metric.setdefault(group.metric, []).append(card)
    yield from by_metric.values()


def _verdict(whole: Sequence[Score]) -> str:
    verdicts = [score.verdict for score in whole]
    better, even, worse = (verdicts.count(verdict) for verdict in ("better", "", "worse"))
    if len(whole) == 1:
        word = verdicts[0]
        return f"{word} than chance" if word else "not distinguishable from chance"
    return (
        f"better than chance in {better} of {len(whole)} suites, "
        f"not distinguishable from it in {even}, worse in {worse}"
    )


def _section(shared: Sequence[tuple[RunView, SuiteView]], items: int) -> SuiteSection:
    suites = [suite for _, suite in shared]
    overlay = _overlaid_curves(shared)
    one_scale = _span(suites) if overlay else None
    parts = tuple(_part(run, suite, one_scale) for run, suite in shared)
    groups = [shared] if have_same_items(suites) else [[pair] for pair in shared]
    names = _short_names([run.model for run, _ in shared])
    lists = (_items(group, names, items) for group in groups)
    return SuiteSection(overlay, parts, tuple(lists))


def _span(suites: Sequence[SuiteView]) -> tuple[float, float]:
    return span_of(curve for suite in suites for curve in suite.curves)


def _overlaid_curves(shared: Sequence[tuple[RunView, SuiteView]]) -> str:
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
        compared_parts(suites[0]).regions,
        _span(suites),
        is_partial=all(suite.is_partial for suite in suites),
    )


def _part(run: RunView, suite: SuiteView, span: tuple[float, float] | None) -> SuitePart:
    caption = f"Mean surprisal (bits) and half its 95 % interval: {suite.name}, {run.model}"
    chart = suite_curves(run.model, suite, span)
    margins = f"Mean margin (bits) of each comparison over items: {suite.name}, {run.model}"
    effects = effect_table(suite, margins)
    formulas = tuple(formula_code(prediction.formula) for prediction in suite.predictions)
    return SuitePart(run, suite, chart, mean_table(suite, caption), effects, formulas)


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
    fails = [{at for at in places if not all(of_run.items[at].holds)} for _, of_run in shared]
    failing = set().union(*fails)
    shown = sorted(sorted(places, key=lambda at: (at not in failing, at))[:most])
    parts = compared_parts(suite)
    models = ", ".join(run.model for run, _ in shared)
    caption = f"Items and their surprisals (bits), {suite.metric}: {suite.name}, {models}"
    if parts.cells:
        caption += ". What predictions compare has a frame"
    if any(of_run.is_partial for _, of_run in shared):
        caption += ". Other regions were not computed (--regions predicted)"
    table = item_table(
        [(names[run.model], of_run) for run, of_run in shared],
        shown,
        parts,
        caption,
    )
    counts = ((run.model, len(of_run)) for (run, _), of_run in zip(shared, fails, strict=True))
    against = f"Items that agree least with the rest of the suite: {suite.name}, {models}"
    ranking = item_ranking([margins_of(suite) for _, suite in shared], against)
    return ItemList(table, tuple(counts), len(shown), len(places), ranking)


def _axis(suite: SuiteView) -> str:
    return f"surprisal, {suite.metric} (bits)"


def suite_curves(
    model: str,
    suite: SuiteView,
    span: tuple[float, float] | None = None,
) -> str:
    """The region curves of a suite under one run, on a scale that spans some values."""
    return curve_chart(
        f"Surprisal by region: {suite.name}, {model}",
        f"Mean surprisal over {len(suite.items)} items with its 95 % interval, "
        f"for {len(suite.curves)} conditions in {len(suite.regions)} regions. "
        "The table below has the numbers.",
        _axis(suite),
        suite.regions,
        suite.curves,
        compared=compared_parts(suite).regions,
        span=span,
        is_partial=suite.is_partial,
    )


# Effects


def effect_table(suite: SuiteView, caption: str) -> str:
    """HTML with the size of each effect: a row for each comparison; empty if there is none."""
    sizes = ((effect, effect.size) for effect in suite.effects)
    rows = [_effect_row(effect, size) for effect, size in sizes if size is not None]
    heads = (
        "prediction", "comparison", "mean margin", "95 % interval", "t", "p (t test)",
        "p (sign flips)", "items",
    )  # fmt: skip
    return _number_table(caption, heads, 2, rows)


def _number_table(caption: str, heads: Sequence[str], names: int, rows: Sequence[str]) -> str:
    cells = "".join(
        f"<th scope=col{' class=number' if place >= names else ''}>{head}"
        for place, head in enumerate(heads)
    )
    title = f"<caption>{escape(caption)}</caption>"
    table = f"<table class=effects>{title}<thead><tr>{cells}</thead><tbody>{''.join(rows)}</table>"
    return table if rows else ""


def _effect_row(effect: EffectView, size: EffectSize) -> str:
    tests = (
        "" if size.t is None else f"{size.t:.2f}",
        "" if size.t_test is None else _p_value(size.t_test),
        "" if size.sign_flip is None else _p_value(size.sign_flip.value),
    )
    interval = "" if size.interval is None else " to ".join(map(bits, size.interval))
    kind = f" ({INTERACTION})" if effect.kind == INTERACTION else ""
    code = formula_code(unparse(effect.comparison))
    cells = "".join(
        f"<td class=number>{cell}" for cell in (bits(size.mean), interval, *tests, size.items)
    )
    return f"<tr><th scope=row>{escape(effect.prediction)}<td>{code}{kind}{cells}"


def _p_value(value: float) -> str:
    return "&lt; 0.0001" if value < 1e-4 else f"{value:.{4 if value < 0.1 else 2}f}"


#: Items that a ranking has: a tenth of those of a suite of a hundred.
MOST = 10


def margins_of(suite: SuiteView) -> Margins:
    """The margins of the comparisons of a suite under a run; `=` has no direction."""
    return {
        unparse(effect.comparison): effect.defined
        for effect in suite.effects
        if effect.kind != EQUALITY
    }


def item_ranking(runs: Sequence[Margins], caption: str) -> str:
    """HTML with the items that a comparison speaks against; empty if it does of none."""
    ranked = [item for item in rank_items(runs) if item.agreement < 0]
    heads = (
        "item", "comparison", "agreement with the rest", "item-rest correlation", "runs against it"
    )  # fmt: skip
    rows = []
    for item in ranked[:MOST]:
        correlation = "" if item.correlation is None else f"{item.correlation:+.2f}"
        numbers = f"{item.agreement:+.2f}", correlation, f"{item.against} of {item.runs}"
        cells = "".join(f"<td class=number>{number}" for number in numbers)
        code = formula_code(item.comparison)
        rows.append(f"<tr><th scope=row>{item.item}<td>{code}{cells}")
    return _number_table(caption, heads, 2, rows)


# Items


@dataclass(frozen=True, slots=True)
class Compared:
    """The parts of a suite that its predictions compare.

    A tree is None if its formula cannot be read: the folder of a run may come from elsewhere.
    """

    trees: tuple[Node | None, ...]
    #: Region -> the labels of the predictions that refer to it.
    regions: Mapping[int, tuple[str, ...]]
    #: Conditions and regions that predictions refer to; a region of None is the whole sentence.
    cells: frozenset[tuple[str, int | None]]


@dataclass(frozen=True, slots=True)
class Failure:
    """An inequality that does not hold in an item, with its two values in bits."""

    prediction: str  # its label
    inequality: str  # empty if it is the whole prediction
    operator: str
    left: float
    right: float

    @property
    def bits(self) -> float:
        """By how much it fails: how far apart the two sides are."""
        return abs(self.left - self.right)


def compared_parts(suite: SuiteView) -> Compared:
    """The parts of a suite that its predictions compare."""
    trees = tuple(tree_of(p.formula) for p in suite.predictions)
    regions: dict[int, list[str]] = {}
    cells: set[tuple[str, int | None]] = set()
    for label, tree in enumerate(trees, 1):
        for part in references(tree) if tree is not None else ():
            cells.add((part.condition, part.region))
            if part.region is not None:
                labels = regions.setdefault(part.region, [])
                labels += [str(label)] if str(label) not in labels else []
    return Compared(
        trees, {key: tuple(labels) for key, labels in regions.items()}, frozenset(cells)
    )


def failures(item: ItemView, trees: Sequence[Node | None]) -> list[Failure]:
    """The inequalities that make predictions fail; none where a value is undefined."""
    values = {place: bits for place, bits in item.values.items() if bits is not None}

    def value_of(reference: Reference) -> float:
        return values[reference.condition, reference.region]

    results: list[Failure] = []
    for label, (tree, holds) in enumerate(zip(trees, item.holds, strict=False), 1):
        if tree is None or holds:
            continue
        try:
            for node in _to_blame(tree, value_of)[1]:
                sides = value_of_sum(node.left, value_of), value_of_sum(node.right, value_of)
                text = "" if node is tree else unparse(node)
                results.append(Failure(str(label), text, node.operator, *sides))
        except (KeyError, TypeError):  # an undefined value, or a formula that is not a truth value
            continue
    return results


def _to_blame(node: Node, value_of: ValueOf) -> tuple[bool, list[Comparison]]:
    """The truth of a part and, if it is false, the inequalities that would have to hold."""
    if not isinstance(node, Logic):
        holds = bool(evaluate(node, value_of))
        return holds, [node] if not holds and isinstance(node, Comparison) else []
    first, *others = children(node)
    holds, blamed = _to_blame(first, value_of)
    for (operator, _), operand in zip(node.rest, others, strict=True):
        also, more = _to_blame(operand, value_of)
        holds = (holds and also) if operator == "&" else (holds or also)
        blamed = [] if holds else [*blamed, *more]
    return holds, blamed


#: Classes of cells of page.css, from the least color to the deepest; and with a frame.
HEAT = ("", *"abcd")
FRAMED = ("m", *"ABCD")

#: An operator -> what is the case where it does not hold.
NOT = {"<": "≮", ">": "≯", "=": "≠"}

#: A region of a run that has only the regions of predictions.
NOT_COMPUTED = "not computed"


def item_table(
    runs: Sequence[tuple[str, SuiteView]], places: Sequence[int], parts: Compared, caption: str
) -> str:
    """The regions of each condition of each item of ``places``, and what fails in it."""
    suites = [suite for _, suite in runs]
    regions = all_regions(suites)
    largest = max(_sizes(suites, places), default=0.0) or 1.0
    is_partial = any(suite.is_partial for suite in suites)
    heads = (f"<th scope=col>{escape(f'{n} {name}'.rstrip())}" for n, name in regions)
    html = [
        f"<table class=cells><caption>{escape(caption)}</caption>",
        f"<thead><tr><th scope=col>condition{''.join(heads)}</thead>",
    ]
    names = "".join(f"\n{name}" for name, _ in runs) if len(runs) > 1 else ""
    for place in places:
        items = [suite.items[place] for suite in suites]
        html += _item_head(runs, items, parts, len(regions) + 1)
        sentences = [dict(item.sentences) for item in items]
        for condition in dict.fromkeys(name for conditions in sentences for name in conditions):
            marked = " class=m" if (condition, None) in parts.cells else ""
            html.append(f"<tr><th scope=row{marked}>{escape(condition + names)}")
            rows = [sentence.get(condition, {}) for sentence in sentences]
            numbers = [(number, (condition, number) in parts.cells) for number, _ in regions]
            html += _row(rows, numbers, largest, is_partial=is_partial)
    return "".join([*html, "</table>"])


def _item_head(
    runs: Sequence[tuple[str, SuiteView]], items: Sequence[ItemView], parts: Compared, columns: int
) -> Iterator[str]:
    kind = "ok" if all(all(item.holds) for item in items) else "no"
    yield f"<tbody class={kind}>\n<tr><th colspan={columns} scope=rowgroup>"
    yield f"item {items[0].number}"
    for (name, suite), item in zip(runs, items, strict=True):
        outcome = _outcome(suite, item, parts)
        yield f"\n{escape(name)}:{outcome}" if len(runs) > 1 and outcome else outcome


def all_regions(suites: Sequence[SuiteView]) -> list[tuple[int, str]]:
    """The numbers and names of the regions of several results, ascending."""
    return sorted({number: name for suite in suites for number, name in suite.regions}.items())


def have_same_items(suites: Sequence[SuiteView]) -> bool:
    """True if results are of the same items, so that one table can have them all.

    A run may lack regions.
    """
    first, *others = suites
    names, first_sentences = dict(first.regions), [dict(item.sentences) for item in first.items]

    def same(suite: SuiteView) -> bool:
        return (
            (first.metric, _formulas(first)) == (suite.metric, _formulas(suite))
            and [item.number for item in first.items] == [item.number for item in suite.items]
            and all(names.get(number, name) == name for number, name in suite.regions)
            and all(
                cells[number].text == cell.text
                for sentences, item in zip(first_sentences, suite.items, strict=True)
                for condition, sentence in item.sentences
                for cells in (sentences.get(condition, {}),)
                for number, cell in sentence.items()
                if number in cells
            )
        )

    return all(map(same, others))


def mean_table(suite: SuiteView, caption: str) -> str:
    """The numbers of a chart of curves."""
    heads = (f"<th scope=col>{escape(f'{n} {name}'.rstrip())}" for n, name in suite.regions)
    html = [
        f"<table><caption>{escape(caption)}</caption>",
        f"<thead><tr><th scope=col>condition{''.join(heads)}</thead><tbody>\n",
    ]
    for curve in suite.curves:
        points = {point.region: point for point in curve.points}
        html.append(f"<tr><th scope=row>{escape(curve.condition)}")
        for region, _ in suite.regions:
            point = points.get(region)
            shown = f"{point.mean:.2f} ±{point.high - point.mean:.2f}" if point else ""
            html.append(f"<td>{shown or (NOT_COMPUTED if suite.is_partial else '')}")
        html.append("\n")
    return "".join([*html, "</table>"])


def formula_code(formula: str) -> str:
    """A formula as HTML. It goes from left to right, whatever the script of its conditions.

    Without the isolation, conditions in Arabic or Hebrew reorder numbers and signs next to them.
    """
    text = escape(formula)
    if not formula.isascii():
        text = re.sub(r"%[^%]*%", lambda name: f"<bdi>{name[0]}</bdi>", text)
    return f"<code>{text}</code>"


def bits(value: float) -> str:
    """A number of bits; more digits if two of them were zeros."""
    return f"{value:.2f}" if value == 0 or abs(value) >= 0.005 else f"{value:.1g}"


def _outcome(suite: SuiteView, item: ItemView, parts: Compared) -> str:
    if not item.holds:
        return ""
    if all(item.holds):
        return " <i>holds</i>" + _rounded(suite, item)
    every = failures(item, parts.trees)
    lines = []
    for position, holds in enumerate(item.holds, 1):
        if not holds:
            failing = [failure for failure in every if failure.prediction == str(position)]
            colon = ":" if any(failure.inequality for failure in failing) else ""
            failed = ",".join(map(_failure, failing))
            lines.append(f" <b>prediction {position} fails</b>{colon}{failed}")
    return ";".join(lines) + _rounded(suite, item)


def _failure(failure: Failure) -> str:
    code = f" {formula_code(failure.inequality)}" if failure.inequality else ""
    by = f"{code} by {bits(failure.bits)} bits" if failure.bits else code
    return f"{by} ({bits(failure.left)} {NOT[failure.operator]} {bits(failure.right)})"


def _rounded(suite: SuiteView, item: ItemView) -> str:
    predictions = enumerate(suite.predictions, 1)
    tied = [str(place) for place, prediction in predictions if item.number in prediction.ties]
    return f" (decided by rounding: {', '.join(tied)})" if tied else ""


def _row(
    rows: Sequence[Mapping[int, RegionCell]],
    numbers: Sequence[tuple[int, bool]],
    largest: float,
    *,
    is_partial: bool,
) -> Iterator[str]:
    """The cells of a condition, by region and whether it is marked."""
    missing = 0
    for region, marked in numbers:
        cells = [sentence.get(region) for sentence in rows]
        if is_partial and not any(cells):
            missing += 1
            continue
        yield from _missing(missing)
        missing = 0
        yield _cell(cells, largest, marked)
    yield from _missing(missing)


def _missing(count: int) -> Iterator[str]:
    if count:
        yield f"<td colspan={count}>{NOT_COMPUTED}" if count > 1 else f"<td>{NOT_COMPUTED}"


def _cell(cells: Sequence[RegionCell | None], largest: float, marked: bool) -> str:
    """The text, and a line for the value of each run. The color is that of their mean."""
    texts = [cell.text for cell in cells if cell]
    if not texts:
        return "<td>"
    shades = FRAMED if marked else HEAT
    kind = shades[0]
    values = [cell.value for cell in cells if cell and cell.value is not None]
    if values:
        sizes = [abs(value) / largest if math.isfinite(value) else 1.0 for value in values]
        kind = shades[min(int(sum(sizes) / len(sizes) * len(HEAT)), len(HEAT) - 1)]
    shown = "".join(f"\n{_value(cell)}" for cell in cells)
    return f"<td{kind and f' class={kind}'}>{escape(texts[0])}{shown}"


def _value(cell: RegionCell | None) -> str:
    if cell is None:
        return NOT_COMPUTED.replace(" ", "\N{NO-BREAK SPACE}")  # one line, as its model's name
    return "undefined" if cell.value is None else f"{cell.value:.2f}"


def _formulas(suite: SuiteView) -> list[str]:
    return [prediction.formula for prediction in suite.predictions]


def _sizes(suites: Sequence[SuiteView], places: Sequence[int]) -> Iterator[float]:
    for suite in suites:
        for place in places:
            for _, sentence in suite.items[place].sentences:
                for cell in sentence.values():
                    if cell.value is not None and math.isfinite(cell.value):
                        yield abs(cell.value)
