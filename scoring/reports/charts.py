"""Charts of pages, drawn as SVG: elements, axes with round numbers, bars and curves.

Horizontal positions are percentages, vertical ones are pixels. So a chart is as wide as the page
while its text keeps its size, on a phone too. Colors are those of ``page.css``. The margins, where
the numbers of the axes are, are padding that ``page.css`` gives to the picture.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from types import MappingProxyType

from evalmark.scoring.runs.scores import Score
from evalmark.scoring.runs.suite_views import Curve

#: Elements of SVG that mostly have no content.
SHAPES = frozenset({"line", "path", "rect", "use"})
#: Values of attributes that HTML allows without quotes.
_plain = re.compile(r"[\w.%#-]+", re.ASCII).fullmatch


def element(name: str, *children: str, **attributes: object) -> str:
    """An element of a page in HTML. Values of attributes are escaped; children are markup already.

    ``_`` in the name of an attribute stands for ``-``; one at its end is dropped (``class_``).
    """
    written = "".join(
        f" {key.rstrip('_').replace('_', '-')}={_value(value)}" for key, value in attributes.items()
    )
    if not children and name in SHAPES:
        return f"<{name}{written} />"  # without the space, `/` would belong to a value
    return f"<{name}{written}>{''.join(children)}</{name}>"


def text(content: str, **attributes: object) -> str:
    """A text element; its content is escaped."""
    return element("text", escape(content), **attributes)


def line(x1: object, y1: object, x2: object, y2: object, **attributes: object) -> str:
    """A straight line."""
    return element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def path(data: str, **attributes: object) -> str:
    """A path."""
    return element("path", d=data, **attributes)


def percent(share: float) -> str:
    """A horizontal position: lengths in percent follow the width of the page."""
    return f"{100 * share:.4g}%"


def ticks(low: float, high: float, about: int = 5) -> list[float]:
    """Round numbers (1, 2 or 5 times a power of ten) that span a range."""
    rough = (high - low) / about or 1.0
    power = 10.0 ** math.floor(math.log10(rough))
    step = next((factor * power for factor in (1, 2, 5) if factor * power >= rough), 10 * power)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [index * step for index in range(first, max(last, first + 1) + 1)]


def tick_labels(values: Sequence[float]) -> list[str]:
    """The numbers of an axis, all with as many decimals as their step needs."""
    step = values[1] - values[0]
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    return [f"{value:.{decimals}f}" for value in values]


def _value(value: object) -> str:
    written = f"{value:.4g}" if isinstance(value, float) else str(value)
    return written if _plain(written) else f'"{escape(written)}"'


#: The legend of a bar's interval.
INTERVAL = "95 % interval (Wilson)"


#: Bars of a chart: a sheet of paper has room for it.
BARS = 24
#: Colors of page.css; later series use them again.
COLORS = 8
#: Lines differ in more than color: each color of page.css has its dashes.
DASHES = 4
#: Pixels: height of the curves, of a bar, and of a line of text.
CURVES, BAR, TEXT = 220, 14, 20
#: The legend of marked regions.
MARKED = "regions that predictions compare"
#: The legend of the vertical lines at points.
SPREAD = "95 % interval of the mean over items"
#: Numbers that a panel has room for under its axis.
PANEL_LABELS = 15
#: Pixels that the names of all regions may take on a narrow page, and on a wide one.
NARROW, WIDE = 300, 850


def curve_chart(
    title: str,
    description: str,
    axis: str,
    regions: Sequence[tuple[int, str]],
    curves: Sequence[Curve],
    *,
    compared: Mapping[int, Sequence[str]] = MappingProxyType({}),
    span: tuple[float, float] | None = None,
    caption: str = "",
    is_panel: bool = False,
    is_partial: bool = False,
) -> str:
    """Curves over regions, with the interval of each point.

    ``title`` and ``description`` are for screen readers. ``compared`` has region -> the labels of
    the predictions that refer to it; it is marked. ``span`` are the values that the scale spans, so
    that charts can share it. With ``is_panel`` it is one of several with the same legend: small,
    without names. With ``is_partial`` regions between the given ones were not computed: no line
    leads there.
    """
    scale = ticks(*(span or span_of(curves)))
    parts = list(_marks(regions, compared))
    parts += [] if is_panel else [text(axis, x=0, y=12, dx=-40, class_="start")]
    heights = [
        (_height(value, scale), label)
        for value, label in zip(scale, tick_labels(scale), strict=True)
    ]
    parts.append(element("g", *(text(label, y=f"{y:.0f}") for y, label in heights), class_="end"))
    parts += _region_labels(regions, compared, named=not is_panel)
    # Lines are stretched to the width of the page, which leaves their own width as it is.
    # Dots are lines of no length, for the same reason.
    lines = [path("".join(f"M0 {y:.0f}H{100 * len(regions)}" for y, _ in heights), class_="grid")]
    points: list[str] = []
    is_cut = False
    for index, curve in enumerate(curves):
        shift = 50 + min(8.0, 50 / len(curves)) * (index - (len(curves) - 1) / 2)
        at = {number: 100 * column + shift for column, (number, _) in enumerate(regions)}
        place_before = _place_before(regions, at, is_partial=is_partial)
        lines.append(_curve(index, curve, at, place_before, scale))
        points += (marks := _cuts(curve, at, scale, len(regions)))
        is_cut = is_cut or bool(marks)
    box = f"0 0 {100 * len(regions)} {CURVES + 24}"
    stretched = {"viewBox": box, "preserveAspectRatio": "none", "height": CURVES + 24}
    parts += [element("svg", *lines, **stretched), *points]
    if is_panel:
        height = CURVES + 30 + TEXT
        return _figure("curves numbered panel", title, description, parts, [], height, "", caption)
    kind = _naming(regions)
    note = "; ".join(f"{number} {name}" for number, name in regions if name)
    keys = [(_key(index, dashed=True), curve.condition) for index, curve in enumerate(curves)]
    if compared:
        keys.append((_key_of(element("rect", width=28, height=12, class_="mark")), MARKED))
    keys += _spread_key(curves)
    if is_cut:
        keys.append((_key_of(text("▲", x=14, y=11)), "the interval reaches further"))
    height = CURVES + 30 + TEXT * (2 if note and kind != "numbered" else 1)
    return _figure(f"curves {kind}", title, description, parts, keys, height, note, caption)


def _place_before(
    regions: Sequence[tuple[int, str]], at: Mapping[int, float], *, is_partial: bool
) -> dict[float, float]:
    return {at[b]: at[a] for (a, _), (b, _) in pairwise(regions) if b == a + 1 or not is_partial}


def _naming(regions: Sequence[tuple[int, str]]) -> str:
    room = len(regions) * (6.5 * max((len(name) for _, name in regions), default=0) + 8)
    return "numbered" if room > WIDE else "numbered-if-narrow" if room > NARROW else "named"


def overlaid_charts(
    title: str,
    axis: str,
    regions: Sequence[tuple[int, str]],
    models: Sequence[tuple[str, Sequence[Curve]]],
    compared: Mapping[int, Sequence[str]],
    span: tuple[float, float],
    *,
    is_partial: bool = False,
    spread: str = SPREAD,
    by: str = "condition",
) -> str:
    """A chart for each condition, with a curve for each model; all have one scale.

    ``spread`` is what the interval of a point is, and ``by`` what has a chart each.
    """
    conditions = dict.fromkeys(curve.condition for _, curves in models for curve in curves)
    charts = []
    for condition in conditions:
        lines = [
            Curve(model, next((c.points for c in curves if c.condition == condition), ()))
            for model, curves in models
        ]
        charts.append(
            curve_chart(
                f"{title}, {condition}",
                "",
                axis,
                regions,
                lines,
                compared=compared,
                span=span,
                caption=condition,
                is_panel=True,
                is_partial=is_partial,
            )
        )
    keys = [(_key(index, dashed=True), model) for index, (model, _) in enumerate(models)]
    keys += _spread_key((curve for _, curves in models for curve in curves), spread)
    shown = element("p", escape(f"{axis}, by {by}:"), class_="small")
    return shown + _legend(keys) + element("div", *charts, class_="panels") if charts else ""


def span_of(curves: Iterable[Curve]) -> tuple[float, float]:
    """The values that a scale has to span: those of curves, 0, and their intervals.

    An interval of few items can be many times as long as the means are high: it is cut.
    """
    points = [point for curve in curves for point in curve.points]
    reach = 2 * max((abs(p.mean) for p in points), default=0.0)
    low, high = min([0.0, *(p.low for p in points)]), max([0.0, *(p.high for p in points)])
    return max(low, -reach), min(high, reach)


def bar_charts(
    title: str, models: Sequence[str], rows: Iterable[tuple[Sequence[str], Sequence[Score | None]]]
) -> str:
    """Bars from 0 to 1 of the accuracies of each model, with intervals, and chance if known.

    Rows have their names and a score for each model; those of one first name are a group.
    """
    groups: dict[str, list[_BarRow]] = {}
    for names, scores in rows:
        bars = [
            (place, score)
            for place, score in enumerate(scores)
            if score and score.score is not None and not score.is_signed
        ]
        if bars:
            groups.setdefault(names[0], []).append((names[-1], bars))
    charts: list[str] = []
    part: dict[str, list[_BarRow]] = {}
    for name, group in groups.items():
        part[name] = group
        if sum(len(bars) for members in part.values() for _, bars in members) >= BARS:
            charts.append(_bar_chart(title, models, part))
            part = {}
    return "".join([*charts, _bar_chart(title, models, part) if part else ""])


#: The label of a row, and the places of models with their scores.
_BarRow = tuple[str, list[tuple[int, Score]]]


def _bar_chart(title: str, models: Sequence[str], groups: Mapping[str, Sequence[_BarRow]]) -> str:
    parts: list[str] = []
    y = 0
    for name, group in groups.items():
        parts.append(text(name, x=0, y=y + 14, dx=-32, class_="group start"))
        y += TEXT
        for label, bars in group:
            middle = y + BAR * len(bars) / 2
            parts.append(text(label * (len(group) > 1), x=0, y=middle, class_="end"))
            for place, score in bars:
                parts.append(_bar(place, score, y))
                y += BAR
            y += 3
        y += 5
    scale = [0.0, 0.25, 0.5, 0.75, 1.0]
    grid = [line(percent(value), 0, percent(value), y, class_="grid") for value in scale]
    parts += [text(f"{value:g}", x=percent(value), y=y + 14) for value in scale]
    parts.append(text("accuracy", x="50%", y=y + 34))
    keys = [(_key(index), name) for index, name in enumerate(models) if len(models) > 1]
    keys.append((_key_of(line(2, 6, 26, 6), line(2, 3, 2, 9), line(26, 3, 26, 9)), INTERVAL))
    scores = (score for group in groups.values() for _, bars in group for _, score in bars)
    if any(score.chance is not None for score in scores):
        keys.append((_key_of(line(14, 0, 14, 12, class_="chance")), "chance"))
    description = f"Bars with their {INTERVAL}. A table of this section has the numbers."
    return _figure("bars", title, description, [*grid, *parts], keys, y + 40)


def _height(value: float, scale: Sequence[float]) -> float:
    return 24 + CURVES * (scale[-1] - value) / (scale[-1] - scale[0])


def _marks(
    regions: Sequence[tuple[int, str]], compared: Mapping[int, Sequence[str]]
) -> Iterator[str]:
    for column, (number, _) in enumerate(regions):
        if number in compared:
            x, width = percent(column / len(regions)), percent(1 / len(regions))
            yield element("rect", x=x, y=18, width=width, height=CURVES + 28, class_="mark")


def _region_labels(
    regions: Sequence[tuple[int, str]], compared: Mapping[int, Sequence[str]], *, named: bool
) -> Iterator[str]:
    step = 1 if named else -(-len(regions) // PANEL_LABELS)
    for column, (number, name) in enumerate(regions):
        if column % step:
            continue
        x = percent((column + 0.5) / len(regions))
        below = element("tspan", escape(name), x=x, dy="1.3em", class_="name")
        kind = {"class": "group"} if number in compared else {}
        yield element(
            "text", str(number), below if name and named else "", x=x, y=CURVES + 42, **kind
        )


def _curve(
    index: int,
    curve: Curve,
    at: Mapping[int, float],
    place_before: Mapping[float, float],
    scale: Sequence[float],
) -> str:
    """Line and intervals. Curves are moved apart a little so that intervals do not overlap."""
    joined, spread, dots, last = "", "", "", None
    for point in curve.points:
        low, high = (_height(_clamp(end, scale), scale) for end in (point.low, point.high))
        place = at[point.region]
        x, y = f"{place:.4g}", f"{_height(point.mean, scale):.0f}"
        # Pairs after an M are joined.
        start = " " if last is not None and place_before.get(place) == last else "M"
        joined, dots, last = f"{joined}{start}{x} {y}", f"{dots}M{x} {y}h0", place
        if f"{low:.0f}" != f"{high:.0f}":
            spread += f"M{x} {low:.0f}V{high:.0f}"
    shapes = [path(joined), path(dots, class_="dots")] if dots else []
    shapes += [path(spread)] if spread else []
    return element("g", *shapes, class_=_line_class(index))


def _clamp(value: float, scale: Sequence[float]) -> float:
    return min(max(value, scale[0]), scale[-1])


def _cuts(curve: Curve, at: Mapping[int, float], scale: Sequence[float], count: int) -> list[str]:
    return [
        text(mark, x=percent(at[point.region] / 100 / count), y=y)
        for point in curve.points
        for mark, y, is_cut in (
            ("▲", 22, point.high > scale[-1]),
            ("▼", CURVES + 30, point.low < scale[0]),
        )
        if is_cut
    ]


def _bar(series: int, score: Score, y: int) -> str:
    middle, value = y + BAR / 2, score.score or 0.0
    low, high = score.interval or (value, value)
    title = f"{value:.3f} ({low:.3f} to {high:.3f})"
    left, right = percent(low), percent(high)
    parts = [
        element(
            "rect",
            element("title", title),
            y=y + 1,
            width=percent(value),
            height=BAR - 2,
            class_=_color(series),
        ),
        line(left, middle, right, middle),
        line(left, middle - 3, left, middle + 3),
        line(right, middle - 3, right, middle + 3),
        text(f"{value:.2f}", x="100%", y=middle, dx=10, dy="0.35em", class_="start"),
    ]
    if score.chance is not None:
        at = percent(score.chance)
        parts.append(line(at, y, at, y + BAR, class_="chance"))
    return "".join(parts)


def _color(index: int) -> str:
    return f"c{index % COLORS + 1}"


def _line_class(index: int) -> str:
    """Color and dashes; other dashes for a color that is used again."""
    again = index // COLORS
    return f"{_color(index)} d{(index + again) % DASHES + 1}" if again else _color(index)


def _key(index: int, *, dashed: bool = False) -> str:
    if not dashed:
        return _key_of(element("rect", x=2, y=1, width=24, height=10, class_=_color(index)))
    shapes = path("M0 6H28"), path("M14 6h0", class_="dots")
    return _key_of(*shapes, class_=_line_class(index))


def _spread_key(curves: Iterable[Curve], spread: str = SPREAD) -> list[tuple[str, str]]:
    drawn = any(point.low < point.high for curve in curves for point in curve.points)
    return [(_key_of(line(14, 0, 14, 12)), spread)] if drawn else []


def _key_of(*parts: str, **attributes: str) -> str:
    return element("svg", *parts, aria_hidden="true", **attributes)


def _figure(
    kind: str,
    title: str,
    description: str,
    parts: Sequence[str],
    keys: Sequence[tuple[str, str]],
    height: float,
    note: str = "",
    caption: str = "",
) -> str:
    texts = [element("title", escape(title))]
    texts += [element("desc", escape(description))] if description else []
    picture = element("svg", *texts, *parts, role="img", height=height)
    below = element("p", escape(note), class_="faint note") if note else ""
    above = element("figcaption", escape(caption)) if caption else ""
    return element("figure", above, _legend(keys), picture, below, class_=f"chart {kind}")


def _legend(keys: Sequence[tuple[str, str]]) -> str:
    listed = [element("li", key, escape(name)) for key, name in keys]
    return element("ul", *listed, class_="legend") if listed else ""
