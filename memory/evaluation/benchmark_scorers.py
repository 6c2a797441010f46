"""The rules of the LTM benchmark's three generations, ``ltm-1`` to ``ltm-3``, its quirks included.

They give the number of the benchmark's published code, except where that asks a model: then they
give none, or the one that a log has. About 1 % of the published scores are other numbers: somebody
edited them, or other versions of the code gave them. What differs from ``evalmark-1``:

- all: JSON is read as the benchmark reads it (some mistakes are repaired, others score 0), and an
  object around a list is not unwrapped. A reply at which the benchmark's program stops scores 0
- Colours, Names: a part of a word counts
- NameList: ``ltm-1``: names anywhere in the reply; ``ltm-2``: one less for each other name
- Shopping: an item that is named twice counts twice, so a score can exceed 1; ``ltm-1``: the share
  of right quantities; ``ltm-2``: one less for each other item; ``ltm-3``: the last third is lost
  with the first other item, and an entry without a text and an integer loses everything
- SallyAnne: ``ltm-1``: a judge; ``ltm-2``: the word exactly; ``ltm-3``: in any case
- Spy Meeting: ``ltm-2``: all three facts or nothing, parts of words count; ``ltm-3``: keywords in
  lower case, and one third less, once, if a keyword of any other clue of the dataset appears, even
  one as common as "key". Later code has "lockpicks", "lockpicking" and "slim jim" beside "key",
  which count here if the definition has them, and asks a model where it finds no keyword
- Prospective Memory: ``ltm-1``, ``ltm-2``: quote and number are read from the texts, and the reply
  to the question does not count as the first
- Restaurant: from what models replied to it in a published log (``LLM_CALL``), up to the first
  mistake. The test asks models while it runs: whether the agent plays its role, what it has ordered
  (three times), whether it notices a wrong dish, and whether it remembers its drink
- Jokes: a judge, except for the joke word for word
- Trigger Response: ``ltm-1``: a judge; ``ltm-2``, ``ltm-3``: rules if they find all phrases (in
  ``ltm-2`` with their capitals and punctuation), else a judge
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from evalmark.memory.evaluation.replies import Replies, Scorer, Verdict, read_line
from evalmark.memory.evaluation.reply_json import benchmark_json
from evalmark.memory.evaluation.texts import has_word, rouge_of_words, without_punctuation

#: Quotation marks: single, double, backquotes, angle brackets. The first kind that occurs counts.
_QUOTED = tuple(re.compile(pattern) for pattern in ("'(.*?)'", '"(.*?)"', "`(.*?)`", "<(.*?)>"))


def prospective(replies: Replies, rules: str) -> Verdict:
    """The quote is in the right reply, and in no other that was seen by then."""
    if rules == "ltm-3":
        return _by_number(replies)
    return _by_text(replies, first=rules == "ltm-1")


def _by_number(replies: Replies) -> Verdict:
    """The third generation: the expected response is quote, author and number of the reply."""
    expected = replies.expected[0]
    if not isinstance(expected, list) or not replies.questions:
        return None
    quote, _author, number = expected
    lines = _from(replies.log, replies.questions[0])
    answers = [read_line(line).text for line in lines[1::2]]
    if len(answers) < number:
        return None
    return _decided(number - 1, [_cites(quote, answer) for answer in answers], number)


def _by_text(replies: Replies, *, first: bool) -> Verdict:
    """Earlier generations: quote and number are in the texts; the whole run was looked through."""
    expected = str(replies.expected[0])
    if not replies.script:
        return None
    question, statement = replies.script[-1], expected if first else replies.script[0]
    lines = _from([line for line in replies.full_log if not line.startswith("SYSTEM (")], question)
    number = re.search(r"\d+", question)
    quotes = (match[1] for pattern in _QUOTED if (match := pattern.search(statement)))
    quote = next(quotes, None)
    if number is None or quote is None:
        return None
    # After the question and its reply, a message and a reply for each number.
    target = (int(number[0]) + 1) * 2 - 1
    if target >= len(lines):
        return None
    cites = [quote.lower() in line.lower() if first else _cites(quote, line) for line in lines]
    same = lines[target].lower()
    cites = [
        cited and (at == target or line.lower() != same)
        for at, (cited, line) in enumerate(zip(cites, lines, strict=True))
    ]
    return _decided(target, cites, int(number[0]))


def _from(log: Sequence[str], question: str) -> Sequence[str]:
    """The lines from a question on."""
    at = next((at for at, line in enumerate(log) if question in line), len(log))
    return log[at:]


def _decided(target: int, cites: Sequence[bool], number: int) -> Verdict:
    if any(cited for at, cited in enumerate(cites) if at != target):
        return 0.0, [f"the quote is in another place than reply {number}"]
    where = "is" if cites[target] else "is not"
    return float(cites[target]), [f"the quote {where} in reply {number}"]


def _cites(quote: str, text: str) -> bool:
    return without_punctuation(quote) in without_punctuation(text)


_DISH = re.compile(r"^\d+\. (.+)$", re.MULTILINE)
_DRINKS = re.compile(r"^Beverages:$", re.MULTILINE)
_MALFORMED = "the reply of a model is not as asked for"


@dataclass(frozen=True, slots=True)
class _Evening:
    """The course of the evening so far."""

    menu: str  # as the messages of the test have it
    dishes: list[str]  # of the menu; drinks come last in it, and are left out
    ordered: list[str] = field(default_factory=list)


#: The reply of a model, the evening so far → why the test ends; None if it continues.
_Step = Callable[[str, _Evening], str | None]


def restaurant(replies: Replies, _: str) -> Verdict:
    """The share of points up to the first mistake; None if the log lacks replies of models."""
    evening = _evening(replies.log)
    if evening is None:
        return None
    left, points, reason = deque(replies.judged), 0, "all points"
    for worth, step in _STEPS:
        if not left:
            return None
        wrong = step(left.popleft(), evening)
        if wrong is not None:
            reason = wrong
            break
        points += worth
    # Further replies belong to the questions of other rules.
    return None if left else (points / sum(worth for worth, _ in _STEPS), [reason])


def _evening(log: Sequence[str]) -> _Evening | None:
    for line in map(read_line, log):
        if line.who == "Test" and (drinks := _DRINKS.search(line.text)):
            return _Evening(line.text, _DISH.findall(line.text[: drinks.start()]))
    return None


def _holds(text: str, _: _Evening, *, key: str, otherwise: str) -> str | None:
    try:
        return None if benchmark_json(text)[key] else otherwise
    except (ValueError, KeyError):
        return _MALFORMED


def _orders(text: str, evening: _Evening, *, drinks: bool) -> str | None:
    try:
        reply = benchmark_json(text)
    except ValueError:
        return _MALFORMED
    dishes = []
    for entry in reply["order"]:
        wrong = _wrong(entry, evening, drinks=drinks)
        if wrong is not None:
            return wrong
        dishes.append("" if drinks else evening.dishes[_number(entry) - 1])
    if not reply["has_ordered_something"] or not dishes:
        return "the agent ordered nothing"
    if drinks:
        return None
    again = set(dishes) & set(evening.ordered)
    evening.ordered.extend(dishes)
    return f"the agent orders {min(again)} again" if again else None


def _wrong(entry: dict[str, Any], evening: _Evening, *, drinks: bool) -> str | None:
    """The mistake in an order; None if there is none."""
    if drinks != entry["is_drink"]:
        return f"the agent ordered {'more than drinks' if drinks else 'a drink'}"
    if drinks:
        return None
    name: str = entry["item"]
    unknown = entry["off_menu"] and name.lower() not in evening.menu.lower()
    if unknown or not 1 <= _number(entry) <= len(evening.dishes):
        return f"{name} is not on the menu"
    return None


def _number(entry: dict[str, Any]) -> int:
    number = entry["menu_nr"]
    return int(number) if isinstance(number, str) else number


#: Points and steps, in order.
_STEPS: tuple[tuple[int, _Step], ...] = (
    (0, partial(_holds, key="follows_role", otherwise="the agent does not play its role")),
    (1, partial(_orders, drinks=True)),
    (1, partial(_orders, drinks=False)),
    (1, partial(_orders, drinks=False)),
    (1, partial(_holds, key="noticed", otherwise="the agent does not notice the wrong dish")),
    (1, partial(_holds, key="recalls", otherwise="the agent does not remember its drink")),
)


#: Errors of reading a reply that the benchmark's program does not expect.
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
        contains = word.lower() in of(replies.responses).lower()
        return float(contains), [f"{word} is {'' if contains else 'not '}in the reply"]

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
        entries = [
            (name, entry["quantity"] if name else None)
            for entry in listed
            # `potatoes` matches `potato`.
            for name in [next((n for n in expected if n in entry["item"].lower()), None)]
        ]
    except (ValueError, TypeError):
        return 0.0, ["the reply is not a JSON list"]
    total = len(replies.expected)
    extra = sum(name is None for name, _ in entries)
    items = len(entries) - extra  # an item that is named twice counts twice
    right = sum(name is not None and quantity == expected[name] for name, quantity in entries)
    reasons = [f"{items} of {total} items, {right} quantities, {extra} others"]
    if rules == "ltm-1":
        return right / total, reasons
    if rules == "ltm-2":
        return max(right - extra, 0) / total, reasons
    return (items / total + right / total + (not extra)) / 3, reasons


def _is_shopping_list(data: object) -> bool:
    """True if data has the form that the third generation demands; `true` is an integer there."""
    return isinstance(data, list) and all(
        isinstance(entry, dict)
        and isinstance(entry.get("item"), str)
        and isinstance(entry.get("quantity"), int)
        for entry in data
    )


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
    expected_words = {word for words in expected for word in words}
    others = [word for clue in CLUES for word in clue if word not in expected_words]
    confused = next((word for word in others if has_word(response, word, fold=False)), None)
    if confused:
        reasons.append(f"has {confused}, which belongs to another message: one less")
    return max((sum(hits) - bool(confused)) / 3, 0.0), reasons


def chapter_break(replies: Replies, _: str) -> Verdict:
    """The only number in the reply is the right one."""
    right = str(replies.expected[0]).strip()
    numbers = set(re.findall(r"\d+", replies.responses[0]))
    numbers_text = ", ".join(sorted(numbers)) or "nothing"
    return float(numbers == {right}), [f"chose {numbers_text}, expected {right}"]


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
    """True if a reply contains a phrase, in the second generation to the letter, or little else."""
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
        "ChapterBreak": chapter_break,
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
