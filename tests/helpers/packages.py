"""Packages of others, as pip installs them: for the tests of what they may add."""

import sys

import pytest
from conftest import file_at


def add_package(place, name, group, entries, code, version="1.5"):
    """A module, and a folder that describes it."""
    (place / f"{name}.py").write_text(code)
    about = place / f"{name}-{version}.dist-info"
    file_at(about / "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    lines = "".join(f"{key} = {value}\n" for key, value in entries.items())
    (about / "entry_points.txt").write_text(f"[{group}]\n{lines}")


def add_plugin(place, name, part, objects, code, version="1.5"):
    """A package whose plug-in adds something: a part of ``Plugin``, and expressions by their name.

    The entry point has the first of the names.
    """
    if part == "commands":
        value = ", ".join(f"{key!r}: lambda: {value}" for key, value in objects.items())
        value = f"{{{value}}}"
    else:
        value = f"lambda: [{', '.join(objects.values())}]"
    code += f"\nfrom evalmark.extending import Plugin\nPLUGIN = Plugin({part}={value})\n"
    add_package(
        place, name, "evalmark.plugins", {next(iter(objects)): f"{name}:PLUGIN"}, code, version
    )


@pytest.fixture
def packages(tmp_path, monkeypatch):
    """A folder that packages are installed in, which is not the current one."""
    place, current = tmp_path / "packages", tmp_path / "current"
    place.mkdir()
    current.mkdir()
    monkeypatch.chdir(current)
    monkeypatch.setattr(sys, "path", [*(one for one in sys.path if one), str(place)])
    yield place
    for name in [key for key in sys.modules if key.startswith("added_")]:
        del sys.modules[name]
