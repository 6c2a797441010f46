"""Which items of a suite several models speak against."""

import random

import pytest
from evalmark.scoring.suites.item_evidence import rank_items

#: The effect that six models of unlike skill show, in bits; the last has none.
SKILLS = (6.0, 4.0, 3.0, 2.0, 1.0, 0.0)


def runs(reversed_items=(), flat=(), items=40, noise=1.0, seed=0, comparisons=2):
    """Margins of each model: of some items reversed, of others without an effect."""
    draw = random.Random(seed)
    sign = {
        item: -1 if item in reversed_items else 0 if item in flat else 1 for item in range(items)
    }
    return [
        {
            str(comparison): {item: sign[item] * skill + draw.gauss(0, noise) for item in sign}
            for comparison in range(comparisons)
        }
        for skill in SKILLS
    ]


def test_reversed_items_are_first_and_items_without_an_effect_next():
    ranked = rank_items(runs(reversed_items=(3, 17), flat=(8,)))
    assert {item.item for item in ranked[:2]} == {3, 17}
    assert ranked[2].item == 8
    assert ranked[0].agreement == pytest.approx(-1, abs=0.3)
    assert ranked[2].agreement == pytest.approx(0, abs=0.3)
    assert ranked[-1].agreement > 0.9
    assert ranked[0].correlation < -0.5 < 0.5 < ranked[-1].correlation
    assert ranked[0].against >= 4
    assert {item.runs for item in ranked} == {5}, "one shows no effect"


def test_a_tenth_that_is_reversed_fills_the_lowest_tenth():
    """Of twenty suites with as much noise as the effect of a model of middling skill."""
    found = 0
    for seed in range(20):
        chosen = set(random.Random(seed).sample(range(40), 4))
        ranked = rank_items(runs(chosen, noise=3.0, seed=seed, comparisons=1))
        found += sum(item.item in chosen for item in ranked[:4])
    assert found / 80 >= 0.7


def test_a_weak_comparison_that_is_reversed_is_not_hidden_by_a_strong_one():
    """Two exchanged conditions of four reverse one comparison; the other has a larger effect."""
    found = 0
    for seed in range(20):
        chosen = set(random.Random(seed).sample(range(40), 4))
        models = [
            {"weak": weak["0"], "strong": {item: 5 * m for item, m in strong["0"].items()}}
            for weak, strong in zip(
                runs(chosen, seed=seed, comparisons=1),
                runs(seed=seed + 20, comparisons=1),
                strict=True,
            )
        ]
        ranked = rank_items(models)[:4]
        found += sum(item.item in chosen for item in ranked)
        assert {item.comparison for item in ranked if item.item in chosen} == {"weak"}
    assert found / 80 >= 0.9


def test_what_has_no_evidence_is_not_ranked():
    assert rank_items(runs()[:2]) == [], "two runs"
    assert rank_items(runs(flat=range(40))) == [], "no effect"
    flat = {"0": dict.fromkeys(range(5), 0.0)}
    assert rank_items([flat] * 3) == [], "no effect in the rest"
    alone = {"0": {1: 2.0}}
    assert rank_items([alone] * 3) == [], "an item without a rest"


def test_a_model_without_an_effect_says_nothing():
    with_it = rank_items(runs(reversed_items=(3,)))
    without = rank_items(runs(reversed_items=(3,))[:-1])
    for one, other in zip(with_it[:1], without[:1], strict=True):
        assert one.item == other.item
        assert one.agreement == pytest.approx(other.agreement, abs=0.02)
