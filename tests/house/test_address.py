"""The address in `[project.urls]` reaches `init`, findings, errors and the package index."""

import json
import re
import runpy
import shutil
import sys
from importlib.metadata import version

import pytest
from conftest import ROOT, file_at
from evalmark.lsp.diagnostics import diagnostic
from evalmark.lsp.live_text import LiveText
from evalmark.schemas.errors import NotInstalledError
from evalmark.schemas.package import address
from evalmark.validator.check import check_text

HOME = "https://code.lab.example/lab/project"


@pytest.fixture
def site(tmp_path, monkeypatch):
    """An installed evalmark with an address and what pip writes about its source."""

    def install(home, direct_url=None):
        lines = ["Metadata-Version: 2.1", "Name: evalmark", f"Version: {version('evalmark')}"]
        if home:
            labels = ("Repository", "Documentation")
            lines += [f"Project-URL: {label}, {home}/" for label in labels]
        folder = tmp_path / "site" / "evalmark-0.dist-info"
        file_at(folder / "METADATA", "\n".join(lines))
        if direct_url:
            file_at(folder / "direct_url.json", json.dumps(direct_url))
        monkeypatch.setattr(sys, "path", [str(folder.parent), *sys.path])
        address.cache_clear()

    yield install
    address.cache_clear()


@pytest.fixture(params=[None, HOME])
def home(request, site):
    """The address in the metadata of the installed package, as setuptools writes it there."""
    site(request.param)
    return request.param


#: What pip writes into direct_url.json -> the argument of `pip install`, and the hook of `init`.
SOURCES = {
    "folder": (
        {"url": "file:///home/a%20b/evalmark", "dir_info": {}},
        "/home/a b/evalmark[report]",
        'additional_dependencies: ["/home/a b/evalmark"]',
    ),
    "clone": (
        {"url": ROOT.as_uri(), "dir_info": {"editable": True}},
        f"{ROOT}[report]",
        f'repo: "{ROOT}"\n    rev: ',
    ),
    "wheel": (
        {"url": "file:///tmp/evalmark-0.1.0-py3-none-any.whl", "archive_info": {}},
        "/tmp/evalmark-0.1.0-py3-none-any.whl[report]",
        'additional_dependencies: ["/tmp/evalmark-0.1.0-py3-none-any.whl"]',
    ),
    "repository": (
        {"url": "https://lab.example/e.git", "vcs_info": {"vcs": "git", "commit_id": "0a1b"}},
        "evalmark[report] @ git+https://lab.example/e.git@0a1b",
        "repo: https://lab.example/e.git\n    rev: 0a1b",
    ),
    "index": (
        None,
        "evalmark[report]",
        f'additional_dependencies: ["evalmark=={version("evalmark")}"]',
    ),
}


@pytest.mark.skipif(sys.platform == "win32", reason="paths of POSIX")
@pytest.mark.parametrize("name", SOURCES)
def test_hints_and_hooks_name_the_place_that_pip_installed_from(name, site, run, tmp_path):
    written, cure, hook = SOURCES[name]
    site(None, written)
    assert f"pip install '{cure}'" in str(NotInstalledError("jinja2", "report"))
    done = run("evalmark", "init", str(tmp_path / "suites"))
    text = (tmp_path / "suites/.pre-commit-config.yaml").read_text(encoding="utf-8")
    if (ROOT / ".git").exists() or name != "clone":
        assert hook in text
    assert "replace" not in done.out
    assert not (tmp_path / "suites/.github").exists()


def test_init_writes_a_hook_of_the_address(site, run, tmp_path):
    site(HOME)
    run("evalmark", "init", str(tmp_path / "suites"))
    hook = (tmp_path / "suites/.pre-commit-config.yaml").read_text(encoding="utf-8")
    assert f"repo: {HOME}\n    rev: v0." in hook


def test_init_writes_a_workflow_if_the_address_is_on_github(run, tmp_path, monkeypatch):
    monkeypatch.setattr("evalmark.cli.init.address", lambda: "https://github.com/lab/project")
    assert run("evalmark", "init", str(tmp_path)).code == 0
    workflow = (tmp_path / ".github/workflows/evalmark.yml").read_text(encoding="utf-8")
    assert "- uses: lab/project@v" in workflow


def test_findings_link_to_the_page_of_their_rule(home, run, tmp_path):
    (tmp_path / "bad.json").write_text('{"meta": {}, "items": []', encoding="utf-8")
    log = json.loads(run("evalmark", "check", "--format", "sarif", str(tmp_path / "bad.json")).out)
    driver = log["runs"][0]["tool"]["driver"]
    page = f"{home}/rules/F001.html" if home else None
    (rule,) = driver["rules"]
    assert driver.get("informationUri") == home
    assert rule.get("helpUri") == page
    found = run("evalmark", "check", "--format", "json", str(tmp_path / "bad.json")).out
    assert json.loads(found)["findings"][0]["url"] == page
    text = '{"meta": {}, "items": []'
    link = diagnostic(check_text(text).findings[0], LiveText(text), "").code_description
    assert (link and link.href) == page


def test_a_package_index_shows_the_readme_with_links_that_lead_somewhere(
    home, tmp_path, monkeypatch
):
    metadata = {}
    monkeypatch.setattr("setuptools.setup", metadata.update)
    for name in ("setup.py", "README.md"):
        shutil.copy(ROOT / name, tmp_path)
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    urls = "[project.urls]\n" + (f'Repository = "{home}/"\n' if home else "")
    text = re.sub(r"^\[project\.urls\]\n(?:#.*\n|\w+ = .*\n)*", urls, text, flags=re.MULTILINE)
    (tmp_path / "pyproject.toml").write_text(text, encoding="utf-8")
    runpy.run_path(str(tmp_path / "setup.py"))
    text = metadata["long_description"]
    assert not re.search(r"\]\((?!https?://|#)", text)
    assert (f"]({home}/raw/v{version('evalmark')}/docs/images/" in text) == bool(home)
    assert ("![" in text) == bool(home)
    assert "Architecture" in text
