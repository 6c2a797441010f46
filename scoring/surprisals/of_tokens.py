"""The surprisal of each token of some sentences, without a suite around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel
from evalmark.scoring.needed import whole_texts
from evalmark.scoring.regions import assign_tokens
from evalmark.scoring.settings import Settings
from evalmark.scoring.surprisals.compute import compute
from evalmark.scoring.surprisals.masked import pseudo_surprisals
from evalmark.scoring.surprisals.values import prefix_tree, token_values
from evalmark.validator.formats.suites.sentences import Sentence


class TokenSurprisal(NamedTuple):
    """A token of a sentence.

    Attributes:
        text: The characters that it covers, with the space before it if it has one.
        region: The index of its region.
        bits: Its surprisal; None if it is undefined, as that of a first token without BOS.
    """

    text: str
    region: int
    bits: float | None


def token_surprisals(
    model: LanguageModel | MaskedLanguageModel,
    sentences: Sequence[Sentence],
    settings: Settings,
) -> list[list[TokenSurprisal]]:
    """The tokens of each sentence, with the values that a run has for them.

    Raises:
        ScoringError: A sentence is too long for the model.
    """
    tokens = {text: model.tokenize(text) for text in sorted({s.text for s in sentences})}
    around = sum(map(len, model.around)) if model.kind == "masked" else len(model.bos)
    for text, found in tokens.items():
        if model.max_tokens is not None and len(found.ids) + around > model.max_tokens:
            raise ScoringError(
                f"a sentence has {len(found.ids) + around} tokens, the model reads at most "
                f"{model.max_tokens}: {text[:80]!r}"
            )
    texts = whole_texts(tokens)
    if model.kind == "masked":
        bits = pseudo_surprisals(texts, model)
    else:
        tree = prefix_tree(texts, model.bos)
        compute(tree, model)
        bits = {
            text: token_values(tree, model.bos, found.ids, settings) if found.ids else []
            for text, found in tokens.items()
        }
    return [
        [
            TokenSurprisal(sentence.text[start:end], region, value)
            for (start, end), region, value in zip(
                tokens[sentence.text].spans,
                assign_tokens(tokens[sentence.text].spans, sentence),
                bits[sentence.text],
                strict=True,
            )
        ]
        for sentence in sentences
    ]
