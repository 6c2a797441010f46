"""Validators are made of the schemas: by the build, or in memory where that is not so."""

import sys
from types import ModuleType

from evalmark.schemas.backend import _validating_module, acceptor, accepts
from evalmark.schemas.compilation import module_text, write_modules
from evalmark.schemas.files import FILES, checksum, module_name


def test_the_build_writes_a_module_for_each_schema_and_removes_those_of_others(tmp_path):
    for name in ("__init__.py", "gone.py"):
        (tmp_path / name).touch()
    write_modules(tmp_path)
    made = {path.name for path in tmp_path.iterdir()}
    assert made == {"__init__.py", *(f"{module_name(name)}.py" for name in FILES)}
    for name in FILES:
        text = (tmp_path / f"{module_name(name)}.py").read_text(encoding="utf-8")
        assert f"CHECKSUM = {checksum(name)}\n" in text
        assert text == module_text(name)


def forget():
    _validating_module.cache_clear()
    acceptor.cache_clear()


def test_a_module_of_another_schema_is_not_used(monkeypatch):
    stale = ModuleType("suite")
    stale.CHECKSUM, stale.Invalid = checksum("suite") + 1, ValueError
    stale.validate = lambda data: data
    for module in (stale, None):  # None: there is none
        monkeypatch.setitem(sys.modules, "evalmark.schemas.compiled.suite", module)
        forget()
        assert not accepts("suite", {})
    stale.CHECKSUM = checksum("suite")
    monkeypatch.setitem(sys.modules, "evalmark.schemas.compiled.suite", stale)
    forget()
    assert accepts("suite", {})
    forget()
