"""The site in Chromium. `make docs` builds it; without it these tests are skipped."""

from http.server import SimpleHTTPRequestHandler
from time import monotonic
from urllib.parse import quote_plus

import pytest
from browser import violations
from conftest import ROOT
from serving import Keyboard, Mouse, Touch, suite_page
from site_serving import hosted

SITE = ROOT / "build/site"
#: What people type -> the address that is found first.
QUESTIONS = {
    "SG204": "rules/SG204.html",
    "surprisal": "scoring.html#from-a-sentence-to-a-number",
    "chance": "scoring.html#accuracy-chance-uncertainty",
    "ignore a rule": "checking-a-suite-repository.html#ignore-a-rule",
    "noqa": "checking-a-suite-repository.html#ignore-a-rule",
    "excel": "converting.html#any-table",
    "paste a table": "converting.html#any-table",
    "what does exit code 1 mean?": "checking-a-suite-repository.html#exit-codes",
    "conflicts": "running-a-leaderboard.html#which-number-represents-a-model",
    "how do I run gpt2": "start/suite.html#score",
    "GPU": "scoring.html#on-a-gpu",
    "apple silicon": "scoring.html#on-a-gpu",
    "mps": "scoring.html#on-a-gpu",
    "dark mode": "workbench.html#the-table",
    "How do I put it into pre-commit?": "checking-a-suite-repository.html#on-every-commit",
    "windows": "platforms.html#windows-and-macos",
    "how do I score blimp": "minimal-pairs.html",
    "fix errors": "start/repository.html",
    "leaderboard": "running-a-leaderboard.html#publish",
    "convert results": "converting.html#results-of-other-programs",
    "how do I cite it": "CONTRIBUTING.html",
    "try online": "try/index.html#/new/example-agreement",
    "How do I install it?": "index.html#install",
    "how do I write a formula": "formats.html#the-prediction-language",
    "compare two models": "comparing.html",
    "can I use it from python": "start/analysis.html#python",
    "why is my accuracy below chance": "scoring.html#accuracy-chance-uncertainty",
    "upload to huggingface leaderboard": "start/submit.html",
}


@pytest.fixture(scope="module")
def site():
    if not SITE.is_dir():
        pytest.skip("the site is not built: make docs")
    with hosted(SITE, SimpleHTTPRequestHandler) as address:
        yield address


@pytest.mark.parametrize("manner", [Mouse, Keyboard, Touch])
def test_the_first_page_leads_to_a_suite_with_its_result(site, browser, manner):
    begun = monotonic()
    with suite_page(browser, f"{site}/index.html", **manner.options) as page:
        root, hand = page.page, manner(page)
        root.set_default_timeout(120_000)  # Python is loaded
        hand.press(root.get_by_role("link", name="Try it in the browser"))
        root.get_by_role("heading", name="A result of this example").wait_for()
        page.checked()
        assert root.inner_text(".summary") == "no mistakes found"
        ways = {"evalmark": "../index.html", "install evalmark": "../index.html#install"}
        for name, href in ways.items():
            assert root.get_by_role("link", name=name, exact=True).get_attribute("href") == href
        result = root.get_by_role("region", name="accuracies of")
        assert "1.000" in result.inner_text()
        assert monotonic() - begun < 120
        changed = root.get_by_text("as it was, before your changes")
        assert not changed.is_visible()
        hand.reach(page.cell(1, 1))
        page.type("The pilot", "Enter")
        changed.wait_for()


def test_search_finds_how_tos_by_the_words_of_those_who_ask(site, browser):
    with suite_page(browser, f"{site}/index.html") as page:
        page.page.get_by_role("button", name="Search").first.click()
        field = page.page.get_by_role("combobox", name="Search")
        for words, place in QUESTIONS.items():
            field.fill(words)
            path, hash_, anchor = place.partition("#")
            href = f"{site}/{path}?h={quote_plus(words)}{hash_}{anchor}"
            page.page.wait_for_selector(f'[role=listbox] > li:first-child a[href="{href}"]')
            results = page.page.locator("[role=listbox] > li a")
            places = results.evaluate_all("all => all.map((one) => one.getAttribute('href'))")
            assert len(set(places)) == len(places)


def test_the_table_of_rules_is_filtered(site, browser):
    with suite_page(browser, f"{site}/rules.html", width=400) as page:
        frames = page.page.locator(".md-typeset__scrollwrap")
        fit = "all => all.every((one) => one.scrollWidth <= one.clientWidth)"
        assert frames.evaluate_all(fit), "a table is wider than a phone"
        page.page.get_by_label("Filter the rules").fill("condition unknown")
        rows = page.page.locator("article tbody tr:visible").all_inner_texts()
        assert any(row.startswith("SG204") for row in rows)
        assert all("condition" in row.lower() and "unknown" in row.lower() for row in rows)
        assert page.page.locator("output").inner_text().startswith(f"{len(rows)} of ")
        assert "Minimal pairs" not in page.page.locator("article h2:visible").all_inner_texts()
        page.page.get_by_role("link", name="SG204").click()
        page.page.get_by_role("heading", name="SG204 unknown-condition").wait_for()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
def test_axe_finds_no_violation_on_the_site(site, browser, width, scheme):
    for place in ("index", "rules", "rules/SG204", "commands/check", "api", "start/suite"):
        with suite_page(browser, f"{site}/{place}.html", width=width, color_scheme=scheme) as page:
            page.page.wait_for_load_state("networkidle")
            assert not violations(page.page)
