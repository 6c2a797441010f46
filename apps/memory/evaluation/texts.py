"""Comparing and measuring texts: words, quotes, ROUGE-L, tokens; what is said of costs."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter


def has_word(text: str, word: str) -> bool:
    """True if a text contains a whole word, in whatever case."""
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", text, re.IGNORECASE) is not None


def standard(text: str) -> str:
    """A text in lower case without punctuation and extra spaces, for comparing quotes."""
    plain = unicodedata.normalize("NFKD", text).casefold()
    return " ".join(re.sub(r"[^\w\s]", "", plain).split())


def rouge_l(left: str, right: str) -> float:
    """ROUGE-L, F1: the longest common subsequence of words (Lin 2004)."""
    a, b = standard(left).split(), standard(right).split()
    if not a or not b or not Counter(a) & Counter(b):
        return 0.0
    row = [0] * (len(b) + 1)
    for word in a:
        before = 0
        for index, against in enumerate(b, 1):
            diagonal, before = before, row[index]
            row[index] = diagonal + 1 if word == against else max(row[index], row[index - 1])
    common = row[-1]
    return 2 * common / (len(a) + len(b))


def dollars(cost: float | None) -> str:
    """A cost in dollars: a small one is not 0, and one that is not known is not measured."""
    if cost is None:
        return "cost not measured"
    return f"{cost:,.2f} USD" if cost >= 0.01 or not cost else f"{cost:.2g} USD"


def added(left: float | None, right: float | None) -> float | None:
    """The sum of two costs; None if one is not known."""
    return None if left is None or right is None else left + right


def about_tokens(text: str) -> int:
    """An estimate where there is no tokenizer: one token for four bytes, as in English."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // 4)
