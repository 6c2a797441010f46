"""The list of packages, the description and the validators; everything else is in pyproject.toml.

The table ``package-dir`` there maps package names to folders at the root. Each of these folders is
a package, and so is each folder inside it that has an ``__init__.py``.
"""

import re
import sys
import tomllib
from pathlib import Path
from types import ModuleType

from setuptools import find_packages, setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
PROJECT = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))
ROOMS = PROJECT["tool"]["setuptools"]["package-dir"]


def description() -> str:
    """README.md for a package index, where its relative links and images would lead nowhere.

    They lead to the repository; without an address only the words of links are left.
    """
    version = PROJECT["project"]["version"]
    home = PROJECT["project"].get("urls", {}).get("Repository", "").rstrip("/")

    def link(match: re.Match[str]) -> str:
        mark, words, target = match.groups()
        if "://" in target or target.startswith("#"):
            return match[0]
        if not home:
            return "" if mark else words
        return f"{mark}[{words}]({home}/{'raw' if mark else 'blob'}/v{version}/{target})"

    text = (HERE / "README.md").read_text(encoding="utf-8")
    return re.sub(r"(!?)\[([^\]]+)\]\(([^)\s]+)\)", link, text)


class BuildWithValidators(build_py):
    """Writes the validator of each schema: into the wheel, or beside the schemas of a clone."""

    def run(self) -> None:
        """Copy the packages, then write the validators."""
        super().run()
        home = HERE / "schemas" if self.editable_mode else Path(self.build_lib, "evalmark/schemas")
        for name, folder in ROOMS.items():  # not installed yet
            sys.modules[name] = ModuleType(name)
            sys.modules[name].__path__ = [str(HERE / folder)]
        from evalmark.schemas.compilation import write_modules

        write_modules(home / "compiled")


setup(
    cmdclass={"build_py": BuildWithValidators},
    long_description=description(),
    long_description_content_type="text/markdown",
    packages=[
        package
        for name, folder in ROOMS.items()
        for package in (name, *(f"{name}.{inner}" for inner in find_packages(folder)))
    ],
)
