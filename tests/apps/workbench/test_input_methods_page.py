"""Japanese and Chinese input in Chromium: a composition is text, and its keys are its own."""

import pytest
from browser import has_text
from conftest import data_at
from serving import SUITE, suite_page

pytest.importorskip("starlette")


class InputMethod:
    """An input method, played through the protocol of the browser."""

    def __init__(self, page):
        self.send = page.context.new_cdp_session(page).send

    def compose(self, *texts):
        for text in texts:
            end = len(text)
            self.send(
                "Input.imeSetComposition",
                {"text": text, "selectionStart": end, "selectionEnd": end},
            )

    def key(self, key):
        """A key for the input method, by the code that the page sees."""
        self.send(
            "Input.dispatchKeyEvent",
            {"type": "rawKeyDown", "key": key, "windowsVirtualKeyCode": 229},
        )

    def choose(self, text):
        self.key("Enter")
        self.send("Input.insertText", {"text": text})


@pytest.fixture
def method(page):
    """An input method in the page of a suite."""
    return InputMethod(page.page)


def test_what_is_composed_over_a_cell_replaces_its_text(page, method):
    method.key("s")
    method.compose("す", "すし", "寿司")
    assert page.page.locator(".cell.active").inner_text() == "寿司"
    method.choose("寿司")
    method.compose("を")
    method.choose("を")
    field = page.page.locator(".cell-input")
    assert field.input_value() == "寿司を"
    assert page.page.locator(".status .here").inner_text() == "寿司を"
    page.keys("Enter")
    assert page.texts()[0][0] == "寿司を"
    assert page.page.locator(".cell.active").inner_text() == "The woman"  # of the row below
    page.keys("Control+z")
    assert page.texts()[0][0] == "The woman"


def test_a_composition_that_is_taken_back_leaves_the_cell_as_it_was(page, method):
    method.compose("ni", "")
    assert page.page.locator(".cell.active").inner_text() == "The woman"
    assert not page.page.locator(".cell-input").count()
    page.keys("ArrowRight")
    method.compose("ni hao")
    page.page.locator(".cell").nth(20).click()  # whoever goes on keeps what is there
    assert page.texts()[0][:2] == ["The woman", "ni hao"]
    assert not page.page.locator(".cell-input").count()


def test_enter_and_tab_that_choose_a_word_do_not_leave_the_field(page, method):
    page.keys("F2")
    method.compose("ni", "ni hao")
    for key in ("Enter", "Tab", "ArrowDown", "Escape"):
        method.key(key)
    method.choose("你好")
    field = page.page.locator(".cell-input")
    assert field.input_value() == "The woman你好"
    page.keys("Enter")
    assert page.texts()[0][0] == "The woman你好"
    page.keys("Control+f")
    method.compose("ni")
    method.choose("你好")
    assert page.page.get_by_label("Find in the table").input_value() == "你好"


def test_a_cell_that_cannot_be_edited_takes_no_composition(page, method):
    page.keys("End")
    method.compose("す")
    method.choose("寿司")
    assert page.data == data_at(SUITE)
    assert page.page.locator(".cell.active").inner_text() == "The woman plays the guitar"


def test_names_of_conditions_are_composed_in_formulas(page, method):
    page.keys("ArrowLeft")
    formula = page.page.get_by_label("formula of prediction 1")
    for *composed, name in (("い", "いっち", "一致"), ("yi", "yi zhi", "一致的")):
        page.page.locator(".cell.active").focus()
        page.keys("F2", "Control+a")
        method.compose(*composed)
        method.choose(name)
        page.keys("Enter", "ArrowUp")
        formula.click()
        page.keys("Control+a")
        page.type("(2;%")
        method.compose(*composed)
        method.key("Enter")
        method.key("Tab")
        has_text(formula, f"(2;%{composed[-1]}")
        method.send("Input.insertText", {"text": name})
        page.page.get_by_role("option", name=name, selected=True).wait_for()
        page.keys("Enter")
        assert page.data["predictions"][0]["formula"] == f"(2;%{name}%)"


def test_a_text_is_composed_and_saved(site, browser):
    folder, address = site
    (folder / "broken.json").write_text('{"meta": "', encoding="utf-8")
    with suite_page(browser, address) as page:
        method = InputMethod(page.page)
        page.page.goto(f"{page.base}#/file/broken.json")
        text = page.page.get_by_role("textbox", name="Text of")
        text.press("Control+End")
        method.compose("す", "すし")
        method.choose("寿司")
        method.compose("ni", "ni hao")
        method.choose("你好")
        page.type('"}')
        has_text(text, '{"meta": "寿司你好"}')
        page.keys("Control+s")
        page.page.get_by_text("saved to broken.json").wait_for()
    assert data_at(folder / "broken.json") == {"meta": "寿司你好"}
