"""``make pyz``: one file that prints what the installed commands print."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import FIXTURES

from scripts import pyz

pytestmark = pytest.mark.slow

#: The file is made by one of them, and runs under all that are installed here.
NAMES = ("python3.12", "python3.13", "python3.14")
PYTHONS = {
    sys.executable,
    *(
        path
        for path in filter(None, map(shutil.which, NAMES))
        if not subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode
    ),
}
CALLS = (
    ("check", "--format", "full", "--verbose", "."),
    ("hook", "."),
    ("convert", "--check", "versions", "suites", "legacy"),
    ("convert", "--to", "yaml", "--out", "-", "suites/agreement_attractor.json"),
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    made = tmp_path_factory.mktemp("pyz") / "evalmark.pyz"
    made.write_bytes(pyz.contents())
    return made


def printed(*command, cache=""):
    environment = {**os.environ, "XDG_CACHE_HOME": str(cache)}
    done = subprocess.run(command, cwd=FIXTURES, env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def alone(python, file, *words, cache):
    """What the file prints where no package is installed, and nobody's settings are read."""
    return printed(python, "-S", "-I", str(file), *words, cache=cache)


def test_it_prints_what_the_installed_commands_print(file, tmp_path):
    assert file.stat().st_size < 6_000_000
    for words in CALLS:
        ours = ("evalmark-hook", *words[1:]) if words[0] == "hook" else ("evalmark", *words)
        name, *rest = ours
        expected = printed(str(Path(sys.executable).with_name(name)), *rest)
        assert expected[1] + expected[2], words
        for python in PYTHONS:
            assert alone(python, file, *words, cache=tmp_path) == expected, (python, words)
    (folder,) = (tmp_path / "evalmark").iterdir()
    assert folder.name.startswith("pyz-"), "it was unpacked once"


def test_it_works_where_nothing_can_be_written(file, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    bad = "bad/EE131_missing_score_type.json"  # explained by the schemas in the archive
    expected = alone(sys.executable, file, "check", bad, cache=tmp_path)
    assert expected[0] == 1
    assert alone(sys.executable, file, "check", bad, cache=blocked) == expected


def test_its_first_word_is_a_command(file, tmp_path):
    for words in (), ("score", "a.json"), ("--help",):
        code, out, err = alone(sys.executable, file, *words, cache=tmp_path)
        assert (code, out) == (2, "")
        assert err == "usage: python evalmark.pyz check|convert|hook ...\n"
    assert not (tmp_path / "evalmark").exists()


@pytest.mark.parametrize("name", ["python2.7", "python3.6", "python3.10"])
def test_an_old_python_says_so_in_one_line(file, name):
    path = shutil.which(name)
    if not path or subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode:
        pytest.skip(f"no {name}")
    version = name.removeprefix("python")
    expected = f"evalmark needs Python 3.11 or later; this is {version}\n"
    assert printed(path, str(file), "check", ".") == (2, "", expected)


def test_the_same_packages_give_the_same_file(file):
    assert pyz.contents() == file.read_bytes()
