"""The rules of the LTM benchmark's three generations, its quirks included.

They give the number of the benchmark's published code, except where that asks a model: then they
give none, or the one that a log has. Later code differs in Spy Meeting: it has "lockpicks",
"lockpicking" and "slim jim" beside "key", and asks a model where it finds no keyword. What
``evalmark-1`` does better is in ``own_rules``. A reply at which the benchmark's program stops
scores 0 here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from evalmark.conversations.evaluation.benchmark_json import benchmark_json
from evalmark.conversations.evaluation.benchmark_prospective import prospective
from evalmark.conversations.evaluation.benchmark_restaurant import restaurant
from evalmark.conversations.evaluation.replies import Replies, Scorer, Verdict
from evalmark.conversations.evaluation.texts import (
    has_word,
    rouge_of_words,
    without_punctuation,
)

#: What reading a reply can raise where the benchmark's program does not expect it.
_STOPS = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError)

#: The clues of Spy Meeting in the third generation: the words that solve each of them.
CLUES = (
    ("shore", "beach", "coastline"),
    ("railway", "yard", "depot"),
    ("automobile", "factory", "manufacturing"),
    ("orchard",),
    ("port", "warehouse", "seaport", "docks"),
    ("dawn", "sunrise", "morning", "rise"),
    ("noon", "midday"),
    ("sunset", "dusk", "sets"),
    ("night", "midnight", "nighttime"),
    ("boat", "bridge", "raft", "kayak"),
    ("pick", "picks", "key"),
    ("bribe", "credentials", "paperwork", "passport"),
    ("motorbike", "motorcycle", "car", "fast vehicle"),
)


def _guarded(scorer: Scorer) -> Scorer:
    """The scorer, with 0 for replies at which the benchmark's program stops."""

    def guarded(replies: Replies, rules: str) -> Verdict:
        try:
            return scorer(replies, rules)
        except _STOPS as error:
            return 0.0, [f"the benchmark stops at this reply ({type(error).__name__})"]

    return guarded


def _contains(of: Callable[[Sequence[str]], str]) -> Scorer:
    """The scorer of an expected word, which may be a part of another word."""

    def scorer(replies: Replies, _: str) -> Verdict:
        word = str(replies.expected[0])
        found = word.lower() in of(replies.responses).lower()
        return float(found), [f"{word} is {'' if found else 'not '}in the reply"]

    return scorer


def _name_list(replies: Replies, rules: str) -> Verdict:
    expected = [str(name).lower() for name in replies.expected]
    if rules == "ltm-1":  # it did not ask for JSON
        hits = sum(name in replies.responses[-1].lower() for name in expected)
        return hits / len(expected), [f"{hits} of {len(expected)} names"]
    try:
        # The keys of an object count as names, and so do the letters of a text.
        names = [name.lower() for name in benchmark_json(replies.responses[0])]
    except (ValueError, TypeError):
        return 0.0, ["the reply is not a JSON list"]
    left, hits = list(expected), 0
    for name in names:
        if name in left:
            left.remove(name)
            hits += 1
    extra = len(names) - hits
    reasons = [f"{hits} of {len(expected)} names, {extra} others"]
    if rules == "ltm-2":
        return max(hits - extra, 0) / len(expected), reasons
    return hits / max(len(expected), len(names)), reasons


def _shopping(replies: Replies, rules: str) -> Verdict:
    expected = {str(item): count for item, count in replies.expected}
    try:
        listed = benchmark_json(replies.responses[0])
        if rules == "ltm-3" and not _is_shopping_list(listed):
            return 0.0, ["the reply is not a JSON list of objects with a text and an integer"]
        found = [
            (name, entry["quantity"] if name else None)
            for entry in listed
            for name in [_first_in(entry["item"].lower(), expected)]
        ]
    except (ValueError, TypeError):
        return 0.0, ["the reply is not a JSON list"]
    total = len(replies.expected)
    extra = sum(name is None for name, _ in found)
    items = len(found) - extra  # an item that is named twice counts twice
    right = sum(name is not None and quantity == expected[name] for name, quantity in found)
    reasons = [f"{items} of {total} items, {right} quantities, {extra} others"]
    if rules == "ltm-1":
        return right / total, reasons
    if rules == "ltm-2":
        return max(right - extra, 0) / total, reasons
    return (items / total + right / total + (not extra)) / 3, reasons


def _is_shopping_list(data: Any) -> bool:
    """Whether data is of the form that the third generation demands; `true` is an integer there."""
    return isinstance(data, list) and all(
        isinstance(entry, dict)
        and isinstance(entry.get("item"), str)
        and isinstance(entry.get("quantity"), int)
        for entry in data
    )


def _first_in(text: str, names: dict[str, Any]) -> str | None:
    """The first name that is part of a text: `potatoes` matches `potato`."""
    return next((name for name in names if name in text), None)


def _sally_anne(replies: Replies, rules: str) -> Verdict:
    if rules == "ltm-1":
        return None  # a judge decided about free text
    try:
        data = benchmark_json(replies.responses[0])
    except ValueError:
        return 0.0, ["the reply holds no JSON"]
    answer: Any = data.get("answer", "") if isinstance(data, dict) else None
    if rules == "ltm-3" and isinstance(data, dict):
        answer = answer.lower()
    expected = replies.expected[0]
    return float(answer == expected), [f"answered {answer!r}, expected {expected!r}"]


def _spy_meeting(replies: Replies, rules: str) -> Verdict:
    response, expected = replies.responses[0], replies.expected
    if rules != "ltm-3":  # parts of words count, and only all things together
        hits = [any(word in response for word in words) for words in expected]
        return float(all(hits)), [f"{sum(hits)} of {len(hits)} things"]
    hits = [any(has_word(response, word, fold=False) for word in words) for words in expected]
    reasons = [
        f"{'has' if hit else 'lacks'} one of {', '.join(words)}"
        for words, hit in zip(expected, hits, strict=True)
    ]
    own = {word for words in expected for word in words}
    others = [word for clue in CLUES for word in clue if word not in own]
    confused = next((word for word in others if has_word(response, word, fold=False)), None)
    if confused:
        reasons.append(f"has {confused}, which belongs to another message: one less")
    return max((sum(hits) - bool(confused)) / 3, 0.0), reasons


def _chapter_break(replies: Replies, _: str) -> Verdict:
    right = str(replies.expected[0]).strip()
    numbers = set(re.findall(r"\d+", replies.responses[0]))
    said = ", ".join(sorted(numbers)) or "nothing"
    return float(numbers == {right}), [f"chose {said}, expected {right}"]


def _key_value(replies: Replies, _: str) -> Verdict:
    right = str(replies.expected[0]) in replies.responses[0]
    return float(right), [f"the value is {'' if right else 'not '}in the reply"]


def _jokes(replies: Replies, _: str) -> Verdict:
    if str(replies.expected[0]) in replies.responses[0]:
        return 1.0, ["the joke is in the reply, word for word"]
    return None


def _trigger_response(replies: Replies, rules: str) -> Verdict:
    if rules == "ltm-1":
        return None  # a judge decided
    pairs = zip(replies.expected, replies.responses, strict=False)
    if all(_says(str(phrase), response, rules) for phrase, response in pairs):
        return 1.0, ["said as told"] * len(replies.expected)
    return None


def _says(phrase: str, response: str, rules: str) -> bool:
    """Whether a reply contains a phrase, in the second generation to the letter, or little else."""
    if rules != "ltm-2":
        phrase, response = without_punctuation(phrase), without_punctuation(response)
    return phrase in response or rouge_of_words(_words(phrase), _words(response)) > 0.75


def _words(text: str) -> list[str]:
    # The benchmark compares stems, which can only find more in common.
    return re.findall("[a-z0-9]+", text.lower())


#: Dataset → the scorer of the benchmark's rules.
BENCHMARK: dict[str, Scorer] = {
    dataset: _guarded(scorer)
    for dataset, scorer in {
        "ChapterBreak": _chapter_break,
        "Colours": _contains(lambda responses: responses[-1]),
        "Jokes": _jokes,
        "KV": _key_value,
        "NameList": _name_list,
        "Names": _contains(lambda responses: responses[0]),
        "Prospective Memory": prospective,
        "Restaurant": restaurant,
        "SallyAnne": _sally_anne,
        "Shopping": _shopping,
        "Spy Meeting": _spy_meeting,
        "Trigger Response": _trigger_response,
    }.items()
}
