"""A page says which inequality of a prediction failed in an item, and by how many bits."""

import pytest
from evalmark.scoring.reports.suite_page import compared_parts, failures, item_table
from run_data import cell, suite_view

A = (cell("a", 5.0, 1), cell("b", 1.0, 2))
B = (cell("a", 3.0, 1), cell("b", None, 2))
C = (cell("a", 3.0, 1), cell("<b>", 2.5, 2))


def suite_with(*formulas):
    return suite_view(formulas, [{"a": A, "b": B, "c": C}], ((1, "one"), (2, "two")))


def told(*formulas):
    suite = suite_with(*formulas)
    parts = compared_parts(suite)
    return [
        (f.prediction, f.inequality, f.left, f.right, f.bits)
        for f in failures(suite.items[0], parts.trees)
    ]


@pytest.mark.parametrize(
    ("formula", "failing"),
    [
        # The only inequality of a prediction needs no name.
        ("(1;%a%) < (1;%b%)", [("", 5.0, 3.0, 2.0)]),
        ("((1;%a%) < (1;%b%)) & ((1;%b%) < (1;%a%)) & ((1;%b%) > (1;%c%))",
         [("(1;%a%) < (1;%b%)", 5.0, 3.0, 2.0), ("(1;%b%) > (1;%c%)", 3.0, 3.0, 0.0)]),
        # A failing alternative does not matter if the other holds.
        ("(((1;%a%) < (1;%b%)) | ((1;%b%) < (1;%a%))) & ((1;%a%) = (1;%c%))",
         [("(1;%a%) = (1;%c%)", 5.0, 3.0, 2.0)]),
        ("(*;%a%) + 1 < (*;%c%)", [("", 7.0, 5.5, 1.5)]),
    ],
)  # fmt: skip
def test_the_inequalities_that_fail_are_told(formula, failing):
    assert told(formula) == [("1", *one) for one in failing]


@pytest.mark.parametrize(
    "formula", ["(2;%b%) < 1", "(*;%b%) < 1", "(3;%a%) < 1", "(1;%a%) <", "(1;%a%)", "(1 < 2) + 1"]
)
def test_what_cannot_be_said_is_left_out(formula):
    """An undefined or missing value; a formula that is none, in a folder from elsewhere."""
    assert told(formula) == []


def test_the_table_of_items():
    suite = suite_with(
        "((1;%a%) < (1;%b%)) & ((1;%b%) < (1;%a%))", "(1;%b%) < (1;%c%)", "(2;%b%) < 1"
    )
    html = item_table([("m", suite)], [0], compared_parts(suite), "Items & more")
    assert "<caption>Items &amp; more</caption>" in html
    assert (
        "item 1 <b>prediction 1 fails</b>: <code>(1;%a%) &lt; (1;%b%)</code> by 2.00 bits "
        "(5.00 ≮ 3.00); <b>prediction 2 fails</b> (3.00 ≮ 3.00); <b>prediction 3 fails</b>"
    ) in html
    assert "<tr><th scope=row>c<td class=C>a\n3.00<td class=b>&lt;b&gt;\n2.50" in html
    assert "<tr><th scope=row>b<td class=C>a\n3.00<td class=m>b\nundefined" in html


def test_regions_that_are_compared_know_their_predictions():
    parts = compared_parts(suite_with("(1;%a%) < (2;%a%)", "(1;%b%) < (*;%c%)"))
    assert parts.regions == {1: ("1", "2"), 2: ("1",)}
    assert parts.cells == {("a", 1), ("a", 2), ("b", 1), ("c", None)}
