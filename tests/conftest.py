"""What many tests need: the shared data (where it is), the tree, and the commands in-process."""

import io
import json
import math
import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

os.environ.setdefault("HF_HUB_OFFLINE", "1")  # before anything of the hub is imported

import pytest
from browser import launched
from evalmark.validator.findings import rule
from hypothesis import HealthCheck, settings

# Plugins of the modules that use their fixtures.
pytest.register_assert_rewrite("branch", "hijacked", "leading_elsewhere")

# How busy a machine is decides no test. The same examples each time, so that a change is judged by
# what it changes; `all` takes more of them; `--hypothesis-profile search` looks for new ones.
settings.register_profile("search", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("all", settings.get_profile("search"), derandomize=True, max_examples=60)
settings.register_profile("few", settings.get_profile("all"), max_examples=25)
settings.load_profile("few")

# What earlier runs noted in the user's cache decides no test, and no test writes there.
_CACHE = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
os.environ["XDG_CACHE_HOME"] = _CACHE.name
for name in ("FORCE_COLOR", "OPENAI_API_KEY", "OPENAI_BASE_URL"):  # as services and users set them
    os.environ.pop(name, None)

# A shell that starts tests in the background lets them ignore interrupts, which some of them send.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# A node of Ray that does not answer for some seconds is busy, not dead.
for name, value in {
    "health_check_failure_threshold": "1000",
    "gcs_server_request_timeout_seconds": "600",
    "worker_register_timeout_seconds": "600",
}.items():
    os.environ[f"RAY_{name}"] = value

if "PYTEST_XDIST_WORKER" in os.environ:
    # Workers that each use all cores wait for each other.
    os.environ.setdefault("OMP_NUM_THREADS", "1")

if sys.platform == "win32":
    # Tests mean the text that they write, not the line ends and the encoding of Windows.
    _write, _read = Path.write_text, Path.read_text

    def write_text(path, data, encoding="utf-8", errors=None, newline="\n"):
        return _write(path, data, encoding, errors, newline)

    def read_text(path, encoding="utf-8", errors=None):
        return _read(path, encoding, errors)

    Path.write_text, Path.read_text = write_text, read_text

ROOT = Path(__file__).resolve().parent.parent
FIXTURES = ROOT / "fixtures"


def _links_can_be_made() -> bool:
    with tempfile.TemporaryDirectory() as folder:
        try:
            (Path(folder) / "link").symlink_to("target")
        except (OSError, NotImplementedError):
            return False
    return True


@pytest.fixture
def internal_errors_are_findings() -> bool:
    """For a test of F099: else an internal error of a check in this process fails the test."""
    return True


@pytest.fixture(autouse=True)
def internal_errors_fail(request, monkeypatch) -> None:
    if "internal_errors_are_findings" not in request.fixturenames:
        monkeypatch.setattr(rule, "internal_error", _raised)


def _raised(error: Exception, path: str) -> None:
    raise AssertionError(f"internal error in the check of {path}") from error


#: On Windows, symbolic links need a privilege or the developer mode.
needs_apps = pytest.mark.skipif(
    not (Path(__file__).parents[1] / "apps").is_dir(), reason="uses an application"
)
needs_links = pytest.mark.skipif(not _links_can_be_made(), reason="no symbolic links here")
#: On Windows, a mode is read-only or not.
needs_modes = pytest.mark.skipif(sys.platform == "win32", reason="no modes of files here")
#: Inspect's logs are compressed with zstd, which pyarrow brings.
needs_zstd = pytest.mark.skipif(not find_spec("pyarrow"), reason="needs pyarrow")
needs_fifos = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
#: Git for Windows brings a `bash`, but `bash` is usually found to be that of WSL first.
needs_sh = pytest.mark.skipif(sys.platform == "win32", reason="runs a shell script")


@pytest.hookimpl(tryfirst=True)  # before tests are selected by their markers
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what uses the browser; the longest tests first, so that no worker ends with one."""
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    items.sort(key=lambda item: not ("slow" in item.keywords or "browser" in item.keywords))


@pytest.fixture(scope="module")
def browser():
    """Chromium, for the tests of a module."""
    with launched() as found:
        yield found


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A folder that is served, and its address."""
    from serving import served

    folder = tmp_path_factory.mktemp("served")
    with served(folder) as address:
        yield folder, address


@pytest.fixture
def page(site, browser):
    """The page of a copy of the good suite, which is ``page.file``."""
    from serving import SUITE, suite_page

    folder, address = site
    with suite_page(browser, address) as found:
        found.file = shutil.copy(SUITE, folder / "suite.json")
        found.open("suite.json")
        yield found


@pytest.fixture(scope="module")
def trees_are_forgotten():
    """Of all modules: else the garbage collector looks at millions of nodes in all later tests."""
    yield
    sys.modules["test_house"].tree_of.cache_clear()


@pytest.fixture
def shared() -> Path:
    """Real files and the seeds; they are not part of the project."""
    folder = os.environ.get("EVALMARK_SHARED")
    if not folder:
        pytest.skip("EVALMARK_SHARED is not set")
    return Path(folder)


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder, which is the current one."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def epoch(monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs have a time of their own, always the same."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1760000000")


def _library(name: str):
    @pytest.fixture(scope="session", name=name)
    def library():
        """A library that may be missing: then a test that needs it is skipped."""
        return pytest.importorskip(name)

    return library


LIBRARIES = ("torch", "transformers", "numpy", "pyarrow", "duckdb", "jinja2", "rpds")
torch, transformers, numpy, pyarrow, duckdb, jinja2, rpds = map(_library, LIBRARIES)


def python(*words: object, **options: Any) -> subprocess.CompletedProcess[str]:
    """Run Python in another process."""
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, **options)


def data_at(path: Path | str) -> Any:
    """The data of a file, by its name in `fixtures/` or its whole path; of JSON Lines, the rows."""
    text = (FIXTURES / path).read_text(encoding="utf-8")
    is_rows = str(path).endswith(".jsonl")
    return [json.loads(line) for line in text.splitlines()] if is_rows else json.loads(text)


def record_at(version: str = "0.2.0") -> dict[str, Any]:
    """The record of a version."""
    return data_at(f"versions/record-{version}.json")


def rows_at(version: str) -> list[dict[str, Any]]:
    """The samples of a version."""
    return data_at(f"versions/sample-{version}.jsonl")


def file_at(path: Path | str, content: Any) -> Path:
    """Write a file, and the folders for it: bytes, a text, or data as JSON, or as JSON Lines."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    if path.suffix == ".jsonl" and not isinstance(content, str | bytes):
        content = "".join(f"{json.dumps(row)}\n" for row in content)
    text = content if isinstance(content, str | bytes) else json.dumps(content)
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    return path


@contextmanager
def edited(source: Path, target: Path | None = None) -> Iterator[Any]:
    """The JSON of a file, to be changed; at the end it is written there, or to another file."""
    data = json.loads(source.read_text(encoding="utf-8"))
    yield data
    (target or source).write_text(json.dumps(data), encoding="utf-8")


class Outcome(NamedTuple):
    """What a command did."""

    code: int
    out: str
    err: str


class Stream(io.TextIOWrapper):
    """A text stream over bytes, as stdin and stdout are."""

    def __init__(self, content: bytes = b"", encoding: str = "utf-8") -> None:
        super().__init__(io.BytesIO(content), encoding=encoding, newline="")

    def text(self) -> str:
        self.flush()
        self.seek(0)
        return self.read()


def run_in_process(
    monkeypatch: pytest.MonkeyPatch,
    program: str,
    *arguments: str,
    stdin: bytes = b"",
    encoding: str = "utf-8",
) -> Outcome:
    """Run ``evalmark`` or ``evalmark-hook`` in this process; the encoding is that of a terminal."""
    out, err = Stream(encoding=encoding), Stream(encoding=encoding)
    with monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Stream(stdin))
        patch.setattr(sys, "stdout", out)
        patch.setattr(sys, "stderr", err)
        patch.delenv("GITHUB_ACTIONS", raising=False)
        patch.setattr("evalmark.validator.io.terminal.PAUSE", math.inf)  # no line if it takes long
        if program == "evalmark-hook":
            from evalmark.cli.hook import main as hook

            code = hook(list(arguments))
        else:
            from evalmark.cli.main import main

            try:
                code = main(list(arguments))
            except SystemExit as stop:
                code = int(stop.code or 0)
    return Outcome(code, out.text(), err.text())


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch):
    """``run("evalmark", "check", …)`` → code, out, err; ``code=2`` says how it must end."""

    def runner(program: str, *arguments: str, code: int | None = None, **streams) -> Outcome:
        done = run_in_process(monkeypatch, program, *map(str, arguments), **streams)
        assert code in (None, done.code), done
        return done

    return runner


@pytest.fixture
def refused(run):
    """``refused("evalmark", "check", …)`` → what a call says that cannot be meant."""

    def said(*words, **streams) -> str:
        done = run(*words, code=2, **streams)
        assert done.out == ""
        return done.err

    return said


@pytest.fixture
def json_of(run):
    """``json_of("check", …)`` → the object of ``--format json``, and what is said beside it."""

    def runner(*words, code=0):
        done = run("evalmark", *words, "--format", "json", code=code)
        data = json.loads(done.out)
        assert data.pop("version") == 1
        return data, done.err

    return runner
