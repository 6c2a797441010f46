"""A folder with modules of the names that Python and evalmark import: none of them may run."""

import pytest
from conftest import FIXTURES

#: Modules that Python, evalmark or a library of its own imports. Not `importlib`: from Python 3.12
#: on, `python -m` imports it before any package can act, whatever is run; `python -P` does not.
MODULES = (
    "typing", "json", "re", "tomllib", "runpy", "typer", "jsonschema", "ruamel",
    "yaml", "numpy", "torch", "typing_extensions", "starlette", "socket", "multiprocessing",
    "subprocess", "pickle", "evil",
)  # fmt: skip
HIJACKED = "import pathlib\npathlib.Path(__file__).with_suffix('.ran').touch()\n"


@pytest.fixture
def place(here):
    """A folder that somebody has cloned."""
    for name in MODULES:
        (here / f"{name}.py").write_text(HIJACKED, encoding="utf-8")
    (here / "suite.json").write_bytes((FIXTURES / "good/suite.json").read_bytes())
    return here


def ran(place):
    return sorted(path.name for path in place.glob("*.ran"))
