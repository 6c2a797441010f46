"""The interface of a model, whatever runs it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from evalmark.scoring.surprisals.prefix_packs import Ids, Level, Pack, PackValues


@dataclass(frozen=True, slots=True)
class Tokenized:
    """A sentence as tokens.

    Attributes:
        ids: Token ids.
        spans: The characters of the text that each token covers.
        words: The number of the word that each token belongs to; only masked models need it.
        unknown: The places of tokens that stand for what is not in the vocabulary.
    """

    ids: Ids
    spans: tuple[tuple[int, int], ...]
    words: tuple[int, ...] = ()
    unknown: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """The identity of a model, as a record has it.

    Attributes:
        id: ``organization/model``; never a path.
        name: Its display name.
        engine: Software that runs it, and its version.
        details: Revision, dtype, device, digests, library versions; strings.
    """

    id: str
    name: str
    engine: tuple[str, str]
    details: dict[str, str]


class ForeignModel(Protocol):
    """A model of transformers, which the caller has loaded."""

    config: Any


class AnyModel(Protocol):
    """The common part of causal and masked models."""

    @property
    def info(self) -> ModelInfo:
        """The identity of the model."""

    @property
    def max_tokens(self) -> int | None:
        """The longest sequence it accepts, added tokens included; None for no limit."""

    def tokenize(self, text: str) -> Tokenized:
        """A sentence as tokens, without added tokens."""


class LanguageModel(AnyModel, Protocol):
    """A causal model: each token is predicted from those before it."""

    kind: Literal["causal"]

    @property
    def bos(self) -> Ids:
        """The tokens put before every sentence: one or none."""

    @property
    def pack_tokens(self) -> int:
        """The usual number of tokens of a pack on its device."""

    def surprisals(
        self, rows: Sequence[Ids], places: Sequence[Sequence[int]] | None = None, /
    ) -> list[list[float]]:
        """For each row the surprisals in bits of its tokens at some places, not of the first.

        Without ``places``, those of all tokens except the first.
        """

    def read_pack(self, pack: Pack) -> PackValues:
        """The values of a pack, from one forward pass."""

    def read_levels(self, levels: Sequence[Level]) -> Iterator[PackValues]:
        """The values of each level, read after the other with the model's cache."""

    def bounds(
        self, rows: Sequence[Ids], places: Sequence[Sequence[int]] | None = None, /
    ) -> list[list[float]]:
        """For each row, after its tokens at some places, log2 of the probability of a word's end.

        Without ``places``, after each of its tokens.
        """

    @property
    def marks_words(self) -> bool:
        """True if the tokenizer marks the beginnings of words; see ``boundary_tokens``."""


class MaskedLanguageModel(AnyModel, Protocol):
    """A model that fills in masked tokens, given the text on both sides."""

    kind: Literal["masked"]

    @property
    def around(self) -> tuple[Ids, Ids]:
        """The tokens put before and after every sentence, such as ``[CLS]`` and ``[SEP]``."""

    @property
    def mask(self) -> int:
        """The mask token."""

    def fill_in(self, rows: Sequence[Ids], places: Sequence[int], tokens: Ids) -> list[float]:
        """For each row the surprisal in bits of a token at a place, given the whole row."""
