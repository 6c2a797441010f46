"""Prospective Memory as the benchmark's three generations score it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from evalmark.conversations.evaluation.lines import read_line
from evalmark.conversations.evaluation.replies import Replies, Verdict
from evalmark.conversations.evaluation.texts import without_punctuation

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
    said = _from(replies.log, replies.questions[0])
    answers = [read_line(line).text for line in said[1::2]]
    if len(answers) < number:
        return None
    return _decided(number - 1, [_cites(quote, answer) for answer in answers], number)


def _by_text(replies: Replies, *, first: bool) -> Verdict:
    """Earlier generations: quote and number are in the texts; the whole run was looked through."""
    expected = str(replies.expected[0])
    if not replies.script:
        return None
    question, told = replies.script[-1], expected if first else replies.script[0]
    said = _from([line for line in replies.full_log if not line.startswith("SYSTEM (")], question)
    number = re.search(r"\d+", question)
    quotes = (found[1] for pattern in _QUOTED if (found := pattern.search(told)))
    quote = next(quotes, None)
    if number is None or quote is None:
        return None
    # After the question and its reply, a message and a reply for each number.
    target = (int(number[0]) + 1) * 2 - 1
    if target >= len(said):
        return None
    cites = [quote.lower() in line.lower() if first else _cites(quote, line) for line in said]
    same = said[target].lower()
    cites = [
        cited and (at == target or line.lower() != same)
        for at, (cited, line) in enumerate(zip(cites, said, strict=True))
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
