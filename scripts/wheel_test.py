"""Run the tests against the installed wheel, which is made from the sdist, as users get it.

Everything that the tests need is taken from the environment that runs this script; evalmark itself
comes from the wheel, in a folder of its own. The tests that only look at the repository, and those
that take long, have run before: here it counts that everything is in the package.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        dist, home = Path(folder, "dist"), Path(folder, "venv")
        subprocess.run(
            [sys.executable, "-m", "build", "--outdir", str(dist), str(ROOT)],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        (wheel,) = dist.glob("*.whl")
        venv.create(home, with_pip=True, symlinks=True)
        python = home / "bin" / "python"
        subprocess.run(
            [
                python,
                "-m",
                "pip",
                "install",
                "-q",
                "--no-deps",
                "--disable-pip-version-check",
                wheel,
            ],
            check=True,
        )
        # The libraries of this environment, behind those of the new one; its link to the
        # repository's folders is an import hook in a .pth file, which is not run from here.
        libraries = next(path for path in sys.path if path.endswith("site-packages"))
        site = next((home / "lib").glob("python*/site-packages"))
        (site / "libraries.pth").write_text(f"{libraries}\n")
        # The demo model is not in the wheel; the tests score with it.
        shutil.copytree(ROOT / "demo_model", site / "evalmark" / "demo_model")
        # Tests of what a package can lack: commands, schemas, rules, templates, scripts of pages.
        names = ["leaderboard", "pages", "workbench", "cli/test_cli.py"]
        names.append("validator/test_fixtures.py")
        tests = [str(ROOT / "tests" / name) for name in names]
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
