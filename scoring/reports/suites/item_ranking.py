"""The items of a suite that several runs speak against, as the page of runs ranks them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from html import escape

from evalmark.scoring.reports.suites.item_table import compared, region_values
from evalmark.scoring.runs.suite_views import SuiteView
from evalmark.scoring.suites.effects import (
    EQUALITY,
    comparisons,
    kind_of,
    margin,
    sides_of,
)
from evalmark.scoring.suites.item_evidence import ItemEvidence, rank_items

#: Items that a table has: a tenth of those of a suite of a hundred.
MOST = 10
#: Agreement below which an item is in it: less than half of the effect that the rest shows.
BELOW = 0.5


def item_ranking(suites: Sequence[SuiteView], caption: str) -> str:
    """HTML with the items that agree least with the rest; empty if runs speak against none.

    Args:
        suites: A suite under several runs that have the same items.
        caption: The caption of the table.
    """
    runs = [dict(_margins(suite)) for suite in suites]
    ranked = [item for item in rank_items(runs) if item.agreement < BELOW and item.against]
    if not ranked:
        return ""
    heads = ("item", "agreement with the rest", "item-rest correlation", "runs against it")
    cells = "".join(f"<th scope=col class=number>{head}" for head in heads)
    rows = "".join(map(_row, ranked[:MOST]))
    title = f"<caption>{escape(caption)}</caption>"
    return f"<table class=effects>{title}<thead><tr>{cells}</thead><tbody>{rows}</table>"


def _margins(suite: SuiteView) -> Iterator[tuple[str, dict[int, float]]]:
    """The margins of the comparisons of a suite under a run; `=` has no direction."""
    values = {item.number: region_values(item) for item in suite.items}
    for label, tree in enumerate(compared(suite).trees, 1):
        for place, comparison in enumerate(comparisons(tree) if tree is not None else ()):
            if kind_of(comparison) == EQUALITY:
                continue
            try:
                of_items = {
                    number: margin(comparison.operator, sides_of(comparison, of))
                    for number, of in values.items()
                }
            except TypeError:  # not a comparison of numbers: the folder may come from elsewhere
                continue
            defined = {
                number: bits
                for number, bits in of_items.items()
                if bits is not None and math.isfinite(bits)
            }
            yield f"{label}.{place}", defined


def _row(item: ItemEvidence) -> str:
    correlation = "" if item.correlation is None else f"{item.correlation:+.2f}"
    cells = (f"{item.agreement:+.2f}", correlation, f"{item.against} of {item.runs}")
    numbers = "".join(f"<td class=number>{cell}" for cell in cells)
    return f"<tr><th scope=row class=number>{item.item}{numbers}"
