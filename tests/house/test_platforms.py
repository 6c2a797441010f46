"""Versions of Python: those of the package, of the workflow and of the page are the same."""

import re
import tomllib

import yaml
from conftest import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_the_package_the_workflow_and_the_page_name_the_same_versions():
    language = "Programming Language :: Python :: "
    named = [c.removeprefix(language) for c in PROJECT["classifiers"] if c.startswith(language)]
    versions = [name for name in named if "." in name]
    workflow = (ROOT / ".github/workflows/tests.yml").read_text(encoding="utf-8")
    light = yaml.safe_load(workflow)["jobs"]["light"]["strategy"]["matrix"]
    page = (ROOT / "docs/platforms.md").read_text(encoding="utf-8")
    assert light["python"] == versions
    assert re.findall(r"^\| (3\.\d+)\b", page, re.MULTILINE) == versions
    assert PROJECT["requires-python"] == f">={versions[0]}"
    assert {os.partition("-")[0] for os in light["os"]} == {"ubuntu", "macos", "windows"}


def test_the_page_and_the_classifiers_name_the_same_systems():
    named = [c for c in PROJECT["classifiers"] if c.startswith("Operating System :: ")]
    page = (ROOT / "docs/platforms.md").read_text(encoding="utf-8")
    assert named == ["Operating System :: POSIX :: Linux"]
    assert "the package's classifiers name Linux alone" in page


def test_each_simulated_difference_has_a_test():
    page = (ROOT / "docs/platforms.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .*\| (.*-k .*) \|$", page, re.MULTILINE)
    assert len(rows) == 8
    tests = "".join(
        (ROOT / "tests/cli" / name).read_text(encoding="utf-8")
        for name in ("test_other_systems.py", "test_current_folder.py")
    )
    for words in re.findall(r'-k ("[^"]+"|\w+)', "".join(rows)):
        for word in words.strip('"').split(" or "):
            assert re.search(rf"^def test_\w*{word}", tests, re.MULTILINE), word
