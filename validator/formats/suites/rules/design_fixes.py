"""Changes to a file that make an item follow the pattern of the others."""

from __future__ import annotations

from collections.abc import Iterator

from evalmark.validator.findings.finding import At, Change
from evalmark.validator.findings.phrasing import quoted
from evalmark.validator.formats.suites.design import Broken, Shifted, TextExchange
from evalmark.validator.formats.suites.suite_view import (
    SuiteFileView,
    condition_at,
    condition_name_at,
)


def text_at(view: SuiteFileView, item: int, name: str, region: int) -> At:
    """The place of a text of an item."""
    conditions = view.suite.items[item].conditions
    j = [condition.name for condition in conditions].index(name)
    k = [part.number for part in conditions[j].regions].index(region)
    return At(f"{condition_at(item, j)}/regions/{k}/content")


def name_at(view: SuiteFileView, item: int, name: str) -> At:
    """The place of the name of a condition of an item."""
    names = [condition.name for condition in view.suite.items[item].conditions]
    return At(condition_name_at(item, names.index(name)))


def changes_of(view: SuiteFileView, item: int) -> tuple[Change, ...]:
    """The changes that fix an item; empty if it breaks nothing, or if the fix is not clear."""
    broken = view.design.broken.get(item)
    if broken is None or not broken.cure:
        return ()
    if broken.exchange is not None:
        return tuple(_exchanged(view, broken, broken.exchange))
    assert broken.rewriting is not None
    name = broken.rewriting.condition
    return tuple(
        Change(text_at(view, item, name, region), quoted(text))
        for region, text in broken.rewriting.texts.items()
    )


def _exchanged(view: SuiteFileView, broken: Broken, exchange: TextExchange) -> Iterator[Change]:
    """Changes of the names if their order shows that they were exchanged, else of the texts."""
    item, (first, second) = broken.item, exchange.pairs[0]
    names = tuple(condition.name for condition in view.suite.items[item].conditions)
    if exchange.region is None and names != view.design.conditions:
        yield Change(name_at(view, item, first), quoted(second))
        yield Change(name_at(view, item, second), quoted(first))
        return
    contents = [
        {region.number: region.content for region in condition.regions}
        for name in (first, second)
        for condition in view.suite.items[item].conditions
        if condition.name == name
    ]
    for region in contents[0].keys() & contents[1].keys():
        texts = [content[region] for content in contents]
        if texts[0] != texts[1] and exchange.region in (None, region):
            yield Change(text_at(view, item, first, region), quoted(texts[1]))
            yield Change(text_at(view, item, second, region), quoted(texts[0]))


def moved_up(view: SuiteFileView, shifted: Shifted) -> tuple[Change, ...]:
    """Changes that move a column that was pasted too low back to its items."""
    design = view.design
    return tuple(
        Change(text_at(view, i, shifted.condition, shifted.region), quoted(text))
        for i in design.rows
        if i >= shifted.first
        and (text := design.texts[i][shifted.model][shifted.region])
        != design.texts[i][shifted.condition][shifted.region]
    )
