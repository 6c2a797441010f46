"""Lists of sentences, one a line, as grids of items, conditions and sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby, pairwise

from evalmark.converters.tables.any_table.grid import Grid, grid_of
from evalmark.converters.tables.any_table.words import ENDS, letter_of, names_columns, role_of_name
from evalmark.schemas.errors import ConversionError
from evalmark.validator.findings.phrasing import listed, quoted, shown

#: The number of an example, as articles print it, and the letter of its sentence, as in `(1a)`;
#: without a sign, only if all lines have one.
_NUMBER = re.compile(r"\s*(\(?(\d{1,6})(?:[-.]?[a-z])?[.):]\)?)\s+")
_BARE_NUMBER = re.compile(r"\s*((\d{1,6}))\s+")
#: The letter of a sentence, and what marks one as bad, before or after it.
_LETTER = re.compile(r"([*?#]{0,2}\s*)(\(?([a-z])[.)]\)?)\s+")
_MARK = re.compile(r"(\*\??|\?\??|#)\s*(?=\S)")
_BULLET = re.compile(r"\s*([-–—•·‣*])\s+")
#: Other labels that a first word may be: signs, `good:`, `A.`, `iv)`, `1-a`.
_LABEL = re.compile(r"[^\w\"'“‘«¿¡(]+|\w+[:)]+|\(?(?:\w|[ivx]+)[.)]+|\d+\W?[a-z]")
#: Signs that no sentence has: commands of LaTeX, tags, code, and lines of tables.
_CODE = re.compile(
    r"\\[A-Za-z\\]|</?[A-Za-z][^<>]*>|[{}]|[\[(=]\s*$|^\s*[\])]+[;,]*\s*$|^(?=.*[-=]{3})[\s|+=-]+$"
    r"|\$\S*[\^_]\S*\$|^\$ \w|^[(\[]?([\"'`]).*\1[)\]]*,$|^[(\[]([\"'`]).*\2[)\]]$"
)
#: Lines among which the names of columns are looked for.
_FIRST = 4
#: By how much lines of an item are more alike than others, at least, and the share of the most by
#: which another number of lines may be meant.
_ALIKE, _LESS = 0.1, 0.7
#: The advice in refusals.
PASTE = "paste rows of a spreadsheet, or one sentence a line"


def grid_of_sentences(lines: Iterable[str], size: int = 0) -> Grid:
    """Sentences, one a line, as a table of items, conditions and sentences.

    Items are the numbers of examples, or paragraphs, or ``size`` lines, or else as many lines as
    are alike; a sentence with a star is the bad one. What is left out of the lines is in the notes.

    Raises:
        ConversionError: They are not sentences.
    """
    return _List([line.strip(" \t\r\n") if line.strip() else "" for line in lines], size).grid()


@dataclass(slots=True)
class _List:
    """Lines of sentences; ``left_out`` has the labels and marks that are not read.

    ``size`` is how many lines an item has, if somebody says it; ``sizes`` how many it may have.
    """

    lines: list[str]
    size: int
    sizes: tuple[int, ...] = ()
    left_out: dict[str, None] = field(default_factory=dict)

    def grid(self) -> Grid:
        _require_sentences([line for line in self.lines if line])
        notes = self._without_title()
        texts = [line for line in self.lines if line]
        if all(map(_BULLET.match, texts)) and len({text[0] for text in texts}) == 1:
            self.lines = [self._without(line, _BULLET.match(line)) for line in self.lines]
            texts = [line for line in self.lines if line]
        blocks = [[*block] for has_text, block in groupby(self.lines, bool) if has_text]
        if numbers := _numbers(texts):
            blocks = self._numbered(texts, numbers)
        elif len(blocks) == 1 or max(map(len, blocks)) == 1:
            blocks = _lettered(texts) or self._cut(texts)
        rows = [
            [str(number), condition, sentence]
            for number, block in enumerate(blocks, 1)
            for condition, sentence in self._conditions(block)
        ]
        if self.left_out:
            notes.append(f"left out of the sentences: {listed(map(quoted, self.left_out), 20)}")
        if len(blocks) == len(rows) > 1:
            notes.append("each sentence is an item of its own")
        elif self.sizes:
            notes.append(f"each {self.sizes[0]} lines are an item")
        if labels := _labels(rows):
            notes.append(f"read as parts of the sentences, not as labels: {listed(labels)}")
        grid = grid_of([["item", "condition", "sentence"], *rows], True, notes)
        return replace(grid, sizes=self.sizes)

    def _cut(self, texts: Sequence[str]) -> list[list[str]]:
        """Texts in groups of as many as an item has."""
        self.sizes = (self.size,) if self.size else _lines_an_item(texts)
        if len(texts) % self.sizes[0]:
            raise ConversionError(f"{len(texts)} lines are not items of {self.size} lines each")
        return [
            list(texts[start : start + self.sizes[0]])
            for start in range(0, len(texts), self.sizes[0])
        ]

    def _without_title(self) -> list[str]:
        """Take a line above items of several sentences, and no sentence itself, away; a note."""
        title, *blocks = [[*block] for has_text, block in groupby(self.lines, bool) if has_text]
        is_title = len(title) == 1 < min(map(len, blocks), default=0)
        if not is_title or title[0].endswith(ENDS):
            return []
        self.lines = [line for block in blocks for line in ("", *block)]
        return [f"the first line is above the sentences, and not read: {shown(title[0])}"]

    def _without(self, text: str, found: re.Match[str] | None) -> str:
        """A text without what is found at its beginning."""
        if not found:
            return text
        self.left_out.setdefault(found.group(1))
        return text[found.end() :]

    def _numbered(
        self, texts: Sequence[str], numbers: Sequence[re.Match[str] | None]
    ) -> list[list[str]]:
        """The lines of each number, without it."""
        blocks: list[list[str]] = []
        before = ""
        for text, number in zip(texts, numbers, strict=True):
            if not blocks or (number and number.group(2) != before):
                blocks.append([])
            before = number.group(2) if number else before
            blocks[-1].append(self._without(text, number))
        if len(blocks) < len(texts):
            return blocks
        whole = [line for block in blocks for line in block]  # every sentence has its own number
        blocks = self._cut(whole)
        self.sizes = self.sizes[:1] if self.sizes[0] == 1 else self.sizes  # as they are numbered
        return blocks

    def _conditions(self, block: Sequence[str]) -> Iterator[tuple[str, str]]:
        """The condition and the sentence of each line of an item."""
        letters = [_LETTER.match(line) for line in block]
        found = [letter for letter in letters if letter]
        are_next = _ascend([ord(letter.group(3)) for letter in found])
        if are_next and len(found) == len(block) > 1:
            self.left_out |= dict.fromkeys(letter.group(2) for letter in found)
            block = [one[1] + line[one.end() :] for one, line in zip(found, block, strict=True)]
        marks = [_MARK.match(line) for line in block]
        is_pair = len(block) == 2 and sum(map(bool, marks)) == 1
        for count, (line, mark) in enumerate(zip(block, marks, strict=True), 1):
            is_star = mark is not None and mark.group(1)[0] == "*" and line.count("*") == 1
            is_bad = is_star or (is_pair and mark is not None)
            sentence = self._without(line, mark) if is_bad else line
            yield ("bad" if is_bad else "good") if is_pair else letter_of(count), sentence


def _require_sentences(texts: Sequence[str]) -> None:
    """Refuse lines that are a table, code, or anything else.

    Raises:
        ConversionError: They are.
    """
    if not texts:
        raise ConversionError("there is no text")
    is_rows = all(text.count(" & ") > 1 for text in texts)
    if is_rows or any(_are_names(text) for text in texts[:_FIRST]) or _is_print(texts):
        raise ConversionError(
            "this is a print of a table, whose cells are not certain",
            "write it as CSV (`write.csv` in R, `to_csv` in Python), or copy its cells",
        )
    odd = next((text for text in texts if _CODE.search(text)), None)
    if odd is not None:
        raise ConversionError(f"this is not a sentence: {shown(odd)}", PASTE)
    if sum(len(text.split()) > 1 or not text.isascii() for text in texts) * 2 < len(texts):
        raise ConversionError("this is neither a table nor a list of sentences", PASTE)


def _are_names(text: str) -> bool:
    """True if most words of a line, which is not a sentence, are usual names of columns."""
    words = text.split()
    known = sum(role_of_name(word) is not None for word in words)
    return not text.endswith(ENDS) and names_columns(words) and known * 2 >= len(words)


def _is_print(texts: Sequence[str]) -> bool:
    """True if lines after the first are numbered as rows of a data frame are."""
    numbers = [int(found.group(2)) for text in texts[1:] if (found := _BARE_NUMBER.match(text))]
    is_row = len(numbers) > 1 and 2 * len(numbers) >= len(texts)
    return is_row and not _BARE_NUMBER.match(texts[0]) and _ascend(numbers)


def _ascend(numbers: Sequence[int]) -> bool:
    return all(right - left == 1 for left, right in pairwise(numbers))


def _numbers(texts: Sequence[str]) -> list[re.Match[str] | None]:
    """The number of each line, if lines are numbered; else an empty list."""
    bare = [number for text in texts if (number := _BARE_NUMBER.match(text))]
    if len(bare) == len(texts) > 2 and _ascend([int(one.group(2)) for one in bare]):
        return [*bare]
    found = [_NUMBER.match(text) for text in texts]
    rest = [text for text, number in zip(texts, found, strict=True) if not number]
    is_text = any((mark := _MARK.match(text)) and _NUMBER.match(text, mark.end()) for text in rest)
    is_alone = len(rest) == len(texts) - 1 and not all(map(_LETTER.match, rest))
    return found if found[0] and not is_text and not (is_alone and rest) else []


def _lettered(texts: Sequence[str]) -> list[list[str]]:
    """Texts in groups whose letters follow each other; empty if one has no letter."""
    blocks: list[list[str]] = []
    before = 0
    for text in texts:
        letter = _LETTER.match(text)
        if letter is None:
            return []
        if ord(letter.group(3)) != before + 1:
            blocks.append([])
        before = ord(letter.group(3))
        blocks[-1].append(text)
    return blocks


def _labels(rows: Iterable[Sequence[str]]) -> dict[str, None]:
    """The first words that may be labels, if all are in which the sentences of an item differ."""
    items = [[row[2].split()[0] for row in item] for _, item in groupby(rows, lambda row: row[0])]
    are_labels = all(len({*words}) == len(words) > 1 for words in items)
    words = dict.fromkeys(word for words in items for word in words)
    return (
        dict.fromkeys(map(quoted, words))
        if are_labels and all(map(_LABEL.fullmatch, words))
        else {}
    )


def _lines_an_item(texts: Sequence[str]) -> tuple[int, ...]:
    """How many lines an item may have: first the number by which its lines are most alike.

    There are others if lines are hardly less alike by them, or not alike by any; there is none if
    the second line of each two has a star, and no first one.
    """
    stars = [bool(_MARK.match(text)) for text in texts]
    if any(stars) and stars == [bool(at % 2) for at in range(len(texts))] and not len(texts) % 2:
        return (2,)
    words = [set(text.lower().split()) for text in texts]
    if not any(len(one) > 1 for one in words):
        words = [set(text) for text in texts]  # no spaces between words
    likeness = [len(a & b) / (len(a | b) or 1) for a, b in pairwise(words)]
    gains = {}
    for size in range(2, 9):
        if len(texts) % size:
            continue
        inside = [like for at, like in enumerate(likeness, 1) if at % size]
        across = [like for at, like in enumerate(likeness, 1) if not at % size]
        gains[size] = sum(inside) / len(inside) - (sum(across) / len(across) if across else 0.2)
    best = max(gains.values(), default=0.0)
    if best <= _ALIKE:
        return (1, *gains)
    likely = [size for size, gain in gains.items() if gain > best * _LESS]
    return tuple(sorted(likely, key=lambda size: -gains[size]))
