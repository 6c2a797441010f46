"""Checking and scoring on a Ray cluster, which these tests start and stop: the same bytes."""

import importlib.util
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import pytest
from conftest import FIXTURES, ROOT, data_at
from evalmark.schemas.errors import ClusterError
from evalmark.schemas.package import requirement
from evalmark.scoring.model_jobs import RayShare
from evalmark.validator.batch import workers as _ray
from killing import files_in

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not importlib.util.find_spec("ray"), reason="Ray is not installed"),
]
EVALMARK = str(Path(sys.executable).with_name("evalmark"))


@pytest.fixture(scope="module")
def address():
    from ray.util import get_node_ip_address

    host = get_node_ip_address()
    with socket.socket() as probe:
        probe.bind((host, 0))
        port = probe.getsockname()[1]
    command = [
        str(Path(sys.executable).with_name("ray")), "start", "--head", "--block", "--num-cpus=2",
        "--num-gpus=1", f"--port={port}", "--include-dashboard=false", "--disable-usage-stats",
    ]  # fmt: skip
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True,
        env={**os.environ, "RAY_AUTH_MODE": "disabled"},
    )  # fmt: skip
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex((host, port)) == 0:
                break
        assert process.poll() is None, "the cluster does not start"
        time.sleep(0.1)
    yield f"{host}:{port}"
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def called(*arguments, cwd, **environment):
    done = subprocess.run(
        [EVALMARK, *map(str, arguments)], capture_output=True, text=True, cwd=cwd, check=False,
        env={**os.environ, "SOURCE_DATE_EPOCH": "1760000000", **environment},
    )  # fmt: skip
    # Where work takes long, a line says how far it is.
    return done.returncode, done.stdout, re.sub(r"(?m)^checking: .*\n", "", done.stderr)


def test_a_datastore_is_checked_as_by_one_process(tmp_path, address):
    for number in range(3):
        shutil.copytree(FIXTURES / "bad", tmp_path / "data" / str(number))
    shutil.copytree(FIXTURES / "suites", tmp_path / "suites")
    paths = ("data", "suites", "not there.json")
    one = called("check", *paths, "--jobs", "1", "--format", "json", cwd=tmp_path)
    assert one[0] == 2, "a file is not there"
    ray = called("check", *paths, "--format", "json", "--jobs", "ray", cwd=tmp_path,
                 RAY_ADDRESS=address)  # fmt: skip
    assert ray == one


def test_a_large_sample_file_is_shared_out(tmp_path, address):
    """It is one piece of work to begin with, whose process asks others for its ranges."""
    rows = (FIXTURES / "good/with_samples_samples.jsonl").read_text().splitlines()
    record = data_at("good/with_samples.json")
    (tmp_path / "with_samples.json").write_text(json.dumps(record))
    with (tmp_path / "with_samples_samples.jsonl").open("w") as file:
        for number in range(21_000_000 // len(rows[0])):
            row = json.loads(rows[number % len(rows)])
            row["sample_id"] = f"s{number % 20_000}"
            file.write(json.dumps(row) + "\n" * (1 + (number % 997 == 0)))
    one = called("check", tmp_path, "--jobs", "1", "--format", "json", cwd=tmp_path)
    assert one[0] == 1
    ray = called("check", tmp_path, "--format", "json", "--jobs", "ray", cwd=tmp_path,
                 RAY_ADDRESS=address)  # fmt: skip
    assert ray == one

    def process(piece):
        time.sleep(0.01)
        return os.getpid()

    def outer():
        done = _ray.in_this_ray(range(40), process, lambda piece, how: 0, batch=1)
        return [os.getpid(), *(one.result for one in done)]

    with _ray.cluster(address) as ray:
        assert len(set(ray.get(ray.remote(outer).remote()))) > 1


def test_models_score_as_one_after_the_other(tmp_path, address):
    (tmp_path / "models").mkdir()
    for name in ("one", "two"):
        shutil.copytree(ROOT / "scoring/demo_model", tmp_path / "models" / name)
    shutil.copytree(FIXTURES / "suites", tmp_path / "suites")
    models = ("--model", "models/one", "--model", "models/two")
    (tmp_path / "evalmark.toml").write_text("[ray]\ncpus-per-model = 2\ngpus-per-model = 1\n")
    here = called("score", "suites", *models, "--out", "here", cwd=tmp_path)
    there = called("score", "suites", *models, "--out", "there", "--jobs", "ray", cwd=tmp_path,
                   EVALMARK_RAY_ADDRESS=address)  # fmt: skip
    assert (here[0], here[1]) == (there[0], there[1])
    assert here[0] == 0
    files = {name: files_in(tmp_path / name) for name in ("here", "there")}
    assert files["here"] == files["there"]
    assert {name.partition("/")[0] for name in files["here"]} == {"one", "two"}
    again = called("score", "suites", *models, "--out", "here", cwd=tmp_path)
    assert "here/one is finished" in again[2]
    assert again[1] == here[1], "the table has finished runs"


def test_models_score_minimal_pairs_too(tmp_path, address):
    shutil.copytree(ROOT / "scoring/demo_model", tmp_path / "one")
    texts = ("The pilot laughs .", "The pilot laugh .", "The pilots laugh .", "The pilots laughs .")
    rows = [{"sentence_good": a, "sentence_bad": b} for a, b in (texts[:2], texts[2:])]
    (tmp_path / "p.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    score = ("score", "p.jsonl", "--model", "one", "--out")
    here = called(*score, "here", cwd=tmp_path)
    there = called(*score, "there", "--jobs", "ray", cwd=tmp_path, EVALMARK_RAY_ADDRESS=address)
    assert (here[0], here[1]) == (there[0], there[1])
    assert (here[0], files_in(tmp_path / "here")) == (0, files_in(tmp_path / "there"))


def test_what_ends_a_process_is_one_result(address):
    def deadly(piece):
        if piece == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return piece * 2

    def died(piece, how):
        return f"{piece}: {how}"

    with _ray.cluster(address) as ray:
        done = list(_ray.in_ray(ray, range(9), deadly, died, batch=2))
    assert [one.piece for one in done] == list(range(9))
    assert [one.result for one in done if one.piece != 3] == [0, 2, 4, 8, 10, 12, 14, 16]
    assert "Crashed" in done[3].result


def test_a_gpu_is_asked_for_as_a_resource(address):
    """Ray counts GPUs, whether there are any or not, and says to a process which it may use."""

    def seen(_):
        began = time.monotonic()
        time.sleep(0.5)
        return os.environ.get("CUDA_VISIBLE_DEVICES"), began, time.monotonic()

    with _ray.cluster(address) as ray:

        def given(gpus):
            done = _ray.in_ray(ray, ["a", "b"], seen, None, batch=1, gpus=gpus)
            return [one.result for one in done]

        given(0.5)  # processes have to start
        shared, alone = given(0.5), given(1)
        with pytest.raises(ClusterError, match="needs 3 GPUs, but the cluster has 1"):
            RayShare(ray, gpus=3).require_room()
    assert [gpu for gpu, *_ in (*shared, *alone)] == ["0"] * 4
    assert max(began for _, began, _ in shared) < min(end for *_, end in shared)
    assert max(began for _, began, _ in alone) >= min(end for *_, end in alone)


def test_what_is_missing_is_said(tmp_path, monkeypatch, run):
    shutil.copy(FIXTURES / "good/suite.json", tmp_path / "suite.json")
    asked = run("evalmark", "check", "-", "--jobs", "ray")
    assert asked.code == 2
    assert "a Ray cluster cannot read standard input" in asked.err
    monkeypatch.setitem(sys.modules, "ray", None)
    for command in (("check",), ("score", "--model", "demo")):
        asked = run("evalmark", *command, tmp_path / "suite.json", "--jobs", "ray")
        assert asked.code == 2
        assert f"pip install '{requirement('ray')}'" in asked.err
