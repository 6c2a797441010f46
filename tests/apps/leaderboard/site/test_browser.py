"""Pages in Chromium: the script, the views, small screens, paper, and what axe-core finds."""

import re
import shutil
import subprocess

import pytest
from browser import opened, violations
from conftest import run_in_process
from standin_runs import write_pairs_run, write_run

pytest.importorskip("jinja2")

#: Page -> the folders below the results that it is about.
PAGES = {
    "one": ["long/one"],
    "two": ["long/one", "long/two"],
    "three": ["short"],
    "short": ["short/one"],
}
#: Page, width and color scheme: each with each is seen.
VIEWS = [
    ("short", 1280, "light"), ("short", 400, "dark"), ("three", 1280, "dark"),
    ("three", 400, "light"), ("pairs", 1280, "light"), ("pairs", 400, "dark"),
    ("series", 1280, "light"), ("series", 400, "dark"),
]  # fmt: skip
OPEN = "() => { for (const one of document.querySelectorAll('details')) one.open = true }"
MAIN, COMPARED = "table.sortable", "#compared table"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Name -> the file of a page."""
    folder = tmp_path_factory.mktemp("pages")
    for seed, name in enumerate(("one", "two", "three"), 1):
        write_run(folder / "long" / name, f"us/{name}", seed=seed, suites=11, items=8, worse=1)
        write_run(folder / "short" / name, f"us/{name}", seed=seed, suites=2, items=4)
        write_pairs_run(folder / "pairs" / name, f"us/{name}", seed=seed, uids=9, pairs=30)
    others = ("pairs", "series")
    files = {name: folder / f"{name}.html" for name in (*PAGES, *others)}
    given = {name: [folder / path for path in paths] for name, paths in PAGES.items()}
    given["pairs"] = [folder / "pairs"]
    given["series"] = [folder / "long", "--series"]
    with pytest.MonkeyPatch.context() as patch:
        for name, path in files.items():
            words = map(str, ("report", *given[name], "--out", path))
            assert run_in_process(patch, "evalmark", *words).code == 0
    return files


def shown(page, selector):
    """The texts of the elements that are shown."""
    return [
        one.inner_text().strip() for one in page.query_selector_all(selector) if one.is_visible()
    ]


def column(page, number):
    return shown(page, f"{MAIN} tbody tr > :nth-child({number})")


def heading(page, name):
    return page.locator(MAIN).get_by_role("columnheader", name=name).get_by_role("button")


# sorting


def test_a_click_sorts_numbers_by_size_and_a_second_one_turns_it_round(made, browser):
    with opened(browser, made["one"]) as page:
        before = column(page, 3)
        values = [float(text.split()[0]) for text in before]
        assert values != sorted(values)
        heading(page, "accuracy").click()
        assert [float(text.split()[0]) for text in column(page, 3)] == sorted(values)
        assert page.locator("[aria-sort=ascending]").inner_text().startswith("accuracy")
        heading(page, "accuracy").click()
        assert [float(text.split()[0]) for text in column(page, 3)] == sorted(values)[::-1]
        heading(page, "suite").click()
        assert page.locator("[aria-sort]").count() == 1
        assert sorted(column(page, 3)) == sorted(before), "rows are moved, none is lost"


def test_names_are_sorted_as_people_count(made, browser):
    with opened(browser, made["one"]) as page:
        heading(page, "suite").click()
        heading(page, "suite").click()
        assert list(dict.fromkeys(column(page, 1))) == [f"number_prp_{n}" for n in range(11, 0, -1)]


def test_differences_are_sorted_with_their_sign_and_rows_keep_together(made, browser):
    with opened(browser, made["two"]) as page:
        page.evaluate("document.querySelector('#compared details').open = true")
        rows = set(shown(page, f"{COMPARED} tbody tr"))
        heads = shown(page, f"{COMPARED} thead th")
        page.locator(COMPARED).get_by_role("button", name="difference").click()
        cells = shown(page, f"{COMPARED} tbody tr > :nth-child({heads.index('difference') + 1})")
        found = [float(text.replace("−", "-").rstrip("*")) for text in cells]
        assert found == sorted(found)
        assert found[0] < 0 < found[-1]
        assert set(shown(page, f"{COMPARED} tbody tr")) == rows


def test_the_keyboard_sorts(made, browser):
    with opened(browser, made["one"]) as page:
        heading(page, "chance").focus()
        page.keyboard.press("Enter")
        values = [float(text) for text in column(page, 4)]
        assert values == sorted(values)
        assert heading(page, "chance").evaluate("b => b === document.activeElement")


def test_empty_cells_come_last_in_both_directions(made, browser):
    with opened(browser, made["one"]) as page:
        page.evaluate(
            """() => {
              const body = document.querySelector("table.sortable").tBodies[0];
              const [first] = body.rows;
              const rows = ["0.5", "", "0.25"].map(text => {
                const row = first.cloneNode(true);
                row.cells[3].textContent = text;
                return row;
              });
              body.replaceChildren(...rows);
            }"""
        )
        heading(page, "chance").click()
        assert column(page, 4) == ["0.25", "0.5", ""]
        heading(page, "chance").click()
        assert column(page, 4) == ["0.5", "0.25", ""]


# choosing


def test_words_choose_rows_and_sections(made, browser):
    with opened(browser, made["two"]) as page:
        total = len(column(page, 1))
        page.get_by_label("find").fill("prp_1 LICENSING")
        assert set(column(page, 1)) == {"number_prp_1"}
        assert shown(page, "section.suite h2") == ["number_prp_1"]
        assert page.locator("#count").inner_text() == f"{len(column(page, 1))} of {total} rows"
        page.get_by_label("find").fill("nothing has this")
        assert column(page, 1) == shown(page, "section.suite h2") == []
        page.get_by_label("find").fill("")
        assert len(column(page, 1)) == total
        assert len(shown(page, "section.suite h2")) == 11


def test_a_tag_chooses_too(made, browser):
    with opened(browser, made["one"]) as page:
        page.get_by_label("tag").select_option("Agreement")
        assert set(column(page, 6)) == {"Agreement"}
        assert set(column(page, 1)) == set(shown(page, "section.suite h2"))
        page.get_by_label("find").fill("prp_8")
        assert set(column(page, 1)) == {"number_prp_8"}


def test_below_chance_shows_these_rows_only(made, browser):
    with opened(browser, made["two"]) as page:
        page.get_by_label("below chance").check()
        rows = page.locator(f"{MAIN} tbody tr:visible")
        assert 0 < rows.count() < page.locator(f"{MAIN} tbody tr").count()
        assert all("▼" in text for text in rows.all_inner_texts())
        assert page.locator("#count").inner_text().startswith(f"{rows.count()} of ")


def test_failed_only_opens_the_items_and_shows_those_that_fail(made, browser):
    with opened(browser, made["two"]) as page:
        assert not page.locator(".cells").first.is_visible()
        page.get_by_label("failed only").check()
        heads = shown(page, ".cells [scope=rowgroup]")
        assert heads
        assert all("fails" in text for text in heads)
        page.get_by_label("failed only").uncheck()
        assert any("fails" not in text for text in shown(page, ".cells [scope=rowgroup]"))


def test_without_scripts_the_page_has_the_same_content_and_its_views(made, browser):
    with opened(browser, made["two"], java_script_enabled=False) as page:
        bare = page.locator("main").inner_text()
        assert not page.get_by_label("find").is_visible()
        assert page.locator("th button").count() == 0
        page.get_by_label("below chance").check()
        assert all(
            "▼" in text for text in page.locator(f"{MAIN} tbody tr:visible").all_inner_texts()
        )
    with opened(browser, made["two"]) as page:
        ours = page.locator("main").inner_text()

    def words(text):
        return re.sub(r"find|tag|all|Agreement|\d+ of \d+ rows", "", text).split()

    assert words(bare)[-200:] == words(ours)[-200:]


def test_pairs_are_chosen_by_field_and_by_term(made, browser):
    with opened(browser, made["pairs"]) as page:
        total = len(column(page, 1))
        page.get_by_label("field").select_option("syntax")
        both = len(column(page, 1))
        assert 0 < both < total
        page.get_by_label("term").select_option("islands")
        assert 0 < len(column(page, 1)) < both
        assert column(page, 1) == shown(page, "section.suite h2")
        page.get_by_label("failed only").check()
        assert page.locator(".pairs:visible").count() == len(column(page, 1)) > 0


# screens and paper


@pytest.mark.parametrize("name", [*PAGES, "pairs"])
def test_nothing_is_wider_than_a_phone(made, browser, name):
    with opened(browser, made[name], width=400) as page:
        page.evaluate(OPEN)
        assert page.evaluate("document.documentElement.scrollWidth") == 400
        inside = "e => e.scrollWidth <= e.clientWidth || getComputedStyle(e).overflowX === 'auto'"
        for wide in page.query_selector_all(".wide, figure, .legend, .headline, header, nav"):
            assert wide.evaluate(inside), wide.inner_text()


def test_headings_of_tables_are_repeated_on_each_sheet(made, browser, tmp_path):
    """Chromium does not repeat a heading that cannot be divided, such as one with a button."""
    with opened(browser, made["two"]) as page:
        paper = tmp_path / "page.pdf"
        page.pdf(path=paper, format="A5")
        page.emulate_media(media="print")
        style = "e => getComputedStyle(e).display"
        assert page.locator(f"{MAIN} thead").evaluate(style) == "table-header-group"
        assert page.locator(f"{MAIN} th button").first.evaluate(style) == "contents"
    if not shutil.which("pdftotext"):
        pytest.skip("no pdftotext: apt-get install poppler-utils")
    text = subprocess.run(
        ["pdftotext", "-layout", paper, "-"], capture_output=True, text=True, check=True
    ).stdout
    sheets = [
        re.findall(r"^ *(suite +prediction|number_prp_\d+ +\w+ +\d\.\d{3})", sheet, re.MULTILINE)
        for sheet in text.split("\f")
    ]
    sheets = [found for found in sheets if found]
    assert len(sheets) > 1, "the table is longer than a sheet"
    for found in sheets:
        assert found[0].startswith("suite"), "a heading is first"
        assert len(found) > 1, "no heading is alone"


@pytest.mark.slow
def test_a_report_of_34_suites_is_short_on_paper(tmp_path, browser):
    """34 suites of up to three predictions; 16 suites take half of it."""
    folder, out = write_run(tmp_path / "run", "us/one"), tmp_path / "report.html"
    with pytest.MonkeyPatch.context() as patch:
        assert run_in_process(patch, "evalmark", "report", str(folder), "--out", str(out)).code == 0
    with opened(browser, out) as page:
        pdf = page.pdf(format="A4", prefer_css_page_size=True)
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) <= 20


def test_three_cards_fit_a_row(made, browser):
    with opened(browser, made["two"], width=1280) as page:
        tops = "all => all.map(one => one.getBoundingClientRect().top)"
        cards = page.locator(".headline > div").evaluate_all(tops)
        assert len(cards) == 3
        assert len(set(cards)) == 1


# for everybody


@pytest.mark.parametrize(("name", "width", "scheme"), VIEWS)
def test_axe_finds_no_violation(made, browser, name, width, scheme):
    # Our policy allows no other script: this one is for the test.
    options = {"color_scheme": scheme, "bypass_csp": True}
    with opened(browser, made[name], width=width, **options) as page:
        page.evaluate(OPEN)
        assert not violations(page)
        paper = page.evaluate("getComputedStyle(document.body).backgroundColor")
        light = sum(map(int, re.findall(r"\d+", paper)[:3])) / (3 * 255)
        assert (light > 0.8) == (scheme == "light"), "the page's colors follow the reader's"
