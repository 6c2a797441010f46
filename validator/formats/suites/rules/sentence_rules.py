"""Rules on whole sentences: that each has its regions, in order, and a text."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

from evalmark.validator.findings.hit import At, Hit
from evalmark.validator.findings.words import listed, quoted, shown
from evalmark.validator.formats.suites.formula.tree import references
from evalmark.validator.formats.suites.rules.provable import NeverHolds
from evalmark.validator.formats.suites.sentences import join_regions
from evalmark.validator.formats.suites.suite import Condition
from evalmark.validator.formats.suites.suite_view import PlacedRegion, SuiteFileView, condition_at

#: Quotes that mean the same: the straight one, and the curly ones.
_QUOTES = (("'", "\u2018\u2019"), ('"', "\u201c\u201d"))
#: How they are found: after a digit they are feet, inches and decades (`5'10"`, `1980's`).
_MARKS = {
    marks: re.compile(rf"(?<![0-9])[{marks}]" + ("" if '"' in pair else r"(?![0-9]{2}s?\b)"))
    for pair in _QUOTES
    for marks in pair
}


def region_missing(view: SuiteFileView) -> Iterator[Hit]:
    """A sentence has all regions that the others have.

    Sentences are divided into the same regions; the content of a region can be empty. A sentence
    without one of them is probably incomplete, and tools that count regions use the next one
    instead. A condition can omit a region if it does so in every item.

    Bad: regions 1, 2, 3 in all sentences of `match`, and 1, 3 in one
    Good: `{"region_number": 2, "content": ""}` where there is no text
    """
    if not view.missing:
        return
    read = {(r.condition, r.region) for _, f in view.meaningful for r in references(f.tree)}
    for (i, j), numbers in view.missing.items():
        item, condition = view.suite.items[i], view.suite.items[i].conditions[j]
        plural = len(numbers) > 1
        if any((condition.name, number) in read for number in numbers):
            help_text = "add the region and its text; a prediction reads it"
        else:
            added = listed(f'{{"region_number": {number}, "content": ""}}' for number in numbers)
            help_text = f"add {added}; the content can be empty"
        yield Hit(
            f"region{'s' if plural else ''} {listed(numbers)} {'are' if plural else 'is'} missing "
            f"from condition `{condition.name}` of item {item.number}",
            At(f"{condition_at(i, j)}/regions"),
            caret=f"has regions {listed(region.number for region in condition.regions)}",
            notes=(f"the sentence is {shown(view.sentences[i][j].text)}",),
            helps=(help_text,),
            fold=f"{numbers}",
        )


def region_order(view: SuiteFileView) -> Iterator[Hit]:
    """The regions of a sentence are in the order of their numbers.

    A sentence is read in the order in which its regions are listed. If they are out of order, the
    model reads a different sentence, and some tools use the second region as region 2.

    Bad: regions 1, 3, 2
    Good: regions 1, 2, 3
    """
    for (i, j), numbers in view.irregular.items():
        if len(set(numbers)) < len(numbers):
            continue  # duplicate_region reports it
        known = [(n, k) for k, n in enumerate(numbers) if str(n) in view.suite.region_meta]
        for (before, _), (number, k) in pairwise(known):
            if number < before:
                item, name = view.suite.items[i], view.suite.items[i].conditions[j].name
                yield Hit(
                    f"region {number} comes after region {before} in condition `{name}` "
                    f"of item {item.number}",
                    At(f"{condition_at(i, j)}/regions/{k}/region_number"),
                    notes=(f"the sentence is {shown(view.sentences[i][j].text)}",),
                    helps=_in_order(item.conditions[j], k, view.join),
                    fold="region order",
                )
                break


def _in_order(condition: Condition, k: int, join: str) -> tuple[str, ...]:
    """Where to move a region, and the sentence that this gives; or how to number them."""
    numbers = [region.number for region in condition.regions]
    after = next(number for number in numbers if number > numbers[k])
    moved = [*numbers[:k], *numbers[k + 1 :]]
    moved.insert(moved.index(after), numbers[k])
    ordered = sorted(condition.regions, key=lambda region: region.number)
    sentence = quoted(join_regions([region.content for region in ordered], join).text)
    what = (
        f"put region {numbers[k]} before region {after}"
        if moved == sorted(moved)
        else f"list them in the order {listed(sorted(numbers), 12)}"
    )
    return (
        f"{what}; the sentence is then {sentence}",
        "or renumber the regions, if the sentence is right as it is",
    )


def empty_sentence(view: SuiteFileView) -> Iterator[Hit]:
    """A sentence is not empty.

    Some regions can be empty, but not all: a model needs something to read.

    Bad: a condition whose regions all have the content `""`
    Good: a condition whose regions make a sentence
    """
    for i, (item, sentences) in enumerate(zip(view.suite.items, view.sentences, strict=True)):
        for j, sentence in enumerate(sentences):
            if not sentence.text:
                yield Hit(
                    f"condition `{item.conditions[j].name}` of item {item.number} has no text",
                    At(f"{condition_at(i, j)}/regions"),
                    fold="no text",
                )


def empty_where_read(view: SuiteFileView) -> Iterator[Hit]:
    """A region that a prediction reads has text in every item, or in none.

    An empty region has the value 0. If a region has text in most items but not in one, the text of
    that one is usually in another region. If the prediction can then never hold, that is
    reported instead.

    Bad: region 3 of `match` is `"sings"` in item 1 and `""` in item 2, where region 2 is
    `"the bird sings"`
    Good: the verb in region 3 of both
    """
    if view.metrics != ("sum",):
        return  # undefined_region reports it
    wanted: dict[tuple[str, int | None], int] = {}
    for index, formula in view.meaningful:
        for reference in references(formula.tree):
            wanted.setdefault((reference.condition, reference.region), index)
    filled: Counter[tuple[str, int]] = Counter()
    empty = []
    for placed in view.regions:
        key = placed.condition.name, placed.region.number
        if key in wanted:
            if placed.region.content.strip():
                filled[key] += 1
            elif any(content.strip() for content in placed.condition.contents):
                empty.append((key, placed))
    never = NeverHolds(view)
    for key, placed in empty:
        index = wanted[key]
        if filled[key] and placed.path[0] not in never[index]:
            yield Hit(
                f"prediction reads region {key[1]} of condition `{key[0]}`, which is empty in "
                f"item {placed.item.number} but not in other items",
                At(placed.content_at),
                labels=((view.at(index), "reads it"),),
                notes=(f"the sentence is {shown(view.sentence_of(placed).text)}",),
                fold=f"empty {key}",
            )


def mixed_quotes(view: SuiteFileView) -> Iterator[Hit]:
    """A suite uses straight or curly quotes, not both.

    Models read them as different tokens, so sentences meant to differ in one word also differ in
    a quote. Feet, inches and decades (`5'10"`, `the '90s`) are not quotes.

    Bad: `it's` in one sentence, and `it’s` in another
    Good: the same character in both
    """
    for straight, curly in _QUOTES:
        marked: dict[bool, list[tuple[PlacedRegion, int]]] = {True: [], False: []}
        for placed in view.regions:
            text = placed.region.content
            if straight in text and (match := _MARKS[straight].search(text)):
                marked[False].append((placed, match.start()))
            if not text.isascii() and (match := _MARKS[curly].search(text)):
                marked[True].append((placed, match.start()))
        if marked[True] and marked[False]:
            is_curly = len(marked[True]) <= len(marked[False])
            words = ("curly", "straight") if is_curly else ("straight", "curly")
            other, at = marked[not is_curly][0]
            for placed, start in marked[is_curly]:
                yield Hit(
                    f"{words[0]} quote in a suite that also has {words[1]} quotes",
                    At(placed.content_at, start, start + 1),
                    labels=((At(other.content_at, at, at + 1), f"{words[1]} here"),),
                    helps=_same_quotes(placed.region.content, straight, curly, is_curly=is_curly),
                    fold=f"quotes {straight}",
                )


def _same_quotes(text: str, straight: str, curly: str, *, is_curly: bool) -> tuple[str, ...]:
    """What to write for the quotes of a region; nothing if one can open or close."""
    found = [match.start() for match in _MARKS[curly if is_curly else straight].finditer(text)]
    meant = [straight if is_curly else _curly(text, at, curly) for at in found]
    if "" in meant:
        return ()
    if len(found) == 1:
        return (f"write `{meant[0]}`",)
    characters = list(text)
    for at, mark in zip(found, meant, strict=True):
        characters[at] = mark
    return (f"write {quoted(''.join(characters))}",)


def _curly(text: str, at: int, marks: str) -> str:
    """The curly quote for a straight one; empty if it can open or close, or shortens a word."""
    before, after = text[at - 1 : at], text[at + 1 : at + 2]
    if before.isalnum() and after.isalnum():
        return marks[1] if text[at] == "'" else ""
    if text[at] == "'":  # 'tis, the boys'
        return ""
    if (not before or before.isspace()) and after.isalnum():
        return marks[0]
    return marks[1] if before and not before.isspace() and not after.isalnum() else ""
