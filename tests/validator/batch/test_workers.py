"""Many files in several processes: the same findings in the same order, whatever happens to one."""

import gc
import multiprocessing
import os
import pickle
import shutil
import signal
import sys
import weakref

import pytest
from conftest import FIXTURES
from evalmark.cli.check import run
from evalmark.validator.batch import check_files as _check_files
from evalmark.validator.batch.workers import LEFT_OVER, do_batch, in_processes
from evalmark.validator.check import check_one
from evalmark.validator.settings.check_options import CheckOptions

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")


@pytest.fixture
def many(tmp_path):
    """Good and bad files, records with samples among them, in folders of their own."""
    for number in range(6):
        for path in sorted((FIXTURES / "bad").glob("*.json*"))[number::6]:
            target = tmp_path / f"{number}" / path.name
            target.parent.mkdir(exist_ok=True)
            shutil.copy(path, target)
        shutil.copytree(FIXTURES / "suites", tmp_path / f"{number}" / "suites")
    return tmp_path


def checked(capsys, *paths, enough=20_000_000, **options):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(_check_files, "ENOUGH", enough)
        return _checked(capsys, *paths, **options)


def _checked(capsys, *paths, **options):
    code = run(CheckOptions(paths=[str(path) for path in paths], **options))
    out = capsys.readouterr()
    return code, out.out, out.err


@pytest.mark.slow
@pytest.mark.parametrize("form", ["json", "full"])
def test_several_processes_say_what_one_says(many, capsys, form):
    one = checked(capsys, many / "3", many, jobs=1, output_format=form)
    assert one[0] == 1
    for enough in (0, 30_000):
        assert checked(capsys, many / "3", many, jobs=3, output_format=form, enough=enough) == one


def deadly(path, *rest, **how):
    """What a bug in a library is: the end of the process."""
    if path.endswith("deadly.json"):
        os.kill(os.getpid(), signal.SIGKILL)
    return check_one(path, *rest, **how)


@pytest.mark.slow
def test_a_process_that_dies_takes_no_finding_with_it(many, capsys, monkeypatch):
    plain = checked(capsys, many, jobs=1)
    (many / "2" / "deadly.json").write_text("{}")
    monkeypatch.setattr(_check_files, "check_one", deadly)
    code, out, _ = checked(capsys, many, jobs=2, enough=0)
    assert code == 2, "a file could not be checked"
    lines = out.splitlines()
    dead = [line for line in lines if "deadly.json" in line]
    assert len(dead) == 1
    assert "F011" in dead[0]
    assert "the worker process died (signal 9)" in dead[0]
    assert [line for line in lines if line not in dead] == plain[1].splitlines()


def test_one_evaluation_id_in_two_files_is_seen_across_processes(tmp_path, capsys):
    record = next(p for p in sorted((FIXTURES / "good").rglob("*.json"))
                  if b"evaluation_results" in p.read_bytes()
                  and b"detailed_evaluation_results" not in p.read_bytes())  # fmt: skip
    for name in ("a", "b"):
        shutil.copy(record, tmp_path / f"{name}.json")
    one = checked(capsys, tmp_path, jobs=1)
    assert "EE243" in one[1]
    assert checked(capsys, tmp_path, jobs=2, enough=0) == one


class Knot:
    """An object that refers to itself, as only a search for cycles frees."""

    def __init__(self, ballast):
        self.itself = self
        self.ballast = [[] for _ in range(ballast)]


@pytest.mark.parametrize(("ballast", "is_freed"), [(10, False), (LEFT_OVER + 1, True)])
def test_cycles_are_freed_once_many_objects_are_left_over(ballast, is_freed):
    gc.collect()
    gc.disable()
    try:
        (knot,) = do_batch(lambda piece: weakref.ref(Knot(piece)), [ballast])
        assert (knot() is None) == is_freed
    finally:
        gc.enable()


def test_work_that_cannot_be_sent_leaves_no_process():
    before = multiprocessing.active_children()
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError)):
        list(in_processes([1, 2], lambda number: 2 * number, lambda number, _: number, 2))
    assert multiprocessing.active_children() == before
