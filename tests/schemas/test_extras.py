"""Optional libraries and the extras that install them."""

import pickle
import re
import tomllib

import pytest
from conftest import ROOT
from evalmark.schemas.errors import EXTRAS, EvalmarkError, NotInstalledError, require
from evalmark.schemas.package import requirement

DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize(("library", "extra"), EXTRAS.items())
def test_an_extra_installs_what_its_message_promises(library, extra):
    names = {re.split(r"[^\w-]", entry)[0] for entry in DECLARED["optional-dependencies"][extra]}
    assert library.replace("_", "-") in names


def test_an_installed_library_is_not_reported():
    require("json", "jsonschema")


def test_a_missing_library_names_its_extra(monkeypatch):
    monkeypatch.setitem(EXTRAS, "nowhere", "report")
    cure = f"pip install '{requirement('report')}'"
    with pytest.raises(NotInstalledError, match=re.escape(cure)) as caught:
        require("json", "nowhere")
    assert isinstance(caught.value, EvalmarkError)
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)
