"""The recipes of docs/extending.md name files that exist, and do what they say in a copy."""

import csv
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib

import pytest
from branch import git, write
from conftest import ROOT, file_at, needs_links
from looping import loops_over
from packages import packages
from pointers import objects

__all__ = ["packages"]  # a fixture

TEXT = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
RECIPES = {
    part.partition("\n")[0]: part.partition("\n")[2]
    for part in re.split(r"^## ", TEXT, flags=re.MULTILINE)[1:]
}
#: Files that the recipes make.
MADE = {
    "board/board.json", "converters/records/v0_4_0.py", "fixtures/versions/record-0.4.0.json",
}  # fmt: skip
PROSE = re.sub(r"```.*?```", "", TEXT, flags=re.DOTALL)
#: Words with a slash in code spans; a word in capitals stands for a name to choose.
NAMED = sorted(
    {
        word
        for span in re.findall(r"`([^`]+)`", PROSE)
        for word in re.findall(r"(?<!\S)[\w.-]+/[\w./-]*", span)
        if not re.search(r"[A-Z]{4}", word)
    }
    - MADE
)


@loops_over("path", NAMED)
def test_every_named_file_exists(path):
    assert (ROOT / path).exists()


# Each recipe is followed in a copy of the project, and what it adds is used by a command.


LEADERBOARD = {
    "board": "Weekly", "date": 1760000000, "layout": "wide",
    "models": [{"name": "a/b", "accuracy": 0.5}],
}  # fmt: skip


#: The words are those of the demo model.
PAIR = {
    "sentence_good": "The key to the cabinets is rusty.",
    "sentence_bad": "The key to the cabinets are rusty.",
    "UID": "agreement",
}
#: The scores that the needs of a record show, if a later version asks for a bound.
NEEDS = """
import json, sys
from evalmark.converters.overrides.needs import Needs
from evalmark.converters.step import Question
needs = Needs()
record = json.load(open(sys.argv[1], encoding="utf-8"))
needs.add(record, "made.json", [Question("/evaluation_results/0/metric_config/max_score")])
(metrics,) = needs.metrics.values()
(missing,) = metrics.values()
print(missing.scores)
"""


class Copy:
    """A copy of the project, in which recipes are followed and commands are run."""

    def __init__(self, folder):
        self.root = folder / "project"
        kept_out = shutil.ignore_patterns(".*", "*.egg-info", "__pycache__", "build", "images")
        shutil.copytree(ROOT, self.root, ignore=kept_out)
        # Installed: the folders of the project under one name.
        places = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
        layout = places["tool"]["setuptools"]["package-dir"]
        installed = folder / "installed"
        (installed / "evalmark").mkdir(parents=True)
        for path in (self.root / layout.pop("evalmark")).iterdir():
            (installed / "evalmark" / path.name).symlink_to(path)
        for package, place in layout.items():
            (installed / package.replace(".", "/")).symlink_to(self.root / place)
        self.environment = {**os.environ, "PYTHONPATH": str(installed)}

    def code(self, recipe, number):
        """The code of a step, without its indentation."""
        step = re.search(
            rf"^{number}\. .*?(?=^\d+\. |\Z)", RECIPES[recipe], re.MULTILINE | re.DOTALL
        )
        (code,) = re.findall(r"```\w+\n(.*?)```", step.group(), re.DOTALL)
        return textwrap.dedent(code)

    def write(self, place, text):
        return file_at(self.root / place, text)

    def insert(self, place, before, text):
        """Write a text before the first line that begins with another one."""
        lines = (self.root / place).read_text(encoding="utf-8").splitlines(keepends=True)
        at = next(number for number, line in enumerate(lines) if line.startswith(before))
        text = textwrap.indent(text.rstrip() + "\n", "" if text.startswith("def ") else "    ")
        self.write(place, "".join([*lines[:at], text, *lines[at:]]))

    def python(self, *arguments, folder=None):
        """What a command prints; its exit code is free."""
        return subprocess.run(
            [sys.executable, *map(str, arguments)],
            cwd=folder or self.root,
            env=self.environment,
            check=False,
            capture_output=True,
            text=True,
            encoding="utf-8",
        )

    def evalmark(self, *arguments, folder=None):
        return self.python("-P", "-m", "evalmark", *arguments, folder=folder)


#: The same suite and pairs, with and without a setting: what their records say, whether an
#: unfinished run would be resumed, what is verified, and what comparisons and labels say.
WITH_AND_WITHOUT = """
import sys
from evalmark import score
from evalmark.scoring import Settings, Computing, compare, load_model
from evalmark.scoring.runs.run_origin import run_names
from evalmark.scoring.suites.regions import whole_texts
from evalmark.scoring.surprisals.surprisal_computation import plan_digest
from evalmark.scoring.verification import claims_at, verify

folder, pairs = sys.argv[1:]
model = load_model("demo")
texts = whole_texts({"The key": model.tokenize("The key")})
both = Settings(), Settings(last_token="zero")
print("digests:", len({plan_digest(texts, model, each, Computing()) for each in both}))
for files in ("demo", pairs):
    kind = "pairs" if files == pairs else "suites"
    runs = [score(files, model, out=f"{folder}/{kind} {value}", last_token=value, progress=False)
            for value in (None, "zero")]
    print(kind, "list:", [run.run.settings.get("last_token") for run in runs])
    (claim,) = claims_at(runs[1].run.path)
    verified = verify(claim, lambda *_: model, items=3, seed=1)
    print(kind, "verified:", verified.drawn, verified.agrees)
    print(kind, "differ:", compare(*runs).stated_differences)
    print(kind, "named:", run_names([run.run for run in runs])[1])
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    return Copy(tmp_path_factory.mktemp("copy"))


def test_the_package(packages, run, tmp_path):
    module, entries = re.findall(r"```\w+\n(.*?)```", RECIPES["A package of your own"], re.DOTALL)
    (packages / "boards.py").write_text(module)
    about = packages / "boards-2.1.dist-info"
    file_at(about / "METADATA", "Metadata-Version: 2.1\nName: boards\nVersion: 2.1\n")
    groups = tomllib.loads(entries)["project"]["entry-points"]
    lines = (f"[{g}]\n{name} = {to}\n" for g, named in groups.items() for name, to in named.items())
    (about / "entry_points.txt").write_text("".join(lines))
    path = tmp_path / "board.json"
    models = [{"name": "a/b", "accuracy": 0.5}, {"name": "a/c", "accuracy": 0.7}]
    path.write_text(json.dumps({**LEADERBOARD, "models": models}))
    assert "warning[LB201] 0.7 is better than 0.5" in run("evalmark", "check", path).out
    done = run("evalmark", "convert", path, "-o", tmp_path / "out")
    assert (done.code, len(done.out.splitlines())) == (0, 2), done.err
    assert run("evalmark", "best", path).out == "a/b\n"
    path.write_text('{"board": "b", "models": [{"name": "a", "accuracy": "0.5"}]}')
    assert "LB112] `accuracy` must be a number" in run("evalmark", "check", path).out
    path.write_text('{"board": 1}')
    assert "LB101] `models` is missing" in run("evalmark", "check", "--kind", "board", path).out
    del sys.modules["boards"]


@needs_links
def test_the_recipe_of_a_rule(copy):
    copy.insert(
        "validator/formats/suites/rules/region_texts.py", "def ", copy.code("A rule", 1) + "\n\n"
    )
    copy.insert(
        "validator/formats/suites/suite_rule_table.py",
        "    optional=",
        copy.code("A rule", 2) + ",",
    )
    suite = (ROOT / "fixtures/good/suite.json").read_text(encoding="utf-8")
    bad = copy.write("bad.json", re.sub(r'("content": )"\w{4,}', r'\1"LIKED', suite, count=1))
    checked = copy.evalmark("check", "--format", "concise", bad)
    assert "warning[SG999] region 2 is written in capitals [capitals]" in checked.stdout
    assert 'help: write "liked' in checked.stdout


@pytest.mark.slow
@needs_links
def test_the_recipe_of_a_record_version(copy):
    recipe = "A record version"
    schema = (ROOT / "schemas/record-0.3.0.schema.json").read_text(encoding="utf-8")
    renamed = json.loads(schema.replace("0.3.0", "0.4.0"))
    details = _property(renamed, "score_details")
    details["properties"]["value"] = details["properties"].pop("score")
    details["required"] = ["value" if key == "score" else key for key in details["required"]]
    copy.write("schemas/record-0.4.0.schema.json", json.dumps(renamed, indent=2))
    versions = (copy.root / "schemas/versions.py").read_text(encoding="utf-8")
    last = 'aliases=("0.2.3",), is_written=True),\n)'
    assert last in versions  # of records, and then of samples
    entry = copy.code(recipe, 2).strip().rstrip(",")
    versions = versions.replace(last, last.replace("\n)", f"\n    {entry},\n)"), 1)
    versions = versions[::-1].replace('("0.2.3",)'[::-1], '("0.2.3", "0.4.0")'[::-1], 1)[::-1]
    copy.write("schemas/versions.py", versions)
    _add(
        copy, "validator/formats/records/record_fields.py", "_RECORDS_SINCE: ", copy.code(recipe, 3)
    )
    _add(copy, "converters/records/migrations.py", "RECORD_MIGRATIONS = ", copy.code(recipe, 4))
    copy.write("converters/records/v0_4_0.py", copy.code(recipe, 5))
    _add(copy, "converters/proof/leaves.py", "_RENAMED = ", copy.code(recipe, 6))
    writer = (copy.root / "converters/records/writer.py").read_text(encoding="utf-8")
    copy.write("converters/records/writer.py", writer.replace("v0_3_0\n", "v0_3_0, v0_4_0\n")
               .replace("v0_3_0)", "v0_3_0, v0_4_0)"))  # fmt: skip
    generated = copy.python("-m", "scripts.generate")
    assert (copy.root / "schemas/compiled/record_0_4_0.py").exists(), generated.stderr

    made = copy.root / "made.json"
    source = "fixtures/versions/record-0.3.0.json"
    converted = copy.evalmark("convert", "--to", "record-0.4.0", source, "-o", made)
    assert converted.returncode == 0, converted.stderr
    score = json.loads(made.read_text(encoding="utf-8"))["evaluation_results"][0]["score_details"]
    assert score == {"value": 0.75}
    assert copy.evalmark("check", made).returncode == 0
    back = copy.evalmark("convert", "--to", "record-0.3.0", made, "-o", copy.root / "back.json")
    assert "refused: record-0.3.0 cannot hold: /evaluation_results/*/score_details/value" in (
        back.stderr
    )
    # A rule on scores reads the new field.
    wrong = made.read_text(encoding="utf-8").replace('"value": 0.75', '"value": -3')
    assert "EE201" in copy.evalmark("check", copy.write("wrong.json", wrong)).stdout
    # So do a table, a comparison with a base, and what conversions need.
    copy.evalmark("table", made, "-o", copy.root / "made.csv")
    (row,) = csv.DictReader((copy.root / "made.csv").read_text(encoding="utf-8").splitlines())
    assert row["score"] == "0.75"
    repository = copy.root / "repository"
    repository.mkdir()
    shutil.copy(made, repository)
    git("init", "-q", folder=repository)
    git("add", "-A", folder=repository)
    git("commit", "-qm", "the base", folder=repository)
    write(repository / "made.json", made.read_text(encoding="utf-8").replace("0.75", "0.5"))
    changed = copy.evalmark("check", "--changed", "HEAD", folder=repository)
    assert changed.stderr.startswith("Results: 1 changed.\n"), changed.stderr
    asked = copy.python("-c", NEEDS, made)
    assert asked.stdout == "[0.75]\n", asked.stderr


@needs_links
def test_the_recipe_of_an_importer(copy):
    copy.write("converters/importers/board.py", copy.code("An importer", 1))
    module = "converters/importers/registry.py"
    copy.insert(module, "def _is_helm_run(", copy.code("An importer", 2) + "\n\n")
    _add(copy, module, "IMPORTERS: ", copy.code("An importer", 3))
    path = copy.write("board/board.json", json.dumps(LEADERBOARD))
    out = copy.root / "out"
    converted = copy.evalmark("convert", path, "--to", "record-0.2.0", "-o", out)
    assert converted.returncode == 0, converted.stderr
    assert "layout" in converted.stderr  # not carried, and listed
    (record,) = out.rglob("*.json")
    assert json.loads(record.read_text(encoding="utf-8"))["source_metadata"]["source_name"]
    assert copy.evalmark("check", record).returncode == 0


@pytest.mark.slow
@needs_links
def test_the_recipe_of_an_option_of_score(copy):
    pytest.importorskip("torch")
    recipe = "An option of `score`"
    settings, options = "scoring/score_settings.py", "scoring/score_options.py"
    copy.insert(settings, "    def __post_init__(", copy.code(recipe, 1))
    copy.insert(options, "    out: Annotated[", copy.code(recipe, 2))
    module = "scoring/surprisals/sentence_surprisals.py"
    text = (copy.root / module).read_text(encoding="utf-8")
    end = "        values[0] = 0.0\n"
    assert end in text
    code = textwrap.indent(copy.code(recipe, 3), "    ")
    copy.write(module, text.replace(end, end + code))
    pairs = copy.write("pairs.jsonl", json.dumps(PAIR) + "\n")
    done = copy.python("-c", WITH_AND_WITHOUT, copy.root / "out", pairs)
    assert done.returncode == 0, done.stderr
    said = dict(line.split(": ", 1) for line in done.stdout.splitlines())
    assert said["digests"] == "2"
    for kind in ("suites", "pairs"):
        assert said[f"{kind} list"] == "[None, 'zero']"
        assert said[f"{kind} verified"] in ("3 True", "1 True")
        assert said[f"{kind} differ"] == "The runs differ in: last token counted / zero."
        assert said[f"{kind} named"].endswith("(last token zero)")
    assert "--last-token" in copy.evalmark("score", "--help").stdout


@pytest.mark.slow
@needs_links
def test_the_recipe_of_a_set_of_pairs(copy):
    module = "validator/formats/pairs/pair_sets.py"
    entry = textwrap.indent(copy.code("A set of pairs", 1).rstrip() + ",\n", " " * 8)
    text = (copy.root / module).read_text(encoding="utf-8")
    assert "    for pairs in (\n" in text
    copy.write(module, text.replace("    for pairs in (\n", f"    for pairs in (\n{entry}", 1))
    schema = json.loads((copy.root / "schemas/pairs.schema.json").read_text(encoding="utf-8"))
    branch = json.loads(copy.code("A set of pairs", 2))
    schema["anyOf"].append(branch["if"])
    schema["allOf"].append(branch)
    copy.write("schemas/pairs.schema.json", json.dumps(schema, indent=2))
    generated = copy.python("-m", "scripts.generate")
    assert generated.returncode == 0, generated.stderr
    rows = [
        {
            "acceptable": "The key is here.",
            "unacceptable": "The key are here.",
            "paradigm": "number",
        },
        {"acceptable": "A dog barks.", "unacceptable": "A dog barks.", "paradigm": "number"},
    ]
    path = copy.write("number.jsonl", "".join(f"{json.dumps(row)}\n" for row in rows))
    checked = copy.evalmark("check", "--format", "concise", path)
    assert "number.jsonl:2" in checked.stdout, checked.stderr  # both texts are the same


def _add(copy, place, table, entry):
    """Write an entry at the end of a table."""
    text = (copy.root / place).read_text(encoding="utf-8")
    start = text.index(f"\n{table}")
    end = re.compile(r"^[)}\]]", re.MULTILINE).search(text, start)
    entry = textwrap.indent(entry.strip().rstrip(",") + ",\n", "    ")
    copy.write(place, text[: end.start()] + entry + text[end.start() :])


def _property(schema, name):
    """The schema of a property, wherever it is."""
    tables = (node.get("properties", {}) for node in objects(schema).values())
    return next((table[name] for table in tables if name in table), None)
