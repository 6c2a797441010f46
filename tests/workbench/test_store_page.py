"""Stores in the browser: a question, its answer, and the next question that a name asks."""

from __future__ import annotations

import shutil

import pytest
from browser import violations
from conftest import FIXTURES
from serving import served, suite_page
from standin_store import result, store_of

pytest.importorskip("starlette")
pytest.importorskip("duckdb")

RESULTS = [
    result("lab/a", "Facts", 0.5),
    result("lab/a", "Facts", 0.9, file="again.json", settings='{"shots": 5}'),
    result("lab/b", "Facts", 0.75, samples=None),
    result("lab/c", "Facts", 0.625, samples=9),
    result("lab/b", "Sums <b>", 75.0),
]


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    shutil.copy(FIXTURES / "good/record.json", folder / "record.json")
    store_of(folder / "boards/one", RESULTS)
    store_of(folder / "boards/two", [result()])
    with served(folder) as address:
        yield address


def texts(page, column):
    """The cells of a column of the answer, by its place."""
    return page.locator(f".answer tbody tr > :nth-child({column})").all_inner_texts()


def test_a_question_is_asked_from_the_first_page(site, browser):
    with suite_page(browser, site) as served_page:
        page = served_page.page
        stores = page.get_by_role("region", name="Stores")
        stores.get_by_role("combobox", name="Store", exact=True).select_option("boards/one")
        field = stores.get_by_role("combobox", name="Benchmark", exact=True)
        field.focus()
        page.wait_for_function("() => document.querySelectorAll('datalist option').length === 2")
        field.fill("facts")
        field.press("Enter")
        page.get_by_role("heading", name="Models of facts").wait_for()
        page.wait_for_selector(".answer")
        assert texts(page, 2) == ["lab/a", "lab/b", "lab/c"]
        assert page.get_by_role("status").filter(has_text="3 rows").is_visible()
        page.get_by_role("link", name="lab/b").click()
        page.get_by_role("heading", name="Results of lab/b").wait_for()
        page.get_by_role("link", name="Sums <b>").click()
        page.get_by_role("heading", name="Models of Sums <b>: all, accuracy").wait_for()
        page.get_by_text("1 score has no rank").wait_for()
        page.get_by_role("link", name="bounds", exact=True).click()
        page.get_by_text("a percentage: the scale is 0 to 1").wait_for()
        for _ in range(4):
            page.go_back()
        served_page.go("store/boards%2Fone/compare/lab%2Fa/lab%2Fb", ".answer")
        assert page.get_by_role("heading", name="lab/a and lab/b").is_visible()
        assert texts(page, 1)[0] == "Facts: all, accuracy"
        served_page.go("store/boards%2Fone/diff/boards%2Ftwo", ".answer")
        assert page.get_by_role("heading", name="What has changed in boards/two").is_visible()
        assert "removed" in texts(page, 3)
        served_page.go("", ".stores")


def test_columns_sort_with_the_keyboard_and_empty_cells_are_last(site, browser):
    with suite_page(browser, site) as served_page:
        page = served_page.page
        served_page.go("store/boards%2Fone/top/facts", ".answer")
        names = page.locator(".answer thead button").all_inner_texts()
        assert names == [
            "rank",
            "model",
            "score",
            "samples",
            "results",
            "worst",
            "setting",
            "source",
        ]
        button = page.get_by_role("button", name="samples")
        button.focus()
        orders = []
        for _ in range(3):
            page.keyboard.press("Enter")
            sort = page.get_by_role("columnheader", name="samples").get_attribute("aria-sort")
            orders.append((sort, texts(page, 4)))
        assert orders == [
            ("ascending", ["9", "100", ""]),
            ("descending", ["100", "9", ""]),
            (None, ["100", "", "9"]),
        ]
        page.get_by_label("columns").check()
        assert "settings" in page.locator(".answer thead").inner_text()


def test_sql_is_asked_from_the_keyboard_and_shows_more_rows_on_demand(site, browser):
    with suite_page(browser, site) as served_page:
        page = served_page.page
        served_page.go("store/boards%2Fone/sql/SELECT 1.5::DOUBLE AS x, true AS y", ".answer")
        assert texts(page, 1) + texts(page, 2) == ["1.5", "yes"]
        query = page.get_by_label("SELECT")
        query.fill("SELECT * FROM range(300)")
        query.press("Control+Enter")
        page.get_by_text("the first 200 rows; there are more").wait_for()
        page.get_by_role("button", name="Show up to 1,000 rows").click()
        page.get_by_text("300 rows", exact=True).wait_for()


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("sql/DROP VIEW results", "DROP is not a question"),
        ("show/nobody", "unknown model 'nobody'"),
    ],
)
def test_what_cannot_be_answered_is_a_sentence(site, browser, place, said):
    context = browser.new_context()
    page = context.new_page()
    page.goto(site)
    page.wait_for_selector("h1")
    page.goto(f"{site.partition('?')[0]}#/store/boards%2Fone/{place}")
    page.locator(".bad", has_text=said).wait_for()
    assert page.get_by_role("button", name="Ask").is_visible()
    page.goto(f"{site.partition('?')[0]}#/store/boards%2Fone/show/lab%2F")
    page.get_by_role("link", name="lab/c").click()
    page.get_by_role("heading", name="Results of lab/c").wait_for()
    context.close()


def test_records_have_their_findings(site, browser):
    with suite_page(browser, site) as page:
        page.page.get_by_text("1 record").click()
        page.page.get_by_role("cell", name="clean").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_no_violation_in_stores(site, browser, width, scheme):
    options = {"color_scheme": scheme, "bypass_csp": True}
    with suite_page(browser, site, width=width, **options) as page:
        questions = ("top/facts", "conflicts", "missing/benchmark", "sql/FROM results")
        for place in ("", *(f"store/boards%2Fone/{question}" for question in questions)):
            page.go(place, ".answer" if place else ".stores")
            assert not violations(page.page)
            assert page.page.evaluate("document.documentElement.scrollWidth") == width
