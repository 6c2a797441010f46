"""Items of a suite as one table: its cells, and the inequalities that fail in each item.

HTML allows the end tags of cells, rows and bodies to be left out. A line feed in a cell is shown.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import escape

from evalmark.scoring.reports.suites.suite_run_folder import ItemView, RegionCell, SuiteView
from evalmark.scoring.suites.effects import tree_of
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Logic,
    Node,
    Reference,
    children,
    references,
    unparse,
)
from evalmark.validator.formats.suites.formula.meaning import ValueOf, evaluate, number


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


def compared(suite: SuiteView) -> Compared:
    """The parts of a suite that its predictions compare."""
    trees = tuple(tree_of(p.formula) for p in suite.predictions if p.label != "all")
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


def region_values(item: ItemView) -> dict[tuple[str, int | None], float]:
    """Condition and region (None for all) -> value in bits; undefined values are not in it."""
    values: dict[tuple[str, int | None], float] = {}
    for condition, sentence in item.sentences:
        by_region = {key: cell.value for key, cell in sentence.items() if cell.value is not None}
        values.update({(condition, key): value for key, value in by_region.items()})
        if len(by_region) == len(sentence):
            values[condition, None] = math.fsum(by_region.values())
    return values


def failures(item: ItemView, trees: Sequence[Node | None]) -> list[Failure]:
    """The inequalities that make predictions fail; none where a value is undefined."""
    values = region_values(item)

    def value_of(reference: Reference) -> float:
        return values[reference.condition, reference.region]

    results: list[Failure] = []
    for label, (tree, holds) in enumerate(zip(trees, item.holds, strict=False), 1):
        if tree is None or holds:
            continue
        try:
            for node in _to_blame(tree, value_of)[1]:
                sides = number(node.left, value_of), number(node.right, value_of)
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
    """The regions of each condition of each item, and what fails in it.

    Args:
        runs: Names and results of a suite: of one run, or of several with the same items.
        places: Which items, by their place in the suite.
        parts: What the predictions of the suite compare.
        caption: The caption of the table.
    """
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

    A run may lack regions: those that were not computed.
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
    tied = [p.label for p in suite.predictions if item.number in p.ties]
    return f" (decided by rounding: {', '.join(tied)})" if tied else ""


def _row(
    rows: Sequence[Mapping[int, RegionCell]],
    numbers: Sequence[tuple[int, bool]],
    largest: float,
    *,
    is_partial: bool,
) -> Iterator[str]:
    """The cells of a condition, by region and whether it is marked.

    Neighbours that were not computed are one cell.
    """
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
