"""``import evalmark``: few names, loaded when used, and arguments that are checked."""

import subprocess
import sys
import tomllib

import evalmark
import pytest
from conftest import FIXTURES, ROOT

SUITE = FIXTURES / "good/suite.json"


def python(code):
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return done.stdout


def test_importing_evalmark_loads_no_third_party_module():
    loaded = python(
        "import sys; before = set(sys.modules); import evalmark\n"
        "tops = {name.partition('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(tops - set(sys.stdlib_module_names)))"
    )
    assert loaded.split() == ["evalmark"]


def test_the_version_is_that_of_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert evalmark.__version__ == project["version"]
    shown = subprocess.run(
        [sys.executable, "-m", "evalmark", "--version"], capture_output=True, text=True, check=True
    )
    assert shown.stdout == f"evalmark {evalmark.__version__}\n"


def test_a_name_that_does_not_exist_is_an_attribute_error():
    with pytest.raises(AttributeError, match="chek_file"):
        evalmark.__getattr__("chek_file")


@pytest.mark.parametrize(
    ("arguments", "known"),
    [
        ({"select": ["SG999"]}, "SG"),
        ({"profile": "eeee"}, "eee"),
        ({"kind": "suit"}, "suite"),
        ({"join": "coer"}, "core"),
    ],
)
def test_a_wrong_argument_is_one_error_that_lists_what_is_known(arguments, known):
    with pytest.raises(evalmark.UnknownNameError, match=known) as caught:
        evalmark.check_file(SUITE, **arguments)
    assert isinstance(caught.value, evalmark.EvalmarkError)
    assert isinstance(caught.value, ValueError)
    assert "\n" not in str(caught.value)
