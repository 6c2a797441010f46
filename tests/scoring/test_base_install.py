"""Scoring commands in an environment without the scoring extra."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from conftest import FIXTURES, edited
from evalmark.schemas.package import requirement
from run_data import write_outcomes

SUITE = str(FIXTURES / "good/suite.json")

#: Hides the packages of the extras, and runs the command.
HIDING = """
import os, sys
for name in os.environ["HIDDEN"].split():
    sys.modules[name] = None
from evalmark.cli.main import main
sys.exit(main(sys.argv[1:]))
"""


def without_extras(
    *arguments, cwd, hidden="numpy torch transformers safetensors pyarrow ray orjson jsonschema_rs"
):
    return subprocess.run(
        [sys.executable, "-c", HIDING, *map(str, arguments)],
        capture_output=True, text=True, cwd=cwd, check=False, env={**os.environ, "HIDDEN": hidden},
    )  # fmt: skip


def test_runs_are_compared(tmp_path):
    write_outcomes(tmp_path / "a", {"s": [[True] * 8 + [False] * 4]})
    write_outcomes(tmp_path / "b", {"s": [[False] * 6 + [True] * 6]})
    done = without_extras("compare", "a", "b", "--format", "json", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    (row,) = json.loads(done.stdout)["comparisons"]
    assert (row["only_first"], row["only_second"]) == (6, 4)
    assert row["interval"] == pytest.approx([-0.575, 0.316], abs=1e-3)


def test_a_table_in_csv_needs_nothing(tmp_path):
    record = FIXTURES / "good/with_samples.json"
    done = without_extras("table", record, "-o", "r.csv", "--samples", "s.csv", cwd=tmp_path)
    assert (done.returncode, (tmp_path / "r.csv").exists()) == (0, True), done.stderr


def test_suites_are_checked_before_they_are_scored(tmp_path):
    done = without_extras("score", SUITE, "--dry-run", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == "1 suite with 2 items can be scored\n"


@pytest.mark.parametrize(
    ("arguments", "package"),
    [
        (("--model", "demo"), "numpy"),
        (("--model", "demo", "--dry-run"), "numpy"),
        (("--model", "demo", "--jobs", "ray"), "ray"),
    ],
)
def test_a_missing_package_is_one_line_that_says_what_to_install(tmp_path, arguments, package):
    shutil.copy(FIXTURES / "legacy/evaluated.new.json", tmp_path / "suite.json")
    done = without_extras("score", "suite.json", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    extra = "ray" if package == "ray" else "scoring"
    assert f"{package} is not installed" in line
    assert f"pip install '{requirement(extra)}'" in line


def test_recorded_values_are_scored_and_chance_is_exact(tmp_path):
    shutil.copy(FIXTURES / "legacy/evaluated.new.json", tmp_path / "suite.json")
    done = without_extras("score", "suite.json", "--surprisals=recorded", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert "(1/2)" in done.stdout


def test_only_simulated_chance_needs_numpy(tmp_path):
    with edited(FIXTURES / "legacy/evaluated.new.json", tmp_path / "suite.json") as data:
        for prediction in data["predictions"]:
            prediction["formula"] += " + 2"
    done = without_extras("score", "suite.json", "--surprisals=recorded", cwd=tmp_path)
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "numpy is not installed" in line


@pytest.mark.parametrize("command", ["score", "compare"])
def test_the_help_is_shown(tmp_path, command):
    done = without_extras(command, "--help", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
