"""The core without the applications: ``python -m scripts.without_apps [TESTS...]``.

A copy of the checkout lacks ``apps/``, its tests, and its lines in ``pyproject.toml``. Types and
the tests of what asks for plug-ins (commands, formats, importers) run there, and ``evalmark
--help`` lists what is left; ``tests/house/test_house.py`` finds each import of an application, and
each name of one, in the rest of the core. What they need is taken from the environment that runs
this.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
import tomllib
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: The applications, their tests and fixtures, and fixtures whose findings list all formats.
LEFT_OUT = (
    "apps/", "tests/apps/", "fixtures/bad/LT112_script_reply",
    "fixtures/good/agent-script.json", "fixtures/bad/F012_dataset_rows",
    "fixtures/bad/F012_list", "fixtures/bad/F012_nearly_pairs",
)  # fmt: skip
#: What asks for plug-ins. The others do the same here as beside the applications, or read sources.
TESTS = (
    *(f"tests/cli/test_{name}.py" for name in (
        "added_commands", "cli", "commands_page", "convert_lacks", "dash", "foreign_files", "help",
        "json", "loading", "mending", "options", "output_files", "secrets", "settings",
    )),
    "tests/converters/importers/test_added_importers.py",
    "tests/converters/importers/test_directions.py", "tests/house/test_trust.py",
    "tests/validator/test_fixtures.py", "tests/validator/io/test_extensions.py",
)  # fmt: skip


def copied(home: Path) -> None:
    """Copy the files that git knows or would add, without the applications."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    folders = settings["tool"]["setuptools"]["package-dir"]
    apps = tuple(f'"{name}' for name, folder in folders.items() if folder.startswith("apps/"))
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
        if name == "pyproject.toml":
            lines = place.read_text(encoding="utf-8").splitlines(keepends=True)
            kept = (line for line in lines if not line.startswith(apps))
            place.write_text("".join(kept), encoding="utf-8")


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        home, environment = Path(folder, "core"), Path(folder, "environment")
        copied(home)
        # What `make lint` knows of the same files: mypy looks again at each that misses a module.
        if (ROOT / ".mypy_cache").is_dir():
            shutil.copytree(ROOT / ".mypy_cache", home / ".mypy_cache")
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
            ("-m", "mypy", "--package", "evalmark"),
            ("-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal", "-m",
             "not slow and not browser and not wheel", *(sys.argv[1:] or TESTS)),
            ("-m", "evalmark", "--help"),
        )  # fmt: skip
        codes = [subprocess.run([python, *words], cwd=home, check=False).returncode
                 for words in commands]  # fmt: skip
        return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
