"""The bundle of CodeMirror in the page: its sources are in the repository, its licences in it."""

import hashlib
import json

from conftest import ROOT

SOURCES = ROOT / "scripts/codemirror"
BUNDLE = (ROOT / "apps/workbench/page/codemirror/codemirror.js").read_text(encoding="utf-8")
HEADER = BUNDLE.partition("*/")[0]


def test_the_bundle_is_built_from_these_files():
    digest = hashlib.sha256()
    for name in ("build.mjs", "entry.js", "package-lock.json"):
        digest.update((SOURCES / name).read_bytes())
    assert digest.hexdigest() in HEADER, "run `make codemirror`"


def test_versions_are_pinned_and_licences_shipped():
    direct = json.loads((SOURCES / "package.json").read_bytes())["devDependencies"]
    locked = json.loads((SOURCES / "package-lock.json").read_bytes())["packages"]
    installed = {path.removeprefix("node_modules/"): one for path, one in locked.items() if path}
    assert {name: installed[name]["version"] for name in direct} == direct
    for name, package in installed.items():
        assert package["integrity"], name
        if "esbuild" not in name:  # esbuild builds, and is not in the bundle
            assert f"{name} {package['version']}: Copyright" in HEADER
    assert "Permission is hereby granted" in HEADER
