"""What authors get wrong in all conditions of an item, and what spreadsheets do to a table.

A sentence is written once and copied into the conditions: a slip in it is in all of them. A suite
is made in a spreadsheet: what is done to one of its columns is done to a region of all items.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable
from typing import Any

from benchmarks.mistakes.operators import Operator, named

Text = Callable[[str, random.Random], str]


def regions(suite: Any, item: int, number: int) -> list[dict[str, Any]]:
    """A region of an item in all its conditions."""
    conditions = suite["items"][item]["conditions"]
    return [r for c in conditions for r in c["regions"] if r["region_number"] == number]


def numbers(suite: Any) -> list[int]:
    first = suite["items"][0]["conditions"][0]["regions"]
    return [region["region_number"] for region in first]


def in_an_item(name: str, change: Text, *, first: bool = False, later: bool = False) -> Operator:
    """Changes a text in all conditions of an item that share it."""

    def changed(suite: Any, r: random.Random) -> bool:
        known = numbers(suite)
        for _ in range(300):
            item = r.randrange(len(suite["items"]))
            number = known[0] if first else r.choice(known[1:] if later else known)
            held = regions(suite, item, number)
            texts = {region["content"] for region in held if region["content"].strip()}
            if len(texts) != 1 or not re.search(r"\w", *texts):
                continue
            (old,) = texts
            new = change(old, random.Random(r.random()))
            if new != old:
                for region in held:
                    region["content"] = new if region["content"] == old else region["content"]
                return True
        return False

    return named(name, changed)


def in_a_word(change: Callable[[str, random.Random], str], least: int = 4) -> Text:
    """Changes one word of a text that has at least so many letters."""

    def changed(text: str, r: random.Random) -> str:
        words = text.split(" ")
        long = [k for k, word in enumerate(words) if len(word) >= least and word.isalpha()]
        if not long:
            return text
        k = r.choice(long)
        return " ".join([*words[:k], change(words[k], r), *words[k + 1 :]])

    return changed


def _inside(word: str, r: random.Random) -> int:
    return r.randrange(1, len(word) - 2)


def _put(word: str, r: random.Random, new: str) -> str:
    k = _inside(word, r) + 1
    return word[:k] + new + word[k:]


def _lost(word: str, r: random.Random) -> str:
    k = _inside(word, r)
    return word[:k] + word[k + 1 :]


def _exchanged(word: str, r: random.Random) -> str:
    k = _inside(word, r)
    return word[:k] + word[k + 1] + word[k] + word[k + 2 :]


def frequent(name: str, change: Callable[[str, random.Random], str]) -> Operator:
    """Misspells a word that other items have in the same region, in all conditions of an item."""

    def changed(suite: Any, r: random.Random) -> bool:
        count = len(suite["items"])
        for _ in range(300):
            item, number = r.randrange(count), r.choice(numbers(suite))
            held = regions(suite, item, number)
            words = [
                w
                for region in held
                for w in region["content"].split()
                if len(w) > 4 and w.isalpha()
            ]
            if not words:
                continue
            word = r.choice(words)
            others = sum(
                any(word in x["content"].split() for x in regions(suite, i, number))
                for i in range(count)
            )
            new = change(word, r)
            if others > 3 and new != word:
                for region in held:
                    region["content"] = re.sub(rf"\b{word}\b", new, region["content"])
                return True
        return False

    return named(name, changed)


ITEMS: tuple[Operator, ...] = (
    in_an_item("zero_for_o", lambda t, r: t.replace("o", "0", 1)),
    in_an_item("one_for_l", lambda t, r: t.replace("l", "1", 1)),
    in_an_item("footnote", lambda t, r: f"{t.strip()}1" if t.strip().isalpha() else t),
    in_an_item("superscript", in_a_word(lambda w, r: f"{w}²")),
    in_an_item("check_me", lambda t, r: f"{t.strip()} (check)"),
    in_an_item("optional", in_a_word(lambda w, r: f"({w})")),
    in_an_item("alternative", lambda t, r: f"{t.strip()}/something"),
    in_an_item("doubtful", lambda t, r: f"{t.strip()} ??", later=True),
    in_an_item("note", lambda t, r: f"{t.strip()} -- new"),
    in_an_item("arrow_to", lambda t, r: f"{t.strip()} → she"),
    in_an_item("list_number", lambda t, r: f"{r.randrange(2, 30)}. {t.strip()}", first=True),
    in_an_item("list_letter", lambda t, r: f"{r.choice('abc')}) {t.strip()}", first=True),
    in_an_item("label", lambda t, r: f"New: {t.strip()}", first=True),
    in_an_item("comma_left", lambda t, r: f"{t.strip()},"),
    in_an_item("semicolon_left", lambda t, r: f"{t.strip()};"),
    in_an_item("comma_in_front", lambda t, r: f", {t.strip()}", later=True),
    in_an_item("comma_in_word", in_a_word(lambda w, r: _put(w, r, ","))),
    in_an_item("stop_in_word", in_a_word(lambda w, r: _put(w, r, "."), 6)),
    in_an_item("comma_for_space", lambda t, r: t.strip().replace(" ", ",", 1)),
    in_an_item("underscore_for_space", lambda t, r: t.strip().replace(" ", "_", 1)),
    in_an_item("hyphen_at_line_end", in_a_word(lambda w, r: _put(w, r, "- "), 6)),
    in_an_item("cell_quotes", lambda t, r: f'"{t.strip()}"'),
    in_an_item("one_quote", lambda t, r: f'{t.strip()}"'),
    in_an_item("half_bracket", lambda t, r: f"{t.strip()})"),
    in_an_item("two_marks", lambda t, r: f"{t.strip()},,"),
    in_an_item("two_capitals", in_a_word(lambda w, r: w[:2].upper() + w[2:], 5)),
    in_an_item("capitals_lock", in_a_word(lambda w, r: w[0].lower() + w[1:].upper())),
    in_an_item("capital_inside_item", lambda t, r: t.strip().capitalize(), later=True),
    in_an_item("shouted", lambda t, r: t.upper(), later=True),
    in_an_item("full_width", in_a_word(lambda w, r: w.replace("e", "ｅ", 1))),
    in_an_item("ligature_item", lambda t, r: t.replace("fi", "\ufb01").replace("fl", "\ufb02")),
    in_an_item("smile", lambda t, r: f"{t.strip()} 🙂"),
    in_an_item("fill_me", lambda t, r: "xxx"),
    in_an_item("number_for_text", lambda t, r: str(r.randrange(2, 40)), later=True),
    in_an_item("emptied", lambda t, r: "", later=True),
    in_an_item("plus_sign", lambda t, r: t.strip().replace(" ", " + ", 1)),
    in_an_item("tilde", lambda t, r: t.strip().replace(" ", "~", 1)),
    in_an_item("two_sentences", in_a_word(lambda w, r: f"{w}. The", 4)),
    in_an_item("split_word", in_a_word(lambda w, r: _put(w, r, " "), 6)),
    in_an_item("joined_words", lambda t, r: t.strip().replace(" ", "", 1)),
    in_an_item("first_letter_small", lambda t, r: t[:1].lower() + t[1:], first=True),
    frequent("frequent_letter_lost", _lost),
    frequent("frequent_letters_exchanged", _exchanged),
    frequent("frequent_letter_doubled", lambda w, r: w[:2] + w[1:]),
)  # fmt: skip


def _column(suite: Any, r: random.Random) -> tuple[int, list[list[str]]] | None:
    """A region in which the items differ, and its texts in each item."""
    found = []
    for number in numbers(suite):
        texts = [
            [x["content"] for x in regions(suite, i, number)] for i in range(len(suite["items"]))
        ]
        if len({tuple(t) for t in texts}) > 0.9 * len(texts) and len({len(t) for t in texts}) == 1:
            found.append((number, texts))
    return r.choice(found) if found else None


def in_a_column(
    name: str, change: Callable[[list[list[str]], random.Random], list[list[str]]]
) -> Operator:
    """Changes a column in all conditions; each row keeps as many texts."""

    def changed(suite: Any, r: random.Random) -> bool:
        column = _column(suite, r)
        if column is None:
            return False
        number, old = column
        for i, texts in enumerate(change(copy.deepcopy(old), r)):
            for region, text in zip(regions(suite, i, number), texts, strict=True):
                region["content"] = text
        return True

    return named(name, changed)


def _moved_down(rows: list[list[str]], r: random.Random) -> list[list[str]]:
    k = r.randrange(1, len(rows) - 2)
    return [*rows[:k], rows[k - 1], *rows[k:-1]]


def _moved_up(rows: list[list[str]], r: random.Random) -> list[list[str]]:
    k = r.randrange(1, len(rows) - 2)
    return [*rows[:k], *rows[k + 1 :], ["" for _ in rows[0]]]


def _filled_down(rows: list[list[str]], r: random.Random) -> list[list[str]]:
    k = r.randrange(len(rows) - 4)
    return [*rows[:k], *[rows[k]] * 4, *rows[k + 4 :]]


def _counted_up(rows: list[list[str]], r: random.Random) -> list[list[str]]:
    k = r.randrange(len(rows) - 4)
    new = [[f"{text.strip()} {n}" if text else text for text in rows[k]] for n in range(1, 5)]
    return [*rows[:k], *new, *rows[k + 4 :]]


def header_as_item(suite: Any, r: random.Random) -> bool:
    """The header is in the table again."""
    names = suite["region_meta"]
    for condition in r.choice(suite["items"])["conditions"]:
        for region in condition["regions"]:
            region["content"] = str(names[str(region["region_number"])])
    return all(isinstance(name, str) and name for name in names.values())


def total_as_item(suite: Any, r: random.Random) -> bool:
    """The last row counts."""
    for condition in suite["items"][-1]["conditions"]:
        for region in condition["regions"]:
            region["content"] = str(len(suite["items"]))
    return True


def filler_as_item(suite: Any, r: random.Random) -> bool:
    """A row of one filler."""
    for condition in r.choice(suite["items"])["conditions"]:
        for region in condition["regions"]:
            region["content"] = "xx"
    return len(suite["region_meta"]) > 2


def numbers_sorted_as_text(suite: Any, r: random.Random) -> bool:
    """The items in the order 1, 10, 11, 2."""
    suite["items"].sort(key=lambda item: str(item["item_number"]))
    return True


def column_pasted_over(suite: Any, r: random.Random) -> bool:
    """A column has the texts of another one."""
    column = _column(suite, r)
    others = [n for n in numbers(suite) if column and n != column[0]]
    if column is None or not others:
        return False
    number, changed = r.choice(others), False
    start = r.choice([0, r.randrange(len(suite["items"]) - 5)])
    for i in range(start, len(suite["items"])):
        for region, text in zip(regions(suite, i, number), column[1][i], strict=False):
            changed |= bool(region["content"]) and region["content"] != text
            region["content"] = text if region["content"] else ""
    return changed


def one_condition_moved_up(suite: Any, r: random.Random) -> bool:
    """A cell was removed in one condition, and those below it moved up."""
    column = _column(suite, r)
    if column is None or len(suite["items"][0]["conditions"]) < 2:
        return False
    number, old = column
    j, start = r.randrange(len(old[0])), r.randrange(1, len(old) - 4)
    shared = sum(len({t for t in texts if t}) == 1 for texts in old)
    for i in range(start, len(old)):
        text = old[i + 1][j] if i + 1 < len(old) else ""
        regions(suite, i, number)[j]["content"] = text
    return shared == len(old)


COLUMNS: tuple[Operator, ...] = (
    in_a_column("column_sorted", lambda rows, r: sorted(rows, key=lambda row: row[0].casefold())),
    in_a_column("column_sorted_down", lambda rows, r: sorted(rows, reverse=True)),
    in_a_column("column_moved_down", _moved_down),
    in_a_column("column_moved_up", _moved_up),
    in_a_column("column_filled_down", _filled_down),
    in_a_column("column_counted_up", _counted_up),
    header_as_item, total_as_item, filler_as_item, numbers_sorted_as_text, column_pasted_over,
    one_condition_moved_up,
)  # fmt: skip
