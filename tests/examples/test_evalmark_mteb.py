"""The package of a stranger: it uses public names only, and does all that ours do."""

import ast
import json
import re
import shutil
import subprocess
import sys
import tomllib
import venv
from importlib import import_module

import pytest
from conftest import ROOT, file_at
from counting_leaves import JsonFile, JsonLines, copied, count_leaves, damage
from evalmark import check_file
from evalmark.cli.main import main
from evalmark.converters.convert_files import convert_files
from evalmark.converters.importers.registry import importer_of_folder
from evalmark.converters.supplied import Supplied
from found import places_of
from imported_runs import read_results, undirected_results
from killing import files_in
from looping import one_of

EXAMPLE = ROOT / "examples/evalmark-mteb"
RESULTS = EXAMPLE / "results/mteb__baseline-random-encoder/2"
FILES = ["MockMultilingualSTSTask.json", "MockSTSTask.json", "model_meta.json"]
#: What packages may use.
PUBLIC = ("evalmark", "evalmark.converters", "evalmark.extending")
CHECKED = json.loads((RESULTS / "MockSTSTask.json").read_text(encoding="utf-8"))
TABLE = (
    "task,split,subset,main score\n"
    "MockMultilingualSTSTask,test,eng,-1.0\n"
    "MockMultilingualSTSTask,test,fra,-1.0\n"
    "MockSTSTask,test,default,-1.0\n"
)


@pytest.fixture(autouse=True)
def installed(tmp_path_factory, monkeypatch):
    """The package as pip installs it: its folder, and a description of it."""
    project = tomllib.loads((EXAMPLE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    place = tmp_path_factory.mktemp("installed")
    about = place / "evalmark_mteb-0.1.0.dist-info"
    file_at(
        about / "METADATA",
        f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n",
    )
    points = project["entry-points"].items()
    lines = [f"[{g}]\n" + "".join(f"{n} = {t}\n" for n, t in named.items()) for g, named in points]
    (about / "entry_points.txt").write_text("".join(lines))
    shutil.copytree(EXAMPLE / "evalmark_mteb", place / "evalmark_mteb")
    monkeypatch.setattr(sys, "path", [*(one for one in sys.path if one), str(place)])
    yield
    for name in [key for key in sys.modules if key.startswith("evalmark_mteb")]:
        del sys.modules[name]


def test_examples_use_public_names_only():
    modules = sorted((ROOT / "examples").rglob("*.py"))
    assert modules
    for path in modules:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import):
                assert not any(alias.name.startswith("evalmark.") for alias in node.names), path
            elif isinstance(node, ast.ImportFrom) and node.module.partition(".")[0] == "evalmark":
                assert node.module in PUBLIC, path
                names = {alias.name for alias in node.names}
                assert names <= set(import_module(node.module).__all__), path


# The format


def test_the_file_of_a_task_is_checked():
    report = check_file(RESULTS / "MockSTSTask.json")
    assert (report.kind, report.findings) == ("mteb-task", ())
    (score,) = CHECKED["scores"]["test"]
    assert places_of({**CHECKED, "scores": {"test": [{**score, "main_score": 0.5}]}}) == [
        ("MB201", "/scores/test/0/main_score")
    ]
    assert places_of({**CHECKED, "scores": {"test": [score], "a/b": [score, score]}}) == [
        ("MB202", "/scores/a~1b/1/hf_subset")
    ]
    assert places_of({**CHECKED, "scores": {"test": [{**score, "languages": "en"}]}}) == [
        ("MB112", "/scores/test/0/languages")
    ]


# The command


def test_the_command_writes_a_table(tmp_path, capsys):
    assert main(["mteb", str(RESULTS)]) == 0
    assert capsys.readouterr().out == TABLE
    assert main(["mteb", str(RESULTS), "--out", str(tmp_path / "scores.csv")]) == 0
    assert (tmp_path / "scores.csv").read_text() == TABLE
    assert main(["mteb", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"evalmark: {tmp_path} has no results of MTEB\n"
    (tmp_path / "task.json").write_text(json.dumps({**CHECKED, "task_name": 3}))
    assert main(["mteb", str(tmp_path)]) == 2
    error = capsys.readouterr().err
    assert "MB112" in error
    assert error.count("\n") == 1


# The importer


def test_results_become_the_records_beside_them(run, tmp_path):
    to = ("--to", "record-0.3.0", "-o")
    for source in (RESULTS, EXAMPLE / "results"):  # itself, and a folder that holds it
        done = run("evalmark", "convert", source, *to, tmp_path / source.name, code=0)
        assert files_in(tmp_path / source.name) == files_in(EXAMPLE / "records")
        assert check_file(done.out.strip(), profile="eee").findings == ()
    assert importer_of_folder(RESULTS).name == "mteb"


@one_of(5)
def test_each_value_is_carried_or_listed_as_not_carried(every, tmp_path):
    counts = count_leaves(RESULTS, FILES, Supplied(), tmp_path, every=every, document=JsonFile)
    assert counts.lost == []
    assert counts.values == counts.carried + counts.listed
    assert counts.carried > 0


@one_of(3)
def test_values_of_other_types_are_read_or_refused(every, tmp_path):
    tried = damage(RESULTS, FILES, Supplied(), tmp_path, every=2 * every, document=JsonFile)
    assert tried > 3 // every


@pytest.mark.slow
def test_values_of_all_types_are_read_or_refused(tmp_path):
    tried = damage(
        RESULTS, FILES, Supplied(), tmp_path, every=2, document=JsonFile, of_all_types=True
    )
    assert tried > 250


def test_settings_belong_to_their_task(tmp_path):
    counts = count_leaves(RESULTS, ["run_settings.jsonl"], Supplied(), tmp_path, document=JsonLines)
    assert (counts.lost, counts.listed) == ([], 0)
    (run,) = read_results(RESULTS)
    assert {r.settings["run_settings.encode_kwargs"] for r in run.results} == {'{"batch_size":32}'}
    assert run.model.availability == "open_weights"


@pytest.mark.parametrize(
    ("file", "old", "new", "reason"),
    [
        ("MockSTSTask.json", '"main_score": -1.0', '"main_score": "-1"',
         "MockSTSTask.json:16:23 /scores/test/0/main_score: expected a number, found -1"),
        ("MockSTSTask.json", '"scores": {', '"scores": ', "MockSTSTask.json:"),
        ("model_meta.json", '"name": "mteb/baseline-random-encoder",', "",
         "model_meta.json:1:1: `name` is missing"),
        ("run_settings.jsonl", '"splits"', "splits", "run_settings.jsonl:1:25: F001 expected"),
    ],
)  # fmt: skip
def test_damaged_results_are_refused_with_their_place(file, old, new, reason, tmp_path):
    copy = copied(RESULTS, tmp_path)
    text = (copy / file).read_text("utf-8")
    assert old in text
    (copy / file).write_text(text.replace(old, new, 1), "utf-8")
    (outcome,) = convert_files([copy], output=tmp_path / "out")
    assert reason in outcome.refused.reason
    assert not (tmp_path / "out").exists()


def test_splits_without_labels_have_no_score(tmp_path):
    copy = copied(RESULTS, tmp_path)
    (score,) = CHECKED["scores"]["test"]
    scores = {**CHECKED["scores"], "validation": [{**score, "main_score": float("nan")}]}
    (copy / "MockSTSTask.json").write_text(json.dumps({**CHECKED, "scores": scores}), "utf-8")
    meta = copy / "model_meta.json"  # as mteb 1.12 wrote it
    meta.write_text(meta.read_text("utf-8").replace("open_weights", "open_source"), "utf-8")
    (run,) = read_results(copy)
    names = {result.name for result in run.results}
    assert "MockSTSTask/test" in names
    assert "MockSTSTask/validation" not in names
    assert any("its main_score is not a number" in place for place in run.left_out)
    assert run.model.availability == "open_weights"


@pytest.mark.parametrize(
    ("scores", "lower", "named"),
    [
        ({"main_score": 2.5, "mae": 2.5, "rmse": 3.5, "kendalltau": 0.3}, True, "mae"),
        ({"main_score": 0.3, "mae": 2.5, "kendalltau": 0.3}, False, "kendalltau"),
        ({"main_score": 0.5, "accuracy": 0.5, "f1": 0.5}, False, "accuracy, f1"),
        ({"main_score": 2.5}, None, None),
        ({"main_score": 2.5, "own": 2.5}, None, "own"),
        # One is better the lower it is.
        ({"main_score": 0.5, "mae": 0.5, "accuracy": 0.5}, None, "mae, accuracy"),
    ],
)
def test_the_main_score_is_the_metric_with_its_value(scores, lower, named, tmp_path):
    (tmp_path / "model_meta.json").write_bytes((RESULTS / "model_meta.json").read_bytes())
    entry = {"hf_subset": "default", "languages": [], **scores}
    task = {**CHECKED, "task_name": "Shades", "scores": {"test": [entry]}}
    (tmp_path / "Shades.json").write_text(json.dumps(task))
    (run,) = undirected_results(tmp_path)
    (metric,) = (result.metric for result in run.results)
    assert (metric.name, metric.lower_is_better) == ("main_score", lower)
    assert metric.details.get("main_score") == named


# Installed


@pytest.mark.wheel
def test_both_wheels_work_in_a_fresh_environment(tmp_path):
    """Built and installed without a network; the libraries are those of this environment."""
    home, dist = tmp_path / "venv", tmp_path / "dist"
    for name, source in (("evalmark", ROOT), ("mteb", EXAMPLE)):
        copy = tmp_path / name  # a build leaves folders
        ignored = shutil.ignore_patterns(".*", "build", "*.egg-info", "__pycache__", "tests")
        shutil.copytree(source, copy, ignore=ignored)
        build = ("-m", "build", "--wheel", "--no-isolation", "--outdir", dist, copy)
        subprocess.run([sys.executable, *build], check=True, capture_output=True)
    venv.create(home, with_pip=True, symlinks=True)
    quiet = ("--quiet", "--no-index", "--no-deps", "--disable-pip-version-check")
    pip = [home / "bin/python", "-m", "pip", "install", *quiet, *dist.glob("*.whl")]
    subprocess.run(pip, check=True, capture_output=True)
    libraries = next(p for p in reversed(sys.path) if p.endswith("site-packages"))
    (site,) = (home / "lib").glob("python*/site-packages")
    (site / "libraries.pth").write_text(f"{libraries}\n")

    def evalmark(*words):
        words = [home / "bin/evalmark", *words]
        return subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True)

    where = [home / "bin/python", "-c", "import evalmark; print(evalmark.__file__)"]
    printed = subprocess.run(where, cwd=tmp_path, check=True, capture_output=True, text=True).stdout
    assert printed.startswith(str(site))
    (listed,) = re.findall(r"Commands of packages:\n(.*)\n", evalmark("--help").stdout)
    assert listed.split() == ["mteb", "of", "evalmark-mteb", "0.1.0"]
    assert f"[evalmark-mteb 0.1.0, {site}]" in evalmark("explain").stdout
    checked = evalmark("check", RESULTS / "MockSTSTask.json")
    assert checked.stderr == "Checked 1 file: no findings.\n"
    evalmark("convert", RESULTS, "--to", "record-0.3.0", "-o", "store")
    assert files_in(tmp_path / "store") == files_in(EXAMPLE / "records")
    assert evalmark("mteb", RESULTS).stdout == TABLE
