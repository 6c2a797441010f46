"""Run tests against the installed wheel, which is made from the sdist, as users get it.

The wheel must have the tracked files of all packages, byte for byte; so the tests, which have
passed on these files, need not run again. A few do, to see that files of a package are found where
it is installed, and README, docs/index.md and the pages of docs/start/ are followed, line by line,
where they say. What they need is taken from the environment that runs this script; evalmark itself
comes from the wheel, in a folder of its own.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import tomllib
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
#: What the type checker of the page needs in the repository, and nobody in the package.
NOT_INSTALLED = {
    "apps/workbench/page/codemirror/codemirror.d.ts",
    "apps/workbench/page/package.json",
    "apps/workbench/page/tsconfig.json",
}
#: Fails unless the wheel has the validator of each schema.
VALIDATORS = """
from importlib import import_module
from evalmark.schemas.files import FILES, checksum, module_name
for name in FILES:
    module = import_module(f"evalmark.schemas.compiled.{module_name(name)}")
    assert module.CHECKSUM == checksum(name), name
"""
#: Tests of what a package can lack: the pages run commands, the demo model, templates of reports.
TESTS = (
    "house/test_start_documents.py",
    "apps/workbench/test_routes.py",
    "apps/workbench/test_serving.py::test_it_says_where_it_is_and_ends",
)


def differing(wheel: Path) -> set[str]:
    """The tracked files of the packages that a wheel lacks or has with other bytes."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rooms = project["tool"]["setuptools"]["package-dir"]
    places = {folder: name.replace(".", "/") for name, folder in rooms.items()}
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--", *places, ":!apps/lsp/editors"],  # extensions of editors
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    with zipfile.ZipFile(wheel) as packed:
        installed = {name: packed.read(name) for name in packed.namelist()}
    found = set()
    for name in filter(None, listed.stdout.split("\0")):
        folder = next(folder for folder in places if name.startswith(f"{folder}/"))
        place = f"{places[folder]}{name.removeprefix(folder)}"
        if installed.get(place) != (ROOT / name).read_bytes():
            found.add(name)
    return found


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        dist, home = Path(folder, "dist"), Path(folder, "venv")
        subprocess.run(
            [sys.executable, "-m", "build", "--outdir", str(dist), str(ROOT)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        (wheel,) = dist.glob("*.whl")
        if (different := differing(wheel)) != NOT_INSTALLED:
            print(f"the wheel and the repository differ: {sorted(different ^ NOT_INSTALLED)}")
            return 1
        venv.create(home, with_pip=True, symlinks=True)
        python = str(home / "bin" / "python")
        pip = [python, "-m", "pip", "--disable-pip-version-check", "-q"]
        subprocess.run([*pip, "install", "--no-deps", str(wheel)], check=True)
        # Python 3.11 brings an old one, and that of the libraries is to be found.
        subprocess.run([*pip, "uninstall", "-y", "setuptools"], check=True)
        # The libraries of this environment, behind those of the new one; its link to the
        # repository's folders is an import hook in a .pth file, which is not run from here.
        libraries = next(path for path in sys.path if path.endswith("site-packages"))
        site = next((home / "lib").glob("python*/site-packages"))
        (site / "libraries.pth").write_text(f"{libraries}\n")
        subprocess.run([python, "-c", VALIDATORS], check=True, cwd=folder)
        tests = [str(ROOT / "tests" / name) for name in TESTS]
        where = subprocess.run(
            [python, "-c", "import evalmark; print(evalmark.__file__)"],
            check=True, capture_output=True, text=True, cwd=folder,
        ).stdout.strip()  # fmt: skip
        assert where.startswith(str(site)), where
        print(f"testing {wheel.name}")
        return subprocess.run(
            [python, "-m", "pytest", "-q", "-n", "auto", "--dist", "worksteal",
             "-m", "not slow and not browser and not hypothesis", "-p", "no:cacheprovider",
             "--rootdir", str(ROOT), "-c", str(ROOT / "pyproject.toml"), *tests],
            cwd=folder,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            check=False,
        ).returncode  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
