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
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPConnection
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from conftest import FIXTURES, ROOT

pytest.importorskip("starlette")

from evalmark.schemas.package import requirement
from evalmark.workbench import server

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")


#: Waits so many seconds for a request.
PATIENT = """
from evalmark.workbench import connections
connections.PATIENCE = {}
from evalmark.cli.main import main
main()
"""


def may_open(files):
    """Limit the open files of this process, also for its administrator."""
    import resource

    resource.setrlimit(resource.RLIMIT_NOFILE, (files, files))


@contextmanager
def serving(folder, *words, files=None, patience=None):
    """A server with so many files and so many seconds for a request; its process and address."""
    program = ["-m", "evalmark"] if patience is None else ["-P", "-c", PATIENT.format(patience)]
    line = [sys.executable, *program, "serve", str(folder), "--no-browser", *words]
    environ = {key: value for key, value in os.environ.items() if key != "PYTHONUNBUFFERED"}

    def limited():
        # What runs in the background ignores Ctrl-C, and so would this process.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        if files:
            may_open(files)

    with subprocess.Popen(
        line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environ,
        preexec_fn=limited,
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
    with urlopen(Request(f"{base}{path}", data, headers), timeout=600) as answer:
        return json.load(answer)


@POSIX
@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_it_says_where_it_is_and_ends(tmp_path, number):
    (tmp_path / "suite.json").write_bytes((FIXTURES / "good/suite.json").read_bytes())
    with serving(tmp_path) as (process, address):
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/\?token=[\w-]{32}", address), address
        assert [f["path"] for f in asked(address, "/api/folder")["files"]] == ["suite.json"]
        with urlopen(address, timeout=600) as page:
            assert page.headers["content-type"].startswith("text/html")
        base = address.partition("?")[0]
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{base}api/folder", timeout=600)
        refused.value.close()
        assert refused.value.code == 401
        process.send_signal(getattr(signal, number))
        out, err = process.communicate(timeout=600)
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
        _, err = process.communicate(timeout=600)
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


def half_open(address, start):
    """A connection that sends the start of a request, and nothing more."""
    port = int(re.search(r":(\d+)/", address)[1])
    connection = socket.create_connection((server.HOST, port), timeout=600)
    with suppress(ConnectionError):  # a later one may have taken its place already
        connection.sendall(start)
    return connection


STARTS = [b"", b"GET / HT", b"GET / HTTP/1.1\r\nHost: a\r\nX: "]


@POSIX
@pytest.mark.parametrize(("files", "idle"), [(256, 300), (1024, 1100)])
def test_more_idle_connections_than_files_leave_the_page_answered(tmp_path, files, idle):
    """Nobody reads what the server prints, and it prints one line about all of them."""
    with (
        serving(tmp_path, files=files, patience=3600) as (process, address),
        ExitStack() as waiting,
    ):
        for number in range(idle):
            waiting.enter_context(half_open(address, STARTS[number % 3]))
        for _ in range(3):
            assert asked(address, "/api/folder")["files"] == []
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=600)
        assert err.splitlines() == [
            f"serving {tmp_path}; Ctrl-C stops",
            "note: too many connections are open: the oldest idle ones are closed",
            "stopped",
        ]


@POSIX
def test_idle_connections_do_not_take_the_place_of_one_that_was_answered(tmp_path):
    with serving(tmp_path, files=256, patience=3600) as (_, address), ExitStack() as waiting:
        place, _, token = address.removeprefix("http://").partition("/?token=")
        owner = waiting.enter_context(closing(HTTPConnection(place, timeout=600)))
        owner.connect()
        owner.auto_open = 0  # no second connection
        for number in range(300):
            if number % 10 == 0:  # a connection that rests for some seconds is closed
                owner.request("GET", "/api/folder", headers={"X-Evalmark-Token": token})
                assert json.loads(owner.getresponse().read())["files"] == []
            waiting.enter_context(half_open(address, b""))


@POSIX
@pytest.mark.parametrize("start", STARTS)
def test_the_head_of_a_request_has_to_come_in_time(tmp_path, start):
    """Also that of the next request of a connection."""
    with serving(tmp_path, patience=0.2) as (_, address):
        whole = f"GET / HTTP/1.1\r\nHost: {address[7:].partition('/')[0]}\r\n\r\n".encode()
        for sent in (start, whole + start):
            with half_open(address, sent) as connection, suppress(ConnectionResetError):
                while connection.recv(65536):  # until the server closes it
                    pass
        assert asked(address, "/api/folder")["files"] == []


@POSIX
def test_an_answer_may_take_longer_than_a_request(tmp_path):
    for number in range(200):
        (tmp_path / f"{number}.json").write_bytes((FIXTURES / "good/suite.json").read_bytes())
    with serving(tmp_path, patience=0) as (_, address):
        assert len(asked(address, "/api/folder")["files"]) == 200


#: A page of another site that asks for the same 300 times at once, as long as it is open.
FLOOD = """<!doctype html><script>
let asked = 0;
const again = () => fetch("ADDRESS", {mode: "no-cors"}).catch(() => {})
  .finally(() => { asked += 1; again(); });
for (let i = 0; i < 300; i++) again();
</script>"""


@POSIX
def test_the_page_loads_while_a_page_of_another_site_asks_without_end(tmp_path, browser):
    """Also where few files may be open and other connections ask nothing."""
    from serving import suite_page

    (tmp_path / "suite.json").write_bytes((FIXTURES / "good/suite.json").read_bytes())
    with serving(tmp_path, files=256, patience=3600) as (_, address), ExitStack() as waiting:
        for _ in range(300):
            waiting.enter_context(half_open(address, b""))
        other = waiting.enter_context(closing(browser.new_context())).new_page()
        flood = FLOOD.replace("ADDRESS", address.partition("?")[0] + "api/folder")
        other.route("http://other.example/", lambda route: route.fulfill(
            body=flood, content_type="text/html"))  # fmt: skip
        other.goto("http://other.example/")
        other.wait_for_function("asked > 300")
        with suite_page(browser, address) as page:
            page.open("suite.json")
        assert other.evaluate("asked") > 300


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
        path.relative_to(ROOT / "apps/workbench").as_posix()
        for pattern in patterns
        for path in (ROOT / "apps/workbench").glob(pattern)
    }
    served = {
        path.relative_to(ROOT / "apps/workbench").as_posix()
        for path in (ROOT / "apps/workbench/page").rglob("*")
        if path.suffix in server.TYPES
    }
    assert "page/index.html" in served
    assert served <= packed
