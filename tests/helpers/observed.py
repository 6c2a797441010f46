"""What commands open, call and run while they read a hostile folder, observed by an audit hook."""

import shutil
import sys
from pathlib import Path

import pytest
from conftest import FIXTURES, file_at
from evalmark.validator.settings import trust

SUITE = FIXTURES / "good/suite.json"


#: Entries whose attacks are in ``test_trust_of_models_and_runs.py``.
ELSEWHERE = {
    (trust.SERVED_RUN, "model"), (trust.SERVED_RUN, "path"), (trust.SERVED_RUN, "join"),
    (trust.RUN, "files"), (trust.MODEL, "auto_map"), (trust.MODEL, "*.bin"),
    (trust.MODEL, "weight_map"), (trust.MODEL, "tokenizer_class"),
    (trust.MODEL, "adapter_config.json"), (trust.MODEL, "other paths in configurations"),
}  # fmt: skip


#: Those whose attacks are in ``tests/apps/memory``.
OF_MEMORY = {
    (trust.SETTINGS, "memory.judge"), (trust.SETTINGS, "memory.judge-url"),
    (trust.LOG, "states of your own agent"), (trust.LTM, "datasets.arguments"),
    (trust.MODEL, "tokenizer.json"),
}  # fmt: skip


class Watched:
    """What Python has opened, connected to and started, and whether planted code has run."""

    def __init__(self, folder):
        self.folder = folder
        self.outside = folder / "outside"
        self.here = folder / "cloned"
        self.opened, self.hosts = [], []
        self.is_active = False

    def see(self, event, arguments):
        if event == "open" and isinstance(arguments[0], str | bytes):
            self.opened.append(str(Path(arguments[0] if isinstance(arguments[0], str) else
                                        arguments[0].decode()).absolute().resolve()))  # fmt: skip
        elif event in ("socket.connect", "socket.getaddrinfo"):
            self.hosts.append(arguments)

    def require_nothing_reached(self):
        reached = [path for path in self.opened if path.startswith(str(self.outside))]
        assert reached == [], "files outside were opened"
        assert self.hosts == [], "somebody was called"
        assert list(self.folder.rglob("EVIL")) == [], "planted code has run"


WATCHED: list[Watched] = []


def _hook(event, arguments):
    for watched in WATCHED:
        if watched.is_active and event in ("open", "socket.connect", "socket.getaddrinfo"):
            watched.see(event, arguments)


sys.addaudithook(_hook)
EVIL = """from pathlib import Path
Path({!r}).write_text("x")
class J:
    def complete(self, *_, **__):
        return ""
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A cloned folder with a suite and planted code, files outside of it, and a user without any
    configuration.
    """
    found = Watched(tmp_path.resolve())
    for folder in (found.here, found.outside):
        folder.mkdir()
    marker = str(found.folder / "EVIL")
    for name in ("evil.py", "httpx.py", "sub/evil.py"):
        file_at(found.here / name, EVIL.format(marker))
    shutil.copy(SUITE, found.here / "suite.json")
    (found.here / "agent.json").write_text('{"default": "Mauve"}')
    (found.outside / "judge.json").write_text('{"default": "yes"}')
    monkeypatch.chdir(found.here)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(found.folder / "home"))
    for name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "RAY_ADDRESS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "path", [entry for entry in sys.path if entry])
    WATCHED.append(found)
    yield found
    WATCHED.remove(found)


@pytest.fixture
def watched(place, run):
    """``watched("evalmark", …)`` → the outcome, while everything is observed."""

    def runner(*words, **rest):
        place.is_active = True
        try:
            return run(*words, **rest)
        finally:
            place.is_active = False

    return runner


def says(done, setting, instead):
    """The one line about a value that is not used."""
    lines = [line for line in done.err.splitlines() if f"`{setting}`" in line]
    assert len(lines) == 1, done.err
    assert instead in lines[0]
    assert "Traceback" not in done.err
    return True
