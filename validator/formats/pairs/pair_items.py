"""A row of minimal pairs as rules, scoring and conversion see it: its contests and its texts."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, NamedTuple

from evalmark.validator.formats.pairs.pair_sets import (
    BAD,
    CONDITIONAL,
    GOOD,
    ONE_CONTEXT,
    ONE_PREFIX,
    SETS,
    SUM,
    TWO_PREFIX,
    Column,
    Columns,
    PairSet,
    set_of,
)


class Side(NamedTuple):
    """One side of a contest."""

    role: str  # ``good``, ``bad``, or ``option``
    text: str  # the text whose probability counts
    context: str = ""  # the text before it; empty if there is none
    joint: str = ""  # the text between the two
    at: str = ""  # pointer of the text in the row
    context_at: str = ""  # pointer of the context; empty if there is none

    @property
    def whole(self) -> str:
        """The whole text that a model reads."""
        return f"{self.context}{self.joint}{self.text}"


class Contest(NamedTuple):
    """A choice of a model between sides; the first is the right one.

    A row with two contests gives each a name.
    """

    name: str
    sides: tuple[Side, ...]

    @property
    def is_impossible(self) -> bool:
        """True if a wrong side is the same as the right one, so that no model can prefer it."""
        right, *others = self.sides
        return any(right.whole == side.whole and right.text == side.text for side in others)


@dataclass(frozen=True, slots=True)
class PairItem:
    """A row of a set whose schema accepts it."""

    data: Mapping[str, Any]
    set: PairSet
    number: int = 0  # its position in the file, from 0
    file: str = ""  # for its name; may be empty

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys of the row, known or not."""
        return tuple(self.data)

    def stated(self, key: str) -> object:
        """The value that the row has under a key; None if it does not have the key."""
        return self.data.get(key)

    @property
    def identity(self) -> str:
        """The name of the row: the one that it states, or its position."""
        name = self._first(self.set.identity)
        return str(self.number) if name is None else name

    @property
    def uid(self) -> str:
        """The group that the row is averaged with: its paradigm, or else its file."""
        if stated := self.label("uid"):
            return stated
        file = os.path.basename(self.file).partition(".")[0]
        try:
            return self.set.uid.format_map({**self.data, "file": file})
        except KeyError:  # the row lacks what its set is divided by
            return file

    @property
    def labels(self) -> dict[str, str]:
        """All labels that the row has, with its ``uid``."""
        labels = {name: self.label(name) for name in self.set.labels}
        labels["uid"] = self.uid
        return {name: text for name, text in labels.items() if text}

    def label(self, name: str) -> str:
        """A label that the row states; empty if it does not."""
        text = self._first(self.set.labels.get(name, ())) or ""
        return one_spelling(text) if name == "field" else text

    @property
    def ratio(self) -> float | None:
        """The ratio that people gave, if the set has one."""
        value = self.data.get(self.set.ratio) if self.set.ratio else None
        return None if value is None else float(value)

    @property
    def methods(self) -> tuple[str, ...]:
        """The methods for which the row has the texts, besides those on whole texts."""
        stated = (method for method in (ONE_PREFIX, TWO_PREFIX) if self._columns(method))
        contexts = (CONDITIONAL,) if self.set.has_contexts else ()
        return (*contexts, *((ONE_CONTEXT,) if self.set.one_context else ()), *stated)

    @property
    def claims(self) -> dict[str, tuple[str, bool]]:
        """Method -> the key that says whether the row is meant for it, and whether it is."""
        stated = ((method, key, self.data.get(key)) for method, key in self.set.claims.items())
        return {method: (key, value) for method, key, value in stated if isinstance(value, bool)}

    @property
    def same_words(self) -> bool | None:
        """The statement of the row that both texts have the same words or not; None without one."""
        value = self.data.get(self.set.same_words) if self.set.same_words else None
        return value if isinstance(value, bool) else None

    def contests(self, method: str = "") -> tuple[Contest, ...]:
        """The choices of a model by a method, or else by the set's own method.

        It is empty if the row has no texts for the method. A text that is scored as a whole has
        its context within it.
        """
        method = method or self.set.method
        if self.set.split:
            first, _, second = self.data[self.set.split].partition("\t")
            at = f"/{self.set.split}"
            return (Contest("", (Side(GOOD, first, at=at), Side(BAD, second, at=at))),)
        contests = tuple(
            Contest(name, self._sides(columns)) for name, columns in self._columns(method)
        )
        if method in (ONE_PREFIX, TWO_PREFIX):
            (sentences,) = self.contests(SUM)
            return tuple(_joined_as_in(sentences, contest) for contest in contests)
        if method in (CONDITIONAL, ONE_CONTEXT):
            return contests
        return tuple(
            Contest(name, tuple(Side(side.role, side.whole, at=side.at) for side in sides))
            for name, sides in contests
        )

    def _columns(self, method: str) -> tuple[Columns, ...]:
        if method == ONE_CONTEXT:
            return self.set.one_context
        if method not in (ONE_PREFIX, TWO_PREFIX):
            return self.set.whole
        if not all(isinstance(self.data.get(key), str) for key in self.set.keys_for(method)):
            return ()
        return self.set.prefixed.get(method, ())

    def _sides(self, columns: tuple[Column, ...]) -> tuple[Side, ...]:
        if self.set.options:
            (column,) = columns
            context, at = self.data[column.context], f"/{column.context}"
            return tuple(
                Side(column.role, text, context, self.set.joint, f"/{column.text}/{index}", at)
                for index, text in enumerate(self.data[self.set.options])
            )
        return tuple(
            Side(
                column.role,
                self.data[column.text],
                self.data[column.context] if column.context else "",
                self.set.joint if column.context else "",
                f"/{column.text}",
                f"/{column.context}" if column.context else "",
            )
            for column in columns
        )

    def _first(self, keys: tuple[str, ...]) -> str | None:
        values = (self.data.get(key) for key in keys)
        return next((str(value) for value in values if value is not None), None)


def item_of(row: Any, number: int = 0, file: str = "") -> PairItem | None:
    """The view of a row; None if it is not of a known set."""
    pair_set = set_of(row)
    return None if pair_set is None else PairItem(row, pair_set, number, file)


def one_spelling(field: str) -> str:
    """A field that is spelt in two ways in one: ``syntax_semantics`` is ``syntax/semantics``."""
    return field.replace("syntax_semantics", "syntax/semantics")


def joint_of(prefix: str, word: str, sentence: str) -> str:
    """The space, or nothing, between a prefix and its word in their sentence.

    Where they do not begin the sentence: one space, unless one of them has it.
    """
    if sentence.startswith(f"{prefix} {word}"):
        return " "
    has_space = prefix[-1:].isspace() or word[:1].isspace()
    return "" if has_space or sentence.startswith(f"{prefix}{word}") else " "


def _joined_as_in(sentences: Contest, contest: Contest) -> Contest:
    sides = zip(contest.sides, sentences.sides, strict=True)
    return contest._replace(
        sides=tuple(
            side._replace(joint=joint_of(side.context, side.text, sentence.text))
            for side, sentence in sides
        )
    )


class PairText(NamedTuple):
    """A text that a model reads."""

    at: str  # pointer of the value that holds it
    text: str  # the text
    start: int = 0  # its first character in that value, where the value holds more than it
    joins: bool = False  # joined to another text without a space, so its own space counts


class TextKeys(NamedTuple):
    """The keys of the texts of a set."""

    # keys of two texts that must differ, and otherwise be alike
    couples: tuple[tuple[str, str], ...]
    singles: tuple[str, ...]  # keys of the other texts


@cache
def text_keys_of(name: str) -> TextKeys:
    """The keys of the texts of a set whose texts have keys of their own."""
    choices = [columns for _, columns in SETS[name].whole]
    couples: dict[frozenset[str], tuple[str, str]] = {}
    keys: dict[str, None] = {}

    def compare(left: str, right: str) -> None:
        if left != right:
            couples.setdefault(frozenset((left, right)), (left, right))

    for first, *others in choices:
        for column in others:
            compare(first.text, column.text)
            compare(first.context, column.context)
            keys |= dict.fromkeys((first.context, column.context, first.text, column.text))
        compare(choices[0][0].text, first.text)
    compared = {key for couple in couples.values() for key in couple}
    singles = tuple(key for key in keys if key and key not in compared)
    return TextKeys(tuple(couples.values()), singles)


def couples_of(item: PairItem) -> Iterator[tuple[PairText, PairText]]:
    """The texts of a row that must differ, two at a time; the right one first."""
    pair_set = item.set
    if pair_set.split:
        ((first, second),) = (contest.sides for contest in item.contests())
        start = len(first.text) + 1
        yield PairText(first.at, first.text), PairText(first.at, second.text, start)
    elif pair_set.options:
        right, *others = _options(item)
        yield from ((right, wrong) for wrong in others)
    else:
        for good, wrong in text_keys_of(pair_set.name).couples:
            yield _text(item, good), _text(item, wrong)


def texts_of_row(item: PairItem) -> Iterator[PairText]:
    """Every text of a row, once."""
    pair_set = item.set
    if pair_set.options:
        column = pair_set.whole[0][1][0]
        yield PairText(f"/{column.context}", item.data[column.context], 0, joins=not pair_set.joint)
        yield from _options(item)
        return
    seen = set()
    for couple in couples_of(item):
        for text in couple:
            if (text.at, text.start) not in seen:
                seen.add((text.at, text.start))
                yield text
    if not pair_set.split:
        yield from (_text(item, key) for key in text_keys_of(pair_set.name).singles)


def has_good_and_bad(item: PairItem) -> bool:
    """True if a row has one good and one bad text, whatever precedes them."""
    return bool(item.set.split) or not (item.set.options or item.set.has_contexts)


def _options(item: PairItem) -> list[PairText]:
    (contest,) = item.contests()
    return [PairText(side.at, side.text, 0, joins=not side.joint) for side in contest.sides]


def _text(item: PairItem, key: str) -> PairText:
    return PairText(f"/{key}", item.data[key])
