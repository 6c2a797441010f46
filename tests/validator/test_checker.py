"""A check under the settings of a folder: the same, wherever it is made from."""

import json
import os
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark import Checker, UnknownNameError
from evalmark.schemas.errors import ConfigError
from found import codes_of

LEADING = (FIXTURES / "bad/SG302_leading_space.json").read_text(encoding="utf-8")
SETTINGS = """
exclude = ["kept/old/*"]
[[per-file-ignores]]
files = "kept/*.json"
rules = ["SG302"]
reason = "as published"
"""


@pytest.fixture
def repository(tmp_path):
    (tmp_path / "kept/old").mkdir(parents=True)
    (tmp_path / "evalmark.toml").write_text(SETTINGS, encoding="utf-8")
    for name in ("kept/a.json", "b.json", "kept/old/c.json"):
        data = {**(data := json.loads(LEADING)), "meta": {**data["meta"], "name": name}}
        (tmp_path / name).write_text(json.dumps(data, indent=1), encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize("here", [".", "kept", "kept/old", "/"])
@pytest.mark.parametrize("is_absolute", [True, False])
def test_paths_in_settings_are_relative_to_their_folder(repository, monkeypatch, here, is_absolute):
    monkeypatch.chdir(repository / here)
    checker = Checker.of(repository)
    named = {}
    for name in ("kept/a.json", "b.json", "kept/old/c.json"):
        path = str(repository / name) if is_absolute else os.path.relpath(repository / name)
        text = (repository / name).read_bytes()
        reports = [
            checker.file(path),
            checker.text(text, path),
            checker.data(json.loads(text), path),
        ]
        assert len({tuple(codes_of(report)) for report in reports}) == 1
        named[name] = set(codes_of(reports[0])), checker.excludes(path)
    assert named == {
        "kept/a.json": (set(), False),
        "b.json": ({"SG302"}, False),
        "kept/old/c.json": (set(), True),
    }
    folder = str(repository) if is_absolute else os.path.relpath(repository)
    checked = checker.files([folder])
    assert checked.files == 2
    assert set(codes_of(checked)) == {"SG302"}
    assert not checked.unused_ignores
    assert Path.cwd() == (repository / here).resolve()


def test_arguments_add_to_settings_and_replace_each_other(repository):
    checker = Checker.of(repository, models="any", schema_only=True)
    assert codes_of(checker.file(repository / "b.json")) == []
    other = checker.asking(schema_only=False, kind="suite")
    assert set(codes_of(other.file(repository / "b.json"))) == {"SG302"}
    assert other.context.models == "any"
    assert codes_of(Checker(ignore=["region-leading-space"]).text(LEADING)) == []
    with pytest.raises(UnknownNameError):
        Checker(models="all")


def test_settings_that_cannot_be_used_are_refused(tmp_path):
    (tmp_path / "evalmark.toml").write_text("ignore = 1", encoding="utf-8")
    with pytest.raises(ConfigError):
        Checker.of(tmp_path)
    assert set(codes_of(Checker().text(LEADING))) == {"SG302"}
