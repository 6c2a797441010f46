"""The current folder is data: no module is imported from it unless the command line names it."""

import importlib.util
import operator
import os
import sys

import pytest
from conftest import file_at, python
from evalmark.validator.batch import workers
from hijacked import ran

pytest_plugins = ["hijacked"]


def called(*words):
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONSAFEPATH"}
    return python(*words, env=environ)


@pytest.mark.parametrize("module", ["evalmark", "evalmark.cli.main"])
@pytest.mark.parametrize("flags", [[], ["-P"], ["-I"]])
def test_a_module_that_is_run_imports_nothing_from_it(place, flags, module):
    done = called(*flags, "-m", module, "check", "suite.json")
    assert (done.returncode, done.stderr) == (0, "Checked 1 file: no findings.\n")
    assert ran(place) == []


@pytest.mark.parametrize("flags", [[], ["-P"]])
def test_a_package_in_it_adds_no_importer(place, flags):
    about = place / "evil-1.0.dist-info"
    file_at(about / "METADATA", "Metadata-Version: 2.1\nName: evil\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[evalmark.plugins]\nevil = evil:PLUGIN\n")
    (place / "unknown.json").write_text("{}")
    done = called(*flags, "-m", "evalmark", "convert", "unknown.json")
    assert "evil" not in done.stderr
    assert "evil" not in called(*flags, "-m", "evalmark", "explain").stdout
    assert ran(place) == []


def test_a_command_without_arguments_and_its_help_do_not_either(place):
    assert called("-m", "evalmark", "--help").returncode == 0
    assert called("-m", "evalmark", "score", "--help").returncode == 0
    assert ran(place) == []


def test_programs_that_import_evalmark_keep_their_path(tmp_path):
    (tmp_path / "program.py").write_text("import sys, evalmark; print(sys.path[0])")
    assert called(str(tmp_path / "program.py")).stdout.strip() == str(tmp_path)
    code = "import sys; sys.argv = ['-m']; before = sys.path[:]; import json; print(sys.path[0])"
    assert called("-c", code).stdout == "\n"


def test_programs_that_are_run_as_modules_keep_their_folder(here):
    """``python -m tool`` imports evalmark, and then modules beside ``tool``."""
    file_at(here / "tool/__init__.py", "import evalmark\n")
    (here / "tool/__main__.py").write_text("import beside\n")
    (here / "beside.py").write_text("print('imported')\n")
    done = called("-m", "tool", "evalmark")
    assert (done.stdout, done.stderr) == ("imported\n", "")


def test_workers_that_are_not_forked_import_nothing_from_it(place, monkeypatch):
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.setattr(workers, "START", "spawn")
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    done = workers.in_processes([1, 2], operator.neg, lambda *_: None, 1)
    assert [result for _, result in done] == [-1, -2]
    assert ran(place) == []
    assert "PYTHONSAFEPATH" not in os.environ


def test_a_tokenizer_whose_process_is_not_forked_imports_nothing_from_it(place, monkeypatch):
    """On macOS and Windows: the process of a tokenizer is asked for by `score`."""
    process = pytest.importorskip("evalmark.scoring.models.tokenizer_process")
    monkeypatch.delenv("PYTHONSAFEPATH", raising=False)
    monkeypatch.setattr(process, "START", "spawn")
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path])
    tokenizer = process.TokenizerProcess("m", dict)
    tokenizer.loaded()
    assert tokenizer.run("counting", len) == 0
    tokenizer.end()
    assert ran(place) == []


@pytest.mark.slow
@pytest.mark.skipif(not importlib.util.find_spec("ray"), reason="Ray is not installed")
def test_processes_of_ray_import_nothing_from_it(place):
    done = called("-m", "evalmark", "check", "suite.json", "--jobs", "ray")
    assert done.returncode == 0, done.stderr
    code = (
        "from evalmark.validator.batch.workers import cluster, in_ray\n"
        "import importlib\n"
        "with cluster(None) as ray:\n"
        "    found = list(in_ray(ray, ['evil'], importlib.util.find_spec, None))\n"
        "print(found[0].result)\n"
    )
    done = called("-P", "-c", f"import importlib.util\n{code}")
    assert done.stdout.strip() == "None", done.stderr
    assert ran(place) == []
