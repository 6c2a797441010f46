"""What a model would compute for some suites, and the sentences that are too long for it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import LanguageModel, MaskedLanguageModel, Tokenized
from evalmark.scoring.needed import Texts, texts_of
from evalmark.scoring.settings import DEFAULT_COMPUTING, Computing, Settings
from evalmark.scoring.suites import LoadedSuite
from evalmark.scoring.surprisals.compute import fitting
from evalmark.scoring.surprisals.packs import PackPlan, packs, plan
from evalmark.scoring.surprisals.values import prefix_tree


def tokenize(
    suite: LoadedSuite,
    model: LanguageModel | MaskedLanguageModel,
    known: Mapping[str, Tokenized] = MappingProxyType({}),
) -> dict[str, Tokenized]:
    """The tokens of every distinct sentence of a suite."""
    texts = {sentence.text for row in suite.sentences for sentence in row}
    new = tokens_of([text for text in texts if text not in known], model)
    return {text: known[text] if text in known else new[text] for text in texts}


def tokens_of(
    texts: Iterable[str], model: LanguageModel | MaskedLanguageModel
) -> dict[str, Tokenized]:
    """The tokens of distinct texts, of all at once if the model can."""
    distinct = list(dict.fromkeys(texts))
    together = getattr(model, "tokenize_all", None)
    found = together(distinct) if together else map(model.tokenize, distinct)
    return dict(zip(distinct, found, strict=True))


class TooLong(NamedTuple):
    """A sentence that is too long for a model."""

    path: str
    item: int
    condition: str
    tokens: int  # with those put around it
    limit: int
    text: str

    @property
    def error(self) -> ScoringError:
        """Why the suite cannot be scored."""
        return ScoringError(
            f"{self.path}: item {self.item}, {self.condition}: a sentence has {self.tokens} "
            f"tokens, the model reads at most {self.limit}: {self.text[:80]!r}"
        )


def too_long(
    suites: Sequence[LoadedSuite], model: LanguageModel | MaskedLanguageModel, texts: Texts
) -> Iterator[TooLong]:
    """The sentences that are too long for a model, of which a causal one reads the beginnings."""
    limit = model.max_tokens
    for suite in suites if limit is not None else ():
        assert limit is not None
        for item, row in zip(suite.suite.items, suite.sentences, strict=True):
            for condition, sentence in zip(item.conditions, row, strict=True):
                if model.kind == "masked":
                    count = len(texts.tokens[sentence.text].ids) + sum(map(len, model.around))
                else:
                    count = len(texts.row(sentence.text)) + len(model.bos)
                if count > limit:
                    place = (suite.path, item.number, condition.name)
                    yield TooLong(*place, count, limit, sentence.text)


def require_short(
    suites: Sequence[LoadedSuite], model: LanguageModel | MaskedLanguageModel, texts: Texts
) -> None:
    """Refuse suites with sentences that are too long for a model.

    Raises:
        ScoringError: The message has the first of them.
    """
    found = {sentence.text: sentence for sentence in too_long(suites, model, texts)}
    if found:
        first, more = next(iter(found.values())), len(found) - 1
        raise ScoringError(f"{first.error} (and {more} more)" if more else str(first.error))


class RunPlan(NamedTuple):
    """What a model would compute, and what it cannot."""

    packs: PackPlan | None  # None for a masked model, which reads no packs
    rows: int  # rows of logits
    too_long: tuple[TooLong, ...]


def plan_run(
    suites: Sequence[LoadedSuite],
    model: LanguageModel | MaskedLanguageModel,
    settings: Settings,
    computing: Computing = DEFAULT_COMPUTING,
) -> RunPlan:
    """How much a model would read. Suites with sentences that are too long do not count."""
    known: dict[str, Tokenized] = {}
    long: list[TooLong] = []
    for suite in suites:
        tokens = tokenize(suite, model, known)
        long += too_long([suite], model, texts_of([suite], tokens, settings))
        known |= tokens
    paths = {sentence.path for sentence in long}
    suites = [suite for suite in suites if suite.path not in paths]
    own = {s.text: known[s.text] for suite in suites for row in suite.sentences for s in row}
    texts = texts_of(suites, own, settings)
    if model.kind == "masked":
        return RunPlan(None, sum(map(len, texts.wanted.values())), tuple(long))
    rows = [model.bos + row for text in own if (row := texts.row(text))]
    tree = prefix_tree(texts, model.bos)
    sizes = plan(tree, rows, list(packs(tree, fitting(computing, model).pack_size)))
    return RunPlan(sizes, sizes.logits, tuple(long))
