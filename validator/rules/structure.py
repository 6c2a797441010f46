"""Rules on the frame of a suite: region numbers, items, conditions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import closest, items_text, listed, shown
from evalmark.validator.reading.pointer import make_pointer
from evalmark.validator.views.suite_facts import SuiteFacts


def region_numbers(facts: SuiteFacts) -> Iterator[Hit]:
    """Region numbers run 1, 2, 3, … without a gap.

    The keys of `region_meta` number the regions. Some readers renumber a gap away when they save
    the suite, and every formula then points one region too far.

    Bad: `"region_meta": {"1": "Subject", "3": "Verb"}`
    Good: `"region_meta": {"1": "Subject", "2": "Verb"}`
    """
    keys = list(facts.suite.region_meta)
    numbers = []
    for key in keys:
        if key.isascii() and key.isdecimal() and (key == "0" or key[0] != "0") and len(key) < 10:
            numbers.append(int(key))
        else:
            yield Hit(
                f"region number {shown(key)} is not a whole number from 1",
                At(make_pointer(["region_meta", key]), key=True),
                caret="expected a number like 1",
            )
    wanted = set(range(1, len(keys) + 1))
    if len(numbers) == len(keys) and set(numbers) != wanted:
        missing = min(wanted - set(numbers))
        extra = min(number for number in numbers if number not in wanted)
        yield Hit(
            f"region numbers must run from 1 to {len(keys)} without a gap: {missing} is missing",
            At(make_pointer(["region_meta", extra]), key=True),
            caret=f"expected {missing} before this",
            notes=(f"declared regions: {listed(sorted(numbers), 12)}",),
            helps=("renumber the regions, in `region_meta`, in the items and in the formulas",),
        )


def region_not_declared(facts: SuiteFacts) -> Iterator[Hit]:
    """A region of a sentence must be declared in `region_meta`.

    A region number that `region_meta` does not know is usually a slip of the pen, and a formula
    that should look at the region does not find it.

    Bad: `"region_meta": {"1": "Subject"}` with a region `{"region_number": 2, …}`
    Good: `"region_meta": {"1": "Subject", "2": "Verb"}`
    """
    declared = set(facts.suite.region_meta)
    for i, item in enumerate(facts.suite.items):
        for j, condition in enumerate(item.conditions):
            for k, region in enumerate(condition.regions):
                if str(region.number) not in declared:
                    pointer = f"/items/{i}/conditions/{j}/regions/{k}/region_number"
                    yield Hit(
                        f"region {region.number} is not declared in `region_meta`",
                        At(pointer),
                        caret="no region has this number",
                        labels=((At("/region_meta"), "regions are declared here"),),
                        notes=(f"declared regions: {listed(facts.suite.region_meta, 12)}",),
                        fold=f"{region.number}",
                    )


def condition_sets(facts: SuiteFacts) -> Iterator[Hit]:
    """Every item has the same conditions.

    A prediction is made for every item; an item that lacks a condition cannot be scored, and one
    with a condition of its own is often misspelt. The order may differ.

    Bad: item 1 has `match` and `mismatch`, item 2 has `match` and `mismach`
    Good: both items have `match` and `mismatch`
    """
    usual = _usual_conditions(facts)
    for i, item in enumerate(facts.suite.items):
        names = {condition.name for condition in item.conditions}
        if names == usual:
            continue
        missing, extra = sorted(usual - names), sorted(names - usual)
        parts = []
        if missing:
            parts.append(f"lacks {listed(f'`{name}`' for name in missing)}")
        if extra:
            parts.append(f"has {listed(f'`{name}`' for name in extra)}, which others do not")
        at = At(f"/items/{i}/conditions")
        if extra:
            j = next(j for j, c in enumerate(item.conditions) if c.name == extra[0])
            at = At(f"/items/{i}/conditions/{j}/condition_name")
        yield Hit(
            f"item {item.number} {' and '.join(parts)}",
            at,
            notes=(f"conditions of the other items: {listed(f'`{n}`' for n in sorted(usual))}",),
            helps=closest(extra[0], missing) if extra else (),
        )


def _usual_conditions(facts: SuiteFacts) -> set[str]:
    sets = Counter(
        frozenset(condition.name for condition in item.conditions) for item in facts.suite.items
    )
    return set(sets.most_common(1)[0][0]) if sets else set()


def duplicate_item_number(facts: SuiteFacts) -> Iterator[Hit]:
    """Item numbers are unique.

    Tools that key results by item number drop all but one of the items that share it, and report
    an accuracy over fewer items than the suite has.

    Bad: two items with `"item_number": 7`
    Good: `"item_number": 7` and `"item_number": 8`
    """
    first: dict[int, int] = {}
    for i, item in enumerate(facts.suite.items):
        if item.number in first:
            yield Hit(
                f"item number {item.number} is taken",
                At(f"/items/{i}/item_number"),
                labels=((At(f"/items/{first[item.number]}/item_number"), "first used here"),),
                helps=(f"{max(max(first) + 1, len(facts.suite.items))} is free",),
            )
        else:
            first[item.number] = i


def duplicate_condition(facts: SuiteFacts) -> Iterator[Hit]:
    """A condition occurs once in an item.

    A formula names a condition; with two of the name, one of the sentences is never looked at.

    Bad: an item with two conditions `match`
    Good: an item with `match` and `mismatch`
    """
    for i, item in enumerate(facts.suite.items):
        first: dict[str, int] = {}
        for j, condition in enumerate(item.conditions):
            if condition.name in first:
                pointer = f"/items/{i}/conditions"
                yield Hit(
                    f"item {item.number} has condition `{condition.name}` twice",
                    At(f"{pointer}/{j}/condition_name"),
                    labels=((At(f"{pointer}/{first[condition.name]}/condition_name"), "first"),),
                )
            else:
                first[condition.name] = j


def duplicate_region(facts: SuiteFacts) -> Iterator[Hit]:
    """A region occurs once in a sentence.

    A formula names a region by number; with two of the number, its value is whichever a tool
    happens to keep.

    Bad: a condition with regions 1, 2, 2
    Good: a condition with regions 1, 2, 3
    """
    for i, item in enumerate(facts.suite.items):
        for j, condition in enumerate(item.conditions):
            first: dict[int, int] = {}
            for k, region in enumerate(condition.regions):
                if region.number in first:
                    pointer = f"/items/{i}/conditions/{j}/regions"
                    yield Hit(
                        f"region {region.number} occurs twice in condition `{condition.name}` "
                        f"of {items_text([item.number])}",
                        At(f"{pointer}/{k}/region_number"),
                        labels=((At(f"{pointer}/{first[region.number]}/region_number"), "first"),),
                    )
                else:
                    first[region.number] = k
