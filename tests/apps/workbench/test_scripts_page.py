"""Suites in Arabic and Japanese, from the first text to the bytes of the file."""

import json

import pytest
from browser import violations
from conftest import data_at
from serving import pictured, suite_page
from suites import formulas_in, suite_of

pytest.importorskip("starlette")


def text_of(data):
    return json.dumps(data, ensure_ascii=False, indent=2) + "\n"


def direction(locator):
    return locator.evaluate("one => getComputedStyle(one).direction")


def test_a_session_in_arabic(site, browser):
    folder, address = site
    item = {"صحيح": ["الأولاد", "يلعبون", "في الحديقة."], "خطأ": ["الأولاد", "", "في الحديقة."]}
    data = suite_of([item], [])
    data["meta"]["name"] = "المطابقة"
    data["region_meta"] = {"1": "الفاعل", "2": "الفعل", "3": "النهاية"}
    file = folder / "arabic.json"
    file.write_text(text_of(data), encoding="utf-8")
    with suite_page(browser, address, bypass_csp=True) as page:
        page.open("arabic.json")
        page.cell(2, 2).click()
        page.keys("F2")
        page.type("يلعب")
        assert direction(page.page.locator(".cell-input")) == "rtl"
        page.keys("Enter")  # which begins the next item
        page.cell(2, 2).click()
        assert direction(page.cell(2, 3)) == direction(page.page.locator(".sentence")) == "rtl"
        page.page.get_by_role("button", name="Add a prediction").click()
        for menu, choice in (
            ("region", "الفعل"),
            ("condition", "صحيح"),
            ("comparison", "less"),
            ("other condition", "خطأ"),
        ):
            label = f"{menu} of prediction 1"
            page.page.get_by_label(label, exact=True).select_option(label=choice)
        page.checked()
        assert formulas_in(page.data) == ["(2;%صحيح%) < (2;%خطأ%)"]
        assert page.page.locator(".summary").inner_text() == "no mistakes found"
        pictured(page, "arabic")
        page.keys("Control+s")
        page.page.wait_for_function("() => !document.title.startsWith('•')")
        # A wrong formula: it keeps its order in the finding, whatever the script of its conditions.
        page.page.get_by_label("formula of prediction 1").fill("(2;%صحيح%) < (2;%خطا%)")
        page.page.locator(".findings li.error").wait_for()
        assert page.page.locator(".findings code").first.inner_text() == "خطا"
        assert (
            page.page.locator(".findings code").first.evaluate(
                "one => getComputedStyle(one).unicodeBidi"
            )
            == "isolate"
        )
        page.keys("Control+z")
        page.page.get_by_role("button", name="Spell the conditions in Latin letters").click()
        page.page.locator(".grid").get_by_text("khta").first.wait_for()
        assert formulas_in(page.data) == ["(2;%shyh%) < (2;%khta%)"]
        assert not violations(page.page)
    # Nothing else in the file has changed.
    data["items"][0]["conditions"][1]["regions"][1]["content"] = "يلعب"
    data["predictions"] = [{"type": "formula", "formula": "(2;%صحيح%) < (2;%خطأ%)"}]
    assert file.read_bytes() == text_of(data).encode()


def test_a_session_in_japanese(site, browser):
    folder, address = site
    with suite_page(browser, address, bypass_csp=True, width=400) as page:
        for label, text in (
            ("name", "助詞"),
            ("conditions", "正しい, 誤り"),
            ("regions", "主語, 助詞, 述語"),
        ):
            page.page.get_by_role("textbox", name=label, exact=label == "name").fill(text)
        page.page.get_by_role("spinbutton", name="items").fill("1")
        page.page.get_by_role("button", name="Begin").click()
        page.page.wait_for_selector(".grid .cell:focus")
        for row in ("私 は 学生です。", "私 を 学生です。"):
            for at, text in enumerate(row.split()):
                page.keys("F2")
                page.type(text, "Tab" if at < 2 else "Enter")
        proposal = page.page.locator(".notice", has_text="without spaces")
        proposal.wait_for()
        assert proposal.locator("bdi").all_inner_texts() == ["私 は 学生です。", "私は学生です。"]
        pictured(page, "japanese")
        proposal.get_by_role("button").click()
        proposal.wait_for(state="hidden")
        page.checked()
        page.cell(2, 1).click()  # the last Enter has begun another item
        assert page.page.locator(".sentence").inner_text() in ("私は学生です。", "私を学生です。")
        assert page.page.locator(".findings li").count() == 0
        assert not violations(page.page)
        page.keys("Control+s", "Enter")
        page.page.wait_for_function("() => decodeURIComponent(location.hash).includes('助詞.json')")
    saved = folder / "助詞.json"
    assert data_at(saved)["meta"]["no_space_before"] == "all"
    assert '"condition_name": "正しい"' in saved.read_text(encoding="utf-8")
