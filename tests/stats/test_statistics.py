"""Statistics against published values, against counting, and against each other."""

import itertools
import math
import random
import re
from fractions import Fraction
from itertools import pairwise

import pytest
from conftest import ROOT
from evalmark.stats import paired_tests
from evalmark.stats.intervals import (
    mean_error,
    mean_interval,
    mean_spread,
    paired_interval,
    t_quantile,
    wilson_interval,
)
from evalmark.stats.paired_tests import detectable_mean, detectable_share, holm, mcnemar, sign_flip
from hypothesis import given
from hypothesis import strategies as st

COUNTS = st.tuples(*[st.integers(0, 30)] * 4).filter(any)
STEPS = st.lists(st.sampled_from([0.0, 0.25, -0.5, 1 / 3, -2 / 3, 1.0, 0.1]), max_size=9)
#: Charles Darwin's heights of cross- and self-fertilized maize, in eighths of an inch.
MAIZE = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def test_there_is_one_wilson_interval():
    signs = re.compile(r"def \w*(wilson|mcnemar|holm)|1\.9599|NormalDist")
    rooms = ("schemas", "stats", "validator", "converters", "scoring", "cli", "apps")
    paths = [path for room in rooms for path in (ROOT / room).rglob("*.py")]
    homes = {p.relative_to(ROOT).as_posix() for p in paths if signs.search(p.read_text("utf-8"))}
    assert homes == {f"stats/{name}.py" for name in ("intervals", "paired_tests")}


# paired proportions


def test_mcnemar():
    assert mcnemar(1, 7) == 0.0703125  # Bentur et al. 2009, in Fagerland et al. 2013: 0.070
    assert mcnemar(5000, 5200) == pytest.approx(0.0488, abs=0.002)
    # As many as two models differ in on all of BLiMP; it took minutes.
    assert mcnemar(20_000, 20_400) == pytest.approx(
        math.erfc(399 / math.sqrt(2 * 40_400)), abs=1e-4
    )


@given(st.integers(0, 40), st.integers(0, 40))
def test_mcnemar_is_the_tail_of_a_binomial_distribution(one, other):
    count, ways = one + other, 2 ** (one + other)
    tail = sum(math.comb(count, k) for k in range(min(one, other) + 1))
    assert mcnemar(one, other) == (min(1.0, 2 * tail / ways) if count else 1.0)


def test_newcombe_s_interval_of_a_published_table():
    """Airway hyper-responsiveness (Bentur et al. 2009), in Fagerland, Lydersen and Laake 2014."""
    low, high = paired_interval(1, 1, 7, 12)
    assert (round(low, 3), round(high, 3)) == (0.026, 0.507)


@given(COUNTS)
def test_an_interval_holds_the_difference_and_turns_around_with_the_runs(counts):
    both, first, second, neither = counts
    low, high = paired_interval(both, first, second, neither)
    assert -1 <= low <= (second - first) / sum(counts) <= high <= 1
    assert paired_interval(both, second, first, neither) == pytest.approx((-high, -low))


def test_runs_that_never_differ_leave_an_interval():
    assert paired_interval(48, 0, 0, 0) == pytest.approx((-0.0741, 0.0741), abs=1e-4)
    assert wilson_interval(1.0, 48)[0] == pytest.approx(1 - 0.0741, abs=1e-4)


def test_no_item_of_many_right_is_not_above_a_chance_of_0():
    """Ends that are 0 and 1 are exact: the score of `=` predictions has a chance of 0."""
    assert {wilson_interval(0.0, items)[0] for items in range(1, 300)} == {0.0}
    assert {wilson_interval(1.0, items)[1] for items in range(1, 300)} == {1.0}


# scores of any size


def test_fisher_s_test_of_darwin_s_maize():
    assert sign_flip(MAIZE) == (1726 / 32768, 0)
    assert mean_interval(MAIZE) == pytest.approx((0.03, 41.84), abs=0.005)
    assert mean_error(MAIZE) == pytest.approx(9.746, abs=1e-3)


@given(STEPS)
def test_all_signs_are_counted(differences):
    """With a list of all sums, with digits of one number, and one by one."""
    exact = [Fraction(value).limit_denominator(1000) for value in differences]
    flipped = itertools.product((1, -1), repeat=len(exact))
    sums = [abs(sum(s * d for s, d in zip(signs, exact, strict=True))) for signs in flipped]
    p = sum(total >= abs(sum(exact)) for total in sums) / len(sums)
    assert sign_flip(differences) == (pytest.approx(p), 0)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(paired_tests, "ALL_SIGNS", 0)
        assert sign_flip(differences) == (pytest.approx(p), 0)


@given(st.integers(0, 40), st.integers(0, 40))
def test_signs_of_right_and_wrong_are_mcnemar_s_test(one, other):
    assert sign_flip([1.0] * one + [-1.0] * other + [0.0]).value == mcnemar(one, other)


def test_signs_that_are_drawn_have_a_standard_error():
    differences = [math.sin(k) + 0.13 for k in range(200)]
    p, error = sign_flip(differences)
    assert sign_flip(differences) == (p, error)
    assert sign_flip([-value for value in differences]) == (p, error)
    spread = math.sqrt(math.fsum(value**2 for value in differences))
    normal = math.erfc(abs(math.fsum(differences)) / spread / math.sqrt(2))
    assert 0 < error < 0.005
    assert abs(p - normal) < 4 * error


def test_an_extreme_p_value_is_never_zero():
    assert 0 < sign_flip([math.pi + math.sin(k) for k in range(500)]).value < 0.001


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [
        (1, 12.706204736174694), (5, 2.5705818356363146), (299, 1.9679296690656698),
        (300, 1.9679030112610865), (1500, 1.9615467538950184), (1999, 1.9611514201705613),
        (100_000, 1.9599877075346095),
    ],
)  # fmt: skip
def test_quantiles_of_t_are_those_of_scipy(freedom, quantile):
    """``scipy.stats.t.ppf(0.975, freedom)`` of scipy 1.17.1."""
    assert t_quantile(freedom) == pytest.approx(quantile, abs=2e-9)


@pytest.mark.parametrize("values", [[0.5], [0.0, 0.0, 0.0], [0.1 + 0.2, 0.3, 0.3]])
def test_values_without_spread_have_no_interval(values):
    assert mean_interval(values) is None


# many tests


def test_holm_s_correction():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([]) == []
    assert holm([0.2]) == [0.2]


@given(st.lists(st.floats(0, 1)))
def test_corrected_p_values_are_not_smaller_and_keep_their_order(values):
    corrected = holm(values)
    assert all(p <= q <= 1 for p, q in zip(values, corrected, strict=True))
    order = sorted(range(len(values)), key=values.__getitem__)
    assert all(corrected[a] <= corrected[b] for a, b in pairwise(order))


# other libraries


def test_numbers_of_scipy_and_statsmodels():
    """Of scipy 1.17.1 and statsmodels 0.15.0."""
    # binomtest(k, n).pvalue
    assert mcnemar(139, 168) == pytest.approx(0.10988309115756804, rel=1e-12)
    assert mcnemar(80, 126) == pytest.approx(0.0016512830651188226, rel=1e-12)
    # binomtest(37, 80).proportion_ci(0.95, "wilson")
    wilson = 0.3574799356278525, 0.5709564240873121
    assert wilson_interval(37 / 80, 80) == pytest.approx(wilson, abs=1e-12)
    # ttest_1samp(MAIZE, 0).confidence_interval(0.95)
    assert mean_interval(MAIZE) == pytest.approx((0.031193318392979563, 41.83547334827369))
    # multipletests(..., method="holm")
    p_values = [0.25, 0.375, 1, 1, 0.04, 0.0005, 0.012, 0.011]
    assert holm(p_values) == pytest.approx([1, 1, 1, 1, 0.2, 0.004, 0.077, 0.077])


# weighted means, and the power of tests


def test_a_weighted_mean_of_equal_values_has_no_spread():
    """As w d has: ten differences of .1 gave .038 to .162."""
    assert mean_interval([0.1] * 10, [1, 2, 3, 5, 8, 13, 20, 20, 20, 20]) is None
    assert mean_interval([0.1, 0.2], [1, 0]) is None, "one value has all the weight"
    nearly = mean_interval([0.1] * 9 + [0.101], [1, 2, 3, 5, 8, 13, 20, 20, 20, 20])
    assert nearly == pytest.approx((0.1, 0.1), abs=0.001)
    assert mean_interval(MAIZE, [7] * 15) == mean_interval(MAIZE)


@given(st.lists(st.integers(1, 9), min_size=3, max_size=9))
def test_the_spread_of_a_weighted_mean_is_that_of_its_parts(weights):
    """Of one value that differs: the share of its weight, and what is left of the others."""
    if len(set(weights)) == 1:
        return
    whole, values = sum(weights), [1.0, *[0.0] * (len(weights) - 1)]
    spread = mean_spread(values, weights)
    shares = [Fraction(weight, whole) for weight in weights]
    expected = sum(
        h**2 * (v - shares[0]) ** 2 / (1 - h) for h, v in zip(shares, values, strict=True)
    )
    assert spread.mean == pytest.approx(weights[0] / whole)
    assert spread.error**2 == pytest.approx(float(expected))
    assert spread.freedom == pytest.approx(whole**2 / sum(w * w for w in weights) - 1)


def test_intervals_of_weighted_means_cover_the_truth():
    """Of UIDs of 5 to 500 pairs whose differences vary about .1, as often as they should."""
    draw = random.Random(0)
    sizes = [5, 8, 12, 20, 20, 40, 80, 150, 300, 500]
    covered = 0
    for _ in range(4000):
        values = [draw.gauss(draw.gauss(0.1, 0.1), (0.3 / size) ** 0.5) for size in sizes]
        low, high = mean_interval(values, [min(size, 20) for size in sizes])
        covered += low <= 0.1 <= high
    assert 0.94 <= covered / 4000 <= 0.96


@pytest.mark.parametrize("differing", [0, 2, 7])
@pytest.mark.parametrize("items", [8, 20, 48])
def test_the_difference_that_would_show_is_found_in_80_of_100(items, differing):
    """Against every number of items that may differ, and every split of them."""
    difference = detectable_share(items, differing, 0.05)
    share = max(differing / items, difference)
    towards = (1 + difference / share) / 2

    def binomial(n, k, p):
        return math.comb(n, k) * p**k * (1 - p) ** (n - k)

    power = sum(
        binomial(items, n, share) * binomial(n, k, towards)
        for n in range(items + 1)
        for k in range(n // 2 + 1, n + 1)
        if mcnemar(n - k, k) < 0.05
    )
    assert power == pytest.approx(0.8, abs=0.03)


def test_too_few_items_show_no_difference():
    assert detectable_share(5, 2, 0.05) is None
    assert detectable_share(6, 2, 0.05) > 0.95


def test_the_mean_that_would_show_is_so_many_standard_errors():
    """2.262 and 0.883 for 9 degrees of freedom."""
    spread = mean_spread([float(k) for k in range(10)])
    assert detectable_mean(spread, 0.05) == pytest.approx(
        (2.262157 + 0.883404) * spread.error, 1e-6
    )
