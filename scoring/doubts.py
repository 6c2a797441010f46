"""Doubtful numbers: implausible values, texts unknown to a model, and rounding.

Each doubt is one line on stderr for a whole run, and an entry in the details of the results in the
record. Scores do not change.

- Implausible values (``implausible_values``): surprisals below 0 (by more than 0.001 bits, and not
  with ``boundary`` ``corrected``, whose terms can be negative), above 100 bits a token, NaN or
  infinite. NaN and infinite values are undefined. The tokens of a recorded ``metric_value`` are not
  known: there a sum is implausible above 100 bits a word.
- Unknown texts (``vocabulary``): more than 10 % of a suite's characters are in unknown tokens or
  have several byte tokens instead of their own; or its words are spelled, with more than 2 tokens a
  word and fewer than 2.5 characters a token. Only the first counts where words are longer than 15
  characters on average (spaces do not separate them), and for vocabularies of single characters. In
  files of surprisals, the unknown tokens are ``<unk>`` and ``[UNK]``.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from evalmark.scoring.models.protocols import Tokenized
from evalmark.scoring.suites.prediction_results import ItemSurprisals
from evalmark.validator.findings.phrasing import first_of

#: Bits: a surprisal is not below 0, except by rounding.
LOWEST = -0.001
#: Bits of one token; a vocabulary of 2**17 tokens has 17 if all are equally probable.
HIGHEST = 100.0
#: A vocabulary that knows a text has whole words: 1.0 to 1.3 tokens a word in English. Words of
#: long languages have more tokens, and those of short scripts have fewer characters; only both
#: together say that words are spelled.
TOKENS_OF_A_WORD = 2.0
CHARACTERS_OF_A_TOKEN = 2.5
#: Where words are longer on average, spaces do not separate them.
LONGEST_WORDS = 15.0
#: Share of characters that have no token of their own.
UNKNOWN_SHARE = 0.1
#: The names of the two texts of ``Doubts.details``.
DETAILS = ("implausible_values", "vocabulary")
#: Names of suites in a note.
_NAMED = 3


class Vocabulary(NamedTuple):
    """The counts that show how much of some texts the vocabulary of a model knows."""

    words: int  # words, separated by spaces
    characters: int  # characters that are not spaces
    tokens: int  # tokens
    unknown: int  # characters in an unknown token, or spelled as several bytes
    longest: int  # characters of the longest token: 1 for a model of characters

    @property
    def doubt(self) -> str:
        """The reason why it knows little of the texts; empty if it knows enough."""
        if not self.characters or not self.tokens:
            return ""
        share = self.unknown / self.characters
        if share > UNKNOWN_SHARE:
            return f"{share:.0%} of the characters are unknown"
        tokens_per_word, size = self.tokens / self.words, self.characters / self.tokens
        spelled = tokens_per_word > TOKENS_OF_A_WORD and size < CHARACTERS_OF_A_TOKEN
        if spelled and self.longest > 1 and self.characters / self.words <= LONGEST_WORDS:
            return f"{tokens_per_word:.1f} tokens a word, of {size:.1f} characters"
        return ""


@dataclass(frozen=True, slots=True)
class Doubts:
    """The doubts about the values of a suite."""

    negative: int = 0  # values below 0
    high: int = 0  # values above 100 bits a token, or a word where tokens are not known
    not_finite: int = 0  # NaN and infinite values, which are undefined
    #: Why a model's vocabulary knows little of the texts; empty if it knows enough.
    vocabulary: str = ""

    @property
    def implausible(self) -> str:
        """The implausible values in words; empty if there is none."""
        counts = (
            (self.negative, "below 0"),
            (self.high, f"above {HIGHEST:g} bits"),
            (self.not_finite, "NaN or infinite"),
        )
        return ", ".join(f"{count} {name}" for count, name in counts if count)

    def details(self) -> dict[str, str]:
        """The same as the details of a result."""
        texts = zip(DETAILS, (self.implausible, self.vocabulary), strict=True)
        return {key: text for key, text in texts if text}


NO_DOUBTS = Doubts()


def doubts_of(
    surprisals: Iterable[float | None], vocabulary: str = "", *, can_be_negative: bool = False
) -> Doubts:
    """The doubts about the surprisals of tokens."""
    numbers = [value for value in surprisals if value is not None]
    finite = [value for value in numbers if math.isfinite(value)]
    negative = 0 if can_be_negative else sum(value < LOWEST for value in finite)
    high = sum(value > HIGHEST for value in finite)
    return Doubts(negative, high, len(numbers) - len(finite), vocabulary)


def tokens_in(values: Iterable[ItemSurprisals]) -> Iterator[float | None]:
    """All values of the regions of some items."""
    return (
        value
        for item in values
        for condition in item
        for region in condition
        for value in region or ()
    )


def defined(values: Sequence[ItemSurprisals]) -> tuple[ItemSurprisals, ...]:
    """The same values; those that are NaN or infinite are undefined."""
    return tuple(
        [
            [
                region
                and [bits if bits is None or math.isfinite(bits) else None for bits in region]
                for region in condition
            ]
            for condition in item
        ]
        for item in values
    )


def vocabulary_of(tokenized: Mapping[str, Tokenized]) -> Vocabulary:
    """Count how much of some texts a vocabulary knows, given their tokens."""
    words = characters = tokens = unknown = longest = 0
    for text, encoding in tokenized.items():
        words += len(text.split())
        characters += sum(not character.isspace() for character in text)
        tokens += len(encoding.ids)
        end = 0
        without: set[int] = set()
        for index, (start, stop) in enumerate(encoding.spans):
            if index in encoding.unknown:
                without |= set(range(start, stop))
            else:
                # Tokens that share a character are its bytes; the first may be a mark of words.
                without |= set(range(max(start, 1), min(end, stop)))
            end = max(end, stop)
            longest = max(longest, len(text[start:stop].strip()))
        unknown += sum(not text[place].isspace() for place in without)
    return Vocabulary(words, characters, tokens, unknown, longest)


def notes_of(details: Mapping[str, Mapping[str, str]]) -> tuple[str, ...]:
    """A line for the implausible values of a run's suites, and one for its vocabulary.

    ``details`` has suite -> its ``Doubts.details``, as records have them too.
    """
    strange, unread = (
        {name: texts[key] for name, texts in details.items() if texts.get(key)} for key in DETAILS
    )
    notes = []
    if strange:
        notes.append(f"implausible surprisals: {_listed(strange)}")
    if unread:
        notes.append(
            f"the model's vocabulary knows little of these texts: {_listed(unread)}; their "
            "surprisals may say little"
        )
    return tuple(notes)


def _listed(reasons: Mapping[str, str]) -> str:
    return first_of([f"{name} ({reason})" for name, reason in reasons.items()], _NAMED)
