"""Rules on what a suite consists of: its name, its items, their conditions and regions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from itertools import pairwise

from evalmark.validator.findings.finding import Action, At, Mistake, Remark
from evalmark.validator.findings.phrasing import cited, closest, listed, quoted
from evalmark.validator.formats.suites.formula.formula_syntax import references
from evalmark.validator.formats.suites.suite import NO_SPACE_BEFORE, Condition, Item
from evalmark.validator.formats.suites.suite_view import (
    NAME,
    REGION_META,
    UNSPACED,
    SuiteFileView,
    condition_at,
    condition_name_at,
    conditions_at,
    declaration_at,
    item_number_at,
    with_rewrite,
)
from evalmark.validator.formats.suites.table import TextCell


def region_numbers(view: SuiteFileView) -> Iterator[Mistake]:
    """Region numbers are not 1, 2, 3, … without a gap.

    The keys of `region_meta` number the regions. Some tools close a gap when they save the suite,
    and every formula then refers to the wrong region.

    Bad: `"region_meta": {"1": "Subject", "3": "Verb"}`
    Good: `"region_meta": {"1": "Subject", "2": "Verb"}`
    """
    keys, numbers = list(view.suite.region_meta), []
    if meant := _guess_region_meta(view):
        yield with_rewrite(Mistake(f"`region_meta` {meant[0]}", At(REGION_META)), meant[1])
        return
    for key in keys:
        if re.fullmatch("0|[1-9][0-9]{0,8}", key):
            numbers.append(int(key))
        else:
            yield Mistake(
                f"region number {cited(key)} is not a whole number of at least 1",
                At(declaration_at(key), key=True),
                caret="expected a number such as 1",
            )
    expected = set(range(1, len(keys) + 1))
    if len(numbers) == len(keys) and set(numbers) != expected:
        missing = min(expected - set(numbers))
        if missing in view.used_regions:
            return  # region_not_declared reports what is missing
        extra = min(number for number in numbers if number not in expected)
        yield Mistake(
            f"region numbers must be 1 to {len(keys)} without a gap: {missing} is missing",
            At(declaration_at(extra), key=True),
            caret=f"region {missing} is missing before this one",
            notes=(f"declared regions: {listed(sorted(numbers), 12)}",),
            helps=("renumber the regions in `region_meta`, in the items and in the formulas",),
        )


def _guess_region_meta(view: SuiteFileView) -> tuple[str, dict[str, str]] | None:
    declared = view.suite.region_meta
    whole = [str(number) for number in range(1, len(declared) + 1)]
    used, names = set(map(str, view.used_regions)), list(declared.values())
    if not used or not used <= set(whole) or any(not isinstance(name, str) for name in names):
        return None
    if set(names) == set(whole) and declared.keys().isdisjoint(whole):
        turned = dict(zip(names, declared, strict=True))
        return "has names as keys and numbers as values: they are swapped", {
            n: turned[n] for n in whole
        }
    if set(declared) == {str(int(n) - 1) for n in whole} and whole[-1] in used:
        names_of = {n: declared[str(int(n) - 1)] for n in whole}
        return "numbers regions from 0, but the items number them from 1", names_of
    return None


def region_not_declared(view: SuiteFileView) -> Iterator[Mistake]:
    """A region of a sentence is not declared in `region_meta`.

    A region number that is not in `region_meta` is usually a typo, and a formula that refers to the
    intended region does not find it.

    Bad: `"region_meta": {"1": "Subject"}` with a region `{"region_number": 2, …}`
    Good: `"region_meta": {"1": "Subject", "2": "Verb"}`
    """
    if _guess_region_meta(view):
        return  # region_numbers reports all of them
    declared = set(view.suite.region_meta)
    notes = (f"declared regions: {listed(view.suite.region_meta, 12)}",)
    unknown = {number for number in view.used_regions if str(number) not in declared}
    count = sum(len(item.conditions) for item in view.suite.items)
    declaration = _declaration(view, len(unknown))
    for number in sorted(unknown):
        if view.used_regions[number] == count > 1:
            yield Mistake(
                f"region {number} is in every sentence, but `region_meta` does not declare it",
                At(REGION_META, key=True),
                notes=notes,
                helps=(declaration.format(number),),
                fold=f"{number}",
            )
            unknown.remove(number)
    lacking: dict[tuple[int, int], tuple[str, ...]] = {}
    for cell in view.cells if unknown else ():
        number, place = cell.region.number, cell.sentence
        if number in unknown:
            if place not in lacking:
                lacking[place] = _missing_region_help(cell, declared)
            yield Mistake(
                f"region {number} is not declared in `region_meta`",
                At(f"{cell.pointer}/region_number"),
                caret=f'`region_meta` has no key "{number}"',
                labels=((At(REGION_META), "regions are declared here"),),
                notes=notes,
                helps=lacking[place],
                fold=f"{number}",
            )


def _declaration(view: SuiteFileView, undeclared: int) -> str:
    """The declaration of a region (``{}``) that every sentence has; an unused key may be meant.

    It is the same for all regions: a suite may have thousands.
    """
    names, used = view.suite.region_meta, set(map(str, view.used_regions))
    unused = [key.replace("{", "{{").replace("}", "}}") for key in names if key not in used]
    if unused and len(names) == 1 and isinstance(next(iter(names.values())), dict):
        return f"keep only the value of `{unused[0]}`"
    if len(unused) == undeclared == 1:
        return f"rename `{unused[0]}` to `{{}}`"
    return 'add "{}": ""; the name can be empty'


def _missing_region_help(cell: TextCell, declared: set[str]) -> tuple[str, ...]:
    numbers = [str(region.number) for region in cell.condition.regions]
    lacking = declared.difference(numbers)
    wrong = [number for number in numbers if number not in declared]
    number = lacking.pop() if len(lacking) == len(wrong) == 1 else ""
    return (Action.WRITE(number),) if number.isdecimal() else ()


def condition_sets(view: SuiteFileView) -> Iterator[Mistake]:
    """An item has other conditions than the others.

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
        if {c.name for c in item.conditions} != usual and not _copied_label(view, i):
            yield _other_conditions(i, item, usual)


def _copied_label(view: SuiteFileView, i: int) -> tuple[int, str] | None:
    """The condition, from 0, of an item that has the name of another one, and the missing name.

    None unless the names are otherwise those of the other items, in their order.
    """
    names = [condition.name for condition in view.suite.items[i].conditions]
    usual = list(view.table.conditions)
    wrong = [j for j, pair in enumerate(zip(names, usual, strict=False)) if pair[0] != pair[1]]
    if len(names) != len(usual) or len(wrong) != 1 or names[wrong[0]] not in usual:
        return None
    return wrong[0], usual[wrong[0]]


def _other_conditions(i: int, item: Item, usual: frozenset[str]) -> Mistake:
    names = [condition.name for condition in item.conditions]
    missing, extra = sorted(usual.difference(names)), sorted(set(names) - usual)
    parts, at = [], conditions_at(i)
    if missing:
        parts.append(f"lacks {_backquoted(missing)}")
    if extra:
        parts.append(f"has {_backquoted(extra)}, which other items do not have")
        at = condition_name_at(i, names.index(extra[0]))
    return Mistake(
        f"item {item.number} {' and '.join(parts)}",
        At(at),
        notes=(f"conditions of the other items: {_backquoted(sorted(usual))}",),
        helps=closest(extra[0], missing) if extra else (),
    )


def _backquoted(names: list[str]) -> str:
    return listed(f"`{name}`" for name in names)


def duplicate_item_number(view: SuiteFileView) -> Iterator[Mistake]:
    """Two items have the same number.

    Tools that store results by item number drop all but one of the items that share it, and report
    an accuracy over fewer items than the suite has.

    Bad: two items with `"item_number": 7`
    Good: `"item_number": 7` and `"item_number": 8`
    """
    numbers = [item.number for item in view.suite.items]
    again = [*repeats(numbers)]
    if not again:
        return
    least, last, used = min(numbers), max(numbers), set(numbers)
    least = 1 if least == 2 else least
    help_text = f"write {last + 1}, which is unused"
    if 0 < last + 1 - least - len(used) <= len(again):  # no new number: results are joined by it
        missing = [number for number in range(least, last) if number not in used]
        help_text = f"no item has the number{'s'[: len(missing) - 1]} {listed(missing)}"
    for i, first in again:
        yield Mistake(
            f"duplicate item number {numbers[i]}",
            At(item_number_at(i)),
            labels=((At(item_number_at(first)), "first used here"),),
            helps=(help_text,),
        )


def duplicate_condition(view: SuiteFileView) -> Iterator[Mistake]:
    """An item has duplicate conditions.

    Formulas refer to a condition by name. Of two with the same name, one sentence is ignored.

    Bad: an item with two conditions `match`
    Good: an item with `match` and `mismatch`
    """
    for i, item in enumerate(view.suite.items):
        label = _copied_label(view, i)
        for j, first in repeats(condition.name for condition in item.conditions):
            place, other = (j, first) if label is None or label[0] == j else (first, j)
            mistake = Mistake(
                f"item {item.number} has condition `{item.conditions[j].name}` twice",
                At(condition_name_at(i, place)),
                labels=(
                    (
                        At(condition_name_at(i, other)),
                        "the other one" if label else "first occurrence",
                    ),
                ),
            )
            yield with_rewrite(mistake, label[1]) if label else mistake


def duplicate_region(view: SuiteFileView) -> Iterator[Mistake]:
    """A sentence has duplicate regions.

    Formulas refer to a region by number. If two have the same number, tools differ in which of them
    they use.

    Bad: a condition with regions 1, 2, 2
    Good: a condition with regions 1, 2, 3
    """
    regions = view.cells
    for index, first in repeats((cell.sentence, cell.region.number) for cell in regions):
        cell = regions[index]
        yield Mistake(
            f"region {cell.region.number} appears twice in condition `{cell.condition.name}` "
            f"of item {cell.item.number}",
            At(f"{cell.pointer}/region_number"),
            labels=((At(f"{regions[first].pointer}/region_number"), "first occurrence"),),
        )


def repeats(keys: Iterable[Hashable]) -> Iterator[tuple[int, int]]:
    """For each repeat of a key, its index and that of the first one."""
    first: dict[Hashable, int] = {}
    for index, key in enumerate(keys):
        if first.setdefault(key, index) != index:
            yield index, first[key]


def region_missing(view: SuiteFileView) -> Iterator[Mistake]:
    """A sentence lacks a region that the others have.

    Sentences are divided into the same regions; the content of a region can be empty. A sentence
    without one of them is probably incomplete, and tools that count regions use the next one
    instead. A condition can omit a region if it does so in every item.

    Bad: regions 1, 2, 3 in all sentences of `match`, and 1, 3 in one
    Good: `{"region_number": 2, "content": ""}` where there is no text
    """
    for (i, j), numbers in view.missing.items():
        item, condition = view.suite.items[i], view.suite.items[i].conditions[j]
        plural = len(numbers) > 1
        if any((condition.name, number) in view.readers for number in numbers):
            help_text = "add the region and its text; a prediction reads it"
        else:
            added = listed(f'{{"region_number": {number}, "content": ""}}' for number in numbers)
            help_text = f"add {added}; the content can be empty"
        yield Mistake(
            f"region{'s' if plural else ''} {listed(numbers)} {'are' if plural else 'is'} missing "
            f"from condition `{condition.name}` of item {item.number}",
            At(f"{condition_at(i, j)}/regions"),
            caret=f"has regions {listed(region.number for region in condition.regions)}",
            notes=(f"the sentence is {cited(view.sentences[i][j].text)}",),
            helps=(help_text,),
            fold=f"{numbers}",
        )


def region_order(view: SuiteFileView) -> Iterator[Mistake]:
    """The regions of a sentence are not in the order of their numbers.

    A model reads a sentence in the order in which its regions are listed, so it reads a different
    one, and some tools use the second region as region 2.

    Bad: regions 1, 3, 2
    Good: regions 1, 2, 3
    """
    for (i, j), numbers in view.irregular.items():
        if len(set(numbers)) < len(numbers):
            continue  # duplicate_region reports it
        declared = [(n, k) for k, n in enumerate(numbers) if str(n) in view.suite.region_meta]
        for (before, _), (number, k) in pairwise(declared):
            if number < before:
                item, name = view.suite.items[i], view.suite.items[i].conditions[j].name
                yield Mistake(
                    f"region {number} comes after region {before} in condition `{name}` "
                    f"of item {item.number}",
                    At(f"{condition_at(i, j)}/regions/{k}/region_number"),
                    notes=(f"the sentence is {cited(view.sentences[i][j].text)}",),
                    helps=_order_advice(item.conditions[j], k, view.join),
                    fold="region order",
                )
                break


def _order_advice(condition: Condition, k: int, join: str) -> tuple[str, ...]:
    numbers = [region.number for region in condition.regions]
    after = next(number for number in numbers if number > numbers[k])
    moved = [*numbers[:k], *numbers[k + 1 :]]
    moved.insert(moved.index(after), numbers[k])
    ordered = sorted(condition.regions, key=lambda region: region.number)
    sentence = quoted(condition._replace(regions=tuple(ordered)).sentence(join).text)
    advice = (
        f"put region {numbers[k]} before region {after}"
        if moved == sorted(moved)
        else f"list them in the order {listed(sorted(numbers), 12)}"
    )
    return (
        f"{advice}; the sentence is then {sentence}",
        "or renumber the regions, if the sentence is right as it is",
    )


def empty_sentence(view: SuiteFileView) -> Iterator[Mistake]:
    """A sentence is empty.

    Some regions can be empty, but not all: a model needs something to read.

    Bad: a condition whose regions all have the content `""`
    Good: a condition whose regions make a sentence
    """
    for i, (item, sentences) in enumerate(zip(view.suite.items, view.sentences, strict=True)):
        for j, sentence in enumerate(sentences):
            if not sentence.text:
                yield Mistake(
                    f"condition `{item.conditions[j].name}` of item {item.number} has no text",
                    At(f"{condition_at(i, j)}/regions"),
                    fold="no text",
                )


def unused_region(view: SuiteFileView) -> Iterator[Mistake]:
    """A region of `region_meta` is in no sentence.

    Either the name is left over, or the region is missing from the sentences.

    Bad: `"4": "End"` where all sentences have regions 1, 2 and 3
    Good: only regions that appear in sentences
    """
    declared = {str(number) for number in range(1, len(view.suite.region_meta) + 1)}
    if view.misnumbered or declared != set(view.suite.region_meta) or not view.used_regions:
        return  # another rule reports a wrong number that may be meant for it
    for key in view.suite.region_meta:
        if int(key) not in view.used_regions:
            yield Mistake(
                f"region {key} is declared, but no sentence has it",
                At(declaration_at(key), key=True),
                helps=("add the region to the sentences, or remove its name",),
                notes=(f"regions of the sentences: {listed(sorted(view.used_regions), 12)}",),
            )


def no_items(view: SuiteFileView) -> Iterator[Mistake]:
    """A suite has no items.

    Bad: `"items": []`
    Good: at least one item
    """
    if not view.suite.items:
        yield Mistake("the suite has no items", At("/items"))


def suite_name(view: SuiteFileView) -> Iterator[Mistake]:
    """A suite has no name.

    Results are stored and compared by the name of the suite.

    Bad: `"name": ""`
    Good: `"name": "agreement"`
    """
    if not view.suite.name.strip():
        yield Mistake("the name of the suite is empty", At(NAME))


def region_names(view: SuiteFileView) -> Iterator[Mistake]:
    """The name of a region is not text.

    Bad: `"region_meta": {"1": null}`
    Good: `"region_meta": {"1": "Subject"}`
    """
    for key, name in view.suite.region_meta.items():
        if not isinstance(name, str):
            yield Mistake(
                f"the name of region {key} is not a string: {cited(name)}",
                At(declaration_at(key)),
                helps=("write the name in quotes",),
                fold="region name",
            )


def same_region_name(view: SuiteFileView) -> Iterator[Mistake]:
    """Two regions have the same name.

    Tables and charts show regions by name.

    Bad: `"region_meta": {"1": "Verb", "2": "Verb"}`
    Good: `"region_meta": {"1": "Verb", "2": "Object"}`
    """
    numbers, names = list(view.suite.region_meta), list(view.suite.region_meta.values())
    for k, first in repeats(map(str, names)):
        if isinstance(name := names[k], str) and name.strip():
            yield Mistake(
                f"regions {numbers[first]} and {numbers[k]} have the same name, {cited(name)}",
                At(declaration_at(numbers[k])),
                labels=((At(declaration_at(numbers[first])), "the other region"),),
                helps=("give each part of the sentence its own name",),
                fold="region name",
            )


def joined_regions(view: SuiteFileView) -> Iterator[Mistake | Remark]:
    """A region that `no_space_before` lists is the first, or not declared.

    A suite can say that a space is not put before some regions, such as clitics. A number that is
    not that of a region, or that of the first one, is usually the number of another region.

    Bad: `"no_space_before": [1]`
    Good: `"no_space_before": [2]`
    """
    unspaced = view.meta.get(NO_SPACE_BEFORE)
    if unspaced:
        yield Remark(f"the reference implementation ignores `{NO_SPACE_BEFORE}`: it puts spaces")
    for k, number in enumerate(unspaced if isinstance(unspaced, list) else ()):
        is_declared = str(int(number)) in view.suite.region_meta
        if number == 1 or not is_declared:
            yield Mistake(
                "no region is before region 1"
                if is_declared
                else f"region {number} is not declared in `region_meta`",
                At(f"{UNSPACED}/{k}"),
                caret="no space is put between this region and the one before it",
                notes=(f"declared regions: {listed(view.suite.region_meta, 12)}",),
                fold=f"{number}",
            )


def repeated_item(view: SuiteFileView) -> Iterator[Mistake]:
    """A suite has duplicate items.

    A duplicate counts twice in every accuracy, and makes its confidence interval too narrow.

    Bad: items 3 and 17 with the same sentences under the same conditions
    Good: different items
    """
    items, keys = view.suite.items, []
    for item, sentences in zip(items, view.sentences, strict=True):
        pairs = zip(item.conditions, sentences, strict=True)
        keys.append(tuple(sorted((condition.name, sentence.text) for condition, sentence in pairs)))
    for i, first in repeats(keys):
        if keys[i]:
            yield Mistake(
                f"item {items[i].number} is a duplicate of item {items[first].number}",
                At(item_number_at(i)),
                labels=((At(item_number_at(first)), "first occurrence"),),
                fold="repeated",
            )


def condition_order(view: SuiteFileView) -> Iterator[Mistake]:
    """Items have their conditions in different orders.

    Lists of sentences and files of surprisals rely on positions. Tools that assume one order
    confuse the conditions.

    Bad: item 1 has `match`, `mismatch`; item 2 has `mismatch`, `match`
    Good: the same order in both
    """
    orders = [[condition.name for condition in item.conditions] for item in view.suite.items]
    usual = list(view.table.conditions)
    like = view.suite.items[orders.index(usual)].number if usual in orders else 0
    for i, (item, names) in enumerate(zip(view.suite.items, orders, strict=True)):
        broken = view.design.broken.get(i)
        is_exchanged = broken and broken.pairs and broken.region is None
        if names != usual and sorted(names) == sorted(usual) and not is_exchanged:
            yield Mistake(
                f"the conditions of item {item.number} are in a different order from item {like}",
                At(conditions_at(i)),
                notes=(f"item {item.number}: {listed(names)}", f"item {like}: {listed(usual)}"),
                fold="order",
            )


def spreadsheet_names(view: SuiteFileView) -> Iterator[Mistake]:
    """A region name is made up by a spreadsheet reader.

    Spreadsheet readers call a column without a header `Unnamed: 7`, and a second `verb` `verb.1`.

    Bad: `"6": "Unnamed: 7"`
    Good: `"6": "Continuation"`
    """
    names = list(view.suite.region_meta.values())
    for key, name in view.suite.region_meta.items():
        match = re.fullmatch(r"Unnamed: \d+|(.+)\.\d+", name) if isinstance(name, str) else None
        if match and (match[1] is None or match[1] in names):
            yield Mistake(
                f"region {key} has a name made up by a spreadsheet reader ({cited(name)})",
                At(declaration_at(key)),
                helps=("write a name for this part of the sentence",),
            )


def evaluated_values(view: SuiteFileView) -> Iterator[Mistake]:
    """A suite contains values computed with a model.

    `metric_value` is the value of a region for some model. In a published suite it is mistaken for
    part of the suite, and becomes outdated.

    Bad: `{"region_number": 1, "content": "The woman", "metric_value": {"sum": 8.6}}`
    Good: `{"region_number": 1, "content": "The woman"}`
    """
    command = "`evalmark convert --in-place --strip-results FILE`"
    for cell in view.evaluated:
        yield Mistake(
            "`metric_value` is the result of a model, not part of a suite",
            At(f"{cell.pointer}/metric_value", key=True),
            helps=(Action.TERMINAL(f"{command} removes all of them"),),
            fold="value",
        )


def item_numbers(view: SuiteFileView) -> Iterator[Mistake]:
    """Items are not numbered from 1 without a gap.

    Results are joined by item number. A gap or a jump often means that an item is lost, or that a
    number is mistyped; other numbers would not fit earlier results, so nothing is renumbered.
    Numbers from 0, or from 101, are not reported if none is missing.

    Bad: items 1, 2, 30
    Good: items 1, 2, 3
    """
    numbers = [item.number for item in view.suite.items]
    count = len(numbers)
    if count < 3 or len(set(numbers)) < count or sorted(numbers) == list(range(1, count + 1)):
        return
    is_series = max(numbers) - min(numbers) == count - 1
    if is_series and not 1 <= min(numbers) <= count:
        return  # numbered from 0, or from 101
    missing = sorted(set(range(1, count + 1)) - set(numbers))
    odd = [number for number in numbers if not 1 <= number <= count]
    yield Mistake(
        f"unexpected item number {odd[0]}: {count} items are numbered 1 to {count}, and "
        f"{listed(missing)} {'are' if len(missing) > 1 else 'is'} missing",
        At(item_number_at(numbers.index(odd[0]))),
        helps=("check if an item was lost or its number mistyped; the others keep their numbers",),
        fold="item numbers",
    )
