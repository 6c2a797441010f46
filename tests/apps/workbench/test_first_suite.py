"""A first suite from nothing to its score: with the mouse, the keyboard alone, and on a phone."""

import re

import pytest
from browser import has_text, violations
from conftest import data_at
from serving import Keyboard, Mouse, Touch, suite_page, texts

pytest.importorskip("starlette")
pytest.importorskip("transformers")

SENTENCES = (
    ["The author", "laughs"],
    ["The author", "laugh"],
    ["The pilot", "sings"],
    ["The pilot", "sing"],
)
PHONE = {"width": 390, "height": 844}


@pytest.mark.parametrize("manner", [Mouse, Keyboard, Touch])
def test_a_first_suite_is_written_and_scored_from_nothing(site, browser, manner):
    folder, address = site
    name = f"agreement_{manner.__name__.lower()}"
    with suite_page(browser, address, **manner.options) as page:
        root, hand = page.page, manner(page)
        if manner is Touch:
            root.set_viewport_size(PHONE)
        hand.choose(root.get_by_label("template"), "Empty")
        for label, text in (
            ("name", name), ("conditions", "match, mismatch"),
            ("regions", "Subject, Verb"), ("items", "2"),
        ):  # fmt: skip
            hand.reach(root.get_by_label(re.compile(f"^{label}")))
            page.keys("Control+a")
            page.type(text)
        hand.press(root.get_by_role("button", name="Begin"))
        root.wait_for_selector(".grid .cell:focus")
        if manner is Touch:  # title and tools
            assert root.locator(".grid").bounding_box()["y"] <= PHONE["height"] / 10
        for row, sentence in enumerate(SENTENCES, 1):
            hand.write(row, sentence)
        hand.press(root.get_by_role("button", name="Add a prediction"))
        for label, value in (
            ("region", "2"), ("condition", "match"),
            ("comparison", "<"), ("other condition", "mismatch"),
        ):  # fmt: skip
            hand.choose(root.get_by_label(f"{label} of prediction 1", exact=True), value)
        page.checked()
        assert root.inner_text(".summary") == "no mistakes found"
        if manner is Touch:
            assert not violations(root)
        if manner is Keyboard:
            page.keys("Control+s")
        else:
            hand.press(root.get_by_role("button", name="Save", exact=True))
        hand.press(root.get_by_role("dialog").get_by_role("button", name="Save", exact=True))
        root.wait_for_url(f"**/{name}.json")
        note = root.locator("small[id^=models]")  # no word is unknown
        has_text(note, "a small model for trying things out; its results mean nothing")
        hand.press(root.get_by_role("button", name="Run", exact=True))
        result = root.get_by_role("region", name=f"accuracies of {name}")
        result.wait_for()
        assert "none of 2" in result.inner_text()
    suite = data_at(folder / f"{name}.json")
    assert [one["formula"] for one in suite["predictions"]] == ["(2;%match%) < (2;%mismatch%)"]
    assert [*texts(suite), *texts(suite, 1)] == list(SENTENCES)


def test_rows_of_a_template_are_not_yet_written_until_somebody_writes_them(site, browser):
    folder, address = site
    with suite_page(browser, address) as page:
        root = page.page
        root.get_by_role("button", name="Begin").click()
        root.wait_for_selector(".grid .cell:focus")
        left = root.locator(".found > p", has_text="Below 8 items, words are not compared")
        page.cell(3, 1).click()
        for text in ("The pilot", "sings", "often."):
            page.type(text, "Tab")
        assert root.evaluate("document.activeElement.dataset.row") == "3"  # past the sentence
        page.checked()
        empty = "Items 3, 4 are empty: they are not scored. "
        row = "Item 2 has an empty row: it is not scored. "
        assert left.inner_text().startswith(f"{empty}{row}Below 8")
        assert not root.locator("ul.findings li").count()
        for text in ("The pilot", "sing", "often."):
            page.type(text, "Tab")
        page.checked()
        assert left.inner_text().startswith(f"{empty}Below 8")
        page.cell(8, 3).click()
        page.type("x", "Enter")
        assert len(page.data["items"]) == 5
        page.keys("Control+z", "Control+z", "Control+s")
        root.get_by_role("dialog").get_by_role("button", name="Save", exact=True).click()
        root.wait_for_url("**/my_suite.json")
    assert len(data_at(folder / "my_suite.json")["items"]) == 2
