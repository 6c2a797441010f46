"""The static page in Chromium, with Python in the browser and no server behind it.

``EVALMARK_PYODIDE`` names the npm package, such as the ``node_modules/pyodide`` that
``npm install pyodide`` makes; without it these tests are skipped.
"""

import json
import os
import shutil
import zlib
from base64 import urlsafe_b64encode
from pathlib import Path

import pytest
from browser import violations
from conftest import FIXTURES, data_at
from evalmark.workbench.page_check import check_text
from evalmark.workbench.pasted_text import table_answer
from evalmark.workbench.static_site.pyodide_package import HOW_TO_GET
from evalmark.workbench.static_site.site_build import (
    MANIFEST,
    SERVICE_WORKER_FILE,
    build,
    service_worker,
)
from evalmark.workbench.static_site.site_suites import suites_of
from serving import SUITE, suite_page, text_checked, texts
from site_serving import hosted
from standin_runs import write_run

BAD = FIXTURES / "bad"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A built site."""
    package = os.environ.get("EVALMARK_PYODIDE")
    if not package:
        pytest.skip(f"EVALMARK_PYODIDE does not name the npm package: {HOW_TO_GET}")
    out = tmp_path_factory.mktemp("site")
    lab = tmp_path_factory.mktemp("lab")
    write_run(lab / "recorded", "us/model", suites=1, items=2)
    shutil.copy(SUITE, lab / "lesson.json")
    build(out / "below", Path(package), suites_of(lab).archive)
    return out


@pytest.fixture(scope="module")
def site(folder):
    """Its address, below the root of a host as on many static hosts."""
    with hosted(folder) as base:
        yield f"{base}/below/"


@pytest.fixture(scope="module")
def visit(site, browser):
    """A page in which Python has started, for tests that do not mind what is open in it."""
    with suite_page(browser, site) as found:
        asked = []
        found.page.on("request", lambda request: asked.append(request.url))
        yield found
        hosts = {url.removeprefix("blob:") for url in asked}
        assert all(url.startswith((site, "data:")) for url in hosts), hosts


def choose(page, *paths):
    """Open files with the picker of the first page."""
    page.go("", ".local")
    page.page.set_input_files('input[aria-label="Files to open"]', [str(path) for path in paths])


def open_text(page, path):
    choose(page, path)
    page.page.get_by_role("heading", name=path.name).wait_for()
    text_checked(page)


def shown(page):
    """The findings of a text as the page shows them: place and code."""
    found = page.page.evaluate("() => document.querySelector('#main').textPage.checked.findings")
    return [(f["line"], f["column"], f["code"], f["message"]) for f in found]


def test_an_example_is_seen_before_any_program_is_there(site, browser):
    with browser.new_context() as context:
        page = context.new_page()
        page.route("**/app.js", lambda route: route.abort())
        page.goto(f"{site}#/new/example-agreement")
        assert page.get_by_text("behind the writers").first.is_visible()
        assert page.get_by_text("no mistakes found").is_visible()
        assert not violations(page)
        page.goto("about:blank")
        page.goto(f"{site}#/")
        assert not page.get_by_text("no mistakes found").is_visible()


def test_an_example_can_be_used_before_python_is_there(site, browser):
    with browser.new_context() as context:
        page = context.new_page()
        page.route("**/*.zip", lambda route: route.abort())
        page.goto(f"{site}#/new/example-agreement")
        page.wait_for_selector(".grid .cell.active")
        page.get_by_text("not checked: ").wait_for()
        page.unroute("**/*.zip")
        page.keyboard.type("The  pilot")
        page.keyboard.press("Enter")
        page.get_by_text("Loading Python").or_(page.get_by_text("Starting ")).first.wait_for()
        page.get_by_text("SG305").first.wait_for()
        assert page.get_by_role("progressbar").count() == 0


def test_a_suite_is_written_checked_fixed_and_downloaded(visit, tmp_path):
    page = visit.page
    source = BAD / "SG302_leading_space.json"
    choose(visit, source)
    page.wait_for_selector(".grid .cell.active")
    visit.checked()
    page.locator(".finding", has_text="SG302").first.wait_for()
    with page.expect_download() as waiting:
        page.get_by_role("button", name="safely").click()
        visit.checked()
        page.locator(".findings", has_text="SG302").wait_for(state="detached")
        page.get_by_role("button", name="Save and download").click()
    saved = tmp_path / "saved.json"
    waiting.value.save_as(saved)
    assert waiting.value.suggested_filename == source.name
    assert data_at(saved) == visit.data
    assert saved.read_bytes() != source.read_bytes()
    assert "SG302" not in {f["code"] for f in check_text(saved.read_text(), "a.json")["findings"]}
    assert page.get_by_text(f"evalmark score {source.name} --model gpt2").is_visible()


def test_formulas_are_explained(visit):
    choose(visit, SUITE)
    visit.page.get_by_text("Region 2 (Verb) of mismatch is more surprising").wait_for()
    visit.page.get_by_text("no mistakes found").wait_for()


@pytest.mark.parametrize(
    "name",
    ["EE112_several", "EE113_unknown_value", "EE101_missing_keys", "EE103_unfit_old_record",
     "EE131_levels_need_names"],
)  # fmt: skip
def test_an_invalid_record_is_explained_as_on_the_command_line(visit, name):
    path = BAD / f"{name}.json"
    open_text(visit, path)
    expected = check_text(path.read_bytes().decode(), path.name)["findings"]
    assert shown(visit) == [(f["line"], f["column"], f["code"], f["message"]) for f in expected]
    listed = visit.page.locator(".findings").inner_text()
    assert all(f"{f['line']}:{f['column']} " in listed for f in expected if f["line"])


def test_a_record_is_mended_and_downloaded(visit, tmp_path):
    page = visit.page
    path = tmp_path / "mended.json"
    text = (BAD / "EE113_unknown_value.json").read_bytes().decode().replace("\n", "\r\n")
    path.write_bytes(text.encode())
    open_text(visit, path)
    field = page.get_by_label("Text of mended.json")
    page.locator(".finding").first.click()
    marked = page.evaluate("() => getSelection().toString()")
    assert marked.startswith('"')
    page.keyboard.insert_text(marked)
    finding = page.evaluate("() => document.querySelector('#main').textPage.checked.findings[0]")
    assert finding["code"] == "EE113"
    field.press("Control+End")
    visit.keys("Enter")
    text_checked(visit)
    with page.expect_download() as waiting:
        page.get_by_role("button", name="Save and download").click()
    waiting.value.save_as(tmp_path / "saved.json")
    assert (tmp_path / "saved.json").read_bytes() == text.encode() + b"\r\n"


def test_a_record_of_an_older_version_is_converted(visit):
    page = visit.page
    open_text(visit, BAD / "EE201_score_out_of_bounds.json")
    version = (
        "version => { const { text, checked } = document.querySelector('#main').textPage;"
        ' return checked && text.includes(`"schema_version": "${version}"`); }'
    )
    for name, arg in (("Convert to record-0.3.0", "0.3.0"), ("Undo", "0.2.0")):
        page.get_by_role("button", name=name).click()
        page.wait_for_function(version, arg=arg)


@pytest.mark.parametrize("name", ["merged.xlsx", "french.ods", "two_factors.csv"])
def test_a_table_that_is_opened_becomes_the_suite_that_the_server_makes(visit, name):
    file = FIXTURES / "tables" / name
    choose(visit, file)
    visit.page.get_by_role("button", name="Make the suite").wait_for()
    # It has no errors as a file: it may become a suite.
    assert not visit.page.evaluate(
        "async (name) => { const { textPage: page } = document.querySelector('#main');"
        " await page?.engine.explain('SG204'); return page?.path === name && page.checked; }",
        name,
    )
    visit.page.get_by_role("button", name="Make the suite").click()
    visit.page.wait_for_selector(".grid .cell.active")
    assert visit.data == table_answer(file.read_bytes(), name)["data"]


def test_a_suite_of_the_site_is_edited_and_can_be_as_it_was(visit):
    page = visit.page
    visit.go("suite/lesson", ".grid .cell.active")
    visit.checked()
    before = texts(visit.data)[0][0]
    page.locator(".cell.active").focus()
    visit.type("Mine", "Enter")
    with page.expect_download():
        page.get_by_role("button", name="Save and download").click()
    visit.go("", ".local")
    page.locator(".local details").evaluate("details => { details.open = true; }")
    page.get_by_role("button", name="Remove lesson.json").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    page.get_by_role("button", name="Remove lesson.json").wait_for(state="detached")
    visit.go("suite/lesson", ".grid .cell.active")
    assert texts(visit.data)[0][0] == before


def test_a_recorded_run_of_the_site_is_shown(visit):
    visit.go("", ".local")
    visit.page.get_by_role("link", name="recorded", exact=True).click()
    report = visit.page.frame_locator("iframe")
    report.get_by_role("heading", name="us/model").first.wait_for()
    report.locator(".chart svg").first.wait_for()


def test_a_link_holds_a_suite_or_the_name_of_one(visit):
    page = visit.page
    choose(visit, BAD / "SG302_leading_space.json")
    page.wait_for_selector(".grid .cell.active")
    data = visit.data
    page.get_by_role("button", name="Copy a link").click()
    page.get_by_text("the link is copied").wait_for()
    link = page.evaluate("() => navigator.clipboard.readText()")
    assert link.startswith(f"{visit.base}#/shared/")
    page.goto(link)
    page.get_by_text("new, not saved").wait_for()
    assert visit.data == data
    visit.go("suite/lesson", ".grid .cell.active")
    page.get_by_role("button", name="Copy a link").click()
    page.wait_for_selector("#live.shown")
    assert page.evaluate("() => navigator.clipboard.readText()").endswith("#/suite/lesson.json")


def test_a_suite_that_is_too_large_for_a_link_is_a_sentence(visit):
    page = visit.page
    choose(visit, SUITE)
    page.wait_for_selector(".grid .cell.active")
    page.evaluate(
        """() => document.querySelector('#main').suitePage.session.apply("test", (data) =>
            ({ ...data, meta: { ...data.meta, comment: Array.from({ length: 9999 },
              () => Math.random().toString(36)).join("") } }))"""
    )
    page.get_by_role("button", name="Copy a link").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("too large for a link of 30,000 characters").wait_for()
    dialog.get_by_role("button", name="OK").click()
    page.get_by_role("button", name="Undo").click()


def link_of(text):
    """What a link of a text has behind ``#/shared/``."""
    packer = zlib.compressobj(wbits=-15)
    packed = packer.compress(text.encode()) + packer.flush()
    return urlsafe_b64encode(packed).decode().rstrip("=")


HOSTILE = {
    "shared/%E0%A4%A": "cut off, or changed",
    "shared/!": "cut off, or changed",
    f"shared/{link_of('{}' * 9)[:-4]}": "cut off, or changed",
    f"shared/{link_of(' ' * 2_000_001)}": "its text has more than 2 MB",
    f"shared/{'A' * 30_001}": "it is longer than 30,000 characters",
    f"shared/{link_of('[' * 100_000)}": "this link holds no suite",
    f"shared/{link_of('<script>')}": "this link holds no suite",
    f"shared/{link_of(json.dumps({'meta': 1, 'items': [{}], 'region_meta': []}))}": "no suite",
    "suite/<b>": "there is no suite <b> here",
}


def test_a_hostile_link_ends_in_a_sentence(visit):
    for place, sentence in HOSTILE.items():
        visit.page.goto(f"{visit.base}#/{place}")
        visit.page.locator(".bad", has_text=sentence).wait_for()


STRANGE = {
    "open.json": "[" * 100_000,
    "closed.json": "[" * 100_000 + "]" * 100_000,
    "objects.json": '{"a":' * 50_000 + "1" + "}" * 50_000,
    "levels.json": "[" * 400 + "]" * 400,
    "lines.jsonl": "[" * 100_000 + "\n{}\n",
    "flow.yaml": "a: " + "[" * 100_000,
    "number.json": "9" * 5000,
    "zero.json": "\0",
    "empty.json": "",
    "header.csv": "a,b\n" + '"' * 100_001,
}


@pytest.mark.parametrize("name", STRANGE)
def test_no_file_stops_python(visit, tmp_path, name):
    path = tmp_path / name
    path.write_text(STRANGE[name], encoding="utf-8")
    open_text(visit, path)
    assert shown(visit)


def test_no_formula_stops_python(visit):
    choose(visit, SUITE)
    visit.page.wait_for_selector(".grid .cell.active")
    said = visit.page.evaluate(
        """() => document.querySelector('#main').suitePage.engine
            .formula("(".repeat(100000) + "1", ["a"], 1, {})"""
    )
    assert said["error"]


def test_several_files_are_listed_downloaded_and_removed(visit, tmp_path):
    page = visit.page
    record = Path(shutil.copy(BAD / "EE112_wrong_type.json", tmp_path / "listed.json"))
    choose(visit, record, SUITE)
    page.locator(".kept a", has_text=record.name).wait_for(state="attached")
    if not page.locator(".local details[open]").count():  # it is, where files are listed only here
        page.locator(".local summary").click()
    with page.expect_download() as waiting:
        page.get_by_role("button", name=f"Download {record.name}").click()
    waiting.value.save_as(tmp_path / "downloaded.json")
    assert (tmp_path / "downloaded.json").read_bytes() == record.read_bytes()
    page.get_by_role("button", name=f"Remove {record.name}").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    page.get_by_role("link", name=record.name).first.wait_for(state="detached")
    page.get_by_role("button", name="Remove suite.json").wait_for()


def test_files_are_kept_and_other_tabs_are_noticed(site, browser, tmp_path):
    with suite_page(browser, site) as first:
        choose(first, SUITE)
        first.page.wait_for_selector(".grid .cell.active")
        first.checked()
        page = first.page.context.new_page()
        page.goto(f"{site}#/file/suite.json")
        page.wait_for_selector(".grid .cell.active")
        for tab, text in ((page, "One"), (first.page, "Two")):
            tab.bring_to_front()
            tab.locator(".cell.active").focus()
            tab.keyboard.type(text)
            tab.keyboard.press("Enter")
        with page.expect_download():
            page.get_by_role("button", name="Save and download").click()
        first.page.get_by_role("button", name="Save and download").click()
        first.page.get_by_role("dialog").get_by_text("One").wait_for()
        with first.page.expect_download():
            first.page.get_by_role("button", name="Replace it with mine").click()
        page.close()
        first.page.reload()
        first.page.wait_for_selector(".grid .cell.active")
        assert first.data["items"][0]["conditions"][0]["regions"][0]["content"] == "Two"


def test_python_starts_again_with_the_files_if_it_ends(visit):
    """As with a file that needs more memory than the browser gives."""
    choose(visit, SUITE)
    visit.page.wait_for_selector(".grid .cell.active")
    visit.checked()
    visit.page.evaluate("() => document.querySelector('#main').suitePage.engine.fail('test')")
    visit.page.locator(".cell.active").focus()
    visit.type("Again", "Enter")
    visit.checked()
    with visit.page.expect_download():
        visit.page.get_by_role("button", name="Save and download").click()


#: Keeps each percentage that the page shows.
LOADED = """() => {
  window.shares = [];
  const look = () => {
    const found = document.body.innerText.match(/([\\d]+) %, [\\d.]+ of [\\d.]+ MB/);
    if (found) window.shares.push(Number(found[1]));
  };
  const options = { childList: true, subtree: true, characterData: true };
  new MutationObserver(look).observe(document.body, options);
}"""


def test_what_cannot_be_loaded_is_a_sentence(folder, browser, tmp_path):
    shutil.copytree(folder / "below", tmp_path / "broken")
    archive = next((tmp_path / "broken/python").glob("evalmark-*"))
    whole = archive.read_bytes()
    archive.write_bytes(whole[:-1] + b"x")  # an upload that went wrong
    context = browser.new_context()
    with hosted(tmp_path / "broken") as base:
        page = context.new_page()
        page.goto(base)
        page.locator(".bad", has_text="evalmark does not run in this browser").wait_for()
        assert "cannot be loaded" in page.locator(".bad").inner_text()
        archive.write_bytes(whole)
        page.evaluate(LOADED)
        page.get_by_role("button", name="Try again").click()
        page.wait_for_selector(".local")
        shares = page.evaluate("() => window.shares")
    assert len(set(shares)) > 2  # how many depends on how the parts arrive
    assert (shares, shares[-1]) == (sorted(shares), 100)
    context.close()


@pytest.mark.parametrize(("width", "scheme"), [(1280, "light"), (400, "dark")])
def test_axe_finds_no_violation(site, browser, width, scheme):
    options = {"color_scheme": scheme, "bypass_csp": True}
    with suite_page(browser, site, width=width, **options) as page:
        choose(page, SUITE, BAD / "EE112_several.json")
        page.page.get_by_text("2 files in this browser").click()
        for place, ready in (
            ("", ".kept"),
            ("file/suite.json", ".grid .cell.active"),
            ("file/EE112_several.json", ".findings li"),
        ):
            page.go(place, ready)
            assert not violations(page.page)
            assert page.page.evaluate("document.documentElement.scrollWidth") == width


KEPT = """async () => {
  await navigator.serviceWorker.ready;
  const [name, ...others] = await caches.keys();
  const paths = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
  return { name, others, paths: paths.sort() };
}"""


def test_after_a_visit_it_works_without_a_network_until_a_new_version(folder, browser, tmp_path):
    """Under any path; nothing is replaced before the person wants it."""
    out = tmp_path / "a b"
    shutil.copytree(folder / "below", out)
    context = browser.new_context()
    with hosted(tmp_path) as base:
        page = context.new_page()
        page.goto(f"{base}/a%20b/")
        page.wait_for_selector(".local")
        session = context.new_cdp_session(page)
        errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
        assert {error["errorId"] for error in errors} <= {"in-incognito"}  # as this test is
        kept = page.evaluate(KEPT)
        files = {
            p.relative_to(out).as_posix(): p.read_bytes() for p in out.rglob("*") if p.is_file()
        }
        del files[MANIFEST], files[SERVICE_WORKER_FILE]
        assert len(kept["paths"]) == len(files)
        files["index.html"] = files["index.html"].replace(b"<body>", b'<body id="new">')
        (out / "index.html").write_bytes(files["index.html"])
        (out / SERVICE_WORKER_FILE).write_bytes(service_worker(files))
        page.evaluate("async () => (await navigator.serviceWorker.ready).update()")
        page.get_by_role("button", name="Use it").click()
        page.wait_for_selector("#new .local")
    page.reload()  # nobody answers any more
    page.wait_for_selector(".local")
    assert page.evaluate(KEPT) == kept
    page.get_by_role("link", name="Agreement").click()
    page.wait_for_selector(".grid .cell.active")
    context.close()
