"""Chance: exact where it can be, and the same for equal designs."""

import math
import random
from fractions import Fraction
from itertools import permutations

import pytest
from conftest import FIXTURES
from evalmark.scoring.suites.chance import (
    DRAWS,
    IGNORANCE,
    Chance,
    chances,
    design_of,
    exact_probability,
    mean,
    simulated_probability,
)
from evalmark.scoring.suites.suite_loading import load_suite, prepare
from evalmark.validator.formats.suites.formula.meaning import evaluate
from evalmark.validator.formats.suites.unknowns import item_forms
from looping import loops_over
from suites import suite_of

np = pytest.importorskip("numpy")

#: The names of as many conditions; the regions before the last are alike in all.
CONDITIONS = "abcdef"


def suite(*formulas, items=1, metric="sum", conditions=CONDITIONS):
    rows = [
        {name: ["The", "pilot", f"{name}{number}", "landed"] for name in conditions}
        for number in range(items)
    ]
    return prepare(suite_of(rows, list(formulas), metric), "x", "core")


def chance(*formulas, **options):
    return chances(suite(*formulas, **options))[-1]


def v(name):
    """The region in which the conditions differ first: one unknown for each condition."""
    return f"(3;%{name}%)"


# known numbers

INTERACTION = "(3;%a%) - (3;%b%) > (3;%c%) - (3;%d%)"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("(3;%a%) > (3;%b%)", "1/2"),
        ("(3;%a%) > (3;%b%) & (3;%c%) > (3;%d%)", "1/4"),
        ("(3;%a%) > (3;%b%) | (3;%c%) > (3;%d%)", "3/4"),
        ("(3;%a%) < (3;%b%) & (3;%c%) < (3;%d%) & (3;%a%) < (3;%d%)", "5/24"),
        ("(3;%a%) < (3;%b%) & (3;%b%) < (3;%c%)", "1/6"),
        ("(3;%a%) < (3;%b%) & (3;%a%) < (3;%c%)", "1/3"),
        ("(3;%a%) < (3;%b%) & (3;%b%) < (3;%a%)", "0"),
        ("(3;%a%) < (3;%b%) | (3;%b%) < (3;%a%)", "1"),
        (INTERACTION, "1/2"),
        (f"(3;%a%) > (3;%b%) & {INTERACTION}", "3/8"),
        (f"(3;%a%) > (3;%b%) & (3;%a%) > (3;%c%) & {INTERACTION}", "5/16"),
        ("(3;%a%) > (3;%b%) + (3;%c%)", "1/4"),
        ("(3;%a%) + (3;%a%) > (3;%b%)", "2/3"),
        ("(4;%a%) > (4;%b%)", "1/2"),
        ("(*;%a%) > (*;%b%) & (*;%b%) > (*;%c%)", "1/6"),
        ("(2;%a%) > (2;%a%)", "0"),
        ("(1;%a%) = (1;%b%)", "1"),
        ("(3;%a%) = (3;%b%)", "0"),
        ("(3;%a%) + (2;%a%) = (2;%b%) + (3;%a%)", "1"),
        ("(3;%a%) > 0 & (3;%a%) > (3;%b%) - (3;%b%)", "1"),
        ("(3;%a%) < 0", "0"),
        ("2 < 3 & (3;%a%) > (3;%b%)", "1/2"),
        ("(3;%a%) = (3;%a%) + 0.0005", "1"),
        ("(3;%a%) = (3;%a%) + 0.5", "0"),
    ],
)
def test_chance_of_known_formulas(formula, expected):
    found = chance(formula)
    assert found.fraction == expected
    assert found.standard_error == 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("agreement_attractor", "1/4"), ("garden_path", "5/16"), ("negative_polarity", "5/24"),
        ("reflexive_gender", "1/2"), ("relative_clause", "1/4"),
    ],
)  # fmt: skip
def test_the_demo_suites_have_exact_chances(name, expected):
    found = chances(load_suite(str(FIXTURES / f"suites/{name}.json")))
    assert [one.fraction for one in found] == [expected, expected]


def test_published_suites_have_exact_chances(shared):
    known = {Fraction(n, d) for n, d in ((0, 1), (1, 2), (1, 4), (5, 16), (5, 24))}
    for path in sorted((shared / "data/suites").glob("*-json/*.json")):
        found = chances(load_suite(str(path)))
        assert {one.share for one in found} <= known, path.name
        assert not any(one.standard_error for one in found)


def test_predictions_are_joined():
    found = chances(suite("(3;%a%) > (3;%b%)", "(3;%b%) > (3;%c%)"))
    assert [one.fraction for one in found] == ["1/2", "1/2", "1/6"]
    assert chances(suite()) == ()


def test_items_of_different_designs_are_averaged():
    alike = {name: ["The", "pilot", word, "x"] for name, word in zip("abcd", "uuvw", strict=True)}
    rows = [alike, {name: ["The", "pilot", name, "x"] for name in "abcd"}]
    data = suite_of(rows, ["(3;%a%) > (3;%c%) & (3;%b%) > (3;%d%)"])
    # u > v & u > w in the first, a > c & b > d in the second
    found = chances(prepare(data, "x", "core"))[-1]
    assert found.share == (Fraction(1, 3) + Fraction(1, 4)) / 2
    assert found.shown == "0.292 (7/24)"


def test_a_prediction_of_an_undefined_value_does_not_hold():
    rows = [{"a": ["The", ""], "b": ["The", "pilot"]}, {"a": ["The", "x"], "b": ["The", "y"]}]
    data = suite_of(rows, ["(2;%a%) < (2;%b%)"], metric="mean")
    assert chances(prepare(data, "x", "core"))[-1].fraction == "1/4"


# exact numbers against other ways to find them


def random_formula(draw, comparison, depth=2, order=None):
    """A formula; ``order`` changes the order of the parts of the same one."""
    if depth == 0 or draw.random() < 0.3:
        return comparison(draw)
    operator = draw.choice("&|")
    count = draw.choice((2, 2, 3))
    parts = [random_formula(draw, comparison, depth - 1, order) for _ in range(count)]
    if order is not None:
        order.shuffle(parts)
    return "(" + f" {operator} ".join(parts) + ")"


def order(draw):
    one, other = draw.sample(CONDITIONS[:5], 2)
    return f"{v(one)} {draw.choice('<>')} {v(other)}"


@loops_over("seed", range(100), sample=20)
def test_orders_are_counted(seed):
    """Every continuous distribution gives orders this probability."""
    loaded = suite(random_formula(random.Random(seed), order), conditions=CONDITIONS[:5])
    (tree,) = loaded.trees
    orders = [dict(zip(CONDITIONS, ranks, strict=False)) for ranks in permutations(range(5))]
    hold = sum(evaluate(tree, lambda part, by=ranks: by[part.condition]) for ranks in orders)
    assert chances(loaded)[-1].share == Fraction(hold, len(orders))


def linear(draw):
    def total(count):
        parts = [f"({draw.choice('334*')};%{draw.choice(CONDITIONS[:4])}%)" for _ in range(count)]
        signs = [f" {draw.choice('+-')} " for _ in parts[1:]] + [""]
        return "".join(part + sign for part, sign in zip(parts, signs, strict=True))

    return (
        f"{total(draw.choice((1, 2)))} {draw.choice('<<<<>>>>=')} {total(draw.choice((1, 2, 2)))}"
    )


#: Draws so large that the tolerance of ``=`` does not matter.
SCALE = 1e6
SIMULATED = 40_000


@loops_over("seed", range(200), sample=20)
def test_exact_chance_is_what_a_simulation_of_the_formula_tends_to(seed):
    loaded = suite(random_formula(random.Random(seed), linear), conditions=CONDITIONS[:4])
    (tree,), (item,) = loaded.trees, loaded.suite.items
    found = chances(loaded)[-1]
    assert found.standard_error == 0
    forms = item_forms(item, "sum")
    count = 1 + max(unknown for form in forms.values() for unknown in form)
    draws = SCALE * np.random.default_rng(seed).exponential(size=(count, SIMULATED))

    def value_of(part):
        return sum(n * draws[unknown] for unknown, n in forms[part.condition, part.region].items())

    share = float(np.mean(evaluate(tree, value_of)))
    likely = float(found.share)
    error = math.sqrt(likely * (1 - likely) / SIMULATED)
    assert abs(share - likely) <= 5 * error + 1e-4  # ``=`` has a tolerance of 1e-5


@pytest.mark.parametrize("seed", range(10))
def test_simulated_chance_is_exact_within_its_error(seed):
    loaded = suite(random_formula(random.Random(seed), linear), conditions=CONDITIONS[:4])
    design = design_in(loaded)
    if not design.columns:
        assert exact_probability(design) in (0, 1)
        return
    share, error = simulated_probability(design)
    assert abs(share - exact_probability(design)) <= 5 * error
    assert error <= 0.001


# equal designs


def design_in(loaded):
    forms = item_forms(loaded.suite.items[0], loaded.suite.metric)
    return design_of(loaded.trees, lambda part: forms[part.condition, part.region])


@pytest.mark.parametrize("comparison", [linear, order])
@loops_over("seed", range(100), sample=20)
def test_names_do_not_change_a_design_and_orders_change_a_simulation_at_most(seed, comparison):
    formula = random_formula(random.Random(seed), comparison)
    other_order = random_formula(random.Random(seed), comparison, order=random.Random(-seed))
    names = random.Random(seed).sample(CONDITIONS, len(CONDITIONS))

    def renamed(formula):
        return "".join(
            names[CONDITIONS.index(letter)] if letter in CONDITIONS else letter
            for letter in formula
        )

    one = f"({formula}) & {v('a')} < {v('b')} + 1"
    assert design_in(suite(one)) == design_in(suite(renamed(one)))
    assert chance(one) == chance(renamed(one))
    other = chance(f"{v(names[1])} + 1 > {v(names[0])} & ({renamed(other_order)})")
    error = chance(one).standard_error
    assert abs(float(chance(one).share - other.share)) <= 7 * error
    # Where a few of a million draws hold, the error is as uncertain as their number.
    assert other.standard_error == pytest.approx(error, rel=0.1, abs=1e-5)


# where there is no exact number


def test_a_constant_is_simulated():
    found = chance("(3;%a%) - (3;%b%) > 1")
    assert found.fraction is None
    assert 0 < found.standard_error <= 0.001
    assert abs(found.share - math.exp(-1) / 2) <= 5 * found.standard_error
    assert found.shown == f"{float(found.share):.3f} (±0.001)"
    assert found == chance("(3;%e%) < (3;%d%) - 1")


def test_a_formula_of_many_entangled_sums_is_simulated():
    draw = random.Random(1)

    def sums(_):
        one, two, three, four = (
            f"({draw.choice('34*')};%{draw.choice(CONDITIONS)}%)" for _ in range(4)
        )
        return f"{one} - {two} < {three} + {four} - {v('a')}"

    found = chance(" & ".join(sums(draw) for _ in range(12)))
    assert 0 < found.standard_error <= 0.001
    assert found.share.denominator <= DRAWS


def test_a_thousand_comparisons_are_simulated_with_fewer_draws():
    draw = random.Random(1)
    parts = [
        f"{v(draw.choice('abc'))} - {draw.randrange(1, 10**6)} > {v(draw.choice('def'))}"
        for _ in range(1000)
    ]
    found = chance(" | ".join(parts))
    # 250,000 by a thousandth of the comparisons, unknowns and terms: 1000, 6 and 2000.
    assert found.share == 0, "the error is one in so many draws"
    assert found.standard_error == pytest.approx(1 / 80_000, rel=1e-3)


def test_constants_can_be_huge():
    assert chance(f"{v('a')} > 1e308 + 1e308").share == 0
    assert chance(f"{v('a')} + 1e308 + 1e308 = {v('a')} + 1e308 + 1e308").share == 1


# how it is shown


@pytest.mark.parametrize(
    ("found", "shown"),
    [
        (Chance(Fraction(1, 4)), "0.250 (1/4)"),
        (Chance(Fraction(0)), "0.000 (0)"),
        (Chance(Fraction(1)), "1.000 (1)"),
        (Chance(Fraction(2501, 20_000)), "0.125 (exact for Exp(1))"),
        (Chance(Fraction(1, 3), 0.0009), "0.333 (±0.001)"),
        (Chance(Fraction(1, 3), 0.0021), "0.333 (±0.003)"),
    ],
)
def test_how_chance_is_shown(found, shown):
    assert found.shown == shown


def test_what_a_record_says():
    assumption = {"chance_assumption": "independent Exp(1) surprisals"}
    assert Chance(Fraction(5, 24)).details() == {
        "chance": str(5 / 24),
        "chance_fraction": "5/24",
        "chance_standard_error": "0",
        **assumption,
    }
    assert Chance(Fraction(1, 3), 0.00001).details() == {
        "chance": str(1 / 3), "chance_standard_error": "1e-05", **assumption,
    }  # fmt: skip


@pytest.mark.parametrize(
    "found", [Chance(Fraction(5, 24)), Chance(Fraction(0)), Chance(Fraction(float(1 / 7)), 0.0021)]
)
def test_a_record_has_chance_without_loss(found):
    assert Chance.of_details(found.details()) == found


def test_an_average_is_exact_if_all_are():
    exact, simulated = Chance(Fraction(1, 4)), Chance(Fraction(1, 2), 0.001)
    assert mean([exact, exact, Chance(Fraction(1, 2))]) == Chance(Fraction(1, 3))
    assert mean([exact, simulated]) == Chance(Fraction(3, 8), 0.0005)


def test_the_sentence_for_readers_says_what_is_computed():
    assert "1/2 · 1/2 = 1/4" in IGNORANCE
    assert chance("(3;%a%) > (3;%b%)").fraction == "1/2"
    assert chance("(3;%a%) > (3;%b%) & (3;%c%) > (3;%d%)").fraction == "1/4"
