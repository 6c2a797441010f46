"""The page of a file as text in Chromium: what is not a table is checked, fixed and saved too."""

import shutil

import pytest
from browser import has_text, violations
from conftest import FIXTURES
from serving import SUITE, suite_page, text_checked

pytest.importorskip("starlette")
RECORD = FIXTURES / "bad/EE112_wrong_type.json"


@pytest.fixture
def page(site, browser):
    """The page of a copy of a record, which is ``page.file``."""
    folder, address = site
    file = shutil.copy(RECORD, folder / "record.json")
    with suite_page(browser, address) as page:
        page.file = file
        page.page.get_by_text("1 record").click()
        page.page.get_by_role("link", name="record.json").click()
        text_checked(page)
        yield page


def holds(page, text):
    """Wait until the editor holds a text."""
    has_text(field(page), text)


def field(page):
    return page.page.get_by_role("textbox", name="Text of")


def test_a_finding_leads_to_its_place(page):
    finding = page.page.evaluate(
        "() => document.querySelector('#main').textPage.checked.findings[0]"
    )
    page.page.locator(".finding", has_text="EE112").first.click()
    marked = field(page).evaluate("() => getSelection().toString()")
    line = page.file.read_text(encoding="utf-8").split("\n")[finding["line"] - 1]
    assert marked
    assert line[finding["column"] - 1 :].startswith(marked.split("\n")[0])
    assert page.page.get_by_text(f"line {finding['line']}, column {finding['column']}").is_visible()


@pytest.mark.parametrize(
    "text",
    [RECORD.read_bytes().replace(b"\n", b"\r\n"), b'{"a":\r\n 1,\r "b": 2\n}\n'],
    ids=["of one kind", "of several"],
)
def test_an_edit_is_checked_and_saved_and_no_line_ends_change(page, text):
    page.file.write_bytes(text)
    page.page.reload()
    text_checked(page)
    field(page).press("Control+End")
    page.type(" ")
    text_checked(page)
    page.keys("Control+s")
    page.page.get_by_text("saved to record.json").wait_for()
    assert page.file.read_bytes() == text + b" "


def test_axe_finds_no_violation_with_search_a_fold_and_a_finding(site, browser):
    folder, address = site
    shutil.copy(RECORD, folder / "record.json")
    with suite_page(browser, address, width=400, bypass_csp=True) as page:
        page.page.goto(f"{page.base}#/file/record.json")
        text_checked(page)
        page.page.get_by_title("Fold line").nth(2).click()
        page.page.locator(".finding", has_text="EE112").first.click()
        page.page.get_by_role("button", name="Save").focus()
        page.keys("Control+f")
        page.type("evaluation")
        page.page.locator(".cm-searchMatch").first.wait_for()
        page.page.locator(".cm-lintRange").first.hover()
        page.page.locator(".cm-diagnostic").wait_for()
        for scheme in ("light", "dark"):
            page.page.emulate_media(color_scheme=scheme)
            assert not violations(page.page)
        assert page.page.evaluate("document.documentElement.scrollWidth") == 400


def test_unsaved_edits_are_there_again_and_undo_shows_the_file(page):
    before = field(page).inner_text()
    field(page).fill("{")
    text_checked(page)
    page.page.locator(".finding", has_text="F001").wait_for()
    page.page.get_by_role("link", name="All files").click()
    page.page.get_by_text("1 record").click()
    page.page.get_by_role("link", name="record.json").click()
    text_checked(page)
    holds(page, "{")
    page.page.get_by_role("button", name="Undo").click()
    text_checked(page)
    assert field(page).inner_text() == before
    assert page.file.read_bytes() == RECORD.read_bytes()


def test_a_file_that_has_changed_is_not_replaced_unasked(page):
    page.file.write_bytes(b'{"theirs": 1}\n')
    field(page).fill('{"mine": 1}\n')
    text_checked(page)
    page.page.get_by_role("button", name="Save").click()
    dialog = page.page.get_by_role("dialog")
    dialog.get_by_text('-{"theirs": 1}').wait_for()
    dialog.get_by_role("button", name="Cancel").click()
    assert page.file.read_bytes() == b'{"theirs": 1}\n'
    page.page.get_by_role("button", name="Save").click()
    dialog.get_by_role("button", name="Replace it with mine").click()
    page.page.get_by_text("saved to record.json").wait_for()
    assert page.file.read_bytes() == b'{"mine": 1}\n'


def test_a_broken_suite_is_mended_as_text_and_is_a_table_then(site, browser):
    folder, address = site
    text = SUITE.read_bytes()
    (folder / "broken.json").write_bytes(text.rstrip()[:-1])
    with suite_page(browser, address) as page:
        page.page.goto(f"{page.base}#/file/broken.json")
        text_checked(page)
        assert page.page.locator(".finding", has_text="F001").is_visible()
        field(page).press("Control+End")
        page.type("}")
        text_checked(page)
        page.page.get_by_role("button", name="Save").click()
        page.page.wait_for_selector(".grid .cell.active")
        assert (folder / "broken.json").read_bytes() == text.rstrip()
    (folder / "broken.json").unlink()


def test_fixes_are_those_of_the_command(site, browser):
    folder, address = site
    (folder / "old.json").write_text("{'meta': 1}", encoding="utf-8")
    with suite_page(browser, address) as page:
        page.page.goto(f"{page.base}#/file/old.json")
        text_checked(page)
        page.page.get_by_role("button", name="Fix", exact=True).first.click()
        holds(page, '{"meta": 1}')
        page.page.get_by_role("button", name="Undo").click()
        holds(page, "{'meta': 1}")
