"""What docs/stability.md promises, against promises.txt: public names and fields of JSON outputs.

``EVALMARK_ACCEPT=1`` adds lines. Nothing removes one: whoever takes back a promise deletes its line
by hand, in a release that docs/stability.md allows to.
"""

import json
import os
import re
import shutil
from importlib import import_module
from importlib.util import find_spec

import pytest
from conftest import FIXTURES, ROOT
from evalmark.leaderboard.result_columns import RESULTS, SAMPLES
from recorded_suites import surprisals_of
from registered import registered

from scripts.pages.public_names import FACES

PROMISES = ROOT / "tests/house/promises.txt"
#: Commands in a folder with a suite; later ones read what earlier ones wrote.
COMMANDS = {
    "check": ("check", "suite.json", "bad.json"),
    "convert": ("convert", "--check", "suite.json", "old.json"),
    "score": ("score", "suite.json", "--surprisals", "s.tsv", "--out", "run"),
    "score --dry-run": ("score", "suite.json", "--dry-run"),
    "compare": ("compare", "run", "run"),
    "memory": (
        "memory", "colours", "--agent", "agent.json", "--out", "talk", "--examples", "1",
    ),
    "explain": ("explain",),
    "explain RULE": ("explain", "SG204"),
    "schema": ("schema",),
}  # fmt: skip


def compare(kept: set[str], prefix: str) -> None:
    """Hold what there is against the lines of promises.txt that begin so."""
    lines = PROMISES.read_text(encoding="utf-8").splitlines() if PROMISES.exists() else []
    promised = {line for line in lines if line.startswith(prefix)}
    assert promised <= kept, f"taken back: {sorted(promised - kept)}; see docs/stability.md"
    if os.environ.get("EVALMARK_ACCEPT"):
        PROMISES.write_text("\n".join(sorted({*lines, *kept})) + "\n", encoding="utf-8")
    else:
        assert kept <= promised, f"new: {sorted(kept - promised)}; EVALMARK_ACCEPT=1 promises it"


def fields(value, path):
    """Each field of an output: its path, and the types of its values."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from fields(inner, f"{path}.{key}")
    elif isinstance(value, list) and value:
        for inner in value:
            yield from fields(inner, f"{path}[]")
    else:
        yield path.removesuffix("[]")


def compare_output(run, name, words):
    """Hold the fields of what a command prints against those that were promised of it."""
    done = run("evalmark", *words, "--format", "json")
    assert done.out, (name, done.err)
    compare(set(fields(json.loads(done.out), f"json {name}: ")), f"json {name}: ")


@pytest.mark.parametrize("package", list(filter(find_spec, FACES)))
def test_public_names_stay(package):
    module = import_module(package)
    assert sorted(name for name in dir(module) if name in module.__all__) == sorted(module.__all__)
    compare({f"name {package}:{name}" for name in module.__all__}, f"name {package}:")


def test_the_fields_of_json_outputs_stay(run, here, numpy):
    shutil.copy(FIXTURES / "good/suite.json", "suite.json")
    shutil.copy(FIXTURES / "legacy/triples.old.json", "old.json")
    suite = json.loads((here / "suite.json").read_text())
    (here / "bad.json").write_text(json.dumps({**suite, "predictions": []}))
    (here / "agent.json").write_text('{"default": "Red"}')
    surprisals_of(here / "s.tsv", "suite.json")
    for name, words in COMMANDS.items():
        if registered(words):
            compare_output(run, name, words)


def test_the_columns_of_tables_stay():
    for table, columns in (("results", RESULTS), ("samples", SAMPLES)):
        names = {f"column {table}: {name} {one.sql}" for name, one in columns.items()}
        compare(names, f"column {table}: ")


def test_every_promised_output_is_held():
    promised = re.findall(r"^json (.*?): ", PROMISES.read_text(encoding="utf-8"), re.MULTILINE)
    assert set(promised) == {*COMMANDS}
