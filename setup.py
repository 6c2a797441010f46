"""The list of packages and the description; everything else is in pyproject.toml.

The table ``package-dir`` there maps package names to folders at the root. Each of these folders is
a package, and so is each folder inside it that has an ``__init__.py``.
"""

import re
import tomllib
from pathlib import Path

from setuptools import find_packages, setup

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


setup(
    long_description=description(),
    long_description_content_type="text/markdown",
    packages=[
        package
        for name, folder in ROOMS.items()
        for package in (name, *(f"{name}.{inner}" for inner in find_packages(folder)))
    ],
)
