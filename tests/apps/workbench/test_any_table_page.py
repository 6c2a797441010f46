"""Pasting any table: a dialog asks what its columns are, and shows the suite that it becomes."""

import pytest
from browser import violations
from conftest import FIXTURES
from serving import pictured, served, suite_page

pytest.importorskip("starlette")
TABLES = FIXTURES / "tables"


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with served(tmp_path_factory.mktemp("tables")) as address:
        yield address


def pasted(page, text):
    page.page.get_by_label("text", exact=False).first.fill(text)
    page.page.get_by_role("button", name="Convert", exact=True).click()


def test_a_table_is_chosen_column_by_column_and_the_dialog_is_one_click_back(address, browser):
    with suite_page(browser, address) as page:
        page.page.get_by_label("suite name").fill("guests")
        pasted(page, (TABLES / "bars.csv").read_text(encoding="utf-8"))
        dialog = page.page.get_by_role("dialog")
        dialog.get_by_label("sentence is").wait_for()
        assert dialog.get_by_label("sentence is").input_value() == "sentence"
        assert not violations(page.page)
        pictured(page, "dialog")
        dialog.get_by_label("sentence is").select_option("region")
        dialog.get_by_role("columnheader", name="region 4").wait_for(state="detached")
        dialog.get_by_role("button", name="Make the suite").click()
        page.page.wait_for_selector(".grid")
        assert page.texts()[0] == ["While the man hunted, | the deer | ran | away."]
        assert page.data["meta"]["name"] == "guests"
        notice = page.page.locator("#main .notice").first.inner_text()
        assert "The value of a region is the sum of the surprisals of its words" in notice
        assert not violations(page.page)
        pictured(page, "suite")

        page.page.get_by_role("button", name="Back to its columns").click()
        assert dialog.get_by_label("sentence is").input_value() == "region"
        dialog.get_by_label("sentence is").select_option("sentence")
        dialog.get_by_role("columnheader", name="region 4").wait_for()
        before = page.page.url
        dialog.get_by_role("button", name="Make the suite").click()
        page.page.wait_for_function("before => location.href !== before", arg=before)
        page.page.wait_for_selector(".grid")
        assert page.texts()[1] == ["While the man hunted", "the deer", "ran", "away."]
        page.go("", ".start")
        # The suite of the first reading has not been kept.
        assert page.page.get_by_role("link", name="Continue with it").count() == 1


def test_what_was_chosen_last_counts_before_it_is_read(address, browser):
    with suite_page(browser, address) as page:
        pasted(page, (TABLES / "bars.csv").read_text(encoding="utf-8"))
        dialog = page.page.get_by_role("dialog")
        dialog.get_by_label("sentence is").wait_for()
        waiting = []
        page.page.route("**/api/table", lambda route: waiting.append(route))
        dialog.get_by_label("sentence is").select_option("region")
        dialog.get_by_role("button", name="Make the suite").click()
        dialog.wait_for(state="detached")
        waiting[0].continue_()
        page.page.wait_for_selector(".grid")
        assert len(page.texts()[0]) == 1


def test_what_is_missing_keeps_the_dialog_open(address, browser):
    with suite_page(browser, address, width=400) as page:
        pasted(page, (TABLES / "two_factors.csv").read_text(encoding="utf-8"))
        dialog = page.page.get_by_role("dialog")
        dialog.get_by_label("grammatical is").select_option("ignored")
        dialog.get_by_text("item 1 has the condition sg in row 2 and in row 3").wait_for()
        dialog.get_by_role("button", name="Make the suite").click()
        assert dialog.is_visible()
        pictured(page, "refused")
        page.keys("Escape")


def test_a_spreadsheet_is_chosen_from_the_disk(address, browser):
    with suite_page(browser, address) as page:
        page.page.get_by_label("or a file").set_input_files(TABLES / "french.ods")
        page.page.get_by_role("button", name="Convert", exact=True).click()
        page.page.get_by_role("button", name="Make the suite").click()
        page.page.wait_for_selector(".grid")
        assert page.texts() == [["L’autrice rit fort."], ["L’autrice rient fort."]]


def test_pasted_rows_become_a_suite(address, browser):
    with suite_page(browser, address) as page:
        rows = "item\tcondition\tSubject\tVerb\n1\ta\tThe man\tlaughs\n1\tb\tThe man\tlaugh\n"
        page.page.get_by_label("text").fill(rows)
        page.page.get_by_role("button", name="Convert").click()
        page.page.wait_for_selector(".grid")
        assert page.texts() == [["The man", "laughs"], ["The man", "laugh"]]
        page.go("", ".start")
        page.page.get_by_label("text").fill("sentence_good,sentence_bad\nHe laughs.,He laugh.\n")
        page.page.get_by_label("suite name").fill("laughing")
        page.page.get_by_role("button", name="Convert").click()
        page.page.get_by_role("heading", name="laughing").wait_for()
        assert page.texts() == [["He", "laughs."], ["He", "laugh."]]
