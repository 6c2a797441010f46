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
from evalmark.schemas.package import CLONE, address, clone
from evalmark.validator.check import check_text

HOME = "https://code.lab.example/lab/project"


@pytest.fixture(params=[None, HOME])
def home(request, tmp_path, monkeypatch):
    """The address in the metadata of the installed package, as setuptools writes it there."""
    lines = ["Metadata-Version: 2.1", "Name: evalmark", f"Version: {version('evalmark')}"]
    if request.param:
        labels = ("Repository", "Documentation")
        lines += [f"Project-URL: {label}, {request.param}/" for label in labels]
    folder = tmp_path / "site" / "evalmark-0.dist-info"
    file_at(folder / "METADATA", "\n".join(lines))
    monkeypatch.setattr(sys, "path", [str(folder.parent), *sys.path])
    address.cache_clear()
    yield request.param
    address.cache_clear()


def test_init_writes_a_hook_of_the_address_or_says_what_to_replace(
    home, run, tmp_path, monkeypatch
):
    monkeypatch.setattr("evalmark.cli.init.clone", lambda: None)
    done = run("evalmark", "init", str(tmp_path / "suites"))
    hook = (tmp_path / "suites/.pre-commit-config.yaml").read_text(encoding="utf-8")
    assert f"repo: {home or CLONE}" in hook
    assert ("rev: v0." in hook) == bool(home)
    assert (f"replace {CLONE} in it with the path of your clone" in done.out) == (not home)


def test_init_of_a_clone_names_the_clone(run, tmp_path, monkeypatch):
    monkeypatch.setattr("evalmark.cli.init.address", lambda: None)
    monkeypatch.setattr("evalmark.cli.init.clone", lambda: ROOT)
    done = run("evalmark", "init", str(tmp_path / "suites"))
    assert f"repo: {ROOT}  #" in (tmp_path / "suites/.pre-commit-config.yaml").read_text()
    assert "replace" not in done.out
    assert not (tmp_path / "suites/.github").exists()


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


def test_a_missing_library_says_where_to_install_it_from(home):
    """Without an address, from the clone that this is."""
    source = f"evalmark[report] @ git+{home}@v" if home else f"{clone() or CLONE}[report]"
    assert f"pip install '{source}" in str(NotInstalledError("jinja2", "report"))


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
