"""The first pages of docs/start/ are followed to the letter, and the site of docs/ is whole."""

import re
import shutil
import tomllib

import pytest
from conftest import ROOT, needs_sh

from scripts import docs_site
from scripts.generate import site_pages
from scripts.start_pages import PAGES, follow

#: What a page needs beside the base: modules that can be imported.
NEEDS = {
    "suite": ("torch", "jinja2"),
    "leaderboard": ("pyarrow", "jinja2"),
    "analysis": ("torch", "pandas"),
}


@pytest.mark.slow
@needs_sh
@pytest.mark.skipif(not shutil.which("git"), reason="needs git")
@pytest.mark.parametrize("name", PAGES)
def test_the_page_shows_what_its_commands_print(name, tmp_path):
    for module in NEEDS.get(name, ()):
        pytest.importorskip(module)
    text = PAGES[name].read_text(encoding="utf-8")
    assert follow(text, tmp_path) == text


def test_the_workflow_of_a_page_has_the_commands_that_the_page_runs():
    text = PAGES["memory"].read_text(encoding="utf-8")
    steps = re.findall(r"- run: (evalmark .*)", text)
    shell = "".join(re.findall(r"```sh\n(.*?)```", text, re.DOTALL))
    assert len(steps) == 2
    assert all(re.search(rf"^{re.escape(step)}( [>|].*)?$", shell, re.MULTILINE) for step in steps)


@pytest.mark.slow
@needs_sh
def test_the_minute_of_the_readme_shows_what_its_commands_print(tmp_path, torch):
    text = (ROOT / "README.md").read_text(encoding="utf-8").partition("## One minute")[2]
    assert follow(text, tmp_path) == text


def test_every_page_is_in_the_navigation_once():
    config = tomllib.loads((ROOT / "docs/zensical.toml").read_text(encoding="utf-8"))
    listed = sorted(re.findall(r"'([\w/-]+\.md)'", str(config["project"]["nav"])))
    docs = ROOT / "docs"
    pages = [path.relative_to(docs).as_posix() for path in docs.rglob("*.md")]
    reference = [name for name in site_pages() if "/" not in name]  # parts come with their page
    assert listed == sorted([*pages, *reference, *docs_site.ELSEWHERE.values()])


def test_links_out_of_the_docs_lead_to_the_address_or_nowhere(tmp_path):
    page = ROOT / "docs/editors.md"
    text = "[a](../tests/README.md) [b](../README.md#install) [c](rules.md#x) [d](https://x.org)\n"
    path = tmp_path / page.name
    path.write_text(text, encoding="utf-8")
    shown = docs_site.page(path, "start/a.md", "https://x.org/e", beside=page)
    assert shown == (
        "[a](https://x.org/e/blob/main/tests/README.md) [b](../index.md#install) "
        "[c](../rules.md#x) [d](https://x.org)\n"
    )
    assert docs_site.page(path, "a.md", "", beside=page).startswith("a [b](index.md#install)")


def test_dead_links_and_anchors_are_reported(tmp_path):
    (tmp_path / "a.html").write_text(
        '<h1 id="x"></h1><a href="b.html#y">1</a><a href="#x">2</a><a href="c.html">3</a>'
        '<a href="https://elsewhere.org">4</a><a href="b.html#z">5</a>'
    )
    (tmp_path / "b.html").write_text('<h2 id="y"></h2><script src="https://cdn.org/x.js"></script>')
    assert docs_site.dead_links(tmp_path) == [
        "a.html: c.html",
        "a.html: b.html#z",
        "b.html: https://cdn.org/x.js",
    ]
