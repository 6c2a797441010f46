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
