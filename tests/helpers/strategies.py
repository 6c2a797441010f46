"""Generators of formulas and JSON for property tests."""

import math
from unicodedata import normalize

from evalmark.validator.formats.suites.formula.formula_syntax import (
    Comparison,
    Logic,
    Number,
    Reference,
    Sum,
)
from hypothesis import settings
from hypothesis import strategies as st

#: Names of letters, marks and digits of any script; formulas have them in NFC.
NAMES_OF_ANY_SCRIPT = st.text(
    st.characters(categories=("L", "M", "Nd"), include_characters="_-"), min_size=1, max_size=8
).map(lambda name: normalize("NFC", name))
NAMES = st.sampled_from(["a", "b", "no-gap", "c_1"])


def examples(count, **others):
    """Settings with so many examples in `make test EXAMPLES=all`, else with a share of them."""
    return settings(max_examples=count * settings.default.max_examples // 100, **others)


def numbers(*, allow_large: bool = True):
    values = st.floats(allow_nan=False, allow_infinity=False)
    if not allow_large:
        values = st.integers(-4, 12).map(float) | st.sampled_from([0.5, -0.001, 0.001, 1e-5])
    return values.map(Number)


def references(names=NAMES):
    return st.builds(Reference, st.integers(1, 4) | st.none(), names)


def sums(leaves):
    rest = st.lists(st.tuples(st.sampled_from("+-"), leaves), min_size=1, max_size=3)
    return st.builds(Sum, leaves, rest.map(tuple))


def arithmetic(leaves=None):
    leaves = numbers() | references() if leaves is None else leaves
    return st.recursive(leaves, sums, max_leaves=6)


def formulas(leaves=None):
    """Well-typed formulas."""
    terms = arithmetic(leaves)
    comparisons = st.builds(Comparison, st.sampled_from("<>="), terms, terms)

    def logic(parts):
        rest = st.lists(st.tuples(st.sampled_from("&|"), parts), min_size=1, max_size=3)
        return st.builds(Logic, parts, rest.map(tuple))

    return st.recursive(comparisons, logic, max_leaves=5)


def is_plain(value: float) -> bool:
    return math.isfinite(value)


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8"), max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="utf-8"), max_size=5), inner, max_size=4)
    ),
    max_leaves=20,
)
