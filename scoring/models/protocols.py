"""What scoring needs of a model, whoever computes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol

from evalmark.scoring.surprisals.packs import Pack, Values
from evalmark.scoring.surprisals.prefixes import Ids


class Tokenized(NamedTuple):
    """A sentence as tokens: ids, and the characters of the text each one covers.

    ``words`` tells for each token which word it belongs to; only masked models need it.
    """

    ids: Ids
    spans: tuple[tuple[int, int], ...]
    words: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """Which model it is, as a record says it.

    Attributes:
        id: ``organization/model``; never a path.
        name: As people call it.
        engine: Software that runs it, and its version.
        details: Revision, dtype, device, digests, library versions; strings.
    """

    id: str
    name: str
    engine: tuple[str, str]
    details: dict[str, str]


class AnyModel(Protocol):
    """What causal and masked models have in common."""

    @property
    def info(self) -> ModelInfo:
        """Which model it is."""

    @property
    def max_tokens(self) -> int | None:
        """The longest sequence it can read, added tokens included; None if there is no limit."""

    def tokenize(self, text: str) -> Tokenized:
        """A sentence as tokens, nothing added."""


class LanguageModel(AnyModel, Protocol):
    """A causal model: it reads from left to right."""

    kind: Literal["causal"]

    @property
    def bos(self) -> Ids:
        """The tokens put before every sentence: one or none."""

    def surprisals(self, rows: Sequence[Ids]) -> list[list[float]]:
        """For each row the surprisals in bits of all its tokens but the first."""

    def read_pack(self, pack: Pack) -> Values:
        """What is asked of a pack, from one forward pass."""

    def bounds(self, rows: Sequence[Ids]) -> list[list[float]]:
        """For each row, after each of its tokens, log2 of the probability that a word ends."""

    @property
    def marks_words(self) -> bool:
        """Whether there is a word boundary to correct; see ``boundary_tokens``."""


class MaskedLanguageModel(AnyModel, Protocol):
    """A model that fills in masked tokens, and sees what stands on both sides of them."""

    kind: Literal["masked"]

    @property
    def around(self) -> tuple[Ids, Ids]:
        """The tokens put before and after every sentence, such as ``[CLS]`` and ``[SEP]``."""

    @property
    def mask(self) -> int:
        """The token that stands for a hidden one."""

    def fill_in(self, rows: Sequence[Ids], places: Sequence[int], tokens: Ids) -> list[float]:
        """For each row the surprisal in bits of a token at a place, given all of the row."""
