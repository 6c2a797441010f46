"""The core without the room of memory: ``python -m scripts.without_memory [TESTS...]``.

A copy of the checkout lacks the folder, its tests, and the lines that name its register. Lint,
types and tests run there: by default the quick ones of what goes through the tables of the core.
What they need is taken from the environment that runs this.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The room, its tests, its fixtures, and those whose findings list all formats.
LEFT_OUT = (
    "memory/", "tests/memory/", "fixtures/bad/LT112_script_reply",
    "fixtures/good/agent-script.json", "fixtures/bad/F012_dataset_rows",
    "fixtures/bad/F012_list", "fixtures/bad/F012_nearly_pairs",
)  # fmt: skip
TESTS = (
    "tests/schemas", "tests/house/test_house.py", "tests/house/test_trust.py",
    "tests/validator/test_fixtures.py", "tests/cli", "tests/converters/importers",
    "tests/scoring/comparison", "tests/reports",
)  # fmt: skip
#: Lines of the core that are for the room only, and of the project's settings.
NAMES_REGISTER = re.compile(r"(?<![.\w])register\.|import register$")
NAMES_ROOM = re.compile(r"\bevalmark\.memory\b")


def copied(home: Path) -> None:
    """Copy the files that git knows or would add, without the room."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    core = tuple(f"{name}/" for name in settings["tool"]["setuptools"]["package-dir"].values())
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, check=True, capture_output=True, text=True,
    ).stdout  # fmt: skip
    for name in filter(None, listed.split("\0")):
        place = home / name
        if name.startswith(LEFT_OUT) or not (ROOT / name).is_file():
            continue
        place.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, place)
        is_settings = name == "pyproject.toml"
        if is_settings or (name.startswith(core) and name.endswith(".py")):
            names = NAMES_ROOM if is_settings else NAMES_REGISTER
            lines = place.read_text(encoding="utf-8").splitlines(keepends=True)
            place.write_text("".join(x for x in lines if not names.search(x)), encoding="utf-8")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        home, environment = Path(folder, "core"), Path(folder, "environment")
        copied(home)
        venv.create(environment, symlinks=True)
        python = environment / "bin/python"
        subprocess.run([python, home / "scripts/link_rooms.py", home / ".venv/typings"], check=True)
        # The libraries of this environment; its link to the checkout is an import hook in a .pth
        # file, which is not run from here.
        libraries = [path for path in sys.path if path.endswith("site-packages")]
        site = next((environment / "lib").glob("python*/site-packages"))
        (site / "libraries.pth").write_text("\n".join(libraries))
        subprocess.run(
            [sys.executable, "-m", "pip", "--python", python, "install", "-q", "--no-deps",
             "--disable-pip-version-check", "--no-build-isolation", "--editable", home],
            check=True,
        )  # fmt: skip
        commands: tuple[tuple[str, ...], ...] = (
            ("-m", "ruff", "check", "."),
            ("-m", "mypy", "--package", "evalmark"),
            ("-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", "-m",
             "not slow and not browser and not wheel", *(sys.argv[1:] or TESTS)),
        )  # fmt: skip
        codes = [subprocess.run([python, *words], cwd=home, check=False).returncode
                 for words in commands]  # fmt: skip
        return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
