"""Running models from the page, their results, and comparing them."""

import json
import shutil

import pytest
from browser import has_text, violations
from serving import SUITE, served, suite_page
from standin_runs import write_pairs_run, write_run

pytest.importorskip("starlette")
pytest.importorskip("jinja2")

RESULT = {
    "model": "stub",
    "suites": [
        {
            "name": "agreement",
            "items": 2,
            "notes": ["a doubt"],
            "predictions": [
                {
                    "label": "1", "formula": "(2;%mismatch%) > (2;%match%)", "accuracy": 0.5,
                    "chance": 0.75, "low": 0.1, "high": 0.9, "fails": [2], "verdict": "",
                    "failures": [
                        {
                            "item": 2, "bits": 1.25,
                            "sentences": [{"condition": "match", "text": "The girl sings."}],
                        }
                    ],
                }
            ],
            "chart": "<svg><text>drawn</text><script>document.title = 1</script></svg>",
        }
    ],
}  # fmt: skip


WORDS = ["The", "the", "a", "plays", "play", "sing", "sings", "guitar", "song"]


class Stub:
    """A run that goes on until it is stopped, and ends once it is resumed."""

    def __init__(self):
        self.asked, self.done, self.state, self.known = [], 0, "waiting", []

    def answer(self, route, request):
        path = request.url.partition("/api/")[2]
        self.asked.append((path, request.post_data_json if request.method == "POST" else None))
        if path == "models":
            body = [{"id": "stub", "what": "a stub", "words": WORDS}]
        elif path == "runs":
            body = {"id": "7"} if request.method == "POST" else self.known
        elif path.startswith("result"):
            body = RESULT
        elif path == "surprisals":
            conditions = request.post_data_json["item"]["conditions"]
            tokens = [
                {"text": "The", "region": 1, "bits": 2.5},
                {"text": " x", "region": 2, "bits": None},
            ]
            body = {
                "conditions": [
                    {"name": one["condition_name"], "tokens": tokens} for one in conditions
                ]
            }
        else:
            if path.endswith("stop"):
                self.state = "stopped"
            elif path.endswith("resume"):
                self.state, self.done = "running", 9
            elif self.state in ("waiting", "running"):
                self.state = "done" if self.done else "running"
            result = "results/7" if self.state == "done" else None
            body = {
                "state": self.state,
                "model": "stub",
                "done": self.done,
                "total": 10,
                "message": "",
                "result": result,
            }
        route.fulfill(json=body)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    folder = tmp_path_factory.mktemp("served")
    shutil.copy(SUITE, folder / "suite.json")
    for seed, name in enumerate(("one", "two"), 1):
        write_run(folder / "results" / name, f"us/{name}", seed=seed, suites=2, items=6)
    write_pairs_run(folder / "results/pairs", "us/pairs", uids=2, pairs=20)
    with served(folder) as address:
        yield address


@pytest.fixture
def stubbed(site, browser):
    with suite_page(browser, site) as page:
        stub = Stub()
        for pattern in ("**/api/models", "**/api/runs**", "**/api/result*", "**/api/surprisals"):
            page.page.route(pattern, stub.answer)
        page.page.route("**/api/runs/**", stub.answer)
        page.open("suite.json")
        yield page, stub


def run_to_the_end(page):
    """The panel of runs after a run that was stopped and resumed, with a failing item shown."""
    panel = page.page.get_by_role("region", name="Run a model")
    for name in ("Run", "Stop", "Resume with stub", "go to item 2"):
        panel.get_by_role("button", name=name, exact=True).click()
    return panel


def test_a_model_is_run_stopped_and_resumed_and_a_failing_item_is_a_click_away(stubbed):
    page, stub = stubbed
    panel = run_to_the_end(page)
    assert page.page.locator(".cell.active").inner_text() == "The boys"
    row = panel.get_by_role("row").nth(1).inner_text()
    assert "0.500" in row
    assert "▼ below chance" not in row  # its interval, 0.1 to 0.9, has chance in it
    assert panel.locator("svg text").text_content() == "drawn"
    assert panel.get_by_text("Note: a doubt.").is_visible()
    assert page.page.title() == "agreement – evalmark"
    assert ("runs", {"path": "suite.json", "model": "stub", "join": "core"}) in stub.asked


def test_a_result_of_an_earlier_text_says_so(stubbed):
    page, _ = stubbed
    panel = run_to_the_end(page)
    said = panel.get_by_text("The suite has changed since this run")
    assert not said.is_visible()
    page.type("The girls", "Enter")
    assert said.is_visible()
    page.keys("Control+z")
    assert not said.is_visible()


def test_a_run_that_was_left_is_found_again(stubbed):
    page, stub = stubbed
    stub.state = "stopped"
    stub.known = [{"id": "6", "path": "suite.json", "model": "us/left", "state": "stopped"}]
    page.page.reload()
    panel = page.page.get_by_role("region", name="Run a model")
    panel.get_by_role("button", name="Resume with us/left").click()  # it may be anybody's
    panel.get_by_role("button", name="go to item 2").wait_for()
    text = panel.inner_text()
    assert "Prediction 1 fails in 1 item" in text
    assert "fails by 1.25 bits" in text
    assert "match: The girl sings." in text
    assert "not distinguishable from chance" in text
    assert ("runs/6/resume", {}) in stub.asked


def test_words_that_a_model_does_not_know_are_said_before_it_runs(stubbed):
    page, _ = stubbed
    said = page.page.locator("small", has_text="a stub")
    page.type("The girl", "Enter")
    has_text(said, "a stub. It does not know these words: girl, woman, boys")
    page.keys("Control+z")
    has_text(said, "a stub. It does not know these words: woman, boys")


def test_unsaved_edits_are_run_as_they_are(stubbed):
    page, stub = stubbed
    page.type("The girl", "Enter")
    page.page.get_by_role("button", name="Run", exact=True).click()
    page.page.get_by_role("button", name="Stop").wait_for()
    (sent,) = [body for path, body in stub.asked if path == "runs" and body]
    assert sent["path"] == "suite.json"
    assert sent["data"]["items"][0]["conditions"][0]["regions"][0]["content"] == "The girl"


def test_surprisals_of_the_item_are_shown_only_when_asked_for(stubbed):
    page, stub = stubbed
    page.type("The girl", "Enter")
    assert not [path for path, _ in stub.asked if path == "surprisals"]
    page.page.get_by_label("show while I write").check()
    page.page.wait_for_selector(".token")
    assert page.page.locator(".token-line").count() == 2
    assert "2.5" in page.page.locator(".token").first.inner_text()


def test_a_result_is_shown_and_two_runs_are_compared(site, browser):
    with suite_page(browser, site) as page:
        main = page.page.locator("main")
        for name in ("one", "two"):
            main.get_by_label(f"compare results/{name}").check()
        main.get_by_role("button", name="Compare").click()
        report = page.page.frame_locator("iframe")
        table = report.get_by_role("region", name="First: us/one; second: us/two").inner_text()
        assert "number_prp_1" in table
        assert "mean" in table
        assert "pooled" not in table
        page.go("result/results%2Fone", "iframe")
        report.get_by_role("heading", name="us/one").first.wait_for()
        assert report.locator("svg").count() > 2
        report.get_by_role("link", name="number_prp_2").first.click()
        report.locator("#part-2").wait_for()
        assert page.page.url.endswith("#/result/results%2Fone"), "a link leads inside the report"
        report.get_by_label("failed only").check()
        assert report.locator("details.items[open]").count() > 0, "its script runs"
        page.go("result/results%2Fpairs", "iframe")
        report.get_by_role("heading", name="us/pairs").first.wait_for()
        report.locator("summary").first.click()
        assert report.locator("td b").first.is_visible()


def test_a_report_may_be_shown_alone(site, browser):
    with suite_page(browser, site) as page:
        page.go("result/results%2Fone", "iframe")
        with page.page.expect_popup() as opened:
            page.page.get_by_role("link", name="Open the report alone").click()
        opened.value.get_by_role("heading", name="us/one").first.wait_for()
        assert opened.value.evaluate("getComputedStyle(document.body).maxWidth") != "none"


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_axe_finds_no_violation_in_results(site, browser, width, scheme):
    options = {"color_scheme": scheme, "bypass_csp": True}
    with suite_page(browser, site, width=width, **options) as page:
        for place in (
            "",
            "result/results%2Fone",
            "result/results%2Fpairs",
            "compare/results%2Fone/results%2Ftwo",
        ):
            page.go(place, "iframe" if place else ".start")
            assert not violations(page.page)
            assert page.page.evaluate("document.documentElement.scrollWidth") == width


def test_an_error_of_the_server_is_a_sentence_on_the_page(site, browser):
    with suite_page(browser, site) as page:
        page.page.goto(f"{page.base}#/file/nothing.json")
        page.page.get_by_role("button", name="Try again").wait_for()
        assert "nothing.json does not exist" in page.page.locator("main").inner_text()
        page.page.goto(f"{page.base}#/result/suite.json")
        page.page.locator(".bad", has_text="suite.json").wait_for()


def test_what_cannot_be_used_is_listed_with_the_reason(browser, tmp_path):
    """A folder that somebody else has written; its files are listed all the same."""
    shutil.copy(SUITE, tmp_path / "suite.json")
    (tmp_path / "evalmark.toml").write_text("join = 5")
    (tmp_path / "results").mkdir()
    run = {"model": "m", "path": "suite.json", "join": "core", "trust_remote_code": True}
    (tmp_path / "results/x.run.json").write_text(json.dumps(run))
    with served(tmp_path) as address, suite_page(browser, address) as page:
        section = page.page.get_by_role("region", name="Not used")
        lines = section.get_by_role("listitem").all_inner_texts()
        assert lines[0].startswith("evalmark.toml: ")
        assert lines[1].startswith("results/x.run.json: cannot be resumed: ")
        assert "trust_remote_code is not a key" in lines[1]
        assert page.page.get_by_role("row").filter(has_text="suite.json").is_visible()
