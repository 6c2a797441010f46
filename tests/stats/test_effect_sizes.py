"""The size of an effect against published values, against sums, and against scipy."""

import math
import random

import pytest
from evalmark.stats.effect_sizes import effect_size
from evalmark.stats.intervals import mean_interval, student_p
from evalmark.stats.paired_tests import SEED, PValue
from hypothesis import given
from hypothesis import strategies as st

#: Hours of sleep gained with the second drug over the first (Student 1908).
SLEEP = [1.2, 2.4, 1.3, 1.3, 0.0, 1.0, 1.8, 0.8, 4.6, 1.4]
MARGINS = st.lists(st.floats(-50, 50, allow_subnormal=False), min_size=2, max_size=10)


def test_the_sleep_of_student():
    """t = 4.0621 with 9 degrees of freedom, p = 0.002833; interval 0.7001 to 2.4599 (R)."""
    size = effect_size(SLEEP)
    assert (size.items, size.mean) == (10, pytest.approx(1.58))
    assert size.t == pytest.approx(4.0621, abs=5e-5)
    assert size.t_test == pytest.approx(0.002833, abs=5e-7)
    assert size.interval == pytest.approx((0.7001142, 2.4598858), abs=1e-6)


@pytest.mark.parametrize(
    ("t", "freedom", "p"),
    [
        (1.0, 1, 0.5),  # Cauchy's distribution
        (math.sqrt(2), 2, 1 - math.sqrt(0.5)),
        (0.0, 7, 1.0),
        (12.706204736, 1, 0.05),
        (1e6, 1, 2e-6 / math.pi),
        (1e4, 2, 1e-8),
    ],
)
def test_p_values_in_closed_form(t, freedom, p):
    assert student_p(t, freedom) == pytest.approx(p, rel=1e-7)
    assert student_p(-t, freedom) == student_p(t, freedom)


@given(MARGINS)
def test_an_interval_without_zero_is_a_p_value_below_a_twentieth(margins):
    size = effect_size(margins)
    if size.interval is None:
        assert (size.t, size.t_test) == (None, None)
        return
    assert size.interval == mean_interval(margins)
    low, high = size.interval
    if min(abs(low), abs(high)) > 1e-6 * (high - low):
        assert (size.t_test < 0.05) == (low > 0 or high < 0)


def test_many_items_are_drawn_and_the_same_each_time():
    values = random.Random(SEED)
    margins = [values.gauss(0.3, 1) for _ in range(60)]
    size = effect_size(margins)
    assert size == effect_size(margins)
    assert size.sign_flip.standard_error > 0
    assert size.sign_flip.value == pytest.approx(size.t_test, abs=0.02)


def test_equal_margins_have_no_t_test():
    assert effect_size([]) is None
    assert effect_size([2.0])[:5] == (1, 2.0, None, None, None)
    size = effect_size([0.5] * 6)
    assert size[:5] == (6, 0.5, None, None, None)
    assert size.sign_flip == PValue(2 / 64)
    assert effect_size([0.0, 0.0]).sign_flip == PValue(1.0)


@pytest.mark.parametrize("count", [2, 3, 10, 48, 1000])
@pytest.mark.parametrize("shift", [0.0, 0.2, 5.0])
def test_scipy_has_the_same_t_test(count, shift):
    stats = pytest.importorskip("scipy.stats")
    values = random.Random(count)
    margins = [values.gauss(shift, 1) for _ in range(count)]
    size = effect_size(margins)
    theirs = stats.ttest_1samp(margins, 0.0)
    assert size.t == pytest.approx(theirs.statistic, rel=1e-9)
    assert size.t_test == pytest.approx(theirs.pvalue, rel=1e-7)
