"""The package is whole: tests of what it can lack pass against the installed wheel."""

import subprocess
import sys

import pytest
from conftest import ROOT


@pytest.mark.wheel
def test_the_installed_wheel_passes_its_tests():
    script = [sys.executable, ROOT / "scripts/wheel_test.py"]
    assert subprocess.run(script, check=False).returncode == 0
