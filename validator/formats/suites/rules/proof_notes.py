"""Explanations of comparisons that can never hold: the texts to look at, and what to change."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import partial
from itertools import combinations
from typing import NamedTuple

from evalmark.validator.findings.phrasing import listed
from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Reference,
    children,
    references,
    unparse,
)
from evalmark.validator.formats.suites.formula.meaning import combined, difference_of, linear_form
from evalmark.validator.formats.suites.suite_view import SuiteFileView
from evalmark.validator.formats.suites.unknowns import form_of

#: Characters shown of a text that is equal, and of the text before a region.
SHOWN, BEFORE = 50, 20
SENTENCE = "the sentence"


class Reason(NamedTuple):
    """The words under comparisons that cannot hold, further facts, and what to do."""

    caret: str
    notes: tuple[str, ...]
    advice: str


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
        notes = filter(
            None, (_equality_note(view, item, *pair) for pair in combinations(regions, 2))
        )
        two = len(core) == 2
        both = listed(f"`{unparse(comparison)}`" for comparison in core)
        return Reason(
            "this contradicts the other marked comparison"
            if two
            else "these contradict each other",
            (*notes, *texts),
            f"{both} cannot {'both' if two else 'all'} hold: change one",
        )
    (comparison,) = core
    if comparison.left == comparison.right:
        return Reason("both sides are the same value", texts, "compare two conditions")
    greater = comparison.left if comparison.operator == ">" else comparison.right
    if isinstance(greater, Reference) and comparison.operator != "=":
        read = _read(view, item, greater)
        if read and read.is_empty:  # nothing is less than it
            region = f"{read.name} of `{read.condition}`"
            column = view.table.columns.get((greater.region or 0, read.condition), ())
            is_by_design = 2 * sum(not text for text in column) > len(column)
            return Reason(
                f"the critical region is empty: {region} has the value 0",
                texts,
                "compare a region that has a text"
                if is_by_design
                else f"give {region} a text in item {view.suite.items[item].number}",
            )
    return _of_sums(view, item, comparison) or Reason(
        f"false for every {view.models}: surprisal never decreases as a text continues",
        texts,
        "compare regions in which the conditions differ",
    )


def _of_sums(view: SuiteFileView, item: int, comparison: Comparison) -> Reason | None:
    """The reason that both sides cannot differ as they should: equal terms, and the others."""
    total, gap = difference_of(comparison)
    counts = Counter({term: int(count) for term, count in total.items()})
    added, subtracted = list(counts.elements()), list((-counts).elements())
    equal: dict[str, Reference] = {}
    for left in tuple(added):
        for right in subtracted:
            if note := _equality_note(view, item, left, right):
                equal[note] = left
                added.remove(left)
                subtracted.remove(right)
                break
    value = partial(form_of, view.forms[item])
    left_form, right_form = (linear_form(side, value) for side in children(comparison))
    if any(combined(left_form, right_form, -1)[0].values()):
        if not equal:
            return None
        caret = "the other terms are equal, and surprisal never decreases as a text continues"
    elif gap:
        caret = (
            f"the equal texts cancel, and the numbers that are left differ by {abs(float(gap)):g}"
        )
    else:
        caret = "both sides have the same value"
    notes = [*equal]
    for terms_left, verb in ((added, "added"), (subtracted, "subtracted")):
        notes += [f"{verb}: {text}" for text in read_texts(view, item, terms_left)]
    last = max((term.region or 0 for term in equal.values()), default=None)
    where = "" if last is None else f" before the end of {f'region {last}' if last else SENTENCE}"
    if equal and all(isinstance(side, Reference) for side in children(comparison)):
        advice = f"make the two conditions differ{where}, or compare a later region"
    else:
        advice = f"make the conditions differ{where}, or compare other regions"
    return Reason(caret, tuple(notes), advice)


def _equality_note(view: SuiteFileView, item: int, left: Reference, right: Reference) -> str:
    """A note that two regions have one value, as the texts up to their ends are equal; or empty."""
    first, second = _read(view, item, left), _read(view, item, right)
    forms = view.forms[item]
    if (
        first is None
        or second is None
        or first.text[: first.end] != second.text[: second.end]
        or first.start != second.start
        or forms[left.condition, left.region] != forms[right.condition, right.region]
    ):
        return ""
    number = view.suite.items[item].number
    if first.condition == second.condition:
        return (
            f"item {number}, `{first.condition}`: {first.name} and {second.name} are the same text"
        )
    return (
        f"item {number}: `{first.condition}` and `{second.condition}` are identical "
        f"up to the end of {first.name}: {_tail(first)}"
    )


def read_texts(view: SuiteFileView, item: int, regions: Iterable[Reference]) -> Iterator[str]:
    """A line for each value that formulas read in an item: where it is, and its text."""
    number = view.suite.items[item].number
    for reference in dict.fromkeys(regions):
        read = _read(view, item, reference)
        if read is None:
            continue
        text = "empty" if read.is_empty else _in_context(read)
        before = " after the words before it" if read.start and not read.is_empty else ""
        yield f"item {number}, `{read.condition}`, {read.name}{before}: {text}"


def _read(view: SuiteFileView, item: int, reference: Reference) -> Read | None:
    conditions = view.suite.items[item].conditions
    for condition, sentence in zip(conditions, view.sentences[item], strict=True):
        if condition.name != reference.condition:
            continue
        if reference.region is None:
            return Read(SENTENCE, condition.name, 0, len(sentence.text), sentence.text)
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
    return _quoted(read.text, max(0, read.start - BEFORE), min(read.end, read.start + SHOWN))


def _quoted(text: str, start: int, end: int) -> str:
    while 0 < start < end and not text[start - 1].isspace():
        start += 1
    return f'"{"…" if start else ""}{text[start:end]}{"…" if end < len(text) else ""}"'
