"""Explanations of comparisons that can never hold: the texts to look at, and what to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Reference,
    references,
)
from evalmark.validator.formats.suites.formula.meaning import difference_of
from evalmark.validator.formats.suites.suite_view import SuiteFileView

#: Characters shown of a text that is equal, and of the text before a region.
SHOWN, BEFORE = 50, 20


class Reason(NamedTuple):
    """The reason that comparisons cannot hold: the words under them, further facts, what to do."""

    caret: str
    notes: tuple[str, ...]
    help: str


class Read(NamedTuple):
    """A region, or a whole sentence, that a comparison reads in an item."""

    name: str  # in words
    condition: str
    start: int  # where it begins in the sentence
    end: int
    text: str  # the sentence

    @property
    def is_empty(self) -> bool:
        """True if it has no text."""
        return not self.text[self.start : self.end].strip()


def reason(view: SuiteFileView, item: int, core: tuple[Comparison, ...]) -> Reason:
    """The reason that a smallest set of comparisons cannot hold for an item, counted from 0."""
    regions = list(dict.fromkeys(r for node in core for r in references(node)))
    texts = tuple(read_texts(view, item, regions))
    if len(core) > 1:
        who = "this comparison and the other marked one" if len(core) == 2 else "these comparisons"
        pairs = [pair for pair in combinations(regions, 2) if _is_equal(view, item, *pair)]
        notes = (*(_equal(view, item, *pair) for pair in pairs), *texts)
        return Reason(f"{who} contradict each other", notes, "change one of the marked comparisons")
    (comparison,) = core
    if comparison.left == comparison.right:
        return Reason("both sides are the same value", texts, "compare two conditions")
    return (
        _of_an_empty_region(view, item, comparison, texts)
        or _of_equal_regions(view, item, comparison)
        or _of_sums(view, item, comparison)
        or Reason(
            f"false for every {view.models}: surprisal never decreases as a text continues",
            texts,
            "compare regions in which the conditions differ",
        )
    )


def _of_an_empty_region(
    view: SuiteFileView, item: int, comparison: Comparison, texts: tuple[str, ...]
) -> Reason | None:
    """The reason that nothing is less than a region: it is empty."""
    greater = comparison.left if comparison.operator == ">" else comparison.right
    if comparison.operator == "=" or not isinstance(greater, Reference):
        return None
    read = _read(view, item, greater)
    if read is None or not read.is_empty:
        return None
    region = f"{read.name} of `{read.condition}`"
    return Reason(
        f"the critical region is empty: {region} has the value 0",
        texts,
        f"give {region} a text in item {view.suite.items[item].number}",
    )


def _of_equal_regions(view: SuiteFileView, item: int, comparison: Comparison) -> Reason | None:
    """The reason that two regions do not differ: the texts up to their ends are equal."""
    match comparison:
        case Comparison(left=Reference() as left, right=Reference() as right):
            read = _read(view, item, left)
            if read and _is_equal(view, item, left, right):
                return Reason(
                    "both sides have the same value",
                    (_equal(view, item, left, right),),
                    f"make the two conditions differ before the end of {read.name}, "
                    "or compare a later region",
                )
    return None


def _of_sums(view: SuiteFileView, item: int, comparison: Comparison) -> Reason | None:
    """The reason that sums cannot differ as they should: equal terms, and the rest of the terms."""
    total, gap = difference_of(comparison)
    counts = Counter({term: int(count) for term, count in total.items()})
    added, subtracted = list(counts.elements()), list((-counts).elements())
    pairs = _equal_terms(view, item, added, subtracted)
    for left, right in pairs:
        added.remove(left)
        subtracted.remove(right)
    if _added_up(view, item, added) != _added_up(view, item, subtracted):
        if not pairs:
            return None
        caret = "the other terms are equal, and surprisal never decreases as a text continues"
    elif gap:
        caret = (
            f"the equal texts cancel, and the numbers that are left differ by {abs(float(gap)):g}"
        )
    else:
        caret = "both sides have the same value"
    notes = [_equal(view, item, *pair) for pair in dict.fromkeys(pairs)]
    for terms_left, verb in ((added, "added"), (subtracted, "subtracted")):
        notes += [f"{verb}: {text}" for text in read_texts(view, item, terms_left)]
    regions = sorted({left.region for left, _ in pairs if left.region})
    where = f" before the end of region {regions[-1]}" if regions else ""
    help_text = f"make the conditions differ{where}, or compare other regions"
    return Reason(caret, tuple(notes), help_text)


def _equal_terms(
    view: SuiteFileView, item: int, added: list[Reference], subtracted: list[Reference]
) -> list[tuple[Reference, Reference]]:
    """Terms that cancel each other: each added one with the first that is equal and free."""
    pairs, free = [], list(subtracted)
    for term in added:
        same = next((other for other in free if _is_equal(view, item, term, other)), None)
        if same is not None:
            free.remove(same)
            pairs.append((term, same))
    return pairs


def _is_equal(view: SuiteFileView, item: int, left: Reference, right: Reference) -> bool:
    """True if two regions have the same value because the texts up to their ends are equal."""
    first, second = (_read(view, item, reference) for reference in (left, right))
    if first is None or second is None:
        return False
    forms = view.forms[item]
    same_text = first.text[: first.end] == second.text[: second.end]
    same_value = forms[left.condition, left.region] == forms[right.condition, right.region]
    return same_text and same_value and first.start == second.start


def _equal(view: SuiteFileView, item: int, left: Reference, right: Reference) -> str:
    """A note that two regions have the same value, and the text that is the reason."""
    first, second = _read(view, item, left), _read(view, item, right)
    assert first is not None
    assert second is not None
    number = view.suite.items[item].number
    if first.condition == second.condition:
        return (
            f"item {number}, `{first.condition}`: {first.name} and {second.name} are the same text"
        )
    return (
        f"item {number}: `{first.condition}` and `{second.condition}` are identical "
        f"up to the end of {first.name}: {_tail(first)}"
    )


def _added_up(view: SuiteFileView, item: int, regions: Iterable[Reference]) -> Counter[int]:
    """The unknowns in a sum of regions."""
    total: Counter[int] = Counter()
    for reference in regions:
        total.update(view.forms[item][reference.condition, reference.region])
    return +total


def read_texts(view: SuiteFileView, item: int, regions: Iterable[Reference]) -> Iterator[str]:
    """A line for each value that formulas read in an item: where it is, and its text."""
    number = view.suite.items[item].number
    for reference in dict.fromkeys(regions):
        read = _read(view, item, reference)
        if read is None:
            continue
        text = "empty" if read.is_empty else _in_context(read)
        yield f"item {number}, `{read.condition}`, {read.name}: {text}"


def _read(view: SuiteFileView, item: int, reference: Reference) -> Read | None:
    conditions = view.suite.items[item].conditions
    for condition, sentence in zip(conditions, view.sentences[item], strict=True):
        if condition.name != reference.condition:
            continue
        if reference.region is None:
            return Read("the sentence", condition.name, 0, len(sentence.text), sentence.text)
        for region, (start, end) in zip(condition.regions, sentence.spans, strict=True):
            if region.number == reference.region:
                name = f"region {region.number}"
                return Read(name, condition.name, start, end, sentence.text)
    return None


def _tail(read: Read) -> str:
    """The text up to the end of a region, from its beginning or from where the region matters."""
    text = read.text[: read.end].rstrip()
    start = max(0, min(read.start - BEFORE, len(text) - SHOWN))
    return _quoted(text, start, len(text))


def _in_context(read: Read) -> str:
    """A region with a few words before it."""
    return _quoted(read.text, max(0, read.start - BEFORE), min(read.end, read.start + SHOWN))


def _quoted(text: str, start: int, end: int) -> str:
    """A stretch of a text, begun at a word."""
    while 0 < start < end and not text[start - 1].isspace():
        start += 1
    return f'"{"…" if start else ""}{text[start:end]}{"…" if end < len(text) else ""}"'
