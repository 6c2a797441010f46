"""The effect of ties on the accuracy of minimal pairs: the table of docs/minimal-pairs.md.

Stand-in models whose ties are planted score pairs of the language of ``demo_grammar``. A pipeline
that takes the first of the best texts (``argmax``, with the right text first) counts every tie as a
success. evalmark's number comes from the pairs as a suite: its prediction has to hold.

    python -m scripts.ties            print the table
    python -m scripts.generate        write it into docs/minimal-pairs.md
"""

from __future__ import annotations

import hashlib
import math
import random
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from evalmark.converters.convert_document import convert_data
from evalmark.validator.formats.suites.formula.formula_syntax import Reference, parse
from evalmark.validator.formats.suites.formula.meaning import evaluate
from evalmark.validator.formats.suites.suite import Condition, join_regions, suite_of

from scripts.demo_grammar import INTRANSITIVE, PEOPLE, PLACES, TRANSITIVE, noun

PAGE = Path(__file__).resolve().parent.parent / "docs" / "minimal-pairs.md"
START, END = "<!-- made by scripts/ties.py -->", "<!-- end -->"
#: How many pairs there are of each kind.
PAIRS = 1000

Row = dict[str, Any]


def same_length() -> Iterator[Row]:
    """Agreement: both texts have the same number of tokens."""
    r = random.Random(1)
    for _ in range(PAIRS):
        subject, near = r.sample(PEOPLE, 2)
        verb, plural = r.choice(INTRANSITIVE), r.random() < 0.5
        start = f"The {noun(subject, plural)} {r.choice(PLACES)} the {noun(near, r.random() < 0.5)}"
        yield {
            "sentence_good": f"{start} {verb[plural]} .",
            "sentence_bad": f"{start} {verb[not plural]} .",
        }


def shorter_or_longer() -> Iterator[Row]:
    """Gaps: in one pair of three the right text is the shorter one."""
    r = random.Random(2)
    for _ in range(PAIRS):
        head, subject, thing = r.sample(PEOPLE, 3)
        verb, matrix = r.choice(TRANSITIVE), r.choice(INTRANSITIVE)
        gap = f"The {head} that the {subject}s {verb[1]} {matrix[0]} ."
        filled = f"The {head} that the {subject}s {verb[1]} the {thing} {matrix[0]} ."
        report = f"The {head} said that the {subject}s {verb[1]} the {thing} ."
        unsaid = f"The {head} said that the {subject}s {verb[1]} ."
        good, bad = (gap, filled) if r.random() < 1 / 3 else (report, unsaid)
        yield {"sentence_good": good, "sentence_bad": bad}


def after_contexts() -> Iterator[Row]:
    """A target after two contexts, as in COMPS."""
    r = random.Random(3)
    for _ in range(PAIRS):
        right, wrong = r.sample(PEOPLE, 2)
        yield {
            "prefix_acceptable": f"The {right}",
            "prefix_unacceptable": f"The {wrong}",
            "property_phrase": f"{r.choice(INTRANSITIVE)[0]} .",
        }


def identical() -> Iterator[Row]:
    """Pairs of the same text, of which BLiMP has some."""
    for row in same_length():
        yield {**row, "sentence_bad": row["sentence_good"]}


@cache
def vocabulary() -> tuple[str, ...]:
    """Every word of the pairs."""
    rows = (row for kind in (same_length, shorter_or_longer, after_contexts) for row in kind())
    return tuple(sorted({word for row in rows for text in row.values() for word in text.split()}))


def drawn(*words: str) -> float:
    """A number from 0 to 8 that bfloat16 can hold: the same for the same words."""
    return hashlib.sha256(" ".join(words).encode()).digest()[0] / 32


#: The logit of a word after the one before it.
Logit = Callable[[str, str], float]


def no_preference(_before: str, _word: str) -> float:
    """Every token is as likely as any other."""
    return 0.0


def guesses(before: str, word: str) -> float:
    """Log probabilities drawn by lot."""
    return drawn(before, word)


def barely_reads(before: str, word: str) -> float:
    """The context hardly matters: what is likely depends on the word itself."""
    return drawn(word) + drawn(before, word) / 1024


def float32(value: float) -> float:
    """The nearest number of single precision."""
    rounded: float = struct.unpack("<f", struct.pack("<f", value))[0]
    return rounded


def bfloat16(value: float) -> float:
    """The nearest number with the exponent of single precision and 8 bits of fraction."""
    (bits,) = struct.unpack("<I", struct.pack("<f", value))
    rounded = (bits + 0x7FFF + (bits >> 16 & 1)) & 0xFFFF0000
    number: float = struct.unpack("<f", struct.pack("<I", rounded))[0]
    return number


@dataclass(frozen=True)
class Case:
    """A stand-in model on one kind of pairs.

    Attributes:
        model: What it is called in the table.
        logit: Its logits.
        pairs: The pairs.
        dtype: What the logits, their log-softmax and its sum are rounded to.
        is_mean: Whether scores are divided by the number of tokens.
    """

    model: str
    logit: Logit
    pairs: Callable[[], Iterator[Row]]
    dtype: Callable[[float], float] = float32
    is_mean: bool = False

    def score(self, words: Sequence[str], start: int) -> float:
        """The log-probability of the words from one of them on."""
        before = ("<s>", *words)
        surprisals = [_log_softmax(self, before[n], words[n]) for n in range(start, len(words))]
        total = self.dtype(math.fsum(surprisals))
        return self.dtype(total / len(surprisals)) if self.is_mean else total


@cache
def _normalizer(logit: Logit, dtype: Callable[[float], float], before: str) -> float:
    return math.log(math.fsum(math.exp(dtype(logit(before, word))) for word in vocabulary()))


@cache
def _log_softmax(case: Case, before: str, word: str) -> float:
    logit = case.dtype(case.logit(before, word))
    return case.dtype(logit - _normalizer(case.logit, case.dtype, before))


#: The rows of the table.
CASES = (
    Case("no preference", no_preference, same_length),
    Case("no preference", no_preference, shorter_or_longer),
    Case("no preference, mean per token", no_preference, shorter_or_longer, is_mean=True),
    Case("guesses", guesses, same_length),
    Case("guesses", guesses, same_length, bfloat16),
    Case("barely reads the context", barely_reads, after_contexts),
    Case("barely reads the context", barely_reads, after_contexts, bfloat16),
    Case("guesses", guesses, identical),
)
#: What the pairs are called.
NAMES = {
    same_length: "texts of equal length",
    shorter_or_longer: "texts of different lengths",
    after_contexts: "a target after two contexts",
    identical: "identical texts",
}


@dataclass(frozen=True)
class Outcome:
    """The outcomes of two rules for the same numbers: shares of all pairs."""

    ties: float
    first_index: float
    evalmark: float


def outcome(case: Case) -> Outcome:
    """The share of ties, and both accuracies."""
    suite = suite_of(
        convert_data([{**row, "UID": "demo"} for row in case.pairs()], to="suite").data
    )
    (tree,) = (parse(formula).tree for formula in suite.formulas)
    ties = first = right = 0
    for item in suite.items:
        scores = {condition.name: _of(case, condition) for condition in item.conditions}
        ties += len(set(scores.values())) == 1
        # The index of the greatest score, the first one of several: the right text is text 0.
        listed = [scores["good"], scores["bad"]]
        first += listed.index(max(listed)) == 0

        def surprisal(reference: Reference, cache: dict[str, float] = scores) -> float:
            return -cache[reference.condition]

        right += evaluate(tree, surprisal)
    count = len(suite.items)
    return Outcome(ties / count, first / count, right / count)


def _of(case: Case, condition: Condition) -> float:
    """The score of a sentence, or of its target."""
    words = join_regions(condition.contents).text.split()
    start = len(condition.contents[0].split()) if case.pairs is after_contexts else 0
    return case.score(words, start)


def table() -> str:
    """The table as Markdown."""
    lines = [
        "| stand-in model | pairs | log-softmax | ties | first index | evalmark |",
        "|---|---|---|---|---|---|",
    ]
    for case in CASES:
        outcomes = outcome(case)
        numbers = (
            f"{share:.3f}" for share in (outcomes.ties, outcomes.first_index, outcomes.evalmark)
        )
        cells = (case.model, NAMES[case.pairs], case.dtype.__name__, *numbers)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


def page(path: Path = PAGE) -> str:
    """The page with the table in its place."""
    before, start, rest = path.read_text(encoding="utf-8").partition(START)
    _, end, after = rest.partition(END)
    if not (start and end):
        raise ValueError(f"{path} has no place for the table: {START} ... {END}")
    return f"{before}{START}\n\n{table()}\n\n{END}{after}"


if __name__ == "__main__":
    print(table())
