"""The items of a suite as one table: a page has thousands of cells, so they are short.

HTML allows the end tags of cells, rows and bodies to be left out. A line feed in a cell is shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from evalmark.pages.failures import Compared, Failure, failures
from evalmark.pages.run_folder import Cell, ItemView, SuiteView

#: Classes of cells of page.css, from the least color to the deepest; and with a frame.
HEAT = ("", *"abcdef")
FRAMED = ("m", *"ABCDEF")

#: An operator -> what is the case where it does not hold.
NOT = {"<": "≮", ">": "≯", "=": "≠"}


def item_table(suite: SuiteView, items: Sequence[ItemView], parts: Compared, caption: str) -> str:
    """The regions of each condition of each item, and what fails in it."""
    largest = max(_sizes(items), default=0.0) or 1.0
    heads = (f"<th scope=col>{escape(f'{n} {name}'.rstrip())}" for n, name in suite.regions)
    found = [
        f"<table class=cells><caption>{escape(caption)}</caption>",
        f"<thead><tr><th scope=col>condition{''.join(heads)}</thead>",
    ]
    for item in items:
        kind = "ok" if all(item.holds) else "no"
        found.append(
            f"<tbody class={kind}>\n<tr><th colspan={len(suite.regions) + 1} scope=rowgroup>"
        )
        found.append(f"item {item.number}{_outcome(suite, item, parts)}")
        for condition, sentence in item.sentences:
            marked = " class=m" if (condition, None) in parts.cells else ""
            found.append(f"<tr><th scope=row{marked}>{escape(condition)}")
            for number, _ in suite.regions:
                found.append(
                    _cell(sentence.get(number), largest, (condition, number) in parts.cells)
                )
    return "".join([*found, "</table>"])


def mean_table(suite: SuiteView, caption: str) -> str:
    """The numbers of a chart of curves."""
    heads = (f"<th scope=col>{escape(f'{n} {name}'.rstrip())}" for n, name in suite.regions)
    found = [
        f"<table><caption>{escape(caption)}</caption>",
        f"<thead><tr><th scope=col>condition{''.join(heads)}</thead><tbody>\n",
    ]
    for curve in suite.curves:
        points = {point.region: point for point in curve.points}
        found.append(f"<tr><th scope=row>{escape(curve.condition)}")
        for number, _ in suite.regions:
            point = points.get(number)
            shown = f"{point.mean:.2f} ±{point.high - point.mean:.2f}" if point else ""
            found.append(f"<td>{shown}")
        found.append("\n")
    return "".join([*found, "</table>"])


def bits(value: float) -> str:
    """A number of bits; more digits if two of them were zeros."""
    return f"{value:.2f}" if value == 0 or abs(value) >= 0.005 else f"{value:.1g}"


def _outcome(suite: SuiteView, item: ItemView, parts: Compared) -> str:
    if not item.holds:
        return ""
    if all(item.holds):
        return " <i>holds</i>" + _rounded(suite, item)
    told = failures(item, parts.trees)
    lines = []
    for number, holds in enumerate(item.holds, 1):
        if not holds:
            own = ",".join(_failure(f) for f in told if f.prediction == str(number))
            lines.append(f" <b>prediction {number} fails</b>{own}")
    return ";".join(lines) + _rounded(suite, item)


def _failure(failure: Failure) -> str:
    """By how much, and the two values; the inequality, unless it is the whole prediction."""
    code = f": <code>{escape(failure.inequality)}</code>" if failure.inequality else ""
    by = f"{code} by {bits(failure.bits)} bits" if failure.bits else code
    return f"{by} ({bits(failure.left)} {NOT[failure.operator]} {bits(failure.right)})"


def _rounded(suite: SuiteView, item: ItemView) -> str:
    tied = [p.label for p in suite.predictions if item.number in p.ties]
    return f" (decided by rounding: {', '.join(tied)})" if tied else ""


def _cell(cell: Cell | None, largest: float, marked: bool) -> str:
    if cell is None:
        return "<td>"
    shades = FRAMED if marked else HEAT
    if cell.value is None:
        kind, value = shades[0], "undefined"
    else:
        share = abs(cell.value) / largest if math.isfinite(cell.value) else 1.0
        kind, value = shades[min(int(share * len(HEAT)), len(HEAT) - 1)], f"{cell.value:.2f}"
    return f"<td{kind and f' class={kind}'}>{escape(cell.text)}\n{value}"


def _sizes(items: Sequence[ItemView]) -> Iterator[float]:
    for item in items:
        for _, sentence in item.sentences:
            for cell in sentence.values():
                if cell.value is not None and math.isfinite(cell.value):
                    yield abs(cell.value)
