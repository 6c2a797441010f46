"""The house stands as drawn: folders, arrows, names, sizes."""

from __future__ import annotations

import ast
import subprocess
import sys
import tomllib
from pathlib import Path
from types import FunctionType

import pytest
from conftest import ROOT

ROOMS = ("schemas", "validator", "converters", "scoring", "cli")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def modules(room):
    return sorted((ROOT / room).rglob("*.py"))


def imports(path):
    """(level, module, names) of every import of a module, wherever it stands."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield 0, alias.name, ()
        elif isinstance(node, ast.ImportFrom):
            yield node.level, node.module or "", tuple(alias.name for alias in node.names)


@pytest.mark.parametrize("room", ROOMS)
def test_imports_run_one_way_and_through_the_front_door(room):
    allowed = ROOMS[: ROOMS.index(room)]
    doors = {
        f"evalmark.{name}"
        for name in (
            *allowed, "validator.formula", "validator.report",
            "converters.records", "converters.results", "scoring.conversations",
            "scoring.pages",
        )
        if name.partition(".")[0] in allowed
    }  # fmt: skip
    for path in modules(room):
        for level, module, names in imports(path):
            if level:
                assert level <= len(path.relative_to(ROOT).parts) - 1, f"{path} leaves its room"
                continue
            top = module.partition(".")[0]
            assert top not in ROOMS, f"{path} imports the bare name {module}"
            if top == "evalmark":
                targets = (
                    {f"evalmark.{name}" for name in names} if module == "evalmark" else {module}
                )
                assert targets <= doors, f"{path} imports {targets}"


def test_tests_use_public_names_only():
    for path in modules("tests"):
        for _, module, _ in imports(path):
            if module.startswith("evalmark"):
                assert "._" not in module, f"{path.name} imports {module}"


def test_torch_is_loaded_in_one_room():
    users = {
        path.parent.relative_to(ROOT).as_posix()
        for room in ROOMS
        for path in modules(room)
        for _, module, _ in imports(path)
        if module.partition(".")[0] in ("torch", "transformers")
    }
    assert users == {"scoring/models"}


def test_every_package_is_listed():
    found = {
        "evalmark." + ".".join(path.parent.relative_to(ROOT).parts)
        for room in ROOMS
        for path in (ROOT / room).rglob("__init__.py")
    }
    assert set(PROJECT["tool"]["setuptools"]["packages"]) == found


def test_every_room_is_typed_and_has_its_stub():
    for room in ROOMS:
        assert (ROOT / room / "py.typed").exists()
    for stub in (ROOT / "typings/evalmark").rglob("*.pyi"):
        inner = stub.relative_to(ROOT / "typings/evalmark").with_suffix("")
        module = ".".join(part for part in inner.parts if part != "__init__")
        assert stub.read_text() == f"from {module} import *\n"


def test_the_bare_names_are_never_loaded():
    code = (
        "import sys, evalmark.cli.main, evalmark.cli.hook, evalmark.scoring, evalmark.converters\n"
        "from evalmark.validator import check_text\n"
        "check_text('{')\n"
        f"print(set(sys.modules) & set({ROOMS!r}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"
    assert not set(sys.modules) & set(ROOMS)


def test_modules_are_small():
    for room in (*ROOMS, "scripts"):
        for path in modules(room):
            if "compiled" not in path.parts:
                assert len(path.read_text(encoding="utf-8").splitlines()) <= 350, path


def test_public_names_are_sorted_and_exist():
    from importlib import import_module

    for name in (
        "schemas", "validator", "validator.formula", "validator.report", "converters",
        "converters.records", "converters.results", "scoring", "scoring.conversations",
        "scoring.pages",
    ):  # fmt: skip
        module = import_module(f"evalmark.{name}")
        assert list(module.__all__) == sorted(set(module.__all__), key=_isort), name
        for public in map(module.__getattribute__, module.__all__):
            assert public.__doc__ or not isinstance(public, type | FunctionType), public


def _isort(name: str) -> tuple[int, str]:
    kind = 0 if name.isupper() else 1 if name[0].isupper() else 2
    return kind, name


def test_nothing_names_a_machine():
    tracked = subprocess.run(
        ["git", "ls-files", "-z"], capture_output=True, text=True, cwd=ROOT, check=False
    ).stdout.split("\0")
    for name in filter(None, tracked):
        path = Path(ROOT / name)
        if path.suffix == ".safetensors" or not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for word in ("/" + "work/", "/" + "root/"):
            assert word not in text, name
