"""What other packages add: read from the environment alone, and never a traceback."""

import sys
from pathlib import Path

import pytest
from evalmark.schemas.errors import ExtensionError
from evalmark.validator.io.extensions import installed, load_installed
from packages import add_package, packages

__all__ = ["packages"]  # a fixture

GROUP = "evalmark.examples"


def is_number(value):
    return isinstance(value, int)


def loaded(**others):
    return load_installed(GROUP, is_number, **{"taken": (), **others})


def test_a_package_adds_a_name_with_its_version_and_origin(packages):
    add_package(packages, "added_one", GROUP, {"seven": "added_one:SEVEN"}, "SEVEN = 7\n")
    (found,) = installed(GROUP)
    assert "added_one" not in sys.modules
    assert (found.name, found.package, found.version) == ("seven", "added_one", "1.5")
    assert found.title == f"seven of added_one 1.5 ({packages})"
    assert loaded().usable == {"seven": 7}
    assert loaded().refused == ()


@pytest.mark.parametrize("entry", ["", ".", "../packages", "{}"])
def test_a_package_in_the_current_folder_is_none(packages, monkeypatch, entry):
    add_package(packages, "added_here", GROUP, {"seven": "added_here:SEVEN"}, "SEVEN = 7\n")
    monkeypatch.chdir(packages)
    others = [one for one in sys.path if one != str(packages)]
    monkeypatch.setattr(sys, "path", [entry.format(packages), *others])
    assert installed(GROUP) == ()


def test_a_package_of_a_folder_that_holds_the_file_is_none(packages):
    add_package(packages, "added_beside", GROUP, {"seven": "added_beside:SEVEN"}, "SEVEN = 7\n")
    assert installed(GROUP, file=str(packages)) == ()
    assert installed(GROUP, file=str(packages / "data/results.json")) == ()
    assert len(installed(GROUP, file=f"{packages}-of-others/results.json")) == 1


def test_a_package_imports_nothing_from_the_current_folder(packages, monkeypatch):
    add_package(
        packages, "added_two", GROUP, {"seven": "added_two:SEVEN"}, "from added_data import SEVEN"
    )
    current = Path.cwd()
    (current / "added_data.py").write_text("SEVEN = 7\n")
    monkeypatch.setattr(sys, "path", ["", str(current), *sys.path])
    before = list(sys.path)
    with pytest.raises(ExtensionError, match="cannot be loaded: ModuleNotFoundError: No module"):
        installed(GROUP)[0].load(is_number)
    assert sys.path == before


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("1 / 0", "cannot be loaded: ZeroDivisionError: division by zero"),
        ("raise SystemExit", "cannot be loaded: SystemExit: no reason given"),
        ("raise OSError('a\\nb\\x1b[31m')", "cannot be loaded: OSError: a"),
        ("", "cannot be loaded: AttributeError: module 'added_bad' has no attribute 'SEVEN'"),
        ("SEVEN = '7'", "is not used: added_bad:SEVEN is of type str, which is not what "
         "evalmark.examples is for"),
    ],
)  # fmt: skip
def test_what_cannot_be_used_is_one_line(packages, code, reason):
    add_package(packages, "added_bad", GROUP, {"seven": "added_bad:SEVEN"}, code)
    found = loaded()
    assert found.usable == {}
    assert found.refused == (f"seven of added_bad 1.5 ({packages}) {reason}",)


def test_a_name_that_two_have_is_of_none_of_them(packages):
    code = "SEVEN = 7\n"
    add_package(packages, "added_one", GROUP, {"seven": "added_one:SEVEN"}, code)
    add_package(
        packages, "added_two", GROUP, {"seven": "added_two:SEVEN", "eight": "added_two:SEVEN"}, code
    )
    found = loaded(taken=["eight"])
    assert found.usable == {}
    assert [line.partition(") ")[2] for line in found.refused] == [
        "is not used: evalmark has this name itself",
        "is not used: another package has this name too",
        "is not used: another package has this name too",
    ]
    assert "added_two" not in sys.modules


def test_a_damaged_package_is_passed_over(packages):
    add_package(packages, "added_one", GROUP, {"seven": "added_one:SEVEN"}, "SEVEN = 7\n")
    add_package(packages, "added_odd", GROUP, {}, "")
    (packages / "added_odd-1.5.dist-info/entry_points.txt").write_text("[a]\nno equals sign\n")
    (packages / "nothing-1.dist-info").mkdir()
    assert loaded().usable == {"seven": 7}
