"""Which tests run which lines: a pytest plugin that records it, and what it has recorded.

The plugin (``-p line_map``) writes into the folder ``MUTANTS_MAP``: coverage of the
product with a context for each test, and a line for each test with its time, its outcome, and
whether it started a process, whose lines coverage does not see.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Generator, Iterable
from dataclasses import dataclass
from pathlib import Path

import coverage
import pytest

PROCESSES = ("subprocess.Popen", "os.fork", "os.posix_spawn")


class Recorder:
    """Records the tests of this process."""

    def __init__(self, folder: Path, include: list[str]) -> None:
        self.folder, self.processes, self.failed = folder, 0, set[str]()
        self.coverage = coverage.Coverage(
            data_file=folder / "lines", data_suffix=True, include=include, messages=False
        )
        self.coverage.set_option("run:disable_warnings", ["no-data-collected"])
        sys.addaudithook(self.audit)
        self.coverage.start()

    def audit(self, event: str, _: object) -> None:
        self.processes += event in PROCESSES

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self.coverage.switch_context(item.nodeid)
        before, begin = self.processes, time.perf_counter()
        outcome = yield
        entry = {
            "name": item.nodeid, "seconds": time.perf_counter() - begin,
            "processes": self.processes > before, "passed": item.nodeid not in self.failed,
        }  # fmt: skip
        with (self.folder / "tests.jsonl").open("a") as file:
            file.write(json.dumps(entry) + "\n")
        return outcome

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self.failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        self.coverage.stop()
        self.coverage.save()


def pytest_configure(config: pytest.Config) -> None:
    folder, root = Path(os.environ["MUTANTS_MAP"]), config.rootpath
    rooms = os.environ["MUTANTS_ROOMS"].split()
    config.pluginmanager.register(Recorder(folder, [str(root / r / "*") for r in rooms]))


@dataclass(frozen=True)
class Test:
    """A test, as it ran without a change."""

    name: str
    seconds: float
    processes: bool
    passed: bool

    @property
    def file(self) -> str:
        return self.name.partition("::")[0]


class LineMap:
    """What was recorded in a folder by tests of a checkout."""

    def __init__(self, folder: Path, checkout: Path) -> None:
        self.checkout = checkout
        lines = (folder / "tests.jsonl").read_text().splitlines()
        tests = [Test(**json.loads(line)) for line in lines]
        #: The tests that pass, by name.
        self.tests = {test.name: test for test in tests if test.passed}
        self.coverage = coverage.CoverageData(str(folder / "combined"))
        self.coverage.read()
        for part in folder.glob("lines.*"):
            data = coverage.CoverageData(str(part))
            data.read()
            self.coverage.update(data)
            part.unlink()

    def of_lines(self, path: str, lines: Iterable[int]) -> list[Test]:
        """The tests that run one of the lines of a module, quickest first."""
        contexts = self.coverage.contexts_by_lineno(str(self.checkout / path))
        names = {name for line in lines for name in contexts.get(line, ())}
        return quickest(self.tests[name] for name in names if name in self.tests)

    def of_module(self, path: str) -> list[Test]:
        lines = self.coverage.lines(str(self.checkout / path)) or []
        return self.of_lines(path, lines)


def quickest(tests: Iterable[Test]) -> list[Test]:
    return sorted(tests, key=lambda test: (test.seconds, test.name))
