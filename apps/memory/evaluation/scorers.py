"""Scoring without a judge, by the name of the dataset: the rules of evalmark, ``evalmark-1``.

They are the rules of the LTM benchmark without their mistakes. A color is a whole word, nothing
counts twice, capitals and spaces do not decide, and a list may be wrapped in an object. A reply of
the wrong shape is wrong.

- Colours, Names: the reply contains the last color or name that was told, as a whole word
- NameList: number of names found, divided by the length of the longer list
- Shopping: a third each for the right items, the right quantities, and no other items
- SallyAnne: the expected word, in the field ``answer``
- Spy Meeting: a third for each of three facts, recognized by any of its keywords
- ChapterBreak: the only number in the reply is the right one
- Prospective Memory: the quote is in the right reply, and in no other
- KV: the value is in the reply
- Restaurant: five points, a fifth each, up to the first mistake
- Jokes, Trigger Response: the expected words exactly; a judge decides about other wordings
- others: a judge
"""

from __future__ import annotations

import re
from typing import Any

from evalmark.memory.evaluation.replies import (
    Replies,
    Scorer,
    Verdict,
    after_question,
    lenient_json,
)
from evalmark.memory.evaluation.texts import has_word, rouge_l, standard


def _word_at(place: int) -> Scorer:
    def scorer(replies: Replies) -> Verdict:
        word, response = str(replies.expected[place]), replies.responses[place]
        contains = has_word(response, word)
        return float(contains), [f"{word} is {'' if contains else 'not '}in the reply"]

    return scorer


def _name_list(replies: Replies) -> Verdict:
    expected = {str(name).lower() for name in replies.expected}
    listed = _listed(replies.responses[0])
    if listed is None:
        return 0.0, ["the reply holds no JSON list"]
    names = {str(name).strip().lower() for name in listed if isinstance(name, str)}
    hits = len(names & expected)
    reasons = [f"{hits} of {len(replies.expected)} names, {len(listed) - hits} others"]
    return hits / max(len(replies.expected), len(listed)), reasons


def _shopping(replies: Replies) -> Verdict:
    expected = [(str(item).lower(), int(count)) for item, count in replies.expected]
    listed = _listed(replies.responses[0])
    if listed is None:
        return 0.0, ["the reply holds no JSON list"]
    entries = [
        (str(entry["item"]).strip().lower(), entry.get("quantity"))
        for entry in listed
        if isinstance(entry, dict) and "item" in entry
    ]
    matched: dict[str, Any] = {}
    extra = len(listed) - len(entries)
    for item, quantity in entries:
        # `potatoes` matches `potato`; nothing counts twice.
        name = next((e for e, _ in expected if e in item and e not in matched), None)
        if name is None:
            extra += 1
        else:
            matched[name] = quantity
    right = sum(_is_count(matched.get(item), count) for item, count in expected)
    items = len(matched) / len(expected)
    reasons = [f"{len(matched)} of {len(expected)} items, {right} quantities, {extra} others"]
    alone = max(1 - extra / len(expected), 0.0)
    return (items + right / len(expected) + alone) / 3, reasons


def _sally_anne(replies: Replies) -> Verdict:
    try:
        data = lenient_json(replies.responses[0])
    except ValueError:
        return 0.0, ["the reply holds no JSON"]
    answer = data.get("answer") if isinstance(data, dict) else None
    if not isinstance(answer, str):
        return 0.0, ["the reply has no text under `answer`"]
    answer, expected = answer.strip().lower(), str(replies.expected[0]).lower()
    return float(answer == expected), [f"answered {answer!r}, expected {expected!r}"]


def _spy_meeting(replies: Replies) -> Verdict:
    response = replies.responses[0]
    hits = [any(has_word(response, word) for word in words) for words in replies.expected]
    reasons = [
        f"{'has' if hit else 'lacks'} one of {', '.join(words)}"
        for words, hit in zip(replies.expected, hits, strict=True)
    ]
    return sum(hits) / len(hits), reasons


def _prospective(replies: Replies) -> Verdict:
    expected = replies.expected[0]
    if not isinstance(expected, list) or not replies.log or not replies.questions:
        return None  # earlier generations describe the task for a judge
    quote, _author, number = expected
    texts = after_question(replies.log, replies.questions[0])
    places = [index for index, text in enumerate(texts, 1) if standard(quote) in standard(text)]
    if places == [number]:
        return 1.0, [f"the quote is in reply {number}"]
    if len(texts) < number and not places:
        return None  # the conversation is not that far yet
    where = ", ".join(map(str, places)) or "none"
    return 0.0, [f"the quote should be in reply {number}; it is in {where}"]


def _key_value(replies: Replies) -> Verdict:
    right = all(str(e) in r for e, r in zip(replies.expected, replies.responses, strict=True))
    return float(right), ["the value is in the reply" if right else "the value is not in the reply"]


def _jokes(replies: Replies) -> Verdict:
    if str(replies.expected[0]) in replies.responses[-1]:
        return 1.0, ["the joke is in the reply, word for word"]
    return None if replies.responses[-1].strip() else (0.0, ["the reply is empty"])


def _trigger_response(replies: Replies) -> Verdict:
    pairs = list(zip(replies.expected, replies.responses, strict=True))
    # A phrase is said if the reply contains it, or is nearly nothing else.
    hits = [
        standard(str(phrase)) in standard(response) or rouge_l(str(phrase), response) > 0.75
        for phrase, response in pairs
    ]
    if any(not hit and response.strip() for hit, (_, response) in zip(hits, pairs, strict=True)):
        return None  # it may be said in other words
    return sum(hits) / len(hits), ["said as told" if hit else "the reply is empty" for hit in hits]


def _chapter_break(replies: Replies) -> Verdict:
    right = str(replies.expected[0]).strip()
    numbers = set(re.findall(r"\d+", replies.responses[0]))
    numbers_text = ", ".join(sorted(numbers)) or "nothing"
    return float(numbers == {right}), [f"chose {numbers_text}, expected {right}"]


#: Dataset → its scorer.
SCORERS: dict[str, Scorer] = {
    "ChapterBreak": _chapter_break,
    "Colours": _word_at(-1),
    "Jokes": _jokes,
    "KV": _key_value,
    "NameList": _name_list,
    "Names": _word_at(0),
    "Prospective Memory": _prospective,
    "SallyAnne": _sally_anne,
    "Shopping": _shopping,
    "Spy Meeting": _spy_meeting,
    "Trigger Response": _trigger_response,
}


def _listed(response: str) -> list[object] | None:
    """The list in a reply; it may be the only value of an object."""
    try:
        data = lenient_json(response)
    except ValueError:
        return None
    if isinstance(data, dict) and len(data) == 1:
        data = next(iter(data.values()))
    return data if isinstance(data, list) else None


def _is_count(quantity: object, count: int) -> bool:
    """True if a quantity is the expected number. ``true`` is not a number."""
    if isinstance(quantity, str) and quantity.strip().isdecimal():
        quantity = int(quantity)
    return isinstance(quantity, (int, float)) and quantity is not True and quantity == count


def score_replies(dataset: str, replies: Replies) -> Verdict:
    """The score of a test of a dataset, if it can be decided without a judge."""
    scorer = SCORERS.get(dataset)
    if scorer is None or not (replies.responses and replies.expected):
        return None
    return scorer(replies)


_STEP = re.compile(
    r"(\d+(?:\.\d+)?)\s*(?:km|kilomet(?:er|re)s?)\b[\s,]*(?:to the |towards? (?:the )?|due )?"
    r"(north|south|east|west)\b"
    r"|\b(north|south|east|west)\b[\s,]*(?:for|by)?\s*(\d+(?:\.\d+)?)\s*(?:km|kilomet)",
    re.IGNORECASE,
)
_WAYS = {"north": (0, 1), "south": (0, -1), "east": (1, 0), "west": (-1, 0)}


def walked(text: str) -> tuple[float, float] | None:
    """The end of described steps, in kilometres east and north; None if there are no steps."""
    steps = [
        (float(match[1] or match[4]), _WAYS[(match[2] or match[3]).lower()])
        for match in _STEP.finditer(text)
    ]
    if not steps:
        return None
    return sum(far * x for far, (x, _) in steps), sum(far * y for far, (_, y) in steps)
