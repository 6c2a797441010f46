"""The size of effects on the page of a run."""

import re
import statistics

import pytest
from evalmark.scoring.reports.comparison.model_scores import scores_of
from evalmark.scoring.reports.comparison.models_page import models_page
from evalmark.scoring.reports.suite_page import (
    effect_table,
    item_ranking,
    margins_of,
    suites_page,
)
from evalmark.scoring.runs.run_sources import run_at
from evalmark.stats.effect_sizes import effect_size
from evalmark.validator.formats.suites.formula.formula_syntax import unparse
from run_data import cell, suite_view, table, view_of
from standin_runs import write_run

pytest.importorskip("jinja2")

INFINITE = float("inf")


def suite_with(*formulas, values, conditions="ab"):
    """A suite of one region, given its values in the conditions of each item."""
    items = [
        {name: [cell("x", bits)] for name, bits in zip(conditions, row, strict=True)}
        for row in values
    ]
    return suite_view(formulas, items, ((1, "one"),))


VALUES = [(1.0, 3.5), (2.0, 2.5), (4.0, 3.0), (1.0, 2.0)]


def test_a_row_for_each_comparison_of_each_prediction():
    suite = suite_with(
        "(1;%a%) < (1;%b%)", "((1;%a%) > (1;%b%)) & ((*;%a%) = (1;%b%))", values=VALUES
    )
    first, second, equal = suite.effects
    assert (first.prediction, unparse(first.comparison)) == ("1", "(1;%a%) < (1;%b%)")
    assert first.size == effect_size([2.5, 0.5, -1.0, 1.0])
    assert (second.prediction, second.size.mean) == ("2", -0.75)
    assert (equal.kind, equal.size.sign_flip) == ("equality", None)


def test_an_interaction_is_called_one_and_an_equality_has_no_p_value():
    formulas = ("(*;%a%) - (1;%b%) > (*;%b%) - (1;%a%)", "(1;%a%) = (1;%b%)")
    main, equal = effect_table(suite_with(*formulas, values=VALUES), "E").split("<tr>")[2:]
    assert "interaction" not in main
    assert equal.count("<td class=number><td class=number><td class=number>") == 1  # t, both p
    rows = [(5.0, 1.0, 2.0, 1.0), (4.0, 1.0, 2.0, 1.5)]
    formula = "((1;%a%) - (1;%b%)) - ((1;%c%) - (1;%d%)) > 0"
    html = effect_table(suite_with(formula, values=rows, conditions="abcd"), "E")
    assert "&gt; 0</code> (interaction)<td class=number>2.75" in html


def test_undefined_and_infinite_margins_do_not_count():
    suite = suite_with(
        "(1;%a%) < (1;%b%)", values=[*VALUES, (None, 1.0), (INFINITE, INFINITE), (INFINITE, 1.0)]
    )
    (effect,) = suite.effects
    assert effect.size == effect_size([2.5, 0.5, -1.0, 1.0])
    (undefined,) = suite_with("(1;%a%) < (1;%b%)", values=[(None, None)]).effects
    assert undefined.size is None


@pytest.mark.parametrize("formula", ["(1;%a%) <", "(1;%a%)", "(9;%a%) < 1"])
def test_what_cannot_be_compared_has_no_row(formula):
    assert effect_table(suite_with(formula, values=VALUES), "Effects") == ""


def test_a_comparison_of_a_truth_value_has_no_row():
    suite = suite_with("(1;%a%) < (1 < 2)", values=VALUES)
    assert [unparse(effect.comparison) for effect in suite.effects] == ["1 < 2"]


def test_the_table_has_means_intervals_and_p_values():
    html = effect_table(suite_with("(1;%a%) < (1;%b%)", values=VALUES), "Effects & more")
    assert "<caption>Effects &amp; more</caption>" in html
    assert "<th scope=row>all<td><code>(1;%a%) &lt; (1;%b%)</code><td class=number>0.75" in html
    assert "<td class=number>-1.55 to 3.05<td class=number>1.04<td class=number>0.38" in html
    assert html.count("<td class=number>0.50<td class=number>4<") == 1  # 8 of 16 signs


def test_equal_margins_have_no_interval_and_no_t_test():
    html = effect_table(suite_with("(1;%a%) < (1;%b%)", values=[(1.0, 2.0)] * 6), "Effects")
    assert "<td class=number>1.00<td class=number><td class=number><td class=number>" in html
    assert "<td class=number>0.0312<td class=number>6" in html


def test_the_page_has_the_means_of_the_table_of_effects(tmp_path):
    write_run(tmp_path, "lab/model", suites=3, items=5)
    rows = table(tmp_path, "effects")
    page = suites_page([view_of(tmp_path)])
    tables = re.findall("<table class=effects>.*?</table>", page, re.DOTALL)
    assert len(tables) == 3
    shown = [
        float(mean) for t in tables for mean in re.findall(r"</code><td class=number>([-.\d]+)", t)
    ]
    margins = {}
    for row in rows:
        key = row["suite"], row["prediction"], row["comparison"]
        margins.setdefault(key, []).append(float(row["margin"]))
    assert shown == [pytest.approx(statistics.fmean(m), abs=0.0051) for m in margins.values()]


def test_several_runs_rank_the_items_that_speak_against_the_rest():
    """The fourth of twelve items is reversed for three models of unlike skill."""
    runs = [
        suite_with(
            "(1;%a%) < (1;%b%)",
            values=[(5.0, 5.0 - skill if n == 4 else 5.0 + skill + n / 10) for n in range(1, 13)],
        )
        for skill in (1.0, 2.0, 4.0)
    ]
    html = item_ranking([*map(margins_of, runs)], "ranked")
    assert re.findall(r"<th scope=row>(\d+)<td><code>(.*?)</code>", html) == [
        ("4", "(1;%a%) &lt; (1;%b%)")
    ]
    assert "3 of 3" in html
    assert item_ranking([*map(margins_of, runs[:2])], "ranked") == "", "two runs say too little"
    even = [suite_with("(1;%a%) = (1;%b%)", values=[(1.0, 1.0 + n) for n in range(8)])] * 3
    assert item_ranking([*map(margins_of, even)], "ranked") == "", "`=` has no direction"


def test_the_page_of_several_runs_has_the_ranking(tmp_path, monkeypatch):
    ranking = "evalmark.scoring.reports.suite_page.item_ranking"
    monkeypatch.setattr(ranking, lambda suites, caption: f"<b>{len(suites)} runs: {caption}</b>")
    names = "lab/a", "lab/b", "lab/c"
    for name in names:
        write_run(tmp_path / name, name, suites=1, items=3)
    runs = [view_of(tmp_path / name) for name in names]
    page = suites_page(runs)
    assert "Items that speak against the rest" in page
    assert "<b>3 runs: Items that agree least with the rest of the suite: " in page
    monkeypatch.setattr(ranking, lambda *_: "")
    assert "Items that speak against the rest" not in suites_page(runs)


def test_a_table_of_many_runs_has_the_ranking_too(tmp_path, monkeypatch):
    ranking = "evalmark.scoring.reports.comparison.models_page.item_ranking"
    monkeypatch.setattr(ranking, lambda runs, caption: f"<b>{len(runs)} runs: {caption}</b>")
    paths = [write_run(tmp_path / str(n), f"lab/{n}", seed=n, suites=1, items=3) for n in range(9)]
    page = models_page([scores_of(run_at(path)) for path in paths])
    assert "<b>9 runs: Items that agree least with the rest of the suite: number_prp_1" in page
