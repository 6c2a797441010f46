"""Why comparisons can never hold: what a reader has to look at, and what to change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from evalmark.validator.formula.tree import Comparison, Reference, references
from evalmark.validator.views.suite_file import SuiteFileView

#: Characters shown of a text that is equal, and of the text before a region.
SHOWN, BEFORE = 50, 20


class Reason(NamedTuple):
    """Why comparisons cannot hold: the words under them, further facts, what to do."""

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
        """Whether it has no text."""
        return not self.text[self.start : self.end].strip()


def reason(view: SuiteFileView, item: int, core: tuple[Comparison, ...]) -> Reason:
    """Why a smallest set of comparisons cannot hold for an item, counted from 0."""
    number = view.suite.items[item].number
    texts = tuple(read_texts(view, item, (r for node in core for r in references(node))))
    if len(core) > 1:
        caret = (
            "these comparisons contradict each other"
            if len(core) > 2
            else ("this comparison and the other marked one contradict each other")
        )
        return Reason(caret, texts, "change one of the marked comparisons")
    (comparison,) = core
    if comparison.left == comparison.right:
        return Reason("both sides are the same value", texts, "compare two conditions")
    greater = comparison.left if comparison.operator == ">" else comparison.right
    if comparison.operator != "=" and isinstance(greater, Reference):
        read = _read(view, item, greater)
        if read and read.is_empty:
            return Reason(
                f"the critical region is empty: {read.name} of `{read.condition}` has the value 0",
                texts,
                f"give {read.name} of `{read.condition}` a text in item {number}",
            )
    match comparison:
        case Comparison(left=Reference() as left, right=Reference() as right):
            one, other = _read(view, item, left), _read(view, item, right)
            if one and other and _same_value(one, other):
                note = (
                    f"item {number}: `{one.condition}` and `{other.condition}` are identical "
                    f"up to the end of {one.name}: {_tail(one)}"
                )
                return Reason(
                    "both sides have the same value",
                    (note,),
                    f"make the two conditions differ before the end of {one.name}, "
                    "or compare a later region",
                )
    return Reason(
        "false for every left-to-right model: surprisal never decreases as a text continues",
        texts,
        "compare regions in which the conditions differ",
    )


def read_texts(view: SuiteFileView, item: int, found: Iterable[Reference]) -> Iterator[str]:
    """A line for each value that formulas read in an item: where it is, and its text."""
    number = view.suite.items[item].number
    for reference in dict.fromkeys(found):
        read = _read(view, item, reference)
        if read is None:
            continue
        what = "empty" if read.is_empty else _in_context(read)
        yield f"item {number}, `{read.condition}`, {read.name}: {what}"


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


def _same_value(one: Read, other: Read) -> bool:
    """Whether two values are equal because the texts up to their ends are."""
    same_end = one.text[: one.end] == other.text[: other.end]
    return same_end and one.start == other.start


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
