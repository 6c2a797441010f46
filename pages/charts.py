"""Charts of pages, drawn as SVG.

Horizontal positions are percentages, vertical ones are pixels. So a chart is as wide as the page
while its text keeps its size, on a phone too. Colors are those of ``page.css``. The margins, where
the numbers of the axes are, are padding that ``page.css`` gives to the picture.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise
from types import MappingProxyType

from evalmark.pages.bars import Bar, BarChart
from evalmark.pages.run_folder import Curve
from evalmark.pages.svg import element, line, path, percent, text, tick_labels, ticks

#: Colors of page.css; later series use them again.
COLORS = 8
#: Lines differ in more than color: each color of page.css has its dashes.
DASHES = 4
#: Pixels: height of the curves, of a bar, and of a line of text.
CURVES, BAR, TEXT = 220, 14, 20
#: What the marked regions are.
MARKED = "regions that predictions compare"
#: What the vertical lines at points are.
SPREAD = "95 % interval of the mean over items"
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
    tells: bool = True,
    is_partial: bool = False,
) -> str:
    """Curves over regions, with the interval of each point.

    Args:
        title: For screen readers, with ``description``.
        description: What the chart shows, in a sentence, if the title does not say it.
        axis: What the curves measure.
        regions: Numbers and names, from left to right.
        curves: One for each condition, or for each model.
        compared: Region -> the labels of the predictions that refer to it. It is marked.
        span: The values that the scale spans, so that charts can share it.
        caption: What everybody sees above the chart.
        is_panel: Whether it is one of several with the same legend: small, without names.
        tells: Whether points show their numbers to the mouse.
        is_partial: Whether regions between the given ones were not computed: no line leads there.
    """
    scale = ticks(*(span or span_of(curves)))
    parts = list(_marks(regions, compared))
    parts += [] if is_panel else [text(axis, x=0, y=12, dx=-40, class_="start")]
    heights = [(_height(value, scale), label) for value, label in _labelled(scale)]
    parts.append(element("g", *(text(label, y=f"{y:.0f}") for y, label in heights), class_="end"))
    parts += _region_labels(regions, compared, named=not is_panel)
    # Lines are stretched to the width of the page, which leaves their own width as it is.
    # Dots are lines of no length, for the same reason.
    lines = [path("".join(f"M0 {y:.0f}H{100 * len(regions)}" for y, _ in heights), class_="grid")]
    points: list[str] = []
    for index, curve in enumerate(curves):
        shift = 50 + min(8.0, 50 / len(curves)) * (index - (len(curves) - 1) / 2)
        at = {number: 100 * column + shift for column, (number, _) in enumerate(regions)}
        follows = {
            at[b]: at[a] for (a, _), (b, _) in pairwise(regions) if b == a + 1 or not is_partial
        }
        lines.append(_curve(index, curve, at, follows, scale))
        if tells:
            points.append(_told(index, curve, at, scale, len(regions)))
    box = f"0 0 {100 * len(regions)} {CURVES + 24}"
    stretched = {"viewBox": box, "preserveAspectRatio": "none", "height": CURVES + 24}
    parts += [element("svg", *lines, **stretched), *points]
    names = [name for _, name in regions]
    room = len(regions) * (6.5 * max(map(len, names), default=0) + 8)
    kind = "numbered" if room > WIDE else "numbered-if-narrow" if room > NARROW else "named"
    note = "; ".join(f"{number} {name}" for number, name in regions if name)
    keys = [(_key(index, dashed=True), curve.condition) for index, curve in enumerate(curves)]
    if is_panel:
        kind, keys, note = "numbered panel", [], ""
    elif compared:
        keys.append((_key_of(element("rect", width=28, height=12, class_="mark")), MARKED))
    keys += [] if is_panel else _spread_key(curves)
    height = (
        CURVES + 30 + TEXT * (2 if any(names) and kind in ("named", "numbered-if-narrow") else 1)
    )
    return _figure(f"curves {kind}", title, description, parts, keys, height, note, caption)


def overlaid_charts(
    title: str,
    axis: str,
    regions: Sequence[tuple[int, str]],
    models: Sequence[tuple[str, Sequence[Curve]]],
    compared: Mapping[int, Sequence[str]],
    span: tuple[float, float],
    *,
    is_partial: bool = False,
) -> str:
    """A chart for each condition, with a curve for each model; all have one scale."""
    conditions = dict.fromkeys(curve.condition for _, curves in models for curve in curves)
    charts = []
    for condition in conditions:
        own = [
            Curve(model, next((c.points for c in curves if c.condition == condition), ()))
            for model, curves in models
        ]
        charts.append(
            curve_chart(
                f"{title}, {condition}",
                "",
                axis,
                regions,
                own,
                compared=compared,
                span=span,
                caption=condition,
                is_panel=True,
                tells=False,
                is_partial=is_partial,
            )
        )
    keys = [(_key(index, dashed=True), model) for index, (model, _) in enumerate(models)]
    keys += _spread_key(curve for _, curves in models for curve in curves)
    shown = element("p", escape(f"{axis}, by condition:"), class_="small")
    return shown + _legend(keys) + element("div", *charts, class_="panels") if charts else ""


def span_of(curves: Iterable[Curve]) -> tuple[float, float]:
    """The values that a scale has to span: those of curves with their intervals, and 0."""
    points = [point for curve in curves for point in curve.points]
    return min([0.0, *(p.low for p in points)]), max([0.0, *(p.high for p in points)])


def bar_chart(chart: BarChart) -> str:
    """Bars from 0 to 1 with intervals, and chance where it is known."""
    parts: list[str] = []
    y = 0
    for group in chart.groups:
        parts.append(text(group.name, x=0, y=y + 14, dx=-32, class_="group start"))
        y += TEXT
        for label, bars in group.rows:
            middle = y + BAR * len(bars) / 2
            parts.append(text(label, x=0, y=middle, class_="end"))
            for bar in bars:
                parts.append(_bar(bar, y))
                y += BAR
            y += 3
        y += 5
    scale = [0.0, 0.25, 0.5, 0.75, 1.0]
    grid = [line(percent(value), 0, percent(value), y, class_="grid") for value in scale]
    parts += [text(f"{value:g}", x=percent(value), y=y + 14) for value in scale]
    parts.append(text(chart.axis, x="50%", y=y + 34))
    many = len(chart.series) > 1
    keys = [(_key(index), name) for index, name in enumerate(chart.series) if many]
    keys.append((_key_of(line(2, 6, 26, 6), line(2, 3, 2, 9), line(26, 3, 26, 9)), chart.interval))
    rows = [bars for group in chart.groups for _, bars in group.rows]
    if any(bar.chance is not None for bars in rows for bar in bars):
        keys.append((_key_of(line(14, 0, 14, 12, class_="chance")), "chance"))
    told = f"Bars with their {chart.interval}. A table of this section has the numbers."
    return _figure("bars", chart.title, told, [*grid, *parts], keys, y + 40)


def _height(value: float, scale: Sequence[float]) -> float:
    return 24 + CURVES * (scale[-1] - value) / (scale[-1] - scale[0])


def _labelled(scale: Sequence[float]) -> Iterator[tuple[float, str]]:
    return zip(scale, tick_labels(scale), strict=True)


def _marks(
    regions: Sequence[tuple[int, str]], compared: Mapping[int, Sequence[str]]
) -> Iterator[str]:
    """Bands behind the regions that predictions compare, with the labels of the predictions."""
    for column, (number, _) in enumerate(regions):
        if number in compared:
            x, width = percent(column / len(regions)), percent(1 / len(regions))
            yield element("rect", x=x, y=18, width=width, height=CURVES + 28, class_="mark")


def _region_labels(
    regions: Sequence[tuple[int, str]], compared: Mapping[int, Sequence[str]], *, named: bool
) -> Iterator[str]:
    for column, (number, name) in enumerate(regions):
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
    follows: Mapping[float, float],
    scale: Sequence[float],
) -> str:
    """Line and intervals. Curves are moved apart a little so that intervals do not overlap.

    A line joins points of neighbouring regions; ``follows`` has the place before each place.
    """
    joined, spread, dots, last = "", "", "", None
    for point in curve.points:
        place, low, high = at[point.region], _height(point.low, scale), _height(point.high, scale)
        x, y = f"{place:.4g}", f"{_height(point.mean, scale):.0f}"
        # Pairs after an M are joined.
        start = " " if last is not None and follows.get(place) == last else "M"
        joined, dots, last = f"{joined}{start}{x} {y}", f"{dots}M{x} {y}h0", place
        if f"{low:.0f}" != f"{high:.0f}":
            spread += f"M{x} {low:.0f}V{high:.0f}"
    shapes = [path(joined), path(dots, class_="dots")] if dots else []
    shapes += [path(spread)] if spread else []
    return element("g", *shapes, class_=_line_class(index))


def _told(
    index: int, curve: Curve, at: Mapping[int, float], scale: Sequence[float], count: int
) -> str:
    """Circles that show the numbers of the points under them."""
    found = []
    for point in curve.points:
        value = f"{point.mean:.2f} ({point.low:.2f} to {point.high:.2f})"
        told = element("title", escape(f"{curve.condition}: {value}"))
        x, y = percent(at[point.region] / 100 / count), _height(point.mean, scale)
        found.append(element("circle", told, cx=x, cy=y, r=3))
    return element("g", *found, class_=_color(index))


def _bar(bar: Bar, y: int) -> str:
    middle = y + BAR / 2
    low, high = percent(bar.low), percent(bar.high)
    told = f"{bar.value:.3f} ({bar.low:.3f} to {bar.high:.3f})"
    parts = [
        element(
            "rect",
            element("title", told),
            y=y + 1,
            width=percent(bar.value),
            height=BAR - 2,
            class_=_color(bar.series),
        ),
        line(low, middle, high, middle),
        line(low, middle - 3, low, middle + 3),
        line(high, middle - 3, high, middle + 3),
        text(f"{bar.value:.2f}", x="100%", y=middle, dx=10, dy="0.35em", class_="start"),
    ]
    if bar.chance is not None:
        at = percent(bar.chance)
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


def _spread_key(curves: Iterable[Curve]) -> list[tuple[str, str]]:
    """The legend of intervals, if any point has one."""
    drawn = any(point.low < point.high for curve in curves for point in curve.points)
    return [(_key_of(line(14, 0, 14, 12)), SPREAD)] if drawn else []


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
    """The picture with its legend, and a note for pages too narrow for all labels."""
    told = [element("title", escape(title))]
    told += [element("desc", escape(description))] if description else []
    picture = element("svg", *told, *parts, role="img", height=height)
    below = element("p", escape(note), class_="faint note") if note else ""
    above = element("figcaption", escape(caption)) if caption else ""
    return element("figure", above, _legend(keys), picture, below, class_=f"chart {kind}")


def _legend(keys: Sequence[tuple[str, str]]) -> str:
    listed = [element("li", key, escape(name)) for key, name in keys]
    return element("ul", *listed, class_="legend") if listed else ""
