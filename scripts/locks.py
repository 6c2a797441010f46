"""Write packaging/requirements/*.txt, with hashes: ``make locks``. It needs uv and an index.

Versions that a file already has are kept if they fit pyproject.toml; ``--upgrade`` takes
the newest.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tomllib
from itertools import chain
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "packaging/requirements"
IN = "packaging/requirements"
#: Tools that need nothing of evalmark.
ALONE = ("release", "docs")
#: The extras whose least versions are tested. Those of torch and Ray take gigabytes.
LEAST = ("fast", "lsp", "parquet", "report", "serve", "table", "xlsx")
#: Name -> what it is for, and the options of uv.
LOCKS = {
    "base": ("check and convert: the Action and the images", [f"{IN}/build.in"]),
    "light": (
        "the tests without models, on every system",
        ["--extra", "fast", "--extra", "xlsx", f"{IN}/build.in", f"{IN}/light.in"],
    ),
    "whole": (
        "all tests, lint and types, and the demo",
        ["--extra", "scoring", "--extra", "test", "--extra", "dev", f"{IN}/build.in"],
    ),
    "release": ("building, auditing and describing a release", [f"{IN}/release.in"]),
    "docs": ("the site of the documentation: `make docs`", [f"{IN}/docs.in"]),
    "lowest": (
        "the least version of each dependency, models and clusters aside",
        [*chain.from_iterable(("--extra", extra) for extra in LEAST), "--resolution",
         "lowest-direct", f"{IN}/build.in", f"{IN}/light.in"],
    ),
}  # fmt: skip
#: What torch asks for where it computes on accelerators. The build for CPUs needs none of them.
_ACCELERATORS = re.compile(r"(?:cuda|nvidia|triton)\b")
#: The wheel for CPUs that is not on the package index: of Python 3.11 on Linux, x86_64.
_CPU_TORCH = "6746dbcbeb526eb61330b76b41ff1b4eb848951103a892eeb080dfa2b264667b"
_HEADER = """\
# Written by `make locks`: do not edit. For {purpose}.
"""
_TORCH = """\
# torch is the build for CPUs, 2.13.0+cpu, for Python 3.11 on Linux, x86_64: install with PyTorch's
# own index for CPUs as a further one. What its build for accelerators needs is left out. On other
# systems, add the hash that pip prints.
"""


def lock(name: str, options: list[str]) -> str:
    """The text of one file."""
    purpose, arguments = LOCKS[name]
    project = [] if name in ALONE else ["pyproject.toml"]
    path = FOLDER / f"{name}.txt"
    subprocess.run(
        ["uv", "pip", "compile", "--quiet", "--universal", "--generate-hashes", "--no-header",
         "--no-annotate", "--python-version", minimum(), "--constraint", "scripts/constraints.txt",
         *options, *project, *arguments, "--output-file", str(path)],
        cwd=ROOT, check=True, stdout=subprocess.DEVNULL,
    )  # fmt: skip
    text = path.read_text(encoding="utf-8")
    entries = re.findall(r"^[\w.-]+(?:\[.*?\])?==.*(?:\n .*)*\n", text, re.MULTILINE)
    kept = [entry for entry in entries if not _ACCELERATORS.match(entry)]
    header = _HEADER.format(purpose=purpose)
    if any(entry.startswith("torch==") for entry in kept):
        header += _TORCH
        pinned = f"torch==2.13.0+cpu \\\n    --hash=sha256:{_CPU_TORCH}\n"
        kept = [pinned if entry.startswith("torch==") else entry for entry in kept]
    return header + "".join(kept)


def minimum() -> str:
    """The least version of Python that the project runs on."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return str(project["requires-python"].removeprefix(">="))


def main() -> int:
    for name in LOCKS:
        text = lock(name, sys.argv[1:])
        (FOLDER / f"{name}.txt").write_text(text, encoding="utf-8")
        print(f"wrote packaging/requirements/{name}.txt")
    return 0


if __name__ == "__main__":
    sys.exit(main())
