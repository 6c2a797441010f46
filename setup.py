"""The list of packages; everything else is in pyproject.toml.

The table ``package-dir`` there maps package names to folders at the root. Each of these folders is
a package, and so is each folder inside it that has an ``__init__.py``.
"""

import tomllib
from pathlib import Path

from setuptools import find_packages, setup

PROJECT = tomllib.loads(Path(__file__).with_name("pyproject.toml").read_text(encoding="utf-8"))
ROOMS = PROJECT["tool"]["setuptools"]["package-dir"]

setup(
    packages=[
        package
        for name, folder in ROOMS.items()
        for package in (name, *(f"{name}.{inner}" for inner in find_packages(folder)))
    ]
)
