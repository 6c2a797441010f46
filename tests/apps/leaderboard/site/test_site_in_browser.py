"""The static site in Chromium: sorting, filters, pages of rows, the keyboard, and axe-core."""

import json
import random
from contextlib import contextmanager

import pytest

pytest.importorskip("pyarrow")
pytest.importorskip("jinja2")

from browser import has_count, violations
from browser import opened as opened_page
from evalmark.leaderboard.site.write_site import publish
from result_rows import result, results_of


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    folder = tmp_path_factory.mktemp("site")
    rng = random.Random(3)
    rows = [
        result(f"lab-{m % 7}/model-{m}", f"Set {d}", round(rng.random(), 3), lower=0.1, upper=0.9,
               file=f"{m}-{d}-{again}.json", settings=json.dumps({"shots": str(again)}))
        for m in range(230) for d in range(9) for again in range(2 if m == 5 else 1)
        if d < 2 or rng.random() < 0.6
    ]  # fmt: skip
    publish(
        results_of(*rows),
        folder / "site",
        title="Board",
        record_url="https://lab.example/{file}",
    )
    return folder / "site", rows


@contextmanager
def opened(browser, path, **options):
    """A page whose script has made its tables."""
    with opened_page(browser, path, **options) as page:
        if page.locator("#pager").count():
            page.wait_for_selector("#pager:not([hidden])")
        yield page


def cells(page, number):
    return [
        one.inner_text().split("\n")[0]
        for one in page.query_selector_all(f"#matrix tbody tr > :nth-child({number})")
    ]


def test_columns_sort_by_the_keyboard_and_the_url_keeps_it(large, browser):
    folder, rows = large
    with opened(browser, folder / "table.html") as page:
        head = page.locator("#matrix thead th:nth-child(2)")
        name = head.get_by_role("button").first.inner_text()
        head.get_by_role("button").first.focus()
        page.keyboard.press("Enter")
        best = sorted(
            (r["score"] for r in rows if f"{r['dataset']}: all, accuracy" == name), reverse=True
        )
        shown = [float(text.split(",")[0].split(" ≠ ")[0]) for text in cells(page, 2)]
        assert shown == sorted(shown, reverse=True)
        assert shown[0] == max(best)
        assert page.locator("#matrix thead th[aria-sort=descending]").count() == 1
        assert "sort=-" in page.url.replace("%2B", "+")
        page.reload()
        page.wait_for_selector("#pager:not([hidden])")
        assert [float(text.split(",")[0].split(" ≠ ")[0]) for text in cells(page, 2)] == shown


def test_models_are_found_and_turned_over_in_pages(large, browser):
    folder, _ = large
    with opened(browser, folder / "table.html") as page:
        page.wait_for_selector("#pager:not([hidden])")
        assert page.inner_text("#place") == "1 to 100 of 230 models"
        page.click("#forth")
        page.click("#forth")
        assert page.inner_text("#place") == "201 to 230 of 230 models"
        assert page.locator("#forth").is_disabled()
        page.fill("#query", "lab-3 model-1")
        names = cells(page, 1)
        assert names
        assert all(name.startswith("lab-3/model-1") for name in names)
        page.fill("#query", "nothing at all")
        assert page.inner_text("#place") == "no models match"


def test_benchmarks_are_added_and_removed_as_columns(large, browser):
    folder, _ = large
    with opened(browser, folder / "table.html") as page:
        page.wait_for_selector("#pager:not([hidden])")
        heads = page.locator("#matrix thead th")
        assert heads.count() == 7
        page.fill("#pick", "Set 8")
        if page.locator("#matches button").count():
            page.locator("#matches button").first.click()
            has_count(page.locator("#matrix thead th"), 8)
        removed = heads.count()
        page.locator(".remove").first.click()
        assert heads.count() == removed - 1


def test_a_ranking_is_filtered_with_its_ranks(large, browser):
    folder, _ = large
    page_file = next((folder / "benchmarks").glob("set-0*.html"))
    with opened(browser, page_file) as page:
        page.wait_for_selector("#pager:not([hidden])")
        before = page.locator("#ranking tbody tr").first.inner_text()
        page.fill("#query", before.split("\t")[1])
        after = [row.inner_text() for row in page.query_selector_all("#ranking tbody tr")]
        assert before in after
        assert all(row.split("\t")[0].isdigit() for row in after)


@pytest.mark.parametrize(
    ("name", "width", "scheme"),
    [
        ("index.html", 1280, "light"), ("index.html", 400, "dark"), ("table.html", 1280, "dark"),
        ("table.html", 400, "light"), ("conflicts.html", 400, "dark"),
        ("collections/*.html", 400, "dark"),
        ("collections/*.html", 1280, "light"), ("models/*.html", 400, "dark"),
        ("benchmarks/*.html", 1280, "light"),
    ],
)  # fmt: skip
def test_axe_finds_nothing_and_nothing_is_wider_than_the_screen(
    large, browser, name, width, scheme
):
    folder, _ = large
    file = max(folder.glob(name))
    # Our policy allows no other script: this one is for the test.
    options = {"color_scheme": scheme, "bypass_csp": True}
    with opened(browser, file, width=width, **options) as page:
        # Style sheets are not read again: a page on a disk may not ask for them.
        assert not violations(page, preload=False)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_without_scripts_the_first_models_are_there(large, browser):
    folder, _ = large
    with opened_page(browser, folder / "table.html", java_script_enabled=False) as page:
        assert page.locator("#matrix tbody tr").count() == 100
        assert page.locator("#controls").is_hidden()
        assert "all of them" in page.inner_text("noscript")


def test_one_search_finds_models_and_benchmarks(large, browser):
    folder, _ = large
    with opened(browser, folder / "index.html") as page:
        page.fill("#search", "model-77")
        assert page.inner_text("#found a") == "lab-0/model-77"
        page.fill("#search", "set 3 accuracy")
        page.keyboard.press("Enter")
        page.wait_for_selector("#ranking")
        assert page.inner_text("h1") == "Set 3: all, accuracy"


def test_two_models_are_side_by_side_and_a_third_is_added(large, browser):
    folder, rows = large
    models = ("lab-0/model-7", "lab-1/model-8")
    shared = set.intersection(
        *({row["dataset"] for row in rows if row["model"] == model} for model in models)
    )
    with opened(browser, folder / "models/lab-0-model-7.html") as page:
        page.click("text=Side by side with")
        page.fill("#pick", "lab-1/model-8")
        page.locator("#matches button").first.click()
        has_count(page.locator("#compared thead th"), 3)
        assert page.locator("#compared tbody tr").count() == len(shared)
        best = page.locator("#compared thead small").all_inner_texts()
        assert sum(int(text.split()[2]) for text in best) == len(shared)
        assert page.locator("#compared tbody b").count() == len(shared)
        assert page.url.endswith("models=lab-0-model-7~lab-1-model-8")


def test_a_model_that_is_found_brings_the_benchmarks_that_it_has(tmp_path, browser):
    rows = [result(f"lab/{m}", f"Set {d}") for m in range(3) for d in range(6)]
    publish(results_of(*rows, result("lab/rare", "Rare")), tmp_path / "site",
            record_url="https://lab.example/{file}")  # fmt: skip
    with opened(browser, tmp_path / "site/table.html") as page:
        page.fill("#query", "rare")
        has_count(page.locator("#matrix thead th"), 2)
        assert page.locator("#matrix thead th").nth(1).inner_text().startswith("Rare: all")
        page.fill("#query", "")
        has_count(page.locator("#matrix thead th"), 7)


def test_conflicts_have_a_filter(large, browser):
    folder, _ = large
    with opened(browser, folder / "conflicts.html") as page:
        pairs = page.locator(".one:visible").count()
        assert page.inner_text("#place") == f"1 to {pairs} of {pairs} pairs"
        page.fill("#query", "set 1:")
        assert page.locator(".one:visible").count() == 1
        page.fill("#query", "nothing")
        assert page.inner_text("#place") == "no pairs match"
