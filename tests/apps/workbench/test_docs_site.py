"""The site in Chromium. `make docs` builds it; without it these tests are skipped."""

from http.server import SimpleHTTPRequestHandler

import pytest
from browser import violations
from conftest import ROOT
from serving import Keyboard, Mouse, Touch, suite_page
from site_serving import hosted

SITE = ROOT / "build/site"
#: Forty questions as people ask them, and the section that answers each.
QUESTIONS = {
    "plot surprisals": "start/analysis.html#plot-surprisals",
    "what licence does evalmark have": "questions.html#licence-and-how-to-cite-evalmark",
    "is my suite contaminated": "questions.html#contamination-has-a-model-seen-my-suite",
    "use an ollama model": "questions.html#can-i-score-a-model-of-ollama",
    "german umlauts in suites": "questions.html#umlauts-accents-and-other-scripts",
    "how are words split into subwords": "questions.html#words-that-are-split-into-subwords",
    "log results to weights and biases": "questions.html#log-results-to-weights-biases",
    "uninstall evalmark": "questions.html#uninstall",
    "how do I install evalmark": "index.html#install",
    "score a suite with gpt2": "start/suite.html#score",
    "compare two models": "comparing.html#what-is-compared",
    "convert an excel file to a suite": "converting.html#spreadsheets",
    "paste a table from google sheets": "converting.html#any-table",
    "ignore a rule in one file": "checking-a-suite-repository.html#ignore-a-rule",
    "what does SG204 mean": "rules/SG204.html",
    "pre-commit hook": "checking-a-suite-repository.html#on-every-commit",
    "github action for pull requests": "checking-a-submission.html#check-every-pull-request",
    "what is surprisal": "glossary.html#scoring",
    "what is a region": "glossary.html#files-and-formats",
    "write a formula": "formats.html#the-prediction-language-how-to-write-a-formula",
    "run on a gpu": "scoring.html#on-a-gpu",
    "apple silicon": "scoring.html#on-a-gpu",
    "does it work on windows": "platforms.html#windows-and-macos",
    "score blimp": "minimal-pairs.html#published-sets",
    "minimal pairs in my own csv": "minimal-pairs.html",
    "convert lm-eval results": "start/submit.html#convert",
    "submit results to a leaderboard": "start/submit.html",
    "publish a leaderboard website": "start/leaderboard.html#site",
    "find contradicting records": "running-a-leaderboard.html#contradictions-which-number-counts",
    "mixed model in R with lme4": "scoring.html#mixed-models-and-reading-times",
    "reading times": "scoring.html#mixed-models-and-reading-times",
    "test the memory of a chatbot": "conversations.html",
    "test my own memory system": "start/memory.html",
    "exit codes of check": "checking-a-suite-repository.html#exit-codes",
    "fix mistakes automatically": "start/repository.html#a-mistake-does-not-get-in",
    "check thousands of files fast": "questions.html#thousands-of-files-fast",
    "use it from python": "start/analysis.html#python",
    "report as html": "scoring.html#reports",
    "vscode extension": "editors.html#vs-code",
    "cite evalmark": "questions.html#licence-and-how-to-cite-evalmark",
}
#: Asks the search for the first section of each question, as the page does.
ASK = """async (questions) => {
  const found = document.querySelector("script#__config");
  const name = JSON.parse(found.textContent).search;
  const data = await (await fetch("search.json")).json();
  const worker = new Worker(name);
  const ask = (message) => new Promise((done) => {
    worker.onmessage = ({ data }) => done(data.data);
    worker.postMessage(message);
  });
  await ask({ type: 0, data });
  const first = {};
  for (const input of questions) {
    const { items } = await ask({ type: 2, data: { input } });
    first[input] = data.items[items[0]?.id]?.location;
  }
  return first;
}"""


@pytest.fixture(scope="module")
def site():
    if not SITE.is_dir():
        pytest.skip("the site is not built: make docs")
    with hosted(SITE, SimpleHTTPRequestHandler) as address:
        yield address


@pytest.mark.parametrize("manner", [Mouse, Keyboard, Touch])
def test_the_first_page_leads_to_a_suite_with_its_result(site, browser, manner):
    with suite_page(browser, f"{site}/index.html", **manner.options) as page:
        root, hand = page.page, manner(page)
        hand.press(root.get_by_role("link", name="Try it in the browser"))
        root.get_by_role("heading", name="A result of this example").wait_for()
        page.checked()
        assert root.inner_text(".summary") == "no mistakes found"
        ways = {"evalmark": "../index.html", "install evalmark": "../index.html#install"}
        for name, href in ways.items():
            assert root.get_by_role("link", name=name, exact=True).get_attribute("href") == href
        result = root.get_by_role("region", name="accuracies of")
        assert "1.000" in result.inner_text()
        changed = root.get_by_text("as it was, before your changes")
        assert not changed.is_visible()
        hand.reach(page.cell(1, 1))
        page.type("The pilot", "Enter")
        changed.wait_for()


def test_search_answers_questions_in_the_words_of_those_who_ask(site, browser):
    with suite_page(browser, f"{site}/index.html") as page:
        first = page.page.evaluate(ASK, list(QUESTIONS))
        missed = {words: place for words, place in first.items() if QUESTIONS[words] != place}
        assert len(missed) <= 6, missed
        page.page.get_by_role("button", name="Search").first.click()
        page.page.get_by_role("combobox", name="Search").fill("plotting surprisal")
        page.page.get_by_role("option", name="Plot surprisals").wait_for()


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


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_axe_finds_no_violation_on_the_site(site, browser, width, scheme):
    for place in ("index", "rules", "rules/SG204", "commands/check", "api", "start/suite"):
        with suite_page(browser, f"{site}/{place}.html", width=width, color_scheme=scheme) as page:
            page.page.wait_for_load_state("networkidle")
            assert not violations(page.page)
