"""Recognize ordinary rows of pairs, for which no rule can have a finding.

Nearly all rows are such; only the others are shown to the rules. ``tests/validator/pairs`` compares
both ways on every kind of row.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple
from unicodedata import is_normalized

from evalmark.validator.formats.pairs.nearest_keys import nearest_keys
from evalmark.validator.formats.pairs.pair_characters import CLOSING, FINAL, plain_form, words
from evalmark.validator.formats.pairs.pair_items import joint_of, one_spelling, text_keys_of
from evalmark.validator.formats.pairs.pair_sets import PairSet, set_of
from evalmark.validator.formats.pairs.rules.pair_patterns import LABELS


class RowForm(NamedTuple):
    """The keys of a row, and what follows from them."""

    set: PairSet
    couples: tuple[tuple[str, str], ...]  # keys of the texts that are compared
    singles: tuple[str, ...]  # of its other texts
    # keys of a context, of the word after it, and of the text that both begin
    prefixes: tuple[tuple[str, str, str], ...]
    claims: tuple[str, ...]  # keys that must not be true: the row lacks texts for their methods
    same_words: str  # see ``PairSet``; empty if the row does not have it
    # keys of each of its ``LABELS``; the first is what it is averaged with
    labels: tuple[tuple[str, ...], ...]
    has_roles: bool  # one text is good and one is bad, whatever precedes them

    def is_ordinary(self, row: Mapping[str, Any]) -> bool:
        """True if no rule finds anything in a row, which its schema accepts."""
        for good_key, bad_key in self.couples:
            good, bad = row[good_key], row[bad_key]
            if good == bad or not (_is_plain(good) and _is_plain(bad) and _end_alike(good, bad)):
                return False
            if good[0] != bad[0] and good[0].lower() == bad[0].lower():
                return False
            if not (good.isascii() and bad.isascii()) and plain_form(good) == plain_form(bad):
                return False
            if self.same_words and not self._says_right(row, good, bad):
                return False
        for key in self.singles:
            if not _is_plain(row[key]):
                return False
        for key in self.claims:
            if row[key] is True:
                return False
        return not self.prefixes or self._begin(row)

    def _begin(self, row: Mapping[str, Any]) -> bool:
        for context, word, text in self.prefixes:
            if row[context] is None or row[word] is None:
                return False  # the row lacks the texts of this method
            whole = row[text]
            beginning = f"{row[context]}{joint_of(row[context], row[word], whole)}{row[word]}"
            if not whole.startswith(beginning) or whole[len(beginning) :][:1].isalnum():
                return False
        return True

    def labels_of(self, row: Mapping[str, Any]) -> tuple[str, ...]:
        """The labels that a row states, each empty if it does not; the first is its UID."""
        stated = []
        for keys in self.labels:
            for key in keys:
                if (value := row[key]) is not None:
                    stated.append(str(value))
                    break
            else:
                stated.append("")
        uid, label, *others = stated
        return uid, one_spelling(label), *others

    def texts(self, row: Mapping[str, Any]) -> list[str]:
        """The texts of a row, in a fixed order."""
        return [row[key] for couple in self.couples for key in couple] + [
            row[key] for key in self.singles
        ]

    def _says_right(self, row: Mapping[str, Any], good: str, bad: str) -> bool:
        stated = row[self.same_words]
        if stated is False and good.isascii() and bad.isascii():
            # The same words need the same room.
            if len(good.rstrip(FINAL)) != len(bad.rstrip(FINAL)):
                return True
        elif not isinstance(stated, bool):
            return True
        return (words(good) == words(bad)) is stated


def _is_plain(text: str) -> bool:
    """True if a text has nothing but letters, marks and single spaces, in one form."""
    return (
        text.isprintable()
        and text[0] != " " != text[-1]
        and "  " not in text
        and (text.isascii() or ("\ufffd" not in text and is_normalized("NFC", text)))
    )


def _end_alike(good: str, bad: str) -> bool:
    first, second = good[-1], bad[-1]
    if first in CLOSING or second in CLOSING:
        return False
    return first == second or (first in FINAL) == (second in FINAL)


class RowForms:
    """The forms of rows; a file has few."""

    def __init__(self) -> None:
        self._forms: dict[tuple[str, ...], RowForm | None] = {}

    def form_of(self, row: Mapping[str, Any]) -> RowForm | None:
        """The form of a row; None if its rows are shown to the rules in any case."""
        keys = tuple(row)
        try:
            return self._forms[keys]
        except KeyError:
            form = _form(row)
            if len(self._forms) < 1000:
                self._forms[keys] = form
            return form


def _form(row: Mapping[str, Any]) -> RowForm | None:
    pair_set = set_of(row)
    if pair_set is None or pair_set.split or pair_set.options or nearest_keys(pair_set, row):
        return None
    keys = text_keys_of(pair_set.name)
    lacking = {name for name in pair_set.prefixed if not row.keys() >= {*pair_set.keys_for(name)}}
    return RowForm(
        pair_set,
        keys.couples,
        keys.singles,
        tuple(_prefixes(pair_set, lacking)),
        tuple(key for method, key in pair_set.claims.items() if method in lacking and key in row),
        pair_set.same_words if pair_set.same_words in row else "",
        tuple(tuple(key for key in pair_set.labels.get(name, ()) if key in row) for name in LABELS),
        not pair_set.has_contexts,
    )


def _prefixes(pair_set: PairSet, lacking: Collection[str]) -> Iterator[tuple[str, str, str]]:
    """The keys of the contexts, words and whole texts of the methods that a row has texts for."""
    for method, choices in pair_set.prefixed.items():
        for _, columns in choices if method not in lacking else ():
            for column, whole in zip(columns, pair_set.whole[0][1], strict=True):
                yield column.context, column.text, whole.text
