"""From the sentences of suites to tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.suites import LoadedSuite


def tokenize(
    suites: Sequence[LoadedSuite], model: LanguageModel | MaskedLanguageModel
) -> dict[str, Tokenized]:
    """The tokens of every distinct sentence of some suites, in the order of their texts.

    Raises:
        ScoringError: A sentence is too long for the model.
    """
    sentences = {sentence.text for suite in suites for row in suite.sentences for sentence in row}
    tokenized = {text: model.tokenize(text) for text in sorted(sentences)}
    added = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
    _require_length(tokenized, model.max_tokens, added)
    return tokenized


def _require_length(tokenized: Mapping[str, Tokenized], limit: int | None, added: int) -> None:
    for text, tokens in tokenized.items():
        count = len(tokens.ids) + added
        if limit is not None and count > limit:
            raise ScoringError(
                f"a sentence has {count} tokens, the model reads at most {limit}: {text[:80]!r}"
            )
