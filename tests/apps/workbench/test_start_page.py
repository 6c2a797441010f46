"""The first page for a reader who has seen no suite: an introduction, and examples with results."""

import shutil

import pytest
from browser import violations
from conftest import FIXTURES
from serving import SUITE, suite_page, texts

pytest.importorskip("starlette")


def test_an_example_shows_its_result_before_anything_is_run(site, browser):
    _, address = site
    with suite_page(browser, address, width=400) as page:
        assert page.page.inner_text("h1") == "evalmark"
        page.page.get_by_text("What these words mean").click()
        assert page.page.get_by_text("in bits: 0 is certain").is_visible()
        page.page.get_by_role("button", name="What is a suite?").click()
        assert "test sentences" in page.page.inner_text(".what-note:popover-open")
        page.keys("Escape")
        page.page.get_by_role("link", name="Garden path").click()
        page.page.wait_for_selector(".grid .cell.active")
        page.checked()
        assert page.page.inner_text(".summary").startswith("no mistakes found")
        assert "Below 8 items" not in page.page.inner_text(".found")
        assert "knows no English" in page.page.inner_text("#main")
        assert page.page.locator(".charts svg").count()
        assert page.page.locator(".token").first.inner_text().startswith("While")
        changed = page.page.get_by_text("before your changes")
        assert not changed.is_visible()
        page.page.locator(".cell.active").focus()
        page.type("When the pilot", "Enter")
        assert changed.is_visible()
        # Left and opened again, the edit is there; undone, nothing is kept.
        page.go("", ".start")
        assert page.page.get_by_text("is not saved").count() == 1
        assert page.page.get_by_text("No suite is saved yet.").is_visible()
        page.go("new/example-garden-path", ".grid")
        assert changed.is_visible()
        page.keys("Control+z")
        assert not changed.is_visible()
        assert not violations(page.page)


def test_explanations_are_not_tab_stops_before_the_first_field(site, browser):
    _, address = site
    with suite_page(browser, address) as page:
        stops = page.page.locator("input:visible, select:visible, button.what:visible")
        marks = stops.evaluate_all(
            "all => all.map((one) => one.className === 'what').indexOf(false)"
        )
        assert marks <= 1


def test_what_one_returns_for_is_above_the_form_of_a_new_suite(site, browser):
    folder, address = site
    file = shutil.copy(SUITE, folder / "suite.json")
    with suite_page(browser, address) as page:
        headings = page.page.locator("h2:visible").all_inner_texts()
        assert headings == ["Suites", "New suite"]
        assert not violations(page.page)
    file.unlink()


def test_records_have_their_findings(site, browser):
    folder, address = site
    file = shutil.copy(FIXTURES / "good/record.json", folder / "record.json")
    with suite_page(browser, address) as page:
        page.page.get_by_text("1 record").click()
        page.page.get_by_role("cell", name="clean").wait_for()
    file.unlink()


def test_a_template_comes_with_an_item_that_nobody_has_to_keep(site, browser):
    _, address = site
    with suite_page(browser, address) as page:
        page.page.get_by_label("template").select_option("Garden path")
        page.page.get_by_role("button", name="Begin").click()
        page.page.wait_for_selector(".grid .cell.active")
        expected = ["While the author", "watched", "the guard", "laughed", "often."]
        assert texts(page.data)[1] == expected
        assert not any(map(any, texts(page.data, 1)))
        page.go("", ".start")
        assert page.page.get_by_text("is not saved").count() == 0


def test_menus_and_formula_say_the_same(site, browser):
    _, address = site
    with suite_page(browser, address) as page:
        page.go("new/example-agreement", ".grid .cell.active")
        page.page.get_by_label("comparison of prediction 1").select_option("more")
        formula = page.page.get_by_label("formula of prediction 1")
        assert formula.inner_text() == "(3;%match%) > (3;%mismatch%)"
        formula.fill("(2;%match%) < (2;%mismatch%)")
        assert page.page.get_by_label("region of prediction 1").input_value() == "2"
        formula.fill("(2;%mach%) < (2;%mismatch%)")
        page.checked()
        page.page.locator(".formula .cm-lintRange").hover()
        page.page.get_by_text("conditions in this suite: match and mismatch").wait_for()
        formula.fill("(2;%match%) < 3")
        assert not page.page.locator(".menus").is_visible()
        page.page.get_by_role("button", name="Delete prediction 1").click()
        page.page.get_by_text("No predictions yet:").wait_for()
        page.checked()
        assert "there are no predictions yet" in page.page.inner_text(".summary")
        page.page.get_by_role("link", name="New suite").click()
        page.page.locator("h2:focus", has_text="New suite").wait_for()
