"""What authors get wrong in texts, in the design of a suite, and in how they write formulas.

All of it is legal in the format. The texts are changed in one place of a suite that is right in all
others, as happens when items are written by copying.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable
from typing import Any

from benchmarks.mistakes.operators import Operator, named

Text = Callable[[str, random.Random], str]


def in_a_text(name: str, change: Text, *, first: bool = False, later: bool = False) -> Operator:
    """Changes a text that is not empty: any, that of a first region, or that of a later one."""

    def changed(suite: Any, r: random.Random) -> bool:
        for _ in range(300):
            regions = r.choice(r.choice(suite["items"])["conditions"])["regions"]
            region = regions[0] if first else r.choice(regions[1:] if later else regions)
            new = change(region["content"], r) if region["content"].strip() else region["content"]
            if new != region["content"]:
                region["content"] = new
                return True
        return False

    return named(name, changed)


def in_a_formula(name: str, pattern: str, new: str) -> Operator:
    """Rewrites a formula in another notation."""

    def changed(suite: Any, r: random.Random) -> bool:
        prediction = r.choice(suite["predictions"])
        formula = re.sub(pattern, new, prediction["formula"])
        if formula == prediction["formula"]:
            return False
        prediction["formula"] = formula
        return True

    return named(name, changed)


def two_conditions(name: str, change: Callable[[Any, Any, int], None]) -> Operator:
    """Changes the texts of two conditions that differ in a region."""

    def changed(suite: Any, r: random.Random) -> bool:
        for _ in range(99):
            first, second = r.sample(r.choice(suite["items"])["conditions"], 2)
            k = r.randrange(min(len(first["regions"]), len(second["regions"])))
            if first["regions"][k]["content"] != second["regions"][k]["content"]:
                change(first, second, k)
                return True
        return False

    return named(name, changed)


def _exchange(first: Any, second: Any, key: Any) -> None:
    first[key], second[key] = second[key], first[key]


def _region_exchanged(first: Any, second: Any, k: int) -> None:
    _exchange(first["regions"][k], second["regions"][k], "content")


def _copied(first: Any, second: Any, k: int) -> None:
    first["regions"] = copy.deepcopy(second["regions"])


def _text_copied(first: Any, second: Any, k: int) -> None:
    first["regions"][k]["content"] = second["regions"][k]["content"]


def column_down(suite: Any, r: random.Random) -> bool:
    """A column was pasted one row too low, from the first item or a later one."""
    name = r.choice(suite["items"][0]["conditions"])["condition_name"]
    start = r.choice([1, r.randrange(1, len(suite["items"]) - 4)])
    rows = [c for i in suite["items"] for c in i["conditions"] if c["condition_name"] == name]
    for k in r.sample(range(len(rows[0]["regions"])), len(rows[0]["regions"])):
        texts = [row["regions"][k]["content"] for row in rows]
        if len(set(texts)) > len(texts) / 2:
            for row, text in zip(rows[start:], texts[start - 1 :], strict=False):
                row["regions"][k]["content"] = text
            return True
    return False


def of_another_item(suite: Any, r: random.Random) -> bool:
    """A text of another item."""
    first, second = r.sample(suite["items"], 2)
    condition, other = r.choice(list(zip(first["conditions"], second["conditions"], strict=True)))
    k = r.randrange(len(condition["regions"]))
    condition["regions"][k]["content"] = other["regions"][k]["content"]
    return bool(condition["condition_name"] == other["condition_name"])


def sentence_of_another_item(suite: Any, r: random.Random) -> bool:
    """A whole sentence of another item."""
    first, second = r.sample(suite["items"], 2)
    k = r.randrange(len(first["conditions"]))
    first["conditions"][k]["regions"] = copy.deepcopy(second["conditions"][k]["regions"])
    names = {item["conditions"][k]["condition_name"] for item in (first, second)}
    return len(names) == 1


def word_moved(suite: Any, r: random.Random) -> bool:
    """The last word of a region is at the beginning of the next one."""
    for _ in range(99):
        regions = r.choice(r.choice(suite["items"])["conditions"])["regions"]
        k = r.randrange(len(regions) - 1)
        words = regions[k]["content"].split()
        if len(words) > 1:
            regions[k]["content"] = " ".join(words[:-1])
            regions[k + 1]["content"] = f"{words[-1]} {regions[k + 1]['content'].lstrip()}".strip()
            return True
    return False


def filled(suite: Any, r: random.Random) -> bool:
    """A text in a region that is empty."""
    empty = [
        region
        for item in suite["items"]
        for condition in item["conditions"]
        for region in condition["regions"]
        if not region["content"]
    ]
    if not empty:
        return False
    r.choice(empty)["content"] = "the table"
    return True


def doubled_over_regions(suite: Any, r: random.Random) -> bool:
    """The last word of a region again at the beginning of the next."""
    for _ in range(99):
        regions = r.choice(r.choice(suite["items"])["conditions"])["regions"]
        texts = [region for region in regions if region["content"].strip()]
        k = r.randrange(1, len(texts)) if len(texts) > 1 else 0
        word = texts[k - 1]["content"].split()[-1]
        if k and word.isalpha():
            texts[k]["content"] = f"{word} {texts[k]['content'].lstrip()}"
            return True
    return False


def final_stop(suite: Any, r: random.Random) -> bool:
    """A stop at the end of one sentence only, or missing there."""
    regions = r.choice(r.choice(suite["items"])["conditions"])["regions"]
    last = [region for region in regions if region["content"].strip()][-1]
    text = last["content"].rstrip()
    last["content"] = text.rstrip(".") if text.endswith(".") else f"{text}."
    return True


def numbers_with_a_gap(suite: Any, r: random.Random) -> bool:
    """A number is left out."""
    for item in suite["items"][r.randrange(1, len(suite["items"])) :]:
        item["item_number"] += 1
    return True


def number_jumps(suite: Any, r: random.Random) -> bool:
    """One number is much larger."""
    r.choice(suite["items"])["item_number"] += 100
    return True


def number_zero(suite: Any, r: random.Random) -> bool:
    """The first item has number 0."""
    suite["items"][0]["item_number"] = 0
    return True


def item_nearly_copied(suite: Any, r: random.Random) -> bool:
    """An item is a copy of another one but for one text."""
    first, second = r.sample(suite["items"], 2)
    second["conditions"] = copy.deepcopy(first["conditions"])
    regions = r.choice(second["conditions"])["regions"]
    r.choice(regions)["content"] = "something else"
    return True


def regions_of_one_name(suite: Any, r: random.Random) -> bool:
    """Two regions have the same name."""
    names = suite["region_meta"]
    first, second = r.sample(list(names), 2)
    names[first] = names[second]
    return isinstance(names[first], str)


def names_for_numbers(suite: Any, r: random.Random) -> bool:
    """`region_meta` has names as keys, and numbers as values."""
    names = suite["region_meta"]
    suite["region_meta"] = {name: number for number, name in names.items() if name}
    return len(suite["region_meta"]) == len(names)


def numbers_from_zero(suite: Any, r: random.Random) -> bool:
    """`region_meta` begins at 0, the items at 1."""
    names = suite["region_meta"]
    suite["region_meta"] = {str(int(number) - 1): name for number, name in names.items()}
    return True


def region_by_name(suite: Any, r: random.Random) -> bool:
    """A formula names the region instead of its number."""
    prediction, names = r.choice(suite["predictions"]), suite["region_meta"]
    if len(set(names.values())) < len(names) or not all(names.values()):
        return False
    old = prediction["formula"]
    prediction["formula"] = re.sub(r"\((\d+);", lambda m: f"({names[m[1]]};", old)
    return bool(prediction["formula"] != old)


def condition_in_capitals(suite: Any, r: random.Random) -> bool:
    """A condition in capitals."""
    prediction = r.choice(suite["predictions"])
    old = prediction["formula"]
    prediction["formula"] = re.sub(r"%([^%]+)%", lambda m: m[0].upper(), old, count=1)
    return bool(prediction["formula"] != old)


def _words(change: Callable[[list[str], random.Random], list[str]]) -> Text:
    return lambda text, r: " ".join(change(text.split(), r))


def _typo(text: str, r: random.Random) -> str:
    k = r.randrange(len(text))
    return text[:k] + text[k + 1 :] if len(text) > 3 and text[k].isalpha() else text


def _other_word(words: list[str], r: random.Random) -> list[str]:
    k = r.randrange(len(words))
    return [*words[:k], r.choice(["table", "green", "quickly", "teacher"]), *words[k + 1 :]]


DESIGN: tuple[Operator, ...] = (
    two_conditions("names_exchanged", lambda a, b, _: _exchange(a, b, "condition_name")),
    two_conditions("sentences_exchanged", lambda a, b, _: _exchange(a, b, "regions")),
    two_conditions("texts_exchanged", _region_exchanged),
    two_conditions("sentence_copied_over", _copied),
    two_conditions("text_copied_over", _text_copied),
    column_down, of_another_item, sentence_of_another_item, word_moved, filled,
    numbers_with_a_gap, number_jumps, number_zero, item_nearly_copied, regions_of_one_name,
    names_for_numbers, numbers_from_zero,
)  # fmt: skip
TEXTS: tuple[Operator, ...] = (
    in_a_text("another_word", _words(_other_word)),
    in_a_text("letter_lost", _typo),
    in_a_text("text_lost", lambda text, r: ""),
    in_a_text("cyrillic_letter", lambda text, r: text.replace("a", "\u0430", 1)),
    in_a_text("greek_letter", lambda text, r: text.replace("o", "\u03bf", 1)),
    in_a_text("ligature", lambda text, r: text.replace("fi", "\ufb01", 1)),
    in_a_text("zero_width_space", lambda text, r: f"{text[:2]}\u200b{text[2:]}"),
    in_a_text("no_break_space", lambda text, r: text.strip().replace(" ", "\u00a0", 1)),
    in_a_text("two_spaces", lambda text, r: text.strip().replace(" ", "  ", 1)),
    in_a_text("entity", lambda text, r: text.strip().replace(" ", "&nbsp;", 1)),
    in_a_text("star", lambda text, r: f"*{text}", first=True),
    in_a_text("question_mark", lambda text, r: f"? {text}", first=True),
    in_a_text("small_first_letter", lambda text, r: text[:1].lower() + text[1:], first=True),
    in_a_text("capital_inside", lambda text, r: text.lstrip().capitalize(), later=True),
    in_a_text("bold_in_html", lambda text, r: f"<b>{text.strip()}</b>"),
    in_a_text("bold_in_markdown", lambda text, r: f"**{text.strip()}**"),
    in_a_text("bold_in_latex", lambda text, r: f"\\textbf{{{text.strip()}}}"),
    in_a_text("brackets", lambda text, r: f"[{text.strip()}]"),
    in_a_text("one_bracket", lambda text, r: f"[{text.strip()}"),
    in_a_text("nan", lambda text, r: "nan"),
    in_a_text("ref_error", lambda text, r: "#REF!"),
    in_a_text("not_available", lambda text, r: "#N/A"),
    in_a_text("to_do", lambda text, r: "TODO"),
    in_a_text("slot", _words(lambda words, r: [*words[:-1], "{noun}"])),
    in_a_text("doubled_word", _words(lambda words, r: [*words[:1], *words])),
    in_a_text("escaped_line_feed", lambda text, r: text + "\\n"),
    in_a_text("escaped_letter", lambda text, r: text.replace("e", "\\u0065", 1)),
    in_a_text("tokenized_word", lambda text, r: f"{text.strip()} did n't"),
    in_a_text("space_before_stop", lambda text, r: f"{text.strip()} ."),
    doubled_over_regions, final_stop,
)  # fmt: skip
NOTATIONS: tuple[Operator, ...] = (
    in_a_formula("greater_in_html", "[<>]", "&gt;"),
    in_a_formula("and_in_html", "&", "&amp;"),
    in_a_formula("arrow", "[<>]", "->"),
    in_a_formula("gt", "[<>]", "gt"),
    in_a_formula("greater_in_words", "[<>]", "is greater than"),
    in_a_formula("doubled_sign", "[<>]", ">>"),
    in_a_formula("condition_in_quotes", "%([^%]+)%", r'"\1"'),
    in_a_formula("condition_bare", "%([^%]+)%", r"\1"),
    in_a_formula("region_as_fraction", r"(\d);", r"\1.0;"),
    in_a_formula("region_in_words", r"\((\d)", r"(region \1"),
    in_a_formula("comma", ";", ","),
    in_a_formula("comment", "$", "  # agreement"),
    in_a_formula("dashes", "$", " -- agreement"),
    in_a_formula("and_in_front", "^", "& "),
    in_a_formula("in_quotes", "^(.*)$", r'"\1"'),
    region_by_name, condition_in_capitals,
)  # fmt: skip
