"""Charts of pages, drawn as SVG.

Horizontal positions are percentages, vertical ones are pixels. So a chart is as wide as the page
while its text keeps its size, on a phone too. Colors are those of ``page.css``. The margins, where
the numbers of the axes are, are padding that ``page.css`` gives to the picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise

from evalmark.pages.bars import Bar, BarChart
from evalmark.pages.run_folder import Curve
from evalmark.pages.svg import element, line, percent, text, tick_labels, ticks

#: Colors of page.css; later series use them again.
COLORS = 8
#: Lines differ in more than color.
DASHES = ("none", "7 3", "2 3", "9 3 2 3")
#: Pixels: height of the curves, of a bar, and of a line of text.
CURVES, BAR, TEXT = 220, 14, 20
#: Pixels that the names of all regions may take on a narrow page, and on a wide one.
NARROW, WIDE = 300, 850


def curve_chart(
    title: str,
    description: str,
    axis: str,
    regions: Sequence[tuple[int, str]],
    curves: Sequence[Curve],
) -> str:
    """Curves over regions, with the interval of each point."""
    points = [point for curve in curves for point in curve.points]
    low = min([0.0, *(point.low for point in points)])
    high = max([0.0, *(point.high for point in points)])
    scale = ticks(low, high)
    parts = [text(axis, x=0, y=12, dx=-40)]
    for value, label in zip(scale, tick_labels(scale), strict=True):
        y = _height(value, scale)
        parts.append(line("0", y, "100%", y, class_="grid"))
        parts.append(text(label, x=0, y=y, dx=-8, dy="0.35em", text_anchor="end"))
    parts += _region_labels(regions)
    for index, curve in enumerate(curves):
        shift = 0.5 + min(0.08, 0.5 / len(curves)) * (index - (len(curves) - 1) / 2)
        at = {
            number: (percent((column + shift) / len(regions)), f"region {number} {name}".rstrip())
            for column, (number, name) in enumerate(regions)
        }
        parts.append(_curve(index, curve, at, scale))
    names = [name for _, name in regions]
    room = len(regions) * (6.5 * max(map(len, names), default=0) + 8)
    kind = "numbered" if room > WIDE else "numbered-if-narrow" if room > NARROW else "named"
    note = "; ".join(f"{number} {name}" for number, name in regions if name)
    keys = [(_key(index, dashed=True), curve.condition) for index, curve in enumerate(curves)]
    height = CURVES + 30 + TEXT * (2 if any(names) and kind != "numbered" else 1)
    return _figure(f"curves {kind}", title, description, parts, keys, height, note)


def bar_chart(chart: BarChart) -> str:
    """Bars from 0 to 1 with intervals, and chance where it is known."""
    parts: list[str] = []
    y = 0
    for group in chart.groups:
        parts.append(text(group.name, x=0, y=y + 14, dx=-32, class_="group"))
        y += TEXT
        for label, bars in group.rows:
            middle = y + BAR * len(bars) / 2
            parts.append(text(label, x=0, y=middle, dx=-8, dy="0.35em", text_anchor="end"))
            for bar in bars:
                parts.append(_bar(bar, y))
                y += BAR
            y += 3
        y += 5
    scale = [0.0, 0.25, 0.5, 0.75, 1.0]
    grid = [line(percent(value), 0, percent(value), y, class_="grid") for value in scale]
    parts += [
        text(f"{value:g}", x=percent(value), y=y + 14, text_anchor="middle") for value in scale
    ]
    parts.append(text(chart.axis, x="50%", y=y + 34, text_anchor="middle"))
    many = len(chart.series) > 1
    keys = [(_key(index), name) for index, name in enumerate(chart.series) if many]
    keys.append((_key_of(line(2, 6, 26, 6), line(2, 3, 2, 9), line(26, 3, 26, 9)), chart.interval))
    rows = [bars for group in chart.groups for _, bars in group.rows]
    if any(bar.chance is not None for bars in rows for bar in bars):
        keys.append((_key_of(line(14, 0, 14, 12, class_="chance")), "chance"))
    told = f"Bars with their {chart.interval}. The table below has the numbers."
    return _figure("bars", chart.title, told, [*grid, *parts], keys, y + 40)


def _height(value: float, scale: Sequence[float]) -> float:
    return 24 + CURVES * (scale[-1] - value) / (scale[-1] - scale[0])


def _region_labels(regions: Sequence[tuple[int, str]]) -> Iterator[str]:
    for column, (number, name) in enumerate(regions):
        x = percent((column + 0.5) / len(regions))
        named = element("tspan", escape(name), x=x, dy="1.3em", class_="name")
        yield element("text", str(number), named, x=x, y=CURVES + 42, text_anchor="middle")


def _curve(
    index: int, curve: Curve, at: Mapping[int, tuple[str, str]], scale: Sequence[float]
) -> str:
    """Segments under points. Curves are moved apart a little so that intervals do not overlap."""
    places = [(at[point.region][0], _height(point.mean, scale)) for point in curve.points]
    dashes = _dashes(index)
    parts = [line(*one, *next_one, stroke_dasharray=dashes) for one, next_one in pairwise(places)]
    for point, (x, y) in zip(curve.points, places, strict=True):
        parts.append(line(x, _height(point.low, scale), x, _height(point.high, scale)))
        value = f"{point.mean:.2f} ({point.low:.2f} to {point.high:.2f})"
        told = f"{curve.condition}, {at[point.region][1]}: {value}"
        parts.append(element("circle", element("title", escape(told)), cx=x, cy=y, r=3.5))
    return element("g", *parts, style=_color(index))


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
            style=_color(bar.series),
        ),
        line(low, middle, high, middle),
        line(low, middle - 3, low, middle + 3),
        line(high, middle - 3, high, middle + 3),
        text(f"{bar.value:.2f}", x="100%", y=middle, dx=10, dy="0.35em"),
    ]
    if bar.chance is not None:
        at = percent(bar.chance)
        parts.append(line(at, y, at, y + BAR, class_="chance"))
    return "".join(parts)


def _color(index: int) -> str:
    return f"color: var(--c{index % COLORS + 1})"


def _dashes(index: int) -> str:
    """Other dashes for a color that is used again."""
    return DASHES[(index + index // COLORS) % len(DASHES)]


def _key(index: int, *, dashed: bool = False) -> str:
    if not dashed:
        return _key_of(element("rect", x=2, y=1, width=24, height=10, style=_color(index)))
    sample = line(0, 6, 28, 6, stroke_dasharray=_dashes(index))
    dot = element("circle", cx=14, cy=6, r=3.5)
    return _key_of(element("g", sample, dot, style=_color(index)))


def _key_of(*parts: str) -> str:
    return element("svg", *parts, width=28, height=12, aria_hidden="true")


def _figure(
    kind: str,
    title: str,
    description: str,
    parts: Sequence[str],
    keys: Sequence[tuple[str, str]],
    height: float,
    note: str = "",
) -> str:
    """The picture with its legend, and a note for pages too narrow for all labels."""
    legend = [element("li", key, escape(name)) for key, name in keys]
    told = (element("title", escape(title)), element("desc", escape(description)))
    picture = element("svg", *told, *parts, role="img", height=height)
    below = element("p", escape(note), class_="faint note") if note else ""
    return element(
        "figure", element("ul", *legend, class_="legend"), picture, below, class_=f"chart {kind}"
    )
