"""Slips by class: sentence, item, column, label, script, formula.

They are made in suites of any language, of two to eight conditions, and of four items or many. What
only somebody who knows the language sees is left out: another word, another form of it.
"""

from __future__ import annotations

import copy
import random
import re
import unicodedata
from collections.abc import Callable
from typing import Any

from benchmarks.mistakes.items import in_a_word, in_an_item, numbers, regions
from benchmarks.mistakes.operators import Operator, named
from benchmarks.mistakes.texts import in_a_text

Text = Callable[[str, random.Random], str]


def _one(pattern: str, new: Callable[[re.Match[str]], str]) -> Text:
    """Changes one of the places that a pattern matches."""

    def changed(text: str, r: random.Random) -> str:
        found = list(re.finditer(pattern, text))
        if not found:
            return text
        match = r.choice(found)
        return text[: match.start()] + new(match) + text[match.end() :]

    return changed


def _letters(before: str, after: str) -> Text:
    """One of some letters as another that looks like it."""
    table = dict(zip(before, after, strict=True))
    return _one(f"[{re.escape(before)}]", lambda match: table[match[0]])


def _inserted(character: str, pattern: str = r"(?<=\w)(?=\w)") -> Text:
    return _one(pattern, lambda _: character)


# Slips that are the same in all conditions of an item


def _at_a_joint(change: Callable[[str, str], tuple[str, str]]) -> Operator:
    """Changes two regions that follow each other, in all conditions of an item."""

    def changed(suite: Any, r: random.Random) -> bool:
        known = numbers(suite)
        for _ in range(200):
            item, k = r.randrange(len(suite["items"])), r.randrange(len(known) - 1)
            both = [regions(suite, item, n) for n in known[k : k + 2]]
            texts = [{one["content"] for one in each if one["content"].strip()} for each in both]
            if len(both[0]) != len(both[1]) or min(map(len, texts)) != 1:
                continue
            made = False
            for one, other in zip(*both, strict=True):
                if one["content"].strip() and other["content"].strip():
                    new = change(one["content"], other["content"])
                    made |= new != (one["content"], other["content"])
                    one["content"], other["content"] = new
            if made:
                return True
        return False

    return changed


def _moved_right(one: str, other: str) -> tuple[str, str]:
    *words, last = one.split()
    return (" ".join(words), f"{last} {other}") if words else (one, other)


def _moved_left(one: str, other: str) -> tuple[str, str]:
    first, *words = other.split()
    return (f"{one} {first}", " ".join(words)) if words else (one, other)


def _article_lost(text: str, r: random.Random) -> str:
    return re.sub(r"^(the|a|an|der|die|das|le|la|el|un) (?=\w)", "", text, flags=re.IGNORECASE)


ITEM_SLIPS: tuple[Operator, ...] = (
    named("word_moved_right", _at_a_joint(_moved_right)),
    named("word_moved_left", _at_a_joint(_moved_left)),
    named("regions_exchanged", _at_a_joint(lambda one, other: (other, one))),
    named("region_written_again", _at_a_joint(lambda one, other: (one, one))),
    named("region_joined_to_the_next", _at_a_joint(lambda one, other: (f"{one} {other}", ""))),
    named("last_word_again", _at_a_joint(lambda one, o: (one, f"{one.split()[-1]} {o}"))),
    in_an_item("word_doubled_in_item", _one(r"\b[^\W\d_]+\b", lambda m: f"{m[0]} {m[0]}")),
    in_an_item("article_lost", _article_lost),
    in_an_item("article_as_a", _one(r"\ban(?= )|\bAn(?= )", lambda m: m[0][0])),
    in_an_item("stop_inside", lambda t, r: f"{t.strip()}.", later=False),
    in_an_item("question_inside", in_a_word(lambda w, r: f"{w}?")),
    in_an_item("letter_three_times", in_a_word(lambda w, r: w[:2] + 2 * w[1] + w[2:])),
    in_an_item("capital_in_the_middle", in_a_word(lambda w, r: w[:2] + w[2:].capitalize(), 5)),
    in_an_item("all_in_capitals", in_a_word(lambda w, r: w.upper(), 3)),
    in_an_item("word_cut_in_item", in_a_word(lambda w, r: f"{w[:2]} {w[2:]}", 6)),
    in_an_item("words_joined_by_a_stop", _one(r"(?<=\w) (?=\w)", lambda m: ".")),
    in_an_item("words_joined_by_a_hyphen", _one(r"(?<=\w) (?=\w)", lambda m: " - ")),
    in_an_item("two_spaces_in_item", _one(r"(?<=\w) (?=\w)", lambda m: "  ")),
    in_an_item("tab_in_item", _one(r"(?<=\w) (?=\w)", lambda m: "\t")),
    in_an_item("line_feed_in_item", _one(r"(?<=\w) (?=\w)", lambda m: "\n")),
    in_an_item("accent_for_apostrophe", _one(r"['’]", lambda m: "´")),
    in_an_item("hash_in_item", lambda t, r: f"#{t.strip()}"),
    in_an_item("star_in_item", lambda t, r: f"{t.strip()}*"),
    in_an_item("note_in_item", lambda t, r: f"{t.strip()} [see 3]"),
    in_an_item("or_in_item", in_a_word(lambda w, r: f"{w}/{w}s")),
    in_an_item("markup_in_item", in_a_word(lambda w, r: f"<i>{w}</i>")),
    in_an_item("quotes_doubled", lambda t, r: f'""{t.strip()}""'),
    in_an_item("placeholder_in_item", lambda t, r: "???"),
    in_an_item("three_dots", lambda t, r: f"{t.strip()}..."),
    in_an_item("first_capital_lost", lambda t, r: t[:1].lower() + t[1:], first=True),
)


def _each(change: Text, *, last: bool = False) -> Operator:
    """Changes the last texts of all sentences of an item."""

    def changed(suite: Any, r: random.Random) -> bool:
        item = r.choice(suite["items"])
        seed = r.random()
        made = False
        for condition in item["conditions"]:
            held = [region for region in condition["regions"] if region["content"].strip()]
            region = held[-1 if last else 0]
            new = change(region["content"], random.Random(seed))
            made |= new != region["content"]
            region["content"] = new
        return made

    return changed


_STOPS = ".。।?？"
ITEM_SLIPS += (
    named("final_stop_lost", _each(lambda t, r: t.rstrip().rstrip(_STOPS), last=True)),
    named("final_stop_twice", _each(lambda t, r: t.rstrip() + t.rstrip()[-1], last=True)),
    named("comma_at_the_end", _each(lambda t, r: f"{t.rstrip().rstrip(_STOPS)},", last=True)),
    named("number_in_front", _each(lambda t, r: f"{r.randrange(2, 30)} {t}")),
    named("dash_in_front", _each(lambda t, r: f"- {t}")),
)


# Slips of spreadsheets


def _row(change: Callable[[list[str], random.Random], list[str]]) -> Operator:
    """Changes the cells of one row: a sentence, or all of an item."""

    def changed(suite: Any, r: random.Random) -> bool:
        item, is_all, seed = r.choice(suite["items"]), r.random() < 0.5, r.random()
        some = item["conditions"] if is_all else [r.choice(item["conditions"])]
        made = False
        for condition in some:
            texts = [region["content"] for region in condition["regions"]]
            new = change(list(texts), random.Random(seed))
            made |= new != texts
            for region, text in zip(condition["regions"], new, strict=True):
                region["content"] = text
        return made

    return changed


def _columns(
    change: Callable[[list[list[str]], random.Random], None], *, some: bool = False
) -> Operator:
    """Changes a region of all sentences as lists of their texts, item by item."""

    def changed(suite: Any, r: random.Random) -> bool:
        known = numbers(suite)
        count = len(suite["items"])
        for number in r.sample(known, len(known)):
            held = [regions(suite, i, number) for i in range(count)]
            texts = [[region["content"] for region in row] for row in held]
            if len({tuple(t) for t in texts}) < 0.8 * count or len({*map(len, texts)}) > 1:
                continue
            new = copy.deepcopy(texts)
            change(new, r)
            if new == texts:
                continue
            for row, cells in zip(held, new, strict=True):
                for region, text in zip(row, cells, strict=True):
                    region["content"] = text
            return True
        return False

    return changed


def _two_regions(suite: Any, r: random.Random, rows: range) -> bool:
    known = numbers(suite)
    if len(known) < 2:
        return False
    k = r.randrange(len(known) - 1)
    made = False
    for i in rows:
        for one, other in zip(*(regions(suite, i, n) for n in known[k : k + 2]), strict=False):
            made |= one["content"] != other["content"]
            one["content"], other["content"] = other["content"], one["content"]
    return made


def columns_exchanged_below(suite: Any, r: random.Random) -> bool:
    """Two columns changed places from some row on."""
    count = len(suite["items"])
    return _two_regions(suite, r, range(r.randrange(count // 2, count - 1), count))


def columns_exchanged_above(suite: Any, r: random.Random) -> bool:
    """Two columns changed places up to some row."""
    return _two_regions(suite, r, range(r.randrange(1, len(suite["items"]) // 2 + 1)))


def rows_exchanged(suite: Any, r: random.Random) -> bool:
    """The sentences of one condition of two items changed places."""
    first, second = r.sample(suite["items"], 2)
    k = r.randrange(len(first["conditions"]))
    one, other = first["conditions"][k], second["conditions"][k]
    if len(one["regions"]) != len(other["regions"]):
        return False
    one["regions"], other["regions"] = other["regions"], one["regions"]
    return bool(one["regions"] != other["regions"])


def _lost_cell(texts: list[str], r: random.Random) -> list[str]:
    k = r.randrange(len(texts) - 1)
    return [*texts[:k], *texts[k + 1 :], ""]


def _new_cell(texts: list[str], r: random.Random) -> list[str]:
    k = r.randrange(len(texts))
    return [*texts[:k], "", *texts[k:-1]]


def _split_cell(texts: list[str], r: random.Random) -> list[str]:
    k = next((k for k, text in enumerate(texts[:-1]) if " " in text.strip()), None)
    if k is None:
        return texts
    first, _, rest = texts[k].strip().partition(" ")
    return [*texts[:k], first, rest, *texts[k + 1 : -1]]


def _cut(texts: list[str], r: random.Random) -> list[str]:
    k = max(range(len(texts)), key=lambda k: len(texts[k]))
    return [*texts[:k], texts[k][: len(texts[k]) // 2 + 1], *texts[k + 1 :]]


def _down(rows: list[list[str]], r: random.Random) -> None:
    k = r.randrange(1, len(rows) - 1)
    rows[k:] = [rows[k - 1], *rows[k:-1]]


def _up(rows: list[list[str]], r: random.Random) -> None:
    k = r.randrange(1, len(rows) - 1)
    rows[k:] = [*rows[k + 1 :], ["" for _ in rows[0]]]


def _filled(rows: list[list[str]], r: random.Random) -> None:
    k = r.randrange(len(rows) - 3)
    rows[k : k + 3] = [rows[k]] * 3


def _filled_to_the_end(rows: list[list[str]], r: random.Random) -> None:
    k = r.randrange(1, len(rows) - 2)
    rows[k:] = [rows[k]] * (len(rows) - k)


def _series(rows: list[list[str]], r: random.Random) -> None:
    k = r.randrange(len(rows) - 3)
    rows[k : k + 3] = [[f"{t.strip()}{n}" if t else t for t in rows[k]] for n in (1, 2, 3)]


def _sorted_column(rows: list[list[str]], r: random.Random) -> None:
    rows.sort()


def _one_column_down(rows: list[list[str]], r: random.Random) -> None:
    j, k = r.randrange(len(rows[0])), r.randrange(1, len(rows) - 1)
    texts = [row[j] for row in rows]
    for row, text in zip(rows[k:], texts[k - 1 :], strict=False):
        row[j] = text


def _one_column_up(rows: list[list[str]], r: random.Random) -> None:
    j, k = r.randrange(len(rows[0])), r.randrange(1, len(rows) - 1)
    texts = [row[j] for row in rows]
    for row, text in zip(rows[k:], [*texts[k + 1 :], ""], strict=True):
        row[j] = text


def _coerced(new: str) -> Operator:
    return in_an_item(f"coerced_to_{new}", lambda t, r: new)


COLUMN_SLIPS: tuple[Operator, ...] = (
    named("cell_lost", _row(_lost_cell)),
    named("cell_inserted", _row(_new_cell)),
    named("cell_split", _row(_split_cell)),
    named("cell_cut", _row(_cut)),
    columns_exchanged_below, columns_exchanged_above, rows_exchanged,
    named("column_down", _columns(_down)),
    named("column_up", _columns(_up)),
    named("column_filled", _columns(_filled)),
    named("column_filled_to_the_end", _columns(_filled_to_the_end)),
    named("column_series", _columns(_series)),
    named("column_sorted_alone", _columns(_sorted_column)),
    named("one_column_down", _columns(_one_column_down)),
    named("one_column_up", _columns(_one_column_up)),
    *map(_coerced, ("3-Mar", "45000", "1.0", "TRUE", "#NAME?", "=B2", "1E+05", "01/02/2024")),
)  # fmt: skip


# Labels


def _names(change: Callable[[list[Any], random.Random], bool]) -> Operator:
    def changed(suite: Any, r: random.Random) -> bool:
        return change(r.choice(suite["items"])["conditions"], r)

    return changed


def _label(change: Text) -> Operator:
    def changed(conditions: list[Any], r: random.Random) -> bool:
        one = r.choice(conditions)
        old = one["condition_name"]
        one["condition_name"] = change(old, r)
        return bool(one["condition_name"] != old)

    return _names(changed)


def _label_copied(conditions: list[Any], r: random.Random) -> bool:
    one, other = r.sample(conditions, 2)
    one["condition_name"] = other["condition_name"]
    return True


def _labels_exchanged(conditions: list[Any], r: random.Random) -> bool:
    one, other = r.sample(conditions, 2)
    one["condition_name"], other["condition_name"] = other["condition_name"], one["condition_name"]
    return bool(one["regions"] != other["regions"])


def _labels_rotated(conditions: list[Any], r: random.Random) -> bool:
    old = [one["condition_name"] for one in conditions]
    for one, name in zip(conditions, [*old[1:], old[0]], strict=True):
        one["condition_name"] = name
    return len(old) > 2


def _sentence_lost(conditions: list[Any], r: random.Random) -> bool:
    del conditions[r.randrange(len(conditions))]
    return True


LABEL_SLIPS: tuple[Operator, ...] = (
    named("label_copied", _names(_label_copied)),
    named("labels_exchanged", _names(_labels_exchanged)),
    named("labels_rotated", _names(_labels_rotated)),
    named("sentence_lost", _names(_sentence_lost)),
    named("label_cut", _label(lambda t, r: t[:-1])),
    named("label_in_capitals", _label(lambda t, r: t.upper())),
    named("label_with_a_space", _label(lambda t, r: f"{t} ")),
    named("label_with_a_hyphen", _label(lambda t, r: t.replace("_", "-"))),
    named("label_in_cyrillic", _label(_letters("aeocpx", "аеосрх"))),
)


# Scripts and marks

#: Letters of several scripts, and others that look like them.
_LOOKS = {
    "cyrillic": ("aeopcyxABCEHKMOPTX", "аеорсухАВСЕНКМОРТХ"),
    "greek": ("oAvBEHIKMNOPTXYZ", "οΑνΒΕΗΙΚΜΝΟΡΤΧΥΖ"),
    "latin_in_cyrillic": ("аеорсух", "aeopcyx"),
    "dotless": ("i", "ı"),
    "capital_i": ("l", "I"),
    "full_width_letter": ("aeions", "ａｅｉｏｎｓ"),
    "persian_letter": ("يك", "یک"),
    "katakana": ("へりニハ", "ヘリ二八"),
    "beta": ("ß", "β"),
}
_MARKS = {
    "zero_width": "\u200b", "word_joiner": "\u2060", "soft_hyphen": "\u00ad",
    "mark_of_bytes": "\ufeff",
    "left_to_right": "\u200e", "right_to_left": "\u200f", "override": "\u202e", "isolate": "\u2066",
    "non_joiner": "\u200c", "control": "\x07", "replacement": "\ufffd",
}  # fmt: skip
_SPACES = {"no_break": "\u00a0", "thin": "\u2009", "ideographic": "\u3000", "narrow": "\u202f"}


def _scripts() -> tuple[Operator, ...]:
    found = []
    for where, name_of in ((in_a_text, "{}"), (in_an_item, "{}_in_item")):
        for name, looks in _LOOKS.items():
            found.append(where(name_of.format(name), _letters(*looks)))
        for name, mark in _MARKS.items():
            found.append(where(name_of.format(name), _inserted(mark)))
        for name, space in _SPACES.items():
            found.append(where(name_of.format(f"{name}_space"), _one(" ", lambda _, s=space: s)))
        for name, change in (
            ("decomposed", lambda t, r: unicodedata.normalize("NFD", t)),
            ("curly", _one("'", lambda _: "’")),
            ("acute", _one("['’]", lambda _: "´")),
            ("dash_for_hyphen", _one(r"(?<=\w)-(?=\w)", lambda _: "–")),
            ("whole_word_in_cyrillic", _one(
                r"\b[aeopcyx]{1,9}\b",
                lambda m: m[0].translate(str.maketrans("aeopcyx", "аеорсух")),
            )),
            ("full_width_stop", _one(r"\.$", lambda _: "．")),
            ("stop_of_ascii", _one("。$", lambda _: ".")),
            ("wrong_encoding", _one("[à-ÿ]", lambda m: m[0].encode().decode("latin-1"))),
        ):  # fmt: skip
            found.append(where(name_of.format(name), change))
    return tuple(found)


SCRIPT_SLIPS = _scripts()


# Formulas: predictions against each other, and against the texts

_REFERENCE = r"\((\d+);%([^%]+)%\)"


def _formula(change: Callable[[str, Any, random.Random], str]) -> Operator:
    def changed(suite: Any, r: random.Random) -> bool:
        prediction = r.choice(suite["predictions"])
        old = prediction["formula"]
        prediction["formula"] = change(old, suite, r)
        return bool(prediction["formula"] != old)

    return changed


def _condition_again(old: str, suite: Any, r: random.Random) -> str:
    names = re.findall("%[^%]+%", old)
    return old.replace(names[0], names[-1]) if len({*names}) > 1 else old


def _next_region(old: str, suite: Any, r: random.Random) -> str:
    match = r.choice(list(re.finditer(_REFERENCE, old)))
    number = int(match[1]) % len(suite["region_meta"]) + 1
    return f"{old[: match.start()]}({number};%{match[2]}%){old[match.end() :]}"


def _unknown_region(old: str, suite: Any, r: random.Random) -> str:
    return re.sub(r"\((\d+);", lambda m: f"({int(m[1]) + 50};", old, count=1)


FORMULA_SLIPS: tuple[Operator, ...] = (
    named("condition_again", _formula(_condition_again)),
    named("next_region", _formula(_next_region)),
    named("unknown_region_in_formula", _formula(_unknown_region)),
    named("condition_cut", _formula(lambda f, s, r: re.sub(r"(%[^%]+)[^%]%", r"\1%", f, count=1))),
    named("bracket_lost", _formula(lambda f, s, r: f.replace("(", "", 1))),
    named("sign_lost", _formula(lambda f, s, r: re.sub("[<>]", "", f, count=1))),
    named("sign_doubled", _formula(lambda f, s, r: re.sub("([<>])", r"\1=", f, count=1))),
    named("percent_lost", _formula(lambda f, s, r: f.replace("%", "", 1))),
    named("full_width_sign", _formula(lambda f, s, r: f.replace(";", "；", 1))),
)
