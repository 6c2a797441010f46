"""Elements of SVG and HTML as text, and axes with round numbers."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from html import escape

#: Elements of SVG that mostly have no content.
SHAPES = frozenset({"circle", "line", "path", "rect", "use"})
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
