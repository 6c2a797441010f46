"""Which regions are computed: all, or those that the predictions of a suite refer to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from evalmark.schemas.errors import ScoringError
from evalmark.scoring.models.protocols import Tokenized
from evalmark.scoring.regions import assign_tokens
from evalmark.scoring.settings import Settings
from evalmark.scoring.suites import LoadedSuite
from evalmark.scoring.surprisals.prefixes import Ids
from evalmark.validator.formats.suites.formula.tree import references

#: For each item and condition, the indices of the regions to compute.
Needed = Sequence[Sequence[Collection[int]]]


def needed_regions(suite: LoadedSuite, settings: Settings) -> Needed:
    """The regions of a suite to compute; all regions of a sentence for a ``*``."""
    items = suite.suite.items
    if settings.regions == "all":
        return [[range(len(c.regions)) for c in item.conditions] for item in items]
    referred = {(r.condition, r.region) for tree in suite.trees for r in references(tree)}
    return [
        [
            [
                index
                for index, region in enumerate(condition.regions)
                if {(condition.name, region.number), (condition.name, None)} & referred
            ]
            for condition in item.conditions
        ]
        for item in items
    ]


def conditions_not_run(suite: LoadedSuite, settings: Settings) -> list[str]:
    """The conditions of a suite that no prediction refers to, if these are not computed."""
    if settings.regions == "all":
        return []
    referred = {r.condition for tree in suite.trees for r in references(tree)}
    names = dict.fromkeys(c.name for item in suite.suite.items for c in item.conditions)
    return [name for name in names if name not in referred]


def require_predictions(suite: LoadedSuite, settings: Settings) -> None:
    """Refuse a suite of which nothing would be computed.

    Raises:
        ScoringError: No prediction refers to a region, and only such regions are computed.
    """
    if settings.regions != "all" and not any(any(references(tree)) for tree in suite.trees):
        what = "no prediction refers to a region" if suite.trees else "there are no predictions"
        raise ScoringError(f"{suite.path}: {what}: nothing to compute", argument="regions")


@dataclass(frozen=True, slots=True)
class Texts:
    """The sentences of a run as tokens.

    Attributes:
        tokens: Text -> its tokens.
        wanted: Text -> the places of the tokens whose surprisals are wanted, ascending.
        complete: Whether all are wanted.
    """

    tokens: Mapping[str, Tokenized]
    wanted: Mapping[str, Sequence[int]]
    complete: bool = True

    def row(self, text: str) -> Ids:
        """The tokens of a text as far as a causal model has to know them."""
        places = self.wanted[text]
        return self.tokens[text].ids[: places[-1] + 1 if places else 0]


def whole_texts(tokens: Mapping[str, Tokenized]) -> Texts:
    """Some sentences, of which all surprisals are wanted."""
    return Texts(tokens, {text: range(len(of.ids)) for text, of in tokens.items()})


def texts_of(
    suites: Iterable[LoadedSuite], tokens: Mapping[str, Tokenized], settings: Settings
) -> Texts:
    """The sentences of some suites, whose tokens are known, in the order of their texts."""
    ordered = {text: tokens[text] for text in sorted(tokens)}
    if settings.regions == "all":
        return whole_texts(ordered)
    wanted: dict[str, set[int]] = {text: set() for text in ordered}
    for suite in suites:
        for row, needs in zip(suite.sentences, needed_regions(suite, settings), strict=True):
            for sentence, regions in zip(row, needs, strict=True):
                if regions:
                    assigned = assign_tokens(tokens[sentence.text].spans, sentence)
                    places = (at for at, region in enumerate(assigned) if region in regions)
                    wanted[sentence.text].update(places)
    return Texts(ordered, {text: sorted(places) for text, places in wanted.items()}, complete=False)
