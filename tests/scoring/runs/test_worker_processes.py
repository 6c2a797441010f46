"""Models scored in worker processes: the same files, whatever happens to a process."""

import os
import shutil
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest
from conftest import FIXTURES
from evalmark.schemas.errors import ScoringError, UnknownNameError
from evalmark.scoring.demo_files import DEMO_FOLDER
from evalmark.scoring.surprisals.surprisal_computation import PARTIAL
from evalmark.validator.batch.workers import THREADS, in_processes
from killing import files_in

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals as Unix has them")

EVALMARK = str(Path(sys.executable).with_name("evalmark"))
#: More than there are processes.
MODELS = (1, 2, 3)


class Doing:
    """Does the jobs of these tests, in a process that notes itself in a folder."""

    def __init__(self, folder):
        self.folder = Path(folder)

    def run(self, job):
        """``n`` for a number; ``dies`` once, or ``dies!`` always; an error."""
        (self.folder / f"worker-{os.getpid()}").write_text(os.environ[THREADS])
        if isinstance(job, int):
            return job * 2
        if job == "fails":
            return ScoringError("why", argument="overwrite")
        if job == "names":
            return UnknownNameError("dtype", "flot32", ("float32",))
        if job == "waits":
            time.sleep(600)
        tried = self.folder / "tried"
        if job == "dies!" or not tried.exists():
            tried.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return "second time"


def doing(folder, jobs):
    return in_processes(jobs, Doing(folder).run, "{} {}".format, 2, batch=1, is_new=True)


def results(folder, jobs):
    return list(doing(folder, jobs))


def workers(folder):
    return [int(path.name.partition("-")[2]) for path in folder.glob("worker-*")]


def alive(process):
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{process}/stat").read_text().rpartition(")")[2][:3]


def test_results_come_in_the_order_of_the_jobs_and_workers_end(tmp_path, monkeypatch):
    monkeypatch.delenv(THREADS, raising=False)
    assert results(tmp_path, [1, 2, 3, 4, 5]) == [(n, 2 * n) for n in (1, 2, 3, 4, 5)]
    assert len(workers(tmp_path)) <= 2
    assert not any(map(alive, workers(tmp_path)))
    share = str(max(1, (os.cpu_count() or 1) // 2))
    assert {path.read_text() for path in tmp_path.glob("worker-*")} == {share}
    assert THREADS not in os.environ
    assert results(tmp_path, []) == []


def test_a_worker_that_dies_is_replaced_and_its_job_done_once_more(tmp_path):
    assert results(tmp_path, ["dies", 1, 2]) == [("dies", "second time"), (1, 2), (2, 4)]
    assert results(tmp_path, [1, "dies!", 2])[1] == ("dies!", "dies! signal 9")


class DiesWhenRead:
    """Kills the first process that reads it."""

    def __init__(self, folder):
        self.folder = folder

    def __setstate__(self, state):
        if not (state["folder"] / "tried").exists():
            (state["folder"] / "tried").touch()
            os.kill(os.getpid(), signal.SIGKILL)


def last_of(_, data, job):
    return data[-job:]


def test_a_worker_that_dies_before_it_has_read_its_work_is_replaced(tmp_path):
    """The work is larger than a pipe: nobody waits until the dead process reads the rest."""

    def give_up(*_):
        raise TimeoutError

    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(60)
    try:
        work = partial(last_of, DiesWhenRead(tmp_path), b"x" * 1_000_000)
        done = in_processes([1, 2], work, "{} {}".format, 2, batch=1, is_new=True)
        assert list(done) == [(1, b"x"), (2, b"xx")]
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def test_errors_keep_what_they_say(tmp_path):
    (_, first), (_, second) = results(tmp_path, ["fails", "names"])
    assert (str(first), first.argument) == ("why", "overwrite")
    assert "did you mean" in str(second) or "float32" in str(second)


def test_workers_end_when_the_caller_stops(tmp_path):
    done = doing(tmp_path, [1, "waits", "waits"])
    assert next(done) == (1, 2)
    done.close()
    assert workers(tmp_path)
    assert not any(map(alive, workers(tmp_path)))


# with models


@pytest.fixture
def place(here, monkeypatch, epoch, transformers, torch):
    """A folder with three models of different weights and some suites."""
    from safetensors.torch import load_file, save_file

    for number in MODELS:
        folder = here / f"model-{number}"
        shutil.copytree(DEMO_FOLDER, folder)
        torch.manual_seed(number)
        tensors = load_file(folder / "model.safetensors")
        changed = {name: of + 0.01 * torch.randn_like(of) for name, of in tensors.items()}
        save_file(changed, folder / "model.safetensors", metadata={"format": "pt"})
    shutil.copytree(FIXTURES / "suites", here / "suites")
    monkeypatch.setenv(THREADS, "1")
    # Small packs: a run must not be over when a signal comes.
    (here / "evalmark.toml").write_text("[score]\npack-tokens = 16\n", encoding="utf-8")
    return here


def command(out, *options):
    named = [part for number in MODELS for part in ("--model", f"model-{number}")]
    return [EVALMARK, "score", "suites", *named, "--device", "cpu", "--out", out, "-q", *options]


def called(*arguments):
    return subprocess.run(command(*arguments), capture_output=True, text=True, check=False)


def started(out):
    return subprocess.Popen(command(out, "--jobs", "2"), stderr=subprocess.PIPE, text=True)


def workers_of(process):
    """The ids of its workers."""
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    return [int(child) for child in children if "spawn_main" in _words(child)]


def under_way(process, out):
    """Wait until a worker has stored packs; the ids of all workers."""
    while process.poll() is None:
        stored = [p for p in out.glob(f"*/{PARTIAL}") if p.stat().st_size > 1000]
        if stored and not list(out.glob("*/run.json")):
            return workers_of(process)
        time.sleep(0.05)
    raise AssertionError(process.communicate())


def _words(process):
    try:
        return Path(f"/proc/{process}/cmdline").read_text()
    except FileNotFoundError:
        return ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="children as Linux lists them")
def test_a_run_that_is_killed_or_interrupted_resumes_to_the_same_files(place):
    """Models in processes have the files of models one by one, whatever happens to a process."""
    assert called("one").returncode == 0
    one = files_in(place / "one")
    assert len(one) == 3 * 3
    for sign, code in ((signal.SIGINT, 130), (signal.SIGKILL, -9)):
        out = place / sign.name
        process = started(out.name)
        children = under_way(process, out)
        assert children
        process.send_signal(sign)
        _, said = process.communicate(timeout=600)
        assert process.returncode == code, said
        assert ("the same command resumes" in said) == (sign == signal.SIGINT)
        for _ in range(12_000):  # ten minutes: no load is so high
            if not any(map(alive, children)):
                break
            time.sleep(0.05)
        assert not any(map(alive, children)), "workers end with their parent"
        assert list(out.glob(f"*/{PARTIAL}"))
    assert called("SIGINT").returncode == 0
    again = started("SIGKILL")
    while again.poll() is None and not (found := workers_of(again)):
        time.sleep(0.05)
    os.kill(found[0], signal.SIGKILL)  # it is replaced
    _, said = again.communicate(timeout=600)
    assert again.returncode == 0, said
    assert files_in(place / "SIGINT") == files_in(place / "SIGKILL") == one


HELD = """
import operator
from evalmark.validator.batch.workers import in_processes
done = in_processes(range(1000), operator.neg, print, 2)
print(next(done).result)
raise KeyboardInterrupt
"""


def test_a_script_that_is_interrupted_ends_though_it_holds_its_results():
    command = [sys.executable, "-P", "-c", HELD]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=False)
    assert done.stdout == "0\n"
    assert done.stderr.endswith("KeyboardInterrupt\n")
