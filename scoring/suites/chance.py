"""Chance accuracy: the expected accuracy of a model that knows nothing.

The surprisals of such a model are one unknown for each text of a region after a text; unknowns are
independent and have one distribution, Exp(1). Equal texts have equal values, and sums and
differences of regions are sums and differences of unknowns. Different values are never equal, so
``=`` holds by chance only where the texts on both sides make it hold. Where single values are
compared, chance is a count of orders, the same for every continuous distribution; where sums and
differences are compared, it is a volume, which holds for Exp(1). Both are exact rational numbers
for any formula of ``&``, ``|``, ``<``, ``>`` and ``=``:

- ``a > b``: 1/2; ``a > b & c > d``: 1/4; ``a < b & c < d & a < d``: 5/24
- ``a - b > c - d``: 1/2; ``a > b & a > c & a - b > c - d``: 5/16; ``a > b + c``: 1/4

Chance is simulated if a comparison has a constant that matters, as in ``a - b > 2``, or if very
many sums depend on each other: with 250,000 draws (fewer for hundreds of comparisons), seeded by
the design, so that equal designs have equal chances. This needs numpy. Tables show ``0.208
(5/24)``, ``0.287 (exact)`` if the fraction is long, or ``0.184 (±0.001)`` with the standard error
if simulated. Records have ``chance_fraction``, ``chance_standard_error`` (0 if
exact) and ``chance_assumption``. The standard error of an average is that which it has if all
errors agree, so it is never too small.

A design is a formula over inequalities between unknowns, each a column of coefficients. Columns are
sorted, so designs that differ only in the order and the names of unknowns are equal.

The unknowns X, one for each column v of coefficients, add up to the vector of all left sides, the
sum of X v. Two of them, with columns p and q, are alike until the shorter has ended; so for every
w = (1 - t) p + t q between the two columns, X p + Y q has the distribution of

    X p + Z w   with probability 1 - t, and of   Z w + Y q   with probability t.

(The cone over p and q is cut at w, in parts of these volumes.) If p is positive and q negative in
an inequality, w can be chosen to be 0 there; repeated, this decides every inequality. It is a
triangulation of the solutions, in which parts of the same shape are computed once.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache, reduce
from math import ceil, gcd, sqrt
from operator import and_, or_
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from evalmark.schemas.errors import Budget, ScoringError, require
from evalmark.validator.formats.suites.formula.formula_syntax import Comparison, Node, references
from evalmark.validator.formats.suites.formula.formula_syntax import Logic as LogicNode
from evalmark.validator.formats.suites.formula.meaning import FormOf, combined, linear_form
from evalmark.validator.formats.suites.unknowns import Forms, item_forms

if TYPE_CHECKING:  # it loads conversions, which readers of runs do not need
    from evalmark.scoring.suites.suite_loading import LoadedSuite


class Joint(NamedTuple):
    """``&`` or ``|`` of some parts. Without parts, ``&`` is true and ``|`` is false."""

    operator: str
    parts: tuple[Logic, ...]


#: The number of an inequality, or parts, all or some of which must hold.
Logic: TypeAlias = "int | Joint"

TRUE = Joint("&", ())
FALSE = Joint("|", ())


def truth(value: bool) -> Joint:
    """The formula that is always true, or always false."""
    return TRUE if value else FALSE


def joined(operator: str, parts: Iterable[Logic]) -> Logic:
    """``&`` or ``|`` of some parts: flat, without repeats and without what is decided."""
    decides = FALSE if operator == "&" else TRUE
    unique: dict[Logic, None] = {}
    for part in parts:
        if part == decides:
            return decides
        if isinstance(part, Joint) and part.operator == operator:
            unique.update(dict.fromkeys(part.parts))
        else:
            unique[part] = None
    return next(iter(unique)) if len(unique) == 1 else Joint(operator, tuple(unique))


def replaced(logic: Logic, by: Mapping[int, Logic]) -> Logic:
    """The same, with some inequalities replaced."""
    if isinstance(logic, Joint):
        return joined(logic.operator, [replaced(part, by) for part in logic.parts])
    return by.get(logic, logic)


def leaves(logic: Logic) -> Iterator[int]:
    """The inequalities, from left to right."""
    if isinstance(logic, Joint):
        for part in logic.parts:
            yield from leaves(part)
    else:
        yield logic


#: An unknown: its coefficient in each inequality.
Column: TypeAlias = tuple[int, ...]


class Design(NamedTuple):
    """``logic`` over inequalities ``sum of coefficient * unknown + constant > 0``."""

    logic: Logic
    columns: tuple[Column, ...]  # of each unknown, sorted
    constants: tuple[Fraction, ...]


_Coefficients: TypeAlias = tuple[tuple[int, int], ...]
_Rows: TypeAlias = dict[tuple[_Coefficients, Fraction], int]


def design_of(trees: Sequence[Node], form_of: FormOf) -> Design:
    """The design of some predictions that must all hold, given the values of their regions."""
    rows: _Rows = {}
    logic = joined("&", [_read(tree, form_of, rows) for tree in trees])
    used = sorted(set(leaves(logic)))
    inequalities = list(rows)
    unknowns = {unknown for row in used for unknown, _ in inequalities[row][0]}
    matrix = [dict(inequalities[row][0]) for row in used]
    return Design(
        replaced(logic, {row: number for number, row in enumerate(used)}),
        tuple(sorted(tuple(row.get(unknown, 0) for row in matrix) for unknown in unknowns)),
        tuple(inequalities[row][1] for row in used),
    )


def _read(tree: Node, form_of: FormOf, rows: _Rows) -> Logic:
    match tree:
        case Comparison():
            return _inequality(tree, form_of, rows)
        case LogicNode():
            logic = _read(tree.first, form_of, rows)
            for operator, operand in tree.rest:
                logic = joined(operator, [logic, _read(operand, form_of, rows)])
            return logic
    raise TypeError("formula is not a truth value")


def _inequality(tree: Comparison, form_of: FormOf, rows: _Rows) -> Logic:
    left, right = linear_form(tree.left, form_of), linear_form(tree.right, form_of)
    gap, constant = combined(right, left, -1) if tree.operator == "<" else combined(left, right, -1)
    coefficients = {unknown: int(value) for unknown, value in gap.items() if value}
    if tree.operator == "=":
        # Different values are taken to be never equal: the tolerance is far below their size.
        tolerance = Fraction(1, 1000) + abs(Fraction(right[1])) / 100_000
        return truth(not coefficients and abs(Fraction(constant)) <= tolerance)
    if not coefficients:
        return truth(constant > 0)
    if constant >= 0 and min(coefficients.values()) > 0:
        return truth(True)
    if constant <= 0 and max(coefficients.values()) < 0:
        return truth(False)
    factor = gcd(*coefficients.values())
    scaled = tuple((unknown, value // factor) for unknown, value in sorted(coefficients.items()))
    return rows.setdefault((scaled, Fraction(constant) / factor), len(rows))


#: Limits: different parts of a design with their coefficients, cuts one within another.
MAX_WORK = 40_000
PART = 8  # what a part costs besides its coefficients
MAX_CUTS = 200


def exact_probability(design: Design) -> Fraction:
    """The probability that a design holds; ``Budget`` if it has too many parts, or a constant."""
    if any(design.constants) or len(design.columns) * len(design.constants) > MAX_WORK:
        raise Budget
    return _Parts().probability(design.logic, Counter(design.columns))


#: Unknowns: a column of coefficients → how many unknowns have it.
_Columns: TypeAlias = Mapping[Column, int]


class _Parts:
    def __init__(self) -> None:
        self.memo: dict[tuple[Logic, tuple[tuple[Column, int], ...]], Fraction] = {}
        self.work = 0
        self.cuts = 0  # one within another, at the moment

    def probability(self, logic: Logic, columns: _Columns) -> Fraction:
        """The probability of a formula over the left sides that the columns add up to."""
        logic = replaced(logic, _decided(logic, columns))
        if logic in (TRUE, FALSE):
            return Fraction(logic == TRUE)
        if not isinstance(logic, Joint):
            return self.entangled(logic, columns)
        # Parts without a common unknown are independent.
        is_all = logic.operator == "&"
        none_fails = Fraction(1)
        for part in _independent(logic, columns):
            probability = self.entangled(part, columns)
            none_fails *= probability if is_all else 1 - probability
        return none_fails if is_all else 1 - none_fails

    def entangled(self, logic: Logic, columns: _Columns) -> Fraction:
        logic, columns = _reduced(logic, columns)
        key = logic, tuple(columns.items())
        if key not in self.memo:
            self.work += PART + len(columns) * len(next(iter(columns)))
            if self.work > MAX_WORK or self.cuts >= MAX_CUTS:
                raise Budget
            self.cuts += 1
            self.memo[key] = self.cut(logic, columns)
            self.cuts -= 1
        return self.memo[key]

    def cut(self, logic: Logic, columns: _Columns) -> Fraction:
        row, p, q = _where_to_cut(columns)
        above, below = p[row], -q[row]
        whole = above + below
        w = tuple(below * x + above * y for x, y in zip(p, q, strict=True))
        # Everything is multiplied by ``whole``, to remain an integer.
        scaled = {column: tuple(whole * x for x in column) for column in columns}
        left = Counter({scaled[column]: count for column, count in columns.items()})
        left[w] += 1
        left[scaled[q]] -= 1
        share_above = self.probability(logic, +left)
        left[scaled[q]] += 1
        left[scaled[p]] -= 1
        share_below = self.probability(logic, +left)
        return (above * share_above + below * share_below) / whole


def _decided(logic: Logic, columns: _Columns) -> dict[int, Logic]:
    """The inequalities to which no unknown, or every unknown, is opposed."""
    decisions: dict[int, Logic] = {}
    for row in set(leaves(logic)):
        least = min(column[row] for column in columns)
        if least >= 0 or max(column[row] for column in columns) <= 0:
            decisions[row] = truth(least >= 0)
    return decisions


def _independent(logic: Joint, columns: _Columns) -> list[Logic]:
    """The parts of a formula, those that share unknowns together."""
    groups: list[tuple[set[Column], list[Logic]]] = []
    for part in logic.parts:
        rows = set(leaves(part))
        unknowns = {column for column in columns if any(column[row] for row in rows)}
        together, apart = [part], []
        for others, parts in groups:
            if others & unknowns:
                unknowns |= others
                together = parts + together
            else:
                apart.append((others, parts))
        groups = [*apart, (unknowns, together)]
    return [joined(logic.operator, parts) for _, parts in groups]


def _reduced(logic: Logic, columns: _Columns) -> tuple[Logic, _Columns]:
    """The smallest equal design: used inequalities in small numbers, unknowns that matter."""
    rows = list(dict.fromkeys(leaves(logic)))
    if isinstance(logic, Joint) and all(isinstance(part, int) for part in logic.parts):
        rows.sort(key=lambda row: sorted(column[row] for column in columns))
        logic = Joint(logic.operator, tuple(range(len(rows))))
    else:
        logic = replaced(logic, {row: number for number, row in enumerate(rows)})
    factors = [gcd(*(column[row] for column in columns)) for row in rows]
    counts: Counter[Column] = Counter()
    for column, count in columns.items():
        counts[tuple(column[r] // factor for r, factor in zip(rows, factors, strict=True))] += count
    left = {column: counts[column] for column in sorted(counts) if any(column)}
    return logic, dict.fromkeys(left, 1) if _is_an_order(left) else left


def _is_an_order(columns: _Columns) -> bool:
    """True if only values of equally many unknowns are compared, one with one.

    Their number does not matter then: an order has the same probability for all distributions.
    """
    return len(set(columns.values())) == 1 and all(
        sorted(column[row] for column in columns if column[row]) == [-1, 1]
        for row in range(len(next(iter(columns))))
    )


def _where_to_cut(columns: _Columns) -> tuple[int, Column, Column]:
    """The inequality that the fewest pairs of unknowns dispute, and the first such pair."""

    def disputed(row: int) -> int:
        above = sum(count for column, count in columns.items() if column[row] > 0)
        return above * sum(count for column, count in columns.items() if column[row] < 0)

    row = min(range(len(next(iter(columns)))), key=disputed)
    above = next(column for column in columns if column[row] > 0)
    below = next(column for column in columns if column[row] < 0)
    return row, above, below


#: Enough for a standard error of at most 0.001.
DRAWS = 250_000
BATCH = 5_000
#: Unknowns, inequalities and coefficients of a design; with more of them there are fewer draws.
SIMULATED_SIZE = 1000
#: Far above any sum of draws.
LARGE = Fraction(10**100)


def simulated_probability(design: Design) -> tuple[Fraction, float]:
    """The share of draws for which a design holds, and its standard error.

    The draws are seeded with the design, so that equal designs have equal numbers and different
    ones independent errors.
    """
    require("numpy")
    import numpy as np

    digest = hashlib.sha256(repr(design).encode("ascii")).digest()
    random = np.random.default_rng(int.from_bytes(digest))
    # Unknowns with the same coefficients count only as a sum, which has a gamma distribution.
    counts = sorted(Counter(design.columns).items())
    size = len(counts) + len(design.constants)
    size += sum(coefficient != 0 for column, _ in counts for coefficient in column)
    draws = BATCH * max(1, DRAWS // BATCH * SIMULATED_SIZE // max(size, SIMULATED_SIZE))
    hits = 0
    for _ in range(draws // BATCH):
        sums = [
            np.full(BATCH, float(max(-LARGE, min(constant, LARGE))))
            for constant in design.constants
        ]
        for column, count in counts:
            drawn = random.standard_gamma(count, BATCH)
            for row, coefficient in enumerate(column):
                if coefficient:
                    sums[row] += coefficient * drawn
        hits += int(_holds(design.logic, [total > 0 for total in sums]).sum())
    likely = (hits + 1) / (draws + 2)  # never 0 or 1, where the error would be 0
    return Fraction(hits, draws), sqrt(likely * (1 - likely) / draws)


def _holds(logic: Logic, rows: list[Any]) -> Any:
    if not isinstance(logic, Joint):
        return rows[logic]
    combine = and_ if logic.operator == "&" else or_
    return reduce(combine, (_holds(part, rows) for part in logic.parts))


#: The assumption about surprisals behind chance.
ASSUMPTION = "independent Exp(1) surprisals"
#: The same as a clause for readers, and as a sentence; docs/scoring.md derives the numbers.
CHANCE = "Chance is the accuracy of a model that knows nothing"
IGNORANCE = (
    f"{CHANCE}: different texts have independent "
    "surprisals with one distribution, Exp(1), so a comparison of two texts holds with "
    "probability 1/2, and two that share no text both hold with 1/2 · 1/2 = 1/4"
)
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
        note = self.fraction or "exact for Exp(1)"
        if self.standard_error:
            note = f"±{_rounded_up(self.standard_error, 3)}"
        return f"{float(self.share):.3f} ({note})"

    def details(self) -> dict[str, str]:
        """As the details of a record have it, with all digits."""
        details = {
            "chance": str(float(self.share)),
            "chance_fraction": self.fraction,
            "chance_standard_error": str(self.standard_error or 0),
            "chance_assumption": ASSUMPTION,
        }
        return {key: value for key, value in details.items() if value is not None}

    @classmethod
    def of_details(cls, details: Mapping[str, str]) -> Chance:
        """The same, read from the details of a record; a ScoringError if it is not a share."""
        share = Fraction(details.get("chance_fraction") or Fraction(float(details["chance"])))
        if not 0 <= share <= 1:
            raise ScoringError("chance is not between 0 and 1")
        return cls(share, float(details.get("chance_standard_error", 0)))


NEVER = Chance(Fraction(0))


def chances(source: LoadedSuite, join: str = "core", context: str = "left") -> tuple[Chance, ...]:
    """The chance accuracy of each prediction of a suite, then of their conjunction.

    The unknowns of the static analysis (the surprisal that each stretch of text adds) are taken to
    be independent and to have the same exponential distribution. Equal texts have equal values.
    For ``context`` see ``item_forms``.
    """
    if not source.trees:
        return ()
    conjunctions = [_Conjunction((tree,)) for tree in source.trees]
    conjunctions += [_Conjunction(source.trees)] if len(conjunctions) > 1 else []
    for item in source.suite.items:
        forms = item_forms(item, source.suite.metric, join, context)
        for predictions in conjunctions:
            predictions.add(forms)
    means = [mean(predictions.chances) for predictions in conjunctions]
    return (*means, means[0]) if len(means) == 1 else tuple(means)


def mean(summands: Sequence[Chance]) -> Chance:
    """The mean of some chances; its standard error is an upper bound, as if all errors agreed."""
    counts = Counter(chance.share for chance in summands)
    share = sum((share * count for share, count in counts.items()), Fraction(0)) / len(summands)
    return Chance(share, sum(chance.standard_error for chance in summands) / len(summands))


def _rounded_up(error: float, digits: int) -> str:
    return f"{ceil(error * 10**digits) / 10**digits:.{digits}f}" if error else "0"


class _Conjunction:
    def __init__(self, trees: Sequence[Node]) -> None:
        self.trees = trees
        parts = (part for tree in trees for part in references(tree))
        self.used = list(dict.fromkeys((part.condition, part.region) for part in parts))
        self.memo: dict[tuple[tuple[tuple[int, int], ...], ...], Chance] = {}
        self.chances: list[Chance] = []

    def add(self, forms: Forms) -> None:
        if any(key not in forms for key in self.used):
            self.chances.append(NEVER)  # with an undefined value the prediction does not hold
            return
        names: dict[int, int] = {}
        pattern = tuple(
            tuple((names.setdefault(u, len(names)), n) for u, n in sorted(forms[key].items()))
            for key in self.used
        )
        if pattern not in self.memo:
            design = design_of(self.trees, lambda part: forms[part.condition, part.region])
            self.memo[pattern] = _of_design(design)
        self.chances.append(self.memo[pattern])


@lru_cache(maxsize=1024)
def _of_design(design: Design) -> Chance:
    try:
        return Chance(exact_probability(design))
    except Budget:
        return Chance(*simulated_probability(design))
