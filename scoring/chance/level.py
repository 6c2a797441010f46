"""Chance accuracy: the expected accuracy of a model that knows nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import ceil

from evalmark.schemas.errors import Budget
from evalmark.scoring.chance.designs import Design, canonical, design_of
from evalmark.scoring.chance.exact import exact_probability
from evalmark.scoring.chance.simulated import simulated_probability
from evalmark.scoring.suites import LoadedSuite
from evalmark.validator.formats.suites.formula.tree import Node, references
from evalmark.validator.formats.suites.unknowns import Forms, item_forms

#: What chance takes surprisals to be.
ASSUMPTION = "independent Exp(1) surprisals"
#: Greatest denominator of a fraction that is shown.
READABLE = 10_000


@dataclass(frozen=True, slots=True)
class Chance:
    """A chance accuracy: exact, or simulated with a standard error."""

    share: Fraction
    standard_error: float = 0.0

    @property
    def fraction(self) -> str | None:
        """The exact number, as ``1/4``; None if it is simulated, or too long to be read."""
        if self.standard_error or self.share.denominator > READABLE:
            return None
        return str(self.share)

    @property
    def shown(self) -> str:
        """Three digits, and how exact they are."""
        note = self.fraction or "exact"
        if self.standard_error:
            note = f"±{_rounded_up(self.standard_error, 3)}"
        return f"{float(self.share):.3f} ({note})"

    def data(self) -> dict[str, float | str | None]:
        """As ``scores.json`` has it."""
        return {
            "chance": float(self.share),
            "chance_fraction": self.fraction,
            "chance_standard_error": self.standard_error,
        }

    def details(self) -> dict[str, str]:
        """As the details of a record have it."""
        found = {
            "chance": f"{float(self.share):.4f}",
            "chance_fraction": self.fraction,
            "chance_standard_error": _rounded_up(self.standard_error, 4),
            "chance_assumption": ASSUMPTION,
        }
        return {key: value for key, value in found.items() if value is not None}


NEVER = Chance(Fraction(0))


def chances(source: LoadedSuite, join: str = "core", context: str = "left") -> tuple[Chance, ...]:
    """The chance accuracy of each prediction of a suite, then of their conjunction.

    The unknowns of the static analysis (the surprisal that each stretch of text adds) are taken to
    be independent and to have the same exponential distribution. Equal texts have equal values.
    For ``context`` see ``item_forms``.
    """
    if not source.trees:
        return ()
    asked = [_Asked((tree,)) for tree in source.trees]
    asked += [_Asked(source.trees)] if len(asked) > 1 else []
    for item in source.suite.items:
        forms = item_forms(item, source.suite.metric, join, context)
        for predictions in asked:
            predictions.add(forms)
    found = [mean(predictions.found) for predictions in asked]
    return (*found, found[0]) if len(found) == 1 else tuple(found)


def mean(found: Sequence[Chance]) -> Chance:
    """The mean of some chances; its standard error is an upper bound, as if all errors agreed."""
    counts = Counter(chance.share for chance in found)
    share = sum((share * count for share, count in counts.items()), Fraction(0)) / len(found)
    return Chance(share, sum(chance.standard_error for chance in found) / len(found))


def _rounded_up(error: float, digits: int) -> str:
    return f"{ceil(error * 10**digits) / 10**digits:.{digits}f}" if error else "0"


class _Asked:
    """Predictions that must all hold, and their chance for each item so far."""

    def __init__(self, trees: Sequence[Node]) -> None:
        self.trees = trees
        parts = (part for tree in trees for part in references(tree))
        self.used = list(dict.fromkeys((part.condition, part.region) for part in parts))
        self.known: dict[tuple[tuple[tuple[int, int], ...], ...], Chance] = {}
        self.found: list[Chance] = []

    def add(self, forms: Forms) -> None:
        """Find the chance for an item with these values."""
        if any(key not in forms for key in self.used):
            self.found.append(NEVER)  # with an undefined value the prediction does not hold
            return
        names: dict[int, int] = {}
        pattern = tuple(
            tuple((names.setdefault(u, len(names)), n) for u, n in sorted(forms[key].items()))
            for key in self.used
        )
        if pattern not in self.known:
            design = design_of(self.trees, lambda part: forms[part.condition, part.region])
            self.known[pattern] = _of_design(canonical(design))
        self.found.append(self.known[pattern])


@lru_cache(maxsize=1024)
def _of_design(design: Design) -> Chance:
    try:
        return Chance(exact_probability(design))
    except Budget:
        return Chance(*simulated_probability(design))
