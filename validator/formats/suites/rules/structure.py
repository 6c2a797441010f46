"""Rules on the structure of a suite: region numbers, items, conditions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import closest, listed, shown
from evalmark.validator.formats.suites.formula.tree import references
from evalmark.validator.formats.suites.rules.repeats import repeats
from evalmark.validator.formats.suites.suite_view import (
    REGION_META,
    PlacedRegion,
    SuiteFileView,
    condition_name_at,
    conditions_at,
    declaration_at,
    item_number_at,
)


def region_numbers(view: SuiteFileView) -> Iterator[Hit]:
    """Region numbers are 1, 2, 3, … without a gap.

    The keys of `region_meta` number the regions. Some tools close a gap when they save the suite,
    and every formula then refers to the wrong region.

    Bad: `"region_meta": {"1": "Subject", "3": "Verb"}`
    Good: `"region_meta": {"1": "Subject", "2": "Verb"}`
    """
    keys = list(view.suite.region_meta)
    numbers = []
    for key in keys:
        if re.fullmatch("0|[1-9][0-9]{0,8}", key):
            numbers.append(int(key))
        else:
            yield Hit(
                f"region number {shown(key)} is not a whole number of at least 1",
                At(declaration_at(key), key=True),
                caret="expected a number such as 1",
            )
    wanted = set(range(1, len(keys) + 1))
    if len(numbers) == len(keys) and set(numbers) != wanted:
        missing = min(wanted - set(numbers))
        if missing in view.used_regions:
            return  # region_not_declared reports what is missing
        extra = min(number for number in numbers if number not in wanted)
        yield Hit(
            f"region numbers must be 1 to {len(keys)} without a gap: {missing} is missing",
            At(declaration_at(extra), key=True),
            caret=f"region {missing} is missing before this one",
            notes=(f"declared regions: {listed(sorted(numbers), 12)}",),
            helps=("renumber the regions in `region_meta`, in the items and in the formulas",),
        )


def region_not_declared(view: SuiteFileView) -> Iterator[Hit]:
    """The regions of a sentence are declared in `region_meta`.

    A region number that is not in `region_meta` is usually a typo, and a formula that refers to the
    intended region does not find it.

    Bad: `"region_meta": {"1": "Subject"}` with a region `{"region_number": 2, …}`
    Good: `"region_meta": {"1": "Subject", "2": "Verb"}`
    """
    declared = set(view.suite.region_meta)
    unknown = {number for number in view.used_regions if str(number) not in declared}
    count = sum(len(item.conditions) for item in view.suite.items)
    declaration = _declaration(view, len(unknown))
    for number in sorted(unknown):
        if view.used_regions[number] == count > 1:
            yield Hit(
                f"region {number} is in every sentence, but `region_meta` does not declare it",
                At(REGION_META, key=True),
                notes=(f"declared regions: {listed(view.suite.region_meta, 12)}",),
                helps=(declaration.format(number),),
                fold=f"{number}",
            )
            unknown.remove(number)
    lacking: dict[tuple[int, int], tuple[str, ...]] = {}
    for placed in view.regions if unknown else ():
        number, place = placed.region.number, placed.path[:2]
        if number in unknown:
            if place not in lacking:
                lacking[place] = _lacking(placed, declared)
            yield Hit(
                f"region {number} is not declared in `region_meta`",
                At(placed.number_at),
                caret="no region has this number",
                labels=((At(REGION_META), "regions are declared here"),),
                notes=(f"declared regions: {listed(view.suite.region_meta, 12)}",),
                helps=lacking[place],
                fold=f"{number}",
            )


def _declaration(view: SuiteFileView, undeclared: int) -> str:
    """What declares a region (``{}``) that every sentence has; an unused key may be meant for it.

    It is the same for all regions: a suite may have thousands.
    """
    names = view.suite.region_meta
    used = {str(number) for number in view.used_regions}
    unused = [key.replace("{", "{{").replace("}", "}}") for key in names if key not in used]
    if len(names) == len(unused) == 1 and isinstance(names[next(iter(names))], dict):
        return f"write what `{unused[0]}` has"
    if len(unused) == undeclared == 1:
        return f"rename `{unused[0]}` to `{{}}`"
    return 'add "{}": ""; the name can be empty'


def _lacking(placed: PlacedRegion, declared: set[str]) -> tuple[str, ...]:
    """The one region that a sentence lacks, where only one number in it is wrong."""
    numbers = [str(region.number) for region in placed.condition.regions]
    lacking = declared.difference(numbers)
    wrong = [number for number in numbers if number not in declared]
    number = lacking.pop() if len(lacking) == len(wrong) == 1 else ""
    return (f"write {number}",) if number.isdecimal() else ()


def condition_sets(view: SuiteFileView) -> Iterator[Hit]:
    """Every item has the same conditions.

    Every prediction is tested on every item. An item that lacks a condition cannot be scored, and a
    condition that only one item has is often misspelt. The order may differ.

    Bad: item 1 has `match` and `mismatch`, item 2 has `match` and `mismach`
    Good: both items have `match` and `mismatch`
    """
    items = view.suite.items
    sets = Counter(frozenset(condition.name for condition in item.conditions) for item in items)
    read = {r.condition for _, formula in view.readable() for r in references(formula.tree)}
    # Of two sets that are as frequent, the predictions know which is meant.
    usual = max(sets, key=lambda names: (sets[names], len(names & read)), default=frozenset())
    for i, item in enumerate(items):
        names = {condition.name for condition in item.conditions}
        if names == usual:
            continue
        missing, extra = sorted(usual - names), sorted(names - usual)
        parts, at = [], conditions_at(i)
        if missing:
            parts.append(f"lacks {listed(f'`{name}`' for name in missing)}")
        if extra:
            quoted = listed(f"`{name}`" for name in extra)
            parts.append(f"has {quoted}, which other items do not have")
            at = condition_name_at(i, [c.name for c in item.conditions].index(extra[0]))
        yield Hit(
            f"item {item.number} {' and '.join(parts)}",
            At(at),
            notes=(f"conditions of the other items: {listed(f'`{n}`' for n in sorted(usual))}",),
            helps=closest(extra[0], missing) if extra else (),
        )


def duplicate_item_number(view: SuiteFileView) -> Iterator[Hit]:
    """Item numbers are unique.

    Tools that store results by item number drop all but one of the items that share it, and report
    an accuracy over fewer items than the suite has.

    Bad: two items with `"item_number": 7`
    Good: `"item_number": 7` and `"item_number": 8`
    """
    numbers = [item.number for item in view.suite.items]
    for i, first in repeats(numbers):
        yield Hit(
            f"duplicate item number {numbers[i]}",
            At(item_number_at(i)),
            labels=((At(item_number_at(first)), "first used here"),),
            helps=(f"write {max(numbers) + 1}, which is unused",),
        )


def duplicate_condition(view: SuiteFileView) -> Iterator[Hit]:
    """An item has no duplicate conditions.

    Formulas refer to a condition by name. If two have the same name, one sentence is ignored.

    Bad: an item with two conditions `match`
    Good: an item with `match` and `mismatch`
    """
    for i, item in enumerate(view.suite.items):
        for j, first in repeats(condition.name for condition in item.conditions):
            yield Hit(
                f"item {item.number} has condition `{item.conditions[j].name}` twice",
                At(condition_name_at(i, j)),
                labels=((At(condition_name_at(i, first)), "first occurrence"),),
            )


def duplicate_region(view: SuiteFileView) -> Iterator[Hit]:
    """A sentence has no duplicate regions.

    Formulas refer to a region by number. If two have the same number, tools differ in which of them
    they use.

    Bad: a condition with regions 1, 2, 2
    Good: a condition with regions 1, 2, 3
    """
    regions = view.regions
    for index, first in repeats((placed.path[:2], placed.region.number) for placed in regions):
        placed = regions[index]
        yield Hit(
            f"region {placed.region.number} appears twice in condition `{placed.condition.name}` "
            f"of item {placed.item.number}",
            At(placed.number_at),
            labels=((At(regions[first].number_at), "first occurrence"),),
        )
