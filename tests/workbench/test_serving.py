"""`evalmark serve`: it says where it is, answers, and ends."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from conftest import FIXTURES, ROOT

pytest.importorskip("starlette")

from evalmark.schemas.package import requirement
from evalmark.workbench import server

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


@contextmanager
def serving(folder, *words):
    """A server of its own; its process and the address that it prints."""
    line = [sys.executable, "-m", "evalmark", "serve", str(folder), "--no-browser", *words]
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ,
        # What runs in the background ignores Ctrl-C, and so would this process.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as process:  # fmt: skip
        try:
            assert process.stdout
            yield process, process.stdout.readline().strip()
        finally:
            process.kill()


def asked(address, path, body=None):
    """The answer of a running server to its page."""
    base, _, token = address.partition("/?token=")
    headers = {"X-Evalmark-Token": token, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    with urlopen(Request(f"{base}{path}", data, headers), timeout=60) as answer:
        return json.load(answer)


@POSIX
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_it_says_where_it_is_and_ends(tmp_path, number):
    (tmp_path / "suite.json").write_bytes((FIXTURES / "good/suite.json").read_bytes())
    with serving(tmp_path) as (process, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}", address), address
        assert [f["path"] for f in asked(address, "/api/folder")["files"]] == ["suite.json"]
        with urlopen(address, timeout=60) as page:
            assert page.headers["content-type"].startswith("text/html")
        base = address.partition("?")[0]
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{base}api/folder", timeout=60)
        refused.value.close()
        assert refused.value.code == 401
        process.send_signal(getattr(signal, number))
        out, err = process.communicate(timeout=60)
        assert out == ""
        assert err.startswith(f"serving {tmp_path}; Ctrl-C stops\n")
        assert "Traceback" not in err
        if number == "SIGINT":
            assert process.returncode == 0
            assert err.endswith("stopped\n")
        # Another server may have taken the port by now; it does not know this token.
        with pytest.raises(OSError, match=r"."):
            asked(address, "/api/folder")


@POSIX
def test_it_ends_in_the_middle_of_a_request(tmp_path, torch):
    suite = FIXTURES / "good/suite.json"
    item = json.loads(suite.read_text())["items"][0]
    with serving(tmp_path) as (process, address), ThreadPoolExecutor(1) as thread:
        body = {"model": "demo", "item": item, "join": "core"}
        waiting = thread.submit(asked, address, "/api/surprisals", body)
        (child,) = children(process.pid)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=60)
        assert (process.returncode, err.count("\n")) == (0, 2), err
        if isinstance(error := waiting.exception(), HTTPError):  # it may have been answered
            assert json.load(error)["error"] == "the server is stopping"
            error.close()
        assert ends(child)


@POSIX
def test_a_running_model_ends_with_the_server(tmp_path, monkeypatch, torch):
    """Also if the server is killed: its processes notice that nobody reads."""
    (tmp_path / "suite.json").write_bytes((FIXTURES / "good/suite.json").read_bytes())
    with serving(tmp_path) as (process, address):
        asked(address, "/api/runs", {"path": "suite.json", "model": "demo", "join": "core"})
        (child,) = children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
        assert ends(child)


@POSIX
def test_many_connections_that_ask_nothing_leave_the_page_answered(tmp_path):
    with serving(tmp_path) as (_, address), ExitStack() as waiting:
        port = int(re.search(r":(\d+)/", address)[1])
        for _ in range(100):
            waiting.enter_context(socket.create_connection((server.HOST, port), timeout=60))
        assert asked(address, "/api/folder")["files"] == []


def children(pid):
    """The processes that a process has started."""
    while True:
        done = subprocess.run(
            ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True, check=False
        )
        if done.stdout.split():
            return [int(word) for word in done.stdout.split()]


def ends(pid):
    """Wait for the end of a process of somebody else."""
    while True:
        state = subprocess.run(
            ["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True, check=False
        ).stdout.strip()
        if not state or state.startswith("Z"):
            return True


def test_a_taken_port_is_a_sentence_or_another_port(tmp_path, run):
    with socket.socket() as taken:
        taken.bind((server.HOST, 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = run("evalmark", "serve", tmp_path, "--no-browser", "--port", str(port), code=2)
        assert done.err == (
            f"evalmark: port {port} is taken: without --port, a free one is found\n"
        )


def test_the_next_free_port_is_found(monkeypatch):
    with socket.socket() as taken:
        taken.bind((server.HOST, 0))
        taken.listen()
        monkeypatch.setattr(server, "PORT", taken.getsockname()[1])
        with server.listen(None) as found:
            assert found.getsockname()[1] != taken.getsockname()[1]


def test_two_servers_that_start_at_once_have_two_ports():
    with server.listen(None) as one, server.listen(None) as other:
        assert one.getsockname() != other.getsockname()


def test_small_answers_do_not_wait_for_others():
    """Else each takes 40 ms: asyncio turns Nagle's algorithm off for sockets that name TCP only."""
    with server.listen(None) as listening:
        assert listening.proto == socket.IPPROTO_TCP


@pytest.mark.parametrize("name", ["none", "file.txt"])
def test_only_folders_are_served(tmp_path, run, name):
    (tmp_path / "file.txt").write_text("")
    done = run("evalmark", "serve", tmp_path / name, code=2)
    assert done.err == f"evalmark: {tmp_path / name} is not a folder\n"


@pytest.mark.parametrize("library", ["starlette", "uvicorn"])
def test_what_is_missing_is_one_line(tmp_path, run, monkeypatch, library):
    from evalmark.schemas import errors as extras

    found = extras.find_spec
    monkeypatch.setattr(extras, "find_spec", lambda name: None if name == library else found(name))
    done = run("evalmark", "serve", tmp_path, code=2)
    assert done.err == (
        f"evalmark: {library} is not installed: pip install '{requirement('serve')}'\n"
    )


def test_a_browser_is_opened_unless_it_is_not_wanted(tmp_path, run, monkeypatch):
    opened = []
    monkeypatch.setattr("webbrowser.open_new_tab", opened.append)
    monkeypatch.setattr(server, "serve", lambda folder, port, started: started("http://x"))
    run("evalmark", "serve", tmp_path)
    assert opened == ["http://x"]
    run("evalmark", "serve", tmp_path, "--no-browser")
    assert opened == ["http://x"]


def test_the_page_is_in_the_package():
    """Everything that the server serves is among what pyproject.toml puts into the wheel."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["evalmark.workbench"]
    packed = {
        path.relative_to(ROOT / "workbench").as_posix()
        for pattern in patterns
        for path in (ROOT / "workbench").glob(pattern)
    }
    served = {
        path.relative_to(ROOT / "workbench").as_posix()
        for path in (ROOT / "workbench/page").rglob("*")
        if path.suffix in server.TYPES
    }
    assert "page/index.html" in served
    assert served <= packed
