"""The page of a suite in Chromium: written by keyboard, checked, fixed, saved, and never lost."""

import json
import shutil

import pytest
from browser import violations
from conftest import FIXTURES, data_at, edited
from serving import SUITE, suite_page, texts
from suites import regions_in

pytest.importorskip("starlette")


# writing


def test_a_suite_is_written_and_saved_with_the_keyboard_alone(site, browser):
    folder, address = site
    with suite_page(browser, address) as page:
        heading = page.page.get_by_label("template")
        while not heading.evaluate("e => e === document.activeElement"):
            page.keys("Tab")
        page.keys("Tab", "Control+a")
        page.type("keyboard_suite", "Enter")
        page.page.wait_for_selector(".grid")
        while "cell" not in page.page.evaluate("document.activeElement.className"):
            page.keys("Tab")
        sentences = ["The author", "laughs", "often.", "The author", "laugh", "often."]
        for at, text in enumerate(sentences):
            page.type(text, "Tab" if at % 3 < 2 else "Enter")
            if at % 3 == 2:
                page.keys("Home", "ArrowRight", "ArrowRight")
        # The other items go: Shift+F10 opens the menu.
        page.keys("ArrowDown", "ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown")
        page.keys("Shift+ArrowDown", "Shift+F10", "ArrowDown", "ArrowDown", "Enter")
        page.keys("Shift+F10", "ArrowDown", "ArrowDown", "Enter")
        formula = page.page.get_by_label("formula of prediction 1")
        while not formula.evaluate("e => e === document.activeElement"):
            page.keys("Tab")
        page.keys("Control+a", "Delete")
        for text, completion in (("(2", "2 Verb"), ("mat", "match"), (" < (2;%mis", "mismatch")):
            page.type(text)
            page.page.get_by_role("option", name=completion, selected=True).wait_for()
            page.keys("Enter")
        page.keys("Control+s", "Enter")
        page.page.wait_for_function("() => document.title.startsWith('keyboard_suite')")
        page.page.wait_for_function("() => location.hash.includes('keyboard_suite.json')")
        page.checked()
        assert "no mistakes found" in page.page.locator(".summary").inner_text()
    found = data_at(folder / "keyboard_suite.json")
    assert [one["formula"] for one in found["predictions"]] == ["(2;%match%) < (2;%mismatch%)"]
    assert texts(found) == [sentences[:3], sentences[3:]]
    assert len(found["items"]) == 1


def test_what_is_typed_at_once_goes_into_the_first_cell_of_a_new_suite(site, browser):
    _, address = site
    with suite_page(browser, address) as page:
        page.page.get_by_role("button", name="Begin").click()
        page.page.wait_for_selector(".grid .cell:focus")
        page.checked()
        assert page.page.locator(".summary").inner_text().startswith("no texts of your own")
        assert page.page.locator(".findings li, .squiggle").count() == 0
        page.type("The writer", "Enter")
        assert page.texts()[0][0] == "The writer"
        page.checked()
        assert page.page.get_by_text("Items 2, 3, 4 are empty: they are not scored.").is_visible()


def test_a_saved_suite_without_texts_has_the_errors_that_the_list_of_files_counts(site, browser):
    folder, address = site
    suite = data_at(SUITE)
    for region in regions_in(suite):
        region["content"] = ""
    (folder / "empty.json").write_text(json.dumps(suite), encoding="utf-8")
    with suite_page(browser, address) as page:
        page.open("empty.json")
        page.checked()
        assert "has no text" in page.page.locator(".findings").inner_text()
        assert "error" in page.page.locator(".summary").inner_text()


def test_a_row_is_written_with_tab_and_enter_begins_the_next(page):
    page.type("He", "Tab", "Tab")
    page.type("now", "Enter")
    page.type("They", "Enter")
    assert [row[:3] for row in page.texts()] == [
        ["He", "plays", "now"],
        ["They", "play", "the guitar"],
    ]
    # Outside of such a row, Tab leaves the table.
    page.keys("Tab")
    assert page.page.locator(".grid :focus").count() == 0
    page.cell(4, 3).click()
    page.type("end")
    page.keys("Tab")
    assert page.said == "item 3 is added; Ctrl+Z removes it"


def test_a_second_tab_of_the_page_needs_no_other_address(page):
    other = page.page.context.new_page()
    other.goto(f"{page.base}#/file/suite.json")
    other.wait_for_selector(".grid .cell.active")


def test_an_empty_formula_says_what_to_write(page):
    page.page.get_by_role("button", name="Add a prediction").click()
    note = page.page.locator(".formula-note").nth(1)
    assert "region 2 (Verb) of match is less surprising than that of mismatch" in note.inner_text()
    field = page.page.get_by_label("formula of prediction 2")
    assert field.get_attribute("aria-placeholder") == "for example (2;%match%) < (2;%mismatch%)"
    # It is no mistake before it is saved.
    page.checked()
    assert "Prediction 2 is empty: write its formula." in page.page.inner_text(".found > p")
    page.shows(".summary", "no mistakes found")
    page.keys("Control+s")
    page.shows(".summary", "1 error")


def test_typing_replaces_and_f2_edits_and_escape_takes_back(page):
    page.keys("ArrowRight")
    page.type("sings", "Escape")
    assert page.texts()[0][1] == "plays"
    page.type("sings", "Enter", "ArrowUp", "F2")
    page.type(" well", "Tab")
    assert page.texts()[0][1] == "sings well"
    assert page.page.locator(".cell.active").get_attribute("aria-colindex") == "5"


def test_the_sentence_is_joined_while_one_types(page):
    page.keys("ArrowRight")
    page.type("xyz")
    assert page.cell(1, 4).inner_text() == "The woman xyz the guitar"
    page.keys("Escape")
    assert page.cell(1, 4).inner_text() == "The woman plays the guitar"


@pytest.mark.conforms("L-56")
def test_a_block_of_a_spreadsheet_is_pasted_and_makes_room(page):
    page.keys("Control+End", "ArrowLeft", "ArrowLeft")
    page.paste('one\ttwo\r\n"a ""quoted"" word"\t"tab\there"\r\n5"\tlast\r\n')
    data = page.data
    assert [item["item_number"] for item in data["items"]] == [1, 2, 3]
    assert texts(data, 1)[1] == ["The boys", "one", "two"]
    assert texts(data, 2) == [["", 'a "quoted" word', "tab here"], ["", '5"', "last"]]
    page.keys("Control+z")
    assert page.data == data_at(SUITE)


def test_pasted_rows_that_name_their_columns_are_cells_if_the_person_says_so(page):
    page.paste("Item\tCondition\tVerb\n1\ta\tlaughs\n1\tb\tlaugh\n")
    page.page.get_by_text("Pasted as cells, the first row becomes a sentence too.").wait_for()
    page.page.get_by_role("button", name="Paste as cells").click()
    page.page.locator("#live", has_text="names of the columns are a sentence now").wait_for()
    assert page.texts()[0] == ["Item", "Condition", "Verb"]


@pytest.mark.parametrize(
    ("condition", "kept", "said"),
    [("match", 1, "It has the predictions of agreement"), ("other", 0, "It has no predictions")],
)
def test_a_suite_of_pasted_rows_has_the_predictions_of_the_same_design(page, condition, kept, said):
    before = page.data["predictions"]
    head = "item\tcondition\tSubject\tVerb\tContinuation\n"
    page.paste(f"{head}1\t{condition}\tThe man\tlaughs\t\n1\tmismatch\tThe man\tlaugh\t\n")
    page.page.get_by_role("button", name="Make a suite of it").click()
    page.page.get_by_role("button", name="Make the suite").click()
    page.page.get_by_text(said).wait_for()
    assert page.texts() == [["The man", "laughs", ""], ["The man", "laugh", ""]]
    assert page.data["meta"]["name"] == "agreement_2"
    assert page.data["predictions"] == before[:kept]


def test_what_is_copied_is_pasted_alike(page):
    page.keys("Control+Home", "ArrowRight", "ArrowRight")
    page.keys("Shift+ArrowRight", "Shift+ArrowDown", "Control+c")
    clip = page.page.evaluate("navigator.clipboard.readText()")
    assert clip == "The woman\tplays\nThe woman\tplay"
    page.keys("ArrowDown", "Home", "ArrowRight", "ArrowRight", "Control+v")
    assert [row[:2] for row in page.texts(1)] == [
        ["The woman", "plays"],
        ["The woman", "play"],
    ]


def test_fill_down_clear_undo_and_redo(page):
    page.keys("Shift+ArrowDown", "Shift+ArrowDown", "Shift+ArrowDown", "Control+d")
    assert [row[0] for row in page.texts(1)] == ["The woman", "The woman"]
    page.keys("Delete")
    assert [row[0] for row in page.texts()] == ["", ""]
    page.keys("Control+z")
    assert [row[0] for row in page.texts(1)] == ["The woman", "The woman"]
    page.keys("Control+z")
    assert page.data == data_at(SUITE)
    page.keys("Control+Shift+z", "Control+y")
    assert [row[0] for row in page.texts(1)] == ["", ""]


def test_a_region_that_is_inserted_adjusts_the_formulas(page):
    page.keys("ArrowRight", "Shift+F10")
    page.page.get_by_role("menuitem", name="Insert a region before").click()
    page.type("Adverb", "Enter")
    # The element: a dialog that is closed has no role, and may not have given its answer yet.
    page.page.locator("dialog").wait_for(state="detached")
    data = page.data
    assert data["region_meta"] == {"1": "Subject", "2": "Adverb", "3": "Verb", "4": "Continuation"}
    assert data["predictions"][0]["formula"] == "(3;%mismatch%) > (3;%match%)"
    assert texts(data)[0] == ["The woman", "", "plays", "the guitar"]
    page.keys("Control+z")
    assert page.data == data_at(SUITE)


@pytest.mark.parametrize("entry", ["Delete region 2", "Delete condition match"])
def test_what_a_formula_uses_is_not_deleted(page, entry):
    page.keys("ArrowRight", "Shift+F10")
    page.page.get_by_role("menuitem", name=entry).click()
    shown = page.page.get_by_role("dialog").inner_text()
    assert "prediction 1 uses" in shown
    assert "(2;%mismatch%) > (2;%match%)" in shown
    page.keys("Enter")
    assert page.data == data_at(SUITE)


@pytest.mark.conforms("L-29")
def test_names_of_regions_and_conditions_are_edited_in_place(page):
    page.keys("ArrowUp", "F2", "Control+a")
    page.type("NP", "Enter", "ArrowDown", "ArrowLeft")
    page.type("agrees", "Enter")
    data = page.data
    assert data["region_meta"]["1"] == "NP"
    assert data["predictions"][0]["formula"] == "(2;%mismatch%) > (2;%agrees%)"
    assert [c["condition_name"] for c in data["items"][1]["conditions"]] == ["agrees", "mismatch"]


def test_a_cell_that_is_only_looked_at_keeps_its_line_breaks(site, browser):
    folder, address = site
    data = data_at(SUITE)
    data["items"][0]["conditions"][0]["regions"][0]["content"] = "The\nwoman"
    (folder / "broken.json").write_text(json.dumps(data))
    with suite_page(browser, address) as page:
        page.open("broken.json")
        page.keys("F2", "Enter")
        assert page.data == data
        page.keys("ArrowUp", "F2")
        page.type("!", "Enter")
        assert page.texts()[0][0].endswith("woman!")


def test_find_goes_from_match_to_match(page):
    page.keys("Control+f")
    page.type("sing", "Enter")
    assert page.page.locator(".cell.active").inner_text() == "sing"
    page.keys("Enter")
    assert page.page.locator(".cell.active").inner_text() == "sings"
    page.keys("Escape")
    assert page.page.evaluate("document.activeElement.textContent") == "sings"


def test_texts_are_replaced_with_the_keyboard(page):
    page.keys("Control+h")
    page.type("SING", "Control+h")
    page.type("dance", "Enter", "Enter")
    found = [text for item in range(2) for row in page.texts(item) for text in row]
    assert (found.count("dance"), found.count("sings")) == (1, 1)
    page.keys("Alt+Enter")
    assert "sings" not in json.dumps(page.data)
    page.keys("Escape", "Control+z", "Control+z")
    assert page.data == data_at(SUITE)


# checking


def test_a_finding_is_shown_where_it_is_and_fixed_by_a_click(page):
    page.keys("ArrowRight", "F2")
    page.type(" ", "Enter")
    page.checked()
    assert page.cell(1, 2).locator(".squiggle.warning").text_content() == " "
    page.page.locator(".findings summary").first.click()
    page.page.get_by_text("Regions are joined with a space.").wait_for()
    # On a narrow screen the list is further down, and a count leads to it.
    count = page.page.locator(".status").get_by_role("button", name="1 finding", exact=True)
    assert not count.is_visible()
    page.page.set_viewport_size({"width": 400, "height": 700})
    fix = page.page.locator(".findings").get_by_role(
        "button", name="Fix (changes what a model reads)"
    )
    count.click()
    assert 0 < fix.bounding_box()["y"] < 700
    fix.click()
    page.shows(".summary", "no mistakes found")
    assert not count.is_visible()
    assert page.data == data_at(SUITE)
    page.keys("Control+z")
    assert page.texts()[0][1] == "plays "


def test_a_formula_is_explained_completed_and_corrected(page):
    note = page.page.locator(".formula-note").first
    note.locator(".words").wait_for()
    assert (
        note.inner_text()
        == "Region 2 (Verb) of mismatch is more surprising than region 2 (Verb) of match"
    )
    field = page.page.get_by_label("formula of prediction 1")
    field.focus()
    page.keys("Control+a")
    page.type("(2;%match%) >= 3")
    page.shows(".formula .squiggle.error", ">=")
    note.get_by_text("(character 13)").wait_for()
    field.fill("(2;%match%) < (2;%mis%)")
    page.shows(".formula .squiggle.error", "mis")
    page.page.get_by_role("button", name="Use it").click()
    assert page.data["predictions"][0]["formula"] == "(2;%match%) < (2;%mismatch%)"
    field.fill("(2;%match%) < (2;%mismtach%)")
    page.page.get_by_role("button", name="Fix (changes the prediction)").wait_for()


def test_what_is_typed_is_text_and_never_markup(page):
    evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
    page.type(evil, "Enter")
    page.page.get_by_label("description of prediction 1").fill(evil)
    page.keys("Tab", "Control+s")
    page.checked()
    assert page.page.locator("main :is(img, script)").count() == 0
    assert page.cell(1, 1).inner_text() == evil
    assert page.page.title().endswith("agreement – evalmark")
    page.saved()
    assert data_at(page.file)["predictions"][0]["description"] == evil


# nothing is lost


def test_what_is_typed_into_a_field_stays_when_findings_come(page):
    for label in ("description of prediction 1", "author"):
        field = page.page.get_by_label(label)
        field.fill("half")
        page.page.evaluate("() => document.querySelector('#main').suitePage.drawFindings()")
        assert field.input_value() == "half"
        page.keys("Tab")
    assert page.data["predictions"][0]["description"] == "half"
    assert page.data["meta"]["author"] == "half"


def test_what_is_not_edited_keeps_its_bytes(page):
    before = SUITE.read_text()
    page.type("The girl", "Enter", "Control+s")
    page.saved()
    assert page.file.read_text() == before.replace("The woman", "The girl", 1)


def test_unsaved_work_survives_a_reload(page):
    page.type("The girl", "Enter")
    page.page.on("dialog", lambda dialog: dialog.accept())
    page.page.reload()
    page.page.wait_for_selector(".grid .cell.active")
    assert page.texts()[0][0] == "The girl"
    assert "unsaved edits" in page.page.locator(".saving").inner_text()
    page.page.get_by_role("button", name="Undo").click()
    assert page.data == data_at(SUITE)


def test_new_suites_in_two_windows_survive_a_reload_each(site, browser):
    with suite_page(browser, site[1]) as page:
        first = page.page
        second = first.context.new_page()
        second.goto(page.base)
        windows = {first: "The girl", second: "The boy"}
        for window, text in windows.items():
            window.get_by_role("button", name="Begin").click()
            window.wait_for_selector(".grid .cell.active:focus")
            window.keyboard.type(text)
            window.keyboard.press("Enter")
            window.on("dialog", lambda dialog: dialog.accept())
        for window, text in windows.items():
            window.reload()
            window.wait_for_selector(".grid .cell.active")
            assert window.locator('[aria-rowindex="2"] [aria-colindex="3"]').inner_text() == text
        first.bring_to_front()  # a page behind another one is slow
        first.get_by_role("link", name="All files").click()  # what was written can be dropped
        first.wait_for_function("() => document.querySelectorAll('.notice a').length === 2")
        first.get_by_role("button", name="Discard my_suite").first.click()
        first.get_by_role("button", name="Discard it").click()
        first.wait_for_function("() => document.querySelectorAll('.notice a').length === 1")


def test_edits_of_one_file_in_two_windows_survive_a_reload_each(site, browser):
    with suite_page(browser, site[1]) as page:
        page.open("suite.json")
        first = page.page
        address = first.url
        second = first.context.new_page()
        second.goto(address)
        for window, text in ((first, "The girl"), (second, "The boy")):
            window.wait_for_selector(".grid .cell.active:focus")
            window.keyboard.type(text)
            window.keyboard.press("Enter")
            window.on("dialog", lambda dialog: dialog.accept())
        for window, text in ((first, "The girl"), (second, "The boy")):
            window.reload()
            window.wait_for_selector(".grid .cell.active")
            assert window.locator('[aria-rowindex="2"] [aria-colindex="3"]').inner_text() == text
        # What a closed window has left is taken over; what an open one has is not.
        second.close()
        third = first.context.new_page()
        third.goto(address)
        third.wait_for_selector(".grid .cell.active")
        assert third.locator('[aria-rowindex="2"] [aria-colindex="3"]').inner_text() == "The boy"


def test_another_page_and_back_keeps_what_can_be_undone(page):
    page.type("The girl", "Enter")
    page.page.get_by_role("link", name="All files").click()
    page.page.wait_for_selector(".start")
    page.open("suite.json")
    assert page.texts()[0][0] == "The girl"
    page.keys("Control+z")
    assert page.data == data_at(SUITE)
    page.keys("Control+Shift+z")
    assert page.texts()[0][0] == "The girl"


def test_leaving_with_unsaved_edits_warns(page):
    warned = []
    page.page.on("dialog", lambda dialog: (warned.append(dialog.type), dialog.accept()))
    page.page.reload()
    assert not warned
    page.page.wait_for_selector(".grid .cell.active")
    page.page.locator(".cell.active").focus()
    page.type("The girl", "Enter")
    page.page.reload()
    assert warned == ["beforeunload"]


@pytest.mark.parametrize(
    "answer",
    ["Save what is chosen", "Replace it with mine", "Take the file, discard my edits", "Cancel"],
)
def test_a_file_that_was_changed_meanwhile_is_not_overwritten_unasked(page, answer):
    theirs = SUITE.read_text().replace("guitar", "violin")
    page.file.write_text(theirs)
    page.type("The girl", "Enter", "Control+s")
    dialog = page.page.get_by_role("dialog")
    assert "has changed on disk" in dialog.inner_text()
    assert "3 places changed on one side only" in dialog.inner_text()
    place = dialog.get_by_role("group", name="item 1, match, Continuation")
    said = " ".join(place.inner_text().split())
    assert said.endswith("theirs: the violin yours: the guitar")
    assert page.file.read_text() == theirs
    dialog.get_by_role("button", name=answer).click()
    if answer.startswith(("Replace", "Save")):
        page.saved()
        kept = "the violin" if answer.startswith("Save") else "the guitar"
        assert texts(data_at(page.file))[0] == ["The girl", "plays", kept]
    else:
        if answer.startswith("Take"):
            page.page.get_by_text("the file is shown as it is on disk").wait_for()
        assert page.file.read_text() == theirs
        assert page.texts()[0][2] == ("the violin" if "Take" in answer else "the guitar")


@pytest.mark.parametrize("ending", ["json", "yaml", "csv"])
def test_a_suite_is_saved_in_each_format(page, site, ending):
    page.page.get_by_role("button", name="Save as").click()
    page.page.get_by_label("format").select_option(ending)
    page.page.get_by_role("dialog").get_by_role("button", name="Save").click()
    page.page.locator("#live", has_text=f"to suite.{ending}").wait_for()
    made = site[0] / f"suite.{ending}"
    assert "The woman" in made.read_text()


def test_an_old_suite_is_shown_with_what_saving_changes(site, browser):
    folder, address = site
    old = FIXTURES / "legacy/brackets.old.json"
    shutil.copy(old, folder / "old.json")
    with suite_page(browser, address) as page:
        page.page.goto(f"{page.base}#/file/old.json")
        dialog = page.page.get_by_role("dialog")
        assert "[" in dialog.locator(".removed").first.inner_text()
        page.keys("Enter")
        page.page.locator(".saving").get_by_text("converted, not saved").wait_for()


# for everybody


def test_findings_stand_beside_the_table_and_predictions_right_below_it(page):
    boxes = [page.page.locator(name).bounding_box() for name in (".grid", ".found", ".predicted")]
    grid, found, predicted = boxes
    assert found["x"] >= grid["x"] + grid["width"]
    assert found["y"] <= grid["y"]
    assert predicted["y"] + predicted["height"] <= 900
    page.page.set_viewport_size({"width": 400, "height": 900})
    order = page.page.locator("h2").all_inner_texts()
    assert order == ["Predictions", "Findings", "Surprisals of this item", "Run a model", "Details"]


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (640, "light"), (400, "dark")])
def test_axe_finds_no_violation_and_nothing_is_wider_than_the_screen(site, browser, width, scheme):
    folder, address = site
    with edited(SUITE, folder / "bad.json") as bad:
        bad["items"][0]["conditions"][0]["regions"][1]["content"] = "plays "
        bad["predictions"].append({"type": "formula", "formula": "(2;%match%) >= 3"})
    options = {"color_scheme": scheme, "bypass_csp": True}
    with suite_page(browser, address, width=width, **options) as page:
        assert not violations(page.page)
        page.open("bad.json")
        page.keys("Shift+ArrowRight")
        assert not violations(page.page)
        assert page.page.evaluate("document.documentElement.scrollWidth") == width
        page.keys("Shift+F10")
        assert not violations(page.page)
        page.keys("Escape", "F2")
        assert not violations(page.page)
