"""What other packages add: read from the environment alone, and never a traceback."""

import sys
from pathlib import Path

import pytest
from evalmark.schemas.errors import ExtensionError
from evalmark.validator.io import extensions
from evalmark.validator.io.extensions import Plugin, added, installed, own_plugins
from packages import add_package, packages

__all__ = ["packages"]  # a fixture

SEVEN = "from evalmark.extending import Plugin\nPLUGIN = Plugin(formats=lambda: [7])\n"


def numbers(plugin):
    return [("seven", number) for number in plugin.formats()]


def is_number(value):
    return isinstance(value, int)


def found(**others):
    return added(numbers, is_number, **{"taken": (), **others})


def add(packages, name="added_one", code=SEVEN):
    add_package(packages, name, "evalmark.plugins", {name: f"{name}:PLUGIN"}, code)


def test_a_package_adds_a_name_with_its_version_and_origin(packages):
    add(packages)
    (point,) = installed()
    assert "added_one" not in sys.modules
    assert (point.name, point.package, point.version) == ("added_one", "added_one", "1.5")
    assert point.title == f"added_one of added_one 1.5 ({packages})"
    assert found().usable == {"seven": 7}
    assert found().origins["seven"].title == f"seven of added_one 1.5 ({packages})"
    assert found().refused == ()


@pytest.mark.parametrize("entry", ["", ".", "../packages", "{}"])
def test_a_package_in_the_current_folder_is_none(packages, monkeypatch, entry):
    add(packages)
    monkeypatch.chdir(packages)
    others = [one for one in sys.path if one != str(packages)]
    monkeypatch.setattr(sys, "path", [entry.format(packages), *others])
    assert installed() == ()


def test_a_package_of_a_folder_that_holds_the_file_is_none(packages):
    add(packages)
    assert installed(file=str(packages)) == ()
    assert installed(file=str(packages / "data/results.json")) == ()
    assert len(installed(file=f"{packages}-of-others/results.json")) == 1


@pytest.mark.parametrize("late", [False, True])
def test_a_package_imports_nothing_from_the_current_folder(packages, monkeypatch, late):
    line = "from added_data import SEVEN\n"
    body = f"def formats():\n    {line}    return [SEVEN]\n" if late else line
    body += "from evalmark.extending import Plugin\n"
    add(packages, code=f"{body}PLUGIN = Plugin(formats={'formats' if late else 'tuple'})\n")
    current = Path.cwd()
    (current / "added_data.py").write_text("SEVEN = 7\n")
    monkeypatch.setattr(sys, "path", ["", str(current), *sys.path])
    before = list(sys.path)
    (line,) = found().refused
    assert "cannot be loaded: ModuleNotFoundError: No module named 'added_data'" in line
    assert sys.path == before


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("1 / 0", "cannot be loaded: ZeroDivisionError: division by zero"),
        ("raise SystemExit", "cannot be loaded: SystemExit: no reason given"),
        ("raise OSError('a\\nb\\x1b[31m')", "cannot be loaded: OSError: a"),
        ("", "cannot be loaded: AttributeError: module 'added_bad' has no attribute 'PLUGIN'"),
        ("PLUGIN = '7'", "is not used: added_bad:PLUGIN is of type str, not a Plugin"),
        (SEVEN.replace("[7]", "1 / 0"), "cannot be loaded: ZeroDivisionError: division by zero"),
        (SEVEN.replace("[7]", "7"), "cannot be loaded: TypeError: 'int' object is not iterable"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_one_line(packages, code, reason):
    add(packages, "added_bad", code)
    assert found().usable == {}
    assert found().refused == (f"added_bad of added_bad 1.5 ({packages}) {reason}",)


def test_a_thing_of_another_type_is_named(packages):
    add(packages, code=SEVEN.replace("[7]", "['7']"))
    assert found().refused == (
        f"seven of added_one 1.5 ({packages}) is not used: it is of type str",
    )


def test_a_name_that_two_have_is_of_none_of_them(packages):
    add(packages)
    add(packages, "added_two")
    assert found().usable == {}
    assert [line.partition(") ")[2] for line in found().refused] == [
        "is not used: another package has this name too"
    ] * 2
    assert [line.partition(") ")[2] for line in found(taken=["seven"]).refused] == [
        "is not used: evalmark has this name itself"
    ] * 2


def test_a_damaged_package_is_passed_over(packages):
    add(packages)
    add_package(packages, "added_odd", "evalmark.plugins", {}, "")
    (packages / "added_odd-1.5.dist-info/entry_points.txt").write_text("[a]\nno equals sign\n")
    (packages / "nothing-1.dist-info").mkdir()
    assert found().usable == {"seven": 7}


def test_an_application_of_ours_may_be_missing_but_not_broken(packages, monkeypatch):
    (packages / "added_app.py").write_text(SEVEN)
    targets = ("evalmark.nothing.plugin:PLUGIN", "added_app:PLUGIN", "added_none:PLUGIN")
    monkeypatch.setattr(extensions, "OURS", targets)
    own_plugins.cache_clear()
    monkeypatch.setattr(extensions, "own_plugins", own_plugins)
    try:
        (plugin,) = own_plugins()
        assert isinstance(plugin, Plugin)
        own_plugins.cache_clear()
        (packages / "added_app.py").write_text("import added_nothing\n")
        del sys.modules["added_app"]
        with pytest.raises(ModuleNotFoundError, match="added_nothing"):
            own_plugins()
    finally:
        monkeypatch.undo()
        own_plugins.cache_clear()


def test_a_plugin_is_loaded_by_its_entry_point(packages):
    add(packages, "added_bad", "PLUGIN = 3\n")
    with pytest.raises(ExtensionError, match="is of type int, not a Plugin"):
        installed()[0].plugin()
