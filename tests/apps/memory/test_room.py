"""The room of conversations: which way its folders import, what it needs, what it may write."""

import ast
import json
import subprocess
import sys

import pytest
from conftest import ROOT
from evalmark.converters.importers.imported import ImportSource
from evalmark.converters.records import writer
from evalmark.converters.records.run import Producer
from evalmark.converters.supplied import Supplied
from evalmark.memory.agents.agent import ScriptedAgent
from evalmark.memory.converters.ltm_results import read_ltm_run
from evalmark.memory.running.conversation import Conversation
from evalmark.memory.running.memory_record import write_conversation_record
from evalmark.memory.running.run_folder import part_of_a_path
from evalmark.schemas.errors import ConversionError, ScoringError, UnknownNameError
from evalmark.schemas.package import requirement
from memory_runs import Parrot, conversation, ours
from parameters import FLAGS, PARAMETERS

ROOM = ROOT / "apps/memory"
#: From the lowest folder to the highest.
FOLDERS = ("evaluation", "interface", "datasets", "agents", "converters", "running", "commands")
#: What the base install does not have.
MISSING = ("torch", "numpy", "transformers", "safetensors", "scipy", "httpx")


def imported(path):
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return {node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module}


@pytest.mark.parametrize("folder", FOLDERS)
def test_folders_import_one_way(folder):
    allowed = FOLDERS[: FOLDERS.index(folder) + 1]
    paths = list((ROOM / folder).rglob("*.py"))
    assert len(paths) > 1
    for path in paths:
        for module in imported(path):
            rest = module.removeprefix("evalmark.memory.")
            assert rest == module or rest.partition(".")[0] in allowed, f"{path}: {module}"


def test_library_messages_name_no_option_of_the_command_line():
    flags = [flag for flag in FLAGS if flag.startswith("--")]
    for path in {*ROOM.rglob("*.py")} - {*(ROOM / "commands").rglob("*.py")}:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                assert not any(flag in node.value for flag in flags), f"{path}: {node.value!r}"


def test_its_plugin_loads_nothing_else():
    tree = ast.parse((ROOM / "plugin.py").read_text(encoding="utf-8"))
    modules = [node.module for node in tree.body if isinstance(node, ast.ImportFrom)]
    ours = {module for module in modules if module.startswith("evalmark")}
    assert ours == {"evalmark.validator.io.extensions"}


def test_a_run_has_few_options():
    assert len([name for name, _ in PARAMETERS if name == "memory"]) <= 27


# what it needs


def without_packages(tmp_path, *arguments):
    """Run a command where the packages of the base install are all there is."""
    code = (
        "import sys\n"
        "from importlib.machinery import PathFinder\n"
        "class Base(PathFinder):\n"
        "    @classmethod\n"
        "    def find_spec(cls, name, *rest):\n"
        f"        missing = name.partition('.')[0] in {MISSING!r}\n"
        "        return None if missing else super().find_spec(name, *rest)\n"
        "sys.meta_path[:] = [Base if f is PathFinder else f for f in sys.meta_path]\n"
        "from evalmark.cli.main import main\n"
        "sys.argv[0] = 'evalmark'\n"
        "sys.exit(main())\n"
    )
    return subprocess.run(
        [sys.executable, "-c", code, *arguments],
        capture_output=True, text=True, check=False, cwd=tmp_path,
    )  # fmt: skip


def test_scripted_runs_and_their_scores_need_the_base_install_only(tmp_path):
    (tmp_path / "agent.json").write_text('{"default": "Mauve"}')
    made = without_packages(
        tmp_path, "memory", "colours", "restaurant", "--agent", "agent.json", "--out", "run"
    )
    assert made.returncode == 0, made.stderr
    assert list((tmp_path / "run/records").rglob("*_samples.jsonl"))


@pytest.mark.parametrize("options", [("--url", "http://127.0.0.1:9/v1"), ("--device", "cpu")])
def test_a_package_that_is_missing_is_one_line_that_says_what_to_install(tmp_path, options):
    done = without_packages(
        tmp_path, "memory", "colours", "--model", "demo", *options, "--out", "run"
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert f"is not installed: pip install '{requirement('scoring')}'" in done.stderr
    assert not (tmp_path / "run").exists()


# what it may write


@pytest.mark.parametrize("name", ["Locations Directions", "Köln 1.0", "Memory: names", "a..b"])
def test_any_other_name_does(name):
    assert part_of_a_path(name, "dataset") == name


# the record


def test_the_record_is_what_an_importer_makes_of_the_folder(tmp_path, monkeypatch):
    runs = []
    monkeypatch.setattr(
        "evalmark.memory.running.memory_record.write_record",
        lambda run, place, version: runs.append(run) or writer.Written(place, place),
    )
    monkeypatch.setattr("evalmark.memory.running.memory_record.list_files", lambda *_: None)
    finished = ours(tmp_path / "run", Parrot(), examples=11)
    write_conversation_record(finished, Producer())
    assert runs == list(read_ltm_run(ImportSource(finished.folder, None, Supplied())))
    assert runs[0].producer.name == "evalmark"


def test_a_run_without_a_score_has_no_record(tmp_path):
    class Deaf(ScriptedAgent):
        def reply(self, message):
            raise ScoringError("no")

    finished = conversation("colours", tmp_path / "run", Deaf({}), examples=1)
    with pytest.raises(ConversionError, match="no results"):
        write_conversation_record(finished, Producer())


@pytest.mark.parametrize("expected", [None, "one", 1, {"a": 1}, ["one", 2]])
def test_any_shape_of_expected_responses_becomes_a_record(tmp_path, expected):
    home = tmp_path / "run"
    finished = ours(home, Parrot())
    for path in (home / "definitions").rglob("*.def.json"):
        data = json.loads(path.read_text())
        path.write_text(json.dumps({**data, "expected_responses": expected}))
    (run,) = read_ltm_run(ImportSource(finished.folder, None, Supplied()))
    assert all(isinstance(text, str) for sample in run.samples for text in sample.reference)


def test_a_wrong_name_leaves_no_folder_that_refuses_the_right_one(run, tmp_path):
    (tmp_path / "agent.json").write_text('{"default": "red"}')
    words = ["--agent", tmp_path / "agent.json", "--out", tmp_path / "run"]
    wrong = run("evalmark", "memory", "colour", *words, code=2)
    assert "did you mean 'colours'?" in wrong.err
    assert not (tmp_path / "run").exists()
    assert run("evalmark", "memory", "colours", *words).code == 0


def test_a_wrong_mode_is_one_error():
    with pytest.raises(UnknownNameError, match="filled, isolated, interleaved"):
        Conversation(mode="nope")
